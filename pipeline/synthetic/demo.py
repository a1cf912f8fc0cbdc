"""The demo study's trials: a walk over three plates, there and back, and quiet standing."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pipeline.conventions import GRAVITY_G, SIDES
from pipeline.math3d import Wrench, rotation_about
from pipeline.synthetic.c3d_writer import PlateSetup
from pipeline.synthetic.gait import Gait
from pipeline.synthetic.ground import GroundReaction
from pipeline.synthetic.rigid_motion import SegmentMotion, marker_paths
from pipeline.synthetic.subject import DemoSubject
from pipeline.synthetic.truth import ANALOG_RATE, RATE, DemoTruth
from pipeline.trial import Event

_G = float(np.linalg.norm(GRAVITY_G))
_R_LG = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""Laboratory axes: X to the right, Y along and Z up, for a walk along +Y."""

_R_LG_BACK = _R_LG @ np.diag([-1.0, 1.0, -1.0])
"""The same laboratory, for a walk along -Y."""


def walk(name: str = "walk", *, first_side: str = "left", back: bool = False, seconds: float = 2.65) -> DemoTruth:
    """A walk across the three plates, one foot on each, with a strike of the first foot after the third plate.

    Args:
        name: of the trial.
        first_side: the foot on the first plate that is met.
        back: walk along -Y of the laboratory instead of +Y, so that plate 3 is met first.
        seconds: duration.
    """
    gait, ground, subject = Gait(), GroundReaction(), DemoSubject()
    time, analog_time = _clock(seconds)
    first = 0.3  # s, the strike on the first plate
    plates = _plates(gait.stride / 2)
    R_LG = _R_LG_BACK if back else _R_LG
    met = (2, 1, 0) if back else (0, 1, 2)

    # Gait time counts from a right strike; the trial starts a little before the first foot reaches its plate.
    half = gait.cycle / 2
    strike_phase = 0 if first_side == "right" else 1
    began = strike_phase * half - first
    foot_to_plate = gait.standing_foot(first_side)[1][0] + gait.speed * strike_phase * half + 0.06
    shift = np.array([(plates[met[0]].centre_L @ R_LG)[0] - foot_to_plate, 0.0, 0.0])
    segments = {
        part: _moved(SegmentMotion.from_series(R, origin, time + began), shift)
        for part, (R, origin) in gait.series(subject).items()
    }

    def stance(side: str, strike: float, at: np.ndarray) -> Wrench:
        load = ground.on_foot(gait, subject.mass, _G, side, strike + began, at + began)
        return Wrench(load.force_G, load.moment_G, load.point_G + shift)

    plate_loads: dict[int, Wrench] = {}
    plate_sides = [""] * len(plates)
    events, on_plates = [], {side: np.ones(len(time), dtype=bool) for side in SIDES}
    feet: dict[str, list[Wrench]] = {side: [] for side in SIDES}
    for step in range(-3, int(seconds / half) + 2):
        side = first_side if step % 2 == 0 else next(other for other in SIDES if other != first_side)
        strike = first + step * half
        off = strike + gait.cycle * gait.stance / 100
        events += [Event(strike, side, "strike", "truth"), Event(off, side, "off", "truth")]
        feet[side].append(stance(side, strike, time))
        if 0 <= step < len(plates):
            plate_loads[met[step]] = stance(side, strike, analog_time)
            plate_sides[met[step]] = side
        else:
            on_plates[side] &= (time <= strike) | (time >= off)
    return DemoTruth(
        name,
        subject,
        time,
        analog_time,
        R_LG,
        segments,
        marker_paths(segments, subject.attachments()),
        plates,
        tuple(plate_loads[number] for number in range(len(plates))),
        tuple(plate_sides),
        {side: _one_after_another(stances) for side, stances in feet.items()},
        on_plates,
        tuple(sorted((e for e in events if 0 <= e.time <= time[-1]), key=lambda e: e.time)),
    )


def standing(name: str = "static", *, seconds: float = 0.5, heading: float = 5.0) -> DemoTruth:
    """Quiet standing on plate 2, feet flat, parallel and below the hips, turned by ``heading`` degrees to the left.

    Foot, shank and thigh of a side share their lateral axis: the neutral pose that a static calibration takes as such.
    """
    subject, gait = DemoSubject(), Gait()
    time, analog_time = _clock(seconds)
    plates = _plates(gait.stride / 2)
    yaw = rotation_about(np.array([0.0, 1.0, 0.0]), np.radians(heading))
    R_pelvis = yaw @ rotation_about(np.array([0.0, 0.0, 1.0]), -np.radians(gait.anterior_tilt))
    hips = {side: R_pelvis @ subject.hip_centre(side) for side in SIDES}
    flexion = np.radians(6.0)
    middle = plates[1].centre_L @ _R_LG
    height = subject.ankle_height + min(
        np.sqrt(a**2 + b**2 + 2 * a * b * np.cos(flexion)) - hips[side][1]
        for side in SIDES
        for a, b in [(subject.thigh_length[side], subject.shank_length[side])]
    )
    asis = middle + height * np.array([0.0, 1.0, 0.0])
    poses = {"pelvis": (R_pelvis, asis)}
    for side in SIDES:
        hip = asis + hips[side]
        a, b = subject.thigh_length[side], subject.shank_length[side]
        reach = hip[1] - subject.ankle_height
        at_hip = np.arccos((reach**2 + a**2 - b**2) / (2 * reach * a))
        at_ankle = np.arcsin(a * np.sin(at_hip) / b)
        R_thigh, R_shank = (yaw @ rotation_about(np.array([0.0, 0.0, 1.0]), angle) for angle in (at_hip, -at_ankle))
        knee = hip - a * R_thigh[:, 1]
        poses |= {
            f"{side}_thigh": (R_thigh, hip),
            f"{side}_shank": (R_shank, knee),
            f"{side}_foot": (yaw, knee - b * R_shank[:, 1]),
        }
    segments = {part: SegmentMotion.at_rest(R, origin, len(time)) for part, (R, origin) in poses.items()}
    weight = np.array([0.0, subject.mass * _G, 0.0])
    below = {side: poses[f"{side}_foot"][1] * [1, 0, 1] + 0.05 * yaw[:, 0] for side in SIDES}
    at = np.mean([below[side] for side in SIDES], axis=0)

    def load(share: float, point: np.ndarray, n: int) -> Wrench:
        return Wrench(np.tile(share * weight, (n, 1)), np.zeros(3), point)

    return DemoTruth(
        name,
        subject,
        time,
        analog_time,
        _R_LG,
        segments,
        marker_paths(segments, subject.attachments()),
        plates,
        tuple(load(share, at, len(analog_time)) for share in (0.0, 1.0, 0.0)),
        ("", "", ""),
        {side: load(0.5, below[side], len(time)) for side in SIDES},
        {side: np.zeros(len(time), dtype=bool) for side in SIDES},
        (),
    )


def write_demo(folder: Path | str) -> list[Path]:
    """Write the demo's three C3D files into ``folder`` and return their paths.

    static.c3d and walk.c3d are free of noise. walk_back.c3d goes the other way, with noise of 1 mm (0.6 mm per axis),
    a gap of 6 frames to fill and one of 60 frames to leave.
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
    """Three plates of 0.4 m x 0.6 m in a row along Y, one step apart, each mounted another way.

    The second is turned about the vertical; the third is of type 4, its channels in volts at some amplification.
    """
    half_x, half_y = 0.2, 0.3
    corners = np.array([[half_x, half_y], [half_x, -half_y], [-half_x, -half_y], [-half_x, half_y]])
    origins = ([0.0007, -0.0008, -0.0395], [-0.0001, -0.0003, -0.0395], [0.0007, -0.0006, -0.0374])
    cross_talk = np.eye(6) + 0.004 * np.sin(np.arange(36.0)).reshape(6, 6)
    calibration = np.diag([250.0, 250.0, 1000.0, 5e5, 2.5e5, 1.25e5]) @ cross_talk
    plates = []
    for number, origin in enumerate(origins):
        centre = np.array([0.0, 0.4 + number * step_length, 0.0])
        order = np.roll(corners, 2 if number == 1 else 0, axis=0)
        corners_L = centre + np.column_stack([order, np.zeros(4)])
        plates.append(PlateSetup(corners_L, np.array(origin), *((4, calibration) if number == 2 else ())))
    return tuple(plates)


def _moved(motion: SegmentMotion, shift: np.ndarray) -> SegmentMotion:
    return SegmentMotion(
        motion.R_GS,
        motion.origin_G + shift,
        motion.velocity_G,
        motion.acceleration_G,
        motion.omega_G,
        motion.alpha_G,
    )


def _one_after_another(stances: list[Wrench]) -> Wrench:
    """One foot's load from its stances, which do not overlap; the point is that of the nearest stance in time."""
    loaded = np.stack([np.linalg.norm(stance.force_G, axis=-1) for stance in stances])
    current = np.argmax(loaded, axis=0)
    frames = np.arange(loaded.shape[1])
    stack = [np.stack([getattr(s, part) for s in stances]) for part in ("force_G", "moment_G", "point_G")]
    return Wrench(*(values[current, frames] for values in stack))
