"""How a walk was put on the whole skeleton, from the trial's own records and its configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeline.analysis.whole_body.measures import MOMENT_AXES, marker_errors, residual
from pipeline.reporting.run import setting
from pipeline.reporting.trial.methods import REFERENCES, Methods
from pipeline.trial import WholeBody

_OWN = {
    "delp": "Delp SL, Anderson FC, Arnold AS, et al. (2007). IEEE Trans Biomed Eng 54(11), 1940\N{EN DASH}1950.",
    "featherstone": "Featherstone R (2008). Rigid Body Dynamics Algorithms. Springer.",
    "lu": "Lu TW, O'Connor JJ (1999). J Biomech 32(2), 129\N{EN DASH}134.",
    "hicks": "Hicks JL, Uchida TK, Seth A, Rajagopal A, Delp SL (2015). J Biomech Eng 137(2), 020905.",
}


def whole_body_methods(body: WholeBody, configuration: Mapping[str, Any]) -> Methods:
    """Write the paragraph for one trial."""
    cited = ["de_leva"]
    sentences = [*_skeleton(body, configuration), *_fit(body, configuration, cited), *_dynamics(cited)]
    if body.residual_reduced is not None:
        sentences += _consistency(body, configuration, cited)
    elif setting(configuration, "whole_body.residual_reduction"):
        why = next((note.text for note in body.notes if note.subject == "consistency"), "")
        sentences.append(f"No consistent motion was made{f': {why}' if why else ''}.")
    sentences += _evidence(body, cited)
    known = REFERENCES | _OWN
    return Methods(" ".join(sentences), tuple(known[key] for key in sorted(set(cited))))


def _skeleton(body: WholeBody, configuration: Mapping[str, Any]) -> list[str]:
    symmetric = setting(configuration, "whole_body.symmetric")
    sides = "; both sides have the mean of their sizes" if symmetric else ", each side on its own"
    return [
        f"A skeleton of {len(body.joint_names)} joint coordinates was scaled to stature and mass "
        f"({body.height:.3f} m, {body.mass:.1f} kg); segment masses and inertia are those of de Leva (1996), whatever "
        "table the matrix form uses.",
        "Its segments were then stretched to the distances between joint centres and markers in the standing posture"
        f"{sides}; masses stay, centres of mass and inertia stretch along. Constant turns of joints that the standing "
        "posture shows were kept, and each marker was attached where it stood.",
    ]


def _fit(body: WholeBody, configuration: Mapping[str, Any], cited: list[str]) -> list[str]:
    cited.append("lu")
    weight = setting(configuration, "whole_body.centre_weight")
    centres = f", and the anatomical model's joint centres with weight {weight:g}," if weight else ""
    cutoff = setting(configuration, "filter.markers")
    smooth = f" that has the gain of the markers' filter at {cutoff:g} Hz" if cutoff else ""
    return [
        f"The {len(body.fitted_markers)} unfiltered markers{centres} were fitted by weighted least squares within the "
        "joints' limits, first frame by frame (Lu and O'Connor 1999) and then over the whole recording by a spline of "
        f"the coordinates{smooth}, which bridges gaps. A marker too far from its place was left out of its frame; "
        "labels that changed places were put right where the body decides between them.",
        *(
            [
                "Places and axes of joints and places of markers were then refined by the standing and the walking "
                "trial together, kept near what the standing posture gave."
            ]
            if setting(configuration, "whole_body.refined")
            else []
        ),
        f"The markers show {body.rank} independent combinations of the {len(body.joint_names)} coordinates; the other "
        f"{len(body.joint_names) - body.rank} are held to the standing posture, and what depends on them is marked as "
        "estimated.",
    ]


def _dynamics(cited: list[str]) -> list[str]:
    cited += ["featherstone", "hicks"]
    return [
        "Joint torques and internal forces follow by recursive Newton-Euler dynamics (Featherstone 2008) with the "
        "plates' loads on the feet, filtered like the motion and, unlike in the matrix form, with the filter's tails "
        "beyond the contact. A joint's load is missing where that of a foot beyond it is not known.",
        "What remains at the pelvis is the residual: it has a meaning only where the loads of both feet are known, on "
        "a plate or in the air. Its recommended limits are 5 % of the peak of the net external force, and for moments "
        "1 % of that times the height of the centre of mass (Hicks et al. 2015).",
    ]


def _consistency(body: WholeBody, configuration: Mapping[str, Any], cited: list[str]) -> list[str]:
    cited.append("delp")
    weight = setting(configuration, "whole_body.balance_weight")
    assert body.residual_reduced is not None
    before, after = (1000.0 * marker_errors(motion).overall for motion in (body.kinematic, body.residual_reduced))
    sentences = [
        "The consistent result changes the body and the motion towards balance with the plates, as residual reduction "
        "does (Delp et al. 2007). First the masses of seven groups of segments and the place of the trunk's centre of "
        f"mass are fitted to the residual (masses by {_range(body.mass_factors)} of the table's, the trunk by "
        f"{1000.0 * body.trunk_com_shift[0]:.0f} mm forwards and {1000.0 * body.trunk_com_shift[1]:.0f} mm to the "
        "right; what they absorb may also be an error of the plates). Then the motion is bent in the same fit: "
        "residual forces "
        + (f"cost as much as one marker off by {weight:g} m for each body weight. " if weight else "are penalised. ")
        + f"The markers' root mean square distance goes from {before:.2f} to {after:.2f} mm."
    ]
    own = residual(body, body.kinematic)
    if body.held_out.any() and own is not None:
        force, moment = (
            100.0 * np.sqrt(np.mean(part[body.held_out] ** 2, axis=0))
            for part in (body.kinematic.residual_force, body.kinematic.residual_moment)
        )
        sentences.append(
            "Balance is imposed, not proven. With masses from the other half of the frames and the motion unbent, the "
            f"{int(body.held_out.sum())} frames of the later half keep a residual force (fore-aft, vertical, sideways; "
            f"RMS) of {_three(100.0 * body.held_out_residual_force)} % of body weight, against {_three(force)} % "
            f"untouched, and a moment ({_axes(MOMENT_AXES)}) of {_three(100.0 * body.held_out_residual_moment)} % of "
            f"body weight times stature, against {_three(moment)} %."
        )
    return sentences


def _evidence(body: WholeBody, cited: list[str]) -> list[str]:
    sentences = []
    if body.forward_check is not None:
        window = 1000.0 * float(body.forward_check.window[-1] - body.forward_check.window[0])
        sentences.append(
            f"Forward dynamics takes the body from one frame through {window:.0f} ms under the computed torques and "
            "the plates' loads, the pelvis under its residual, and nothing that brings it back to the motion; joints "
            "that hardly move in walking are held."
        )
    if body.moment_comparisons:
        cited.append("erdemir")
        sentences.append(
            "The matrix form (Erdemir et al. 2007) and the skeleton share the recording and the filter but neither "
            "segments' motion, inertia nor equations: it follows each segment by its own markers, where the skeleton's "
            "joints hold."
        )
    return sentences


def _range(factors: Mapping[str, float]) -> str:
    least, most = (f"{value:.2f}" for value in (min(factors.values()), max(factors.values())))
    return f"{least} to {most}"


def _axes(names: Sequence[str]) -> str:
    return ", ".join(name.replace("_", "-") for name in names)


def _three(values: np.ndarray) -> str:
    return ", ".join(f"{value:.1f}" for value in values)
