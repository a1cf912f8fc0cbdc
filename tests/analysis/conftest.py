"""The norm that ships and the published table that it states in its own form."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.analysis import Norm
from pipeline.analysis.norm_fit import Row
from pipeline.results import load_norm

NORM = Path(__file__).resolve().parents[2] / "config/norms/schwartz2008.json"

LABELS = {
    ("angle", "Pelvic Ant/Posterior Tilt"): "pelvic_tilt",
    ("angle", "Pelvic Up/Down Obliquity"): "pelvic_obliquity",
    ("angle", "Pelvic Int/External Rotation"): "pelvic_rotation",
    ("angle", "Hip Flex/Extension"): "hip_flexion",
    ("angle", "Hip Ad/Abduction"): "hip_adduction",
    ("angle", "Hip Int/External Rotation"): "hip_rotation",
    ("angle", "Knee Flex/Extension"): "knee_flexion",
    ("angle", "Knee Ad/Abduction"): "knee_adduction",
    ("angle", "Knee Int/External Rotation"): "knee_rotation",
    ("angle", "Ankle Dorsi/Plantarflexion"): "ankle_dorsiflexion",
    ("angle", "Foot Int/External Progression"): "foot_progression",
    ("angle", "Foot Int/External Rotation"): "foot_progression",
    ("force", "Anterior/Posterior"): "ground_fore_aft",
    ("force", "Vertical"): "ground_vertical",
    ("force", "Medio_Lateral"): "ground_medial",
    ("moment", "Hip Ext/Flexion"): "hip_extensor_moment",
    ("moment", "Hip Ab/Adduction"): "hip_abductor_moment",
    ("moment", "Knee Ext/Flexion"): "knee_extensor_moment",
    ("moment", "Knee Ab/Adduction"): "knee_abductor_moment",
    ("moment", "Ankle Dorsi/Plantarflexion"): "ankle_plantarflexor_moment",
    ("power", "Hip"): "hip_power",
    ("power", "Knee"): "knee_power",
    ("power", "Ankle"): "ankle_power",
}
"""Our names by the quantity and the label of either table; the tables have angles of other segments too."""

HEADER = {
    "name": "Schwartz 2008",
    "source": "Schwartz MH, Rozumalski A, Trost JP (2008). The effect of walking speed on the gait of typically "
    "developing children. J Biomech 41(8), 1639\N{EN DASH}1650, electronic supplement.",
    "sample": "83 typically developing children",
    "ages": (4.0, 18.0),
    "free": 0.429,
    "speeds": {"Very Slow": 0.172, "Slow": 0.290, "Free": 0.429, "Fast": 0.560, "Very Fast": 0.694},
}


def named_rows(path: Path) -> Iterator[tuple[str, dict[str, str], float]]:
    """Our name, empty if there is none, of each row of a published table, the row, and our unit over the table's."""
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            quantity = row["quantity"].partition("_")[0].replace("ground", "force")
            yield LABELS.get((quantity, row["variable"]), ""), row, 100.0 if quantity == "force" else 1.0


def table_rows(path: Path) -> list[Row]:
    """The published table with our names and units.

    "Knee Ext/Flexion" among the moments stands twice for each percent and speed: first the sagittal moment, then, from
    its shape and the order of the hip's, the abductor moment. Forces are fractions of body weight.
    """
    rows: list[Row] = []
    seen = set()
    for name, row, scale in named_rows(path):
        percent, speed = float(row["percent"]), row["speed"]
        if not name:
            assert row["variable"].startswith("Trunk")
            continue
        if name == "knee_extensor_moment":
            name = "knee_abductor_moment" if (percent, speed) in seen else name
            seen.add((percent, speed))
        low, mean, high = (scale * float(row[column]) for column in ("minus_1sd", "mean", "plus_1sd"))
        rows.append((name, percent, speed, low, mean, high))
    return rows


@pytest.fixture(scope="session")
def norm() -> Norm:
    return load_norm(NORM)


ADULT_NORM = NORM.with_name("bovi2011_adults.json")

ADULT_HEADER = {
    "name": "Bovi 2011, adults",
    "source": "Bovi G, Rabuffetti M, Mazzoleni P, Ferrarin M (2011). A multiple-task gait analysis approach: "
    "kinematic, kinetic and EMG reference data for healthy young and adult subjects. Gait Posture 33(1), "
    "6\N{EN DASH}13, electronic addendum.",
    "sample": "20 healthy adults of 22 to 72 years, LAMB markers",
    "free": 0.409,
    "speeds": {"Very Slow": 0.282, "Slow": 0.400, "Medium": 0.501, "Fast": 0.662},
    "ages": (18.0, 120.0),
    "other_zeros": ("pelvic_tilt", "ankle_dorsiflexion", "foot_progression"),
}
"""Speeds over height per second (0.493, 0.698, 0.873, 1.154; free 0.714) times the root of the height (1.71 m) over
that of g times the leg's share of it (0.53, Winter 2009)."""


def adult_rows(path: Path) -> list[Row]:
    """The published table of adults with our names and units."""
    rows: list[Row] = []
    for name, row, scale in named_rows(path):
        if row["quantity"].startswith("emg"):
            name = row["variable"].lower().replace(" ", "_")
        if name and row["group"] == "adult" and row["task"] in ADULT_HEADER["speeds"]:
            low, mean, high = (scale * float(row[column]) for column in ("low", "mean", "high"))
            rows.append((name, float(row["percent"]), row["task"], low, mean, high))
    return rows
