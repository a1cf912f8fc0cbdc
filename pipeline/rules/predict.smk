# The predicted walks of a session, and the comparisons of all with measured ones in tables and on one page.

rule predict:
    input:
        read("predict"),
    output:
        made("predict"),
    log:
        "logs/{subject}/{session}/predict.log",
    group:
        "session"
    resources:
        mem_mb=1500,
        runtime=minutes(150),
    params:
        files=files("predict"),
        job=job("predict"),
        code=code_of("predict"),
    shell:
        RUN_STAGES


rule predicted_vs_measured:
    input:
        of_study(PREDICTED_LIST),
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
        code=code_of_modules("pipeline.stages.predicted_vs_measured"),
        extras=str(extra_versions()),
    shell:
        python(
            "pipeline.stages.predicted_vs_measured --results data/results --page {output.page:q} --stage {output.stage:q}"
            " --tables {output.tables:q} --list {output.sums:q} --code {params.code} > {log} 2>&1"
        )
