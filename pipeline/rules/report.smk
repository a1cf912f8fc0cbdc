# A page for each walk; the study's page; and the verdict, which fails if a trial failed, so that snakemake does.


rule report:
    input:
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
        cycles=stage("cycles"),
        summary=stage("summary"),
        whole_body=WHOLE_BODY,
        templates=TEMPLATES,
    output:
        page="reports/{trial}.html",
        entry="data/results/{trial}/entry.json",
    log:
        "logs/{trial}/report.log",
    params:
        settings=lambda wildcards: settings_json(
            trial=wildcards.trial,
            subject=study.trials[wildcards.trial].subject,
            page=f"{wildcards.trial}.html",
            remarks=study.trials[wildcards.trial].notes,
            predicted=[name for name, row in study.predictions.items() if row.trial == wildcards.trial],
            configuration=study.configuration,
        ),
        whole_body=WHOLE_BODY_ARGUMENT,
        code=code_of("report"),
    shell:
        PYTHON + " pipeline.stages report --trial {wildcards.trial} --output {output.page:q} --also entry={output.entry:q} "
        "--settings {params.settings:q} --code {params.code} kinematics={input.kinematics:q} "
        "inverse_dynamics={input.inverse_dynamics:q} cycles={input.cycles:q} summary={input.summary:q} "
        "{params.whole_body} > {log} 2>&1"


ENTRIES = expand("data/results/{trial}/entry.json", trial=study.names("walk"))
STATICS = expand(stage("raw"), trial=study.names("static"))
PREDICTED = [f"data/results/predictions/{name}.h5" for name in study.predictions]
CONFIG = ["config/trials.tsv", "config/subjects.tsv", "config/config.yaml"]
STUDY = PYTHON + " pipeline.stages.study {rule} --home {params.home:q} --results data/results --output {output:q} "


SUBJECTS = sorted({study.trials[name].subject for name in study.names("walk")})
# What is long is compressed as text.
TABLES = [
    f"data/results/study_{name}"
    for name in (
        *("curves.parquet", "curves.csv.gz"),
        *("scalars.parquet", "scalars.csv"),
        *("events.parquet", "events.csv"),
        "dictionary.csv",
        *(("times.parquet", "times.csv.gz") if WITH_WHOLE_BODY else ()),
    )
]


def walks_of(subject):
    """Names of a subject's walks."""
    return [name for name in study.names("walk") if study.trials[name].subject == subject]


rule subject:
    input:
        cycles=lambda wildcards: expand(stage("cycles"), trial=walks_of(wildcards.subject)),
        summaries=lambda wildcards: expand(stage("summary"), trial=walks_of(wildcards.subject)),
        entries=lambda wildcards: expand("data/results/{trial}/entry.json", trial=walks_of(wildcards.subject)),
        norm=[str(study.norm)] if study.norm else [],
        tables=CONFIG,
        templates=TEMPLATES,
    output:
        page="reports/subject.{subject}.html",
        summary="data/results/subject.{subject}.h5",
    wildcard_constraints:
        subject="[A-Za-z0-9][A-Za-z0-9_-]*",
    log:
        "logs/subjects/{subject}.log",
    params:
        home=workflow.basedir,
        code=code_of("study"),
        extras=str(extra_versions()),
    shell:
        STUDY + "--subject {wildcards.subject} --code {params.code} > {log} 2>&1"


rule tables:
    input:
        cycles=expand(stage("cycles"), trial=study.names("walk")),
        summaries=expand(stage("summary"), trial=study.names("walk")),
        full_bodies=expand(WHOLE_BODY, trial=study.names("walk")),
        kinematics=expand(stage("kinematics"), trial=study.names("walk")),
        loads=expand(stage("inverse_dynamics"), trial=study.names("walk")) if WITH_WHOLE_BODY else [],
        subjects=expand("data/results/subject.{subject}.h5", subject=SUBJECTS),
        tables=CONFIG,
    output:
        TABLES,
    log:
        "logs/tables.log",
    params:
        home=workflow.basedir,
        code=code_of("study"),
    shell:
        STUDY + "> {log} 2>&1"


rule page:
    input:
        entries=ENTRIES,
        statics=STATICS,
        predictions=PREDICTED,
        tables=CONFIG + (["config/predictions.tsv"] if Path("config/predictions.tsv").exists() else []),
        templates=TEMPLATES,
    output:
        "reports/index.html",
    log:
        "logs/page.log",
    params:
        home=workflow.basedir,
        code=code_of("study"),
        extras=str(extra_versions()),
    shell:
        STUDY + "> {log} 2>&1"


rule verdict:
    input:
        pages=["reports/index.html", "reports/report.js", "reports/scene.js", *expand("reports/subject.{subject}.html", subject=SUBJECTS)],
        tables=TABLES,
        full_bodies=expand("reports/whole_body.{trial}.html", trial=study.names("walk")) if WITH_WHOLE_BODY else [],
        trials=expand("data/results/{trial}.h5", trial=study.names("walk")),
        predictions=expand("reports/prediction_{prediction}.html", prediction=study.predictions),
        predicted=["reports/predicted_vs_measured.html"] if study.predictions else [],
    output:
        "data/results/verdict.txt",
    log:
        "logs/verdict.log",
    params:
        home=workflow.basedir,
        code=code_of("study"),
    shell:
        STUDY + "2>&1 | tee {log} >&2"


rule script:
    input:
        workflow.basedir + "/reports/templates/{script}",
    output:
        "reports/{script}",
    wildcard_constraints:
        script="(report|scene)\\.js",
    log:
        "logs/{script}.log",
    shell:
        "cp {input:q} {output:q} 2> {log}"


# A page as one file, for sending, on request: snakemake reports/single/NAME.html
rule single:
    input:
        page="reports/{page}.html",
        scripts=["reports/report.js", "reports/scene.js"],
    output:
        "reports/single/{page}.html",
    wildcard_constraints:
        page="[A-Za-z0-9][A-Za-z0-9_.-]*",
    log:
        "logs/single/{page}.log",
    params:
        code=code_digest(["pipeline.reporting.single"]),
    shell:
        PYTHON + " pipeline.reporting.single {input.page:q} {output:q} > {log} 2>&1"
