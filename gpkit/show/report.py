"""The page about one run: its result, its curves, the champion's ancestry, and a game of the champion."""

from dataclasses import dataclass
from math import isnan
from operator import itemgetter

from gpkit.playing.evaluation import HeldOutTable
from gpkit.show.chart import Curves, curves_svg
from gpkit.show.lineage import LIMIT, DescentRow, LineageRecord
from gpkit.show.page import (
    Markup,
    Section,
    charts,
    drawing,
    facts,
    folded,
    listing,
    page,
    paragraph,
    table,
)
from gpkit.show.traced import Frame, replay


@dataclass(frozen=True, slots=True)
class Strength:
    """The champion's strength against one opponent: mean, 95% interval, and number of games (0 if computed).

    The bounds are NaN if there is no interval, for example with only one game or one deal.
    """

    opponent: str
    mean: float
    low: float
    high: float
    games: int

    @property
    def cells(self) -> tuple[str, float, str, int]:
        """The strength as a row of the table."""
        interval = "none" if isnan(self.low) else f"{self.low:.4f} \N{EN DASH} {self.high:.4f}"
        return self.opponent, self.mean, interval, self.games


@dataclass(frozen=True, slots=True)
class RunReport:
    """The content of the page; the page leaves out empty parts.

    Attributes:
        title: the title of the page.
        lead: a summary in a sentence or two.
        unit: the unit of a game's score, such as ``win share``.
        facts: names and values that describe the run.
        config: the configuration as text.
        curves: the curves of the run, by generation.
        size: the unit of program sizes, such as ``nodes``.
        strengths: the strengths of the champion.
        heads: the headings of the table of strengths, for the opponents and for the counted unit.
        remark: a remark about the strengths.
        beyond: the rest of the champion's held-out table.
        picture: the champion as an SVG document.
        program: the champion as text.
        ancestors: the individuals in the graph of the champion's ancestry.
        lineage: the graph of the ancestry as an SVG document.
        descent: the ancestry in words.
        descent_rows: the ancestors along first parents, latest first.
        changes: the changes that the latest ancestors introduced, as captions and SVG documents.
        frames: a game of the champion.
        skip: the label of the button that skips ahead in the game, such as ``next shot``; empty for none.
        replay: the players of the game, in a sentence.
        predictions: for a table, predicted against true values, as an SVG document.
        misses: the headings and the rows of the table of largest errors.
        front: charts of the front, if there are several objectives.
        front_heads, front_rows: the table of the front.
        map: the map of behaviour as an SVG document.
        copies: the champion in other languages, by the names of the languages.
        footer: the last line of the page.
    """

    title: str
    lead: str
    unit: str
    facts: tuple[tuple[str, str], ...] = ()
    config: str = ""
    curves: tuple[Curves, ...] = ()
    size: str = "nodes"
    strengths: tuple[Strength, ...] = ()
    heads: tuple[str, str] = ("against", "games")
    remark: str = ""
    beyond: HeldOutTable | None = None
    picture: str = ""
    program: str = ""
    ancestors: tuple[LineageRecord, ...] = ()
    lineage: str = ""
    descent: str = ""
    descent_rows: tuple[DescentRow, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    frames: tuple[Frame, ...] = ()
    skip: str = ""
    replay: str = ""
    predictions: str = ""
    misses: tuple[tuple[str, ...], tuple[tuple[str, ...], ...]] = ((), ())
    front: tuple[Curves, ...] = ()
    front_heads: tuple[str, ...] = ()
    front_rows: tuple[tuple[str | int | float, ...], ...] = ()
    map: str = ""
    copies: tuple[tuple[str, str], ...] = ()
    footer: str = ""


def report_page(report: RunReport) -> str:
    """The complete page as HTML text."""
    return page(report.title, report.lead, report_sections(report), footer=report.footer)


def report_sections(report: RunReport) -> list[Section]:
    """The parts of the page, for pages that show more than one run."""
    copies = report.copies
    elsewhere = f"In {copies[0][0]}" if len(copies) == 1 else "In other languages"
    words = [paragraph(report.replay)] if report.replay else []
    game = [*words, replay(report.frames, skip=report.skip)] if report.frames else []
    sections = [
        Section("The champion", tuple(_champion(report))),
        Section("Predictions", tuple(_predictions(report))),
        Section("The front", tuple(_front(report))),
        Section("The map", (drawing(report.map),) if report.map else ()),
        Section("The run", tuple(_course(report))),
        Section("Lineage", tuple(_ancestry(report))),
        Section("A game", tuple(game)),
        Section(elsewhere, tuple(folded(name, listing(text)) for name, text in copies)),
    ]
    return [section for section in sections if section.body]


def _champion(report: RunReport) -> list[Markup]:
    body = [listing(report.program)] if report.program else []
    if report.picture:
        body.append(drawing(report.picture))
    if report.strengths:
        against, games = report.heads
        if any(strength.games for strength in report.strengths):
            rows = [strength.cells for strength in report.strengths]
            body.append(table((against, report.unit, "95% interval", games), rows))
        else:  # computed: there are neither intervals nor games
            body.append(table((against, report.unit), [(s.opponent, s.mean) for s in report.strengths]))
        body += [paragraph(report.remark)] if report.remark else []
    if (held_out := report.beyond) is not None:
        body.append(paragraph(f"Trained on: {held_out.trained}."))
        body += [table(*held_out.sheet()[:2])] if held_out.rows else []
    return body


def _predictions(report: RunReport) -> list[Markup]:
    heads, rows = report.misses
    body = [charts([report.predictions])] if report.predictions else []
    return [*body, table(heads, rows, caption="Where it errs most, the worst first.")] if rows else body


def _front(report: RunReport) -> list[Markup]:
    if not report.front:
        return []
    return [charts([curves_svg(each) for each in report.front]), table(report.front_heads, report.front_rows)]


def _course(report: RunReport) -> list[Markup]:
    body = [facts(report.facts)] if report.facts else []
    if report.curves:
        body.append(charts([curves_svg(each) for each in report.curves]))
    if report.config:
        body.append(folded("The whole configuration", listing(report.config)))
    return body


def _ancestry(report: RunReport) -> list[Markup]:
    body = [paragraph(report.descent)] if report.descent else []
    if report.lineage:
        cut = len(report.ancestors) > LIMIT
        body.append(drawing(report.lineage, f"The latest {LIMIT} are shown." if cut else ""))
    if report.descent_rows:
        columns = itemgetter(
            "generations", "name", "operator", "parents", "places", "formulas", "size", "fitness"
        )
        words = "generation", "individual", "made by", "from", "where", "new part"
        body.append(table((*words, report.size, "fitness"), [*map(columns, report.descent_rows)]))
    body += [drawing(svg, caption) for caption, svg in report.changes]
    return body
