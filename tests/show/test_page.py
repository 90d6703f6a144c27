"""Pages: nothing is fetched, nothing but the page's own script can run, every text is escaped, every tag is closed."""

import base64
import hashlib
import html
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from gpkit.show.chart import Curves, Series
from gpkit.show.lineage import LIMIT, LineageRecord, lineage
from gpkit.show.page import POLICY, Section, facts, inline_svg, page, paragraph, table
from gpkit.show.report import RunReport, Strength, report_page, report_sections
from gpkit.show.traced import Frame

SVG = '<?xml version="1.0"?>\n<!-- c -->\n<svg width="90pt" height="9pt"><g id="graph0"><title>t</title></g></svg>\n'
EVIL = "</code><script>alert(1)</script>\"'&"

RECORDS = (
    LineageRecord("0.0", (), "create", 0, 0.5),
    *(LineageRecord(f"{g}.0", (f"{g - 1}.0",), f"tree {EVIL}", g, 0.5) for g in range(1, LIMIT + 10)),
)

REPORT = RunReport(
    title=f"title {EVIL}",
    lead=f"lead {EVIL}",
    unit=f"unit {EVIL}",
    facts=((f"name {EVIL}", f"value {EVIL}"),),
    curves=(Curves(f"curve {EVIL}", (Series(f"line {EVIL}", ((0, 0.5), (2, 0.4))),), f"measure {EVIL}"),),
    size=f"size {EVIL}",
    strengths=(Strength(f"opponent {EVIL}", 0.5, 0.4, 0.6, 60000),),
    remark=f"remark {EVIL}",
    config=f"config {EVIL}",
    picture=SVG,
    program=f"program {EVIL}",
    ancestors=lineage(RECORDS, RECORDS[-1].name),
    lineage=SVG,
    descent=f"descent {EVIL}",
    descent_rows=(
        {
            "generations": "1–2",
            "name": f"step {EVIL}",
            "operator": f"tree {EVIL}",
            "places": f"place {EVIL}",
            "formulas": f"now {EVIL}",
            "parents": "7, 8",
            "size": 9,
            "fitness": 0.5,
        },
    ),
    changes=((f"change {EVIL}", SVG),),
    copies=((f"Lua {EVIL}", f"code {EVIL}"),),
    frames=(Frame(SVG, f"words {EVIL}"), Frame(SVG, "more")),
    replay=f"replay {EVIL}",
    footer=f"footer {EVIL}",
)

VOID = {"meta", "input", "line", "polyline", "polygon", "circle"}


class Tags(HTMLParser):
    """Checks that tags are closed in the order in which they were opened, and keeps attributes and scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)


@pytest.fixture
def tags() -> Tags:
    """The report, read."""
    found = Tags()
    found.feed(report_page(REPORT))
    found.close()
    return found


def test_every_tag_is_closed(tags: Tags) -> None:
    assert tags.open == []


def test_only_the_script_of_the_page_may_run(tags: Tags) -> None:
    (script,) = tags.scripts
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in POLICY
    assert POLICY.startswith("default-src 'none';")
    assert ("content", POLICY) in tags.attributes
    assert not any(name.startswith("on") for name, _ in tags.attributes)


def test_nothing_is_fetched(tags: Tags) -> None:
    references = [value for name, value in tags.attributes if name in ("src", "href", "xlink:href", "action")]
    assert references
    assert all(value.startswith("#") for value in references)
    assert not re.search(r"url\(|@import", report_page(REPORT))


def test_every_text_is_there_and_escaped() -> None:
    text = report_page(REPORT)
    assert EVIL not in text
    assert "<script>alert" not in text
    for word in (
        *("title", "lead", "unit", "name", "value", "opponent"),
        *("remark", "config", "program", "descent", "step", "tree", "place", "now", "change"),
        *("words", "replay", "Lua", "code", "footer", "curve", "line", "measure", "size"),
    ):
        assert html.escape(f"{word} {EVIL}") in text


def test_what_there_is_not_is_left_out() -> None:
    assert report_sections(RunReport("t", "", "score")) == []
    titles = [section.title for section in report_sections(REPORT)]
    assert titles == ["The champion", "The run", "Lineage", "A game", f"In Lua {EVIL}"]
    assert [s.title for s in report_sections(RunReport("t", "", "score", program="play: 1"))] == [
        "The champion"
    ]


def test_a_long_lineage_says_how_much_is_shown() -> None:
    assert f"The latest {LIMIT} are shown." in report_page(REPORT)
    short = replace(REPORT, ancestors=REPORT.ancestors[:LIMIT])
    assert "are shown" not in report_page(short)


def test_pictures_lose_their_prologue_and_their_ids() -> None:
    assert inline_svg(SVG) == '<svg width="90pt" height="9pt"><g><title>t</title></g></svg>'
    with pytest.raises(ValueError, match="SVG"):
        inline_svg("<p>no</p>")


def test_numbers_in_tables_stand_to_the_right() -> None:
    made = table(("who", "share", "games"), [("a", 0.5, 60000)], caption="c")
    assert '<td>a</td><td class="number">0.5000</td><td class="number">60,000</td>' in made
    assert '<th>who</th><th class="number">share</th>' in made
    assert "<tbody></tbody>" in table(("who",), [])


def test_a_page_of_one_section_has_no_links() -> None:
    assert "<nav>" not in page("t", "", [Section("one", (paragraph("p"),))])
    assert page("t", "", [Section(name, (facts([]),)) for name in "ab"]).count('<a href="#s') == 2
