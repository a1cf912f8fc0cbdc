# The pages of a session's walks; the study's tables and pages; and the verdict, which fails if a trial failed, so that
# snakemake does.

WHOLE_BODY_FOLDER = [folder("whole_body")] if WITH_WHOLE_BODY else []
UNCERTAINTY_FOLDER = [folder("uncertainty")] if WITH_UNCERTAINTY else []


rule report:
    input:
        [folder(name) for name in ("kinematics", "inverse_dynamics", "cycles", "cutoff_peaks", "summary")],
        [folder(name) for name in ("plausibility", "average")],
        WHOLE_BODY_FOLDER,
        UNCERTAINTY_FOLDER,
        templates=TEMPLATES,
    output:
        directory("reports/{subject}/{session}/walks"),
        directory(folder("report")),
    log:
        "logs/{subject}/{session}/report.log",
    group:
        "session"
    params:
        job=job("report"),
        code=code_of("report"),
        extras=str(extra_versions()),
    shell:
        RUN_STAGES


def folders(*names, sessions=study.measured_sessions):
    """Folders of stages of all sessions with walks."""
    return [f"data/results/{session}/{name}" for session in sessions for name in names]


SCRIPTS = ["reports/report.js", "reports/scene.js"]
"""What all pages share."""

STUDY = PYTHON + " pipeline.stages.study {rule} --results data/results "
TABLES = [
    f"data/results/study_{name}"
    for name in (
        *("curves.parquet", "curves.csv.gz"),
        *("scalars.parquet", "scalars.csv"),
        *("events.parquet", "events.csv"),
        *("findings.parquet", "findings.csv"),
        "dictionary.csv",
        *(("times.parquet", "times.csv.gz") if WITH_WHOLE_BODY else ()),
    )
]
"""What is long is compressed as text."""


rule tables:
    input:
        folders("kinematics", "inverse_dynamics", "cycles", "summary", "plausibility", "average"),
        folders("whole_body") if WITH_WHOLE_BODY else [],
        folders("uncertainty") if WITH_UNCERTAINTY else [],
        CONFIG,
    output:
        TABLES,
    log:
        "logs/tables.log",
    priority: 1
    params:
        code=code_of("study"),
    shell:
        STUDY + "--output {output:q} > {log} 2>&1"


rule page:
    input:
        folders("report"),
        folders("raw", sessions=study.sessions),
        folders("predictions", sessions=study.predicted_sessions),
        CONFIG,
        templates=TEMPLATES,
    output:
        "reports/index.html",
        SCRIPTS,
    log:
        "logs/page.log",
    params:
        code=code_of("study"),
        extras=str(extra_versions()),
    shell:
        STUDY + "--output {output:q} > {log} 2>&1"


rule verdict:
    input:
        folders("raw", sessions=study.sessions),
        [f"reports/{session}/walks" for session in study.measured_sessions],
        [f"reports/{session}/predictions" for session in study.predicted_sessions],
        [f"reports/{session}/comparisons" for session in study.compared_sessions],
        "reports/index.html",
        TABLES,
        ["reports/predicted_vs_measured.html"] if study.predictions else [],
    output:
        "data/results/verdict.txt",
    log:
        "logs/verdict.log",
    params:
        code=code_of("study"),
    shell:
        STUDY + "--output {output:q} 2>&1 | tee {log} >&2"


# What exists of a study is shown also where a job was killed: its session is missing until the next run.
onerror:
    shell(f"{PYTHON} pipeline.stages.study partial --results data/results --output reports/index.html {' '.join([*SCRIPTS, *TABLES])}")


# A page as one file, for sending, on request: snakemake reports/single/SUBJECT/SESSION/walks/NAME.html
rule single:
    input:
        folder="reports/{subject}/{session}/{kind}",
        scripts=SCRIPTS,
    output:
        "reports/single/{subject}/{session}/{kind}/{name}.html",
    wildcard_constraints:
        kind="walks|predictions",
        name="[A-Za-z0-9][A-Za-z0-9_.-]*",
    log:
        "logs/{subject}/{session}/single/{kind}/{name}.log",
    params:
        code=code_digest(["pipeline.reporting.single"]),
    shell:
        PYTHON + " pipeline.reporting.single {input.folder:q}/{wildcards.name:q}.html {output:q} > {log} 2>&1"
