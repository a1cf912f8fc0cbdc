# A page for each walk; the study's page; and the verdict, which fails if a trial failed, so that snakemake does.


rule report:
    input:
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
        cycles=stage("cycles"),
        summary=stage("summary"),
        full_body=FULL_BODY,
        templates=TEMPLATES,
    output:
        page="reports/{trial}.html",
        entry="data/results/{trial}/entry.json",
    log:
        "logs/{trial}/report.log",
    benchmark:
        "logs/{trial}/report.tsv"
    params:
        settings=lambda wildcards: settings_json(
            trial=wildcards.trial,
            subject=study.trials[wildcards.trial].subject,
            page=f"{wildcards.trial}.html",
            remarks=study.trials[wildcards.trial].notes,
            configuration=study.configuration,
        ),
        full_body=FULL_BODY_ARGUMENT,
        code=code_of("report"),
    shell:
        PYTHON + " pipeline.steps report --trial {wildcards.trial} --output {output.page:q} --also entry={output.entry:q} "
        "--settings {params.settings:q} --code {params.code} kinematics={input.kinematics:q} "
        "inverse_dynamics={input.inverse_dynamics:q} cycles={input.cycles:q} summary={input.summary:q} "
        "{params.full_body} > {log} 2>&1"


ENTRIES = expand("data/results/{trial}/entry.json", trial=study.names("walk"))
STATICS = expand(stage("raw"), trial=study.names("static"))
PREDICTED = [f"data/results/predictions/{name}.h5" for name in study.predictions]
TABLES = ["config/trials.tsv", "config/subjects.tsv", "config/config.yaml"]
STUDY = PYTHON + " pipeline.steps.study {rule} --home {params.home:q} --results data/results --output {output:q} "


SUBJECTS = sorted({study.trials[name].subject for name in study.names("walk")})
TIDY = [f"data/results/study_{table}.{kind}" for table in ("curves", "scalars") for kind in ("parquet", "csv")]


def walks_of(subject):
    """Names of a subject's walks."""
    return [name for name in study.names("walk") if study.trials[name].subject == subject]


rule subject:
    input:
        cycles=lambda wildcards: expand(stage("cycles"), trial=walks_of(wildcards.subject)),
        summaries=lambda wildcards: expand(stage("summary"), trial=walks_of(wildcards.subject)),
        entries=lambda wildcards: expand("data/results/{trial}/entry.json", trial=walks_of(wildcards.subject)),
        norm=[str(study.norm)] if study.norm else [],
        tables=TABLES,
        templates=TEMPLATES,
    output:
        page="reports/subject.{subject}.html",
        summary="data/results/subject.{subject}.h5",
    wildcard_constraints:
        subject="[A-Za-z0-9][A-Za-z0-9_-]*",
    log:
        "logs/subjects/{subject}.log",
    benchmark:
        "logs/subjects/{subject}.tsv"
    params:
        home=workflow.basedir,
        code=code_of("study"),
    shell:
        STUDY + "--subject {wildcards.subject} --code {params.code} > {log} 2>&1"


rule tables:
    input:
        cycles=expand(stage("cycles"), trial=study.names("walk")),
        summaries=expand(stage("summary"), trial=study.names("walk")),
        full_bodies=expand(FULL_BODY, trial=study.names("walk")),
        tables=TABLES,
    output:
        TIDY,
    log:
        "logs/tables.log",
    benchmark:
        "logs/tables.tsv"
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
        tables=TABLES + (["config/predictions.tsv"] if study.predictions else []),
        templates=TEMPLATES,
    output:
        "reports/index.html",
    log:
        "logs/page.log",
    benchmark:
        "logs/page.tsv"
    params:
        home=workflow.basedir,
        code=code_of("study"),
    shell:
        STUDY + "> {log} 2>&1"


rule verdict:
    input:
        pages=["reports/index.html", "reports/report.js", *expand("reports/subject.{subject}.html", subject=SUBJECTS)],
        tables=TIDY,
        full_bodies=expand("reports/full_body.{trial}.html", trial=study.names("walk")) if WITH_FULL_BODY else [],
        trials=expand("data/results/{trial}.h5", trial=study.names("walk")),
        predictions=expand("reports/prediction_{prediction}.html", prediction=study.predictions),
    output:
        "data/results/verdict.txt",
    log:
        "logs/verdict.log",
    benchmark:
        "logs/verdict.tsv"
    params:
        home=workflow.basedir,
        code=code_of("study"),
    shell:
        STUDY + "2>&1 | tee {log} >&2"


rule script:
    input:
        workflow.basedir + "/reports/templates/report.js",
    output:
        "reports/report.js",
    log:
        "logs/script.log",
    shell:
        "cp {input:q} {output:q} 2> {log}"
