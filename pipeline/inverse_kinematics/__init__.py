"""Inverse kinematics: static calibration, calibration from a walk, and the fit of the skeleton to markers."""
