"""Make the library of stored walks.

    python -m pipeline.prediction walks [--out FILE]

`walks` solves the walks that predictions start from, and finds which steps are out of reach; it takes minutes. Run it
again whenever the body, constraints, objective or weights of the preset `human` change; until then predictions start
from the neutral pose.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pipeline.prediction.gait.walk_grid import solve_walks
from pipeline.prediction.gait.walk_library import LIBRARY


def main() -> None:
    """Run the command given by the arguments."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.prediction", description=(__doc__ or "").split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    walks = commands.add_parser("walks", help="solve and store the walks that predictions start from")
    walks.add_argument("--out", type=Path, default=LIBRARY)
    arguments = parser.parse_args()
    library = solve_walks(lambda line: print(line, flush=True))
    library.save(arguments.out)
    print(f"{len(library.requests)} walks in {arguments.out}, {arguments.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
