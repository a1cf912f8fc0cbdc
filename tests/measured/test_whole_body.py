"""Measured walks on the 55-joint skeleton: markers, balance with the plates, and the matrix form.

The stored moments that serve as reference were made from unfiltered plates: they are low-passed at the pipeline's
cut-off over stance, as for the matrix form.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.conventions import SIDES
from pipeline.provenance import Provenance
from pipeline.results import read_stage, write_stage
from pipeline.signals import low_pass
from pipeline.skeleton import link_poses, load_skeleton, skeleton_of
from pipeline.trial import WholeBody
from tests.walks import PUBLISHED

pytestmark = pytest.mark.long

WALKS = ("HC032A", "HC038A")
"""Two women, each with one clean step of both feet."""

ARMS = ("SHO", "ELB", "WRA", "WRB", "FIN")


class Walk:
    def __init__(self, analyse, on_skeleton, name):
        self.raw, self.static = (read_trial(file) for file in PUBLISHED[name])
        self.on_skeleton, self.analyse = on_skeleton, analyse
        self.matrix = analyse(self.raw, self.static, sex="f")
        self.result = self.run(self.raw, self.static, self.matrix)

    def run(self, raw, static, matrix, **settings):
        return self.on_skeleton(raw, static, matrix, **settings)

    def stances(self):
        return [stance for stance in self.matrix.kinematics.stances if not stance.rejected]

    def stored(self, side, joint):
        """A stored sagittal moment (T,) in Nm/kg, low-passed like ours; NaN where there is none."""
        values = np.array(self.raw.model_outputs[f"{side[0].upper()}{joint.title()}Moment"].values)[:, 0] / 1000.0
        values[np.nan_to_num(values) == 0.0] = np.nan
        return low_pass(values, self.raw.rate, 6.0)


@pytest.fixture(scope="module")
def walks(trials, analyse, on_skeleton):
    return {name: Walk(analyse, on_skeleton, name) for name in WALKS}


@pytest.fixture(params=WALKS)
def walk(request, walks):
    return walks[request.param]


def residual(result, motion):
    """Root mean square (3,) of the residual forces in % of body weight, with both feet on plates."""
    return 100 * np.sqrt(np.mean(motion.residual_force[result.loads_known] ** 2, axis=0))


def rms(motion):
    return 1000 * np.sqrt(np.nanmean(motion.marker_error**2))


def test_the_skeleton_follows_the_markers(walk):
    """Under 10 mm root mean square and 30 mm at most, and joints agree with the joint centres of the static trial
    within 5 mm."""
    motion = walk.result.kinematic
    assert len(walk.result.fitted_markers) == 34
    assert rms(motion) < 10.0
    assert np.nanmax(motion.marker_error) < 0.030
    assert max(walk.result.joint_centre_errors.values()) < 0.005


def test_no_joint_is_at_its_limit_for_a_whole_stance(walk, request):
    skeleton = load_skeleton(request.config.rootpath / "config" / "skeleton.yaml")
    q = walk.result.kinematic.q
    for stance in walk.stances():
        frames = slice(stance.start, stance.stop)
        pinned = (q[frames] <= skeleton.q_lower + 1e-3) | (q[frames] >= skeleton.q_upper - 1e-3)
        assert not pinned.all(axis=0).any(), np.array(walk.result.joint_names)[pinned.all(axis=0)]


def test_fifty_degrees_of_freedom_are_observed_and_the_others_named(walk):
    assert walk.result.rank == 50
    assert len(walk.result.unobservable) == 5
    assert {"left_toe_extension", "right_toe_extension"} <= set(walk.result.unobservable)
    assert any(walk.result.unobservable[0] in note.text for note in walk.result.notes)


def test_the_body_is_nearly_in_balance_with_the_plates(walk):
    """Sideways, fore-aft, vertical under 2, 4 and 5 % of body weight, with about 0.8 s of both feet on plates."""
    assert walk.result.loads_known.sum() >= 80
    fore_aft, vertical, sideways = residual(walk.result, walk.result.kinematic)
    assert sideways < 2.0
    assert fore_aft < 4.0
    assert vertical < 5.0


def test_residual_reduction_keeps_marker_distances_within_half_a_millimetre(walk):
    """Under 1 % of body weight, while the markers' residual grows by less than 0.5 mm; the kinematic one is kept."""
    bent = walk.result.residual_reduced
    assert residual(walk.result, bent).max() < 1.0
    assert rms(bent) - rms(walk.result.kinematic) < 0.5
    assert not np.array_equal(bent.q, walk.result.kinematic.q)


def test_the_mass_distribution_also_reduces_residuals_of_frames_outside_its_fit(walk):
    """Masses from the first half of the balanced frames: in the second half the moment about the hips' axis falls to
    half or less, and forces do not rise by more than a tenth together."""
    result = walk.result
    assert result.held_out.sum() >= 40
    force, moment = (
        np.sqrt(np.mean(getattr(result.kinematic, name)[result.held_out] ** 2, axis=0))
        for name in ("residual_force", "residual_moment")
    )
    assert result.held_out_residual_moment[2] < 0.5 * moment[2]
    assert np.linalg.norm(result.held_out_residual_force) < 1.1 * np.linalg.norm(force)


def test_moving_the_trunks_centre_of_mass_alone_lowers_the_mean_moment_and_raises_the_lateral_force(walk):
    """Its centre of mass goes 75 to 100 mm back, which is warned of; the mean moment falls, the mediolateral force
    rises."""
    result = walk.result
    assert -0.11 < result.trunk_com_shift[0] < -0.06
    assert any(note.subject == "residual reduction" and "mediolateral" in note.text for note in result.notes)
    kinematic = np.sqrt(np.mean(result.kinematic.residual_force[result.held_out] ** 2, axis=0))
    assert 0.002 < result.held_out_residual_force[2] - kinematic[2] < 0.009


def test_residual_moments_are_small_after_residual_reduction(walk):
    """Under 1 % of body weight times height about every axis; masses change by less than a tenth."""
    bent = walk.result.residual_reduced.residual_moment[walk.result.loads_known]
    assert 100 * np.sqrt(np.mean(bent**2, axis=0)).max() < 1.0
    assert np.abs(np.array(list(walk.result.mass_factors.values())) - 1.0).max() < 0.1
    assert np.abs(walk.result.trunk_com_shift).max() < 0.12


def test_matrix_form_and_skeleton_agree_in_the_sagittal_plane(walk):
    found = {entry.joint: entry for entry in walk.result.moment_comparisons}
    assert len(found) == 6
    assert min(entry.correlation for entry in found.values()) > 0.98
    assert max(entry.rms_difference for entry in found.values()) < 0.1


def test_peaks_are_the_stored_ones(walk):
    """Ankles within 4 %, knees within 0.15 Nm/kg."""
    for stance in walk.stances():
        frames = slice(stance.start, stance.stop)
        for joint, sign in (("ankle", -1.0), ("knee", 1.0)):
            reference = walk.stored(stance.side, joint)[frames]
            ours = sign * walk.result.kinematic.joint_moments[f"{stance.side}_{joint}"][frames, 2] / walk.result.mass
            both = np.isfinite(reference) & np.isfinite(ours)
            assert both.mean() > 0.8
            apart = ours[both].max() - reference[both].max()
            assert abs(apart) < (0.04 * reference[both].max() if joint == "ankle" else 0.15)


def test_loads_are_missing_only_where_a_foot_beyond_the_joint_is_unknown(walk):
    """The arms are always known, a leg while its own foot is, the pelvis while both are."""
    result, names = walk.result, walk.result.joint_names
    known = np.isfinite(result.kinematic.tau)
    assert known[:, names.index("left_elbow_flexion")].all()
    np.testing.assert_array_equal(known[:, 0], result.loads_known)
    both = known[:, names.index("left_knee_flexion")] & known[:, names.index("right_knee_flexion")]
    np.testing.assert_array_equal(both, result.loads_known)


def test_the_free_body_drifts_as_newton_says_of_the_forces_that_are_missing(walk):
    """Its centre of mass leaves the measured one by the residual force over the mass, integrated twice."""
    found, motion = walk.result.forward_check, walk.result.kinematic
    frames = np.searchsorted(walk.result.time, found.window)
    simulated = motion.q[frames].copy()
    simulated[:, :6] = found.simulated
    skeleton = skeleton_of(walk.result)
    lacking = -9.80665 * motion.residual_force[frames]
    step = np.diff(found.window)[:, None]

    def integral(values):
        return np.vstack([np.zeros(3), np.cumsum(0.5 * step * (values[1:] + values[:-1]), axis=0)])

    expected = integral(integral(lacking))
    assert np.abs(expected).max() > 0.008
    # By trapezia at 100 Hz.
    np.testing.assert_allclose(centre(skeleton, simulated) - centre(skeleton, motion.q[frames]), expected, atol=5e-4)


def centre(skeleton, q):
    """Centre of mass (T, 3) of the body."""
    R, r = link_poses(skeleton, q)
    return skeleton.mass @ (r + np.einsum("tnij,nj->tni", R, skeleton.com)) / skeleton.mass.sum()


def test_the_stored_stage_is_read_back_to_the_stored_precision(walk, tmp_path):
    path = tmp_path / "whole_body.h5"
    write_stage(path, walk.result, Provenance("whole_body", {}, "{}", "", {}))
    back = read_stage(path, WholeBody)
    np.testing.assert_allclose(back.kinematic.q, walk.result.kinematic.q, rtol=2.0**-37)  # 36 digits are kept
    np.testing.assert_allclose(back.residual_reduced.tau, walk.result.residual_reduced.tau, rtol=2.0**-37)
    assert back.moment_comparisons == walk.result.moment_comparisons
    assert back.unobservable == walk.result.unobservable
    assert back.scale_factors == walk.result.scale_factors


def without(trial, excluded):
    """The recording without some markers."""
    keep = [k for k, name in enumerate(trial.marker_names) if not excluded(name)]
    names = tuple(trial.marker_names[k] for k in keep)
    return replace(trial, marker_names=names, markers_G=trial.markers_G[:, keep])


def test_without_arm_markers_the_legs_are_the_same_and_the_arms_are_named_as_unobservable(walks):
    walk = walks["HC038A"]
    raw, static = (without(trial, lambda name: name[1:] in ARMS) for trial in (walk.raw, walk.static))
    result = walk.run(raw, static, walk.matrix, residual_reduction=False)
    knee = result.joint_names.index("right_knee_flexion")
    assert np.degrees(np.nanmax(np.abs(result.kinematic.q - walk.result.kinematic.q)[:, knee])) < 1.0
    assert result.rank < 40
    assert any("left_elbow_flexion" in group for group in result.unobservable)
    assert any(note.subject == "skeleton: left_upper_arm" for note in result.notes)


def test_a_walk_used_as_its_own_static_trial_is_noted(walk):
    """One frame gives the sizes, within 3 % of those from the static trial; ankles are off by up to 1.4 degrees, and
    their moments by 0.02 Nm/kg, the foot's axes having turned by as much."""
    matrix = walk.analyse(walk.raw, walk.raw, sex="f")
    assert any(note.kind == "estimated" and "no static trial" in note.text for note in matrix.kinematics.notes)
    for side in SIDES:
        name = f"{side}_ankle"
        apart = matrix.kinematics.angles[name] - walk.matrix.kinematics.angles[name]
        assert np.degrees(np.nanmax(np.abs(apart))) < 2.0
        moments = [form.loads.joints[name].moment_distal[:, 2] / form.loads.mass for form in (matrix, walk.matrix)]
        assert np.nanmax(np.abs(moments[0] - moments[1])) < 0.03
    result = walk.run(walk.raw, walk.raw, matrix, residual_reduction=False)
    assert any("5 degrees for pelvis" in note.text and "15 for the arms" in note.text for note in result.notes)
    apart = np.abs(np.degrees(np.mean(result.kinematic.q - walk.result.kinematic.q, axis=0)))
    for parts, most in (
        (("pelvis_rotation", "pelvis_list", "pelvis_tilt", "hip", "knee", "ankle_flexion"), 5.0),
        (("ankle_inversion",), 10.0),
        (("clavicle", "shoulder", "elbow", "wrist"), 15.0),
    ):
        off = [apart[j] for j, name in enumerate(result.joint_names) if any(part in name for part in parts)]
        assert off
        assert max(off) < most
    for side in SIDES:
        for name in (f"{side}_thigh", f"{side}_shank", f"{side}_foot"):
            assert result.scale_factors[name] == pytest.approx(walk.result.scale_factors[name], rel=0.03)
    assert rms(result.kinematic) < rms(walk.result.kinematic) + 1.0
    assert min(entry.correlation for entry in result.moment_comparisons) > 0.98


@pytest.mark.parametrize("plates", [0, 1])
def test_with_fewer_plates_what_is_known_is_given(walks, plates):
    """One plate: that leg in its stance, and no balance; none: angles and the swinging legs only."""
    walk = walks["HC038A"]
    raw = replace(walk.raw, plates=walk.raw.plates[:plates])
    matrix = walk.analyse(raw, walk.static, sex="f")
    result = walk.run(raw, walk.static, matrix)
    assert np.isfinite(result.kinematic.q).all()
    stance = walk.stances()[1]  # left on plate 1
    knee = result.kinematic.joint_moments["left_knee"][stance.start + 5 : stance.stop - 5]
    assert np.isfinite(knee).all() == bool(plates)
    assert (result.residual_reduced is None) == (not result.loads_known.any())
    if result.residual_reduced is None:
        assert any(note.subject == "residual reduction" for note in result.notes)


def test_whole_body_agreement(walks, record_property):
    """The figures behind the assertions above."""
    lines = [
        f"{'':24}{'markers, mm':^16}|{'residual force, % body weight':^34}|"
        f"{'residual moment, % body weight x height':^42}",
        f"{'':24}{'RMS':>8}{'largest':>8}|{'fore-aft':>12}{'vertical':>11}{'sideways':>11}|"
        f"{'rotation':>14}{'list':>14}{'tilt':>14}",
    ]
    for name, walk in walks.items():
        for label in ("kinematic", "residual_reduced"):
            body = getattr(walk.result, label)
            force = residual(walk.result, body)
            moment = 100 * np.sqrt(np.mean(body.residual_moment[walk.result.loads_known] ** 2, axis=0))
            lines.append(
                f"{name + ' ' + label:24}{rms(body):8.2f}{1000 * np.nanmax(body.marker_error):8.1f}|"
                f"{force[0]:12.2f}{force[1]:11.2f}{force[2]:11.2f}|{moment[0]:14.2f}{moment[1]:14.2f}{moment[2]:14.2f}"
            )
        rows = walk.result.held_out
        plain = [
            np.sqrt(np.mean(getattr(walk.result.kinematic, part)[rows] ** 2, axis=0))
            for part in ("residual_force", "residual_moment")
        ]
        masses = [walk.result.held_out_residual_force, walk.result.held_out_residual_moment]
        for label, (force, moment) in ((f"{name} later half, kinematic", plain), ("with masses of the other", masses)):
            force, moment = 100 * force, 100 * moment
            lines.append(
                f"{label:40}|{force[0]:12.2f}{force[1]:11.2f}{force[2]:11.2f}|"
                f"{moment[0]:14.2f}{moment[1]:14.2f}{moment[2]:14.2f}"
            )
    lines += ["", f"{'sagittal moment, Nm/kg':24}{'r':>8}{'RMS':>8}{'matrix':>10}{'skeleton':>10}   (peaks)"]
    for name, walk in walks.items():
        lines += [
            f"{name + ' ' + entry.joint:24}{entry.correlation:8.4f}{entry.rms_difference:8.3f}"
            f"{entry.matrix_form_peak:10.3f}{entry.skeleton_peak:10.3f}"
            for entry in walk.result.moment_comparisons
        ]
    record_property("table", "\n".join(lines))
