# What a session's walks go through between their recordings and their pages: joint loads, gait cycles and averages; the
# 55-DOF skeleton, scaled by the static trial and fitted to the markers, with loads estimated from motion and muscle
# forces; the uncertainty of the curves, if config.yaml requests it; and groups of walks against each other.

ANALYSES = {
    "kinematics": (600, 3),
    "inverse_dynamics": (600, 1),
    "cycles": (600, 4),
    "whole_body": (900, 8),
    "uncertainty": (900, 15),
    "compare_walks": (800, 2),
}
"""Memory of a process in MB and time of a trial in seconds, by rule."""

USE_EXTRAS = ("cycles", "compare_walks")
"""Rules with results that depend on packages of the extras."""


for analysis, (megabytes, seconds) in ANALYSES.items():

    rule:
        name:
            analysis
        input:
            read(analysis),
        output:
            made(analysis),
        log:
            f"logs/{{subject}}/{{session}}/{analysis}.log",
        group:
            "session"
        priority: 1
        threads:
            workers
        resources:
            mem_mb=memory(megabytes),
            runtime=minutes(seconds),
        params:
            files=files(analysis),
            job=job(analysis),
            code=code_of(analysis),
            extras=str(extra_versions()) if analysis in USE_EXTRAS else "",
        shell:
            RUN_STAGES
