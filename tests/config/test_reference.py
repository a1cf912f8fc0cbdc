"""The documented configuration is the schema's, and the demo study is valid."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel

from pipeline.config import Configuration, Prediction, Subject, Trial
from pipeline.config.reference import reference_markdown, with_reference

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = [field.annotation for field in Configuration.model_fields.values()]


def test_the_reference_in_the_readme_is_that_of_the_schema() -> None:
    text = (ROOT / "config/README.md").read_text(encoding="utf-8")
    assert text == with_reference(text), "run: make reference"


@pytest.mark.parametrize("model", [*SECTIONS, Subject, Trial, Prediction])
def test_every_key_is_described_in_the_reference(model: type[BaseModel]) -> None:
    assert model.model_fields
    for name, field in model.model_fields.items():
        assert field.description, name
        assert f"| `{name}` |" in reference_markdown()


def test_the_demo_configuration_fits_the_schema() -> None:
    Configuration.model_validate(yaml.safe_load((ROOT / "config/config.yaml").read_text()))
