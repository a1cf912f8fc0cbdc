"""Marker sets, joint centres, segment frames, inertia and calibration: from labelled markers to a body in motion.

In: recordings, a marker set, the subject's values. Out: a calibrated body, and its points, segments, joint poses and
angles over a walk. Called by steps; knows nothing of forces.
"""
