# Groups of walks of one subject against each other, such as two visits, with a page each.

rule compare_walks:
    input:
        lambda wildcards: compared_folders(session_of(wildcards)),
        templates=TEMPLATES,
    output:
        directory(folder("walks_compared")),
        report(
            directory("reports/{subject}/{session}/comparisons"),
            patterns=["{name}.html"],
            category="Comparisons",
            subcategory="{subject}, session {session}",
            labels={"page": "{name}"},
        ),
    log:
        "logs/{subject}/{session}/compare_walks.log",
    group:
        "session"
    priority: 1
    resources:
        mem_mb=800,
        runtime=minutes(2),
    params:
        job=job("compare_walks"),
        code=code_of("compare_walks"),
        extras=str(extra_versions()),
    shell:
        RUN_STAGES
