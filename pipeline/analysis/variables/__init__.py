"""The registry of variables: every curve and spatiotemporal parameter by name, with unit, sign, label, axis range and
how it is read from a gait cycle, from the skeleton's motion and from a predicted walk."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
