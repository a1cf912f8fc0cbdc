"""Peak contact force of the ankle over its peak moment, of every plate step of the reference walks.

    python -m tests.benchmarks.ankle_contact

No ankle has been measured by an implant, so that the estimate can only be compared between people: a force of F body
weights at a moment of M body weights times stature (Hof 1996, Gait Posture 4:222-223) has the ratio F / M, that of
stature to an Achilles tendon's moment arm, which scale alike from children to adults. The walks are those of
`tests.benchmarks.ground_from_motion`, the muscles' settings the defaults. A line for each step whose ratio is further
than 20 % from the median tells the arm with which the calf's force gives the moment there, beside the median arm: where
that is not shorter, other muscles press the joint too.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from pipeline.analysis import muscle_method
from pipeline.analysis.muscle_groups import contact_size, group_force
from pipeline.config import MuscleSettings
from pipeline.conventions import GRAVITY, Z
from pipeline.muscles import walk_muscles
from tests.benchmarks.ground_from_motion import STARTING, Measured, measured_walks

CALF = ("soleus", "gastrocnemius_medialis", "gastrocnemius_lateralis")
NEAR = 0.2
"""Of the median ratio."""


@dataclass(frozen=True)
class AnkleStep:
    """Peaks of one step: contact force in body weights, moment in Nm/kg; the moment over the calf's force then, m.

    With the person's stature, m.
    """

    walk: str
    person: str
    side: str
    force: float
    moment: float
    arm: float
    height: float

    @property
    def ratio(self) -> float:
        """Body weights for each body weight times stature."""
        return self.force / (self.moment / (GRAVITY * self.height))


def steps_of(walk: Measured) -> list[AnkleStep]:
    """By the default settings. Raises DynamicsError where no distribution is found."""
    loads = walk_muscles(walk.body, muscle_method(MuscleSettings()))
    found = []
    for stance in walk.steps.values():
        during = slice(stance.start, stance.stop)
        size = contact_size(loads, stance.side, "ankle")[during]
        moment = np.abs(walk.body.kinematic.joint_moments[f"{stance.side}_ankle"][during, Z]) / walk.body.mass
        if np.isfinite(size).any():
            calf = sum(group_force(loads, stance.side, name)[during] for name in CALF)
            at = int(np.nanargmax(np.where(np.isfinite(calf), moment, np.nan)))
            values = float(np.nanmax(size)), float(np.nanmax(moment)), float(moment[at] / (calf[at] * GRAVITY))
            person = f"{walk.walk.laboratory} {walk.walk.person}"
            found.append(AnkleStep(walk.walk.name, person, stance.side, *values, walk.body.height))
    return found


def main() -> None:
    """Print the spread, and the steps outside it."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    steps = [step for walk in measured_walks(STARTING) for step in steps_of(walk)]
    ratios = np.array([step.ratio for step in steps])
    relative = ratios / np.median(ratios)
    by_mass = ratios / [step.height for step in steps]
    by_mass /= np.median(by_mass)
    near = np.abs(relative - 1.0) <= NEAR
    forces = np.array([step.force for step in steps])
    print(f"{len(steps)} steps of {len({step.person for step in steps})} people")
    print(f"ankle contact, body weights: median {np.median(forces):.2f}, {forces.min():.2f} to {forces.max():.2f}")
    arms = 1000.0 * np.array([step.arm for step in steps])
    print(f"arm of the calf: median {np.median(arms):.0f} mm, {arms.min():.0f} to {arms.max():.0f} mm")
    print(f"over the moment: {relative.min():.2f} to {relative.max():.2f} of the median, {near.sum()} within 20 %")
    within = (np.abs(by_mass - 1.0) <= NEAR).sum()
    print(f"over the moment by body mass alone: {by_mass.min():.2f} to {by_mass.max():.2f}, {within} within 20 %")
    for step, of_median in zip(steps, relative, strict=True):
        if abs(of_median - 1.0) > NEAR:
            print(
                f"{step.person:28} {step.walk:24} {step.side:6} {step.force:.2f} body weights at {step.moment:.2f} "
                f"Nm/kg, {of_median:.2f} of the median, arm {1000.0 * step.arm:.0f} mm"
            )


if __name__ == "__main__":
    main()
