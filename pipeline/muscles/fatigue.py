"""Fatigue of a muscle group by the three-compartment model: resting, active and fatigued shares of its motor units.

Xia T, Frey Law LA (2008) J Biomech 41:3046-3052; rates of Frey-Law LA, Looft JM, Heitsman J (2012) J Biomech
45:1803-1808, table 1; faster recovery at rest after Looft JM, Herkert N, Frey-Law L (2018) J Biomech 77:16-25.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.conventions import array_of
from pipeline.errors import DynamicsError

TRACKING = 10.0
"""Rate, 1/s, at which the active share follows the load (L_D and L_R of the 2008 paper)."""


@dataclass(frozen=True)
class FatigueRates:
    """Rates of a joint's muscles.

    Attributes:
        fatigue: F, 1/s, from active to fatigued.
        recovery: R, 1/s, from fatigued to resting.
        at_rest: factor of the recovery while there is no load.
    """

    fatigue: float
    recovery: float
    at_rest: float = 15.0


RATES = {
    "ankle": FatigueRates(0.00589, 0.00058),
    "knee": FatigueRates(0.01500, 0.00149),
    "trunk": FatigueRates(0.00755, 0.00075),
    "shoulder": FatigueRates(0.01820, 0.00168),
    "elbow": FatigueRates(0.00912, 0.00094),
    "hand": FatigueRates(0.00980, 0.00064, 30.0),
    "general": FatigueRates(0.00970, 0.00091),
    "hip": FatigueRates(0.00970, 0.00091),
}
"""By joint. F and R: table 1 of 2012, for the hip the general ones, since it has none there. The factor at rest was
fitted in 2018 for ankle, knee and elbow (15) and hand (30); 15 is also used for the others, which that paper did not
measure."""


def rates_of(joint: str) -> FatigueRates:
    """Rates of a joint in `RATES`. Raises DynamicsError if there are none."""
    if joint not in RATES:
        remedy = f"Known are {', '.join(RATES)}; use general for another joint"
        raise DynamicsError(f"there are no rates of {joint!r}", where="fatigue", remedy=remedy)
    return RATES[joint]


@dataclass(frozen=True)
class Compartments:
    """Shares of the motor units at T times; the rest, up to 1, are resting.

    Attributes:
        active, fatigued: (T,).
    """

    active: np.ndarray
    fatigued: np.ndarray


def endurance(rates: FatigueRates, load: float) -> float:
    """Time, s, for which a constant load, a fraction of the maximum, can be held; infinite if recovery balances it.

    With the active share held at the load L, the fatigued share is F L / R (1 - exp(-R t)); the load fails when it
    reaches 1 - L, so t = -ln(1 - R (1 - L) / (F L)) / R.

    Raises:
        DynamicsError: the load is not within 0 and 1.
    """
    if not 0.0 < load <= 1.0:
        remedy = "Give the load as a share of the maximum force"
        raise DynamicsError(f"load {load:g} is not within 0 and 1", where="fatigue", remedy=remedy)
    share = rates.recovery * (1.0 - load) / (rates.fatigue * load)
    return float(-np.log1p(-share) / rates.recovery) if share < 1.0 else np.inf


def fatigue(rates: FatigueRates, time: np.ndarray, load: np.ndarray, start: float = 0.0) -> Compartments:
    """Compartments under a varying load, by the model's differential equations (2008, equations 1 to 5).

    Each step is integrated by the classical fourth-order Runge-Kutta method with the load at its start, in parts of at
    most 0.05 s, half of the tracking time.

    Args:
        rates: those of the joint.
        time: (T,) s, increasing.
        load: (T,) force as a fraction of the rested maximum, constant until the next time.
        start: fatigued share at the first time.

    Raises:
        DynamicsError: times do not increase or are not finite, shapes differ, a load is negative or not finite, or the
            start is not within 0 and 1.
    """
    time, load = (array_of(name, value, ("T",), where="fatigue") for name, value in (("time", time), ("load", load)))
    if time.shape != load.shape or time.ndim != 1 or not len(time):
        problem = f"times {time.shape} and loads {load.shape} are not two equal (T,)"
        raise DynamicsError(problem, where="fatigue", remedy="Give a time and a load for each of at least one instant")
    if not 0.0 <= start <= 1.0:
        problem = f"the fatigued share {start:g} at the start is not within 0 and 1"
        raise DynamicsError(problem, where="fatigue", remedy="Give the fatigued share of the motor units")
    _check(time, load, "Cut the record to its gap-free part")
    active, fatigued = min(float(load[0]), 1.0 - start), start
    out = np.empty((len(time), 2))
    out[0] = active, fatigued
    for k, (step, target) in enumerate(zip(np.diff(time).tolist(), load.tolist(), strict=False), start=1):
        parts = int(np.ceil(step / 0.05))
        for _ in range(parts):
            active, fatigued = _step(rates, active, fatigued, target, step / parts)
        out[k] = active, fatigued
    return Compartments(out[:, 0], out[:, 1])


def repeated_fatigue(rates: FatigueRates, time: np.ndarray, load: np.ndarray) -> np.ndarray:
    """Fatigued shares (T, ...) under a load that is repeated, such as that of a gait cycle.

    The active share follows the load within tenths of a second; the fatigued one changes over minutes. Averaged over
    the cycle, with the active share equal to the load or, if that is smaller, to the capacity,

        d(fatigued)/dt = F mean(min(load, 1 - fatigued)) - R (1 + (r - 1) rest) fatigued,

    where rest is the part of the cycle with no load and r the factor of recovery at rest. This is integrated by the
    classical fourth-order Runge-Kutta method, starting without fatigue; the length of the cycle does not matter.

    Args:
        rates: those of the joint.
        time: (T,) s, increasing in steps that are short compared with the rates' minutes.
        load: (p, ...) force as a fraction of the rested maximum at equidistant instants of the cycle.

    Raises:
        DynamicsError: times do not increase or are not finite, or a load is negative or not finite.
    """
    time, load = np.asarray(time, dtype=float), np.asarray(load, dtype=float)
    _check(time, load, "Give a whole cycle")
    recovery = rates.recovery * (1.0 + (rates.at_rest - 1.0) * np.mean(load == 0.0, axis=0))

    def flow(fatigued: np.ndarray) -> np.ndarray:
        return rates.fatigue * np.mean(np.minimum(load, 1.0 - fatigued), axis=0) - recovery * fatigued

    out = np.zeros((len(time), *load.shape[1:]))
    for k, h in enumerate(np.diff(time)):
        y = out[k]
        k1 = flow(y)
        k2 = flow(y + 0.5 * h * k1)
        k3 = flow(y + 0.5 * h * k2)
        out[k + 1] = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + flow(y + h * k3))
    return out


def _check(time: np.ndarray, load: np.ndarray, remedy: str) -> None:
    if not (
        np.all(np.isfinite(time)) and np.all(np.diff(time) > 0) and np.all(load >= 0) and np.all(np.isfinite(load))
    ):
        problem = "times must increase and be finite, loads be finite and not negative"
        raise DynamicsError(problem, where="fatigue", remedy=remedy)


def _step(rates: FatigueRates, active: float, fatigued: float, load: float, h: float) -> tuple[float, float]:
    a1, f1 = _flow(rates, active, fatigued, load)
    a2, f2 = _flow(rates, active + 0.5 * h * a1, fatigued + 0.5 * h * f1, load)
    a3, f3 = _flow(rates, active + 0.5 * h * a2, fatigued + 0.5 * h * f2, load)
    a4, f4 = _flow(rates, active + h * a3, fatigued + h * f3, load)
    return active + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), fatigued + h / 6 * (f1 + 2 * f2 + 2 * f3 + f4)


def _flow(rates: FatigueRates, active: float, fatigued: float, load: float) -> tuple[float, float]:
    """Rates of the active and the fatigued share, 1/s."""
    recruited = TRACKING * min(load - active, 1.0 - active - fatigued)
    lost = rates.fatigue * active
    recovery = rates.recovery * (rates.at_rest if load == 0.0 else 1.0)
    return recruited - lost, lost - recovery * fatigued
