# The walk on the 55-joint skeleton: sized by the static trial, fitted to the markers, driven by the plates; and its page.
# What needs no skeleton does not wait for a trial on which it fails: its reason is in its file.

WITH_FULL_BODY = study.configuration.full_body.enabled
FULL_BODY = [stage("full_body")] if WITH_FULL_BODY else []
FULL_BODY_ARGUMENT = f"full_body={stage('full_body')}" if WITH_FULL_BODY else ""


rule full_body:
    input:
        walk=stage("raw"),
        static=lambda wildcards: stage("raw", study.static_of(wildcards.trial)),
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
        marker_set=lambda wildcards: str(study.marker_set_of(wildcards.trial)),
        attachments=lambda wildcards: attachments_of(wildcards.trial),
        skeleton=str(study.skeleton),
    output:
        stage("full_body"),
    log:
        "logs/{trial}/full_body.log",
    params:
        attachments=lambda wildcards: " ".join(
            shlex.quote(f"attachments={path}") for path in attachments_of(wildcards.trial)
        ),
        settings=lambda wildcards: settings_json(
            subject=study.subject_of(wildcards.trial),
            filter=study.configuration.filter,
            full_body=study.configuration.full_body,
        ),
        code=code_of("full_body"),
    shell:
        STEP + "walk={input.walk:q} static={input.static:q} kinematics={input.kinematics:q} "
        "inverse_dynamics={input.inverse_dynamics:q} marker_set={input.marker_set:q} "
        "{params.attachments} skeleton={input.skeleton:q} > {log} 2>&1"


def attachments_of(trial):
    """The file of marker attachments of a trial's marker set; none if the set has none."""
    path = study.attachments_of(trial)
    return [str(path)] if path else []


rule full_body_report:
    input:
        full_body=stage("full_body"),
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
        cycles=stage("cycles"),
        templates=TEMPLATES,
    output:
        "reports/full_body.{trial}.html",
    log:
        "logs/{trial}/full_body_report.log",
    params:
        settings=lambda wildcards: settings_json(
            trial=wildcards.trial,
            configuration=study.configuration,
        ),
        code=code_of("full_body_report"),
    shell:
        STEP + "full_body={input.full_body:q} kinematics={input.kinematics:q} "
        "inverse_dynamics={input.inverse_dynamics:q} cycles={input.cycles:q} > {log} 2>&1"
