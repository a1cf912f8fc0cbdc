"""Stage: muscle and joint contact forces of a walk on the skeleton."""

from __future__ import annotations

from pipeline.config import MuscleSettings
from pipeline.muscles import walk_muscles
from pipeline.trial import MuscleLoads, WholeBody


def run(whole_body: WholeBody, muscles: MuscleSettings) -> MuscleLoads:
    """Distribute the joint moments to muscles.

    Raises:
        DynamicsError: the skeleton lacks a joint, or no distribution is found.
    """
    return walk_muscles(whole_body, muscles.tendons)
