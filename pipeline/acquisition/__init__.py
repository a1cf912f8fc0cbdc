"""C3D and TRC files to recordings in SI units and in G: markers, force plates, events and subject parameters."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
