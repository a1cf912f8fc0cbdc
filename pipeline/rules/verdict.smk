# The last file of each trial tells whether it failed. This rule fails if one did, so that snakemake does.
rule verdict:
    input:
        expand("data/results/{trial}.h5", trial=study.trials),
    output:
        "data/results/verdict.txt",
    log:
        "logs/verdict.log",
    benchmark:
        "logs/verdict.tsv"
    params:
        home=workflow.basedir,
        code=code_of("verdict"),
    shell:
        PYTHON + " pipeline.steps.verdict --home {params.home:q} --results data/results --output {output} 2>&1 | tee {log} >&2"
