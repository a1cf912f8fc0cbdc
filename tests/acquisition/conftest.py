import numpy as np
import pytest


@pytest.fixture
def write_c3d(tmp_path):
    """Function that writes a small C3D file with the C3D library and returns its path."""

    def write(points, labels, *, analog=None, point=None, groups=None, analog_units=None, residuals=None, rate=100.0):
        """Points (T, N, 3) in the file's unit; analog (Ta, C) in physical units; extra parameters by group and name."""
        import ezc3d

        file = ezc3d.c3d()
        frames = len(points)
        file["parameters"]["POINT"]["RATE"]["value"] = [rate]
        file["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
        file["parameters"]["POINT"]["LABELS"]["value"] = list(labels)
        file["data"]["points"] = np.concatenate(
            [np.transpose(points, (2, 1, 0)), np.ones((1, np.shape(points)[1], frames))]
        )
        file["data"]["meta_points"]["residuals"] = (
            np.zeros((1, np.shape(points)[1], frames)) if residuals is None else residuals[None]
        )
        if analog is not None:
            channels = analog.shape[1]
            file["parameters"]["ANALOG"]["RATE"]["value"] = [rate * len(analog) / frames]
            file["parameters"]["ANALOG"]["LABELS"]["value"] = [f"C{i + 1}" for i in range(channels)]
            file["parameters"]["ANALOG"]["UNITS"]["value"] = analog_units or ["N"] * channels
            file["data"]["analogs"] = analog.T[None]
        for name, value in (point or {}).items():
            file.add_parameter("POINT", name, value)
        for group, members in (groups or {}).items():
            for name, value in members.items():
                file.add_parameter(
                    group, name, np.asarray(value, dtype=float) if isinstance(value, np.ndarray) else value
                )
        path = tmp_path / "trial.c3d"
        file.write(str(path))
        return path

    return write
