"""JSON schemas of the files that users write, from their models: ``python -m pipeline.cli.schemas FOLDER``.

Editors use them to complete and check config.yaml and the skeleton. The schema of a table describes one row. Marker
sets have none, because an entry of one side stands for both in their files.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pydantic import BaseModel

from pipeline.config import Comparison, Configuration, Prediction, Subject, Trial
from pipeline.skeleton.definition import SkeletonDefinition

MODELS: dict[str, type[BaseModel]] = {
    "config": Configuration,
    "subjects": Subject,
    "trials": Trial,
    "predictions": Prediction,
    "comparisons": Comparison,
    "skeleton": SkeletonDefinition,
}
"""Models by the name of the file or table."""


def schema_text(model: type[BaseModel]) -> str:
    """A model's JSON schema, draft 2020-12."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def main(folder: Path) -> None:
    """Write all schemas."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, model in MODELS.items():
        (folder / f"{name}.schema.json").write_text(schema_text(model), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
