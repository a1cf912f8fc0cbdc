# The worked systems of the texts behind the dynamics, on request: snakemake examples
rule examples:
    input:
        skeleton=str(study.skeleton),
    output:
        "reports/examples/index.html",
    log:
        "logs/examples.log",
    resources:
        mem_mb=1500,
        runtime=30,
    params:
        code=code_digest(["pipeline.examples.__main__"]),
    shell:
        python("pipeline.examples --out reports/examples --skeleton {input.skeleton:q} > {log} 2>&1")
