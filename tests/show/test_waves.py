"""Heat maps and curves of waves.

Charts as png and pdf: real files, the same bytes for the same numbers, clear words without the library.
"""

import math
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from gpkit.core.errors import RenderError
from gpkit.games.battleship.forms.draw import harmonic_curves, wave_curves
from gpkit.games.battleship.waves import Harmonic, Wave, values
from gpkit.show.chart import Curves, Series
from gpkit.show.heat import heat_svg
from gpkit.show.render import PLOTTED, plot

SILENCE = Harmonic(0.0, 1.0, 0.0, 1.0)
WAVE = Wave((Harmonic(0.0, 1.0, -2.0, 10.0), *[SILENCE] * 4))


def test_a_heat_map_has_a_square_and_a_number_for_each_value() -> None:
    svg = heat_svg("two <maps>", {"a": [0.0, 0.25, 0.5, 1.0], "b": [0.0] * 6}, 2)
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own text
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["a", "0", "25", "50", "100", "b", *["0"] * 6]
    assert "#0072b2" in svg


def test_a_wave_is_moved_and_stretched_to_its_density() -> None:
    density = 0.5 + 0.1 * np.cos(10 * np.arange(100) * 2 * np.pi / 100)
    curves = wave_curves("fit", WAVE, density.tolist())
    drawn = {line.name: [height for _, height in line.points] for line in curves.series}
    assert drawn["density"] == pytest.approx(density)
    assert drawn["wave, to scale"] == pytest.approx(density)


def test_harmonics_are_drawn_one_by_one() -> None:
    lines = harmonic_curves("parts", WAVE, 100).series
    assert [line.name for line in lines] == ["−2 cos 10t", *["0"] * 4]
    assert [y for _, y in lines[0].points] == pytest.approx(values(WAVE, 100))


PANELS = [
    Curves(
        "Champions", (Series("champion", ((0, 80.0), (4, 60.0)), ((79.0, 81.0), (59.0, 61.0))),), "shots $x$"
    ),
    Curves(
        "Size", (Series("best", ((0, 4.0), (4, math.nan))), Series("mean", ((0, 5.0),))), "lines", zero=True
    ),
]


@pytest.mark.release
@pytest.mark.parametrize(
    ("suffix", "magic"), [("png", b"\x89PNG\r\n"), pytest.param("pdf", b"%PDF-1.", marks=pytest.mark.release)]
)
def test_the_same_numbers_give_the_same_file(suffix: str, magic: bytes) -> None:
    made = plot(PANELS, suffix)
    assert made.startswith(magic)
    assert made == plot(PANELS, suffix)


def test_points_alone_are_dots_in_every_format(monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib.axes import Axes

    drawn, paint = [], Axes.plot

    def recorded(*arguments: object, **options: object) -> object:
        drawn.extend(lines := paint(*arguments, **options))
        return lines

    monkeypatch.setattr(Axes, "plot", recorded)
    corners = ((0.0, 0.0), (1.0, 1.0), (2.0, 0.0))
    plot([Curves("T", (Series("rows", corners, line=False), Series("line", corners)), "y")], "png")
    assert [(line.get_linestyle(), line.get_marker()) for line in drawn] == [("None", "o"), ("--", "")]


@pytest.mark.parametrize("suffix", PLOTTED)
def test_without_the_library_it_is_said_what_to_install(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(RenderError, match=r"pip install -e '\.\[plots\]'.*\.svg, \.html and \.txt"):
        plot(PANELS, suffix)
