"""The 3-D view: bodies and ground reactions as JSON for the page's viewer."""
