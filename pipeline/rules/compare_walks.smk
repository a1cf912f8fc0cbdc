# Groups of walks of one subject against each other, such as two visits, with a page each.

def compared_folders(session):
    """Folders of the sessions whose walks the comparisons of a session need."""
    rows = study.compared_sessions[session]
    sessions = {SessionKey(row.subject, group.session) for row in rows for group in (row.first, row.second)}
    norms = {path for own in sessions for path in existing(study.norm_of(own))}
    stages = ("cycles", "plausibility", "average")
    return [f"data/results/{own}/{name}" for own in sorted(sessions) for name in stages] + sorted(norms)


rule compare_walks:
    input:
        lambda wildcards: compared_folders(session_of(wildcards)),
        templates=TEMPLATES,
    output:
        directory(folder("walks_compared")),
        directory("reports/{subject}/{session}/comparisons"),
    log:
        "logs/{subject}/{session}/compare_walks.log",
    group:
        "session"
    params:
        job=job("compare_walks"),
        code=code_of("compare_walks"),
        extras=str(extra_versions()),
    shell:
        RUN_STAGES
