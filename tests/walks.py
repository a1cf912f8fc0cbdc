"""Recorded walks computed in memory, by the default settings and given keys of them; the published pairs of files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.anatomy import MarkerSet
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject, WholeBodySettings
from pipeline.kinematics import kinematics
from pipeline.trial import InverseDynamics, Kinematics, RawTrial, WholeBody

ROOT = Path(__file__).resolve().parents[1]
SKELETON = ROOT / "config/skeleton.yaml"
MEASURED = ROOT.parent / "shared/trials"
"""Measured trials, which are no part of the repository."""

PUBLISHED = {
    "HC032A": (MEASURED / "zoo_HC032A/HC032A03.c3d", MEASURED / "zoo_HC032A/HC032A01.c3d"),
    "HC038A": (MEASURED / "zoo_HC038A/HC038A11.c3d", MEASURED / "zoo_HC038A/HC038A01.c3d"),
    "nantes": (MEASURED / "nantes/PiG_Motion3_FF.c3d", MEASURED / "nantes/PiG_Calibration3_FF.c3d"),
}
"""Walk and static trial with force plates and Plug-in Gait's markers, by the names used in the documentation."""

DEFAULTS = AnatomySettings(), FilterSettings(), EventSettings()


def kinematics_of(
    walk: RawTrial,
    static: RawTrial,
    marker_set: MarkerSet,
    subject: Subject,
    *,
    anatomy: Mapping[str, Any] | None = None,
    filter: Mapping[str, Any] | None = None,
    events: Mapping[str, Any] | None = None,
) -> Kinematics:
    """Kinematics of a walk; the last three are keys of those sections of the configuration."""
    settings = AnatomySettings(**(anatomy or {})), FilterSettings(**(filter or {})), EventSettings(**(events or {}))
    return kinematics(walk, static, marker_set, subject, *settings)


def whole_body_of(
    walk: RawTrial,
    static: RawTrial,
    motion: Kinematics,
    loads: InverseDynamics,
    marker_set: MarkerSet,
    *,
    sex: Any = "male",
    filter: Mapping[str, Any] | None = None,
    **settings: Any,
) -> WholeBody:
    """A walk on the skeleton of its person's size; the rest are keys of the sections filter and whole_body."""
    from pipeline.skeleton import load_skeleton  # here, since both load numba
    from pipeline.whole_body import whole_body_dynamics

    size = {name: motion.calibration.values[name] for name in ("mass", "height")}
    skeleton = load_skeleton(SKELETON, **size, sex=sex)
    sections = FilterSettings(**(filter or {})), WholeBodySettings(**settings)
    return whole_body_dynamics(walk, static, motion, loads, marker_set, skeleton, *sections)
