# What all rules share: where files are, how a stage of a session is run, and how the batch behaves.

import os
import shlex

from snakemake.logging import logger

from pipeline.config import average_name
from pipeline.config.narrowing import as_json
from pipeline.provenance import code_digest, extra_versions

# One thread for each small dense solve: two cost several times the processor time.
os.environ.update(dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"], "1"))
# Jobs run the code beside this workflow, whatever the study's folder or the environment holds.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [workflow.basedir, os.environ.get("PYTHONPATH")]))

# What differs from run to run is written there and, in one marked block, on the pages.
os.environ["GAIT_RUN_LOG"] = "logs/run.jsonl"

# Snakemake's own remarks between the trials would hide them, and those at the end the verdict.
REMARKS = ("Select jobs to execute", "Execute ", "Complete log", "Elapsed time")
logger.addFilter(lambda record: not str(record.msg).startswith(REMARKS))

# All that a page says may come from these.
TEMPLATES = sorted(str(path) for path in Path(workflow.basedir, "reports/templates").iterdir())

CONFIG = ["config/config.yaml", *map(str, sorted(Path("config").glob("*.tsv")))]

PYTHON = f"{shlex.quote(sys.executable)} -P -m"
RUN_STAGES = PYTHON + " pipeline.stages --log {log:q} --code {params.code} {params.job:q}"


wildcard_constraints:
    subject="[A-Za-z0-9][A-Za-z0-9_-]*",
    session="[A-Za-z0-9][A-Za-z0-9_-]*",


def folder(stage):
    """A stage's folder, with a file for each trial of the session."""
    return f"data/results/{{subject}}/{{session}}/{stage}"


def session_of(wildcards):
    return SessionKey(wildcards.subject, wildcards.session)


def file_in(session, stage, trial="{trial}"):
    """A trial's file of a stage; for all trials of the session without a name."""
    return f"data/results/{session}/{stage}/{trial}.h5"


def files_in(session, *stages):
    """Files of stages by their names, for all trials of the session."""
    return {stage: file_in(session, stage) for stage in stages}


def page_in(session, kind, name="{trial}"):
    """A page of a session: of a walk, or of a prediction."""
    return f"reports/{session}/{kind}/{name}.html"


def stage(name, session, output, trials, **shared):
    """One stage of a session, as `pipeline.stages.session.SessionStage` reads it."""
    return {"stage": name, "session": str(session), "output": output, "trials": trials, **shared}


def stages_json(*stages):
    """The job of a rule: its stages one after another in one process."""
    return as_json(stages)


def existing(path):
    """A file as a list, empty if there is none: what is missing fails its own trial in its stage."""
    return [str(path)] if path and Path(path).is_file() else []


def code_of(*stages):
    """Digest of all code that stages import: a parameter of their rule, so that editing a module runs it again."""
    return code_digest([*(f"pipeline.stages.{name}" for name in stages), "pipeline.stages.__main__"])
