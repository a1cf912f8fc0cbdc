"""Joint torques from exported files by OpenSim's own solver and tool; run by a Python that has ``opensim``.

    python opensim_dynamics.py FOLDER

FOLDER has walk.osim, walk.mot, walk_grf.xml with its table, walk.trc, walk.sto, motion.npz (time, names, q, qd, qdd in
the frames of the ground reactions), and walk_residual_reduced.osim and .mot; solver.npz, tool.sto and
tool_residual_reduced.sto are written next to them.
"""

from __future__ import annotations

import os
import sys

import numpy as np
import opensim


def solver_torques(motion) -> np.ndarray:
    """Generalised forces (T, n) by InverseDynamicsSolver in the order of the names, at the given states."""
    model = opensim.Model("walk.osim")
    loads = opensim.ExternalLoads("walk_grf.xml", True)
    model.addModelComponent(loads)
    state = model.initSystem()
    coordinates = model.getCoordinateSet()
    names = list(motion["names"])
    tree = [coordinate.getName() for coordinate in model.getComponentsList() if _is_coordinate(coordinate)]
    order = {name: k for k, name in enumerate(_tree_order(model, state, tree))}
    solver = opensim.InverseDynamicsSolver(model)
    torques = np.empty(motion["q"].shape)
    for t, time in enumerate(motion["time"]):
        state.setTime(float(time))
        acceleration = opensim.Vector(len(names), 0.0)
        for j, name in enumerate(names):
            coordinate = coordinates.get(name)
            coordinate.setValue(state, float(motion["q"][t, j]), False)
            coordinate.setSpeedValue(state, float(motion["qd"][t, j]))
            acceleration.set(order[name], float(motion["qdd"][t, j]))
        found = solver.solve(state, acceleration)
        torques[t] = [found.get(order[name]) for name in names]
    return torques


def _is_coordinate(component) -> bool:
    return component.getConcreteClassName() == "Coordinate"


def _tree_order(model, state, names) -> list[str]:
    """Coordinates in the order of the speeds in the state, found by moving each alone."""
    found = {}
    for name in names:
        coordinate = model.getCoordinateSet().get(name)
        coordinate.setSpeedValue(state, 1.0)
        speeds = state.getU()
        found[next(k for k in range(speeds.size()) if speeds.get(k) == 1.0)] = name
        coordinate.setSpeedValue(state, 0.0)
    return [found[k] for k in sorted(found)]


def run_tool(motion: str, start: float, stop: float) -> None:
    """Run InverseDynamicsTool from the files of a motion alone, without its filter."""
    tool = opensim.InverseDynamicsTool()
    tool.setModelFileName(f"walk{motion}.osim")
    tool.setCoordinatesFileName(f"walk{motion}.mot")
    tool.setExternalLoadsFileName("walk_grf.xml")
    tool.setLowpassCutoffFrequency(-1.0)
    tool.setStartTime(start)
    tool.setEndTime(stop)
    tool.setResultsDir(".")
    tool.setOutputGenForceFileName(f"tool{motion}.sto")
    if not tool.run():
        raise SystemExit("InverseDynamicsTool failed")


def main(folder: str) -> None:
    os.chdir(folder)
    opensim.Logger.setLevelString("Error")
    motion = np.load("motion.npz")
    markers = opensim.TimeSeriesTableVec3("walk.trc")
    moments = opensim.TimeSeriesTable("walk.sto")
    model = opensim.Model("walk.osim")
    model.initSystem()
    np.savez(
        "solver.npz",
        tau=solver_torques(motion),
        markers=[markers.getNumRows(), markers.getNumColumns()],
        moments=[moments.getNumRows(), moments.getNumColumns()],
        model=[model.getNumBodies(), model.getCoordinateSet().getSize(), model.getMarkerSet().getSize()],
        mass=model.getTotalMass(model.initSystem()),
    )
    for name in ("", "_residual_reduced"):
        run_tool(name, float(motion["time"][0]), float(motion["time"][-1]))


if __name__ == "__main__":
    main(sys.argv[1])
