"""The two-page PDF report of a session and condition, in the layout used by gait laboratories."""
