"""The body from labelled markers: marker sets, static calibration, joint centres, segment frames, inertia and motion.

In: recordings, a marker set, the subject's values. Out: a calibrated body, and its points, segments, joint poses and
angles over a walk. Independent of forces.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
