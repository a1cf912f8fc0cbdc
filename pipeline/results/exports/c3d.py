"""Export a walk as a C3D file: its recording, events, joint centres and model outputs with Plug-in Gait's labels.

Angles are in degrees, internal moments in Nmm/kg and powers in W/kg, with Plug-in Gait's signs. Nexus declares Nmm and
W but stores values per kilogram; here the declared units are those of the values. The recording's own outputs are left
out. Ground reactions whose plate is not known, from a storage file, are analog channels such as GroundReaction1Fx,
about the origin, since a plate of a C3D file has corners. Loads of all steps estimated from motion are separate outputs
whose labels begin with Estimated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

import pipeline
from pipeline.analysis import PARAMETERS, POINT_VARIABLES, belts_of, clinical_moments, foot_angles, points_over_time
from pipeline.analysis.clinical import own_side_pelvis
from pipeline.conventions import SIDES
from pipeline.errors import ResultsError
from pipeline.math3d import Wrench
from pipeline.results.c3d_writer import PROCESSING, AnalogData, OutputGroup, PlateSetup, write_c3d
from pipeline.results.reading import read_computed, read_failure, read_stage
from pipeline.results.session_folder import stage_files
from pipeline.trial import GaitCycles, GroundFromMotion, InverseDynamics, Kinematics, RawTrial
from pipeline.whole_files import written_whole

_STAGES = ("raw", "kinematics", "inverse_dynamics", "cycles")

_PLUG_IN_GAIT = {"hip": np.ones(3), "knee": np.ones(3), "ankle": np.array([1.0, -1.0, 1.0])}
"""Factors from our angles (flexion, adduction, for the ankle inversion, and internal rotation) to Plug-in Gait's."""

_ANALYSIS = {
    "speed": "Walking Speed",
    "cadence": "Cadence",
    "stride_time": "Stride Time",
    "stride_length": "Stride Length",
    "step_length": "Step Length",
    "step_time": "Step Time",
    "step_width": "Step Width",
    "stance": "Foot Off",
    "double_support": "Double Support",
}
"""Names in Nexus' group ANALYSIS, by our parameters; the end of stance is foot off."""


def write(session: Path, trial: str, path: Path) -> None:
    """Write a walk. Raises ResultsError if there is no such trial, or it is not a walk with computed loads."""
    files = stage_files(session, trial)
    lacking = [name for name in _STAGES if name not in files or read_failure(files[name])]
    if lacking:
        raise ResultsError(
            f"trial '{trial}' has no results of {', '.join(lacking)}", where=str(session), remedy="Export a walk"
        )
    raw, walk = read_stage(files["raw"], RawTrial), read_stage(files["kinematics"], Kinematics)
    loads, cycles = read_stage(files["inverse_dynamics"], InverseDynamics), read_stage(files["cycles"], GaitCycles)
    to_lab = raw.R_GL  # positions as rows: p_L = p_G R_GL
    centres = _centres(walk)
    with written_whole(path) as (beside,):
        write_c3d(
            beside,
            marker_names=[*raw.marker_names, *centres],
            markers_L=np.concatenate([raw.markers_G, *(c[:, None] for c in centres.values())], axis=1) @ to_lab,
            rate=raw.rate,
            analog=_analog(raw, to_lab),
            events=walk.events,
            parameters={**_groups(walk, cycles), PROCESSING: raw.parameters},
            subject=walk.subject,
            first_frame=raw.first_frame,
            screen_axes=(_axis(to_lab[0]), _axis(to_lab[1])),
            outputs=_joined(_outputs(walk, loads, cycles.moment_axes), _of_points(walk), _estimated(files, to_lab)),
        )


def _analog(raw: RawTrial, to_lab: np.ndarray) -> AnalogData:
    """Force plates with a known position, the channels that belong to no plate, and loads of unknown plates."""
    known = [plate for plate in raw.plates if np.isfinite(plate.corners_G).all()]
    others = np.flatnonzero(raw.analog_plate == 0)
    per_frame = max(round(raw.analog_rate / raw.rate), 1)
    samples = per_frame * len(raw.time)
    unknown = [plate for plate in raw.plates if not np.isfinite(plate.corners_G).all()]
    time = np.arange(samples) / (per_frame * raw.rate)
    values = [_about_origin(plate.wrench, to_lab, raw.analog_time, time) for plate in unknown]
    values = [raw.analog[:, others], *values] if len(others) else values
    return AnalogData(
        rate=per_frame * raw.rate if known or values else 0.0,
        plates=[PlateSetup(plate.corners_G @ to_lab, np.zeros(3)) for plate in known],
        plate_loads_L=[_rotated(plate.wrench, to_lab, samples) for plate in known],
        names=[
            *(raw.analog_names[k] for k in others),
            *(f"GroundReaction{plate.number}{name}" for plate in unknown for name in _COMPONENTS),
        ],
        units=[*(raw.analog_units[k] for k in others), *(["N"] * 3 + ["Nm"] * 3) * len(unknown)],
        values=np.hstack(values) if values else None,
    )


_COMPONENTS = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")


def _about_origin(load: Wrench, to_lab: np.ndarray, at: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Force and moment about the origin (N, 6) in laboratory axes at other times; zero where missing."""
    own = load.rotated(to_lab.T).about(np.zeros(3))
    six = np.hstack([own.force_G, own.moment_G])
    return np.nan_to_num(np.stack([np.interp(time, at, column, right=np.nan) for column in six.T], axis=1))


def _centres(walk: Kinematics) -> dict[str, np.ndarray]:
    """Joint centres (T, 3) m in G by Plug-in Gait's labels."""
    names = {f"{side[0].upper()}{joint[0].upper()}JC": f"{side}_{joint}" for side in SIDES for joint in _PLUG_IN_GAIT}
    return {
        label: walk.joints[name].centre_G
        for label, name in names.items()
        if name in walk.joints and label not in walk.marker_names
    }


def _outputs(walk: Kinematics, loads: InverseDynamics, moment_axes: str) -> list[OutputGroup]:
    angles, moments, powers = {}, {}, {}
    for side in SIDES:
        letter = side[0].upper()
        if "pelvis" in walk.angles:
            angles[f"{letter}PelvisAngles"] = np.degrees(own_side_pelvis(side, walk.angles["pelvis"]))
        if f"{side}_foot" in walk.segments:
            pitch, _, inward = np.degrees(foot_angles(side, walk.segments[f"{side}_foot"].R_GS)).T
            angles[f"{letter}FootProgressAngles"] = np.column_stack([-pitch, 0.0 * pitch, inward])
        for joint, signs in _PLUG_IN_GAIT.items():
            name, label = f"{side}_{joint}", f"{letter}{joint.title()}"
            if name in walk.angles:
                angles[f"{label}Angles"] = np.degrees(walk.angles[name]) * signs
            if name in loads.joints:
                load = loads.joints[name]
                moment = load.moment_G if moment_axes == "global" else getattr(load, f"moment_{moment_axes}")
                moments[f"{label}Moment"] = 1000.0 * clinical_moments(name, moment) / loads.mass
                powers[f"{label}Power"] = _component(2, load.power / loads.mass)
    return [
        OutputGroup("ANGLE", "deg", angles),
        OutputGroup("MOMENT", "Nmm/kg", moments),
        OutputGroup("POWER", "W/kg", powers),
    ]


def _of_points(walk: Kinematics) -> list[OutputGroup]:
    """Curves of points of the body as scalars: the first of three components, with the units in the same order.

    On a treadmill the points are taken relative to the belt under the side's foot, as in the gait cycles.
    """
    stored = {}
    for side, belt in belts_of(walk).items():
        for name, values in points_over_time(side, walk.time, walk.points, belt).items():
            label = "".join(word.capitalize() for word in name.split("_"))
            stored[f"{side[0].upper()}{label}"] = _component(0, values)
    units = dict.fromkeys(variable.units for variable in POINT_VARIABLES.values())
    return [OutputGroup("SCALAR", ", ".join(units), stored)]


def _estimated(files: Mapping[str, Path], to_lab: np.ndarray) -> list[OutputGroup]:
    """Ground reaction (in laboratory axes), sagittal moments and powers estimated from motion, if there are any."""
    file = files.get("ground_from_motion")
    found = read_computed(file, GroundFromMotion) if file else None
    if not found:
        return []
    forces, moments, powers = {}, {}, {}
    for side in SIDES:
        letter = side[0].upper()
        forces[f"Estimated{letter}GroundReactionForce"] = found.ground[side].force_G @ to_lab / found.mass
        for joint in found.leg_joints:
            name, label = f"{side}_{joint}", f"Estimated{letter}{joint.title()}"
            if name in found.joint_moments:
                extensor = 1000.0 * clinical_moments(name, found.joint_moments[name])[:, 0] / found.mass
                moments[f"{label}Moment"] = _component(0, extensor)
                powers[f"{label}Power"] = _component(2, found.joint_powers[name] / found.mass)
    return [
        OutputGroup("FORCE", "N/kg", forces),
        OutputGroup("MOMENT", "Nmm/kg", moments),
        OutputGroup("POWER", "W/kg", powers),
    ]


def _component(k: int, values: np.ndarray) -> np.ndarray:
    """A scalar (T,) as the k-th of three components (T, 3); the others are zero, or missing where it is missing."""
    three = np.repeat(0.0 * values[:, None], 3, axis=1)
    three[:, k] = values
    return three


def _joined(*outputs: list[OutputGroup]) -> list[OutputGroup]:
    """Merge groups of the same kind, and drop empty ones."""
    together: dict[str, OutputGroup] = {}
    for group in (group for groups in outputs for group in groups if group.values):
        before = together.get(group.kind)
        together[group.kind] = replace(group, values={**before.values, **group.values}) if before else group
    return list(together.values())


def _groups(walk: Kinematics, cycles: GaitCycles) -> dict[str, dict[str, object]]:
    """Groups as Nexus writes them: the subject, the event contexts, and the means of the spatiotemporal parameters."""
    rows = []
    for name, label in _ANALYSIS.items():
        for side in SIDES:
            values = [c.parameters[name] for c in cycles.cycles if c.cycle.side == side]
            known = [value for value in values if np.isfinite(value)]
            if known:
                rows.append((label, side.capitalize(), PARAMETERS[name].units, float(np.mean(known))))
    found: dict[str, dict[str, object]] = {
        "SUBJECTS": {"IS_STATIC": [0], "USES_PREFIXES": [0], "MARKER_SETS": [walk.calibration.marker_set]},
        "EVENT_CONTEXT": {
            "USED": [3],
            "LABELS": ["General", "Left", "Right"],
            "DESCRIPTIONS": ["For other events", "Left side", "Right side"],
            "ICON_IDS": [0, 1, 2],
        },
        "MANUFACTURER": {"SOFTWARE": ["gait-pipeline"], "VERSION_LABEL": [pipeline.__version__]},
    }
    if rows:
        columns = dict(zip(("NAMES", "CONTEXTS", "UNITS", "VALUES"), map(list, zip(*rows, strict=True)), strict=True))
        found["ANALYSIS"] = {
            "USED": [len(rows)],
            "DESCRIPTIONS": ["mean of the cycles of a side"] * len(rows),
            "SUBJECTS": [walk.subject] * len(rows),
            **columns,
        }
    return found


def _rotated(load: Wrench, to_lab: np.ndarray, samples: int) -> Wrench:
    """A load in laboratory axes, cut or padded to the number of samples; zero where it is missing."""
    own = load.rotated(to_lab.T)
    six = np.zeros((samples, 6))
    count = min(samples, len(own))
    six[:count] = np.nan_to_num(np.hstack([own.force_G, own.moment_G])[:count])
    return Wrench(six[:, :3], six[:, 3:], own.point_G[0])


def _axis(direction: np.ndarray) -> str:
    """The laboratory axis nearest to a direction, such as "+Z"."""
    k = int(np.abs(direction).argmax())
    return f"{'+' if direction[k] > 0.0 else '-'}{'XYZ'[k]}"
