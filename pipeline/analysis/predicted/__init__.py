"""A predicted walk as gait cycles, and its agreement with a measured walk."""
