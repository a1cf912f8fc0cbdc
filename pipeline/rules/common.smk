# Common to all rules: where files are, how a stage of a session is run, and how the batch behaves. Rules of priority 1
# compute numbers: the study's tables wait for all of them, while pages fill the other cores.

import gc
import os
import re
import shlex
from functools import cache

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.scheduling.job_scheduler import JobScheduler

from pipeline.config import RESULTS
from pipeline.provenance import extra_versions
from pipeline.workflow.audit import recording_digests
from pipeline.workflow.job_server import start_job_server
from pipeline.workflow.jobs import JOBS, job_digest
from pipeline.workflow.known_digests import contents
from pipeline.workflow.lock_owner import write_owner
from pipeline.workflow.origin import code_of, code_of_modules, inputs_of
from pipeline.workflow.session_folders import (
    PAGES,
    PREDICTED_LIST,
    STUDY_LISTS,
    all_sessions,
    folders_by_rule,
    folders_read,
    result_folders,
)
from pipeline.whole_files import files_in

# The graph of jobs grows by thousands of permanent objects; searching them for cycles takes an eighth of the planning.
gc.set_threshold(100_000, 20, 20)

# One thread for each small dense solve: two threads cost several times the processor time.
os.environ.update(dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"], "1"))
# Jobs run the code of this workflow, whatever the study's folder or the environment contains.
os.environ.update(PYTHONPATH=os.pathsep.join(filter(None, [str(PACKAGE_ROOT), os.environ.get("PYTHONPATH")])))

# Information that differs from run to run is written here and, in one marked block, on the pages.
os.environ.update(GAIT_RUN_LOG="logs/run.jsonl")

# Snakemake's own remarks would hide the trials' lines and, at the end, the verdict.
REMARKS = ("Select jobs to execute", "Execute ", "Complete log", "Elapsed time")
logger.addFilter(lambda record: not str(record.msg).startswith(REMARKS))


# Snakemake's limit of jobs per second starts a timer at each choice of jobs, and each timer is another choice among all
# ready jobs: a hundred a second with 20 sessions. Not set in onstart, which the Snakemake of a cluster job skips.
JobScheduler.job_rate_limiter = property(lambda scheduler: None, lambda scheduler, limiter: None)


if workflow.remote_exec:  # a job of a cluster, which skips onstart
    start_job_server()


onstart:
    write_owner(Path())
    start_job_server()
    # SLURM's executor does not tell a cluster job which sessions form a group, so it would run them one after another,
    # each in a Snakemake of its own, on one of its processors.
    workflow.executor_plugin.common_settings.pass_group_args = True
    # It also waits 10 s longer before each check of the jobs, so that the end of a job of five minutes is noticed a
    # minute late. Here it checks at the interval given by --seconds-between-status-checks.
    type(workflow.scheduler._executor).next_seconds_between_status_checks = property(
        lambda executor: executor.workflow.remote_execution_settings.seconds_between_status_checks,
        lambda executor, seconds: None,
    )


# All texts of a page may come from these.
TEMPLATES = [str(path) for path in files_in(HOME / "reports/templates", "*")]

CONFIG = ["config/config.yaml", *map(str, files_in(Path("config"), "*.tsv"))]


def python(words):
    """Shell command of a module; braces in a path are doubled, since they would stand for a wildcard."""
    client = [sys.executable, "-S", "-P", str(PACKAGE_ROOT / "pipeline/workflow/job_client.py")]
    return f"{re.sub('[{}]', lambda brace: 2 * brace[0], shlex.join(client))} {words}"


RUN_STAGES = python(
    "pipeline.workflow {rule} {wildcards.subject} {wildcards.session} --job {params.job} --code {params.code} --workers {threads} --log {log:q}"
)
STUDY = python("pipeline.stages.study {rule} --results data/results --output {output:q} > {log} 2>&1")


wildcard_constraints:
    subject="[A-Za-z0-9][A-Za-z0-9_-]*",
    session="[A-Za-z0-9][A-Za-z0-9_-]*",


def session_of(wildcards):
    return SessionKey(wildcards.subject, wildcards.session)


def made(rule):
    """Output of a rule: folders of results, with a file for each trial of the session."""
    return [directory(f"data/results/{{subject}}/{{session}}/{name}") for name in result_folders(study)[rule]]


@cache
def files_of(rule, session):
    """Digest of a rule's job on a session, the folders of results that the job reads, and its other input files."""
    job = JOBS[rule](study, session)
    read = inputs_of(job)
    folders = {str(path.parent): None for path in read if path.parts[:2] == RESULTS.parts}
    return job_digest(job), list(folders), [path for path in read if path.parts[:2] != RESULTS.parts]


def job(rule):
    """Parameter of a rule: digest of its job on the session, so that the rule runs again when the job changes."""
    return lambda wildcards: files_of(rule, session_of(wildcards))[0]


def read(rule):
    """Input of a rule: the folders of results that its job reads."""
    return lambda wildcards: files_of(rule, session_of(wildcards))[1]


# Files that the workflow does not make are not inputs but parameters, by a digest of their contents: the clock of the
# computer that wrote them may be wrong, and Snakemake takes a job with an output older than an input for a failed one.
SHARED, SHARED_TEMPLATES = contents([*TEMPLATES, *CONFIG]), contents(TEMPLATES)


def files(rule, *more):
    """Parameter of a rule: digest of the other files that its job reads, including missing ones, and of ``more``."""
    return lambda wildcards: [contents(files_of(rule, session_of(wildcards))[2]), *more]


def recordings(wildcards):
    """Digests of the files of a session's recordings: times do not decide whether they are read again."""
    return str(recording_digests(study, session_of(wildcards)))


def marker_sets(wildcards):
    """Digest of the marker sets of a session's trials, and of those that they extend."""
    trials = study.sessions[session_of(wildcards)]
    return contents(sorted({str(path) for trial in trials for path in study.marker_set_files(trial).values()}))


def of_study(listed):
    """Input of the rule that makes files of the study as a whole, given the list of these files."""
    return [str(folder) for folder in folders_read(study, listed)]


# Sessions among which the cores are divided: those that `gait run` found to have changed, otherwise all.
CHANGED = int(os.environ.get("GAIT_CHANGED_SESSIONS", 0)) or len(list(all_sessions(study)))


def workers(wildcards):
    """Threads of a rule: processes among which it divides a session's trials."""
    try:
        cores = workflow.cores
    except WorkflowError:  # of a cluster whose profile does not limit the processors of a job
        cores = 1
    return max(1, min(cores // max(1, CHANGED), len(study.sessions.get(session_of(wildcards), ()))))


def memory(each):
    """Resource of a rule: memory of all its processes, ``each`` in MB."""
    return lambda wildcards, threads: each * threads


def minutes(each):
    """Resource of a rule: three times the time of a session's trials or predictions, ``each`` in seconds."""
    return lambda wildcards: 2 + each * len(items_of(session_of(wildcards))) // 20


def items_of(session):
    """Trials and predictions of a session."""
    return [*study.sessions.get(session, ()), *study.predicted_sessions.get(session, ())]
