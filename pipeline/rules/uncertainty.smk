# Uncertainty of the curves of a session's walks, if config.yaml requests it.

rule uncertainty:
    input:
        read("uncertainty"),
    output:
        made("uncertainty"),
    log:
        "logs/{subject}/{session}/uncertainty.log",
    group:
        "session"
    priority: 1
    threads:
        workers
    resources:
        mem_mb=memory(900),
        runtime=minutes(15),
    params:
        files=files("uncertainty"),
        job=job("uncertainty"),
        code=code_of("uncertainty"),
    shell:
        RUN_STAGES
