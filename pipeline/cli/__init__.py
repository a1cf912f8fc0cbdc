"""Command line for people: ``python -m pipeline init`` drafts a study, ``check`` tells what is in a C3D file."""
