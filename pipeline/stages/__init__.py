"""Adapters between the workflow's rules and the library: one module per stage.

A stage is a function ``run`` for one trial; its annotations define its interface (see `pipeline.workflow.framework`).
The last stages are for the study as a whole and are run by name: ``python -m pipeline.stages.study``.
"""
