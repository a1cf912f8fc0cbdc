"""From C3D files to joint loads: a study is the folder given by --directory, by default the current one."""

import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

sys.path.insert(0, workflow.basedir)

from pipeline.config import HOME, SessionKey, check_home, load_study
from pipeline.errors import ConfigError
from pipeline.provenance import PACKAGE_ROOT

if config:
    raise WorkflowError(f"settings are read from config/config.yaml only; remove --config {' '.join(config)}")
try:
    check_home()
    study = load_study(Path(), HOME)
except ConfigError as error:
    raise WorkflowError(str(error)) from None


RULES = PACKAGE_ROOT / "pipeline/rules"  # of a checkout or of an installed package

# The verdict is printed where the workflow was started.
localrules: all, verdict


rule all:
    default_target: True
    input:
        "data/results/verdict.txt",


include: f"{RULES}/common.smk"
include: f"{RULES}/ingest.smk"
include: f"{RULES}/analyse.smk"
include: f"{RULES}/predict.smk"
include: f"{RULES}/pages.smk"
include: f"{RULES}/report.smk"
include: f"{RULES}/examples.smk"
