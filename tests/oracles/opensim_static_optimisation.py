"""OpenSim's inverse dynamics, static optimisation and joint reactions of its subject's walk; needs `opensim`.

They run in a separate process, so that a crash of that library does not end the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.oracles.opensim_model import read_storage

START, END = 0.6, 1.6
"""s; the results are compared over 0.65 to 1.5 s, away from the ends of the filter."""


@dataclass(frozen=True)
class OpenSimResults:
    """Columns by name: moments, muscle and reserve forces, reactions; and the seconds of the static optimisation."""

    moments: dict[str, np.ndarray]
    forces: dict[str, np.ndarray]
    reactions: dict[str, np.ndarray]
    seconds: float


def run(model_file: Path, trial: Path, out: Path) -> OpenSimResults:
    """Rigid tendons, no passive force, squares of activations and reserves (of 1 Nm, pelvis 1000)."""
    words = [str(path) for path in (model_file, trial, out)]
    paths = [str(Path(__file__).resolve().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    subprocess.run(  # in the folder of the results, because it writes a log where it starts
        [sys.executable, "-m", "tests.oracles.opensim_static_optimisation", *words],
        cwd=out, env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)}, check=True,
    )  # fmt: skip
    return OpenSimResults(
        read_storage(out / "moments.sto"),
        read_storage(out / "run_StaticOptimization_force.sto"),
        read_storage(next(out.glob("*ReactionLoads*"))),
        float((out / "seconds.txt").read_text()),
    )


def main(model_file: Path, trial: Path, out: Path) -> None:
    """Write the results into a folder."""
    import opensim

    opensim.Logger.setLevelString("Error")
    walk, loads = str(trial / "subject01_walk1_ik.mot"), str(trial / "subject01_walk1_grf.xml")
    inverse = opensim.InverseDynamicsTool()
    plain = opensim.Model(str(model_file))  # kept: the tool does not own it
    inverse.setModel(plain)
    inverse.setCoordinatesFileName(walk)
    inverse.setLowpassCutoffFrequency(6)
    inverse.setStartTime(START - 0.1)
    inverse.setEndTime(END)
    inverse.setExternalLoadsFileName(loads)
    inverse.setResultsDir(str(out))
    inverse.setOutputGenForceFileName("moments.sto")
    excluded = opensim.ArrayStr()
    excluded.append("Muscles")
    inverse.setExcludedForces(excluded)
    assert inverse.run()

    model = opensim.Model(str(model_file))
    coordinates = model.getCoordinateSet()
    for coordinate in (coordinates.get(i) for i in range(coordinates.getSize())):
        reserve = opensim.CoordinateActuator(coordinate.getName())
        reserve.setName(f"{coordinate.getName()}_reserve")
        reserve.setOptimalForce(1000 if "pelvis" in coordinate.getName() else 1)
        reserve.setMinControl(-np.inf)
        reserve.setMaxControl(np.inf)
        model.addForce(reserve)
    model.finalizeConnections()
    model.printToXML(str(out / "model.osim"))

    optimisation = opensim.StaticOptimization()
    optimisation.setUseMusclePhysiology(True)
    optimisation.setActivationExponent(2)
    optimisation.setConvergenceCriterion(1e-5)
    optimisation.setMaxIterations(300)
    begin = time.perf_counter()
    _analyse(opensim, optimisation, walk, loads, out)
    (out / "seconds.txt").write_text(str(time.perf_counter() - begin))
    reaction = opensim.JointReaction()
    reaction.setForcesFileName(str(out / "run_StaticOptimization_force.sto"))
    for setter, word in (
        (reaction.setJointNames, "ALL"),
        (reaction.setOnBody, "child"),
        (reaction.setInFrame, "ground"),
    ):
        words = opensim.ArrayStr()
        words.append(word)
        setter(words)
    _analyse(opensim, reaction, walk, loads, out)


def _analyse(opensim, analysis, walk: str, loads: str, out: Path) -> None:
    """Run one analysis over the walk, by the tool's own file, which is how it loads its model and inputs."""
    tool = opensim.AnalyzeTool()
    tool.setName("run")
    tool.setModelFilename(str(out / "model.osim"))
    tool.setInitialTime(START)
    tool.setFinalTime(END)
    tool.setCoordinatesFileName(walk)
    tool.setLowpassCutoffFrequency(6)
    tool.setExternalLoadsFileName(loads)
    tool.setResultsDir(str(out))
    tool.setLoadModelAndInput(True)
    analysis.setStartTime(START)
    analysis.setEndTime(END)
    tool.getAnalysisSet().cloneAndAppend(analysis)
    setup = out / "setup.xml"
    tool.printToXML(str(setup))
    assert opensim.AnalyzeTool(str(setup)).run()


if __name__ == "__main__":
    main(*(Path(word) for word in sys.argv[1:]))
