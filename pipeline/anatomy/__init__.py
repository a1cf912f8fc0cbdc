"""Body model from labelled markers: marker sets, static calibration, joint centres, segment frames, inertia and motion.

Input: recordings, a marker set, the subject's values. Output: a calibrated body, and its points, segments, joint poses
and angles over a walk. Independent of forces.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
