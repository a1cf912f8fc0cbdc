"""Loads of force plates of types 1 to 7 against loads composed point by point in the laboratory's axes."""

import numpy as np
import pytest

from pipeline.acquisition import centre_of_pressure, free_moment, read_trial
from pipeline.acquisition.units import newton_metres

FRAMES, PER_FRAME = 40, 5
SAMPLES = FRAMES * PER_FRAME
CENTRE = np.array([0.7, -1.1, 0.35])
ORIGIN = np.array([0.004, -0.003, -0.041])  # m, sensors to surface, plate axes: z down, so negative
# The C3D library stores 32-bit reals: 900 N and 300 000 Nmm have steps of 6e-5 N and 0.03 Nmm.
FORCE_STEP, MOMENT_STEP = 2e-4, 2e-4


def plate_axes() -> np.ndarray:
    """Rotation of a tilted, turned plate: from its axes (z into the floor) to the laboratory's."""
    a, b, c = 0.4, 2.8, 1.1
    Rx = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    Ry = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    Rz = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    return Rz @ Rx @ Ry


def corners(R_LP: np.ndarray) -> np.ndarray:
    """Corners (4, 3) m in the quadrants +x+y, -x+y, -x-y, +x-y of the plate's axes."""
    quadrants = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]]) * [0.232, 0.254, 0.0]
    return CENTRE + quadrants @ R_LP.T


def a_load(R_LP: np.ndarray):
    """Force (Ta, 3), point (Ta, 3) on the surface, free moment (Ta,) along the upward normal; first half unloaded."""
    rng = np.random.default_rng(7)
    on = np.arange(SAMPLES) >= SAMPLES // 2
    force_P = rng.normal(0.0, 60.0, (SAMPLES, 3)) * on[:, None]
    force_P[:, 2] = -rng.uniform(500.0, 900.0, SAMPLES) * on  # on the subject: up, against the plate's z
    point_P = np.column_stack([rng.uniform(-0.2, 0.2, SAMPLES), rng.uniform(-0.2, 0.2, SAMPLES), np.zeros(SAMPLES)])
    twist = rng.normal(0.0, 5.0, SAMPLES) * on
    return force_P @ R_LP.T, CENTRE + point_P @ R_LP.T, twist


def moment_about(pivot, force, point, twist, R_LP):
    """Moment (Ta, 3) of the load about a point, all in the laboratory's axes."""
    return np.cross(point - pivot, force) - twist[:, None] * R_LP[:, 2]


def platform(kind, channels, *, origin=ORIGIN, R_LP=None, **extra):
    R_LP = plate_axes() if R_LP is None else R_LP
    return {
        "USED": [1],
        "TYPE": [kind],
        "CORNERS": 1000.0 * corners(R_LP).T[:, :, None],
        "ORIGIN": 1000.0 * np.asarray(origin)[:, None],
        "CHANNEL": np.arange(1, channels + 1)[:, None],
        "ZERO": [1, 0],
        **extra,
    }


def read_plate(write_c3d, analog, settings, units):
    points = np.full((FRAMES, 1, 3), 500.0)
    path = write_c3d(points, ["LASI"], analog=analog, groups={"FORCE_PLATFORM": settings}, analog_units=units)
    trial = read_trial(path)
    return trial, trial.plates[0]


def in_lab(trial, vectors_G):
    return vectors_G @ trial.R_GL


def assert_is_load(trial, plate, force, point, twist, R_LP):
    """The plate's wrench is the composed load about the centre, and its centre of pressure the composed point."""
    expected_moment = moment_about(CENTRE, force, point, twist, R_LP)
    np.testing.assert_allclose(in_lab(trial, plate.wrench.force_G), force, atol=FORCE_STEP)
    np.testing.assert_allclose(in_lab(trial, plate.wrench.moment_G), expected_moment, atol=MOMENT_STEP)
    np.testing.assert_allclose(in_lab(trial, plate.wrench.point_G), np.tile(CENTRE, (SAMPLES, 1)), atol=1e-6)
    cop = in_lab(trial, centre_of_pressure(plate.wrench, plate.corners_G, 50.0))
    loaded = np.linalg.norm(force, axis=1) > 0
    assert loaded.any()
    assert np.isnan(cop[~loaded]).all()
    # 500 N and a moment step of 2e-4 Nm leave 1e-6 m.
    np.testing.assert_allclose(cop[loaded], point[loaded], atol=2e-6)
    twisting = in_lab(trial, free_moment(plate.wrench, plate.corners_G, 50.0))
    np.testing.assert_allclose(twisting[loaded], -twist[loaded, None] * R_LP[:, 2], atol=4e-4)


def type_2_channels(origin=ORIGIN):
    """Forces (N) and moments (Nmm) about the sensors' origin, which is below the surface's centre."""
    R_LP = plate_axes()
    force, point, twist = a_load(R_LP)
    sensor = CENTRE - R_LP @ origin
    loads = np.hstack([force @ R_LP, 1000.0 * moment_about(sensor, force, point, twist, R_LP) @ R_LP])
    return R_LP, (force, point, twist), loads


UNITS = ["N"] * 3 + ["Nmm"] * 3


def test_a_type_2_plate_of_any_orientation_gives_the_composed_load(write_c3d):
    R_LP, load, channels = type_2_channels()
    trial, plate = read_plate(write_c3d, channels, platform(2, 6), UNITS)
    assert_is_load(trial, plate, *load, R_LP)


def test_a_type_2_origin_with_positive_z_is_the_opposite_vector(write_c3d):
    R_LP, load, channels = type_2_channels()
    trial, plate = read_plate(write_c3d, channels, platform(2, 6, origin=-ORIGIN), UNITS)
    assert_is_load(trial, plate, *load, R_LP)
    assert any(note.kind == "assumed" and "ORIGIN of 1" in note.text for note in trial.notes)


def test_moments_in_newton_metres_are_not_scaled_twice(write_c3d):
    R_LP, load, channels = type_2_channels()
    trial, plate = read_plate(write_c3d, channels / ([1.0] * 3 + [1000.0] * 3), platform(2, 6), ["N"] * 3 + ["Nm"] * 3)
    assert_is_load(trial, plate, *load, R_LP)


def test_a_wrongly_declared_moment_unit_is_found_by_where_the_load_then_acts(write_c3d):
    R_LP, load, channels = type_2_channels()
    trial, plate = read_plate(write_c3d, channels, platform(2, 6), ["N"] * 3 + ["Nm"] * 3)
    assert_is_load(trial, plate, *load, R_LP)
    assert any(note.kind == "warning" and "declared in units of 1 Nm" in note.text for note in trial.notes)


def test_newton_millimetres_declared_as_newton_metres_are_found_in_a_file_of_metres(write_c3d):
    R_LP, load, channels = type_2_channels()
    settings = platform(2, 6)
    settings |= {name: settings[name] / 1000.0 for name in ("CORNERS", "ORIGIN")}
    path = write_c3d(
        np.full((FRAMES, 1, 3), 0.5),
        ["LASI"],
        analog=channels,
        point={"UNITS": ["m"]},
        groups={"FORCE_PLATFORM": settings},
        analog_units=["N"] * 3 + ["Nm"] * 3,
    )
    trial = read_trial(path)
    assert_is_load(trial, trial.plates[0], *load, R_LP)
    assert any("so they are read in units of 0.001 Nm" in note.text for note in trial.notes)


@pytest.mark.parametrize(("half_diagonals", "kept"), [(1.8, True), (2.2, False)])
def test_a_moment_unit_stays_as_declared_where_the_load_is_within_two_half_diagonals(write_c3d, half_diagonals, kept):
    """By the median of the loaded samples; 0.344 m from the centre to a corner."""
    _, _, channels = type_2_channels()
    loaded = channels[:, 2] < 0.0
    lever = np.median(np.linalg.norm(channels[loaded, 3:5], axis=1) / -channels[loaded, 2])
    channels[:, 3:] *= half_diagonals * np.hypot(0.232, 0.254) / lever
    trial, _ = read_plate(write_c3d, channels, platform(2, 6), ["N"] * 3 + ["Nm"] * 3)
    assert any("declared in units of 1 Nm" in note.text for note in trial.notes) is not kept


@pytest.mark.parametrize(("newtons", "told"), [(60.0, False), (160.0, True)])
def test_less_than_100_n_do_not_show_where_a_load_acts(write_c3d, newtons, told):
    """A moment of the load times a metre, as if it acted 0.7 m beside the plate."""
    loaded = (np.arange(SAMPLES) >= SAMPLES // 2)[:, None]
    channels = newtons * loaded * np.array([0.0, 0.0, -1.0, 1.0, 0.0, 0.0])
    trial, _ = read_plate(write_c3d, channels, platform(2, 6), ["N"] * 3 + ["Nm"] * 3)
    assert any("declared in units of 1 Nm" in note.text for note in trial.notes) == told


def test_where_a_load_acts_is_judged_by_the_samples_above_half_of_the_largest(write_c3d):
    """A fifth of the loaded samples has 700 N at 0.1 m; the others have 150 N and the moment of an offset, at 1 m."""
    share = np.arange(SAMPLES) / SAMPLES
    newtons = np.select([share < 0.5, share < 0.9], [0.0, 150.0], 700.0)
    lever = np.where(newtons > 600.0, 0.1, 1.0)
    channels = np.outer(newtons, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0])
    channels[:, 3] = newtons * lever
    trial, _ = read_plate(write_c3d, channels, platform(2, 6), ["N"] * 3 + ["Nm"] * 3)
    assert not any("declared in units of" in note.text for note in trial.notes)


def test_force_channels_without_a_unit_are_taken_as_newtons_and_noted(write_c3d):
    R_LP, load, channels = type_2_channels()
    trial, plate = read_plate(write_c3d, channels, platform(2, 6), [""] * 6)
    assert_is_load(trial, plate, *load, R_LP)
    assert [
        note.text.split(";")[0] for note in trial.notes if note.kind == "assumed" and note.subject == "plate 1"
    ] == ["the force channels have no unit"]


def test_a_type_4_plate_applies_its_calibration_matrix_to_the_channels(write_c3d):
    R_LP, load, loads = type_2_channels()
    rng = np.random.default_rng(3)
    calibration = np.diag([3.0, 3.0, 12.0, 1600.0, 1600.0, 780.0]) + rng.normal(0.0, 0.5, (6, 6))
    channels = loads @ np.linalg.inv(calibration).T
    settings = platform(4, 6, CAL_MATRIX=calibration[:, :, None])
    trial, plate = read_plate(write_c3d, channels, settings, ["V"] * 6)
    assert_is_load(trial, plate, *load, R_LP)


def test_a_type_1_plate_stores_the_centre_of_pressure_itself(write_c3d):
    R_LP = plate_axes()
    force, point, twist = a_load(R_LP)
    # The free moment is along the upward normal, against the plate's z axis.
    channels = np.column_stack([force @ R_LP, 1000.0 * ((point - CENTRE) @ R_LP)[:, :2], -1000.0 * twist])
    trial, plate = read_plate(write_c3d, channels, platform(1, 6, origin=[0, 0, 0]), ["N"] * 3 + ["mm", "mm", "Nmm"])
    assert_is_load(trial, plate, force, point, twist, R_LP)


@pytest.mark.parametrize(("unit", "metres"), [("m", 1.0), ("cm", 0.01), ("in", 0.0254)])
def test_a_type_1_centre_of_pressure_is_in_the_unit_of_its_channels(write_c3d, unit, metres):
    R_LP = plate_axes()
    force, point, twist = a_load(R_LP)
    channels = np.column_stack([force @ R_LP, ((point - CENTRE) @ R_LP)[:, :2] / metres, -1000.0 * twist])
    trial, plate = read_plate(write_c3d, channels, platform(1, 6, origin=[0, 0, 0]), ["N"] * 3 + [unit, unit, "Nmm"])
    assert_is_load(trial, plate, force, point, twist, R_LP)


@pytest.mark.parametrize(("unit", "value"), [("ft-lb", 0.3048 * 4.4482216152605), ("lbf.in", 0.0254 * 4.4482216152605)])
def test_pounds_and_their_moments_are_converted(write_c3d, unit, value):
    R_LP, load, channels = type_2_channels()
    scaled = channels / ([4.4482216152605] * 3 + [1000.0 * value] * 3)
    trial, plate = read_plate(write_c3d, scaled, platform(2, 6), ["lbf"] * 3 + [unit] * 3)
    assert_is_load(trial, plate, *load, R_LP)
    assert not any(note.kind == "assumed" and note.subject == "plate 1" for note in trial.notes)


def test_an_unknown_unit_of_moment_is_named(write_c3d):
    _, _, channels = type_2_channels()
    trial, _ = read_plate(write_c3d, channels, platform(2, 6), ["N"] * 3 + ["kpcm"] * 3)
    assert any(note.kind == "assumed" and "'kpcm'; they are taken as Nmm" in note.text for note in trial.notes)
    assert not any("declared in units of" in note.text for note in trial.notes)


def sensor_forces(a=0.12, b=0.2, depth=0.048):
    """Twelve channels, x, y, z at each of four sensors, and the load that they sum to about the surface's centre."""
    R_LP = plate_axes()
    rng = np.random.default_rng(11)
    on = (np.arange(SAMPLES) >= SAMPLES // 2)[:, None, None]
    sensors = np.array([[a, b, depth], [-a, b, depth], [-a, -b, depth], [a, -b, depth]])
    forces = rng.normal(0.0, 20.0, (SAMPLES, 4, 3)) * on
    forces[..., 2] = -rng.uniform(100.0, 250.0, (SAMPLES, 4)) * on[..., 0]
    force, moment = forces.sum(axis=1), np.cross(sensors, forces).sum(axis=1)
    return forces.reshape(SAMPLES, 12), force @ R_LP.T, moment @ R_LP.T


def type_3_channels():
    """Eight channels from the forces at four sensors, and the load that these sum to about the surface's centre."""
    channels, force, moment = sensor_forces()
    x, y, z = np.moveaxis(channels.reshape(SAMPLES, 4, 3), -1, 0)
    pairs = np.column_stack([x[:, 0] + x[:, 1], x[:, 2] + x[:, 3], y[:, 0] + y[:, 3], y[:, 1] + y[:, 2], z])
    return plate_axes(), pairs, force, moment


@pytest.mark.parametrize(("sign", "unit", "value"), [(-1.0, "N", 1.0), (1.0, "N", 1.0), (-1.0, "lbf", 4.4482216152605)])
def test_a_type_3_plate_sums_its_sensors_whatever_the_sign_of_the_depth(write_c3d, sign, unit, value):
    _, channels, force, moment = type_3_channels()
    settings = platform(3, 8, origin=[0.12, 0.2, sign * 0.048])
    trial, plate = read_plate(write_c3d, channels / value, settings, [unit] * 8)
    np.testing.assert_allclose(in_lab(trial, plate.wrench.force_G), force, atol=FORCE_STEP)
    np.testing.assert_allclose(in_lab(trial, plate.wrench.moment_G), moment, atol=MOMENT_STEP)


def test_an_offset_is_estimated_from_the_unloaded_samples_and_noted(write_c3d):
    R_LP, load, channels = type_2_channels()
    offset = np.array([7.0, -3.0, 80.0, 900.0, -2000.0, 500.0])
    trial, plate = read_plate(write_c3d, channels + offset, platform(2, 6), UNITS)
    assert_is_load(trial, plate, *load, R_LP)
    assert any(note.kind == "estimated" and "-80.0 N upward" in note.text for note in trial.notes)


def test_a_type_5_plate_of_eight_channels_gives_the_load_of_its_matrix(write_c3d):
    """Eight channels whose product with the matrix is the load composed in the laboratory's axes."""
    R_LP, load, loads = type_2_channels()
    # Any 8 channels whose matrix product is the load: a pseudo-inverse spreads the six components over them.
    matrix = np.random.default_rng(5).normal(0.0, 1.0, (6, 8)) * [[1], [1], [3], [400], [400], [200]]
    channels = loads @ np.linalg.pinv(matrix).T
    trial, plate = read_plate(write_c3d, channels, platform(5, 8, CAL_MATRIX=matrix[:, :, None]), ["V"] * 8)
    # 32-bit channels of 1e3 V times 400 Nmm/V leave 2e-2 Nmm each, eight of them 1e-4 Nm.
    assert plate.type == 5
    np.testing.assert_allclose(in_lab(trial, plate.wrench.force_G), load[0], atol=2e-3)
    expected = moment_about(CENTRE, *load, R_LP)
    np.testing.assert_allclose(in_lab(trial, plate.wrench.moment_G), expected, atol=2e-3)


def constant_load(write_c3d, settings, channels, units):
    """Force and moment about the centre, in plate axes, while the channels hold these values in the second half."""
    loaded = (np.arange(SAMPLES) >= SAMPLES // 2)[:, None]
    trial, plate = read_plate(write_c3d, np.array(channels) * loaded, settings, units)
    vectors_G = (plate.wrench.force_G, plate.wrench.moment_G)
    return tuple(in_lab(trial, vector)[-1] @ plate_axes() for vector in vectors_G)


def test_a_type_5_load_worked_by_hand(write_c3d):
    """Channels C, D, A, B (z, 2 N/V), YAC, XDC, XAB, YBD (1 N/V); A is at x = 200, y = 150 mm, B, D, C follow.

    Fz = 2 (-100 - 60 - 100 - 150) = -820 N; Mx = 150 * 2 ((A + B) - (C + D)) = 300 (-250 + 160) = -27 000 Nmm;
    My = -200 * 2 ((A + C) - (B + D)) = -400 (-200 + 210) = -4000 Nmm; Mz = 100 (YAC - YBD) = 600 Nmm. From sensors
    40 mm deep to the surface: -(0, 0, -40) x (10, 4, -820) adds (-160, 400, 0) Nmm.
    """
    matrix = np.array(
        [
            [0, 0, 0, 0, 0, 1, 1, 0],
            [0, 0, 0, 0, 1, 0, 0, 1],
            [2, 2, 2, 2, 0, 0, 0, 0],
            [-300, -300, 300, 300, 0, 0, 0, 0],
            [-400, 400, -400, 400, 0, 0, 0, 0],
            [0, 0, 0, 0, 100, 0, 0, -100],
        ],
        dtype=float,
    )
    settings = platform(5, 8, origin=[0.0, 0.0, -0.04], CAL_MATRIX=matrix[:, :, None])
    force, moment = constant_load(write_c3d, settings, [-100, -60, -100, -150, 5, 6, 4, -1], ["V"] * 8)
    np.testing.assert_allclose(force, [10.0, 4.0, -820.0], atol=FORCE_STEP)
    np.testing.assert_allclose(moment, [-27.16, -3.6, 0.6], atol=MOMENT_STEP)


def test_a_type_7_load_worked_by_hand(write_c3d):
    """The first vertical sensor has half the gain, so that four sensors carry 100 N each; 10 N along x at 1 and 2.

    Mz = 0.2 (0 - 10) = -2 Nm; sensors 50 mm deep: -(0, 0, -0.05) x (10, 0, -400) = (0, 0.5, 0) Nm.
    """
    matrix = np.diag([1.0, 1, 1, 1, 2, 1, 1, 1])
    settings = platform(7, 8, origin=[0.12, 0.2, -0.05], CAL_MATRIX=matrix[:, :, None])
    force, moment = constant_load(write_c3d, settings, [10, 0, 0, 0, -50, -100, -100, -100], ["N"] * 8)
    np.testing.assert_allclose(force, [10.0, 0.0, -400.0], atol=FORCE_STEP)
    np.testing.assert_allclose(moment, [0.0, 0.5, -2.0], atol=MOMENT_STEP)


def test_a_type_6_plate_sums_three_forces_at_each_of_four_sensors(write_c3d):
    channels, force, moment = sensor_forces()
    calibration = np.eye(12) + 0.1 * np.random.default_rng(6).normal(size=(12, 12))
    settings = platform(6, 12, origin=[0.12, 0.2, -0.048], CAL_MATRIX=calibration[:, :, None])
    trial, plate = read_plate(write_c3d, channels @ np.linalg.inv(calibration).T, settings, ["N"] * 12)
    np.testing.assert_allclose(in_lab(trial, plate.wrench.force_G), force, atol=FORCE_STEP)
    np.testing.assert_allclose(in_lab(trial, plate.wrench.moment_G), moment, atol=MOMENT_STEP)


def test_a_type_6_load_worked_by_hand(write_c3d):
    """100 N up at each sensor and 10 N along x at sensors 1 and 2, which are 50 mm deep at y = 0.2 m, x = ±0.1 m.

    About the surface's centre: no moment from the verticals; x forces at depth: My = 0.05 * 20 = 1 Nm; at y = 0.2 m:
    Mz = -0.2 * 20 = -4 Nm, all in plate axes, whose z points down.
    """
    up, along = [0.0, 0.0, -100.0], [10.0, 0.0, -100.0]
    settings = platform(6, 12, origin=[0.1, 0.2, -0.05], CAL_MATRIX=np.eye(12)[:, :, None])
    force, moment = constant_load(write_c3d, settings, [*along, *along, *up, *up], ["N"] * 12)
    np.testing.assert_allclose(force, [20.0, 0.0, -400.0], atol=FORCE_STEP)
    np.testing.assert_allclose(moment, [0.0, 1.0, -4.0], atol=MOMENT_STEP)


def test_a_type_7_plate_is_a_type_3_plate_behind_a_matrix(write_c3d):
    _, channels, force, moment = type_3_channels()
    calibration = np.eye(8) + 0.1 * np.random.default_rng(8).normal(size=(8, 8))
    settings = platform(7, 8, origin=[0.12, 0.2, -0.048], CAL_MATRIX=calibration[:, :, None])
    trial, plate = read_plate(write_c3d, channels @ np.linalg.inv(calibration).T, settings, ["N"] * 8)
    np.testing.assert_allclose(in_lab(trial, plate.wrench.force_G), force, atol=FORCE_STEP)
    np.testing.assert_allclose(in_lab(trial, plate.wrench.moment_G), moment, atol=MOMENT_STEP)


def left_out(trial) -> dict[str, str]:
    return {note.subject: note.text for note in trial.notes if note.kind == "left out"}


def read_any(write_c3d, analog, settings, units):
    points = np.full((FRAMES, 1, 3), 500.0)
    return read_trial(
        write_c3d(points, ["LASI"], analog=analog, groups={"FORCE_PLATFORM": settings}, analog_units=units)
    )


def test_a_type_3_plate_with_six_channels_is_left_out_with_the_reason(write_c3d):
    _, channels, _, _ = type_3_channels()
    trial = read_any(write_c3d, channels, platform(3, 6, origin=[0.12, 0.2, -0.048]), ["N"] * 8)
    assert trial.plates == ()
    assert "type 3 has 8 channels, but FORCE_PLATFORM:CHANNEL has the shape (6, 1)" in left_out(trial)["plate 1"]


def test_a_channel_that_does_not_exist_excludes_its_plate_only(write_c3d):
    """Two plates; the second names channels beyond the last: markers and first plate stay."""
    R_LP, load, channels = type_2_channels()
    settings = platform(2, 6)
    for name in ("CORNERS", "ORIGIN", "CHANNEL"):
        settings[name] = np.concatenate([settings[name]] * 2, axis=-1)
    settings |= {"USED": [2], "TYPE": np.array([2, 2])}
    settings["CHANNEL"][:, 1] += 1
    trial = read_any(write_c3d, channels, settings, UNITS)
    assert_is_load(trial, trial.plates[0], *load, R_LP)
    assert len(trial.plates) == 1
    assert np.isfinite(trial.markers_G).all()
    assert "its channels [2, 3, 4, 5, 6, 7] are not 6 different ones of 6" in left_out(trial)["plate 2"]


def test_a_plate_whose_samples_are_no_numbers_is_the_only_one_left_out(write_c3d):
    _, _, channels = type_2_channels()
    channels[7, 2] = np.nan
    trial = read_any(write_c3d, channels, platform(2, 6), UNITS)
    assert trial.plates == ()
    assert "not numbers" in left_out(trial)["plate 1"]


SQUARE = np.array([[400.0, 400, 0], [0, 400, 0], [0, 0, 0], [400, 0, 0]]).T[:, :, None]
ON_A_LINE = np.array([[0.0, 0, 0], [400, 100, 0], [800, 200, 0], [1600, 400, 0]]).T[:, :, None]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"TYPE": [8]}, "type is 8"),
        ({"TYPE": [4]}, "type 4 needs a matrix of 6 x 6"),
        ({"CORNERS": np.zeros((3, 4, 1))}, "corners span no plate: the shortest side is 0 m (expected 0.05 to 3 m)"),
        ({"CORNERS": 10.0 * SQUARE}, "as if they were never set, or in another unit than the markers"),
        ({"CORNERS": SQUARE[:, [0, 2, 1, 3]]}, "corners span no surface in their order, as if two were"),
        ({"CORNERS": ON_A_LINE}, "corners span no surface"),
    ],
)
def test_a_plate_that_was_never_set_up_is_left_out_with_the_reason(write_c3d, change, reason):
    _, _, channels = type_2_channels()
    points = np.full((FRAMES, 1, 3), 500.0)
    path = write_c3d(points, ["LASI"], analog=channels, groups={"FORCE_PLATFORM": platform(2, 6) | change})
    trial = read_trial(path)
    assert trial.plates == ()
    assert any(note.kind == "left out" and note.subject == "plate 1" and reason in note.text for note in trial.notes)


def test_a_plate_that_pulls_the_subject_down_is_named(write_c3d):
    _, _, channels = type_2_channels()
    trial, _ = read_plate(write_c3d, -channels, platform(2, 6), UNITS)
    assert any(note.kind == "warning" and "pulls the subject down" in note.text for note in trial.notes)


@pytest.mark.parametrize(("mass", "named"), [(70.0, False), (10.0, True), (0.0, False)])
def test_a_load_that_the_subjects_mass_cannot_explain_is_named(write_c3d, mass, named):
    _, _, channels = type_2_channels()
    groups = {"FORCE_PLATFORM": platform(2, 6), "PROCESSING": {"Bodymass": [mass]}}
    path = write_c3d(np.full((FRAMES, 1, 3), 500.0), ["LASI"], analog=channels, groups=groups, analog_units=UNITS)
    assert any("times the weight of" in note.text for note in read_trial(path).notes) is named


def test_plates_without_analog_data_are_left_out(write_c3d):
    path = write_c3d(np.full((FRAMES, 1, 3), 500.0), ["LASI"], groups={"FORCE_PLATFORM": platform(2, 6)})
    trial = read_trial(path)
    assert trial.plates == ()
    assert [note.text for note in trial.notes if note.kind == "left out"] == [
        "the file declares 1 but holds no analog data"
    ]


@pytest.mark.parametrize(
    ("unit", "value"),
    [
        ("Nmm", 1e-3),
        ("N.m", 1.0),
        ("ntmm", 1e-3),
        ("N*mm", 1e-3),
        ("kNm", 1e3),
        ("N\u00b7mm", 1e-3),
        ("Newton-meter", 1.0),
        ("newton millimetres", 1e-3),
        ("kgf m", 9.80665),
        ("mN", None),
        ("V", None),
        ("", None),
    ],
)
def test_units_of_moment_are_read_in_the_spellings_that_files_use(unit, value):
    assert newton_metres(unit) == value
