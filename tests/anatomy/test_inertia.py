"""Tables against the published figures, inertias by hand."""

import numpy as np
import pytest

from pipeline.anatomy import inertia_about_com, table_row
from pipeline.anatomy.inertia import FOOT_LENGTH_OF_HEIGHT

# De Leva (1996), table 4, female then male: mass, centre of mass from proximal (thigh HJC to KJC, shank KJC to AJC,
# foot heel to toe tip), radii of gyration sagittal, transverse, longitudinal; all in percent.
DE_LEVA = {
    "thigh": ((14.78, 36.12, 36.9, 36.4, 16.2), (14.16, 40.95, 32.9, 32.9, 14.9)),
    "shank": ((4.81, 43.52, 26.7, 26.3, 9.2), (4.33, 43.95, 25.1, 24.6, 10.2)),
    "foot": ((1.29, 40.14, 29.9, 27.9, 13.9), (1.37, 44.15, 25.7, 24.5, 12.4)),
}

# Winter (2009), table 4.1: mass, centre of mass from proximal, radius of gyration about the centre of mass.
WINTER = {"thigh": (0.100, 0.433, 0.323), "shank": (0.0465, 0.433, 0.302), "foot": (0.0145, 0.50, 0.475)}


@pytest.mark.parametrize("segment", DE_LEVA)
@pytest.mark.parametrize(("sex", "column"), [("f", 0), ("m", 1)])
def test_de_levas_figures(segment, sex, column):
    mass, com, sagittal, transverse, longitudinal = DE_LEVA[segment][column]
    row = table_row("de_leva", segment, sex)
    np.testing.assert_allclose(
        [row.mass, row.com, *row.radii], np.array([mass, com, sagittal, longitudinal, transverse]) / 100, atol=1e-12
    )


@pytest.mark.parametrize("segment", DE_LEVA)
def test_an_unknown_sex_gets_the_mean_of_both(segment):
    row = table_row("de_leva", segment, None)
    mass, com, sagittal, transverse, longitudinal = np.mean(DE_LEVA[segment], axis=0) / 100
    np.testing.assert_allclose([row.mass, row.com, *row.radii], [mass, com, sagittal, longitudinal, transverse])


@pytest.mark.parametrize("segment", WINTER)
@pytest.mark.parametrize("sex", ["m", "f", None])
def test_dempsters_figures_as_winter_gives_them(segment, sex):
    row = table_row("dempster", segment, sex)
    assert (row.mass, row.com, row.radii[2]) == WINTER[segment]
    assert row.radii[0] == row.radii[2] > row.radii[1] > 0.0


def test_a_mans_thigh_by_hand():
    """70 kg, 0.42 m: 9.912 kg; 9.912 (0.329 * 0.42)^2 = 0.189257, 9.912 (0.149 * 0.42)^2 = 0.038818 kg m^2."""
    mass, inertia = inertia_about_com(table_row("de_leva", "thigh", "m"), 70.0, 0.42, 1)
    assert mass == pytest.approx(9.912)
    np.testing.assert_allclose(inertia, np.diag([0.189257, 0.038818, 0.189257]), atol=1e-6)


def test_a_womans_foot_lies_along_x_by_hand():
    """60 kg, 0.24 m: 0.774 kg; about x the longitudinal radius 0.139: 0.774 (0.03336)^2 = 0.000861; about y (dorsal)
    the sagittal one 0.299: 0.774 (0.07176)^2 = 0.003986; about z the transverse one: 0.774 (0.06696)^2 = 0.003470.
    """
    mass, inertia = inertia_about_com(table_row("de_leva", "foot", "f"), 60.0, 0.24, 0)
    assert mass == pytest.approx(0.774)
    np.testing.assert_allclose(np.diag(inertia), [0.000861, 0.003986, 0.003470], atol=1e-6)


def test_foot_length_is_drillis_and_continis_share_of_height():
    assert FOOT_LENGTH_OF_HEIGHT == 0.152


def test_unknown_tables_are_refused():
    with pytest.raises(ValueError, match="dempster"):
        table_row("nobody", "thigh", "m")
