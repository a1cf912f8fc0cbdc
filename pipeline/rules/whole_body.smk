# The walks of a session on the 55-DOF skeleton: scaled by the static trial, fitted to the markers, driven by the plates.

WITH_WHOLE_BODY = study.configuration.whole_body.enabled
WHOLE_BODY = [folder("whole_body")] if WITH_WHOLE_BODY else []


def skeletons(session):
    trials = {
        walk.trial: {
            "inputs": {
                "static": file_in(session, "raw", study.static_of(walk).trial),
                "marker_set": str(study.marker_set_of(walk)),
                **{"attachments": path for path in existing(study.attachments_of(walk))},
            },
        }
        for walk in study.walks_of(session)
    }
    inputs = {
        "walk": file_in(session, "raw"),
        "skeleton": str(study.skeleton),
        **files_in(session, "kinematics", "inverse_dynamics"),
    }
    settings = {
        "subject": study.subjects[session.subject],
        "filter": study.configuration.filter,
        "whole_body": study.configuration.whole_body,
    }
    output = file_in(session, "whole_body")
    return stages_json(stage("whole_body", session, output, trials, inputs=inputs, settings=settings))


rule whole_body:
    input:
        folder("raw"),
        folder("kinematics"),
        folder("inverse_dynamics"),
        lambda wildcards: sorted({str(study.marker_set_of(walk)) for walk in study.walks_of(session_of(wildcards))}),
        lambda wildcards: sorted(
            {path for walk in study.walks_of(session_of(wildcards)) for path in existing(study.attachments_of(walk))}
        ),
        skeleton=str(study.skeleton),
    output:
        directory(folder("whole_body")),
    log:
        "logs/{subject}/{session}/whole_body.log",
    group:
        "session"
    params:
        job=lambda wildcards: skeletons(session_of(wildcards)),
        code=code_of("whole_body"),
    shell:
        RUN_STAGES
