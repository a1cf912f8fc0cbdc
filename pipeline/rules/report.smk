# A page for each walk; the study's page; and the verdict, which fails if a trial failed, so that snakemake does.


rule report:
    input:
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
        cycles=stage("cycles"),
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
        code=code_of("report"),
    shell:
        PYTHON + " pipeline.steps report --trial {wildcards.trial} --output {output.page:q} --also entry={output.entry:q} "
        "--settings {params.settings:q} --code {params.code} kinematics={input.kinematics:q} "
        "inverse_dynamics={input.inverse_dynamics:q} cycles={input.cycles:q} > {log} 2>&1"


ENTRIES = expand("data/results/{trial}/entry.json", trial=study.names("walk"))
STATICS = expand(stage("raw"), trial=study.names("static"))
PREDICTED = [f"data/results/predictions/{name}.h5" for name in study.predictions]
TABLES = ["config/trials.tsv", "config/subjects.tsv", "config/config.yaml"]
STUDY = PYTHON + " pipeline.steps.study {rule} --home {params.home:q} --results data/results --output {output:q} "


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
        page="reports/index.html",
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
