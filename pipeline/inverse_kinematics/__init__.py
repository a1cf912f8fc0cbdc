"""Inverse kinematics: static calibration, calibration from a walk, and the fit of the skeleton to markers."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
