# The walks of a session from their recordings to joint loads, gait cycles and averages.

def motions(session):
    trials = {
        walk.trial: {
            "inputs": {
                "static": file_in(session, "raw", study.static_of(walk).trial),
                "marker_set": str(study.marker_set_of(walk)),
            },
            "settings": {"feet": walk.feet},
        }
        for walk in study.walks_of(session)
    }
    settings = {
        "subject": study.subjects[session.subject],
        "anatomy": study.configuration.anatomy,
        "filter": study.configuration.filter,
        "events": study.configuration.events,
    }
    inputs = {"walk": file_in(session, "raw")}
    output = file_in(session, "kinematics")
    return stages_json(stage("kinematics", session, output, trials, inputs=inputs, settings=settings))


def marker_sets(wildcards):
    """Files of the marker sets of a session's walks."""
    return sorted({str(study.marker_set_of(walk)) for walk in study.walks_of(session_of(wildcards))})


def loads(session):
    trials = {walk.trial: {} for walk in study.walks_of(session)}
    inputs = files_in(session, "kinematics")
    return stages_json(stage("inverse_dynamics", session, file_in(session, "inverse_dynamics"), trials, inputs=inputs))


def averages(session):
    """The curves of each walk's cycles, their averages, what is implausible, and the averages of each condition."""
    trials = {walk.trial: {} for walk in study.walks_of(session)}
    norm = {"norm": str(study.norm)} if study.norm else {}
    both = files_in(session, "kinematics", "inverse_dynamics")
    recordings = {
        walk.trial: {
            "inputs": {
                "static": file_in(session, "raw", study.static_of(walk).trial),
                "marker_set": str(study.marker_set_of(walk)),
            },
        }
        for walk in study.walks_of(session)
    }
    conditions = {
        average_name(condition): {
            "settings": {
                name: [file_in(session, name, walk.trial) for walk in walks]
                for name in ("cycles", "summary", "plausibility")
            },
        }
        for condition, walks in study.conditions_of(session).items()
    }
    return stages_json(
        stage(
            "cycles",
            session,
            file_in(session, "cycles"),
            trials,
            inputs=both,
            settings={"loads": study.configuration.loads},
        ),
        stage("summary", session, file_in(session, "summary"), trials, inputs=both | files_in(session, "cycles") | norm),
        stage(
            "plausibility",
            session,
            file_in(session, "plausibility"),
            recordings,
            inputs=both | files_in(session, "summary") | {"walk": file_in(session, "raw")},
        ),
        stage(
            "average",
            session,
            file_in(session, "average"),
            conditions,
            inputs=norm,
            settings={"subject": session.subject},
        ),
    )


rule kinematics:
    input:
        folder("raw"),
        marker_sets,
    output:
        directory(folder("kinematics")),
    log:
        "logs/{subject}/{session}/kinematics.log",
    group:
        "session"
    params:
        job=lambda wildcards: motions(session_of(wildcards)),
        code=code_of("kinematics"),
    shell:
        RUN_STAGES


rule inverse_dynamics:
    input:
        folder("kinematics"),
    output:
        directory(folder("inverse_dynamics")),
    log:
        "logs/{subject}/{session}/inverse_dynamics.log",
    group:
        "session"
    params:
        job=lambda wildcards: loads(session_of(wildcards)),
        code=code_of("inverse_dynamics"),
    shell:
        RUN_STAGES


rule cycles:
    input:
        folder("raw"),
        marker_sets,
        folder("kinematics"),
        folder("inverse_dynamics"),
        existing(study.norm),
    output:
        directory(folder("cycles")),
        directory(folder("summary")),
        directory(folder("plausibility")),
        directory(folder("average")),
    log:
        "logs/{subject}/{session}/cycles.log",
    group:
        "session"
    params:
        job=lambda wildcards: averages(session_of(wildcards)),
        code=code_of("cycles", "summary", "plausibility", "average"),
        extras=str(extra_versions()),
    shell:
        RUN_STAGES
