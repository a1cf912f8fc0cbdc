"""The two-page report of a session and condition as PDF, in the layout of gait laboratories."""
