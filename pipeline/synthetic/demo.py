"""The demo study's trials: a walk over four plates, there and back, and quiet standing."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from pipeline.conventions import GRAVITY, SIDES
from pipeline.math3d import Wrench
from pipeline.results.c3d_writer import PlateSetup
from pipeline.skeleton import point_motion
from pipeline.synthetic.gait import Gait
from pipeline.synthetic.ground import BalancedWalk, Contact, balanced
from pipeline.synthetic.posture import standing_posture
from pipeline.synthetic.subject import DemoSubject
from pipeline.synthetic.truth import ANALOG_RATE, RATE, DemoTruth
from pipeline.trial import Event

_R_LG = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""Laboratory axes: X to the right, Y along and Z up, for a walk along +Y."""

_R_LG_BACK = _R_LG @ np.diag([-1.0, 1.0, -1.0])
"""The same laboratory, for a walk along -Y."""

_PLATES = 4


@cache
def _design() -> BalancedWalk:
    return balanced(Gait(), DemoSubject(), Contact())


def walk(
    name: str = "walk",
    *,
    first_side: str = "left",
    back: bool = False,
    seconds: float = 3.1,
    gait: Gait | None = None,
) -> DemoTruth:
    """A walk across the four plates, one foot on each: a whole stride of each side with both feet on plates.

    Args:
        name: of the trial.
        first_side: the foot on the first plate of the walk.
        back: walk along -Y of the laboratory instead of +Y, so that the last plate comes first.
        seconds: duration.
        gait: a design other than the demo's.
    """
    design = balanced(gait, DemoSubject(), Contact()) if gait else _design()
    gait, subject = design.gait, design.subject
    time, analog_time = _clock(seconds)
    first = 0.3  # s, the initial contact on the first plate
    plates = _plates(gait.stride / 2)
    R_LG = _R_LG_BACK if back else _R_LG
    plate_order = tuple(range(_PLATES))[:: -1 if back else 1]

    # Gait time counts from a right initial contact; the trial starts shortly before the first foot reaches its plate.
    half = gait.cycle / 2
    contact_phase = 0 if first_side == "right" else 1
    began = contact_phase * half - first
    below = gait.steps[first_side].standing(first_side, gait.stride, gait.stance)[1]
    foot_to_plate = below[0] + gait.speed * contact_phase * half + 0.06
    shift = np.array([(plates[plate_order[0]].centre_L @ R_LG)[0] - foot_to_plate, 0.0, 0.0])
    q, qd, qdd = (design.motion(time + began, order) for order in range(3))
    q[:, 0] += shift[0]

    def stance(side: str, contact: float, at: np.ndarray) -> Wrench:
        load = design.on_foot(side, contact + began, at + began)
        return Wrench(load.force_G, load.moment_G, load.point_G + shift)

    plate_loads: dict[int, Wrench] = {}
    plate_sides = [""] * len(plates)
    events, on_plates = [], {side: np.ones(len(time), dtype=bool) for side in SIDES}
    feet: dict[str, list[Wrench]] = {side: [] for side in SIDES}
    for step in range(-3, int(seconds / half) + 2):
        side = first_side if step % 2 == 0 else next(other for other in SIDES if other != first_side)
        contact = first + step * half
        foot_off = contact + gait.cycle * gait.stance / 100
        events += [Event(contact, side, "initial contact", "truth"), Event(foot_off, side, "foot off", "truth")]
        feet[side].append(stance(side, contact, time))
        if 0 <= step < len(plates):
            plate_loads[plate_order[step]] = stance(side, contact, analog_time)
            plate_sides[plate_order[step]] = side
        else:
            on_plates[side] &= (time <= contact) | (time >= foot_off)
    return DemoTruth(
        name,
        subject,
        time,
        analog_time,
        R_LG,
        q,
        qd,
        qdd,
        plates,
        tuple(plate_loads[number] for number in range(len(plates))),
        tuple(plate_sides),
        {side: _one_after_another(stances) for side, stances in feet.items()},
        on_plates,
        tuple(sorted((e for e in events if 0 <= e.time <= time[-1]), key=lambda e: e.time)),
    )


def standing(
    name: str = "static",
    *,
    seconds: float = 0.5,
    heading: float = 5.0,
    tilt: float = 4.5,
    subject: DemoSubject | None = None,
) -> DemoTruth:
    """Quiet standing on plate 2, feet flat and parallel, turned by ``heading`` degrees to the left.

    The pelvis is tilted forward by ``tilt`` degrees; the plane of its markers is tilted further, by the subject's
    ``pelvis_tilt``.
    """
    gait, subject = Gait(), subject or DemoSubject()
    body = subject.skeleton
    time, analog_time = _clock(seconds)
    plates = _plates(gait.stride / 2)
    posture = standing_posture(subject, heading, tilt)[None]
    at = plates[1].centre_L @ _R_LG
    posture[0, [0, 2]] += at[[0, 2]]
    weight = np.array([0.0, subject.mass * GRAVITY, 0.0])
    centres = point_motion(body, body.joint_names, body.com, posture).position_G[0]
    middle = (body.mass @ centres / body.mass.sum()) * [1.0, 0.0, 1.0]  # below the centre of mass
    ankles = point_motion(body, [f"{side}_foot" for side in SIDES], np.zeros((2, 3)), posture).position_G[0]
    lateral = 0.5 * (ankles - ankles[::-1]) * [1.0, 0.0, 1.0]
    q = np.tile(posture, (len(time), 1))

    def load(share: float, point: np.ndarray, n: int) -> Wrench:
        return Wrench(np.tile(share * weight, (n, 1)), np.zeros(3), point)

    on_second = tuple(float(number == 1) for number in range(_PLATES))
    return DemoTruth(
        name,
        subject,
        time,
        analog_time,
        _R_LG,
        q,
        np.zeros_like(q),
        np.zeros_like(q),
        plates,
        tuple(load(share, middle, len(analog_time)) for share in on_second),
        ("",) * _PLATES,
        {side: load(0.5, middle + lateral[k], len(time)) for k, side in enumerate(SIDES)},
        {side: np.zeros(len(time), dtype=bool) for side in SIDES},
        (),
    )


def write_demo(folder: Path | str) -> list[Path]:
    """Write the demo's three C3D files into ``folder`` and return their paths.

    static.c3d and walk.c3d are free of noise. walk_back.c3d is a walk in the opposite direction, with noise of 1 mm
    (0.6 mm per axis), a gap of 6 frames that is filled and one of 60 frames that is not.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.c3d" for name in ("static", "walk", "walk_back")]
    standing().write(paths[0])
    walk().write(paths[1])
    walk_back = walk("walk_back", first_side="right", back=True)
    walk_back.write(paths[2], gaps={"LTIB": (120, 125), "RTHI": (195, 254)}, noise=0.0006)
    return paths


def _clock(seconds: float) -> tuple[np.ndarray, np.ndarray]:
    n = round(seconds * RATE)
    return np.arange(n) / RATE, np.arange(round(n * ANALOG_RATE / RATE)) / ANALOG_RATE


def _plates(step_length: float) -> tuple[PlateSetup, ...]:
    """Four plates of 0.4 m x 0.5 m in a row along Y, one step apart, of different orientations and types.

    The second is turned about the vertical; the third is of type 4, with channels in volts at some amplification.
    """
    half_x, half_y = 0.2, 0.25
    corners = np.array([[half_x, half_y], [half_x, -half_y], [-half_x, -half_y], [-half_x, half_y]])
    origins = ([0.0007, -0.0008, -0.0395], [-0.0001, -0.0003, -0.0395], [0.0007, -0.0006, -0.0374], [0.0, 0.0, -0.0395])
    cross_talk = np.eye(6) + 0.004 * np.sin(np.arange(36.0)).reshape(6, 6)
    calibration = np.diag([250.0, 250.0, 1000.0, 5e5, 2.5e5, 1.25e5]) @ cross_talk
    plates = []
    for number, origin in enumerate(origins):
        centre = np.array([0.0, 0.4 + number * step_length, 0.0])
        order = np.roll(corners, 2 if number == 1 else 0, axis=0)
        corners_L = centre + np.column_stack([order, np.zeros(4)])
        plates.append(PlateSetup(corners_L, np.array(origin), *((4, calibration) if number == 2 else ())))
    return tuple(plates)


def _one_after_another(stances: list[Wrench]) -> Wrench:
    """One foot's load from its stances, which do not overlap; in swing, the point is of the nearest stance in time."""
    force = np.stack([np.linalg.norm(stance.force_G, axis=-1) for stance in stances])
    frames, loaded = np.arange(force.shape[1]), np.flatnonzero(force.any(axis=0))
    nearest = loaded[np.abs(frames[:, None] - loaded).argmin(axis=1)]
    current = np.argmax(force, axis=0)[nearest]
    stack = [np.stack([getattr(s, part) for s in stances]) for part in ("force_G", "moment_G", "point_G")]
    return Wrench(*(values[current, frames] for values in stack))
