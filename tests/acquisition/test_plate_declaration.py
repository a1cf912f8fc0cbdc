"""Contradictions in the declaration of force plates are named in one sentence, and plausible ones are not."""

import numpy as np
import pytest

from pipeline.acquisition import read_trial

FRAMES, SAMPLES = 20, 100
CORNERS = np.array([[0, 400, 0], [0, 0, 0], [500, 0, 0], [500, 400, 0.0]])  # mm; x along lab y, z down


def plates(count: int = 1, **change) -> dict:
    settings = {
        "USED": [count],
        "TYPE": np.full(count, 2),
        "ZERO": [1, 0],
        "CORNERS": np.stack([(CORNERS + np.array([600.0 * k, 0.0, 0.0])).T for k in range(count)], axis=-1),
        "ORIGIN": np.tile([[0.5], [-0.3], [-40.0]], count),
        "CHANNEL": np.arange(1, 6 * count + 1).reshape(count, 6).T,
    }
    return settings | change


def notes_on_plates(write_c3d, settings, channels=12):
    """Warnings and omissions, as (subject, text), of a file in which somebody steps on every plate."""
    analog = np.random.default_rng(2).normal(0.0, 0.1, (SAMPLES, channels))
    analog[50:, 2::6] -= 700.0
    analog[50:, 0::6] += 20.0
    points = np.full((FRAMES, 1, 3), 500.0)
    units = [["N", "N", "N", "Nmm", "Nmm", "Nmm"][k % 6] for k in range(channels)]
    path = write_c3d(points, ["LASI"], analog=analog, groups={"FORCE_PLATFORM": settings}, analog_units=units)
    trial = read_trial(path)
    found = [(note.subject, note.text) for note in trial.notes if note.kind in ("warning", "left out")]
    return trial, [(subject, text) for subject, text in found if subject.startswith("plate")]


def test_sound_declarations_raise_no_warning(write_c3d):
    trial, found = notes_on_plates(write_c3d, plates(2))
    assert len(trial.plates) == 2
    assert found == []


@pytest.mark.parametrize("kind", [2, 3])
@pytest.mark.parametrize("place", [(4000.0, -3000.0, 0.0), (-250.0, -2000.0, 90.0)])
def test_where_a_plate_lies_does_not_matter(write_c3d, kind, place):
    corners = (CORNERS + np.array(place)).T[:, :, None]
    origin = np.array([[120.0], [150.0], [-40.0]]) if kind == 3 else np.array([[0.5], [-0.3], [-40.0]])
    channels = np.arange(1, 9 if kind == 3 else 7)[:, None]
    trial, found = notes_on_plates(write_c3d, plates(CORNERS=corners, TYPE=[kind], ORIGIN=origin, CHANNEL=channels))
    assert len(trial.plates) == 1
    assert not [text for _, text in found if "corners" in text or "sensors" in text]


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 0.0, 13.0])
def test_a_channel_that_is_no_number_of_the_file_leaves_its_plate_out(write_c3d, number):
    channels = np.array([number, 2.0, 3.0, 4.0, 5.0, 6.0])[:, None]
    trial, ((subject, _),) = notes_on_plates(write_c3d, plates(CHANNEL=channels))
    assert trial.plates == ()
    assert subject == "plate 1"


@pytest.mark.parametrize(
    ("used", "described", "read", "told"),
    [(3, 2, 2, "TYPE describes 2 plates, and only these are read"), (1, 2, 1, "so 2 is not read")],
)
def test_a_number_of_plates_that_contradicts_their_description_is_named(write_c3d, used, described, read, told):
    trial, ((subject, text),) = notes_on_plates(write_c3d, plates(described) | {"USED": [used]})
    assert len(trial.plates) == read
    assert subject == "plates"
    assert f"USED is {used}, " in text
    assert told in text


def with_corner(moved: list[float]) -> dict:
    corners = CORNERS.copy()
    corners[2] += moved
    return {"CORNERS": corners.T[:, :, None]}


def test_corners_of_a_rectangle_within_measurement_error_pass(write_c3d):
    assert notes_on_plates(write_c3d, plates(**with_corner([3.0, -3.0, 2.0])))[1] == []


@pytest.mark.parametrize(
    ("change", "read", "told"),
    [
        (with_corner([60.0, 0.0, 0.0]), 1, "mm from the nearest rectangle (limit 10 mm)"),
        (with_corner([400.0, 0.0, 0.0]), 0, "its corners are not a rectangle"),
        ({"CORNERS": CORNERS[[0, 2, 1, 3]].T[:, :, None]}, 0, "its corners"),
    ],
)
def test_corners_that_are_no_rectangle_are_named_and_leave_the_plate_out_if_far_or_exchanged(
    write_c3d, change, read, told
):
    """One corner 60 mm off, of which three quarters remain at the fitted rectangle at most, or 400 mm off 500."""
    trial, ((subject, text),) = notes_on_plates(write_c3d, plates(**change))
    assert (len(trial.plates), subject) == (read, "plate 1")
    assert told in text


@pytest.mark.parametrize("depth", [0.0, -16.0, -40.0, -101.0, 40.0])
def test_usual_depths_of_the_sensors_pass(write_c3d, depth):
    assert notes_on_plates(write_c3d, plates(ORIGIN=np.array([[0.5], [-0.3], [depth]])))[1] == []


@pytest.mark.parametrize("depth", [-4.0, -400.0])
def test_an_origin_ten_times_off_is_named_and_left(write_c3d, depth):
    _, ((_, text),) = notes_on_plates(write_c3d, plates(ORIGIN=np.array([[0.0], [0.0], [depth]])))
    assert f"sensors {-depth:.3g} mm below the surface (expected 8 to 250 mm, or 0)" in text
    assert "is read" not in text


@pytest.mark.parametrize("depth", [-0.04, -40_000.0])
def test_an_origin_in_metres_in_a_file_of_millimetres_is_mended(write_c3d, depth):
    """20 N along the plate's x at sensors 40 mm below the surface are -0.8 Nm about y more at the surface."""
    settings = plates(ORIGIN=np.array([[0.0], [0.0], [depth]]))
    trial, ((_, text),) = notes_on_plates(write_c3d, settings)
    assert f"it is multiplied by {1000 if depth > -1 else 0.001:g}" in text
    sound, _ = notes_on_plates(write_c3d, plates(ORIGIN=np.array([[0.0], [0.0], [-40.0]])))
    np.testing.assert_allclose(trial.plates[0].wrench.moment_G, sound.plates[0].wrench.moment_G, atol=1e-6)


@pytest.mark.parametrize(
    ("half_distances", "named"),
    [
        ((120.0, 150.0), False),
        ((12.0, 15.0), True),
        ((65.0, 270.0), False),
        ((215.0, 80.0), False),
        ((225.0, 150.0), True),
        ((120.0, 280.0), True),
        ((55.0, 150.0), True),
        ((120.0, 70.0), True),
    ],
)
def test_distances_of_four_sensors_that_do_not_fit_the_plate_are_named(write_c3d, half_distances, named):
    """From 60 to 220 mm along the side of 400 mm, from 75 to 275 mm along that of 500 mm."""
    origin = np.array([*half_distances, -40.0])[:, None]
    settings = plates(TYPE=np.array([3]), ORIGIN=origin, CHANNEL=np.arange(1, 9)[:, None])
    _, found = notes_on_plates(write_c3d, settings)
    assert [subject for subject, text in found if "expected 0.15 to 0.55 of each side" in text] == ["plate 1"] * named


def test_a_plate_that_repeats_another_ones_channels_is_left_out(write_c3d):
    """The column of CHANNEL was copied and never changed: the load would count twice."""
    settings = plates(2) | {"CHANNEL": np.tile(np.arange(1, 7)[:, None], 2)}
    trial, ((subject, text),) = notes_on_plates(write_c3d, settings)
    assert [plate.number for plate in trial.plates] == [1]
    assert subject == "plate 2"
    assert "its channel 1 also belongs to plate 1" in text


@pytest.mark.parametrize(
    "layout", [dict.fromkeys(("CORNERS", "ORIGIN", "CHANNEL"), "flat"), {"CORNERS": "corners first"}]
)
def test_two_plates_are_read_in_the_layouts_that_programs_store(write_c3d, layout):
    settings = plates(2)
    for name, kind in layout.items():
        values = settings[name]
        settings[name] = values.ravel(order="F") if kind == "flat" else values.swapaxes(0, 1)
    trial, found = notes_on_plates(write_c3d, settings)
    expected, _ = notes_on_plates(write_c3d, plates(2))
    assert found == []
    for one, other in zip(trial.plates, expected.plates, strict=True):
        np.testing.assert_array_equal(one.corners_G, other.corners_G)
        np.testing.assert_array_equal(one.wrench.moment_G, other.wrench.moment_G)


@pytest.mark.parametrize("count", [1, 2])
def test_channels_stored_as_a_list_all_belong_to_their_plate(write_c3d, count):
    channels = np.arange(1, 6 * count + 1)
    trial, found = notes_on_plates(write_c3d, plates(count, CHANNEL=channels))
    assert found == []
    np.testing.assert_array_equal(trial.analog_plate[: 6 * count], np.repeat(np.arange(count) + 1, 6))
