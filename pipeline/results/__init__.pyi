from .checksums import SUMS, ChecksumError, read_sums, seal_folder, write_sums
from .comparisons import computed_comparisons
from .exports import export_trial
from .integrity import DamagedFileError, verified_digest
from .names import escape, unescape
from .norms import load_norm
from .opening import InMemory, in_memory, trial_of
from .plausible_walks import plausible
from .reading import read_best_iterate, read_failure, read_stage, read_status
from .session_folder import stage_files
from .status import Failure
from .study_exports import STUDY_EXPORTS, export_study
from .writing import write_failure, write_stage

__all__ = [
    "STUDY_EXPORTS",
    "SUMS",
    "ChecksumError",
    "DamagedFileError",
    "Failure",
    "InMemory",
    "computed_comparisons",
    "escape",
    "export_study",
    "export_trial",
    "in_memory",
    "load_norm",
    "plausible",
    "read_best_iterate",
    "read_failure",
    "read_stage",
    "read_status",
    "read_sums",
    "seal_folder",
    "stage_files",
    "trial_of",
    "unescape",
    "verified_digest",
    "write_failure",
    "write_stage",
    "write_sums",
]
