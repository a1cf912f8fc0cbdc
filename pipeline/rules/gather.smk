# One file for each walk, with its stages side by side; the recording comes without its analog signals.
rule gather:
    input:
        raw=stage("raw"),
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
        cycles=stage("cycles"),
        summary=stage("summary"),
        full_body=FULL_BODY,
    output:
        "data/results/{trial}.h5",
    log:
        "logs/{trial}/gather.log",
    params:
        full_body=FULL_BODY_ARGUMENT,
        settings=settings_json(leave_out=["analog_time"]),
        code=code_of("gather"),
    shell:
        STEP + "raw={input.raw:q} kinematics={input.kinematics:q} "
        "inverse_dynamics={input.inverse_dynamics:q} cycles={input.cycles:q} "
        "summary={input.summary:q} {params.full_body} > {log} 2>&1"
