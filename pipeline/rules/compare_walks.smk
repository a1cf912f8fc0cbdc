# Groups of walks of one subject against each other, such as two visits, with their pages and reports.

rule compare_walks:
    input:
        read("compare_walks"),
    output:
        made("compare_walks"),
    log:
        "logs/{subject}/{session}/compare_walks.log",
    group:
        "session"
    priority: 1
    resources:
        mem_mb=800,
        runtime=minutes(2),
    params:
        files=files("compare_walks"),
        job=job("compare_walks"),
        code=code_of("compare_walks"),
        extras=str(extra_versions()),
    shell:
        RUN_STAGES


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
