"""Time of static optimisation: `python -m tests.benchmarks.muscles`."""

from __future__ import annotations

import time

from pipeline.muscles.static_optimisation import static_optimisation
from tests.muscles.test_static_optimisation import random_problems


def main() -> None:
    """Print the shortest of ten runs of a hundred frames, 92 muscles and 17 coordinates."""
    capacity, moment = random_problems(100, 17, 92, seed=5)
    solution = static_optimisation(capacity, moment)
    spans = []
    for _ in range(10):
        begin = time.perf_counter()
        static_optimisation(capacity, moment)
        spans.append(time.perf_counter() - begin)
    print(
        f"{1000 * min(spans):.1f} ms for 100 frames; Newton steps a frame: mean {solution.rounds.mean():.1f}, at most "
        f"{solution.rounds.max()}"
    )


if __name__ == "__main__":
    main()
