# The study's tables and pages; and the verdict, which fails if a trial failed, so that snakemake fails too.

SCRIPTS = ["reports/report.js", "reports/scene.js"]
"""Scripts common to all pages."""

TABLES = [
    f"data/results/study_{name}"
    for name in (
        *("curves.parquet", "curves.csv.gz"),
        *("scalars.parquet", "scalars.csv"),
        *("cycle_loads.parquet", "cycle_loads.csv"),
        *("events.parquet", "events.csv"),
        *("findings.parquet", "findings.csv"),
        *("features.parquet", "features.csv.gz"),
        "dictionary.csv",
        *(("times.parquet", "times.csv.gz") if study.configuration.whole_body.enabled else ()),
        *(
            ("comparisons.parquet", "comparisons.csv", "comparison_curves.parquet", "comparison_curves.csv.gz")
            if study.comparisons
            else ()
        ),
    )
]
"""Long text tables are compressed."""


rule tables:
    input:
        of_study(STUDY_LISTS[0]),
    output:
        TABLES,
        str(STUDY_LISTS[0]),
    log:
        "logs/tables.log",
    priority: 1
    resources:
        mem_mb=2000,
        runtime=5 + len(study.walks) // 600,
    params:
        files=SHARED,
        code=code_of("study"),
    shell:
        STUDY


rule page:
    input:
        of_study(STUDY_LISTS[1]),
    output:
        report("reports/index.html", category="Study", labels={"page": "all trials"}),
        SCRIPTS,
        str(STUDY_LISTS[1]),
    log:
        "logs/page.log",
    resources:
        mem_mb=1000,
        runtime=5 + len(study.walks) // 200,
    params:
        files=SHARED,
        code=code_of("study"),
        extras=str(extra_versions()),
    shell:
        STUDY


rule verdict:
    input:
        # All results, so that a removed one is made again even if the files made from it exist.
        [
            str(path)
            for session in all_sessions(study)
            for paths in folders_by_rule(study, session).values()
            for path in paths
        ],
        rules.tables.output,
        rules.page.output,
        rules.predicted_vs_measured.output if study.predictions else [],
    output:
        "data/results/verdict.txt",
    log:
        "logs/verdict.log",
    resources:
        mem_mb=600,
        runtime=5,
    params:
        code=code_of("study"),
    shell:
        python("pipeline.stages.study {rule} --results data/results --output {output:q} 2>&1 | tee {log} >&2")


# The existing results of a study are shown even if a job was killed: its session is missing until the next run.
onerror:
    files = " ".join(["reports/index.html", *SCRIPTS, *TABLES])
    shell(python(f"pipeline.stages.study partial --results data/results --output {files}"))


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
    resources:
        mem_mb=600,
        runtime=5,
    params:
        code=code_of_modules("pipeline.reporting.single"),
    shell:
        python("pipeline.reporting.single {input.folder:q}/{wildcards.name:q}.html {output:q} > {log} 2>&1")
