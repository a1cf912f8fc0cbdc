# The last file of each trial tells whether it failed. This rule fails if one did, so that snakemake does.
LAST = {trial: f"data/results/{trial}.h5" for trial in study.trials}


rule verdict:
    input:
        list(LAST.values()),
    output:
        "data/results/verdict.txt",
    log:
        "logs/verdict.log",
    benchmark:
        "logs/verdict.tsv"
    params:
        files=[f"{trial}={file}" for trial, file in LAST.items()],
        code=code_of("verdict"),
    shell:
        PYTHON + " pipeline.steps.verdict --output {output} {params.files:q} 2>&1 | tee {log} >&2"
