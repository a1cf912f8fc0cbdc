"""Muscles recorded by surface EMG of gait, and the side and muscle that a channel's label names."""

from __future__ import annotations

import re

MUSCLES: dict[str, tuple[str, ...]] = {
    "tibialis_anterior": ("ta", "tib", "tibant", "tibialisant", "tibialisanterior", "tibanterior", "anttib"),
    "soleus": ("sol", "soleus"),
    "gastrocnemius_medialis": (
        *("gm", "mg", "gasm", "gasmed", "gastm", "gastmed", "medgast", "mgas", "mgast", "medialgastrocnemius"),
        *("gastrocnemiusmedialis", "gastrocnemiusmedialhead", "gastrocmed", "medgastroc"),
    ),
    "peroneus_longus": ("pl", "per", "peron", "perlong", "peroneus", "peroneuslongus", "fibularislongus"),
    "rectus_femoris": ("rf", "rec", "rect", "rectus", "rectfem", "rectusfem", "rectusfemoris"),
    "vastus_medialis": ("vm", "vmo", "vasmed", "vastmed", "vastusmed", "vastusmedialis"),
    "biceps_femoris": ("bf", "bflh", "bicfem", "bifem", "bicepsfem", "bicepsfemoris", "lathams", "lateralhamstrings"),
    "gluteus_maximus": ("gmax", "gluma", "glutmax", "gluteusmax", "gluteusmaximus"),
    "gluteus_medius": ("gmed", "glume", "glutmed", "gluteusmed", "gluteusmedius"),
    "vastus_lateralis": ("vl", "vaslat", "vastlat", "vastuslat", "vastuslateralis"),
    "semitendinosus": ("st", "semit", "semiten", "semitendinosus"),
    "hamstrings_medial": ("mh", "medham", "medhams", "medialhamstrings"),
    "hamstrings": ("ham", "hams", "hamstring", "hamstrings"),
    "gastrocnemius_lateralis": ("gl", "lg", "gaslat", "gastl", "gastlat", "latgast", "gastrocnemiuslateralis"),
    "gastrocnemius": ("gas", "gast", "gastroc", "gastrocnemius"),
    "tibialis_posterior": ("tp", "tibpost", "tibialisposterior"),
    "tensor_fasciae_latae": ("tfl", "tensorfascialatae", "tensorfasciaelatae"),
    "adductor_longus": ("add", "addl", "addlong", "adductor", "adductors", "adductorlongus"),
    "erector_spinae": ("es", "ersp", "erspin", "erectorspinae"),
}
"""Labels by muscle, in lower case without blanks and punctuation. The first eight have a published norm."""

_BY_LABEL = {label: muscle for muscle, labels in MUSCLES.items() for label in labels}
_SIDES = {"l": "left", "lt": "left", "left": "left", "r": "right", "rt": "right", "right": "right"}
_DEVICE = re.compile(r"(s?emg|voltage|raw|sensor|delsys|trigno|noraxon|channel|ch|\d)+")


def muscle_of(label: str) -> tuple[str, str] | None:
    """Side ("left", "right", or "" if not given) and muscle of a label such as "LTA", "R Tib Ant" or "EMG.left_soleus";
    None if it names no known muscle."""
    words = [word for word in re.split(r"[\W_]+", label.casefold()) if word and not _DEVICE.fullmatch(word)]
    sides = [word for word in words if word in _SIDES]
    if len(sides) == 1 and len(words) > 1:
        muscle = _BY_LABEL.get("".join(word for word in words if word != sides[0]))
        return (_SIDES[sides[0]], muscle) if muscle else None
    text = "".join(words)
    for word, side in sorted(_SIDES.items(), key=lambda item: -len(item[0])):
        for start, rest in ((text.startswith(word), text[len(word) :]), (text.endswith(word), text[: -len(word)])):
            if start and rest in _BY_LABEL and text not in _BY_LABEL:
                return side, _BY_LABEL[rest]
    return ("", _BY_LABEL[text]) if text in _BY_LABEL else None
