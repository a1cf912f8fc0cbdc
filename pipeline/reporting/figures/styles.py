"""Colours, widths and dashes of curves and bands, for both matplotlib and the pages' style sheet."""

from __future__ import annotations

from typing import Any

INK, SOFT, RULE, FIELD, GRID = "#17212b", "#5a6875", "#dde3e9", "#fbfcfd", "#e9edf1"
GREEN, AMBER = "#1d7a46", "#e2ac3f"

LINE: dict[str, Any] = {"linewidth": 1.9, "solid_joinstyle": "round", "dash_joinstyle": "round"}
"""Defaults of a curve; lengths in points."""

STYLES: dict[str, dict[str, Any]] = {
    "norm": {"color": "#d9dfe5", "alpha": 0.75},
    "unknown": {"color": "#e4e8ec"},
    "beyond": {"color": AMBER, "alpha": 0.5},
    "differs": {"color": AMBER, "alpha": 0.22},
    "first": {"color": SOFT},
    "kinematic": {"color": INK},
    "matrix": {"color": INK},
    "residual_reduced": {"color": GREEN},
    "simulated": {"color": INK, "linewidth": 1.6, "dashes": (5.0, 4.0)},
    "total": {"color": INK, "linewidth": 2.2},
    "ground": {"color": GREEN},
    "gravity": {"color": "#a06a00"},
    "inertia": {"color": "#8a3ab9"},
    "limit": {"color": "#b3261e", "linewidth": 1.1, "dashes": (7.0, 4.0)},
    "threshold": {"color": SOFT, "linewidth": 1.1, "dashes": (4.0, 3.0)},
    "predicted": {"color": INK, "linewidth": 2.2},
    "left": {"color": "#c8202f"},
    "right": {"color": "#1a5fb4"},
    "group-1": {"color": SOFT, "linewidth": 1.1, "dashes": (4.5, 2.2)},
    "group-2": {"color": SOFT, "linewidth": 1.5, "dashes": (1.3, 1.6)},
    "group-3": {"linewidth": 2.5},
    "group-4": {"linewidth": 2.0, "dashes": (7.0, 1.8, 1.3, 1.8)},
    "single": {"linewidth": 0.9, "alpha": 0.5},
    "spread": {"alpha": 0.14},
    "uncertain": {"alpha": 0.17},
    "dashed": {"dashes": (6.0, 3.0)},
    "estimated": {"dashes": (2.5, 3.5), "alpha": 0.75},
    "reduced": {"linewidth": 1.2, "dashes": (5.0, 3.0)},
    "foot-off": {"linewidth": 1.1, "dashes": (4.0, 3.0), "alpha": 0.75},
}
"""Styles by word. The style of a curve is one or more words; words that come later here override earlier ones."""

PRINTED: dict[str, dict[str, Any]] = {
    "right": {"dashes": (3.5, 1.4), "linewidth": 2.3},
    "foot-off": {"dashes": (4.0, 3.0)},
    "right foot-off": {"dashes": (1.2, 2.0), "linewidth": 1.4},
}
"""Additional properties on paper, because the colours of both sides have the same lightness in greyscale."""

_CSS = {"linewidth": "stroke-width", "dashes": "stroke-dasharray", "alpha": "opacity"}


def style_of(words: str) -> dict[str, Any]:
    """Properties of a matplotlib artist for style words such as "left single".

    Raises:
        KeyError: there is no style of that name.
    """
    merged: dict[str, Any] = {}
    for word in sorted(words.split(), key=list(STYLES).index):
        merged |= STYLES[word]
    return merged


def printed_style(words: str) -> dict[str, Any]:
    """Like `style_of`, with dashes and widths that distinguish the sides in greyscale; those of groups already do."""
    merged, given = style_of(words), words.split()
    if any(word.startswith("group-") for word in given):
        return merged
    if "foot-off" in given:
        return merged | PRINTED["right foot-off" if "right" in given else "foot-off"]
    if "right" in given:
        merged |= PRINTED["right"]
        if "single" in given:
            merged["linewidth"] = style_of("single")["linewidth"]
    return merged


def style_sheet() -> str:
    """The same styles as CSS: colours for curves, legends and values; widths and dashes only for curves."""
    colours = [f".{word} {{ color: {style['color']}; }}" for word, style in STYLES.items() if "color" in style]
    drawn = []
    for word, style in STYLES.items():
        rules = "; ".join(f"{css}: {_text(style[key])}" for key, css in _CSS.items() if key in style)
        drawn += [f"svg .{word} {{ {rules}; }}"] if rules else []
    return "\n".join([*colours, *drawn])


def _text(value: float | tuple[float, ...]) -> str:
    return " ".join(f"{v:g}" for v in value) if isinstance(value, tuple) else f"{value:g}"
