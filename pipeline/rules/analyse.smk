# The walks of a session from their recordings to joint loads, gait cycles and averages.

rule kinematics:
    input:
        read("kinematics"),
    output:
        made("kinematics"),
    log:
        "logs/{subject}/{session}/kinematics.log",
    group:
        "session"
    priority: 1
    threads:
        workers
    resources:
        mem_mb=memory(600),
        runtime=minutes(3),
    params:
        files=files("kinematics"),
        job=job("kinematics"),
        code=code_of("kinematics"),
    shell:
        RUN_STAGES


rule inverse_dynamics:
    input:
        read("inverse_dynamics"),
    output:
        made("inverse_dynamics"),
    log:
        "logs/{subject}/{session}/inverse_dynamics.log",
    group:
        "session"
    priority: 1
    threads:
        workers
    resources:
        mem_mb=memory(600),
        runtime=minutes(1),
    params:
        job=job("inverse_dynamics"),
        code=code_of("inverse_dynamics"),
    shell:
        RUN_STAGES


rule cycles:
    input:
        read("cycles"),
    output:
        made("cycles"),
    log:
        "logs/{subject}/{session}/cycles.log",
    group:
        "session"
    priority: 1
    threads:
        workers
    resources:
        mem_mb=memory(600),
        runtime=minutes(4),
    params:
        files=files("cycles"),
        job=job("cycles"),
        code=code_of("cycles"),
        extras=str(extra_versions()),
    shell:
        RUN_STAGES
