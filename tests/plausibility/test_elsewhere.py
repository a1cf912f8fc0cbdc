"""What is found in a walk does not depend on where the laboratory's origin is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.analysis import gait_cycles, mean_leg_length, summarise
from pipeline.math3d import Wrench
from pipeline.plausibility import load_limits, plausibility
from pipeline.plausibility.limits import Limits, Spread
from pipeline.plausibility.plates import fore_aft_errors

NOTHING_USUAL = Limits(
    {name: Spread(-1e6, 1e-6, 1e-6, False, 1, 1, 1, 1) for name in load_limits().spreads}, 1.0, 1.0, 0.05
)
"""Limits that every residual is beyond, so that each is among the findings."""


def seen_from(clean, by):
    """Recordings, kinematics and loads of the demo in axes whose origin is so far away; one plate has half of its
    fore-aft force and a knee marker is off, so that there are findings whatever the limits."""
    k = clean.kinematics

    def away(wrench, factor=1.0):
        return Wrench(wrench.force_G * [factor, 1.0, 1.0], wrench.moment_G, wrench.point_G + by)

    def recorded(raw):
        markers = raw.markers_G + by
        markers[:, raw.marker_names.index("LKNE")] += [0.015, 0.0, 0.0]
        plates = tuple(replace(p, corners_G=p.corners_G + by, wrench=away(p.wrench)) for p in raw.plates)
        return replace(raw, markers_G=markers, plates=plates)

    moved = replace(
        k,
        points={name: place + by for name, place in k.points.items()},
        joints={name: replace(joint, centre_G=joint.centre_G + by) for name, joint in k.joints.items()},
        segments={name: replace(segment, com_G=segment.com_G + by) for name, segment in k.segments.items()},
        markers_G=k.markers_G + by,
        plates=tuple(
            replace(
                plate,
                corners_G=plate.corners_G + by,
                wrench=away(plate.wrench, 0.5 if n == 0 else 1.0),
                cop_G=plate.cop_G + by,
            )
            for n, plate in enumerate(k.plates)
        ),
    )
    loads = replace(clean.loads, ground={side: away(load) for side, load in clean.loads.ground.items()})
    return recorded(clean.raw), recorded(clean.static), moved, loads


def test_where_the_origin_is_changes_no_finding(clean, plug_in_gait):
    said = []
    for place in (np.zeros(3), np.array([40.0, -3.0, -7.0])):
        raw, static, kinematics, loads = seen_from(clean, place)
        summary = summarise(gait_cycles(kinematics, loads), mean_leg_length(kinematics.calibration), None)
        found = plausibility(kinematics, loads, summary, raw, static, plug_in_gait, NOTHING_USUAL).findings
        values = {(f.subject, f.residual or f.text.split()[0]): (f.value, f.moment_error) for f in found}
        values |= {("fore-aft", k): (error, 0.0) for k, (_, error) in enumerate(fore_aft_errors(kinematics))}
        said.append(values)
    assert len(said[0]) > 20
    assert said[0].keys() == said[1].keys()
    np.testing.assert_allclose(list(said[1].values()), [said[0][key] for key in said[1]], rtol=1e-5, atol=1e-6)
