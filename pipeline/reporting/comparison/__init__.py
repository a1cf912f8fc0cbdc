"""Pages and reports that compare groups of walks of one subject, or its sides."""
