"""Adapters between the workflow's rules and the library: one module a step, run as ``python -m pipeline.stages NAME``.

A step is a function ``run`` whose annotations are its interface (see `pipeline.stages.framework`).
"""
