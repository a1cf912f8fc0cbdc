"""Medial and lateral part of the knee's contact force from the frontal moment transmitted by its surfaces.

Two points of contact lie on the knee's axis at equal distances from its centre. Both push along the shank. Together
they give F, the component of the contact force along the shank, and M, the contact moment about the shank's forward
axis:

    F = F_medial + F_lateral        M = d / 2 (F_medial - F_lateral)

with M positive if it loads the medial side (Winby et al. 2009, J Biomech 42:2294-2300; Gerus et al. 2013, J Biomech
46:2778-2786). Surfaces cannot pull: if one part would have to, it is zero, the other part bears all, and the rest of
the moment is attributed to the ligaments.
"""

from __future__ import annotations

import numpy as np

from pipeline.conventions import SIDES

PARTS = ("medial", "lateral")
COMPARTMENTS = tuple(f"{side}_knee_{part}" for side in SIDES for part in PARTS)

CONTACT_DISTANCE = 0.040
"""m between the two contacts of an adult: each is a quarter of the tibial plateau's width, 76 to 84 mm, inside its edge
(Winby et al. 2009). No marker shows a person's plateau: in a walk the distance is in proportion to the leg's length."""


def knee_parts(force: np.ndarray, moment: np.ndarray, side: str, distance: float = CONTACT_DISTANCE) -> np.ndarray:
    """Medial and lateral contact forces (T, 2), N, not negative.

    Args:
        force: (T, 3) N, contact force of the thigh on the shank, in the shank's axes (x forward, y up, z to the right).
        moment: (T, 3) Nm, contact moment about the knee's centre, likewise.
        side: "left" or "right".
        distance: m between the contacts.
    """
    towards_medial = 1.0 if side == "left" else -1.0  # the left knee's medial side is on its right
    pressed = np.maximum(-force[:, 1], 0.0)
    medial = np.clip(0.5 * pressed + towards_medial * moment[:, 0] / distance, 0.0, pressed)
    return np.stack([medial, pressed - medial], axis=1)
