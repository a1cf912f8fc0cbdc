# A walk's averages beside the norm.


rule summary:
    input:
        kinematics=stage("kinematics"),
        cycles=stage("cycles"),
        norm=[str(study.norm)] if study.norm else [],
    output:
        stage("summary"),
    log:
        "logs/{trial}/summary.log",
    benchmark:
        "logs/{trial}/summary.tsv"
    params:
        settings="{}",
        norm=shlex.quote(f"norm={study.norm}") if study.norm else "",
        code=code_of("summary"),
    shell:
        STEP + "kinematics={input.kinematics:q} cycles={input.cycles:q} {params.norm} > {log} 2>&1"
