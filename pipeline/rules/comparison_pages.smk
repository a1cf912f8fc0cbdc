# Pages and reports of groups of walks of one subject against each other, such as two visits.

rule comparison_pages:
    input:
        read("comparison_pages"),
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
        files=files("comparison_pages", SHARED_TEMPLATES),
        job=job("comparison_pages"),
        code=code_of("comparison_pages"),
        extras=str(extra_versions()),
    shell:
        RUN_STAGES
