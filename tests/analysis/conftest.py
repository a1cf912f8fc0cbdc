"""The norm that ships and the published table that it states in its own form."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from pipeline.analysis import Norm
from pipeline.analysis.norm_fit import Row
from pipeline.results import load_norm

NORM = Path(__file__).resolve().parents[2] / "config/norms/schwartz2008.json"

LABELS = {
    "Pelvic Ant/Posterior Tilt": "pelvic_tilt",
    "Pelvic Up/Down Obliquity": "pelvic_obliquity",
    "Pelvic Int/External Rotation": "pelvic_rotation",
    "Hip Flex/Extension": "hip_flexion",
    "Hip Ad/Abduction": "hip_adduction",
    "Hip Int/External Rotation": "hip_rotation",
    "Knee Flex/Extension": "knee_flexion",
    "Knee Ad/Abduction": "knee_adduction",
    "Knee Int/External Rotation": "knee_rotation",
    "Ankle Dorsi/Plantarflexion": "ankle_dorsiflexion",
    "Foot Int/External Progression": "foot_progression",
    "Anterior/Posterior": "ground_fore_aft",
    "Vertical": "ground_vertical",
    "Hip Ext/Flexion": "hip_extensor_moment",
    "Hip Ab/Adduction": "hip_abductor_moment",
    "Knee Ext/Flexion": "knee_extensor_moment",
    "moment Ankle Dorsi/Plantarflexion": "ankle_plantarflexor_moment",
    "Hip": "hip_power",
    "Knee": "knee_power",
    "Ankle": "ankle_power",
}
"""Our names by the table's labels; the table has trunk angles too."""

HEADER = {
    "name": "Schwartz 2008",
    "source": "Schwartz MH, Rozumalski A, Trost JP (2008). The effect of walking speed on the gait of typically "
    "developing children. J Biomech 41(8), 1639\N{EN DASH}1650, electronic supplement.",
    "sample": "83 typically developing children",
    "free": 0.429,
    "speeds": {"Very Slow": 0.172, "Slow": 0.290, "Free": 0.429, "Fast": 0.560, "Very Fast": 0.694},
}


def table_rows(path: Path) -> list[Row]:
    """The published table with our names and units.

    "Knee Ext/Flexion" among the moments stands twice for each percent and speed: first the sagittal moment, then, from
    its shape and the order of the hip's, the abductor moment. Forces are fractions of body weight.
    """
    rows: list[Row] = []
    seen = set()
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            label, percent, speed = row["variable"], float(row["percent"]), row["speed"]
            key = f"moment {label}" if row["quantity"].startswith("moment") and label.startswith("Ankle") else label
            if key not in LABELS:
                assert label.startswith("Trunk")
                continue
            name = LABELS[key]
            if row["quantity"].startswith("moment") and name == "knee_extensor_moment":
                name = "knee_abductor_moment" if (percent, speed) in seen else name
                seen.add((percent, speed))
            scale = 100.0 if row["quantity"] == "force_BW" else 1.0
            low, mean, high = (scale * float(row[column]) for column in ("minus_1sd", "mean", "plus_1sd"))
            rows.append((name, percent, speed, low, mean, high))
    return rows


@pytest.fixture(scope="session")
def norm() -> Norm:
    return load_norm(NORM)
