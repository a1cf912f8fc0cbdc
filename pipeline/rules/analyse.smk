# The walks of a session from their recordings to joint loads, gait cycles and averages.

rule kinematics:
    input:
        folder("raw"),
    output:
        directory(folder("kinematics")),
    log:
        "logs/{subject}/{session}/kinematics.log",
    group:
        "session"
    priority: 1
    resources:
        mem_mb=600,
        runtime=minutes(3),
    params:
        files=marker_sets,
        job=job("kinematics"),
        code=code_of("kinematics"),
    shell:
        RUN_STAGES


rule inverse_dynamics:
    input:
        folder("kinematics"),
    output:
        directory(folder("inverse_dynamics")),
    log:
        "logs/{subject}/{session}/inverse_dynamics.log",
    group:
        "session"
    priority: 1
    resources:
        mem_mb=600,
        runtime=minutes(1),
    params:
        job=job("inverse_dynamics"),
        code=code_of("inverse_dynamics"),
    shell:
        RUN_STAGES


rule cycles:
    input:
        folder("raw"),
        folder("kinematics"),
        folder("inverse_dynamics"),
        [folder("ground_from_motion")] if study.configuration.loads.estimated_steps else [],
    output:
        directory(folder("cycles")),
        directory(folder("cutoff_peaks")),
        directory(folder("summary")),
        directory(folder("emg")),
        directory(folder("plausibility")),
        directory(folder("average")),
    log:
        "logs/{subject}/{session}/cycles.log",
    group:
        "session"
    priority: 1
    resources:
        mem_mb=600,
        runtime=minutes(4),
    params:
        files=lambda wildcards: [marker_sets(wildcards), contents(norms_of(session_of(wildcards)))],
        job=job("cycles"),
        code=code_of("cycles"),
        extras=str(extra_versions()),
    shell:
        RUN_STAGES
