# The worked systems of the texts behind the dynamics, on request: snakemake examples
rule examples:
    output:
        "reports/examples/index.html",
    log:
        "logs/examples.log",
    resources:
        mem_mb=1500,
        runtime=30,
    params:
        skeleton=str(study.skeleton),
        files=contents([study.skeleton]),
        code=code_of_modules("pipeline.examples.__main__"),
    shell:
        python("pipeline.examples --out reports/examples --skeleton {params.skeleton:q} > {log} 2>&1")
