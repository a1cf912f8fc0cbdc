# What all rules share: where files stand, how a step is run, and how the batch behaves.

import os
import shlex

from pipeline.config.narrowing import settings_json
from pipeline.provenance import code_digest, extra_versions

# One thread for each small dense solve: two cost several times the processor time.
os.environ.update(dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"], "1"))
# Jobs run the code beside this workflow, whatever the study's folder or the environment holds.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [workflow.basedir, os.environ.get("PYTHONPATH")]))

# What differs from run to run stands there and, in one marked block, on the pages.
os.environ["GAIT_RUN_LOG"] = "logs/run.jsonl"

# Whatever a page says may come from these.
TEMPLATES = sorted(str(path) for path in Path(workflow.basedir, "reports/templates").iterdir())

PYTHON = f"{shlex.quote(sys.executable)} -P -m"
STEP = (
    f"{PYTHON} pipeline.stages {{rule}} --trial {{wildcards.trial}} --output {{output:q}} "
    "--settings {params.settings:q} --code {params.code} "
)


wildcard_constraints:
    trial="(?!predictions/|prediction_)[A-Za-z0-9][A-Za-z0-9_-]*",
    prediction="[A-Za-z0-9][A-Za-z0-9_-]*",


def stage(name, trial="{trial}"):
    """File of a trial's stage."""
    return f"data/results/{trial}/{name}.h5"


def code_of(step):
    """Digest of all code that a step imports: a parameter of its rule, so that editing a module runs it again."""
    return code_digest([f"pipeline.stages.{step}", "pipeline.stages.__main__"])
