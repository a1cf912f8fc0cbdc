"""From C3D files to joint loads: a study is the folder given by --directory, or else the current one."""

import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

sys.path.insert(0, workflow.basedir)

from pipeline.config import SessionKey, load_study
from pipeline.errors import ConfigError

if config:
    raise WorkflowError(f"settings are read from config/config.yaml only; remove --config {' '.join(config)}")
try:
    study = load_study(Path(), home=Path(workflow.basedir))
except ConfigError as error:
    raise WorkflowError(str(error)) from None


# The verdict is printed where the workflow was started.
localrules: all, verdict


rule all:
    default_target: True
    input:
        "data/results/verdict.txt",


include: "pipeline/rules/common.smk"
include: "pipeline/rules/ingest.smk"
include: "pipeline/rules/analyse.smk"
include: "pipeline/rules/whole_body.smk"
include: "pipeline/rules/uncertainty.smk"
include: "pipeline/rules/predict.smk"
include: "pipeline/rules/compare_walks.smk"
include: "pipeline/rules/report.smk"
include: "pipeline/rules/examples.smk"
