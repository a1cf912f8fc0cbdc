"""Motion prediction."""
