# Predicted walks: a job for each sweep of one subject with one preset, and a page for each prediction.

def predicted(prediction="{prediction}"):
    """File of a predicted walk."""
    return f"data/results/predictions/{prediction}.h5"


def walks_beside(prediction):
    """Cycles of all walks of the prediction's subject."""
    return [stage("cycles", walk) for walk in study.walks_of(study.predictions[prediction].subject)]


def motions_beside(prediction):
    """The same walks in space."""
    return [stage("kinematics", walk) for walk in study.walks_of(study.predictions[prediction].subject)]


for sweep, rows in study.sweeps().items():
    names = [row.prediction for row in rows]
    standing = study.statics_of(rows[0].subject)[:1]

    rule:
        name:
            f"predict_{sweep}"
        input:
            skeleton=str(study.skeleton),
            static=[stage("raw", name) for name in standing],
            marker_set=[str(study.marker_set_of(name)) for name in standing],
        output:
            [predicted(name) for name in names],
        log:
            f"logs/predictions/{sweep}.log",
        params:
            static=" ".join(shlex.quote(f"static={stage('raw', name)}") for name in standing),
            marker_set=" ".join(shlex.quote(f"marker_set={study.marker_set_of(name)}") for name in standing),
            settings=settings_json(
                subject=study.subjects[rows[0].subject],
                anatomy=study.configuration.anatomy,
                predictions=rows,
            ),
            code=code_digest(["pipeline.steps.predict"]),
        shell:
            PYTHON + " pipeline.steps.predict --settings {params.settings:q} --code {params.code} "
            "--results data/results/predictions "
            "skeleton={input.skeleton:q} {params.static} {params.marker_set} 2>&1 | tee {log} >&2"


rule prediction_report:
    input:
        prediction=predicted(),
        walks=lambda wildcards: walks_beside(wildcards.prediction),
        motions=lambda wildcards: motions_beside(wildcards.prediction),
        templates=TEMPLATES,
    output:
        "reports/prediction_{prediction}.html",
    log:
        "logs/predictions/{prediction}_report.log",
    params:
        settings=lambda wildcards: settings_json(
            asked=study.predictions[wildcards.prediction],
            walks=walks_beside(wildcards.prediction),
            motions=motions_beside(wildcards.prediction),
            configuration=study.configuration,
        ),
        code=code_of("prediction_report"),
    shell:
        PYTHON + " pipeline.steps prediction_report --trial {wildcards.prediction} --output {output:q} "
        "--settings {params.settings:q} --code {params.code} "
        "prediction={input.prediction:q} > {log} 2>&1"
