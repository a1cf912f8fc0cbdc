"""A small made-up walk whose every value is known: smooth curves, general orientations, two plates."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.analysis import gait_cycles, stance_contributions, summarise
from pipeline.math3d import Wrench
from pipeline.newton_euler import in_axes
from pipeline.reporting.clinical.paper import PrintedPage
from pipeline.results import load_norm
from pipeline.trial import (
    Calibration,
    CutoffEvidence,
    Cycle,
    Event,
    Findings,
    GaitCycles,
    GaitSummary,
    InverseDynamics,
    JointLoad,
    JointPose,
    Kinematics,
    LowPass,
    Note,
    PlateLoad,
    PredictedJoint,
    PredictedWalk,
    SegmentInertia,
    SegmentMotion,
    SegmentPose,
    Stance,
)
from tests.analysis.predicted_walks import FRAMES as FRAMES_OF_STEP
from tests.analysis.predicted_walks import STEP_TIME, TASK, walk_of
from tests.browser.chromium import Chromium, copy_scripts

RATE, FRAMES = 100.0, 240
TIME = np.arange(FRAMES) / RATE
JOINTS = [f"{side}_{joint}" for side in ("left", "right") for joint in ("hip", "knee", "ankle")]

NOTHING_FOUND = Findings("walk1", "S1", ())

HOSTILE = "</script><script>alert('x')</script>\"'&<img src=x onerror=alert(1)>{{ 7*7 }} \N{RIGHT-TO-LEFT OVERRIDE}ü 漢"
"""Text that must appear as text."""

Walk = tuple[Kinematics, InverseDynamics, GaitCycles, GaitSummary]
NORM = load_norm(Path(__file__).resolve().parents[2] / "config/norms/schwartz2008.json")


def _smooth(seed: int, columns: int, size: float) -> np.ndarray:
    """Sums of three sines (T, columns), different for every seed."""
    draw = np.random.default_rng(seed)
    phase, height = draw.uniform(0, 6, (3, columns)), draw.normal(size=(3, columns))
    waves = np.sin(2 * np.pi * TIME[:, None, None] * np.array([0.9, 1.8, 2.7])[:, None] + phase)
    return size * np.sum(height * waves / 3.0, axis=1)


def _rotation(seed: int) -> np.ndarray:
    q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return np.repeat((q * np.sign(np.linalg.det(q)))[None], FRAMES, axis=0)


def _foot(start: float, z: float, toe: float) -> np.ndarray:
    x = start + 1.2 * TIME + toe
    return np.stack([x, np.full(FRAMES, 0.05), np.full(FRAMES, z) + 0.02 * toe], axis=1)


def _plate(number: int, x: float) -> PlateLoad:
    corners = np.array([[x, 0.0, -0.3], [x + 0.5, 0.0, -0.3], [x + 0.5, 0.0, 0.3], [x, 0.0, 0.3]])
    force = np.array([0.0, 700.0, 0.0]) + _smooth(40 + number, 3, 100.0)
    cop = np.full((FRAMES, 3), np.nan)
    cop[20:80] = [x + 0.25, 0.0, 0.05] + 0.1 * np.linspace(-1, 1, 60)[:, None] * [1.0, 0.0, 0.0]
    wrench = Wrench(force, np.zeros((FRAMES, 3)), corners.mean(axis=0))
    return PlateLoad(number, corners, wrench, np.isfinite(cop[:, 0]), cop, np.zeros((FRAMES, 3)))


def _joint_load(name: str, seed: int, pose: JointPose) -> JointLoad:
    parts = {part: _smooth(seed + k, 3, 20.0) for k, part in enumerate(("inertia", "velocity", "gravity", "ground"))}
    moment_G = np.sum(list(parts.values()), axis=0)
    turned = {axes: in_axes(moment_G, axes, pose.R_GP, pose.R_GD) for axes in ("distal", "proximal", "joint")}
    return JointLoad(
        force_G=_smooth(seed + 5, 3, 300.0),
        moment_G=moment_G,
        moment_distal=turned["distal"],
        moment_proximal=turned["proximal"],
        moment_joint=turned["joint"],
        power=_smooth(seed + 6, 1, 60.0)[:, 0],
        contributions=parts,
    )


def _calibration() -> Calibration:
    inertia = SegmentInertia("left_foot", 0.9, 0.2, np.array([0.05, -0.02, 0.0]), np.diag([0.001, 0.004, 0.004]))
    return Calibration(
        subject="S1",
        static="standing",
        marker_set="plug_in_gait",
        hip_method="harrington",
        inertia_table="de_leva",
        values={
            "mass": 70.0,
            "height": 1.75,
            "leg_length_left": 0.9,
            "leg_length_right": 0.92,
            "knee_width_left": 0.101,
            "tibial_torsion_left": -0.2,
        },
        units={"mass": "kg", "tibial_torsion_left": "rad"}
        | dict.fromkeys(("height", "leg_length_left", "leg_length_right", "knee_width_left"), "m"),
        sources={"mass": "subjects.tsv", "height": "static file", "knee_width_left": "static file"},
        frame_turns={},
        point_offsets={},
        centre_rules={"left_knee": "chord", "left_ankle": "chord"},
        segments={"left_foot": inertia},
        notes=(Note("estimated", "left_foot", "foot length 266 mm from height"),),
    )


CYCLES = (
    Cycle("left", 0.213, 0.843, 1.251, 0.35, 0.73, "plate 1, plate 1, file", 1),
    Cycle("right", 0.734, 1.379, 1.772, 0.843, 1.251, "plate 2, plate 2, file", 2),
    Cycle("left", 1.251, 1.877, 2.301, 1.379, 1.772, "file, file, file", 0),
)
STANCES = (
    Stance(1, "left", 22, 85, 0.213, 0.843, 0.012, ""),
    Stance(2, "right", 74, 138, 0.734, 1.379, 0.009, ""),
)


def make_walk(name: str = "walk1", subject: str = "S1") -> Walk:
    """The walk; change it with `dataclasses.replace` and `with_loads` where the cycles change."""
    joints = {
        joint: JointPose(_smooth(k, 3, 0.1), _rotation(k), _rotation(50 + k), _smooth(k, 3, 1.0))
        for k, joint in enumerate(JOINTS)
    }
    filled = np.zeros((FRAMES, 2), dtype=bool)
    filled[10:13, 0] = filled[50:52, 0] = filled[100, 1] = True
    kinematics = Kinematics(
        name=name,
        subject=subject,
        recordings={"walk1.c3d": "ab" * 32},
        rate=RATE,
        time=TIME,
        marker_names=("LHEE", "RHEE"),
        markers_G=np.zeros((FRAMES, 2, 3)),
        filled=filled,
        points={
            f"{side}_{part}": _foot(start, z, 0.2 * (part == "toe"))
            for side, start, z in (("left", -0.5, -0.06), ("right", -0.4, 0.07))
            for part in ("heel", "toe")
        },
        segments={
            f"{side}_foot": SegmentMotion(_rotation(60 + k), *[np.zeros((FRAMES, 3))] * 5)
            for k, side in enumerate(("left", "right"))
        },
        joints=joints,
        angles={n: _smooth(70 + k, 3, 0.4) for k, n in enumerate([*JOINTS, "pelvis"])},
        plates=(_plate(1, 0.0), _plate(2, 0.6)),
        events=(Event(0.213, "left", "initial contact", "plate 1"), Event(0.843, "left", "foot off", "plate 1")),
        stances=STANCES,
        cycles=CYCLES,
        calibration=_calibration(),
        cutoff=CutoffEvidence(6.0, "given", np.array([6.0]), np.array([0.001]), np.array([np.nan])),
        low_pass=LowPass(6.0, 6.0, 4),
        notes=(Note("filled", "marker LHEE", "spline over frames 11-13, 51-52"),),
    )
    return with_loads(kinematics)


def with_loads(kinematics: Kinematics) -> Walk:
    """Loads and cycles for (changed) kinematics."""
    loads = InverseDynamics(
        name=kinematics.name,
        subject=kinematics.subject,
        mass=70.0,
        time=TIME,
        ground={
            side: Wrench(_smooth(seed, 3, 100.0), np.zeros((FRAMES, 3)), np.zeros(3))
            for seed, side in ((90, "left"), (91, "right"))
        },
        joints={n: _joint_load(n, 100 + 10 * k, kinematics.joints[n]) for k, n in enumerate(JOINTS)},
        equations={},
        notes=(),
    )
    return with_cycles(kinematics, loads, gait_cycles(kinematics, loads))


def with_cycles(kinematics: Kinematics, loads: InverseDynamics, cycles: GaitCycles) -> Walk:
    """The walk with (changed) cycles."""
    return kinematics, loads, cycles, summarise(cycles, 0.91, NORM, stance_contributions(kinematics, loads, cycles))


def without_steps(walk: Walk, reason: str = "two feet on the plate") -> Walk:
    """The same walk with every contact left out, so that no cycle has kinetics."""
    stances = tuple(replace(stance, rejected=reason) for stance in walk[0].stances)
    cycles = tuple(replace(cycle, plate=0) for cycle in walk[0].cycles)
    return with_loads(replace(walk[0], stances=stances, cycles=cycles))


STEP_LENGTH = TASK.step_length
LIMBS = ("thigh", "shank", "foot", "toes", "clavicle", "upper_arm", "forearm", "hand")
SPINE = ("pelvis", "lower_abdomen", "upper_abdomen", "lower_thorax", "upper_thorax", "neck", "head")


def make_predicted_walk(name: str = "p") -> PredictedWalk:
    """A step whose mirror image follows it smoothly: what the left side does is what the right did half a cycle ago."""
    time = np.linspace(0.0, STEP_TIME, FRAMES_OF_STEP)
    still = np.zeros((len(time), 3))
    phase = 2.0 * np.pi * time / (2.0 * STEP_TIME)

    def place(seed: int, side: str) -> np.ndarray:
        draw = np.random.default_rng(seed).uniform(-0.2, 0.2, (3, 2))
        height, out = 0.05 + 0.1 * seed, 0.0
        if side:
            at, out = phase + (np.pi if side == "left" else 0.0), 0.1
            x, y, z = draw[:, :1] * np.cos(at) + draw[:, 1:] * np.sin(2 * at)
        else:  # the middle of the body sways to one side and to the other, and else repeats each step
            x, y = draw[:2, :1] * np.cos(2 * phase)
            z = draw[2, 0] * np.cos(phase)
        sign = -1.0 if side == "left" else 1.0
        return np.stack([STEP_LENGTH * time / STEP_TIME + x, height + y, sign * (out + z)], axis=1)

    upright = np.repeat(np.eye(3)[None], len(time), axis=0)
    names = {part: (seed, "") for seed, part in enumerate(SPINE)}
    names |= {f"{side}_{part}": (20 + k, side) for side in ("left", "right") for k, part in enumerate(LIMBS)}
    points = {
        f"{side}_{part}": place(40 + k, side)
        for side in ("left", "right")
        for k, part in enumerate(("heel", "ball_medial", "toe", "ball_lateral"))
    }
    shapes = {"left": np.cos(phase / 2) ** 2, "right": np.sin(phase / 2) ** 2}
    ground = {
        side: Wrench(589.0 * share[:, None] * [0.1, 1.0, 0.05], still, place(50, side) * [1.0, 0.0, 1.0])
        for side, share in shapes.items()
    }
    loads = {
        f"{side}_{joint}": PredictedJoint(still + 100.0, still + 10.0, still + 0.1)
        for side in ("left", "right")
        for joint in ("hip", "knee", "ankle")
    }
    segments = {part: SegmentPose(upright, place(*of)) for part, of in names.items()}
    return replace(walk_of({}, loads, {}), name=name, subject="S1", ground=ground, segments=segments, points=points)


class Page(HTMLParser):
    """A parsed page: its elements as (tag, attributes, own text), in order of their start tags."""

    VOID = frozenset({"meta", "path", "rect", "circle", "br", "link", "img", "input"})

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.text: list[str] = []
        self._open: list[int] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), []))
        if tag not in self.VOID:
            self._open.append(len(self.elements) - 1)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.elements[self._open.pop()][0] == tag, "elements must nest"
        if tag in ("td", "th", "dt", "dd"):
            self.text.append(" ")

    def handle_data(self, data):
        for index in self._open:
            self.elements[index][2].append(data)
        if not any(self.elements[index][0] in ("style", "script") for index in self._open):
            self.text.append(data)

    def all(self, tag: str, cls: str = "") -> list[tuple[dict[str, str | None], str]]:
        """Attributes and whole text of the elements with a tag and a class."""
        return [
            (attrs, "".join(text).strip())
            for name, attrs, text in self.elements
            if name == tag and set(cls.split()) <= set((attrs.get("class") or "").split())
        ]

    def scripts(self) -> list[dict[str, str | None]]:
        """Attributes of the scripts, without those that hold the values of a figure's curves."""
        return [attrs for attrs, _ in self.all("script") if attrs.get("class") != "curves"]

    @property
    def curves(self) -> dict[str, Any]:
        """What the page shows of its panels' curves, by the id of the panel's drawing."""
        found: dict[str, Any] = {}
        for _, text in self.all("script", "curves"):
            found |= json.loads(text)
        return found

    @property
    def visible(self) -> str:
        """All text, with runs of white space as one blank."""
        return " ".join("".join(self.text).split())


@pytest.fixture
def walk() -> Walk:
    return make_walk()


@pytest.fixture
def stepless(walk: Walk) -> Walk:
    return without_steps(walk)


@pytest.fixture
def page_of(tmp_path: Path) -> Callable[..., Page]:
    """Writes a page with one of the reporting functions and parses it."""

    def write_and_parse(write: Callable[..., None], *arguments: object) -> Page:
        path = tmp_path / "page.html"
        write(path, *arguments)
        return Page(path.read_text(encoding="utf-8"))

    return write_and_parse


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, float, str]]:
    """Every text that is written on a page of paper, with its place."""
    found: list[tuple[float, float, str]] = []
    write = PrintedPage.text

    def text(page: PrintedPage, x: float, y: float, words: str, *a: Any, **k: Any) -> None:
        found.append((x, y, words))
        write(page, x, y, words, *a, **k)

    monkeypatch.setattr(PrintedPage, "text", text)
    return found


@pytest.fixture
def browse(chromium: Chromium) -> Callable[[Path, str], str]:
    """Opens a page in Chromium beside the scripts that pages share, and runs statements that call ``tell(text)``.

    Returns what was told, line by line, and after it every error and every refusal of the page's policy.
    """

    def run(page: Path, statements: str) -> str:
        copy_scripts(page.parent)
        tab = chromium.open(page)
        told = tab.run(
            f"(function () {{ var told = [], tell = (text) => told.push(String(text)); {statements}\nreturn told; }})()"
        )
        console_errors = tab.console_errors
        tab.close()
        return "\n".join([*told, *console_errors])

    return run
