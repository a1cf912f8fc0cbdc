"""From the problem of the thesis as printed to the preset `human`, one change at a time, against a norm.

    python -m tests.benchmarks.thesis_ladder

Prints the table of docs/theory/prediction.md: the walk at the thesis' own task, 1.2 m/s with steps of 0.6 m, of the
subject of the skeleton's file, compared with the norm at the same dimensionless speed (Schwartz et al. 2008).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, curve_agreement, predicted_cycle
from pipeline.prediction import GaitPrediction, Preset, find_preset, predict_gait, predicted_walk
from pipeline.prediction.gait import human_terms
from pipeline.prediction.gait.constraints import THESIS, ContactTolerances
from pipeline.prediction.gait.walking_ranges import ankle_in_swing, ankle_in_terminal_stance
from pipeline.results import load_norm
from tests.benchmarks.prediction_agreement import NORM, norm_means, norm_request

SPEED, STEP_LENGTH = 1.2, 0.6
CURVES = {
    "hip": "hip_flexion",
    "knee": "knee_flexion",
    "ankle": "ankle_dorsiflexion",
    "hip moment": "hip_extensor_moment",
    "knee moment": "knee_extensor_moment",
    "ankle power": "ankle_power",
    "vertical force": "ground_vertical",
    "fore-aft force": "ground_fore_aft",
}

LITERAL = Preset(
    name="literal",
    degree=3,
    n_intervals=3,
    ends="clamped",
    n_nodes=31,
    tolerances=ContactTolerances(position=0.003, velocity=0.1),
    virtual_pivot=False,
    heel_pad=0.0,
    constraints=THESIS,
    objectives=find_preset("thesis").objectives,
    first_stages=("nearest", "any"),
)
"""Six control points a coordinate, ends joined in position and velocity alone, and contact points that are at rest
within 0.1 m/s: at the thesis' tolerance of 1e-3 these splines have an effort of 1.5."""


def ladder() -> list[tuple[str, Preset]]:
    """Presets, each with one more change than the previous one."""
    thesis, human = find_preset("thesis"), find_preset("human")
    by_phase = (ankle_in_swing, ankle_in_terminal_stance)
    terms = human_terms.effort, human_terms.unloaded_ankle, human_terms.torque_rates, human_terms.joint_accelerations
    steps: list[tuple[str, dict]] = [
        ("as printed", {}),
        ("contact points at rest within 1 cm/s", {"tolerances": thesis.tolerances}),
        (
            "accelerations joined, eight intervals",
            {"ends": "wrapped", "n_intervals": 8, "grading": 0.2, "n_nodes": thesis.n_nodes},
        ),
        ("pelvis as people turn it", {"constraints": (*THESIS, human_terms.pelvis_orientation)}),
        (
            "ankle, knee and toe within people's ranges",
            {"constraints": [c for c in thesis.constraints if c not in by_phase]},
        ),
        ("the ankle's ranges in swing and terminal stance (`thesis`)", {"constraints": thesis.constraints}),
        ("factors of hip, knee, ankle in effort; ankle near neutral in swing", {"objectives": terms[:2]}),
        ("rates of torques penalised", {"objectives": terms[:3]}),
        ("accelerations penalised", {"objectives": terms}),
        ("all other objectives of `human`", {"objectives": human.objectives}),
        ("its constraints", {"constraints": human.constraints, "tolerances": human.tolerances}),
        ("virtual pivot", {"virtual_pivot": True}),
        ("heel pads", {"heel_pad": human.heel_pad}),
        ("twelve intervals (`human`)", {"n_intervals": human.n_intervals, "n_nodes": human.n_nodes}),
    ]
    out, preset = [], LITERAL
    for label, change in steps:
        preset = replace(preset, **change)
        out.append((label, preset))
    return out


def solve(preset: Preset) -> GaitPrediction:
    """The walk of a preset at the thesis' task."""
    _, body, task, _ = norm_request("free", SPEED, STEP_LENGTH)
    return predict_gait(body.skeleton, task, preset)


def cells(found: GaitPrediction) -> list[str]:
    """Agreement with the norm, and features that people do not show."""
    row, body, task, leg = norm_request("free", SPEED, STEP_LENGTH)
    cycle = predicted_cycle(predicted_walk(row, body, "", found))
    out = []
    for variable, mean in norm_means(load_norm(NORM), CURVES.values(), task, leg).items():
        own = curve_agreement(PERCENT, CYCLE_VARIABLES[variable].of(cycle), mean)
        degrees = CYCLE_VARIABLES[variable].quantity == "angles"
        out.append(f"{own.rmse:.1f}, {own.r:.2f}" if degrees else f"{own.r:.2f}")
    power = np.nanmax(CYCLE_VARIABLES["ankle_power"].of(cycle))
    return [*out, f"{power:.1f}", f"{100 * found.dense.slip:.1f}", f"{found.dense.ground_work_absolute:.3f}"]


def table(steps: list[tuple[str, Preset]] | None = None) -> Iterator[str]:
    """Lines of the table."""
    heads = [f"{name}, ° and r" if name in ("hip", "knee", "ankle") else f"r of {name}" for name in CURVES]
    heads += ["peak ankle power, W/kg", "slip times load, cm/s", "absolute work of the ground, J/kg"]
    yield f"| | {' | '.join(heads)} |"
    yield "|---|" + "---|" * len(heads)
    for label, preset in steps or ladder():
        yield f"| {label} | {' | '.join(cells(solve(preset)))} |"


if __name__ == "__main__":
    for line in table():
        print(line, flush=True)
