# The predicted walks of a session, their comparison with measured ones with a page each, and all comparisons in tables
# and on one page.

rule predict:
    input:
        lambda wildcards: predicted_folders(session_of(wildcards)),
    output:
        directory(folder("predictions")),
    log:
        "logs/{subject}/{session}/predict.log",
    group:
        "session"
    resources:
        mem_mb=1500,
        runtime=minutes(150),
    params:
        files=lambda wildcards: [
            marker_set_contents(filter(None, map(study.standing_of, study.predicted_sessions[session_of(wildcards)]))),
            contents([study.skeleton, HOME / "config/predicted_walks.npz"]),
        ],
        job=job("predict"),
        code=code_of("predict"),
    shell:
        RUN_STAGES


rule compare:
    input:
        folder("predictions"),
        lambda wildcards: [
            f"data/results/{session_of(wildcards)}/{name}"
            for name in (
                *("cycles", "kinematics"),
                *(("whole_body",) if WITH_WHOLE_BODY else ()),
                *(("muscles",) if WITH_MUSCLES else ()),
            )
            if study.walks_of(session_of(wildcards))
        ],
    output:
        directory(folder("comparisons")),
        report(
            directory("reports/{subject}/{session}/predictions"),
            patterns=["{name}.html"],
            category="Predictions",
            subcategory="{subject}, session {session}",
            labels={"page": "{name}"},
        ),
    log:
        "logs/{subject}/{session}/compare.log",
    group:
        "session"
    resources:
        mem_mb=800,
        runtime=minutes(4),
    params:
        files=lambda wildcards: [SHARED_TEMPLATES, contents(norms_of(session_of(wildcards)))],
        job=job("compare"),
        code=code_of("compare"),
    shell:
        RUN_STAGES


rule predicted_vs_measured:
    input:
        [f"data/results/{session}/{name}" for session in study.predicted_sessions for name in ("predictions", "comparisons")],
    output:
        page=report(
            "reports/predicted_vs_measured.html",
            category="Predictions",
            labels={"page": "predicted against measured"},
        ),
        stage="data/results/predicted_vs_measured.h5",
        tables=[
            f"data/results/predicted_{name}"
            for name in ("vs_measured.parquet", "vs_measured.csv", "curves.parquet", "curves.csv.gz")
        ],
        sums=str(PREDICTED_LIST),
    log:
        "logs/predicted_vs_measured.log",
    resources:
        mem_mb=1500,
        runtime=5 + len(study.predictions) // 20,
    params:
        files=SHARED,
        code=code_digest(["pipeline.stages.predicted_vs_measured"]),
        extras=str(extra_versions()),
    shell:
        python(
            "pipeline.stages.predicted_vs_measured --results data/results --page {output.page:q} --stage {output.stage:q}"
            " --tables {output.tables:q} --list {output.sums:q} --code {params.code} > {log} 2>&1"
        )
