"""Muscles: paths and their moment arms, Hill-type force, distribution of joint moments to muscles, fatigue."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
