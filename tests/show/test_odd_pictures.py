"""Pictures and pages have the names of a program as text and nothing else."""

import html
import json
import random
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from odd_exports import odd_texts

from gpkit.core.wording import shown
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.show.chart import Curves, Series
from gpkit.show.pictures import picture_of
from gpkit.show.render import render, render_curves

_READ = """
import json, sys, pygraphviz
graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
print(json.dumps([[dict(node.attr) for node in graph.nodes()], len(graph.edges()), graph.graph_attr.keys()]))
"""

COUNTS = [
    pytest.param(1, id="some"),
    pytest.param(10, id="more", marks=pytest.mark.release),
    pytest.param(105, id="all", marks=pytest.mark.slow),
]
TAGS = {"svg", "g", "title", "polygon", "ellipse", "path", "text", "a", "polyline"}


def as_pictures_show(text: str) -> str:
    """A text in one line, with a look-alike for the backslash and what no picture has written out."""
    return shown(" ".join(text.split())).replace("\\", "\N{SET MINUS}")


class Reader(HTMLParser):
    """The tags, the attributes and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("count", COUNTS)
def test_names_are_text_in_dot_svg_and_html(count: int) -> None:
    """A hundred texts are in each picture."""
    for seed in range(count):
        names = odd_texts(random.Random(seed), 48 if count == 1 else 98)  # noqa: S311 - draws texts
        prefix = (*["+"] * (len(names) - 3), *names[2:])
        tree = Tree.from_prefix(prefix, (*[2] * (len(names) - 3), *[0] * (len(names) - 2)))
        picture = picture_of(TreeProgram(("a", "b"), (tree, tree)), {}, None, title=names[0], text=names[1])
        done = subprocess.run(
            [sys.executable, "-c", _READ], input=picture.dot.encode(), capture_output=True, check=True
        )
        nodes, edges, _ = json.loads(done.stdout)
        tips = sorted(html.unescape(each["tooltip"]) for each in nodes if each["shape"] == "box")
        assert tips == sorted(2 * [as_pictures_show(name) for name in names[2:]]), seed
        assert edges == 2 * 2 * (len(names) - 3)
        assert not any({*each} & {"URL", "href", "image", "shapefile"} for each in nodes)
        svg = ET.fromstring(render(picture, "svg"))  # noqa: S314 - our own
        assert {each.tag.split("}")[1] for each in svg.iter()} <= TAGS
        links = [each for each in svg.iter() if each.tag.endswith("}a")]
        assert all({key.split("}")[-1] for key in each.attrib} <= {"title"} for each in links)
        told = [each.attrib["{http://www.w3.org/1999/xlink}title"] for each in links]
        assert {as_pictures_show(name) for name in names[2:]} <= {*told}, seed
        page = Reader()
        page.feed(render(picture, "html").decode())
        plain = Reader()
        harmless = Tree.from_prefix(
            (*prefix[: len(names) - 3], *(f"x{k}" for k in range(len(names) - 2))),
            [len([*tree.children(place)]) for place in range(len(tree))],
        )
        program = TreeProgram(("a", "b"), (harmless, harmless))
        plain.feed(render(picture_of(program, {}, None, title="t", text="u"), "html").decode())
        assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags], seed
        assert [[*attrs] for _, attrs in page.tags] == [[*attrs] for _, attrs in plain.tags], seed


@pytest.mark.parametrize("count", COUNTS)
def test_names_are_text_in_charts(count: int) -> None:
    for seed in range(count):
        title, name, measure, *_ = odd_texts(random.Random(seed), 90)  # noqa: S311 - draws texts
        curves = Curves(title, (Series(name, ((0.0, 1.0), (1.0, 2.0))),), measure, x=title)
        svg = ET.fromstring(render_curves([curves], "svg"))  # noqa: S314 - our own
        assert {each.tag.split("}")[1] for each in svg.iter()} <= TAGS | {
            "style",
            "line",
            "circle",
            "rect",
            "desc",
        }
