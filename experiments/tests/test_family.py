"""A population over its generations as one picture."""

from xml.etree import ElementTree

from gpkit.show.graph import BLUE
from gpkit_experiments.papers.sevens.blue_nodes import WIDTH, blue_svg, histories, typical

HISTORY = typical(histories(range(1, 10)))
PICTURE = ElementTree.fromstring(blue_svg(HISTORY))  # noqa: S314


def parts(kind: str) -> list[ElementTree.Element]:
    return [each for each in PICTURE.iter() if each.tag.endswith("}" + kind)]


def test_every_tree_is_there_with_its_blue_leaves() -> None:
    boxes = [each for each in parts("rect") if each.get("rx")]
    assert len(boxes) == 24
    blue = [each for each in parts("circle") if each.get("fill") == BLUE]
    in_legend = 1
    assert len(blue) - in_legend == sum(each.score for population in HISTORY.values() for each in population)


def test_every_tree_hangs_on_those_that_it_came_of_and_copies_by_a_thick_line() -> None:
    members = [each for population in HISTORY.values() for each in population]
    lines = [each for each in parts("path") if each.get("fill") == "none"]
    assert len(lines) == sum(len(each.origin.parents) for each in members)
    thick = [each for each in lines if each.get("stroke-width") == "2.5"]
    assert len(thick) == sum(each.origin.operator == "clone" for each in members)


def test_nothing_stands_out_of_the_picture() -> None:
    height = float(PICTURE.get("height", "0"))
    for each in parts("circle"):
        assert 0 < float(each.get("cx", "0")) < WIDTH
        assert 0 < float(each.get("cy", "0")) < height


def test_the_run_drawn_ends_as_the_median_run() -> None:
    ends = sorted(run[5][0].score for run in histories(range(1, 10)))
    assert HISTORY[5][0].score == ends[4]
