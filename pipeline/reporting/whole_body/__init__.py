"""The page of a walk on the 55-joint skeleton."""
