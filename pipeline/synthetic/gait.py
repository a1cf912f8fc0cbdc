"""A walk of our own design: pelvis and feet move along chosen curves, the legs follow by inverse kinematics.

The curves are drawn by hand after the general shape of normal adult walking (Perry and Burnfield 2010); they are no
one's measurement. Everything repeats each cycle but for the progression, the left side half a cycle after the right.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pipeline.conventions import LATERAL_SIGN, SIDES
from pipeline.errors import DynamicsError
from pipeline.math3d import rotation_about, rotation_from_axes
from pipeline.synthetic.curves import FourierSeries, smooth, through_points
from pipeline.synthetic.subject import DemoSubject

Curve = dict[float, float]
Harmonic = tuple[int, float, float]
"""Order, amplitude, and phase of the maximum in percent of the cycle."""

_EX, _EY, _EZ = np.eye(3)
_SAMPLES = 551
"""Of one cycle: odd, and enough for the series' tail to fall below rounding."""

_SOLE_ROUNDING: Curve = {0: 0.004, 62: 0.004, 74: 0.05, 90: 0.05}
"""m, how softly the lowest point passes between heel and ball: sharply on the floor, softly in swing."""


@dataclass(frozen=True)
class Gait:
    """The design. Phases are percent of the gait cycle from foot strike; angles in degrees, lengths in m.

    Attributes:
        speed, cycle: m/s, s.
        stance: share of the cycle with ground contact, percent.
        swing_from: phase from which the foot advances; a little before toe-off, since the toes are not modelled.
        step_width: between the lines of the ankle centres.
        toe_out: of the feet.
        foot_ahead: of the ankle centre before the mean path of the hips, in the middle of its stance.
        foot_pitch: of the sole, toes up positive.
        toe_lift: clearance of the lowest point of the sole.
        knee_axis_out: turn of the flexion axis of the knee about the vertical, outwards.
        knee_adduction, knee_rotation: second and third Cardan angle z-x-y; inward rotation of the shank is positive.
        hips_height: mean height of the midpoint of the hip centres.
        hips_up, hips_forward, hips_right: harmonics of the midpoint of the hip centres.
        obliquity, rotation, tilt: harmonics of the pelvis: right side up, right side forward, backwards.
        anterior_tilt: mean forward tilt of the pelvis.
        smoothing: of all drawn curves, percent of the cycle.
    """

    speed: float = 1.15
    cycle: float = 1.12
    stance: float = 62.0
    swing_from: float = 59.0
    step_width: float = 0.11
    toe_out: float = 7.0
    foot_ahead: float = -0.098
    foot_pitch: Curve = field(
        default_factory=lambda: {
            **{0: 14.5, 6: 3, 12: 0, 30: 0, 40: -3.5, 50: -17.5, 56: -38},
            **{62: -61.5, 67: -70, 80: -26.5, 90: 7.5, 96: 19.5},
        }
    )
    toe_lift: Curve = field(
        default_factory=lambda: {0: 0, 54: 0, 62: 0.038, 68: 0.085, 75: 0.067, 82: 0.042, 90: 0.041, 96: 0.02}
    )
    knee_axis_out: Curve = field(default_factory=lambda: {0: 5, 15: 4, 40: 6, 60: 9, 80: 6})
    knee_adduction: Curve = field(default_factory=lambda: {0: 1, 15: 2, 40: 1, 70: -3, 90: 0})
    knee_rotation: Curve = field(default_factory=lambda: {0: -2, 15: 2, 45: -1, 65: 5, 90: -3})
    hips_height: float = 0.8915
    hips_up: tuple[Harmonic, ...] = ((2, 0.014, 27.5), (4, 0.0017, 2))
    hips_forward: tuple[Harmonic, ...] = ((2, 0.013, 45.5),)
    hips_right: tuple[Harmonic, ...] = ((1, 0.020, 31),)
    obliquity: tuple[Harmonic, ...] = ((1, 3.0, 16), (3, 0.8, 14))
    rotation: tuple[Harmonic, ...] = ((1, 5.0, 0),)
    tilt: tuple[Harmonic, ...] = ((2, 1.0, 5),)
    anterior_tilt: float = 7.0
    smoothing: float = 2.2

    @property
    def stride(self) -> float:
        """Stride length, m."""
        return self.speed * self.cycle

    def series(self, subject: DemoSubject) -> dict[str, tuple[FourierSeries, FourierSeries]]:
        """Orientation R_GS and origin of every segment as Fourier series in time, in G.

        The right foot strikes at t = 0 and every ``cycle``. Segments as in `DemoSubject.attachments`; origins are the
        proximal joint centres, and the midpoint of the ASIS markers for the pelvis.
        """
        phase = np.arange(_SAMPLES) * 100.0 / _SAMPLES
        R_pelvis, asis = self._pelvis(subject, phase)
        poses = {"pelvis": (R_pelvis, asis)}
        for side in SIDES:
            own_phase = phase + (0.0 if side == "right" else 50.0)
            hip = asis + R_pelvis @ subject.hip_centre(side)
            poses |= self._leg(subject, side, own_phase, hip)
        forward = self.speed * _EX
        return {
            name: (
                FourierSeries.through(R, self.cycle),
                FourierSeries.through(origin, self.cycle, forward),
            )
            for name, (R, origin) in poses.items()
        }

    def standing_foot(self, side: str) -> tuple[np.ndarray, np.ndarray]:
        """Heading (3,) of the flat foot, and the point (3,) on the floor below its ankle, for a strike at t = 0."""
        s = LATERAL_SIGN[side]
        heading = rotation_about(_EY, -s * np.radians(self.toe_out)) @ _EX
        return heading, self._strike_offset() * _EX + s * self.step_width / 2 * _EZ

    def _strike_offset(self) -> float:
        """The foot placed at phase 0 stays while the hips pass over it until mid stance."""
        return self.foot_ahead + self.stride * self.stance / 200.0

    def _pelvis(self, subject: DemoSubject, phase: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """R_GP (n, 3, 3) and the periodic part of the midpoint of the ASIS markers (n, 3)."""
        yaw = rotation_about(_EY, np.radians(_harmonics(self.rotation, phase)))
        roll = rotation_about(_EX, -np.radians(_harmonics(self.obliquity, phase)))
        pitch = rotation_about(_EZ, np.radians(_harmonics(self.tilt, phase) - self.anterior_tilt))
        R = yaw @ roll @ pitch
        hips = np.stack([_harmonics(h, phase) for h in (self.hips_forward, self.hips_up, self.hips_right)], axis=-1)
        hips[:, 1] += self.hips_height
        middle = np.mean([subject.hip_centre(side) for side in SIDES], axis=0)
        return R, hips - R @ middle

    def _leg(
        self, subject: DemoSubject, side: str, own_phase: np.ndarray, hip: np.ndarray
    ) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Poses of thigh, shank and foot from the hip centre and the designed foot."""
        s = LATERAL_SIGN[side]

        def drawn(curve: Curve) -> np.ndarray:
            return through_points(curve, own_phase, self.smoothing)

        pitch = np.radians(drawn(self.foot_pitch))
        ankle, heading = self._ankle_path(subject, side, own_phase, pitch)

        # Leg: the knee angle follows from the distance of hip and ankle, the rest from the direction of its axis.
        adduction, turn = (s * np.radians(drawn(curve)) for curve in (self.knee_adduction, self.knee_rotation))
        thigh, shank = subject.thigh_length[side], subject.shank_length[side]
        reach = np.sum((ankle - hip) ** 2, axis=-1)
        cosine = (reach - thigh**2 - shank**2) / (2 * thigh * shank * np.cos(adduction))
        if cosine.max() >= 1.0:
            at = own_phase[np.argmax(cosine)] % 100.0
            raise DynamicsError(
                f"hip and ankle are {np.sqrt(reach.max()):.3f} m apart, more than thigh and shank together",
                where=f"{side} leg at {at:.0f} % of its cycle",
                remedy="Lower hips_height or bring the feet closer",
            )
        flexion = np.arccos(cosine)
        R_TS = rotation_about(_EZ, -flexion) @ rotation_about(_EX, adduction) @ rotation_about(_EY, turn)
        leg_T = -thigh * _EY - shank * R_TS[..., 1]
        axis = rotation_about(_EY, -s * np.radians(drawn(self.knee_axis_out)))[..., 2]
        R_GT = rotation_from_axes(ankle - hip, axis, "yz") @ np.swapaxes(
            rotation_from_axes(leg_T, np.broadcast_to(_EZ, leg_T.shape), "yz"), -1, -2
        )
        R_GS = R_GT @ R_TS
        knee = hip - thigh * R_GT[..., 1]

        # Foot: its toe marker where designed, rolled about that line until its axis lies level with the shank's.
        dip = np.arctan2(-subject.toe[1], subject.toe[0])
        to_toe = np.cos(pitch - dip)[:, None] * heading + np.sin(pitch - dip)[:, None] * _EY
        R_GF = rotation_from_axes(to_toe, R_GS[..., 2], "xz") @ rotation_about(_EZ, dip)
        return {f"{side}_thigh": (R_GT, hip), f"{side}_shank": (R_GS, knee), f"{side}_foot": (R_GF, ankle)}

    def _ankle_path(
        self, subject: DemoSubject, side: str, own_phase: np.ndarray, pitch: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Periodic part of the ankle centre (n, 3), and the heading (3,) of the foot.

        In contact the sole rolls over heel and ball without slipping; in swing it also advances and lifts.
        """
        heading, start = self.standing_foot(side)
        own = np.mod(own_phase, 100.0)
        swing = np.clip((own - self.swing_from) / (100.0 - self.swing_from), 0.0, 1.0)
        rounding = through_points(_SOLE_ROUNDING, own_phase, self.smoothing)
        advance = swing**3 * (10 - 15 * swing + 6 * swing**2)
        lag = smooth(advance - own / 100.0, self.smoothing)  # progression without its drift
        lift = through_points(self.toe_lift, own_phase, self.smoothing)
        path = start + self.stride * lag[:, None] * _EX + _rolled(subject, pitch, rounding)[:, None] * heading
        path[:, 1] = lift + _support(subject, pitch, rounding)
        return path, heading


def _harmonics(terms: tuple[Harmonic, ...], phase: np.ndarray) -> np.ndarray:
    return sum(
        (amplitude * np.cos(2 * np.pi * order * (phase - peak) / 100) for order, amplitude, peak in terms),
        start=np.zeros_like(phase),
    )


def _support(subject: DemoSubject, pitch: np.ndarray, rounding: np.ndarray) -> np.ndarray:
    """Height of the ankle centre over the floor when the lowest point of the pitched sole touches it, m."""
    heel, ball = subject.sole[:2]
    bend = np.hypot((ball - heel) * np.sin(pitch), rounding) - rounding
    return subject.ankle_height * np.cos(pitch) + 0.5 * (bend - (ball + heel) * np.sin(pitch))


def _rolled(subject: DemoSubject, pitch: np.ndarray, rounding: np.ndarray) -> np.ndarray:
    """Advance (n,) of the ankle centre, m, by rolling without slipping: minus the integral of its height over pitch."""
    node, weight = np.polynomial.legendre.leggauss(200)
    return -0.5 * pitch * (_support(subject, 0.5 * pitch[:, None] * (1 + node), rounding[:, None]) @ weight)
