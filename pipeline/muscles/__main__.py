"""Files of muscle models, and the fit of their polynomials.

    python -m pipeline.muscles model MODEL.osim OUT.json --source "where it is from, and its licence"
    python -m pipeline.muscles fit [MODEL.json] [--out POLYNOMIALS.json]

`model` carries joints, path points and parameters over from an OpenSim model. `fit` prints, for each muscle, the
polynomial's degree and the root mean square difference of its moment arms from those of the path.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from pipeline.muscles.model_file import GAIT2392, load_muscle_model, save_muscle_model
from pipeline.muscles.osim import read_osim
from pipeline.muscles.polynomials import WALKING, MusclePolynomial, fit_polynomials


def main() -> None:
    """Run the command of the arguments."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.muscles", description=(__doc__ or "").split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    model = commands.add_parser("model", help="carry a muscle model over from an OpenSim file")
    model.add_argument("osim", type=Path)
    model.add_argument("out", type=Path)
    model.add_argument("--source", required=True)
    fit = commands.add_parser("fit", help="fit polynomials to lengths and moment arms")
    fit.add_argument("model", type=Path, nargs="?", default=GAIT2392)
    fit.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "model":
        source = read_osim(arguments.osim)
        save_muscle_model(replace(source, credit=f"{arguments.source} {source.credit}"), arguments.out)
        return
    chosen = load_muscle_model(arguments.model)
    ranges = {name: WALKING[name.removesuffix("_r").removesuffix("_l")] for name in chosen.coordinates}
    polynomials = fit_polynomials(chosen, ranges)
    for muscle, polynomial in zip(chosen.muscles, polynomials, strict=True):
        print(f"{muscle.name:12} degree {polynomial.degree}  {_errors(polynomial)}")
    if arguments.out:
        rows = {m.name: _row(p) for m, p in zip(chosen.muscles, polynomials, strict=True)}
        arguments.out.write_text(json.dumps({"credit": chosen.credit, "muscles": rows}, indent=1) + "\n")


def _errors(polynomial: MusclePolynomial) -> str:
    pairs = zip(polynomial.coordinates, 1000 * polynomial.error, strict=True)
    return ", ".join(f"{name} {error:.2f} mm" for name, error in pairs)


def _row(polynomial: MusclePolynomial) -> dict:
    return {key: value if key == "coordinates" else value.tolist() for key, value in vars(polynomial).items()}


if __name__ == "__main__":
    main()
