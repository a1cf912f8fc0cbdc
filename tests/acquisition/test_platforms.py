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
UNITS, IN_NM = ["N"] * 3 + ["Nmm"] * 3, ["N"] * 3 + ["Nm"] * 3


def plate_axes() -> np.ndarray:
    """Rotation of a tilted, turned plate: from its axes (z into the floor) to the laboratory's."""
    a, b, c = 0.4, 2.8, 1.1
    Rx = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    Ry = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    Rz = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    return Rz @ Rx @ Ry


R_LP = plate_axes()


def corners() -> np.ndarray:
    """Corners (4, 3) m in the quadrants +x+y, -x+y, -x-y, +x-y of the plate's axes."""
    quadrants = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]]) * [0.232, 0.254, 0.0]
    return CENTRE + quadrants @ R_LP.T


def a_load():
    """Force (Ta, 3), point (Ta, 3) on the surface, free moment (Ta,) along the upward normal; first half unloaded."""
    rng = np.random.default_rng(7)
    on = np.arange(SAMPLES) >= SAMPLES // 2
    force_P = rng.normal(0.0, 60.0, (SAMPLES, 3)) * on[:, None]
    force_P[:, 2] = -rng.uniform(500.0, 900.0, SAMPLES) * on  # on the subject: up, against the plate's z
    point_P = np.column_stack([rng.uniform(-0.2, 0.2, SAMPLES), rng.uniform(-0.2, 0.2, SAMPLES), np.zeros(SAMPLES)])
    twist = rng.normal(0.0, 5.0, SAMPLES) * on
    return force_P @ R_LP.T, CENTRE + point_P @ R_LP.T, twist


def moment_about(pivot, force, point, twist):
    """Moment (Ta, 3) of the load about a point, all in the laboratory's axes."""
    return np.cross(point - pivot, force) - twist[:, None] * R_LP[:, 2]


def platform(kind, channels, *, origin=ORIGIN, **extra):
    return {
        "USED": [1],
        "TYPE": [kind],
        "CORNERS": 1000.0 * corners().T[:, :, None],
        "ORIGIN": 1000.0 * np.asarray(origin)[:, None],
        "CHANNEL": np.arange(1, channels + 1)[:, None],
        "ZERO": [1, 0],
        **extra,
    }


def read_plate(write_c3d, analog, settings, units=UNITS, **more):
    groups = {"FORCE_PLATFORM": settings, **more}
    path = write_c3d(np.full((FRAMES, 1, 3), 500.0), ["LASI"], analog=analog, groups=groups, analog_units=units)
    return read_trial(path)


def in_lab(trial, vectors_G):
    return vectors_G @ trial.R_GL


def told(trial, text, kind=None):
    """Whether a note, of a kind where one is given, holds the text."""
    return any(text in note.text for note in trial.notes if kind in (None, note.kind))


def assert_loads(trial, force, moment, atol_force=FORCE_STEP, atol_moment=MOMENT_STEP):
    """The plate's force and moment about its centre are these of the laboratory."""
    plate = trial.plates[0]
    np.testing.assert_allclose(in_lab(trial, plate.wrench.force_G), force, atol=atol_force)
    np.testing.assert_allclose(in_lab(trial, plate.wrench.moment_G), moment, atol=atol_moment)


def assert_is_load(trial, load):
    """The plate's wrench is the composed load about the centre, and its centre of pressure the composed point."""
    plate = trial.plates[0]
    force, point, twist = load
    assert_loads(trial, force, moment_about(CENTRE, *load))
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
    force, point, twist = a_load()
    sensor = CENTRE - R_LP @ origin
    loads = np.hstack([force @ R_LP, 1000.0 * moment_about(sensor, force, point, twist) @ R_LP])
    return (force, point, twist), loads


POUND = 4.4482216152605  # N


@pytest.mark.parametrize(
    ("origin", "units", "values", "noted"),
    [
        (ORIGIN, UNITS, (1.0, 1e-3), ""),
        (-ORIGIN, UNITS, (1.0, 1e-3), "assumed: ORIGIN of 1 has a positive z"),
        (ORIGIN, IN_NM, (1.0, 1.0), ""),
        (ORIGIN, IN_NM, (1.0, 1e-3), "declared in units of 1 Nm"),
        (ORIGIN, [""] * 6, (1.0, 1e-3), "assumed: the force channels have no unit"),
        (ORIGIN, ["lbf"] * 3 + ["ft-lb"] * 3, (POUND, 0.3048 * POUND), ""),
        (ORIGIN, ["lbf"] * 3 + ["lbf.in"] * 3, (POUND, 0.0254 * POUND), ""),
    ],
)
def test_a_type_2_plate_of_any_orientation_gives_the_composed_load(write_c3d, origin, units, values, noted):
    """Whatever the units, whose values are in N and Nm, the sign of its origin's z, and the unit it declares.

    Only what it assumes and what contradicts where the load acts is noted.
    """
    load, channels = type_2_channels()
    channels /= np.repeat([values[0], 1000.0 * values[1]], 3)
    trial = read_plate(write_c3d, channels, platform(2, 6, origin=origin), units)
    assert_is_load(trial, load)
    notes = [f"{note.kind}: {note.text}" for note in trial.notes if note.subject.startswith("plate")]
    found = [text for text in notes if "assumed" in text or "declared in units" in text]
    assert [noted in text for text in found] == [True] * bool(noted), found


def test_newton_millimetres_declared_as_newton_metres_are_found_in_a_file_of_metres(write_c3d):
    load, channels = type_2_channels()
    settings = platform(2, 6)
    settings |= {name: settings[name] / 1000.0 for name in ("CORNERS", "ORIGIN")}
    path = write_c3d(
        np.full((FRAMES, 1, 3), 0.5),
        ["LASI"],
        analog=channels,
        point={"UNITS": ["m"]},
        groups={"FORCE_PLATFORM": settings},
        analog_units=IN_NM,
    )
    trial = read_trial(path)
    assert_is_load(trial, load)
    assert told(trial, "so they are read in units of 0.001 Nm")


@pytest.mark.parametrize(("half_diagonals", "kept"), [(1.8, True), (2.2, False)])
def test_a_moment_unit_stays_as_declared_where_the_load_is_within_two_half_diagonals(write_c3d, half_diagonals, kept):
    """By the median of the loaded samples; 0.344 m from the centre to a corner."""
    _, channels = type_2_channels()
    loaded = channels[:, 2] < 0.0
    lever = np.median(np.linalg.norm(channels[loaded, 3:5], axis=1) / -channels[loaded, 2])
    channels[:, 3:] *= half_diagonals * np.hypot(0.232, 0.254) / lever
    trial = read_plate(write_c3d, channels, platform(2, 6), IN_NM)
    assert told(trial, "declared in units of 1 Nm") is not kept


@pytest.mark.parametrize(("newtons", "named"), [(60.0, False), (160.0, True)])
def test_less_than_100_n_do_not_show_where_a_load_acts(write_c3d, newtons, named):
    """A moment of the load times a metre, as if it acted 0.7 m beside the plate."""
    loaded = (np.arange(SAMPLES) >= SAMPLES // 2)[:, None]
    channels = newtons * loaded * np.array([0.0, 0.0, -1.0, 1.0, 0.0, 0.0])
    trial = read_plate(write_c3d, channels, platform(2, 6), IN_NM)
    assert told(trial, "declared in units of 1 Nm") is named


def test_where_a_load_acts_is_judged_by_the_samples_above_half_of_the_largest(write_c3d):
    """A fifth of the loaded samples has 700 N at 0.1 m; the others have 150 N and the moment of an offset, at 1 m."""
    share = np.arange(SAMPLES) / SAMPLES
    newtons = np.select([share < 0.5, share < 0.9], [0.0, 150.0], 700.0)
    lever = np.where(newtons > 600.0, 0.1, 1.0)
    channels = np.outer(newtons, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0])
    channels[:, 3] = newtons * lever
    trial = read_plate(write_c3d, channels, platform(2, 6), IN_NM)
    assert not told(trial, "declared in units of")


def test_a_type_4_plate_applies_its_calibration_matrix_to_the_channels(write_c3d):
    load, loads = type_2_channels()
    rng = np.random.default_rng(3)
    calibration = np.diag([3.0, 3.0, 12.0, 1600.0, 1600.0, 780.0]) + rng.normal(0.0, 0.5, (6, 6))
    channels = loads @ np.linalg.inv(calibration).T
    settings = platform(4, 6, CAL_MATRIX=calibration[:, :, None])
    trial = read_plate(write_c3d, channels, settings, ["V"] * 6)
    assert_is_load(trial, load)


@pytest.mark.parametrize(("unit", "metres"), [("mm", 0.001), ("m", 1.0), ("cm", 0.01), ("in", 0.0254)])
def test_a_type_1_plate_stores_the_centre_of_pressure_itself_in_the_unit_of_its_channels(write_c3d, unit, metres):
    force, point, twist = a_load()
    # The free moment is along the upward normal, against the plate's z axis.
    channels = np.column_stack([force @ R_LP, ((point - CENTRE) @ R_LP)[:, :2] / metres, -1000.0 * twist])
    trial = read_plate(write_c3d, channels, platform(1, 6, origin=[0, 0, 0]), ["N"] * 3 + [unit, unit, "Nmm"])
    assert_is_load(trial, (force, point, twist))


def test_an_unknown_unit_of_moment_is_named(write_c3d):
    _, channels = type_2_channels()
    trial = read_plate(write_c3d, channels, platform(2, 6), ["N"] * 3 + ["kpcm"] * 3)
    assert told(trial, "'kpcm'; they are taken as Nmm", "assumed")
    assert not told(trial, "declared in units of")


def sensor_forces(a=0.12, b=0.2, depth=0.048):
    """Twelve channels, x, y, z at each of four sensors, and the load that they sum to about the surface's centre."""
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
    return pairs, force, moment


@pytest.mark.parametrize(("sign", "unit", "value"), [(-1.0, "N", 1.0), (1.0, "N", 1.0), (-1.0, "lbf", 4.4482216152605)])
def test_a_type_3_plate_sums_its_sensors_whatever_the_sign_of_the_depth(write_c3d, sign, unit, value):
    channels, force, moment = type_3_channels()
    settings = platform(3, 8, origin=[0.12, 0.2, sign * 0.048])
    trial = read_plate(write_c3d, channels / value, settings, [unit] * 8)
    assert_loads(trial, force, moment)


def test_an_offset_is_estimated_from_the_unloaded_samples_and_noted(write_c3d):
    load, channels = type_2_channels()
    offset = np.array([7.0, -3.0, 80.0, 900.0, -2000.0, 500.0])
    trial = read_plate(write_c3d, channels + offset, platform(2, 6))
    assert_is_load(trial, load)
    assert told(trial, "-80.0 N upward", "estimated")


def test_a_type_5_plate_of_eight_channels_gives_the_load_of_its_matrix(write_c3d):
    """Eight channels whose product with the matrix is the load composed in the laboratory's axes."""
    load, loads = type_2_channels()
    # Any 8 channels whose matrix product is the load: a pseudo-inverse spreads the six components over them.
    matrix = np.random.default_rng(5).normal(0.0, 1.0, (6, 8)) * [[1], [1], [3], [400], [400], [200]]
    channels = loads @ np.linalg.pinv(matrix).T
    trial = read_plate(write_c3d, channels, platform(5, 8, CAL_MATRIX=matrix[:, :, None]), ["V"] * 8)
    # 32-bit channels of 1e3 V times 400 Nmm/V leave 2e-2 Nmm each, eight of them 1e-4 Nm.
    assert trial.plates[0].type == 5
    assert_loads(trial, load[0], moment_about(CENTRE, *load), 2e-3, 2e-3)


@pytest.mark.parametrize(("kind", "sensors"), [(6, sensor_forces), (7, type_3_channels)])
def test_plates_of_types_6_and_7_sum_their_sensors_behind_a_matrix(write_c3d, kind, sensors):
    """Three forces at each of four sensors, and the eight sums of a plate of type 3."""
    channels, force, moment = sensors()
    count = channels.shape[1]
    matrix = np.eye(count) + 0.1 * np.random.default_rng(kind).normal(size=(count, count))
    settings = platform(kind, count, origin=[0.12, 0.2, -0.048], CAL_MATRIX=matrix[:, :, None])
    assert_loads(read_plate(write_c3d, channels @ np.linalg.inv(matrix).T, settings, ["N"] * count), force, moment)


def left_out(trial) -> dict[str, str]:
    return {note.subject: note.text for note in trial.notes if note.kind == "left out"}


def test_a_type_3_plate_with_six_channels_is_left_out_with_the_reason(write_c3d):
    channels, _, _ = type_3_channels()
    trial = read_plate(write_c3d, channels, platform(3, 6, origin=[0.12, 0.2, -0.048]), ["N"] * 8)
    assert trial.plates == ()
    assert "type 3 has 8 channels, but FORCE_PLATFORM:CHANNEL has the shape (6, 1)" in left_out(trial)["plate 1"]


def test_a_channel_that_does_not_exist_excludes_its_plate_only(write_c3d):
    """Two plates; the second names channels beyond the last: markers and first plate stay."""
    load, channels = type_2_channels()
    settings = platform(2, 6)
    for name in ("CORNERS", "ORIGIN", "CHANNEL"):
        settings[name] = np.concatenate([settings[name]] * 2, axis=-1)
    settings |= {"USED": [2], "TYPE": np.array([2, 2])}
    settings["CHANNEL"][:, 1] += 1
    trial = read_plate(write_c3d, channels, settings)
    assert_is_load(trial, load)
    assert len(trial.plates) == 1
    assert np.isfinite(trial.markers_G).all()
    assert "its channels [2, 3, 4, 5, 6, 7] are not 6 different ones of 6" in left_out(trial)["plate 2"]


def test_a_plate_whose_samples_are_no_numbers_is_the_only_one_left_out(write_c3d):
    _, channels = type_2_channels()
    channels[7, 2] = np.nan
    trial = read_plate(write_c3d, channels, platform(2, 6))
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
    _, channels = type_2_channels()
    trial = read_plate(write_c3d, channels, platform(2, 6) | change)
    assert trial.plates == ()
    assert reason in left_out(trial)["plate 1"]


def test_a_plate_that_pulls_the_subject_down_is_named(write_c3d):
    _, channels = type_2_channels()
    trial = read_plate(write_c3d, -channels, platform(2, 6))
    assert told(trial, "pulls the subject down", "warning")


@pytest.mark.parametrize(("mass", "named"), [(70.0, False), (10.0, True), (0.0, False)])
def test_a_load_that_the_subjects_mass_cannot_explain_is_named(write_c3d, mass, named):
    _, channels = type_2_channels()
    trial = read_plate(write_c3d, channels, platform(2, 6), PROCESSING={"Bodymass": [mass]})
    assert told(trial, "times the weight of") is named


def test_plates_without_analog_data_are_left_out(write_c3d):
    trial = read_plate(write_c3d, None, platform(2, 6))
    assert trial.plates == ()
    assert [*left_out(trial).values()] == ["the file declares 1 but holds no analog data"]


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
