"""The muscle model's file, and its moment arms on the skeleton.

    python -m pipeline.muscles model MODEL.osim OUT.json --source "origin and licence"
    python -m pipeline.muscles arms [--mass KG --height M --sex male]

`model` converts joints, path points and parameters of an OpenSim model. `arms` prints the mean moment arms of gait2392
on its own joints, which are OpenSim's, and on the 55-joint skeleton scaled to a body.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from pipeline.config.shipped import HOME
from pipeline.muscles.model_file import load_muscle_model, save_muscle_model
from pipeline.muscles.on_skeleton import SOURCE_MASS, SUBTALAR, counterparts, muscles_on_skeleton
from pipeline.muscles.osim import read_osim
from pipeline.muscles.paths import MuscleModel, path_geometry
from pipeline.skeleton import Skeleton, load_skeleton

WALKING = {
    "hip_flexion": (-30.0, 45.0),
    "hip_adduction": (-20.0, 20.0),
    "hip_rotation": (-25.0, 25.0),
    "knee_angle": (-80.0, 5.0),
    "ankle_angle": (-35.0, 30.0),
    "subtalar_angle": (-25.0, 25.0),
    "mtp_angle": (-10.0, 40.0),
    "lumbar_extension": (-35.0, 20.0),
    "lumbar_bending": (-20.0, 20.0),
    "lumbar_rotation": (-20.0, 20.0),
}
"""Range of each coordinate of gait2392, without its side, deg: that of walking, plus a margin."""


def main() -> None:
    """Run the command of the arguments."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.muscles", description=(__doc__ or "").split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    model = commands.add_parser("model", help="carry a muscle model over from an OpenSim file")
    model.add_argument("osim", type=Path)
    model.add_argument("out", type=Path)
    model.add_argument("--source", required=True)
    arms = commands.add_parser("arms", help="compare moment arms of gait2392 and of the skeleton")
    arms.add_argument("--mass", type=float, default=SOURCE_MASS)
    arms.add_argument("--height", type=float, default=1.80)
    arms.add_argument("--sex", choices=("male", "female"), default="male")
    arguments = parser.parse_args()
    if arguments.command == "model":
        source = read_osim(arguments.osim)
        save_muscle_model(replace(source, credit=f"{arguments.source} {source.credit}"), arguments.out)
    else:
        body = {"mass": arguments.mass, "height": arguments.height, "sex": arguments.sex}
        print_arms(load_muscle_model(), load_skeleton(HOME / "config" / "skeleton.yaml", **body))


def print_arms(source: MuscleModel, skeleton: Skeleton) -> None:
    """One line for each muscle and each coordinate it acts on: mean arms and their root mean square difference, mm."""
    on_skeleton, rng = muscles_on_skeleton(source, skeleton), np.random.default_rng(0)
    ranges = {name: WALKING[name.removesuffix("_r").removesuffix("_l")] for name in source.coordinates}
    q = {name: np.radians(rng.uniform(*span, 200)) for name, span in ranges.items()}
    theirs = path_geometry(source, q).arm
    posture = {joint: sign * q[name] for name, (joint, sign) in counterparts().items()}
    ours = path_geometry(on_skeleton, posture | {hinge: np.zeros(200) for hinge in SUBTALAR.values()}).arm
    print(f"{'muscle':12} {'coordinate':18} {'gait2392':>9} {'skeleton':>9} {'apart':>6}   (mm)")
    for m, muscle in enumerate(source.muscles):
        for j, name in enumerate(source.coordinates):
            joint, sign = counterparts()[name]
            joint = SUBTALAR.get(joint, joint)
            a, b = 1000 * theirs[:, j, m], 1000 * sign * ours[:, on_skeleton.coordinates.index(joint), m]
            if max(np.abs(a).max(), np.abs(b).max()) > 1e-6:
                apart = np.sqrt(np.mean((a - b) ** 2))
                print(f"{muscle.name:12} {name:18} {a.mean():9.1f} {b.mean():9.1f} {apart:6.1f}")


if __name__ == "__main__":
    main()
