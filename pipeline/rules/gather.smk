# One file for each walk, with its stages side by side; the recording comes without its analog signals.
rule gather:
    input:
        raw=stage("raw"),
        kinematics=stage("kinematics"),
        inverse_dynamics=stage("inverse_dynamics"),
        cycles=stage("cycles"),
        summary=stage("summary"),
        whole_body=WHOLE_BODY,
    output:
        "data/results/{trial}.h5",
    log:
        "logs/{trial}/gather.log",
    params:
        whole_body=WHOLE_BODY_ARGUMENT,
        settings=settings_json(leave_out=["analog_time"]),
        code=code_of("gather"),
    shell:
        STEP + "raw={input.raw:q} kinematics={input.kinematics:q} "
        "inverse_dynamics={input.inverse_dynamics:q} cycles={input.cycles:q} "
        "summary={input.summary:q} {params.whole_body} > {log} 2>&1"
