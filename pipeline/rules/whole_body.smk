# The walk on the 55-joint skeleton: sized by the static trial, fitted to the markers, driven by the plates; and its page.
# What needs no skeleton does not wait for a trial on which it fails: its reason is in its file.

WITH_WHOLE_BODY = study.configuration.whole_body.enabled
WHOLE_BODY = [stage("whole_body")] if WITH_WHOLE_BODY else []
WHOLE_BODY_ARGUMENT = f"whole_body={stage('whole_body')}" if WITH_WHOLE_BODY else ""


rule whole_body:
    input:
        walk=stage("raw"),
        static=lambda wildcards: stage("raw", study.static_of(wildcards.trial)),
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
        marker_set=lambda wildcards: str(study.marker_set_of(wildcards.trial)),
        attachments=lambda wildcards: attachments_of(wildcards.trial),
        skeleton=str(study.skeleton),
    output:
        stage("whole_body"),
    log:
        "logs/{trial}/whole_body.log",
    params:
        attachments=lambda wildcards: " ".join(
            shlex.quote(f"attachments={path}") for path in attachments_of(wildcards.trial)
        ),
        settings=lambda wildcards: settings_json(
            subject=study.subject_of(wildcards.trial),
            filter=study.configuration.filter,
            whole_body=study.configuration.whole_body,
        ),
        code=code_of("whole_body"),
    shell:
        STEP + "walk={input.walk:q} static={input.static:q} kinematics={input.kinematics:q} "
        "inverse_dynamics={input.inverse_dynamics:q} marker_set={input.marker_set:q} "
        "{params.attachments} skeleton={input.skeleton:q} > {log} 2>&1"


def attachments_of(trial):
    """The file of marker attachments of a trial's marker set; none if the set has none."""
    path = study.attachments_of(trial)
    return [str(path)] if path else []


rule whole_body_report:
    input:
        whole_body=stage("whole_body"),
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
        cycles=stage("cycles"),
        templates=TEMPLATES,
    output:
        "reports/whole_body.{trial}.html",
    log:
        "logs/{trial}/whole_body_report.log",
    params:
        settings=lambda wildcards: settings_json(
            trial=wildcards.trial,
            configuration=study.configuration,
        ),
        code=code_of("whole_body_report"),
    shell:
        STEP + "whole_body={input.whole_body:q} kinematics={input.kinematics:q} "
        "inverse_dynamics={input.inverse_dynamics:q} cycles={input.cycles:q} > {log} 2>&1"
