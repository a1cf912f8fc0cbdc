# A walk from its recordings to joint loads and gait cycles.


rule kinematics:
    input:
        walk=stage("raw"),
        static=lambda wildcards: stage("raw", study.static_of(wildcards.trial)),
        marker_set=lambda wildcards: str(study.marker_set_of(wildcards.trial)),
    output:
        stage("kinematics"),
    log:
        "logs/{trial}/kinematics.log",
    params:
        settings=lambda wildcards: settings_json(
            subject=study.subject_of(wildcards.trial),
            anatomy=study.configuration.anatomy,
            filter=study.configuration.filter,
            events=study.configuration.events,
            feet=study.trials[wildcards.trial].feet,
        ),
        code=code_of("kinematics"),
    shell:
        STEP + "walk={input.walk:q} static={input.static:q} marker_set={input.marker_set:q} > {log} 2>&1"


rule inverse_dynamics:
    input:
        kinematics=stage("kinematics"),
    output:
        stage("inverse_dynamics"),
    log:
        "logs/{trial}/inverse_dynamics.log",
    params:
        settings="{}",
        code=code_of("inverse_dynamics"),
    shell:
        STEP + "kinematics={input.kinematics:q} > {log} 2>&1"


rule cycles:
    input:
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
    output:
        stage("cycles"),
    log:
        "logs/{trial}/cycles.log",
    params:
        settings=settings_json(loads=study.configuration.loads),
        code=code_of("cycles"),
    shell:
        STEP + "kinematics={input.kinematics:q} inverse_dynamics={input.inverse_dynamics:q} > {log} 2>&1"
