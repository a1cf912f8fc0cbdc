"""Command line for people: ``python -m pipeline init`` drafts a study, ``check`` describes a C3D file."""
