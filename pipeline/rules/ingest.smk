# The recordings of a session.

rule ingest:
    input:
        marker_sets,
        lambda wildcards: [
            path for trial in study.sessions[session_of(wildcards)] for path in study.files_of(trial).values()
        ],
    output:
        directory(folder("raw")),
    log:
        "logs/{subject}/{session}/ingest.log",
    group:
        "session"
    priority: 1
    resources:
        mem_mb=600,
        runtime=minutes(1),
    params:
        job=job("ingest"),
        states=lambda wildcards: file_states(session_of(wildcards)),
        code=code_of("ingest"),
    shell:
        RUN_STAGES
