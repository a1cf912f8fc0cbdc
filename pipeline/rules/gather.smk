# One file for each trial, with its stages side by side; the recording comes without its analog signals.
rule gather:
    input:
        raw=stage("raw"),
    output:
        "data/results/{trial}.h5",
    log:
        "logs/{trial}/gather.log",
    benchmark:
        "logs/{trial}/gather.tsv"
    params:
        settings=settings_json(leave_out=["analog_time"]),
        code=code_of("gather"),
    shell:
        STEP + "raw={input.raw:q} > {log} 2>&1"
