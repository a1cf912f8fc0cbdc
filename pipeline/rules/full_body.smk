# The walk on the 55-joint skeleton: sized by the static trial, fitted to the markers, driven by the plates.
# On request: snakemake full_bodies


rule full_bodies:
    input:
        expand(stage("full_body"), trial=study.names("walk")),


rule full_body:
    input:
        walk=stage("raw"),
        static=lambda wildcards: stage("raw", study.static_of(wildcards.trial)),
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
        marker_set=lambda wildcards: str(study.marker_set_of(wildcards.trial)),
        attachments=lambda wildcards: str(study.attachments_of(wildcards.trial)),
        skeleton=str(study.skeleton),
    output:
        stage("full_body"),
    log:
        "logs/{trial}/full_body.log",
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
