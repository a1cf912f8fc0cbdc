"""Knee axes of sets that lack a joint; trials with known axes are in `tests/synthetic`."""

from __future__ import annotations

import pytest

from pipeline.anatomy import calibrate, functional_knees
from pipeline.errors import AnatomyError


def test_a_set_without_a_knee_is_refused(person, record, plug_in_gait) -> None:
    markers, _, _ = person.pose({})
    static = record(markers, parameters={})
    calibration = calibrate(static, plug_in_gait, person.subject)
    joints, points = (
        {name: one for name, one in getattr(plug_in_gait, kind).items() if name != "left_knee"}
        for kind in ("joints", "points")
    )
    one_sided = plug_in_gait.model_copy(update={"joints": joints, "points": points})
    with pytest.raises(AnatomyError, match="no markers that follow the segment above the knee"):
        functional_knees(static, static, one_sided, calibration)
