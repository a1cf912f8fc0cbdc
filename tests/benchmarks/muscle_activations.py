"""Estimated activations of a study's walks against EMG envelopes of the adults' norm at like speed; contact peaks.

    python -m tests.benchmarks.muscle_activations STUDY

For each walk that was computed on the skeleton, with rigid and with elastic tendons: the correlation over the gait
cycle of each muscle that the norm has, and the peak contact forces of hip, knee and ankle in body weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pipeline.analysis import PERCENT, PUBLISHED, Norm, mean_curves
from pipeline.config import HOME
from pipeline.conventions import SIDES
from pipeline.muscles import walk_muscles
from pipeline.results import load_norm, read_stage, read_status
from pipeline.trial import GaitCycles, GaitSummary, WholeBody


def main() -> None:
    """Print a line for each side of each walk, and the median of each muscle."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("study", type=Path)
    results = parser.parse_args().study / "data/results"
    norm = load_norm(HOME / "config/norms/bovi2011_adults.json")
    found: dict[str, list[dict[str, float]]] = {"rigid": [], "elastic": []}
    print(
        f"{'walk':24} {'tendons':8} {'side':6} " + " ".join(f"{name[:10]:>10}" for name in (*norm.muscles, *PUBLISHED))
    )
    for path in sorted(results.glob("*/*/whole_body/*.h5")):
        if read_status(path)[1] is None:
            for tendons, side, values in _of_walk(path, norm):
                found[tendons].append(values)
                cells = " ".join(f"{values.get(name, np.nan):10.2f}" for name in (*norm.muscles, *PUBLISHED))
                print(f"{path.stem:24} {tendons:8} {side:6} {cells}")
    for tendons, rows in found.items():
        medians = (np.nanmedian([row.get(name, np.nan) for row in rows]) for name in (*norm.muscles, *PUBLISHED))
        print(f"{'median':24} {tendons:8} {'':6} " + " ".join(f"{value:10.2f}" for value in medians))


def _of_walk(path: Path, norm: Norm) -> Iterator[tuple[str, str, dict[str, float]]]:
    session = path.parents[1]
    cycles = tuple(c.cycle for c in read_stage(session / "cycles" / path.name, GaitCycles).cycles)
    summary = read_stage(session / "summary" / path.name, GaitSummary)
    body = read_stage(path, WholeBody)
    for tendons in ("rigid", "elastic"):
        loads = walk_muscles(body, tendons)
        for side in SIDES:
            means, values = mean_curves(loads, cycles, side), {}
            for muscle in norm.muscles:
                band = norm.band(muscle, summary.speed, PERCENT)
                ours = means.get(f"{muscle}_activation", np.full(len(PERCENT), np.nan))
                known = np.isfinite(ours)
                if band is not None and known.any():
                    values[muscle] = float(np.corrcoef(ours[known], band.mean[known])[0, 1])
            for joint in PUBLISHED:
                if f"{joint}_contact_force" in means:
                    values[joint] = float(np.nanmax(means[f"{joint}_contact_force"]))
            yield tendons, side, values


if __name__ == "__main__":
    main()
