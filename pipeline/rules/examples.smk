# The worked systems of the texts behind the dynamics, on request: snakemake examples
rule examples:
    input:
        skeleton=str(study.skeleton),
    output:
        "reports/examples/index.html",
    log:
        "logs/examples.log",
    params:
        code=code_digest(["pipeline.examples.__main__"]),
    shell:
        PYTHON + " pipeline.examples --out reports/examples --skeleton {input.skeleton:q} > {log} 2>&1"
