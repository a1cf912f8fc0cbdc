"""Prediction of walking: the task, the walking body, its schedule of contacts, and the problem that they make."""
