"""Predicted lifting of a box with both feet on the ground, built from the components of predicted walking."""
