"""Values of the muscles of gait2392 from OpenSim 4.6: `python -m tests.oracles.opensim_muscles MODEL.osim OUT.json`.

Needs `opensim`. Lengths, moment arms and active forces of a rigid tendon at full activation, at random postures and
speeds within the range of walking; the last posture also bends the knees to 100 degrees, where conditional points act.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

SPAN = {"hip_flexion": 40, "hip_adduction": 15, "hip_rotation": 15, "knee_angle": 35, "ankle_angle": 20,
        "subtalar_angle": 15, "mtp_angle": 20,
        "lumbar_extension": 20, "lumbar_bending": 15, "lumbar_rotation": 15}  # fmt: skip
MIDDLE = {"knee_angle": -33, "mtp_angle": 20, "lumbar_extension": -10, "hip_flexion": 5}
SPEED = 150
"""Half of each coordinate's range and its middle, deg; largest speed, deg/s."""


def postures(names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Angles and speeds (6, n), rad and rad/s."""
    rng = np.random.default_rng(2392)
    kinds = [name.removesuffix("_r").removesuffix("_l") for name in names]
    q = rng.uniform(-1, 1, (6, len(names))) * [SPAN[k] for k in kinds] + [MIDDLE.get(k, 0) for k in kinds]
    q[-1, [k == "knee_angle" for k in kinds]] = -100.0
    return np.radians(q), np.radians(rng.uniform(-SPEED, SPEED, (6, len(names))))


def main(model_file: str, out: str) -> None:
    """Write the reference."""
    import opensim

    opensim.Logger.setLevelString("Error")
    model = opensim.Model(model_file)
    state = model.initSystem()
    coordinates = model.getCoordinateSet()
    names = [coordinates.get(i).getName() for i in range(coordinates.getSize())]
    names = [name for name in names if not name.startswith("pelvis")]
    muscles = [model.getMuscles().get(i) for i in range(model.getMuscles().getSize())]
    reference: dict = {"coordinates": names, "muscles": [m.getName() for m in muscles], "postures": []}
    for q, qd in zip(*(values.round(4) for values in postures(names)), strict=True):
        for name, value, speed in zip(names, q.tolist(), qd.tolist(), strict=True):
            coordinates.get(name).setValue(state, value, False)
            coordinates.get(name).setSpeedValue(state, speed)
        model.realizeVelocity(state)
        reference["postures"].append(
            {
                "q": q.tolist(),
                "qd": qd.tolist(),
                "length": [round(m.getLength(state), 8) for m in muscles],
                "active": [round(m.calcInextensibleTendonActiveFiberForce(state, 1.0), 3) for m in muscles],
                "arm": {
                    name: {
                        m.getName(): round(arm, 8)
                        for m in muscles
                        if abs(arm := m.computeMomentArm(state, coordinates.get(name))) > 1e-9
                    }
                    for name in names
                },
            }
        )
    Path(out).write_text(json.dumps(reference).replace('{"q"', '\n{"q"') + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
