"""Each error of a walk against what it must do, by hand or by the whole computation on the erroneous recording."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import PERCENT
from pipeline.config import UncertaintySettings
from pipeline.conventions import SIDES
from pipeline.kinematics import kinematics
from pipeline.uncertainty.attachment import PELVIS
from pipeline.uncertainty.body_errors import BodyPerturbation, body_errors, combined
from pipeline.uncertainty.load_errors import load_errors
from pipeline.uncertainty.marker_errors import with_noise, with_soft_tissue
from pipeline.uncertainty.recorded_walk import VARIABLES
from pipeline.uncertainty.sources import ANKLE_CENTRE, CENTRE_OF_PRESSURE, HIP_CENTRE, KNEE_AXIS, TIMING
from tests.recordings import late, shifted, with_load, with_markers, without_markers

ROWS = {name: row for row, name in enumerate(VARIABLES)}
KINETIC = np.array([variable.quantity != "angles" for variable in VARIABLES.values()])


def test_each_marker_is_on_the_segment_whose_axes_it_shows(recorded):
    """Wands too, which no axis names: they move least with the segment that they are strapped to."""
    on = {PELVIS: ("LASI", "RASI", "LPSI", "RPSI"), "left_thigh": ("LKNE", "LTHI"), "left_shank": ("LANK", "LTIB")}
    on |= {"left_foot": ("LHEE", "LTOE"), "right_thigh": ("RKNE", "RTHI"), "right_shank": ("RANK", "RTIB")}
    on |= {"right_foot": ("RHEE", "RTOE")}
    assert recorded.attached_to == {label: segment for segment, labels in on.items() for label in labels}


def test_a_marker_in_place_of_others_is_attached_and_moved_like_them(recorded):
    """A recording with a marker on the sacrum in place of two: the pelvis shifts as a whole and does not turn."""
    swapped = {}
    for name, trial in {"recording": recorded.recording, "static": recorded.static}.items():
        sacrum = 0.5 * (trial.marker("LPSI") + trial.marker("RPSI"))
        swapped[name] = with_markers(without_markers(trial, "PSI"), SACR=sacrum)
    own = recorded.kinematics
    sections = (recorded.subject, recorded.anatomy, recorded.filter, recorded.events)
    motion = kinematics(swapped["recording"], swapped["static"], recorded.marker_set, *sections)
    walk = replace(recorded, **swapped, kinematics=motion)
    pelvis = [label for label, segment in walk.attached_to.items() if segment == PELVIS]
    assert sorted(pelvis) == ["LASI", "RASI", "SACR"]
    np.testing.assert_allclose(motion.angles["pelvis"], own.angles["pelvis"], atol=1e-6)
    moved = walk.with_body_error(BodyPerturbation("", dict.fromkeys(pelvis, np.array([0.01, 0.0, 0.0]))))
    np.testing.assert_allclose(moved.angles["pelvis"], motion.angles["pelvis"], atol=1e-12)


def test_a_body_without_error_has_the_walks_own_curves(recorded):
    """The calibration is computed again from the same numbers: equal but for rounding."""
    own = recorded.curves(recorded.kinematics, recorded.loads)
    again = recorded.curves(recorded.with_body_error(BodyPerturbation("none")))
    np.testing.assert_allclose(again, own, atol=1e-9)


def test_pelvis_markers_moved_together_move_the_hip_centres_alone(recorded):
    """By that much in the pelvis' axes, and nothing turns: the regression sees the same widths."""
    shift = np.array([0.006, -0.003, 0.008])
    pelvis = [label for label, segment in recorded.attached_to.items() if segment == PELVIS]
    moved, own = recorded.with_body_error(BodyPerturbation("", dict.fromkeys(pelvis, shift))), recorded.kinematics
    np.testing.assert_allclose(moved.angles["pelvis"], own.angles["pelvis"], atol=1e-12)
    for side in SIDES:
        R_GP = own.joints[f"{side}_hip"].R_GP
        step = moved.joints[f"{side}_hip"].centre_G - own.joints[f"{side}_hip"].centre_G
        np.testing.assert_allclose(step, np.broadcast_to(R_GP @ shift, step.shape), atol=1e-12)


def test_a_knee_2_mm_wider_has_its_centre_1_mm_further_from_the_marker(recorded):
    moved = recorded.with_body_error(BodyPerturbation("", values={"knee_width_left": 0.002}))
    knee = recorded.kinematics.marker_names.index("LKNE")
    distances = [
        np.linalg.norm(motion.joints["left_knee"].centre_G - motion.markers_G[:, knee], axis=1)
        for motion in (recorded.kinematics, moved)
    ]
    np.testing.assert_allclose(distances[1] - distances[0], 0.001, atol=1e-9)
    right = [motion.joints["right_knee"].centre_G for motion in (recorded.kinematics, moved)]
    np.testing.assert_array_equal(*right)


def test_errors_of_the_body_are_those_of_markers_regression_and_values(recorded):
    """Three axes each of the regression, four pelvis markers, and of knee, ankle, heel and toe markers of both legs at
    once; wands with a measured offset have only the offset's error; two widths and three offsets."""
    values = recorded.kinematics.calibration.values
    errors = list(body_errors(recorded.marker_set, recorded.attached_to, values, UncertaintySettings()))
    of_source = {source: [e for e in errors if e.source == source] for source in (HIP_CENTRE, KNEE_AXIS, ANKLE_CENTRE)}
    assert [len(own) for own in of_source.values()] == [3 + 3 * 4, 3 + 2, 3 * 3 + 3]
    assert {label for e in of_source[KNEE_AXIS] for label in e.shifts} == {"LKNE", "RKNE"}
    without = {name: 0.0 if "rotation" in name else value for name, value in values.items()}
    errors = list(body_errors(recorded.marker_set, recorded.attached_to, without, UncertaintySettings()))
    assert {label for e in errors if e.source == KNEE_AXIS for label in e.shifts} == {"LKNE", "RKNE", "LTHI", "RTHI"}


def test_a_plate_elsewhere_changes_the_moments_as_the_walk_on_that_plate_does(recorded):
    """The linear change against the loads solved anew, with the plate's load about a point 5 mm away: exact."""
    settings = UncertaintySettings(centre_of_pressure=0.005)
    changes = [change for source, change in load_errors(recorded, settings) if source == CENTRE_OF_PRESSURE]
    plates = recorded.kinematics.plates
    assert len(changes) == 2 * len(plates)
    along = 0.005 * np.array([1.0, 0.0, 0.0])
    own = recorded.curves(recorded.kinematics, recorded.loads)
    for number, plate in enumerate(plates):
        moved = with_load(recorded.kinematics, plate.number, shifted(along))
        np.testing.assert_allclose(changes[2 * number], recorded.curves(moved) - own, atol=1e-9)
    extensor = changes[0][0, ROWS["ankle_plantarflexor_moment"]]
    assert np.nanmax(np.abs(extensor)) > 0.02  # 5 mm times 1.1 body weights of 9.81 N/kg, halved over two cycles


def test_plates_that_lag_change_the_curves_as_the_lagging_recording_does(recorded, analyse):
    """3 ms, three samples: contacts are 3 ms later and so are loads; the recording itself is delayed and analysed.

    The delayed contact moves by whole samples and frames, and the loads' change is linear only where they are smooth:
    away from the edges of stance within 15 % of the largest change or 0.01 Nm/kg, and 0.05 degrees.
    """
    (change,) = [c for source, c in load_errors(recorded, UncertaintySettings(timing=0.003)) if source == TIMING]
    lagging = analyse(with_load(recorded.recording, 0, late(3)), recorded.static, sex="f")
    expected = recorded.curves(lagging.kinematics) - recorded.curves(recorded.kinematics, recorded.loads)
    middle = np.r_[10:40, 70:95]
    for name, row in ROWS.items():
        mine, true = change[:, row][:, middle], expected[:, row][:, middle]
        assert np.isfinite(mine).all()
        tolerance = 0.05 if not KINETIC[row] else 0.01
        np.testing.assert_allclose(mine, true, atol=tolerance + 0.15 * np.abs(true).max(), err_msg=name)
    assert np.abs(change[:, ROWS["knee_flexion"]]).max() > 0.5  # degrees: the knee turns by 300 degrees a second


def test_soft_tissue_moves_at_the_frequencies_of_the_walks_knee(recorded):
    """Shares of the first three harmonics, found by least squares in the markers' motion and in the knee's angle over
    its own cycles; those of 2880 amplitudes of each harmonic have a standard error of 3 % of a share."""

    def shares(values: np.ndarray, turns: np.ndarray) -> np.ndarray:
        waves = [wave(2.0 * np.pi * k * turns) for k in (1, 2, 3) for wave in (np.cos, np.sin)]
        fitted, *_ = np.linalg.lstsq(np.column_stack([np.ones_like(turns), *waves]), values, rcond=None)
        power = (fitted[1:] ** 2).reshape(3, 2, -1).sum(axis=(1, 2))
        return power / power.sum()

    motion = recorded.kinematics
    knee = [shares(c[ROWS["knee_flexion"]][:, None], PERCENT / 100.0) for c in recorded.mean_curves]
    period = np.mean([c.next_initial_contact - c.initial_contact for c in motion.cycles])
    settings = UncertaintySettings(draws=30, soft_tissue_thigh=0.004, soft_tissue=0.004)
    moved = [m.markers_G - motion.markers_G for m in with_soft_tissue(recorded, settings)]
    columns = np.moveaxis(moved, 1, 0).reshape(len(motion.time), -1)
    columns = columns[:, np.isfinite(columns).all(axis=0)]
    np.testing.assert_allclose(shares(columns, motion.time / period), np.mean(knee, axis=0), rtol=0.12, atol=0.002)


def test_soft_tissue_moves_markers_by_its_standard_deviation(recorded):
    """Over 10 samples of 6 amplitudes each for 4 thigh markers and 12 others along 3 axes: within 10 %, four times the
    standard error of a standard deviation of 720 values."""
    settings = UncertaintySettings(draws=10, soft_tissue_thigh=0.006, soft_tissue=0.002)
    samples = np.array([m.markers_G - recorded.kinematics.markers_G for m in with_soft_tissue(recorded, settings)])
    on_thigh = [recorded.attached_to.get(name, "").endswith("thigh") for name in recorded.kinematics.marker_names]
    assert np.nanstd(samples[:, :, on_thigh]) == pytest.approx(0.006, rel=0.1)
    assert np.nanstd(samples[:, :, np.logical_not(on_thigh)]) == pytest.approx(0.002, rel=0.1)


def test_marker_noise_has_the_power_that_the_filter_leaves_of_white_noise(recorded):
    """By the gain of two passes of second order, 1 / sqrt(2) at the cut-off. Of some 10000 independent values the
    standard deviation is known to 1 %; the ends of the walk, which the filter reflects, have more noise."""
    settings, motion = UncertaintySettings(draws=8, marker_noise=0.002), recorded.kinematics
    samples = np.array([m.markers_G - motion.markers_G for m in with_noise(recorded, settings)])
    frequency = np.linspace(0.0, 0.5 * motion.rate, 10000)
    gain = 1.0 / (1.0 + (np.sqrt(2.0) - 1.0) * (frequency / motion.cutoff.value) ** 4)
    assert np.nanstd(samples) == pytest.approx(0.002 * np.sqrt(np.mean(gain**2)), rel=0.05)


def test_markers_that_move_in_the_walk_alone_take_its_joints_with_them(recorded):
    """All of them by one displacement in G: every joint's centre moves by it, and no segment turns."""
    shift = np.array([0.010, 0.020, -0.030])
    moved = recorded.with_body_error(BodyPerturbation("skin"), shift)
    assert moved.joints
    for name, joint in moved.joints.items():
        before = recorded.kinematics.joints[name]
        np.testing.assert_allclose(
            joint.centre_G - before.centre_G, np.broadcast_to(shift, before.centre_G.shape), atol=1e-9
        )


@pytest.mark.parametrize(("below", "expected"), [(0.001, -0.004), (0.003, -0.004), (0.005, 0.004)])
def test_an_error_of_a_value_that_would_leave_its_range_goes_the_other_way(recorded, below, expected):
    """A knee 1, 3 or 5 mm narrower than the widest that is taken, with an error of 4 mm."""
    widest = recorded.marker_set.subject_values["knee_width_left"].maximum
    values = {**recorded.kinematics.calibration.values, "knee_width_left": widest - below}
    errors = body_errors(recorded.marker_set, recorded.attached_to, values, UncertaintySettings(width=0.004))
    (error,) = [e for e in errors if "knee_width_left" in e.values]
    assert error.values["knee_width_left"] == pytest.approx(expected)
    assert error.values["knee_width_right"] == pytest.approx(0.004)


def test_errors_at_once_add_up_each_by_its_amount():
    """2 times one error and -1 times another, marker by marker and value by value."""
    one = BodyPerturbation("one", {"LKNE": np.array([1.0, 2.0, 3.0])}, {"knee_width_left": 0.002})
    other = BodyPerturbation(
        "other",
        {"LKNE": np.array([0.0, 0.5, -1.0]), "RKNE": np.array([1.0, 0.0, 0.0])},
        {"knee_width_left": 0.001, "ankle_width_left": 0.003},
    )
    both = combined([one, other], np.array([2.0, -1.0]))
    np.testing.assert_allclose(both.shifts["LKNE"], [2.0, 3.5, 7.0])
    np.testing.assert_allclose(both.shifts["RKNE"], [-1.0, 0.0, 0.0])
    assert both.values == pytest.approx({"knee_width_left": 0.003, "ankle_width_left": -0.003})
