"""How stages run, are checked, logged and judged: ``python -m pipeline.workflow RULE SUBJECT SESSION`` runs a job.

In: the study's tables and configuration. Out: files of stages with where they come from, the run log, the audit of what
is there and the verdict. It knows the stages by their names (`jobs`) and imports each when it runs it (`framework`).
"""
