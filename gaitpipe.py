"""The package under a name of its own, for scripts that lie beside a folder or module called ``pipeline``.

The package is called ``pipeline``, a name that others use too, and Python takes the one that is first on its path: that
in the script's own folder. ``import gaitpipe`` takes the one that it was installed with, and has its public names.

>>> import gaitpipe
>>> "analyse" in dir(gaitpipe)
True
"""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

_FOLDER = Path(__file__).resolve().parent / "pipeline"


def _package() -> ModuleType:
    """The package beside this file, loaded from there unless it is already.

    Raises:
        ImportError: another module has been imported under its name.
    """
    loaded = sys.modules.get("pipeline")
    if loaded is None:
        spec = spec_from_file_location("pipeline", _FOLDER / "__init__.py", submodule_search_locations=[str(_FOLDER)])
        assert spec
        assert spec.loader
        loaded = sys.modules["pipeline"] = module_from_spec(spec)
        spec.loader.exec_module(loaded)
    elif (file := getattr(loaded, "__file__", None)) is None or Path(file).resolve().parent != _FOLDER:
        raise ImportError(
            f"'pipeline' is another module already, of {file or 'a folder without __init__.py'}, and not the package "
            f"in {_FOLDER}: import gaitpipe before it, or rename it"
        )
    return loaded


_LOADED = _package()

__all__ = [*_LOADED.__all__]
__version__ = _LOADED.__version__


def __getattr__(name: str) -> object:
    """The public names of the package, loaded at first use."""
    return getattr(_LOADED, name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
