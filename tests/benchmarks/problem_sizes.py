"""Numbers of variables and constraint rows of the presets for the thesis' task, by the types of thesis section 5.2.

    python -m tests.benchmarks.problem_sizes

Prints the table of docs/theory/prediction.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pipeline.prediction import GaitProblem, GaitTask
from pipeline.skeleton import load_skeleton
from tests.walks import SKELETON

TYPES = {
    "(1) joint limits": ("joint limits",),
    "(2) torque limits": ("torque limits",),
    "(3) and (9) contact points at planned positions, at rest": (" position", " velocity"),
    "(3) other contact points above the ground": (" above ground",),
    "(4) zero-moment point in the support polygon": ("zero-moment point in support polygon",),
    "vertical reaction and friction cone of each foot": ("vertical ground reaction", " friction cone"),
    "(5) arms with legs": (" arm with right leg", " arm with left leg"),
    "(6) wrists and hips": (" wrist to hip, squared",),
    "(8) flexion of the swinging knee": (" knee flexion in swing",),
}
"""Ends of the names of a type's constraints; (7), symmetry, is eliminated with the control points."""

OTHER = "ranges of pelvis, knee and ankle, toe clearance, legs apart, hands clear of the trunk"


def table() -> Iterator[str]:
    """Lines of the table."""
    problems = [GaitProblem.make(load_skeleton(SKELETON), GaitTask(1.2, 0.6), name) for name in ("thesis", "human")]
    nodes = [len(walk.problem.transcription.nodes) for walk in problems]
    yield f"| | `thesis`, {nodes[0]} nodes | `human`, {nodes[1]} nodes |"
    yield "|---|---|---|"
    counts = []
    for walk in problems:
        bounds = walk.problem.bounds
        rows = Counter(bounds.names[i] for i in bounds.constraint)
        counts.append(Counter({kind: sum(rows[name] for name in rows if name.endswith(TYPES[kind])) for kind in TYPES}))
        counts[-1][OTHER] = sum(rows.values()) - counts[-1].total()
    for kind in (*TYPES, OTHER):
        yield f"| {kind} | {counts[0][kind]} | {counts[1][kind]} |"
    yield f"| all rows | {counts[0].total()} | {counts[1].total()} |"
    yield f"| variables | {problems[0].problem.n_variables} | {problems[1].problem.n_variables} |"


if __name__ == "__main__":
    print(*table(), sep="\n")
