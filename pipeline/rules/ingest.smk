# The recordings of a session.


def recordings(wildcards):
    """Digests of the files of a session's recordings: times do not decide whether they are read again."""
    return str(recording_digests(study, session_of(wildcards)))


def marker_sets(wildcards):
    """Digest of the marker sets of a session's trials, and of those that they extend."""
    trials = study.sessions[session_of(wildcards)]
    return contents(sorted({str(path) for trial in trials for path in study.marker_set_files(trial).values()}))


rule ingest:
    output:
        made("ingest"),
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
        recordings=recordings,
        files=marker_sets,
        code=code_of("ingest"),
    shell:
        RUN_STAGES
