"""Predicted lifting of a box with both feet on the ground, on the parts that predicted walking is made of."""
