"""Storage files of estimated activations and forces, read back by another reader."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import ResultsError
from pipeline.provenance import Provenance
from pipeline.results import export_trial, write_stage
from pipeline.trial import MuscleLoads
from tests.oracles.opensim_model import read_storage

TIME = np.arange(10) / 100.0


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A walk of two muscles; the first is known in frames 2 to 6 and 9, the other nowhere.

    Loads of the right leg are estimated in frames 4 to 5 of these.
    """
    force = np.full((10, 2), np.nan, dtype=np.float32)
    force[[2, 3, 4, 5, 6, 9], 0] = [1, 2, 3, 4, 5, 6]
    loads = MuscleLoads(
        *("w", "S", 50.0, "", "rigid", TIME, ("soleus_r", "soleus_l"), ("right_ankle",), ("right_ankle_flexion",)),
        *(
            np.ones(2),
            force / 10,
            force,
            np.zeros((10, 1, 3)),
            (),
            np.zeros((10, 0)),
            np.full((10, 1), 0.25),
            np.ones(1),
            (),
        ),
    )
    at = {"left": np.zeros(10, dtype=bool), "right": np.isin(np.arange(10), (0, 4, 5))}
    write_stage(tmp_path / "muscles/w.h5", replace(loads, loads_estimated=at), Provenance("muscles"))
    return tmp_path


def test_the_longest_run_of_known_frames_is_written(session: Path) -> None:
    for name, scale in (("w_activation.sto", 0.1), ("w_force.sto", 1.0)):
        export_trial(session, "w", session / name)
        found = read_storage(session / name)
        np.testing.assert_allclose(found["time"], TIME[2:7])
        np.testing.assert_allclose(found["soleus_r"], scale * np.arange(1, 6), rtol=1e-7)
        assert "soleus_l" not in found
        header = (session / name).read_text().partition("endheader")[0]
        (said,) = (line for line in header.splitlines() if "estimated" in line)
        assert said == "Loads of the right leg are estimated from motion at these times in s: 0.04 to 0.05"
    np.testing.assert_allclose(found["right_ankle_flexion_reserve"], 0.25)


def test_a_trial_without_muscle_forces_says_how_to_get_them(session: Path) -> None:
    (session / "muscles/w.h5").rename(session / "w.h5")
    (session / "raw").mkdir()
    (session / "w.h5").rename(session / "raw/w.h5")
    with pytest.raises(ResultsError, match="has no muscle forces"):
        export_trial(session, "w", session / "w_force.sto")
