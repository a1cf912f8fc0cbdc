# Groups of walks of one subject against each other, such as two visits; and their pages and reports.

rule compare_walks:
    input:
        lambda wildcards: folders(
            "cycles", "plausibility", "average", sessions=compared_sessions(session_of(wildcards))
        ),
    output:
        directory(folder("walks_compared")),
    log:
        "logs/{subject}/{session}/compare_walks.log",
    group:
        "session"
    priority: 1
    resources:
        mem_mb=800,
        runtime=minutes(2),
    params:
        files=lambda wildcards: contents(
            path for own in compared_sessions(session_of(wildcards)) for path in norms_of(own)
        ),
        job=job("compare_walks"),
        code=code_of("compare_walks"),
        extras=str(extra_versions()),
    shell:
        RUN_STAGES


rule comparison_pages:
    input:
        folder("walks_compared"),
        lambda wildcards: folders(
            *("cycles", "plausibility", "average", "emg"),
            *(["whole_body"] if WITH_WHOLE_BODY else []),
            sessions=compared_sessions(session_of(wildcards)),
        ),
    output:
        report(
            directory("reports/{subject}/{session}/comparisons"),
            patterns=["{name}.html"],
            category="Comparisons",
            subcategory="{subject}, session {session}",
            labels={"page": "{name}"},
        ),
    log:
        "logs/{subject}/{session}/comparison_pages.log",
    group:
        "session"
    resources:
        mem_mb=800,
        runtime=minutes(6),
    params:
        files=lambda wildcards: [SHARED_TEMPLATES, contents(read_by_reports(wildcards))],
        job=job("comparison_pages"),
        code=code_of("comparison_pages"),
        extras=str(extra_versions()),
    shell:
        RUN_STAGES
