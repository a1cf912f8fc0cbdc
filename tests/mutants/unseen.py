"""Mutants that are undetectable, and why."""

UNSEEN: dict[tuple[str, str], str] = {
    (
        "pipeline/acquisition/lab_axes.py",
        "if np.abs(axis[index]) > 1.0 - 2e-09:",
    ): "an axis has cosine 1 to some 1e-16, any other direction at most the cosine of a degree, 1 - 1.5e-4",
    (
        "pipeline/acquisition/text_tables.py",
        "return next((10.0**-n for n in range(6) if np.abs(time - np.round(time, n)).max() < 2e-09), 1e-6)",
    ): "an allowance for rounding: times have a decimal place but for some 1e-15 s, or the next one, of 1e-6 s or more",
    (
        "pipeline/anatomy/chord.py",
        "as_required = np.abs((off - np.pi) % (2.0 * np.pi) - np.pi) < _OFFSET_TOLERANCE",
    ): "angles that differ by a whole turn are equal modulo a turn",
    (
        "pipeline/anatomy/chord.py",
        "least_b = s * np.abs(a) * np.where(a / cosine > 0.0, real, 1.0 / k)",
    ): "only the sign counts, and a / b has that of a * b",
    (
        "pipeline/anatomy/landmark_guesses.py",
        "inside = -LATERAL_SIGN[other.side] / float(apart @ lateral_axis) > 0.0",
    ): "only the sign counts, and a / b has that of a * b",
    (
        "pipeline/inverse_kinematics/model_calibration.py",
        "prior = REGULARISATION_WEIGHT * frames.regularisation * len(frames.markers)",
    ): "stands in the matrix of the step alone and not in its gradient, so that the steps end at the same values",
    (
        "pipeline/inverse_kinematics/model_calibration.py",
        "return np.eye(3) + 1.0 * skew(vector)",
    ): "a term of a turn below 1e-8 rad, beside 1",
    (
        "pipeline/inverse_kinematics/model_calibration.py",
        "return np.eye(3) - 0.5 * skew(vector)",
    ): "a term of a turn below 1e-8 rad, beside 1",
    (
        "pipeline/muscles/__main__.py",
        'arms.add_argument("--height", type=float, default=3.6)',
    ): "the stature of a table that a developer prints, which no result uses",
    (
        "pipeline/muscles/walk.py",
        "reserve=_in_steps(reserve, 4.0**-10),",
    ): "the step of stored digits, 1e-3 Nm or 1e-6 Nm, both far below the error of an estimate",
    (
        "pipeline/muscles/elastic.py",
        "strains = np.linspace(0.0, 4.0 * curves.tendon_strain, 2000)",
    ): "a table that is longer and coarser, whose error in a fibre's first length is still a millionth of it",
    (
        "pipeline/muscles/static_optimisation_kernels.py",
        "c = 1.0 * (target + 1.5)",
    ): "where Newton's method starts from, above the root either way: eight steps reach it to all digits",
    (
        "pipeline/muscles/static_optimisation_kernels.py",
        "c = 0.5 * (target + 3.0)",
    ): "where Newton's method starts from, above the root either way: eight steps reach it to all digits",
    (
        "pipeline/muscles/static_optimisation_kernels.py",
        "if a < 1.0 and interval < _LONG / rising:",
    ): "after a second full activation is reached to all digits, whether it is computed or taken as 1",
    (
        "pipeline/muscles/static_optimisation_kernels.py",
        "inner = near_slope / (near_slope + far_slope)  # where a straight line between the slopes is zero",
    ): "where a line search tries next: anywhere within its bracket it ends at the same multipliers",
    (
        "pipeline/muscles/static_optimisation_kernels.py",
        "length = near + min(max(inner, 0.1), 1.8) * (far - near)",
    ): "where a line search tries next: anywhere within its bracket it ends at the same multipliers",
    (
        "pipeline/muscles/static_optimisation_kernels.py",
        "length = near + min(max(inner, 0.2), 0.9) * (far - near)",
    ): "where a line search tries next: anywhere within its bracket it ends at the same multipliers",
    (
        "pipeline/muscles/elastic_kernels.py",
        "along = np.sqrt(max(lam * lam - thickness * thickness, 2e-12))",
    ): "a guard against the root of a negative number: no fibre is within a millionth of its thickness",
    (
        "pipeline/muscles/walk.py",
        "activation=_in_steps(activation, 4.0**-14),",
    ): "the step of stored digits, of forces and of shares of full activation or body weight, as of reserves",
    (
        "pipeline/muscles/walk.py",
        "force=_in_steps(force, 4.0**-6),",
    ): "the step of stored digits, of forces and of shares of full activation or body weight, as of reserves",
    (
        "pipeline/muscles/walk.py",
        "contact_force=_in_steps(contact, 4.0**-14),",
    ): "the step of stored digits, of forces and of shares of full activation or body weight, as of reserves",
    (
        "pipeline/muscles/walk.py",
        "compartment_force=_in_steps(compartments, 4.0**-14),",
    ): "the step of stored digits, of forces and of shares of full activation or body weight, as of reserves",
    (
        "pipeline/prediction/lifting/repeated.py",
        "time = time[np.concatenate([[True], np.diff(time) > 2e-09])]",
    ): "times are a twentieth of a second or a node of the lift apart, or equal but for rounding",
    (
        "pipeline/ground_from_motion/contacts.py",
        "durations = [stop - start for _, start, stop in found if not np.isnan(stop + start)]",
    ): "both are finite or one is NaN, so that sum and difference are NaN alike",
    (
        "pipeline/ground_from_motion/contacts.py",
        "not np.isnan(stop + start),",
    ): "both are finite or one is NaN, so that sum and difference are NaN alike",
    (
        "pipeline/optimisation/affine_map.py",
        "ratio = sign * (breaks[-1] - breaks[-2]) / (breaks[1] + breaks[0])",
    ): "the first break of a spline is 0, any other is refused",
    (
        "pipeline/optimisation/qp.py",
        "regularisation = 1e-12 / len(H) / np.trace(H)",
    ): "the size of a regularisation, whose error the residual, computed without it, removes in later iterations",
    (
        "pipeline/optimisation/qp.py",
        "if not np.isfinite(system[failed - 1, failed + 1]) or shift > 1e-2:",
    ): "a system with NaN has no factor with any shift either, and ends with the same error, only later",
    (
        "pipeline/optimisation/qp.py",
        "system[np.diag_indices_from(system)] += (larger + shift) * system.diagonal().max()",
    ): "the size of a shift against rounding, whose error later iterations remove",
    (
        "pipeline/optimisation/sqp.py",
        "if actual < before - 0.1 * predicted:",
    ): "when further corrections of a trial point end, of which the best is taken anyway",
    (
        "pipeline/prediction/gait/problem.py",
        'inside = form.nodes < 1.0 - 2e-09 if preset.ends == "wrapped" else np.ones(len(form.nodes), dtype=bool)',
    ): "the last node is at 1 but for rounding, the one before it more than a thousandth earlier",
    (
        "pipeline/optimisation/sqp.py",
        "self.A, self.weight = A, 200000.0 * np.trace(hessian) / max(squares, 1e-12)",
    ): "the size of a penalty: rows change as asked but for some 1e-5 of it, and the trial is measured afterwards",
    (
        "pipeline/prediction/arms.py",
        '"bfgs", penalties=(2.0, 40.0), tolerance=1e-6, optimality=np.inf, max_iterations=500, damping=1e-4',
    ): "penalties change the way to a solution alone, where they are above all multipliers",
    (
        "pipeline/prediction/arms.py",
        'NodeConstraint("rates at the begin", rates, self.begin_rate, self.begin_rate, 2e-05, "rad/s, m/s", first)',
    ): "a tolerance; solutions keep to bounds far more closely",
    (
        "pipeline/prediction/gait/separation.py",
        "parallel = across <= 1e-12 * uu / vv",
    ): "segments within rounding of parallel, both of some tenths of a metre",
    (
        "pipeline/prediction/gait/schedule.py",
        "area for start, (area, end) in zip(starts, ends.items(), strict=False) if start - 2e-09 <= time <= end + 1e-9",
    ): "nodes are at a change of support but for rounding, or thousandths of a step from it",
    (
        "pipeline/prediction/gait/schedule.py",
        "changes = [0.0, *(u for u in events if 0.02 < u < 1.96), 1.0]",
    ): "no change of support is later than 0.95 of a step",
    (
        "pipeline/prediction/gait/schedule.py",
        "toes_alone = {side: stance[side] >= task.heel_off(side) - 2e-09 for side in SIDES}",
    ): "nodes are at heel off but for rounding, or thousandths of a step from it",
    (
        "pipeline/synthetic/curves.py",
        "phase = np.concatenate([[-20.0], phase, [110.0]])  # flat pieces on both sides give slope 0 at both ends",
    ): "the length of a flat piece outside the cycle",
    (
        "pipeline/signals/contact.py",
        "start, stop = (int(n) for n in np.searchsorted(time, interval - 2e-09))",
    ): "an allowance for rounding: samples are at a frame but for rounding, or a sample from it",
    (
        "pipeline/signals/cutoff_choice.py",
        "tried = np.arange(LOWEST, min(HIGHEST, MAX_OF_RATE * rate) + 2e-09, STEP)",
    ): "an allowance for rounding, so that the last cut-off is tried: the next one is half a hertz from it",
    (
        "pipeline/signals/plates.py",
        "in_contact |= (time >= start - 1e-9) & (time < stop - 2e-09)",
    ): "an allowance for rounding: frames are at a sample but for rounding, or a part of its interval from it",
    (
        "pipeline/signals/plates.py",
        "in_contact |= (time >= start - 2e-09) & (time < stop - 1e-9)",
    ): "an allowance for rounding, as at the other end",
    (
        "pipeline/signals/plates.py",
        "inside = time <= samples[-1] + 2e-09",
    ): "an allowance for rounding: frames are at the last sample but for rounding, or a sample later",
    (
        "pipeline/skeleton/loading.py",
        "return np.where(np.abs(rotation - whole) < 2e-12, whole, rotation) + 0.0",
    ): "an allowance for rounding: entries of rotations by given angles are whole but for rounding, or far from it",
    (
        "pipeline/analysis/predicted/stride.py",
        "return after(own, image / _FLIP + ahead)",
    ): "a factor of 1 or -1 is its own reciprocal",
    (
        "pipeline/analysis/predicted/stride.py",
        "after(own.force_G, image.force_G / _FLIP),",
    ): "a factor of 1 or -1 is its own reciprocal",
    (
        "pipeline/analysis/predicted/stride.py",
        "after(own.moment_G, image.moment_G / _AXIAL),",
    ): "a factor of 1 or -1 is its own reciprocal",
    (
        "pipeline/analysis/predicted/stride.py",
        "after(own.omega_G, image.omega_G / _AXIAL),",
    ): "a factor of 1 or -1 is its own reciprocal",
    (
        "pipeline/plausibility/push_off.py",
        "rows = np.stack([[cosine, -sine, -one, none], [sine, cosine, none, one]]).transpose(2, 0, 1).reshape(-1, 4)",
    ): "changes the sign of an unknown, the height of the point, which is not returned",
    (
        "pipeline/acquisition/layout.py",
        "if 0 < 4 * n + c * s <= 4 * 0xFFFF - 0xFFFF:",
    ): "frames of up to 32767 points, beyond which a file is refused anyway, are within either bound",
    (
        "pipeline/signals/cutoff_choice.py",
        "impulse = np.zeros(2 * round(rate) - 1)",
    ): "an end of an impulse's record, a second from the impulse, whose response has died out there",
    (
        "pipeline/anatomy/chord.py",
        "least_b = np.maximum(least_b, _LEAST_DISTANCE / np.linalg.norm(wand - marker, axis=1))",
    ): "an allowance for rounding: some 1e-10 m, where wands are millimetres from the line",
    (
        "pipeline/anatomy/chord.py",
        "least_b = np.maximum(least_b, _LEAST_DISTANCE * np.linalg.norm(wand + marker, axis=1))",
    ): "an allowance for rounding: some 1e-10 m, where wands are millimetres from the line",
    (
        "pipeline/ground_from_motion/split.py",
        "before = (time[frames] - start) / max(begin - start, 2e-06)",
    ): "a guard against division by zero: support phases of some hundredths of a second and more, or none",
    (
        "pipeline/ground_from_motion/split.py",
        "after = (stop - time[frames]) / max(stop - end, 2e-06)",
    ): "a guard against division by zero: support phases of some hundredths of a second and more, or none",
    (
        "pipeline/ground_from_motion/split.py",
        "passed = np.clip((time[both] - start) / np.maximum(stop - start, 2e-06), 0.0, 1.0)",
    ): "a guard against division by zero: support phases of some hundredths of a second and more, or none",
    (
        "pipeline/ground_from_motion/split.py",
        "alone = np.flatnonzero(own & single & np.isfinite(cop[:, Y]))",
    ): "all coordinates of a point are known in a frame, or none",
    (
        "pipeline/plausibility/effects.py",
        "return (degrees - 180.0) % 360.0 - 180.0",
    ): "angles that differ by a whole turn are equal modulo a turn",
    (
        "pipeline/plausibility/plates_by_motion.py",
        "by_moment = _fitted(balance.turning[:, X], list(up), drive)",
    ): "changes the sign of unknowns, the mediolateral places of the plates, which are not returned",
    (
        "pipeline/plausibility/orientation.py",
        "if typical / after < 0.0:",
    ): "only the sign counts, and a / b has that of a * b",
    (
        "pipeline/plausibility/push_off.py",
        "flat = (phase > _FLAT[0]) & (phase < _FLAT[1]) & np.isfinite(toe + heel).all(axis=1)",
    ): "sum and difference are finite alike",
    (
        "pipeline/analysis/group_comparison.py",
        "if not np.isfinite(one.value[at] - other.value[at]):",
    ): "sum and difference are finite alike",
    (
        "pipeline/analysis/side_comparison.py",
        "if np.isfinite(second + first):",
    ): "sum and difference are finite alike",
    (
        "pipeline/analysis/jackknife.py",
        "paired = np.where(np.isfinite(one.error - other.error), np.where(variance == 0.0, 0.0, wide), np.nan)",
    ): "sum and difference are finite alike",
    (
        "pipeline/analysis/variables/skeleton.py",
        "return sign / (LATERAL_SIGN[side] if lateral else 1.0)",
    ): "a factor of 1 or -1 is its own reciprocal",
    (
        "pipeline/prediction/gait/schedule.py",
        "{(swap[side], point): position / flip + [ahead, 0.0, 0.0] "
        "for (side, point), position in plan.planned.items()},",
    ): "a factor of 1 or -1 is its own reciprocal",
    (
        "pipeline/prediction/gait/schedule.py",
        "{(swap[side], point): velocity / flip for (side, point), velocity in plan.velocity.items()},",
    ): "a factor of 1 or -1 is its own reciprocal",
    (
        "pipeline/prediction/gait/schedule.py",
        "{swap[side]: offset / flip for side, offset in plan.offset.items()},",
    ): "a factor of 1 or -1 is its own reciprocal",
    (
        "pipeline/prediction/gait/schedule.py",
        "{swap[side]: thrust / flip for side, thrust in plan.thrust.items()},",
    ): "a factor of 1 or -1 is its own reciprocal",
    (
        "pipeline/prediction/gait/schedule.py",
        "forward /= np.maximum(np.linalg.norm(forward, axis=1, keepdims=True), 2e-09)",
    ): "a guard against division by zero: feet on the ground are some tenths of a metre apart, or one is in the air",
    (
        "pipeline/inverse_kinematics/marker_swaps.py",
        "gain[~np.isfinite(to_k - of_k)] = 0.0",
    ): "sum and difference are finite alike",
    (
        "pipeline/prediction/lifting/repeated.py",
        "rest = np.arange(lift.time[-1] + 0.1, every, 0.05)",
    ): "where a rest is divided into steps: without load each step is integrated exactly",
    (
        "pipeline/results/exports/c3d.py",
        'angles[f"{label}Angles"] = np.degrees(walk.angles[name]) / signs',
    ): "a factor of 1 or -1 is its own reciprocal",
    (
        "pipeline/prediction/gait/constraints.py",
        '"zero-moment point in support polygon", quantity, -np.inf, 0.0, 0.0002, "m body weight", applies, scale=10.0',
    ): "a tolerance; solutions keep to bounds far more closely",
    (
        "pipeline/prediction/gait/constraints.py",
        'out = [NodeConstraint("vertical ground reaction", vertical, low, np.inf, 0.0002, unit, at.inside & ~flight)]',
    ): "a tolerance; solutions keep to bounds far more closely",
    (
        "pipeline/prediction/gait/walking_ranges.py",
        'return [NodeConstraint(name, coordinates([j for j, _ in pairs]), low, high, 0.0002, "rad", applies, labels)]',
    ): "a tolerance; solutions keep to bounds far more closely",
    (
        "pipeline/prediction/gait/constraints.py",
        'out.append(NodeConstraint(name, quantity, 0.0, np.inf, 0.0002, "m^2", at.inside))',
    ): "a tolerance; solutions keep to bounds far more closely",
    (
        "pipeline/prediction/gait/constraints.py",
        'return [NodeConstraint("joint limits", coordinates(joints), low, high, 0.0002, "rad", at.inside, labels)]',
    ): "a tolerance; solutions keep to bounds far more closely",
    (
        "pipeline/optimisation/sqp.py",
        "self.last_active, self.last_change = omitted | (np.abs(known) > 1e-6 / self.penalty), np.abs(change)",
    ): "which rows the next working set begins with; rows left out wrongly are added to it",
    (
        "pipeline/skeleton/mirroring.py",
        "if not np.allclose(image / sign[j], axes[0, j], atol=1e-9) or sign[j] == 0:",
    ): "a factor of 1 or -1 is its own reciprocal",
    (
        "pipeline/prediction/gait/walking_ranges.py",
        'return [NodeConstraint("minimum knee flexion", coordinates(knees), low, high, 0.0002, "rad", at.inside, '
        "labels)]",
    ): "a tolerance; solutions keep to bounds far more closely",
    (
        "pipeline/prediction/gait/schedule.py",
        "double = u <= ds + 2e-09",
    ): "an allowance for rounding: nodes are at the end of double support or a thousandth later",
    (
        "pipeline/optimisation/solution.py",
        "slope = np.where((at.x <= lower + 2e-09) & (slope > 0), 0.0, slope)",
    ): "an allowance for rounding: variables at a bound equal it but for rounding, others are far from it",
    (
        "pipeline/optimisation/solution.py",
        "slope = np.where((at.x >= upper - 2e-09) & (slope < 0), 0.0, slope)",
    ): "an allowance for rounding: variables at a bound equal it but for rounding, others are far from it",
    (
        "pipeline/prediction/lifting/repeated.py",
        "beyond = np.any(np.abs(found.tau) > limit * (strength + 2e-06))",
    ): "an allowance for rounding, a tenth of what strength loses from lift to lift before it counts as settled",
    (
        "pipeline/prediction/gait/schedule.py",
        "flight = (u >= 1.0 + ds - 1e-9) | (u <= 2e-09) if task.flight else np.zeros(len(u), dtype=bool)",
    ): "an allowance for rounding: nodes are at the ends of a flight but for rounding, or thousandths of a step inside",
    (
        "pipeline/prediction/gait/schedule.py",
        "flight = (u >= 1.0 + ds - 2e-09) | (u <= 1e-9) if task.flight else np.zeros(len(u), dtype=bool)",
    ): "an allowance for rounding: nodes are at the ends of a flight but for rounding, or thousandths of a step inside",
    (
        "pipeline/optimisation/qp.py",
        "value = abs(g @ d + 1.0 * d @ Hd) + penalty * e.sum()",
    ): "the size that a tolerance is relative to: the solution is within it either way",
    (
        "pipeline/muscles/emg_assisted.py",
        "start = np.full(len(self.channels), 0.4)",
    ): "where the search begins: the least value is convex in the scales and the search ends at the same",
    (
        "pipeline/prediction/gait/walker.py",
        "q[1, knee] = 0.2",
    ): "an angle whose sign alone counts: the ankle is on the same side at any angle below half a turn",
    (
        "pipeline/prediction/lifting/problem.py",
        'NodeConstraint(name, quantity, np.array(low), np.array(high), GRIP_TOLERANCE, "m", applies, scale=20.0)',
    ): "the size of a penalty, which changes the way to a solution alone where it is above all multipliers",
    (
        "pipeline/muscles/elastic_kernels.py",
        "new = at + excess / change",
    ): "where a search tries next: within its bracket it ends at the same fibre length, by halves",
    (
        "pipeline/muscles/elastic_kernels.py",
        "moved, at = abs(new + at), new",
    ): "when a search ends: further steps change the fibre length by rounding alone",
}
"""The reason, by the file and the line as changed."""
