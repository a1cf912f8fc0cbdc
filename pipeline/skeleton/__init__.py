"""The Denavit-Hartenberg tree: definition, scaling to a subject, poses, and motion and Jacobians of points on it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
