"""The JSON schemas that ship are those of the models, and tell good files from bad ones by another library."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from pipeline.cli.schemas import MODELS, schema_text

ROOT = Path(__file__).resolve().parents[2]
FILES = [("config", "config/config.yaml"), ("skeleton", "config/skeleton.yaml")]


@pytest.mark.parametrize("name", MODELS)
def test_the_schemas_that_ship_are_those_of_the_models(name: str) -> None:
    assert (ROOT / f"config/schemas/{name}.schema.json").read_text() == schema_text(MODELS[name]), "run: make reference"


@pytest.mark.parametrize(("name", "file"), FILES)
def test_files_that_ship_fit_their_schema_and_a_misspelt_key_does_not(name: str, file: str) -> None:
    schema = json.loads(schema_text(MODELS[name]))
    content = yaml.safe_load((ROOT / file).read_text())
    jsonschema.validate(content, schema)
    with pytest.raises(jsonschema.ValidationError, match="Additional properties"):
        jsonschema.validate({**content, "colour": 1}, schema)
