"""Running, checking, logging and judging of stages: ``python -m pipeline.workflow RULE SUBJECT SESSION`` runs a job.

In: the study's tables and configuration. Out: files of stages with their origin, the run log, the audit of the files
and the verdict. It knows the stages by their names (`jobs`) and imports each one when it runs it (`framework`).
"""
