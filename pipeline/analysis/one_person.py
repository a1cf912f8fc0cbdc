"""Whether walks that are averaged together belong to one person, from their body masses and leg lengths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pipeline.trial import Note

MAX_MASS, MAX_LEG_LENGTH, MAX_HEIGHT = 0.05, 0.02, 0.02
"""Relative differences from the smallest value allowed between the walks of one visit: clothes, shoes and an orthosis
weigh less, and tape measures of one leg agree to a centimetre."""

ONE_VISIT = (
    "probably because walks of two people are under one name, or a file holds another person's values: correct "
    "'subject' in trials.tsv or give the values in subjects.tsv"
)
TWO_VISITS = (
    "so values per body mass and dimensionless values also change with the body: if the subject did not grow or "
    "change weight that much, walks of two people are under one name; correct 'subject' in trials.tsv"
)


def person_notes(
    masses: Mapping[str, float],
    leg_lengths: Mapping[str, float],
    heights: Mapping[str, float] | None = None,
    cause: str = ONE_VISIT,
) -> Iterator[Note]:
    """Warnings about walks, or groups of walks, with subjects of different size.

    Args:
        masses: kg, by the name of the walk or group; NaN if unknown.
        leg_lengths, heights: m, likewise.
        cause: what the difference means, and what to do.
    """
    for what, values, limit, factor, unit in (
        ("body mass", masses, MAX_MASS, 1.0, "kg"),
        ("leg length", leg_lengths, MAX_LEG_LENGTH, 1000.0, "mm"),
        ("height", heights or {}, MAX_HEIGHT, 1000.0, "mm"),
    ):
        known = {name: value for name, value in values.items() if value > 0.0}
        if len(known) < 2:
            continue
        low, high = min(known, key=lambda name: known[name]), max(known, key=lambda name: known[name])
        apart = known[high] / known[low] - 1.0
        if apart > limit:
            text = (
                f"{factor * known[low]:.0f} {unit} in {low} and {factor * known[high]:.0f} {unit} in {high}, "
                f"{100 * apart:.0f} % apart (limit {100 * limit:.0f} %), {cause}"
            )
            yield Note("warning", what, text)
