"""Fronts and maps of runs as pictures and texts."""

import math
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_run import TINY, evolve_tiny

from gpkit.core.errors import UsageError
from gpkit.evolution.config import SchemeSettings, SelectionSettings
from gpkit.evolution.history import read_history
from gpkit.evolution.run_folder import FrontRow, FrontTable
from gpkit.show.chart import curves_svg
from gpkit.show.heat import MapAxis, MapPicture, Spot, map_svg, map_text
from gpkit.show.run_charts import (
    archive_of_run,
    diversity_panels,
    front_text,
    map_picture,
    run_picture,
    size_panels,
    strength_panels,
)
from gpkit.show.run_findings import Champion
from gpkit.show.run_page import report_on

PARETO = replace(
    TINY, scheme=SchemeSettings(name="plus", order="pareto"), selection=SelectionSettings(name="pareto")
)
MAPPED = replace(
    TINY,
    scheme=SchemeSettings(name="map-elites"),
    map={"size": (1.0, 31.0, 6.0), "depth": (1.0, 9.0, 4.0), "uses:env.rank": (0.0, 1.0, 2.0)},
)


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("fronts") / "front"
    evolve_tiny(folder, generations=1, config=PARETO)
    return str(folder)


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("maps") / "mapped"
    evolve_tiny(folder, generations=2, config=MAPPED)
    return str(folder)


def test_the_course_of_a_run_has_the_intervals_that_are_known(front: str) -> None:
    history = read_history(Path(front))
    measured = [Champion(0, 0.5, 0.45, 0.55), Champion(1, 0.6, 0.58, 0.62)]
    (strength,) = strength_panels(history, measured, champion="champion")
    assert [line.name for line in strength.series] == ["best in training", "median", "champion"]
    assert [len(line.points) for line in strength.series] == [2, 2, 2]
    assert "polygon" in curves_svg(strength)
    problem = replace(history, run=replace(history.run, config=replace(history.run.config, game="")))
    (score,) = strength_panels(problem, [Champion(0, 0.5)])
    assert (score.title, [line.name for line in score.series]) == ("Score", ["best", "median", "best so far"])
    assert [y for _, y in score.series[-1].points] == [0.5, 0.5]  # until the next champion
    (unknown,) = strength_panels(history, [each._replace(low=math.nan) for each in measured])
    assert "polygon" not in curves_svg(unknown)
    (sizes,), (diversity,) = size_panels(history), diversity_panels(history)
    assert [line.points[1][1] for line in sizes.series] == [
        history.generations[1].best_size,
        history.generations[1].size,
    ]
    assert 0 < diversity.series[0].points[0][1] <= history.generations[0].individuals


def test_a_front_is_drawn_and_told(front: str) -> None:
    ET.fromstring(run_picture(front, "front", "svg"))  # noqa: S314 - our own text
    text = run_picture(front, "front", "txt").decode()
    assert "score  size  program" in text
    with pytest.raises(UsageError, match=r"has no map: only scheme\.name = \"map-elites\" fills one"):
        run_picture(front, "map", "svg")


@pytest.mark.release
def test_a_report_has_the_front_and_the_map(front: str, mapped: str) -> None:
    pages = [report_on(Path(folder), games=10)[1] for folder in (front, mapped)]
    assert ["The front" in page for page in pages] == [True, False]
    assert ["The map" in page for page in pages] == [False, True]


def test_the_text_of_a_front_marks_the_champion() -> None:
    rows = (FrontRow(3, 2, (0.5, 2.0), 0.0, "play: a\nsend: b\n"), FrontRow(1, 1, (0.25, 1.0), 0.0, "c"))
    table = FrontTable(("score", "size"), ("higher", "lower"), rows, "knee", 1, ".tree")
    assert front_text(table).splitlines() == [
        "            score  size  program",
        "1             0.5     2  play: a · send: b",
        "2 champion   0.25     1  c",
    ]


def test_a_map_is_drawn_and_told(mapped: str) -> None:
    drawn = ET.fromstring(run_picture(mapped, "map", "svg"))  # noqa: S314 - our own text
    archive = archive_of_run(read_history(Path(mapped)))
    assert archive is not None
    spots = map_picture(archive).spots
    assert len(drawn.findall(".//{*}g")) == len(spots) > 1
    assert 0.0 < archive.coverage == len(archive.elites) / 48
    assert archive.qd_score == pytest.approx(sum(elite.score for elite in archive.elites.values()))
    assert "the best over uses:env.rank" in run_picture(mapped, "map", "txt").decode()
    assert b"<title>win_share" in run_picture(mapped, "map", "html")
    with pytest.raises(UsageError, match=r"a map cannot be drawn as \.png"):
        run_picture(mapped, "map", "png")
    with pytest.raises(UsageError, match=r"has no front: the run weighs no objectives"):
        run_picture(mapped, "front", "svg")


def test_a_map_shows_the_better_value_darker_and_empty_cells_as_points() -> None:
    spots = {(0, 0): Spot(4.0, "four"), (1, 1): Spot(6.0, "six <&>")}
    drawn = MapPicture(
        "Map",
        "2 of 4",
        MapAxis("size", (0.0, 1.0, 2.0)),
        MapAxis("depth", (0.0, 3.0, 6.0)),
        spots,
        "guesses",
        True,
    )
    root = ET.fromstring(map_svg(drawn))  # noqa: S314 - our own text
    fills = {g[0].text: g[1].get("fill") for g in root.findall(".//{*}g")}
    assert fills == {"four": "#0072b2", "six <&>": "#d9eaf3"}
    assert map_text(drawn).splitlines() == [
        "Map: guesses; 2 of 4",
        "3  .  6",
        "0  4  .",
        "   0  1",
        "across: size; upwards: depth; each bin is labelled with its smallest value",
    ]
