# The recordings of a session.

def file_states(session):
    """Size and time of each recording's files: one that was replaced by an older one is another file."""
    states = [path.stat() for trial in study.sessions[session] for path in study.files_of(trial).values()]
    return [(state.st_size, state.st_mtime_ns) for state in states]


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
    params:
        job=job("ingest"),
        states=lambda wildcards: file_states(session_of(wildcards)),
        code=code_of("ingest"),
    shell:
        RUN_STAGES
