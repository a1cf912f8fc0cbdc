"""HDF5 files of stages and trials, with units, frames, dimension scales and provenance; the only user of h5py."""

from pipeline.results.comparisons import computed_comparisons
from pipeline.results.exports import export_trial
from pipeline.results.integrity import DamagedFileError, verified_digest
from pipeline.results.names import escape, unescape
from pipeline.results.norms import load_norm
from pipeline.results.reading import read_best_iterate, read_stage, read_status
from pipeline.results.session_folder import stage_files
from pipeline.results.status import Failure
from pipeline.results.study_exports import STUDY_EXPORTS, export_study
from pipeline.results.writing import write_failure, write_stage

__all__ = [
    "STUDY_EXPORTS",
    "DamagedFileError",
    "Failure",
    "computed_comparisons",
    "escape",
    "export_study",
    "export_trial",
    "load_norm",
    "read_best_iterate",
    "read_stage",
    "read_status",
    "stage_files",
    "unescape",
    "verified_digest",
    "write_failure",
    "write_stage",
]
