"""Plausibility of a walk's results: angles, joint loads, segments, plates and whole-body balance against what is known.

In: the values of the stages up to the summary, and the static trial. Out: findings, each with its value, limit, likely
cause and remedy. Nothing is changed here: whatever can be corrected has been corrected before (`pipeline.signals`).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
