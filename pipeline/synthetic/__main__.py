"""Regenerate the demo study's C3D files: ``python -m pipeline.synthetic OUTDIR``."""

from __future__ import annotations

import argparse
from pathlib import Path

from pipeline.synthetic.demo import write_demo


def main(arguments: list[str] | None = None) -> None:
    """Write the files and print their names and sizes."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.synthetic", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder to write to, such as data/demo")
    for path in write_demo(parser.parse_args(arguments).folder):
        print(f"{path}  {path.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()
