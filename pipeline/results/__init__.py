"""HDF5 files of stages and trials, with units, frames, dimension scales and provenance; the only user of h5py."""

from pipeline.results.gathering import gather
from pipeline.results.names import escape, unescape
from pipeline.results.norms import load_norm
from pipeline.results.reading import read_best_iterate, read_stage, read_status
from pipeline.results.status import Failure
from pipeline.results.writing import write_failure, write_fields, write_stage

__all__ = [
    "Failure",
    "escape",
    "gather",
    "load_norm",
    "read_best_iterate",
    "read_stage",
    "read_status",
    "unescape",
    "write_failure",
    "write_fields",
    "write_stage",
]
