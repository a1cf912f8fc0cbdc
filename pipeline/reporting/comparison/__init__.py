"""Pages of two groups of walks of one subject."""
