"""The rotation from the laboratory's axes to G and the evidence for it."""

import numpy as np
import pytest

from pipeline.acquisition import AxisOverrides
from pipeline.acquisition.belt import belt_velocity
from pipeline.acquisition.lab_axes import axis_above_floor, lab_to_global
from pipeline.errors import AcquisitionError

NO_FLOOR = np.zeros(3)


def walk(direction, up, *, height=0.9, distance=3.0) -> np.ndarray:
    """Markers (50, 6, 3) of a body that travels along a direction above the floor, with gaps and one stray marker."""
    rng = np.random.default_rng(2)
    direction, up = np.asarray(direction, float), np.asarray(up, float)
    heights = np.array([0.05, 0.3, 0.5, 0.8, height, 1.5])
    path = np.linspace(0.0, distance, 50)[:, None, None] * direction / np.linalg.norm(direction)
    points = path + heights[:, None] * up + rng.normal(0.0, 0.02, (50, 6, 3)) - 1.2 * direction
    points[:7, 2] = np.nan
    points[:, 5] = points[0, 5]
    return points


def solve(points, *, normals=(), screen=("", ""), overrides=AxisOverrides()):  # noqa: B008
    return lab_to_global(
        points, dict(enumerate(normals, start=1)), NO_FLOOR, screen, overrides, rate=50.0, where="walk.c3d"
    )


@pytest.mark.parametrize(("forward", "up"), [("+x", "+z"), ("-y", "+z"), ("+z", "+y"), ("-x", "+y"), ("+y", "-x")])
def test_progression_and_up_become_x_and_y_and_the_frame_is_right_handed(forward, up):
    axes = {sign + letter: s * np.eye(3)[i] for i, letter in enumerate("xyz") for sign, s in (("+", 1), ("-", -1))}
    R_GL, notes = solve(walk(axes[forward], axes[up]), normals=[axes[up]], screen=("", up.upper()))
    np.testing.assert_allclose(R_GL @ axes[forward], [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(R_GL @ axes[up], [0, 1, 0], atol=1e-12)
    assert np.linalg.det(R_GL) == pytest.approx(1.0)
    assert not np.signbit(R_GL[R_GL == 0.0]).any()
    assert {note.kind for note in notes} == {"info"}


@pytest.mark.parametrize(("degrees", "kind"), [(2.0, "info"), (8.0, "assumed")])
def test_progression_is_the_axis_nearest_to_an_oblique_walk_which_is_noted(degrees, kind):
    """3 m of travel with 20 mm of noise at either end leave half a degree."""
    direction = [np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0]
    R_GL, (_, note) = solve(walk(direction, [0, 0, 1]), screen=("", "+Z"))
    np.testing.assert_allclose(R_GL[0], [1, 0, 0], atol=1e-12)
    assert note.kind == kind
    assert ("degrees from it; pelvis rotation" in note.text) == (kind == "assumed")
    if kind == "assumed":
        told = float(note.text.split(" degrees from it")[0].rpartition(" ")[2])
        assert told == pytest.approx(degrees, abs=1.0)


@pytest.mark.parametrize("degrees", [12.0, 45.0, 68.0])
def test_a_walk_in_another_direction_has_its_own_progression(degrees):
    direction = [np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0]
    R_GL, _ = solve(walk(direction, [0, 0, 1]), screen=("", "+Z"))
    np.testing.assert_allclose(R_GL[0], direction, atol=0.02)


def test_the_majority_of_the_evidence_decides_and_the_rest_is_named():
    R_GL, notes = solve(walk([1, 0, 0], [0, 0, 1]), normals=[np.array([0.0, 0.02, -1.0])], screen=("+X", "+Z"))
    np.testing.assert_allclose(R_GL[1], [0, 0, 1])
    assert [note.text for note in notes if note.kind == "warning"] == [
        "up is taken as +z, but the plates' normals contradict it "
        "(the plates' normals -z, the markers above the floor +z, POINT:Y_SCREEN +z): check 'up' in config.yaml (axes) "
        "or trials.tsv"
    ]


@pytest.mark.parametrize(
    ("stands", "normals", "screen", "contradicts"),
    [
        # A subject who lies: only markers below the plates prove that plates and screen are upside down.
        ([0, 1, 0], [[0.0, 0.0, 1.0]], "+Z", "the markers above the floor"),
        # On a tie the markers decide and not the screen: one vendor's files all have -Z as its upward axis.
        ([0, 0, 1], [], "-Z", "POINT:Y_SCREEN"),
        # Nobody walks under the plates, whatever their corners and the screen say.
        ([0, 0, 1], [[0.0, 0.0, -1.0]] * 2, "-Z", "the plates' normals and POINT:Y_SCREEN"),
    ],
)
def test_one_piece_of_evidence_does_not_turn_up_round(stands, normals, screen, contradicts):
    R_GL, notes = solve(
        walk([1, 0, 0], stands), normals=[np.array(normal) for normal in normals], screen=("+X", screen)
    )
    np.testing.assert_allclose(R_GL[1], [0, 0, 1])
    assert any(f"{contradicts} contradict it" in note.text for note in notes if note.kind == "warning")


def tilted(degrees: float) -> np.ndarray:
    return np.array([np.sin(np.radians(degrees)), 0.0, np.cos(np.radians(degrees))])


@pytest.mark.parametrize(
    "normals",
    [[tilted(45), tilted(0)], [tilted(0), tilted(25)], [tilted(45)], [tilted(60), tilted(30)], [tilted(12), tilted(0)]],
)
@pytest.mark.parametrize("screen", ["", "+Z"])
def test_tilted_plates_do_not_turn_up_and_are_named_beyond_a_ramp_of_20_degrees(normals, screen):
    R_GL, notes = solve(walk([1, 0, 0], [0, 0, 1]), normals=normals, screen=("", screen))
    np.testing.assert_allclose(R_GL[1], [0, 0, 1], atol=1e-12)
    named = {note.subject: note.text for note in notes if note.kind == "warning" and "away from up" in note.text}
    degrees = {f"plate {k}": np.degrees(np.arccos(normal[2])) for k, normal in enumerate(normals, start=1)}
    assert named.keys() == {plate for plate, tilt in degrees.items() if tilt > 20.0}
    assert all(f"its surface faces {degrees[plate]:.0f} degrees away" in text for plate, text in named.items())


def test_without_travel_the_screen_gives_the_convention_and_is_noted():
    R_GL, notes = solve(walk([1, 0, 0], [0, 0, 1], distance=0.0), screen=("-Y", "+Z"))
    np.testing.assert_allclose(R_GL[0], [0, -1, 0])
    assert any(note.kind == "assumed" and "by convention" in note.text for note in notes)


def test_overrides_take_precedence_and_a_contradicted_one_is_named():
    R_GL, notes = solve(walk([1, 0, 0], [0, 0, 1]), screen=("", "+Z"), overrides=AxisOverrides("+z", "-x"))
    np.testing.assert_allclose(R_GL[0], [-1, 0, 0])
    assert any(note.kind == "warning" and "the markers travel along +x" in note.text for note in notes)


@pytest.mark.parametrize("overrides", [AxisOverrides(up="north"), AxisOverrides(up="+z", progression="-z")])
def test_an_override_that_is_no_axis_or_parallel_to_up_is_refused(overrides):
    with pytest.raises(AcquisitionError, match=r"walk\.c3d: "):
        solve(walk([1, 0, 0], [0, 0, 1]), overrides=overrides)


def test_a_file_without_any_evidence_takes_z_up_which_is_noted():
    R_GL, notes = solve(np.zeros((1, 0, 3)))
    np.testing.assert_allclose(R_GL[1], [0, 0, 1])
    assert [note.kind for note in notes] == ["assumed", "assumed"]


@pytest.mark.parametrize("up", [1, 2])
def test_up_is_found_in_a_corner_of_the_laboratory(up):
    """All coordinates are positive, so that the floor determines no axis; a body of 1 m is 0.4 m wide and 0.3 m
    deep."""
    rng = np.random.default_rng(3)
    size = np.where(np.arange(3) == up, 1.0, np.where(np.arange(3) == 0, 0.4, 0.3))
    corner = np.where(np.arange(3) == up, 0.02, 0.7)
    points = corner + size * rng.uniform(0.0, 1.0, (1, 30, 3)) + rng.normal(0.0, 0.001, (40, 30, 3))
    points[3] = np.nan  # a frame without any marker
    points[5, 4] = np.nan
    R_GL, notes = solve(points)
    np.testing.assert_array_equal(R_GL[1], np.eye(3)[up])
    assert "the markers above the floor" in notes[0].text


def test_up_of_a_body_with_outstretched_arms_is_assumed():
    """A body as wide as it is tall, in a corner: nothing shows which of the two is up."""
    points = np.random.default_rng(3).uniform([0.7, 0.7, 0.02], [2.2, 1.0, 1.6], (40, 30, 3))
    assert solve(points)[1][0].kind == "assumed"


def test_up_between_all_axes_leaves_a_progression_across_it():
    """A plate whose normal is equally far from all three axes, and no walking."""
    slanted = np.full(3, np.sqrt(1.0 / 3.0))
    R_GL, _ = solve(np.zeros((1, 0, 3)), normals=[slanted])
    np.testing.assert_allclose(R_GL @ slanted, [0, 1, 0], atol=1e-12)


def on_treadmill(direction, up, speed=1.2, rate=50.0, drift=0.0):
    """Two feet that go back with the belt for 0.6 s and swing forward and up for 0.4 s, under a pelvis that stays."""
    direction, up = np.asarray(direction, float), np.asarray(up, float)
    time = np.arange(400) / rate
    points = []
    for begin in (0.0, 0.5):
        phase = (time + begin) % 1.0
        stance = phase < 0.6
        along = np.where(stance, 0.3 - speed * phase, 0.3 - 0.6 * speed + 0.6 * speed * (phase - 0.6) / 0.4)
        rise = np.where(stance, 0.0, 0.1 * np.sin(np.pi * (phase - 0.6) / 0.4))
        for ahead, height in ((0.0, 0.05), (0.2, 0.04), (0.05, 0.12)):
            points.append((along + ahead)[:, None] * direction + (rise + height)[:, None] * up)
    points += [np.outer(drift * time / time[-1], direction) + height * up for height in (0.9, 1.0, 1.4)]
    noise = np.random.default_rng(4).normal(0.0, 0.001, (len(time), len(points), 3))
    return np.stack(points, axis=1) + noise


@pytest.mark.parametrize(("direction", "drift"), [([1, 0, 0], 0.0), ([0, -1, 0], 0.0), ([-1, 0, 0], 0.8)])
def test_on_a_treadmill_progression_is_against_the_belt_though_the_body_stays(direction, drift):
    """Even where the body drifts by more than a walk's least travel; a drift backwards is none of a backward walk."""
    points = on_treadmill(direction, [0, 0, 1], drift=-drift)
    R_GL, (_, note) = solve(points, screen=("+Y", "+Z"))
    np.testing.assert_allclose(R_GL @ np.asarray(direction, float), [1, 0, 0], atol=1e-12)
    assert note.kind == "info"
    assert "the feet on the ground move back at 1.20 m/s (median of both feet), as on a treadmill" in note.text


@pytest.mark.parametrize(("rate", "way"), [(50.0, 9.6), (100.0, 4.8)])
def test_the_way_on_a_belt_that_contradicts_the_study_is_named(rate, way):
    """400 frames at 1.2 m/s."""
    points, up = on_treadmill([1, 0, 0], [0, 0, 1], rate=rate), "+z"
    overrides = AxisOverrides(up=up, progression="+y")
    _, notes = lab_to_global(points, {}, NO_FLOOR, ("", ""), overrides, rate=rate, where="walk.c3d")
    (note,) = (note for note in notes if note.kind == "warning")
    told = note.text.partition("the markers travel along +x (")[2].partition(" m)")[0]
    assert float(told) == pytest.approx(way, rel=0.01)


@pytest.mark.parametrize("speed", [0.0, 0.1])
def test_standing_and_stepping_in_place_are_no_treadmill(speed):
    _, (_, note) = solve(on_treadmill([0, 1, 0], [0, 0, 1], speed=speed), screen=("+X", "+Z"))
    assert "by convention" in note.text


@pytest.mark.parametrize("rate", [50.0, 100.0, 240.0])
@pytest.mark.parametrize("slope", [0.0, 8.0, -15.0])
@pytest.mark.parametrize("speed", [0.5, 1.2])
def test_the_velocity_of_a_belt_is_horizontal_whatever_its_slope(speed, slope, rate):
    """A belt that goes back along y of a laboratory with x up, sloping by some degrees; the floor is anywhere."""
    a = np.radians(slope)
    along, across = np.array([np.sin(a), np.cos(a), 0.0]), np.array([np.cos(a), -np.sin(a), 0.0])
    points = np.array([5.0, -3.0, 1.0]) + on_treadmill(along, across, speed=speed, rate=rate)
    found = belt_velocity(points, np.array([1.0, 0.0, 0.0]), rate, np.zeros(3))
    np.testing.assert_allclose(found, [0.0, -speed * np.cos(a), 0.0], atol=0.02)
    assert found[0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(("speed", "travel", "belt"), [(1.2, 2.2, True), (1.2, 3.5, False), (0.2, 0.0, False)])
def test_who_travels_a_third_of_the_belt_s_way_walks_over_ground(speed, travel, belt):
    """400 frames are 9.6 m of the belt at 50 Hz, 4.8 m at 100 Hz. Below 0.25 m/s it is no belt."""
    for rate, way in ((50.0, travel), (100.0, 0.5 * travel)):
        points = on_treadmill([0, 1, 0], [0, 0, 1], speed=speed, rate=rate)
        found = belt_velocity(points, np.array([0.0, 0.0, 1.0]), rate, np.array([way, 0.0, 0.0]))
        assert found.any() == belt


@pytest.mark.parametrize("still", [0, 2])
def test_a_body_that_is_seen_in_less_than_half_of_the_frames_travels(rng, still):
    """48 of 100 frames, of which half of the body's markers show a part; reference markers on the wall are no body."""
    positions = np.full((100, 8 + still, 3), np.nan)
    body = np.array([0.0, 0.0, 1.0]) + rng.uniform(0.0, 0.3, (8, 3))
    positions[30:78, :8] = body + np.linspace(0.0, -2.0, 48)[:, None, None] * np.array([1.0, 0.0, 0.0])
    positions[30:50, ::2][:, :4] = np.nan
    positions[:, 8:] = rng.uniform(0.0, 2.0, (still, 3))
    R_GL, notes = lab_to_global(positions, {}, np.zeros(3), ("", ""), AxisOverrides(up="+z"), rate=100.0, where="trial")
    np.testing.assert_allclose(R_GL[0], [-1.0, 0.0, 0.0], atol=1e-9)
    assert not any("does not travel" in note.text for note in notes)


@pytest.mark.parametrize("up", ["+x", "-y", "+z"])
def test_without_travel_progression_is_across_up_whatever_the_screen_says(up):
    points = np.zeros((10, 4, 3)) + np.arange(4.0)[:, None]
    R_GL, _ = solve(points, screen=(up.upper(), ""), overrides=AxisOverrides(up=up))
    np.testing.assert_allclose(np.abs(R_GL[0]) @ np.abs(R_GL[1]), 0.0, atol=1e-12)
    assert np.abs(R_GL[1]["xyz".index(up[1])]) == 1.0


def test_who_walks_up_a_ramp_travels_along_the_floor():
    """3 m along x and 0.4 m up, an angle of 8 degrees that is none of the progression."""
    points = walk([1, 0, 0], [0, 0, 1]) + np.linspace(0.0, 0.4, 50)[:, None, None] * np.array([0.0, 0.0, 1.0])
    _, notes = solve(points, overrides=AxisOverrides(up="+z"))
    (note,) = (note for note in notes if "progression" in note.text)
    assert note.kind == "info"
    assert note.text.startswith("progression is +x: ")


@pytest.mark.parametrize("height", [-1.5, 0.0, 1.5])
def test_markers_are_above_a_floor_at_any_height(height):
    floor = np.array([0.0, 0.0, height])
    axis = axis_above_floor(walk([1, 0, 0], [0, 0, 1]) + floor, floor)
    np.testing.assert_array_equal(axis, [0, 0, 1])


def test_markers_of_shanks_and_feet_alone_show_up():
    points = walk([1, 0, 0], [0, 0, 1])[:, :2] * [1.0, 1.0, 1.5]
    np.testing.assert_array_equal(axis_above_floor(points, NO_FLOOR), [0, 0, 1])
