"""Measured trials: against their own counts, the same trials in other encodings, and the C3D library where it is
right."""

import re

import numpy as np
import pytest

from pipeline.acquisition import centre_of_pressure, read_trial
from pipeline.conventions import Y

# README of the trials: stance and peak vertical force of each step on a plate, in the trial's own frames.
STEPS_ON_PLATES = [
    ("zoo_HC032A/HC032A03.c3d", 2, 614),
    ("zoo_HC032A/HC032A03.c3d", 1, 678),
    ("zoo_HC038A/HC038A11.c3d", 2, 614),
    ("zoo_HC038A/HC038A11.c3d", 1, 604),
    ("nantes/PiG_Motion3_FF.c3d", 1, 793),
    ("nantes/PiG_Motion3_FF.c3d", 2, 823),
    ("nantes/PiG_Motion3_FF.c3d", 3, 827),
]


@pytest.mark.parametrize(("file", "number", "peak"), STEPS_ON_PLATES)
def test_peak_vertical_forces_push_up_and_are_those_of_the_stored_results(trials, file, number, peak):
    plate = read_trial(trials / file).plates[number - 1]
    # The table is rounded to 1 N.
    assert plate.wrench.force_G[:, Y].max() == pytest.approx(peak, abs=0.6)


@pytest.mark.parametrize(("file", "mass"), [("zoo_HC032A/HC032A01.c3d", 60.3), ("zoo_HC038A/HC038A01.c3d", 56.8)])
def test_a_standing_subject_presses_with_body_weight(trials, file, mass):
    trial = read_trial(trials / file)
    assert trial.parameters["Bodymass"] == pytest.approx(mass, abs=0.01)
    # Quiet standing: sway changes the mean by well under a newton; the mass is rounded to 0.1 kg, that is 1 N.
    assert trial.plates[0].wrench.force_G[:, Y].mean() == pytest.approx(9.81 * mass, abs=1.5)


def test_zero_does_not_remove_the_weight_of_a_subject_on_the_plate_in_its_samples(trials):
    trial = read_trial(trials / "ist_metres/Static Pose.c3d")
    np.testing.assert_allclose([plate.wrench.force_G[:, Y].mean() for plate in trial.plates], [0.0, 592.0], atol=2.0)
    assert any("loaded with about" in note.text for note in trial.notes)


def test_metres_and_newton_metres_put_the_load_under_the_feet(trials):
    trial = read_trial(trials / "ist_metres/Gait with EMG.c3d")
    cop = centre_of_pressure(trial.plates[0].wrench, trial.plates[0].corners_G, 50.0)
    samples = np.flatnonzero(np.isfinite(cop[:, 0]))
    frames = np.minimum((samples * trial.rate / trial.analog_rate).round().astype(int), len(trial.time) - 1)
    feet = np.stack([trial.marker(f"{side}{name}") for side in "LR" for name in ("CAL", "TOE", "LMA")], axis=1)
    nearest = np.linalg.norm(feet[frames] - cop[samples, None], axis=-1).min(axis=1)
    # A foot is about 0.25 m long; a wrong unit of moment puts the load hundreds of metres away or at the centre.
    assert np.nanmedian(nearest) < 0.15


def test_the_same_counts_as_integer_and_real_agree_within_one_step(trials):
    integer, real = (read_trial(trials / f"edge/byteorder/pc_{kind}.c3d") for kind in ("int", "real"))
    dec = read_trial(trials / "edge/byteorder/DEC_INT.C3D")
    assert np.isfinite(integer.markers_G).any()
    step = 0.28118187189102173e-3  # m, POINT:SCALE
    assert np.nanmax(np.abs(integer.markers_G - real.markers_G)) < step
    # The DEC file was rounded anew: single counts differ by one.
    np.testing.assert_allclose(dec.markers_G, integer.markers_G, atol=1.001 * step)
    np.testing.assert_allclose(dec.plates[0].wrench.force_G, integer.plates[0].wrench.force_G, atol=1e-3)


def test_one_trial_as_type_2_and_type_4_gives_the_same_load(trials):
    twos, fours = (read_trial(trials / f"edge/platetype/type-{kind}a.c3d").plates for kind in (2, 4))
    for two, four in zip(twos, fours, strict=True):
        assert two.wrench.force_G[:, Y].max() > 500.0
        # The encodings round their counts differently: the trials' own description has 1.8 N and 0.5 Nm.
        np.testing.assert_allclose(two.wrench.force_G, four.wrench.force_G, atol=2.0)
        np.testing.assert_allclose(two.wrench.moment_G, four.wrench.moment_G, atol=0.5)


def counts_of(path, points, channels, samples, frames):
    """Analog counts (Ta, C) of a 16-bit integer file, straight from its bytes."""
    content = path.read_bytes()
    start = (int.from_bytes(content[16:18], "little") - 1) * 512
    words = np.frombuffer(content, "<i2", frames * (4 * points + channels * samples), start)
    return words.reshape(frames, -1)[:, 4 * points :].reshape(frames * samples, channels).astype(float)


@pytest.mark.parametrize("kind", [2, 4])
def test_counts_times_their_own_calibration_are_the_load(trials, kind):
    """Hand computation: (count - offset) * scale, the matrix for type 4, then from the sensors to the surface."""
    import ezc3d

    path = trials / f"edge/platetype/TYPE-{kind}.C3D"
    parameters = ezc3d.c3d(str(path))["parameters"]
    counts = counts_of(path, 13, 6, 20, 199)
    loads = (counts - parameters["ANALOG"]["OFFSET"]["value"]) * parameters["ANALOG"]["SCALE"]["value"]
    if kind == 4:
        loads = loads @ parameters["FORCE_PLATFORM"]["CAL_MATRIX"]["value"][:, :, 0].T
    fx, fy, fz = loads[:, :3].T
    mx, my, mz = loads[:, 3:].T / 1000.0
    ox, oy, oz = -1e-3 * parameters["FORCE_PLATFORM"]["ORIGIN"]["value"][:, 0]  # stored with z up
    surface = np.column_stack([mx + fy * oz - fz * oy, my + fz * ox - fx * oz, mz + fx * oy - fy * ox])
    trial = read_trial(path)
    plate = trial.plates[0]
    # The plate is unloaded in the first 200 samples; relative to them the offsets on both sides are the same.
    force, moment = np.column_stack([fx, -fy, -fz]), surface * [1, -1, -1]
    force, moment = force - force[:200].mean(axis=0), moment - moment[:200].mean(axis=0)
    lab_force, lab_moment = plate.wrench.force_G @ trial.R_GL, plate.wrench.moment_G @ trial.R_GL
    lab_force, lab_moment = lab_force - lab_force[:200].mean(axis=0), lab_moment - lab_moment[:200].mean(axis=0)
    assert np.abs(force).max() > 380.0
    # The plate's x is the laboratory's x and its z down, but its corners are 1.6 mm off level: 0.003 rad of 400 N.
    np.testing.assert_allclose(lab_force, force, atol=1.5)
    np.testing.assert_allclose(lab_moment, moment, atol=0.3)
    # Lengths are independent of the tilt: only rounding to 32 bits is left.
    np.testing.assert_allclose(np.linalg.norm(lab_force, axis=1), np.linalg.norm(force, axis=1), atol=1e-3)


def library_plate(path, number):
    """Force (N), and centre of pressure (m), of the C3D library's own plate output, in laboratory axes."""
    import ezc3d

    plate = ezc3d.c3d(str(path), extract_forceplat_data=True)["data"]["platform"][number - 1]
    return plate["force"].T, plate["center_of_pressure"].T / 1000.0


# The library keeps the baseline: 2 N upward and 6 N sideways in TYPE-3, at sensors 101 mm deep, are 8 mm under 200 N.
@pytest.mark.parametrize(
    ("file", "number", "tolerance"),
    [
        ("zoo_HC032A/HC032A03.c3d", 1, 0.001),
        ("nantes/PiG_Motion3_FF.c3d", 3, 0.001),
        ("edge/platetype/TYPE-4.C3D", 1, 0.003),
        ("edge/platetype/TYPE-3.c3d", 1, 0.01),
    ],
)
def test_the_library_agrees_where_its_own_plate_output_is_right(trials, file, number, tolerance):
    force, cop = library_plate(trials / file, number)
    trial = read_trial(trials / file)
    plate = trial.plates[number - 1]
    ours = centre_of_pressure(plate.wrench, plate.corners_G, 200.0) @ trial.R_GL
    loaded = np.isfinite(ours[:, 0])
    assert loaded.sum() > 20
    np.testing.assert_allclose(plate.wrench.force_G @ trial.R_GL, force, atol=8.0)
    np.testing.assert_allclose(ours[loaded], cop[loaded], atol=tolerance)


def test_a_type_3_plate_with_positive_depth_is_the_librarys_mirrored_through_the_centre(trials):
    """The library turns the whole origin round, and with it the distances a and b of the sensors."""
    path = trials / "edge/platetype/128analogchannels.c3d"
    trial = read_trial(path)
    plate = trial.plates[2]
    _, library = library_plate(path, 3)
    centre = plate.corners_G.mean(axis=0) @ trial.R_GL
    ours = centre_of_pressure(plate.wrench, plate.corners_G, 800.0) @ trial.R_GL - centre
    loaded = np.isfinite(ours[:, 0])
    assert loaded.sum() > 20
    # Horizontal forces at the sensors' depth are not mirrored: 500 N at 75 mm under 800 N move the point 47 mm.
    np.testing.assert_allclose(ours[loaded, 1], -(library - centre)[loaded, 1], atol=0.06)
    assert np.abs(ours[loaded, 1]).max() > 0.15


def test_a_type_1_plate_without_an_analog_rate_is_read_in_a_laboratory_with_y_up(trials):
    trial = read_trial(trials / "edge/platetype/type1.C3D")
    assert trial.analog_rate == 100.0
    np.testing.assert_array_equal(trial.R_GL[Y], [0.0, 1.0, 0.0])
    assert 600.0 < trial.plates[0].wrench.force_G[:, Y].max() < 900.0


def test_the_unloaded_reading_that_zero_names_is_removed_where_the_plate_was_empty(trials):
    trial = read_trial(trials / "edge/platetype/TYPE-3.c3d")
    unloaded = [float(np.median(plate.wrench.force_G[:, Y])) for plate in trial.plates]
    # One count of these 12-bit channels is up to 1.5 N.
    np.testing.assert_allclose(unloaded, 0.0, atol=0.8)
    removed = [note.text for note in trial.notes if note.kind == "estimated" and note.subject == "plate 3"]
    assert len(removed) == 1
    assert re.match(r"unloaded reading of -21[12]\.\d N upward subtracted.*samples 1 to 20", removed[0])


def test_moments_that_wrapped_round_at_16_bits_are_named_and_put_back(trials):
    wrapped, real = (read_trial(trials / f"edge/platetype/analogfpscale04{kind}.c3d") for kind in ("i", ""))
    assert any(note.kind == "warning" and "Mx1 wrapped round at 16 bits" in note.text for note in wrapped.notes)
    np.testing.assert_allclose(wrapped.plates[0].wrench.moment_G, real.plates[0].wrench.moment_G, atol=0.1)


def test_absurd_loads_are_named(trials):
    trial = read_trial(trials / "edge/platetype/sample21.c3d")
    warnings = [note for note in trial.notes if note.kind == "warning"]
    assert {note.subject for note in warnings} >= {"plate 1", "plate 2"}
    assert all("pulls the subject down" in note.text for note in warnings if note.subject.startswith("plate"))


def test_gaps_are_missing_and_never_zero(trials):
    gait = read_trial(trials / "ist_metres/Gait with EMG.c3d")
    missing = np.isnan(gait.markers_G).all(axis=-1)
    assert missing.all(axis=1).sum() == 1
    for path in (trials / "edge/labels_params").iterdir():
        positions = read_trial(path).markers_G
        assert not (positions == 0.0).all(axis=-1).any(), path.name


def test_a_single_frame_is_a_recording(trials):
    trial = read_trial(trials / "edge/labels_params/PiG_Calibration-FlatFoot-One.c3d")
    assert trial.markers_G.shape == (1, 35, 3)
    assert trial.first_frame == 140
    assert trial.parameters["Bodymass"] == 0.0
    total = sum(float(plate.wrench.force_G[:, Y].mean()) for plate in trial.plates)
    assert 600.0 < total < 650.0


def test_stored_events_are_within_a_frame_of_the_stances_on_the_plates(trials):
    trial = read_trial(trials / "zoo_HC032A/HC032A03.c3d")
    frames = {(event.side, event.kind): round(event.time * trial.rate) for event in trial.events}
    stances = {
        ("right", "initial contact"): 27,
        ("right", "foot off"): 88,
        ("left", "initial contact"): 80,
        ("left", "foot off"): 141,
    }
    assert frames.keys() == stances.keys()
    assert all(abs(frames[key] - stances[key]) <= 1 for key in stances)


def test_zoo_markers_and_model_outputs_are_separated(trials):
    trial = read_trial(trials / "zoo_HC032A/HC032A03.c3d")
    assert trial.markers_G.shape == (211, 59, 3)
    assert {"LASI", "SACR", "LHFB", "RTOE", "RHLX"} <= set(trial.marker_names)
    outputs = trial.model_outputs
    assert {"CentreOfMass", "LHJC", "LFOF0", "RTIB3", "PELO", "LAnkleMoment", "LHFTBA"} <= outputs.keys()
    assert not outputs.keys() & set(trial.marker_names)
    assert outputs["RAnkleMoment"].units == "Nmm"
    assert outputs["RKneeAngles"].units == "deg"
    assert outputs["PELO"].units == "mm"
    # README: ankle plantarflexor peak of the right side, Nmm/kg in the file.
    assert np.nanmax(outputs["RAnkleMoment"].values[27:89, 0]) == pytest.approx(1190.0, abs=1.0)
    assert trial.parameters["LLegLength"] == 805.0
    assert "Static" in trial.parameters
    assert "static" not in trial.parameters, "$static is Static's name again once $ is left out"
