"""The study as tidy tables, one value a row."""
