"""The command ``gait``: draft a study, check it, run it with Snakemake, and show or export its results."""

from pipeline.cli.app import main
