"""The command ``gait``: drafts a study, checks it, runs it with Snakemake, shows and exports its results."""

from pipeline.cli.app import main
