"""The page of a walk."""
