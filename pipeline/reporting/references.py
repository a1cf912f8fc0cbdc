"""Works cited in the methods paragraphs, and phrases shared by several of these paragraphs."""

from __future__ import annotations

from dataclasses import dataclass

REFERENCES = {
    "baker": "Baker R, McGinley JL, Schwartz MH, et al. (2009). Gait Posture 30(3), 265\N{EN DASH}269.",
    "baker_change": "Baker R, McGinley JL, Schwartz M, et al. (2012). Gait Posture 35(4), 612\N{EN DASH}615.",
    "bell": "Bell AL, Pedersen DR, Brand RA (1990). J Biomech 23(6), 617\N{EN DASH}621.",
    "craven": "Craven P, Wahba G (1979). Numer Math 31(4), 377\N{EN DASH}403.",
    "davis": "Davis RB, Õunpuu S, Tyburski D, Gage JR (1991). Hum Mov Sci 10(5), 575\N{EN DASH}587.",
    "de_leva": "de Leva P (1996). J Biomech 29(9), 1223\N{EN DASH}1230.",
    "delp": "Delp SL, Anderson FC, Arnold AS, et al. (2007). IEEE Trans Biomed Eng 54(11), 1940\N{EN DASH}1950.",
    "desroches": "Desroches G, Chèze L, Dumas R (2010). J Biomech Eng 132(11), 114503.",
    "erdemir": "Erdemir A, McLean S, Herzog W, van den Bogert AJ (2007). Clin Biomech 22(2), 131\N{EN DASH}154.",
    "featherstone": "Featherstone R (2008). Rigid Body Dynamics Algorithms. Springer.",
    "grood": "Grood ES, Suntay WJ (1983). J Biomech Eng 105(2), 136\N{EN DASH}144.",
    "hara": "Hara R, McGinley J, Briggs C, Baker R, Sangeux M (2016). Sci Rep 6, 37707.",
    "harrington": "Harrington ME, Zavatsky AB, Lawson SEM, Yuan Z, Theologis TN (2007). "
    "J Biomech 40(3), 595\N{EN DASH}602.",
    "hicks": "Hicks JL, Uchida TK, Seth A, Rajagopal A, Delp SL (2015). J Biomech Eng 137(2), 020905.",
    "hof": "Hof AL (1996). Gait Posture 4(3), 222\N{EN DASH}223.",
    "hreljac": "Hreljac A, Marshall RN (2000). J Biomech 33(6), 783\N{EN DASH}786.",
    "kadaba": "Kadaba MP, Ramakrishnan HK, Wootten ME (1990). J Orthop Res 8(3), 383\N{EN DASH}392.",
    "lu": "Lu TW, O'Connor JJ (1999). J Biomech 32(2), 129\N{EN DASH}134.",
    "robertson": "Robertson DGE, Dowling JJ (2003). J Electromyogr Kinesiol 13(6), 569\N{EN DASH}573.",
    "robinson": "Robinson RO, Herzog W, Nigg BM (1987). J Manipulative Physiol Ther 10(4), 172\N{EN DASH}176.",
    "soderkvist": "Söderkvist I, Wedin PÅ (1993). J Biomech 26(12), 1473\N{EN DASH}1477.",
    "tukey": "Tukey JW (1958). Ann Math Stat 29(2), 614.",
    "welch": "Welch BL (1947). Biometrika 34, 28\N{EN DASH}35.",
    "winter": "Winter DA (2009). Biomechanics and Motor Control of Human Movement, 4th ed. Wiley.",
    "wu": "Wu G, Cavanagh PR (1995). J Biomech 28(10), 1257\N{EN DASH}1261.",
    "xiang": "Xiang Y, Arora JS, Rahmatalla S, Abdel-Malek K (2009). Int J Numer Methods Eng 79(6), 667\N{EN DASH}695.",
    "zeni": "Zeni JA, Richards JG, Higginson JS (2008). Gait Posture 27(4), 710\N{EN DASH}714.",
}
"""Works by citation key."""

MOMENT_AXES = {
    "distal": "the axes of the distal segment",
    "proximal": "the axes of the proximal segment",
    "global": "the axes of the walkway (forward, up, right)",
    "joint": "the axes of the joint coordinate system (projections on three axes that are not orthogonal; "
    "Desroches et al. 2010)",
}
"""Axes of reported joint moments, by their name in the configuration."""


@dataclass(frozen=True)
class Methods:
    """A methods paragraph and the works that it cites."""

    text: str
    references: tuple[str, ...]
