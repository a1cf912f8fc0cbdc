"""Ground reactions and joint loads of a walk estimated from its motion alone, and their errors against the plates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.math3d import Wrench
from pipeline.trial.declarations import Axis, ByJoint, BySide, Note, Quantity


@dataclass(frozen=True)
class EstimatedStep:
    """One contact of a foot with the ground whose loads are estimated; errors are missing unless it was measured.

    Attributes:
        plate: number of the plate that measured it cleanly; 0 for none.
        fore_aft, vertical, lateral: root mean square errors of the ground reaction over the contact.
        cop_along, cop_across: the same for the centre of pressure, along and across the foot.
        hip, knee, ankle: the same for the sagittal joint moments.
        force_coverage, moment_coverage: fraction of the measured values within the 95 % bands.
    """

    side: str
    start: Annotated[float, Quantity("initial contact", "s")]
    stop: Annotated[float, Quantity("foot off", "s")]
    plate: int
    fore_aft: Annotated[float, Quantity("error of the fore-aft force", "body weight")]
    vertical: Annotated[float, Quantity("error of the vertical force", "body weight")]
    lateral: Annotated[float, Quantity("error of the lateral force", "body weight")]
    cop_along: Annotated[float, Quantity("error of the centre of pressure along the foot", "m")]
    cop_across: Annotated[float, Quantity("error of the centre of pressure across the foot", "m")]
    hip: Annotated[float, Quantity("error of the sagittal hip moment", "Nm/kg")]
    knee: Annotated[float, Quantity("error of the sagittal knee moment", "Nm/kg")]
    ankle: Annotated[float, Quantity("error of the sagittal ankle moment", "Nm/kg")]
    force_coverage: Annotated[float, Quantity("fraction of the force within its band", "1")]
    moment_coverage: Annotated[float, Quantity("fraction of the moments within their bands", "1")]


@dataclass(frozen=True)
class GroundFromMotion:
    """Loads of every contact of a walk, *estimated* from the motion of the whole body; none enters an average.

    Attributes:
        source: of the learned numbers.
        personal: number of the walk's own plate steps to which the centre-of-pressure path was fitted.
        steps: contacts in order of time. Contacts that plates measured are estimated too, without their own plate, so
            that the walk reports its own error.
        ground: by side, at the centre of pressure, with the free moment; zero in swing, missing where unknown.
        joint_moments: of hips, knees and ankles in the distal axes of `Kinematics`. joint_powers: of the same joints.
        force_sd, moment_sd: error by phase of the contact, cross-validated by leaving out one laboratory, scaled so
            that 1.96 times it on either side contains 95 % of the values.
        zmp_offset: of the walk, found in single support.
        force_correction: horizontal force added to the force that the motion requires, to bring the zero-moment point
            closer to the feet.
        unbalanced_moment: moment about G's origin that motion and correction require but the estimated loads do not
            provide.
    """

    name: str
    subject: str
    source: str
    personal: int
    mass: Annotated[float, Quantity("body mass", "kg")]
    time: Annotated[np.ndarray, Axis("time", "time from the first frame", "s")]
    contact_percent: Annotated[np.ndarray, Axis("contact_percent", "contact, from initial contact to foot off", "%")]
    leg_joints: Annotated[tuple[str, ...], Axis("leg_joint", "joint of the leg")]
    steps: tuple[EstimatedStep, ...]
    ground: BySide[Annotated[Wrench, Quantity("estimated ground reaction", "N, Nm, m", ("time", "xyz"), "G")]]
    joint_moments: ByJoint[
        Annotated[np.ndarray, Quantity("estimated joint moment", "Nm", ("time", "xyz"), "distal segment")]
    ]
    joint_powers: ByJoint[Annotated[np.ndarray, Quantity("estimated joint power", "W", ("time",))]]
    force_sd: Annotated[
        np.ndarray, Quantity("standard deviation of the force's error", "body weight", ("contact_percent", "xyz"), "G")
    ]
    moment_sd: Annotated[
        np.ndarray,
        Quantity("standard deviation of the sagittal moments' errors", "Nm/kg", ("contact_percent", "leg_joint")),
    ]
    zmp_offset: Annotated[np.ndarray, Quantity("offset of the zero-moment point", "m", ("xyz",), "G")]
    force_correction: Annotated[np.ndarray, Quantity("force added", "N", ("time", "xyz"), "G")]
    unbalanced_moment: Annotated[
        np.ndarray, Quantity("moment not balanced by the estimated loads", "Nm", ("time", "xyz"), "G")
    ]
    notes: tuple[Note, ...]
