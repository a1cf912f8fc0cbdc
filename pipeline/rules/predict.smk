# The predicted walks of a session, their comparison with measured ones with a page each, and all comparisons in tables
# and on one page.

def predicted_inputs(session):
    """Folders and files that the predictions of a session need."""
    rows = study.predicted_sessions[session]
    standing = [trial for trial in map(study.standing_of, rows) if trial]
    folders = (["raw"] if standing else []) + (["cycles", "whole_body"] if any(row.trial for row in rows) else [])
    marker_sets = {str(study.marker_set_of(trial)) for trial in standing}
    return [f"data/results/{session}/{name}" for name in folders] + sorted(marker_sets)


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
        job=job("predict"),
        code=code_of("predict"),
    shell:
        RUN_STAGES


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
        job=job("compare"),
        code=code_of("compare"),
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
        code=code_digest(["pipeline.stages.predicted_vs_measured"]),
        extras=str(extra_versions()),
    shell:
        PYTHON + " pipeline.stages.predicted_vs_measured --results data/results "
        "--page {output.page:q} --stage {output.stage:q} --tables {output.tables:q} --code {params.code} > {log} 2>&1"
