"""Prediction of walking: task, walking body, contact schedule, and the resulting optimal control problem."""
