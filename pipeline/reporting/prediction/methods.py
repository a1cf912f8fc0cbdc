"""The methods paragraph of a predicted walk, from its task and its solver's report."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.reporting.references import MOMENT_AXES, REFERENCES, Methods
from pipeline.trial import PredictedWalk


def prediction_methods(walk: PredictedWalk, axes: str) -> Methods:
    """The paragraph of one predicted walk; ``axes`` are those of the reported moments."""
    task, solver = walk.task, walk.solver
    sex = {"m": "male", "f": "female"}[task.sex]
    # the start is the name of another prediction, or words that begin with "the"
    named = solver.start and not solver.start.startswith("the ")
    started = f"the prediction {solver.start}" if named else solver.start or "the translating neutral pose"
    motion = "A stride of two free steps" if task.form == "stride" else "A symmetric step"
    motion = f"{motion} of a run" if task.flight else motion
    shared = task.flight or task.double_support
    phase = "flight" if task.flight else "double support"
    asked = f", to compare with the measured walk {task.walk}," if task.walk else ""
    sentences = (
        f"{motion} at {task.speed:.3g} m/s with steps of {task.step_length:.3f} m, "
        f"{100 * shared:.1f} % of each in {phase}{asked} was predicted by optimisation for a "
        f"skeleton of {len(walk.joint_names)} degrees of freedom scaled to {task.mass:.1f} kg, "
        f"{task.height:.3f} m, {sex}.",
        "Joint coordinates are B-splines; the ground reaction follows from the whole-body equations of motion by the "
        "two-step active-passive algorithm with the zero-moment point"
        f"{', and vanishes in flight' if task.flight else ', and is divided between the feet in double support'} "
        "(Xiang et al. 2009). No measured motion is used.",
        f"The preset {task.preset} minimises {_listed(list(solver.objectives))} under the constraints of the solver "
        "report.",
        f"The nonlinear program of {solver.variables} variables and {solver.constraints} constraint rows was started "
        f"from {started} and ended after {solver.iterations} iterations: {solver.ended}; largest violation "
        f"{solver.max_violation:.2g} of its tolerance at the nodes, relative Karush-Kuhn-Tucker residual "
        f"{solver.optimality:.1e}.",
        "The stride is one gait cycle."
        if task.form == "stride"
        else "The first step and its mirror image form the gait cycle.",
        "Angles are Cardan angles with the definitions, sequences and signs of the measured walks (Grood and Suntay "
        "1983); for them, the skeleton's pelvis, which is upright in standing, is tilted forward by the "
        f"{np.degrees(task.pelvic_tilt):.1f}\N{DEGREE SIGN} of the subject's pelvis in standing.",
        f"Moments are internal, of the proximal on the distal segment, about {MOMENT_AXES[axes]}, per body mass.",
    )
    return Methods(" ".join(sentences), tuple(REFERENCES[key] for key in ("grood", "xiang")))


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
