"""Puts what ships beside the package into wheels, within it: the workflow runs where there is no checkout."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SHIPPED = (
    "Snakefile",
    "config/skeleton.yaml",
    "config/marker_sets/**/*.yaml",
    "config/muscles/*.json",
    "config/norms/*.json",
    "config/predicted_walks.npz",
    "config/ground_from_motion.json",
    "config/residuals.json",
    "config/stride_spread.json",
    "config/schemas/*.json",
    "config/tasks/*.yaml",
    "config/what_if/*.yaml",
    "profiles/*/config.yaml",
    "reports/templates/*",
)


class BuildWithHome(build_py):
    """Also copies the files to ``pipeline/home``, where `pipeline.config.shipped` finds them."""

    def run(self) -> None:
        """Build, then copy; an editable install finds the files where they are."""
        super().run()
        if self.editable_mode:
            return
        for pattern in SHIPPED:
            for path in sorted(Path().glob(pattern)):
                copy = Path(self.build_lib, "pipeline/home", path)
                copy.parent.mkdir(parents=True, exist_ok=True)
                self.copy_file(str(path), str(copy))


setup(cmdclass={"build_py": BuildWithHome})
