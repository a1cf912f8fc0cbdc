"""Adapters between the workflow's rules and the library: one module a stage.

A stage is a function ``run`` for one trial, whose annotations are its interface (see `pipeline.workflow.framework`).
The last stages are of the study as a whole, and are run by name: ``python -m pipeline.stages.study``.
"""
