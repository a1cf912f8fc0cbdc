"""Write all examples: ``python -m pipeline.examples --out DIR``."""

from __future__ import annotations

import argparse
from pathlib import Path

from pipeline.examples.page import write_examples


def main() -> None:
    """Parse the arguments and write figures and index."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.examples", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the figures and index.html")
    parser.add_argument(
        "--skeleton", type=Path, default=Path("config/skeleton.yaml"), help="the human of the ankle and knee example"
    )
    arguments = parser.parse_args()
    for path in write_examples(arguments.out, arguments.skeleton):
        print(path)


if __name__ == "__main__":
    main()
