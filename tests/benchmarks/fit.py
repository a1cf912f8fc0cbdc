"""Inverse kinematics and dynamics of a measured walk, here and in OpenSim, on the same body and the same markers.

    python -m tests.benchmarks.fit SHARED_TRIALS [--opensim PYTHON]

The person's skeleton is written as an OpenSim model (pin and slider joints, the same masses and marker positions), and
both programs get the same unfiltered markers and ground reactions. PYTHON is an interpreter that has `opensim`; without
it only this side is timed. Times are those of the second run here; the times of OpenSim's tools include reading their
small files. After that the whole stage runs as in the workflow, on a minute of walking on a treadmill.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def prepare(trials: Path, folder: Path) -> None:
    """Time the pipeline, print the result, and write body, markers and loads to ``folder`` for OpenSim."""
    sys.path.insert(0, str(ROOT))
    from pipeline.acquisition import read_trial
    from pipeline.anatomy import load_marker_set
    from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject
    from pipeline.dynamics import rnea
    from pipeline.inverse_kinematics import calibrate_static, fit_markers, static_positions
    from pipeline.kinematics import kinematics
    from pipeline.skeleton import load_skeleton
    from pipeline.whole_body.ground import filtered_ground_reactions

    walk, static = (read_trial(trials / "zoo_HC038A" / name) for name in ("HC038A11.c3d", "HC038A01.c3d"))
    marker_set = load_marker_set(ROOT / "config/marker_sets/plug_in_gait.yaml")
    filter, subject = FilterSettings(), Subject.from_si("subject", "f", {})
    motion = kinematics(walk, static, marker_set, subject, AnatomySettings(), filter, EventSettings())
    values = motion.calibration.values
    generic = load_skeleton(ROOT / "config/skeleton.yaml", mass=values["mass"], height=values["height"], sex="female")
    definition = marker_set.skeleton
    model = calibrate_static(
        generic, definition, static_positions(static, marker_set, definition, motion)[0], values["height"]
    )
    fitted = fit_markers(
        walk, motion, definition, model, motion.low_pass.markers, filter.max_gap, 0.0
    )  # part of scaling: not timed
    model, ground = fitted.model, filtered_ground_reactions(walk, motion, motion.low_pass, fitted.valid).wrenches
    for _ in range(2):
        start = time.perf_counter()
        marked = fit_markers(
            walk, motion, definition, model, motion.low_pass.markers, filter.max_gap, 0.0, calibrate=False
        )
        frames = time.perf_counter()
        fit = marked.smooth()
        spline = time.perf_counter()
        rnea(model.skeleton, fit.q, fit.qd, fit.qdd, wrenches=ground)
        end = time.perf_counter()
    count = len(walk.time)
    print(f"{count} frames, {len(marked.marker_names)} markers, {len(model.skeleton)} coordinates")
    report("here, frame by frame", frames - start, count, marked.frame_fit.distance)
    report("here, smooth motion", spline - frames, count, fit.distance)
    report("here, dynamics", end - spline, count, None)
    report("here, frames and dynamics", frames - start + end - spline, count, marked.frame_fit.distance)
    report("here, all", end - start, count, fit.distance)
    s = model.skeleton
    np.savez(
        folder / "body.npz",
        **{
            name: getattr(s, name)
            for name in ("parent", "theta", "d", "a", "alpha", "origin", "mass", "com", "inertia")
        },
        kind=np.array(s.kind),
        names=np.array(s.joint_names),
        lower=s.q_lower,
        upper=s.q_upper,
        marker_names=np.array(marked.marker_names),
        marker_joint=marked.model_markers.joint,
        marker_point=marked.model_markers.point,
        markers=marked.markers_G,
        q=marked.frame_fit.q,
        time=walk.time,
        here=end - start,
        **{f"{name}_{part}": getattr(load, part) for name, load in ground.items() for part in ("force_G", "moment_G")},
    )


def long_trial(folder: Path) -> None:
    """Processor time and peak memory of the whole stage, as in the workflow, on 60 s at 200 Hz."""
    from pipeline.acquisition import read_trial
    from pipeline.anatomy import load_marker_set
    from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject
    from pipeline.kinematics import kinematics
    from pipeline.provenance import Provenance
    from pipeline.results import read_stage, write_stage
    from pipeline.stages import inverse_dynamics
    from pipeline.trial import WholeBody
    from tests.benchmarks.treadmill import treadmill

    walk, static = treadmill(60.0, 200.0), read_trial(ROOT / "data/demo/static.c3d")
    files = {
        "marker_set": ROOT / "config/marker_sets/plug_in_gait.yaml",
        "skeleton": ROOT / "config/skeleton.yaml",
    }
    sections = FilterSettings(), EventSettings()
    motion = kinematics(
        walk,
        static,
        load_marker_set(files["marker_set"]),
        Subject(subject="demo", sex="f"),
        AnatomySettings(),
        *sections,
    )
    loads = inverse_dynamics.run(motion)
    for name, stage in (("walk", walk), ("static", static), ("kinematics", motion), ("inverse_dynamics", loads)):
        files[name] = folder / f"{name}.h5"
        write_stage(files[name], stage, Provenance(name, {}, "{}", "", {}))
    output = folder / "whole_body.h5"
    settings = {"subject": {"subject": "demo", "sex": "f"}, "filter": {}, "whole_body": {}}
    command = [sys.executable, "-c", STAGE, walk.name, str(output), json.dumps(settings)]
    command += [f"{name}={path}" for name, path in files.items()]
    # A process counts the memory of the one that it was forked from as its own: fork it from a small one.
    printed = subprocess.run([sys.executable, "-c", RUNNER, *command], cwd=ROOT, check=True, capture_output=True).stdout
    seconds, memory = (float(value) for value in printed.split()[-2:])
    found = read_stage(output, WholeBody)
    assert found.residual_reduced is not None
    report("here, 60 s: the whole step", seconds, len(found.time), found.kinematic.marker_error)
    print(f"largest memory of the step {memory * 1024 / 1e6:.0f} MB, the libraries' own included", flush=True)


STAGE = """
import sys
from pathlib import Path
from pipeline.workflow.framework import Request, execute
trial, output, settings, *files = sys.argv[1:]
inputs = {name: Path(path) for name, path in (file.split("=", 1) for file in files)}
assert execute(Request("whole_body", trial, inputs, Path(output), settings=settings)) is None
"""

RUNNER = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def report(what: str, seconds: float, frames: int, distance: np.ndarray | None) -> None:
    """Print a line."""
    error = "" if distance is None else f"   markers {1000 * np.sqrt(np.nanmean(distance**2)):6.2f} mm RMS"
    print(f"{what:28}{seconds:9.3f} s {1000 * seconds / frames:9.3f} ms a frame{error}", flush=True)


def opensim_side(folder: Path) -> None:
    """Build the same body in OpenSim, solve its inverse kinematics and dynamics, and print times and marker error."""
    import opensim as osim

    osim.Logger.setLevelString("error")
    body = np.load(folder / "body.npz")
    model, links = osim.Model(), []
    model.setName("skeleton")
    for j, name in enumerate(body["names"].tolist()):
        mass, J = float(max(body["mass"][j], 1e-6)), body["inertia"][j] + 1e-9 * np.eye(3)
        inertia = osim.Inertia(J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
        link = osim.Body(f"{name}_link", mass, osim.Vec3(*body["com"][j].tolist()), inertia)
        parent = model.getGround() if body["parent"][j] < 0 else links[body["parent"][j]]
        revolute = body["kind"][j] == "R"
        theta, d, a, alpha = (float(body[part][j]) for part in ("theta", "d", "a", "alpha"))
        before = body["origin"][j] @ (dh(theta, 0, 0, 0) if revolute else dh(theta, d, 0, 0))
        after = np.linalg.inv(dh(0, d, a, alpha) if revolute else dh(0, 0, a, alpha))
        if not revolute:  # a slider moves along x
            turn = np.eye(4)
            turn[:3, :3] = [[0, 0, -1], [0, 1, 0], [1, 0, 0]]
            before, after = before @ turn, after @ turn
        kind = osim.PinJoint if revolute else osim.SliderJoint
        joint = kind(f"{name}_joint", parent, *place(osim, before), link, *place(osim, after))
        coordinate = joint.updCoordinate()
        coordinate.setName(name)
        if np.isfinite(body["lower"][j]):
            coordinate.setRangeMin(float(body["lower"][j]))
            coordinate.setRangeMax(float(body["upper"][j]))
            coordinate.setDefaultClamped(True)
        else:
            coordinate.setRangeMin(-100.0)
            coordinate.setRangeMax(100.0)
        coordinate.setDefaultValue(float(body["q"][0, j]))
        model.addBody(link)
        model.addJoint(joint)
        links.append(link)
    for name, j, point in zip(body["marker_names"].tolist(), body["marker_joint"], body["marker_point"], strict=False):
        marker = osim.Marker(name, links[j], osim.Vec3(*point.tolist()))
        model.addMarker(marker)
    model.finalizeConnections()
    model.printToXML(str(folder / "body.osim"))
    write_files(body, folder)

    count, labels = len(body["time"]), body["marker_names"].tolist()
    tool = osim.InverseKinematicsTool()
    tool.set_model_file(str(folder / "body.osim"))
    tool.setMarkerDataFileName(str(folder / "walk.trc"))
    tool.setStartTime(0.0)
    tool.setEndTime(float(body["time"][-1]))
    tool.setOutputMotionFileName(str(folder / "ik.mot"))
    tool.setResultsDir(str(folder))
    tool.set_report_errors(True)
    for label in labels:
        task = osim.IKMarkerTask()
        task.setName(label)
        task.setWeight(1.0)
        tool.getIKTaskSet().cloneAndAppend(task)
    tool.printToXML(str(folder / "ik.xml"))
    tool = osim.InverseKinematicsTool(str(folder / "ik.xml"))  # a tool that was not read from a file crashes
    start = time.perf_counter()
    tool.run()
    middle = time.perf_counter()
    inverse = osim.InverseDynamicsTool()
    inverse.setModelFileName(str(folder / "body.osim"))
    inverse.setCoordinatesFileName(str(folder / "ik.mot"))
    inverse.setLowpassCutoffFrequency(6.0)
    inverse.setExternalLoadsFileName(str(folder / "loads.xml"))
    inverse.setStartTime(0.0)
    inverse.setEndTime(float(body["time"][-1]))
    inverse.setResultsDir(str(folder))
    inverse.setOutputGenForceFileName("id.sto")
    inverse.printToXML(str(folder / "id.xml"))
    inverse = osim.InverseDynamicsTool(str(folder / "id.xml"))
    inverse.run()
    end = time.perf_counter()
    errors = np.loadtxt(next(folder.glob("*ik_marker_errors.sto")), skiprows=header(folder))
    rms = errors[:, 2]
    print(
        f"{'OpenSim ' + osim.GetVersion()[:5] + ', kinematics':28}{middle - start:9.3f} s "
        f"{1000 * (middle - start) / count:9.3f} ms a frame   markers {1000 * np.sqrt(np.mean(rms**2)):6.2f} mm RMS"
    )
    print(f"{'OpenSim, dynamics':28}{end - middle:9.3f} s {1000 * (end - middle) / count:9.3f} ms a frame")
    ratio = (end - start) / float(body["here"])
    print(
        f"{'OpenSim, all':28}{end - start:9.3f} s {1000 * (end - start) / count:9.3f} ms a frame: "
        f"{ratio:.1f} times ours, with {len(labels)} markers"
    )


def header(folder: Path) -> int:
    """Lines of the marker errors' header, with the names."""
    lines = next(folder.glob("*ik_marker_errors.sto")).read_text().splitlines()
    return lines.index("endheader") + 2


def dh(theta: float, d: float, a: float, alpha: float) -> np.ndarray:
    """Rz(theta) Tz(d) Tx(a) Rx(alpha)."""
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array([[ct, -ca * st, sa * st, a * ct], [st, ca * ct, -sa * ct, a * st], [0, sa, ca, d], [0, 0, 0, 1]])


def place(osim, T: np.ndarray) -> tuple:
    """Translation and body-fixed X-Y-Z angles of a transform."""
    R = T[:3, :3]
    y = np.arcsin(np.clip(R[0, 2], -1, 1))
    if abs(R[0, 2]) < 1 - 1e-12:
        x, z = np.arctan2(-R[1, 2], R[2, 2]), np.arctan2(-R[0, 1], R[0, 0])
    else:
        x, z = np.arctan2(R[2, 1], R[1, 1]), 0.0
    return osim.Vec3(*T[:3, 3].tolist()), osim.Vec3(float(x), float(y), float(z))


def write_files(body, folder: Path) -> None:
    """Markers (TRC, mm) and ground reactions (MOT and XML) as OpenSim reads them."""
    labels, t, markers = body["marker_names"].tolist(), body["time"], body["markers"]
    rate = 1.0 / (t[1] - t[0])
    axes = "\t".join(f"X{k + 1}\tY{k + 1}\tZ{k + 1}" for k in range(len(labels)))
    lines = [
        "PathFileType\t4\t(X/Y/Z)\twalk.trc",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"{rate:g}\t{rate:g}\t{len(t)}\t{len(labels)}\tmm\t{rate:g}\t1\t{len(t)}",
        "Frame#\tTime\t" + "\t\t\t".join(labels) + "\t\t",
        "\t\t" + axes,
        "",
    ]
    rows = 1000 * markers.reshape(len(t), -1)
    lines += [f"{k + 1}\t{t[k]:.5f}\t" + "\t".join(f"{x:.6f}" for x in row) for k, row in enumerate(rows)]
    (folder / "walk.trc").write_text("\n".join(lines) + "\n")
    names, columns, forces = ["time"], [t[:, None]], []
    for side in ("left", "right"):
        zero = np.zeros((len(t), 3))
        for part, values in (("v", body[f"{side}_foot_force_G"]), ("p", zero), ("m", body[f"{side}_foot_moment_G"])):
            names += [f"{side}_{part}{axis}" for axis in "xyz"]
            columns.append(values)
        link = f"{side}_ankle_inversion_link"
        forces.append(
            f'<ExternalForce name="{side}"><applied_to_body>{link}</applied_to_body>'
            "<force_expressed_in_body>ground</force_expressed_in_body>"
            "<point_expressed_in_body>ground</point_expressed_in_body>"
            f"<force_identifier>{side}_v</force_identifier><point_identifier>{side}_p</point_identifier>"
            f"<torque_identifier>{side}_m</torque_identifier></ExternalForce>"
        )
    data = np.hstack(columns)
    head = f"loads\nversion=1\nnRows={len(t)}\nnColumns={data.shape[1]}\ninDegrees=no\nendheader\n"
    text = "\n".join("\t".join(f"{x:.8f}" for x in row) for row in data)
    (folder / "loads.mot").write_text(head + "\t".join(names) + "\n" + text + "\n")
    (folder / "loads.xml").write_text(
        '<?xml version="1.0"?><OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects>'
        + "".join(forces)
        + f"</objects><datafile>{folder / 'loads.mot'}</datafile></ExternalLoads></OpenSimDocument>"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trials", type=Path, nargs="?", default=ROOT.parent / "shared" / "trials")
    parser.add_argument("--opensim", metavar="PYTHON", help="interpreter that has opensim")
    parser.add_argument("--side", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.side:
        opensim_side(arguments.side)
    else:
        with tempfile.TemporaryDirectory() as name:
            prepare(arguments.trials, Path(name))
            long_trial(Path(name))
            if arguments.opensim:
                command = [arguments.opensim, "-X", "faulthandler", str(Path(__file__).resolve()), "--side", name]
                subprocess.run(command, check=True, cwd=name)
            else:
                print("OpenSim not timed: give an interpreter that has it by --opensim")
