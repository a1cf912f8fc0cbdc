"""Tables collected piece by piece on disk: those that pandas makes of the same pieces in memory."""

from __future__ import annotations

import pandas as pd

from pipeline.results.study_exports.pieces import Pieces

PIECES = (
    pd.DataFrame({"walk": ["a", "a"], "cycle": [1, 2], "value": [0.1, 1 / 3], "who": [None, None]}),
    pd.DataFrame({"walk": [], "who": []}, dtype=object),
    pd.DataFrame({"walk": ["b"], "cycle": [1], "set_aside": [True], "value": [float("nan")], "who": ["Ann, B."]}),
    pd.DataFrame({"walk": pd.Categorical(["c"]), "cycle": [3], "value": [2.0], "who": [None]}),
)
"""With a column that one lacks, one of unknown values only, no rows at all, and categories."""


def test_tables_are_those_of_all_pieces_in_memory(tmp_path) -> None:
    beside, folder = tmp_path / "pieces", tmp_path / "tables"
    beside.mkdir()
    folder.mkdir()
    pieces = Pieces(beside)
    for piece in PIECES:
        pieces.add("curves", piece)
    pieces.add("empty", PIECES[1])
    pieces.write(folder)
    together = pd.concat([piece.astype({"walk": object}) for piece in PIECES if len(piece)], ignore_index=True)
    text = together.to_csv(index=False, float_format="%.10g", lineterminator="\n")
    assert (folder / "curves.csv").read_text(encoding="utf-8") == text
    found, together = (
        table.astype(object).where(table.notna(), None)
        for table in (pd.read_parquet(folder / "curves.parquet"), together)
    )
    pd.testing.assert_frame_equal(found, together)
    assert (folder / "empty.csv").read_text(encoding="utf-8") == "walk,who\n"
