"""OpenSim's files as text: a skeleton as bodies and custom joints, external loads, and tables of motion and loads."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
