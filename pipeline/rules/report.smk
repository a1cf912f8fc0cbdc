# The pages of a session's walks; the study's tables and pages; and the verdict, which fails if a trial failed, so that
# snakemake does.

WHOLE_BODY_FOLDER = [folder("whole_body")] if WITH_WHOLE_BODY else []


def pages(session):
    """A page for each walk, one for it on the skeleton, and one for the averages of each condition."""
    walks = {
        walk.trial: {
            "settings": {
                "condition": walk.condition or "",
                "remarks": walk.notes,
                "average": average_name(walk.condition),
                "predicted": [row.prediction for row in study.predicted_sessions.get(session, ()) if row.trial == walk.trial],
            },
        }
        for walk in study.walks_of(session)
    }
    names = {"subject": session.subject, "session": session.session, "configuration": study.configuration}
    computed = files_in(session, "kinematics", "inverse_dynamics", "cycles")
    whole_body = files_in(session, "whole_body") if WITH_WHOLE_BODY else {}
    stages = [
        stage(
            "report",
            session,
            page_in(session, "walks"),
            walks,
            also={"entry": f"data/results/{session}/report/{{trial}}.json"},
            inputs=computed | files_in(session, "summary") | {"findings": file_in(session, "plausibility")} | whole_body,
            settings=names,
        )
    ]
    if WITH_WHOLE_BODY:
        stages.append(
            stage(
                "whole_body_report",
                session,
                page_in(session, "walks", "whole_body.{trial}"),
                {walk: {} for walk in walks},
                inputs=computed | whole_body,
                settings=names,
            )
        )
    conditions = {
        average_name(condition): {
            "settings": {
                "condition": condition or "",
                "walks": [walk.trial for walk in own],
            },
        }
        for condition, own in study.conditions_of(session).items()
    }
    stages.append(
        stage(
            "average_report",
            session,
            page_in(session, "walks"),
            conditions,
            inputs=files_in(session, "average"),
            settings=names | {"results": f"data/results/{session}"},
        )
    )
    return stages_json(*stages)


rule report:
    input:
        [folder(name) for name in ("kinematics", "inverse_dynamics", "cycles", "summary", "plausibility", "average")],
        WHOLE_BODY_FOLDER,
        templates=TEMPLATES,
    output:
        directory("reports/{subject}/{session}/walks"),
        directory(folder("report")),
    log:
        "logs/{subject}/{session}/report.log",
    group:
        "session"
    params:
        job=lambda wildcards: pages(session_of(wildcards)),
        code=code_of("report", "whole_body_report", "average_report"),
        extras=str(extra_versions()),
    shell:
        RUN_STAGES


def folders(*names, sessions=study.measured_sessions):
    """Folders of stages of all sessions with walks."""
    return [f"data/results/{session}/{name}" for session in sessions for name in names]


SCRIPTS = ["reports/report.js", "reports/scene.js"]
"""What all pages share."""

STUDY = PYTHON + " pipeline.stages.study {rule} --home {params.home:q} --results data/results "
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
        CONFIG,
    output:
        TABLES,
    log:
        "logs/tables.log",
    params:
        home=workflow.basedir,
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
        home=workflow.basedir,
        code=code_of("study"),
        extras=str(extra_versions()),
    shell:
        STUDY + "--output {output:q} > {log} 2>&1"


rule verdict:
    input:
        folders("raw", sessions=study.sessions),
        [f"reports/{session}/walks" for session in study.measured_sessions],
        [f"reports/{session}/predictions" for session in study.predicted_sessions],
        "reports/index.html",
        TABLES,
        ["reports/predicted_vs_measured.html"] if study.predictions else [],
    output:
        "data/results/verdict.txt",
    log:
        "logs/verdict.log",
    params:
        home=workflow.basedir,
        code=code_of("study"),
    shell:
        STUDY + "--output {output:q} 2>&1 | tee {log} >&2"


# What exists of a study is shown also where a job was killed: its session is missing until the next run.
onerror:
    partial = f"--home {shlex.quote(workflow.basedir)} --results data/results --output reports/index.html"
    shell(f"{PYTHON} pipeline.stages.study partial {partial} {' '.join([*SCRIPTS, *TABLES])}")


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
