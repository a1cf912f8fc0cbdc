"""The study's tidy tables: pandas frames with one value per row, written to and read from Parquet and CSV files."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
