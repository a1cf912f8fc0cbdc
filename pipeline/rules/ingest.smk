rule ingest:
    input:
        c3d=lambda wildcards: str(study.file_of(wildcards.trial)),
    output:
        stage("raw"),
    log:
        "logs/{trial}/ingest.log",
    params:
        settings=lambda wildcards: settings_json(name=wildcards.trial, axes=study.axes_of(wildcards.trial)),
        code=code_of("ingest"),
    shell:
        STEP + "c3d={input.c3d:q} > {log} 2>&1"
