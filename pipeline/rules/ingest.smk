# The recordings of a session.

rule ingest:
    output:
        made("ingest"),
    log:
        "logs/{subject}/{session}/ingest.log",
    group:
        "session"
    priority: 1
    threads:
        workers
    resources:
        mem_mb=memory(600),
        runtime=minutes(1),
    params:
        job=job("ingest"),
        recordings=recordings,
        files=marker_sets,
        code=code_of("ingest"),
    shell:
        RUN_STAGES
