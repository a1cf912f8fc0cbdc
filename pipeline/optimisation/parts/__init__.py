"""The parts that problems are made of: each a small function of the motion at the nodes with its derivatives."""
