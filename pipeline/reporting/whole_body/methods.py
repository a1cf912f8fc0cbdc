"""The methods paragraph of a walk on the whole-body skeleton, from the trial's results and its configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeline.analysis import MOMENT_AXES, marker_errors, residual
from pipeline.reporting.references import REFERENCES, Methods
from pipeline.reporting.run import setting
from pipeline.trial import WholeBody


def whole_body_methods(body: WholeBody, configuration: Mapping[str, Any]) -> Methods:
    """Write the paragraph for one trial."""
    cited = ["de_leva"]
    sentences = [*_skeleton(body, configuration), *_fit(body, configuration, cited), *_dynamics(cited)]
    if body.residual_reduced is not None:
        sentences += _residual_reduction(body, configuration, cited)
    elif setting(configuration, "whole_body.residual_reduction"):
        why = next((note.text for note in body.notes if note.subject == "residual reduction"), "")
        sentences.append(f"Residuals were not reduced{f': {why}' if why else ''}.")
    sentences += _evidence(body, cited)
    return Methods(" ".join(sentences), tuple(REFERENCES[key] for key in sorted(set(cited))))


def _skeleton(body: WholeBody, configuration: Mapping[str, Any]) -> list[str]:
    symmetric = setting(configuration, "whole_body.symmetric")
    sides = ", as the mean of both sides" if symmetric else ", each side separately"
    return [
        f"A skeleton of {len(body.joint_names)} degrees of freedom was scaled to height and mass "
        f"({body.height:.3f} m, {body.mass:.1f} kg), always with segment masses and inertia of de Leva (1996).",
        "Segment lengths were then scaled to the distances between joint centres and markers in the static trial"
        f"{sides}; masses were kept, centres of mass and inertia scaled with the segments. Joint offsets of the static "
        "pose were kept, and model markers were attached to the segments in this pose.",
    ]


def _fit(body: WholeBody, configuration: Mapping[str, Any], cited: list[str]) -> list[str]:
    cited.append("lu")
    weight = setting(configuration, "whole_body.centre_weight")
    centres = f" and, with weight {weight:g}, the joint centres of the anatomical model" if weight else ""
    cutoff = setting(configuration, "filter.markers")
    smooth = f" (gain of the marker filter at {cutoff:g} Hz)" if isinstance(cutoff, float | int) else ""
    return [
        f"Inverse kinematics fitted the {len(body.fitted_markers)} unfiltered markers{centres} by weighted least "
        "squares within joint limits, first frame by frame (Lu and O'Connor 1999), then over the whole recording with "
        f"splines of the joint coordinates{smooth}, which bridge gaps. Outlying markers were excluded from "
        "single frames, and swapped marker labels were corrected.",
        *(
            [
                "Joint centres, joint axes and marker positions were then calibrated on the static trial and the walk "
                "together, regularised towards the static calibration."
            ]
            if setting(configuration, "whole_body.refined")
            else []
        ),
        f"The markers observe {body.rank} independent combinations of the {len(body.joint_names)} degrees of freedom; "
        f"the other {len(body.joint_names) - body.rank} keep the static pose.",
    ]


def _dynamics(cited: list[str]) -> list[str]:
    cited += ["featherstone", "hicks"]
    return [
        "Joint moments and forces were computed by the recursive Newton-Euler algorithm (Featherstone 2008) with the "
        "plates' loads on the feet, filtered like the motion (unlike in the matrix form, also outside the contact); "
        "they are missing where the load of a foot distal to the joint is unknown.",
        "The pelvis residuals are defined where the loads of both feet are known, on a plate or in swing; recommended "
        "limits: 5 % of the peak net external force, and for moments 1 % of that times the height of the centre of "
        "mass (Hicks et al. 2015).",
    ]


def _residual_reduction(body: WholeBody, configuration: Mapping[str, Any], cited: list[str]) -> list[str]:
    cited.append("delp")
    weight = setting(configuration, "whole_body.balance_weight")
    assert body.residual_reduced is not None
    before, after = (1000.0 * marker_errors(motion).overall for motion in (body.kinematic, body.residual_reduced))
    factors, (forward, right) = body.mass_factors.values(), 1000.0 * body.trunk_com_shift
    sentences = [
        "Residual reduction (same aim as Delp et al. 2007, another method): first the masses of seven groups of "
        f"segments and the trunk's centre of mass were fitted to the residuals (masses {min(factors):.2f} to "
        f"{max(factors):.2f} of the table's, trunk {forward:.0f} mm forwards and {right:.0f} mm to the right; they "
        "also absorb errors of the plates). Then the motion was fitted again with residual forces penalised"
        + (f", one body weight like a marker error of {weight:g} m. " if weight else ". ")
        + f"The RMS marker distance changed from {before:.2f} to {after:.2f} mm."
    ]
    own = residual(body, body.kinematic)
    if body.held_out.any() and own is not None:
        force, moment = (
            100.0 * np.sqrt(np.mean(part[body.held_out] ** 2, axis=0))
            for part in (body.kinematic.residual_force, body.kinematic.residual_moment)
        )
        sentences.append(
            "Balance was imposed, so it is no validation. With masses fitted to the first half of the frames and the "
            f"motion not adjusted, the {int(body.held_out.sum())} frames of the second half have RMS residual forces "
            f"(fore-aft, vertical, mediolateral) of {_three(100.0 * body.held_out_residual_force)} % of body weight "
            f"(kinematic: {_three(force)} %) and moments ({', '.join(MOMENT_AXES).replace('_', '-')}) of "
            f"{_three(100.0 * body.held_out_residual_moment)} % of body weight times height (kinematic: "
            f"{_three(moment)} %)."
        )
    return sentences


def _evidence(body: WholeBody, cited: list[str]) -> list[str]:
    sentences = []
    if body.forward_check is not None:
        window = 1000.0 * float(body.forward_check.window[-1] - body.forward_check.window[0])
        sentences.append(
            f"The forward simulation integrates the equations of motion over {window:.0f} ms with the joints "
            "prescribed and the pelvis free (hybrid dynamics), under gravity and the plates' loads and without the "
            "pelvis residuals."
        )
    if body.moment_comparisons:
        cited.append("erdemir")
        sentences.append(
            "The matrix form (Erdemir et al. 2007) and the skeleton share the recording and the filter, but not the "
            "segment motion, inertia or equations: the matrix form tracks each segment by its own markers, without "
            "joint constraints."
        )
    return sentences


def _three(values: np.ndarray) -> str:
    return ", ".join(f"{value:.1f}" for value in values)
