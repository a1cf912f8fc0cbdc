# Predicted walks: a job for each sweep of one subject with one preset and form; each prediction's comparison with a
# measured walk and its page; and all comparisons in one table and on one page.

def predicted(prediction="{prediction}"):
    """File of a predicted walk."""
    return f"data/results/predictions/{prediction}.h5"


def compared(prediction="{prediction}"):
    """File of a predicted walk's comparison with a measured one."""
    return f"data/results/predictions/{prediction}.comparison.h5"


def names_beside(prediction):
    """The walk that the prediction names, or all walks of its subject."""
    row = study.predictions[prediction]
    return [row.trial] if row.trial else study.walks_of(row.subject)


def walks_beside(prediction):
    """Their cycles."""
    return [stage("cycles", walk) for walk in names_beside(prediction)]


def motions_beside(prediction):
    """The same walks in space."""
    return [stage("kinematics", walk) for walk in names_beside(prediction)]


def stages_of(rows):
    """Stages of the measured walks that rows of predictions name, by the names that the step knows."""
    walks = dict.fromkeys(row.trial for row in rows if row.trial)
    return {f"{name}/{walk}": stage(name, walk) for walk in walks for name in ("cycles", "whole_body")}


for sweep, rows in study.sweeps().items():
    names = [row.prediction for row in rows]
    standing = list(filter(None, [study.standing_of(rows[0])]))

    rule:
        name:
            f"predict_{sweep}"
        input:
            skeleton=str(study.skeleton),
            static=[stage("raw", name) for name in standing],
            marker_set=[str(study.marker_set_of(name)) for name in standing],
            measured=list(stages_of(rows).values()),
        output:
            [predicted(name) for name in names],
        log:
            f"logs/predictions/{sweep}.log",
        params:
            static=" ".join(shlex.quote(f"static={stage('raw', name)}") for name in standing),
            marker_set=" ".join(shlex.quote(f"marker_set={study.marker_set_of(name)}") for name in standing),
            measured=" ".join(shlex.quote(f"{name}={path}") for name, path in stages_of(rows).items()),
            settings=settings_json(
                subject=study.subjects[rows[0].subject],
                anatomy=study.configuration.anatomy,
                predictions=rows,
            ),
            code=code_digest(["pipeline.stages.predict"]),
        shell:
            PYTHON + " pipeline.stages.predict --settings {params.settings:q} --code {params.code} "
            "--results data/results/predictions "
            "skeleton={input.skeleton:q} {params.static} {params.marker_set} {params.measured} 2>&1 | tee {log} >&2"


rule prediction_comparison:
    input:
        prediction=predicted(),
        walks=lambda wildcards: walks_beside(wildcards.prediction),
    output:
        compared(),
    log:
        "logs/predictions/{prediction}_comparison.log",
    params:
        settings=lambda wildcards: settings_json(walks=walks_beside(wildcards.prediction)),
        code=code_of("prediction_comparison"),
    shell:
        PYTHON + " pipeline.stages prediction_comparison --trial {wildcards.prediction} --output {output:q} "
        "--settings {params.settings:q} --code {params.code} prediction={input.prediction:q} > {log} 2>&1"


rule prediction_report:
    input:
        prediction=predicted(),
        comparison=compared(),
        motions=lambda wildcards: motions_beside(wildcards.prediction),
        templates=TEMPLATES,
    output:
        "reports/prediction_{prediction}.html",
    log:
        "logs/predictions/{prediction}_report.log",
    params:
        settings=lambda wildcards: settings_json(
            asked=study.predictions[wildcards.prediction],
            motions=motions_beside(wildcards.prediction),
            configuration=study.configuration,
        ),
        code=code_of("prediction_report"),
    shell:
        PYTHON + " pipeline.stages prediction_report --trial {wildcards.prediction} --output {output:q} "
        "--settings {params.settings:q} --code {params.code} "
        "prediction={input.prediction:q} comparison={input.comparison:q} > {log} 2>&1"


rule predicted_vs_measured:
    input:
        predictions=[predicted(name) for name in study.predictions],
        comparisons=[compared(name) for name in study.predictions],
        tables=["config/config.yaml", "config/trials.tsv", "config/subjects.tsv"],
        listed=["config/predictions.tsv"] if Path("config/predictions.tsv").exists() else [],
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
