# The walk on the 55-joint skeleton: sized by the static trial, fitted to the markers, driven by the plates.


def attachments_of(trial):
    """File that says where a trial's markers sit on the skeleton: named like its marker set."""
    return str(Path(workflow.basedir, "config/marker_attachments", Path(study.marker_set_of(trial)).name))


rule full_body:
    input:
        walk=stage("raw"),
        static=lambda wildcards: stage("raw", study.static_of(wildcards.trial)),
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
        marker_set=lambda wildcards: str(study.marker_set_of(wildcards.trial)),
        attachments=lambda wildcards: attachments_of(wildcards.trial),
        skeleton=str(Path(workflow.basedir, "config/skeleton.yaml")),
    output:
        stage("full_body"),
    log:
        "logs/{trial}/full_body.log",
    benchmark:
        "logs/{trial}/full_body.tsv"
    params:
        settings=lambda wildcards: settings_json(
            subject=study.subject_of(wildcards.trial),
            filter=study.configuration.filter,
        ),
        code=code_of("full_body"),
    shell:
        STEP + "walk={input.walk:q} static={input.static:q} kinematics={input.kinematics:q} "
        "inverse_dynamics={input.inverse_dynamics:q} marker_set={input.marker_set:q} "
        "attachments={input.attachments:q} skeleton={input.skeleton:q} > {log} 2>&1"
