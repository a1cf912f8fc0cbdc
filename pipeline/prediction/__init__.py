"""Predicted motions by optimal control: walking, lifting a box, and two planar manipulators."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
