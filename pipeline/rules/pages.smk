# The pages of a session: of its walks, of its predicted walks compared with measured ones, and of groups of walks of one
# subject against each other, such as two visits.

SECONDS_OF_PAGES = {"report": 7, "compare": 4, "comparison_pages": 6}
"""Time of a trial or prediction in seconds, by rule."""


for maker, kind in PAGES.items():

    rule:
        name:
            maker
        input:
            read(maker),
        output:
            report(
                directory(f"reports/{{subject}}/{{session}}/{kind}"),
                patterns=["{name}.html"],
                category=kind.capitalize(),
                subcategory="{subject}, session {session}",
                labels={"page": "{name}"},
            ),
            made(maker),
        log:
            f"logs/{{subject}}/{{session}}/{maker}.log",
        group:
            "session"
        threads:
            workers
        resources:
            mem_mb=memory(800),
            runtime=minutes(SECONDS_OF_PAGES[maker]),
        params:
            files=files(maker, SHARED_TEMPLATES),
            job=job(maker),
            code=code_of(maker),
            extras=str(extra_versions()) if maker != "compare" else "",
        shell:
            RUN_STAGES
