# The walks of a session on the 55-DOF skeleton: scaled by the static trial, fitted to the markers, with the plates'
# loads; their loads estimated from motion, and the muscle forces that produce their joint moments.

rule whole_body:
    input:
        read("whole_body"),
    output:
        made("whole_body"),
    log:
        "logs/{subject}/{session}/whole_body.log",
    group:
        "session"
    priority: 1
    threads:
        workers
    resources:
        mem_mb=memory(900),
        runtime=minutes(8),
    params:
        files=files("whole_body"),
        job=job("whole_body"),
        code=code_of("whole_body"),
    shell:
        RUN_STAGES
