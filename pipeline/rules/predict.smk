# The predicted walks of a session, their comparison with measured ones with a page each, and all comparisons in tables
# and on one page.

def sweeps(session):
    """Sweeps of a session with their inputs, as `pipeline.stages.predict` reads them."""
    found = []
    for rows in study.sweeps_of(session).values():
        standing = study.standing_of(rows[0])
        inputs = {"skeleton": str(study.skeleton)}
        if standing:
            inputs |= {
                "static": file_in(session, "raw", standing.trial),
                "marker_set": str(study.marker_set_of(standing)),
            }
        for walk in dict.fromkeys(row.trial for row in rows if row.trial):
            inputs |= {f"{name}/{walk}": file_in(session, name, walk) for name in ("cycles", "whole_body")}
        settings = {
            "subject": study.subjects[session.subject],
            "anatomy": study.configuration.anatomy,
            "predictions": rows,
        }
        found.append({"settings": settings, "inputs": inputs})
    return as_json(found)


def predicted_inputs(session):
    """Folders and files that the predictions of a session need."""
    rows = study.predicted_sessions[session]
    standing = [trial for trial in map(study.standing_of, rows) if trial]
    folders = (["raw"] if standing else []) + (["cycles", "whole_body"] if any(row.trial for row in rows) else [])
    marker_sets = {str(study.marker_set_of(trial)) for trial in standing}
    return [f"data/results/{session}/{name}" for name in folders] + sorted(marker_sets)


def walks_to_compare(session, row):
    """The walk that a prediction names, or all walks of its session."""
    return [row.trial] if row.trial else [walk.trial for walk in study.walks_of(session)]


def comparisons(session):
    """The comparison of each prediction with a measured walk, and its page."""
    rows = study.predicted_sessions[session]
    compared = {
        row.prediction: {
            "settings": {"walks": [file_in(session, "cycles", walk) for walk in walks_to_compare(session, row)]},
        }
        for row in rows
    }
    shown = {
        row.prediction: {
            "settings": {
                "requested": row,
                "motions": [file_in(session, "kinematics", walk) for walk in walks_to_compare(session, row)],
            },
        }
        for row in rows
    }
    return stages_json(
        stage(
            "prediction_comparison",
            session,
            file_in(session, "comparisons"),
            compared,
            inputs={"prediction": file_in(session, "predictions")},
        ),
        stage(
            "prediction_report",
            session,
            page_in(session, "predictions"),
            shown,
            inputs={
                "prediction": file_in(session, "predictions"),
                "comparison": file_in(session, "comparisons"),
            },
            settings={"configuration": study.configuration},
        ),
    )


rule predict:
    input:
        lambda wildcards: predicted_inputs(session_of(wildcards)),
        skeleton=str(study.skeleton),
    output:
        directory(folder("predictions")),
    log:
        "logs/{subject}/{session}/predict.log",
    group:
        "session"
    params:
        job=lambda wildcards: sweeps(session_of(wildcards)),
        session=lambda wildcards: str(session_of(wildcards)),
        code=code_digest(["pipeline.stages.predict"]),
    shell:
        PYTHON + " pipeline.stages.predict --log {log:q} --code {params.code} --session {params.session} "
        "--output {output:q} {params.job:q}"


rule compare:
    input:
        folder("predictions"),
        lambda wildcards: [
            f"data/results/{session_of(wildcards)}/{name}"
            for name in ("cycles", "kinematics")
            if study.walks_of(session_of(wildcards))
        ],
        templates=TEMPLATES,
    output:
        directory(folder("comparisons")),
        directory("reports/{subject}/{session}/predictions"),
    log:
        "logs/{subject}/{session}/compare.log",
    group:
        "session"
    params:
        job=lambda wildcards: comparisons(session_of(wildcards)),
        code=code_of("prediction_comparison", "prediction_report"),
    shell:
        RUN_STAGES


rule predicted_vs_measured:
    input:
        [f"data/results/{session}/{name}" for session in study.predicted_sessions for name in ("predictions", "comparisons")],
        CONFIG,
        templates=TEMPLATES,
    output:
        page="reports/predicted_vs_measured.html",
        stage="data/results/predicted_vs_measured.h5",
        tables=expand(
            "data/results/predicted_{table}.{kind}", table=["vs_measured", "curves"], kind=["parquet", "csv"]
        ),
    log:
        "logs/predicted_vs_measured.log",
    params:
        home=workflow.basedir,
        code=code_digest(["pipeline.stages.predicted_vs_measured"]),
        extras=str(extra_versions()),
    shell:
        PYTHON + " pipeline.stages.predicted_vs_measured --home {params.home:q} --results data/results "
        "--page {output.page:q} --stage {output.stage:q} --tables {output.tables:q} --code {params.code} > {log} 2>&1"
