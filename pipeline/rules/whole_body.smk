# The walks of a session on the 55-DOF skeleton: scaled by the static trial, fitted to the markers, driven by the plates;
# its loads estimated from motion, and the muscle forces that give its joint moments.

WITH_WHOLE_BODY = study.configuration.whole_body.enabled
WITH_MUSCLES = WITH_WHOLE_BODY and study.configuration.muscles.enabled


rule whole_body:
    input:
        folder("raw"),
        folder("kinematics"),
        folder("inverse_dynamics"),
    output:
        directory(folder("whole_body")),
        directory(folder("ground_from_motion")),
        [directory(folder("muscles"))] if WITH_MUSCLES else [],
    log:
        "logs/{subject}/{session}/whole_body.log",
    group:
        "session"
    priority: 1
    resources:
        mem_mb=900,
        runtime=minutes(8),
    params:
        files=lambda wildcards: [marker_sets(wildcards), contents([study.skeleton, study.ground_from_motion])],
        job=job("whole_body"),
        code=code_of("whole_body"),
    shell:
        RUN_STAGES
