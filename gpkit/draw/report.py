"""The page about one run: what it found, how it went, where the champion comes from, and how it plays."""

from dataclasses import dataclass

from gpkit.draw.curves import (
    Champion,
    Generation,
    curves_svg,
    diversity_curves,
    size_curves,
    strength_curves,
)
from gpkit.draw.lineage import LIMIT, Ancestor
from gpkit.draw.page import (
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
from gpkit.draw.replay import Frame, replay


@dataclass(frozen=True, slots=True)
class Strength:
    """How the champion did against one opponent: mean, 95 % interval, and in how many games; 0 if it is computed."""

    opponent: str
    mean: float
    low: float
    high: float
    games: int

    @property
    def cells(self) -> tuple[str, float, str, int | str]:
        """The row of the table."""
        if self.games == 0:
            return self.opponent, self.mean, "exact", "all"
        return self.opponent, self.mean, f"{self.low:.4f} \N{EN DASH} {self.high:.4f}", self.games


@dataclass(frozen=True, slots=True)
class Step:
    """One individual on the way to the champion, by first parents.

    Attributes:
        generations: in which it lived.
        name: its number.
        operator: what made it.
        places: where its first parent was changed.
        formulas: what stands there now.
        parents: the numbers of its parents, the changed one first.
        size: nodes.
        fitness: in its first generation.
    """

    generations: str
    name: str
    operator: str
    places: str
    formulas: str
    parents: str
    size: int
    fitness: float


@dataclass(frozen=True, slots=True)
class Change:
    """What a step changed, as an SVG document with a caption."""

    caption: str
    svg: str


@dataclass(frozen=True, slots=True)
class Report:
    """All that the page shows; what is empty is left out.

    Attributes:
        title: of the page.
        lead: the whole in a sentence or two.
        unit: what a game is scored in, such as ``win share``.
        facts: names and values.
        config: the configuration as text.
        generations, champions: the course of the run, in fitness.
        measured: what the curve of the champions is called.
        strengths: of the champion.
        remark: what is to be said of them.
        picture: the champion as an SVG document.
        program: the champion as text.
        ancestors: whom the graph of its ancestry shows.
        lineage: that graph as an SVG document.
        descent: the ancestry in words.
        steps: the ancestors by first parents, the latest first.
        changes: what the latest of them changed.
        frames: a game of the champion.
        skip: what a button goes on to in it, such as ``next shot``; empty for none.
        replay: who plays in it, in a sentence.
        copies: the champion in other languages, by their names.
        footer: the last line.
    """

    title: str
    lead: str
    unit: str
    facts: tuple[tuple[str, str], ...] = ()
    config: str = ""
    generations: tuple[Generation, ...] = ()
    champions: tuple[Champion, ...] = ()
    measured: str = "champion"
    strengths: tuple[Strength, ...] = ()
    remark: str = ""
    picture: str = ""
    program: str = ""
    ancestors: tuple[Ancestor, ...] = ()
    lineage: str = ""
    descent: str = ""
    steps: tuple[Step, ...] = ()
    changes: tuple[Change, ...] = ()
    frames: tuple[Frame, ...] = ()
    skip: str = ""
    replay: str = ""
    copies: tuple[tuple[str, str], ...] = ()
    footer: str = ""


def report_page(report: Report) -> str:
    """The whole page as HTML text."""
    return page(report.title, report.lead, report_sections(report), footer=report.footer)


def report_sections(report: Report) -> list[Section]:
    """The parts of the page, for pages that show more than one run."""
    sections = [
        Section("The champion", tuple(_champion(report))),
        Section("The run", tuple(_course(report))),
        Section("Lineage", tuple(_ancestry(report))),
        Section("A game", tuple(_game(report))),
        Section("In other languages", tuple(folded(name, listing(text)) for name, text in report.copies)),
    ]
    return [section for section in sections if section.body]


def _champion(report: Report) -> list[Markup]:
    body = [listing(report.program)] if report.program else []
    if report.picture:
        body.append(drawing(report.picture))
    if report.strengths:
        rows = [strength.cells for strength in report.strengths]
        body.append(table(("against", report.unit, "95 % interval", "games"), rows))
        body += [paragraph(report.remark)] if report.remark else []
    return body


def _course(report: Report) -> list[Markup]:
    body = [facts(report.facts)] if report.facts else []
    if report.generations:
        curves = [
            strength_curves(report.generations, report.champions, unit="fitness", champion=report.measured),
            size_curves(report.generations),
            diversity_curves(report.generations),
        ]
        body.append(charts([curves_svg(each) for each in curves]))
    if report.config:
        body.append(folded("The whole configuration", listing(report.config)))
    return body


def _ancestry(report: Report) -> list[Markup]:
    body = [paragraph(report.descent)] if report.descent else []
    if report.lineage:
        cut = len(report.ancestors) > LIMIT
        body.append(drawing(report.lineage, f"The latest {LIMIT} are shown." if cut else ""))
    if report.steps:
        rows = [
            (s.generations, s.name, s.operator, s.parents, s.places, s.formulas, s.size, s.fitness)
            for s in report.steps
        ]
        heads = (
            "generation",
            "individual",
            "made by",
            "from",
            "where",
            "what is there now",
            "nodes",
            "fitness",
        )
        body.append(table(heads, rows))
    body += [drawing(change.svg, change.caption) for change in report.changes]
    return body


def _game(report: Report) -> list[Markup]:
    if not report.frames:
        return []
    words = [paragraph(report.replay)] if report.replay else []
    return [*words, replay(report.frames, skip=report.skip)]
