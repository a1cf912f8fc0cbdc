"""HDF5 files of stages and trials, with units, frames, dimension scales and provenance. Only this package uses h5py."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
