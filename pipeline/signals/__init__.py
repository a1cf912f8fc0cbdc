"""Signal processing of a walk: gap filling, filtering, differentiation; plate contacts, gait events and cycles.

Input: sampled trajectories and loads with gaps. Output: the same without gaps and noise, their derivatives, and the
instants at which feet touch and leave the ground. Independent of body models.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
