"""Curves and quality measures of a walk on the 55-joint skeleton."""
