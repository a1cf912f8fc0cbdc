# A walk's averages beside the norm.


rule summary:
    input:
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
        cycles=stage("cycles"),
        norm=[str(study.norm)] if study.norm else [],
    output:
        stage("summary"),
    log:
        "logs/{trial}/summary.log",
    params:
        settings="{}",
        norm=shlex.quote(f"norm={study.norm}") if study.norm else "",
        code=code_of("summary"),
    shell:
        STEP + "kinematics={input.kinematics:q} inverse_dynamics={input.inverse_dynamics:q} cycles={input.cycles:q} "
        "{params.norm} > {log} 2>&1"
