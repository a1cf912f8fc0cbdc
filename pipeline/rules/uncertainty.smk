# Uncertainty of the curves of a session's walks, where config.yaml asks for it.

WITH_UNCERTAINTY = study.configuration.uncertainty.enabled


rule uncertainty:
    input:
        folder("raw"),
        folder("kinematics"),
        folder("inverse_dynamics"),
        folder("cycles"),
    output:
        directory(folder("uncertainty")),
    log:
        "logs/{subject}/{session}/uncertainty.log",
    group:
        "session"
    priority: 1
    resources:
        mem_mb=900,
        runtime=minutes(15),
    params:
        files=marker_sets,
        job=job("uncertainty"),
        code=code_of("uncertainty"),
    shell:
        RUN_STAGES
