"""Speed and step of least cost per metre of predicted walks, and the rate of their objective against people's energy.

    python -m tests.benchmarks.least_cost [--preset human]

Walks are those of two bodies at the norm's steps (Schwartz et al. 2008) at ten speeds, and at free speed with six step
lengths. The cost is the objective plus the cost of standing (`pipeline.prediction.gait.least_cost`).
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

import numpy as np

from pipeline.prediction import GaitPrediction, GaitTask, make_walker, predict_gait
from pipeline.prediction.gait.least_cost import cost_per_metre, net_metabolic_rate, standing_cost
from pipeline.skeleton import load_skeleton, merge_frozen
from tests.benchmarks.prediction_agreement import SPEEDS, norm_step
from tests.benchmarks.what_if import BODIES
from tests.walks import SKELETON

AT = (0.8, 0.95, 1.05, 1.15, 1.25, 1.35, 1.45, 1.55, 1.65, 1.75)
STEPS = (0.8, 0.85, 0.9, 0.95, 1.0, 1.05)
"""Speeds, m/s, and steps over the usual one."""

FLAT = 0.02
"""Of the least cost: walks of neighbouring speeds end 0.1 to 0.3 % above a smooth curve of their costs, which is so
flat that three of them place its least by their scatter."""

PROPORTIONAL = 0.95
"""m/s, from which the objective's rate is compared with people's."""


def least_of(costs: Mapping[float, float]) -> float:
    """Where a least-squares parabola through the least of at least three costs, its neighbours and all within `FLAT` is
    least, also beyond them."""
    x, y = np.array(sorted(costs)), np.array([costs[at] for at in sorted(costs)])
    k = int(np.clip(np.argmin(y), 1, len(x) - 2))
    near = y < (1.0 + FLAT) * y.min()
    near[k - 1 : k + 2] = True
    square, slope, _ = np.polyfit(x[near], y[near], 2)
    return float(-slope / (2.0 * square)) if square > 0.0 else float(x[np.argmin(y)])


def rate(walk: GaitPrediction) -> float:
    """Objective per second."""
    return cost_per_metre(walk) * walk.task.speed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="human")
    preset = parser.parse_args().preset
    for name, values in BODIES.items():
        body = load_skeleton(SKELETON, **values)
        leg = make_walker(merge_frozen(body)).leg_length
        unit = np.sqrt(9.81 * leg)
        walks = {v: predict_gait(body, GaitTask(v, norm_step(v / unit) * leg), preset) for v in AT}
        speed, step = SPEEDS["free"][0] * unit, SPEEDS["free"][1] * leg
        steps = {one: predict_gait(body, GaitTask(speed, one * step), preset) for one in STEPS}
        standing = standing_cost(steps[1.0])
        share = standing / (standing + rate(walks[1.25]))
        ratio = {v: rate(walk) / net_metabolic_rate(v, leg) for v, walk in walks.items()}
        usual = float(np.exp(np.mean([np.log(one) for v, one in ratio.items() if v >= PROPORTIONAL])))
        away = {v: one / usual - 1.0 for v, one in ratio.items()}
        from_there = max(abs(one) for v, one in away.items() if v >= PROPORTIONAL)
        net, gross = ({v: cost_per_metre(walk, more) for v, walk in walks.items()} for more in (0.0, standing))
        flat = [v for v, cost in gross.items() if cost < 1.01 * min(gross.values())]
        least_step = least_of({one: cost_per_metre(walk, standing) for one, walk in steps.items()})
        print(
            f"{name}: rate proportional to people's within {100 * from_there:.0f} %, {100 * away[AT[0]]:+.0f} % at "
            f"{AT[0]} m/s; least cost at {least_of(net):.2f} m/s without standing, which is {100 * share:.0f} % of all "
            f"at 1.25 m/s, and at {least_of(gross):.2f} m/s with it (within 1 % from {flat[0]} to {flat[-1]}); step of "
            f"least cost {least_step:.3f} of the usual",
            flush=True,
        )


if __name__ == "__main__":
    main()
