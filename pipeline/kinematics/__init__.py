"""Kinematics of a walk: filtered markers and plate loads, gait events, segment motion and joint angles."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
