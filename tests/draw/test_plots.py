"""Charts as png and pdf: real files, the same bytes for the same numbers, clear words without the library."""

import math
import sys

import pytest

from gpkit.core.errors import RenderError
from gpkit.draw.chart import Curves, Series
from gpkit.draw.render import PLOTTED, plot

PANELS = [
    Curves(
        "Champions", (Series("champion", ((0, 80.0), (4, 60.0)), ((79.0, 81.0), (59.0, 61.0))),), "shots $x$"
    ),
    Curves(
        "Size", (Series("best", ((0, 4.0), (4, math.nan))), Series("mean", ((0, 5.0),))), "lines", zero=True
    ),
]


@pytest.mark.parametrize(("suffix", "magic"), [("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-1.")])
def test_the_same_numbers_give_the_same_file(suffix: str, magic: bytes) -> None:
    made = plot(PANELS, suffix)
    assert made.startswith(magic)
    assert made == plot(PANELS, suffix)


@pytest.mark.parametrize("suffix", PLOTTED)
def test_without_the_library_it_is_said_what_to_install(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(RenderError, match=r"pip install -e '\.\[plots\]'.*\.svg, \.html and \.txt"):
        plot(PANELS, suffix)
