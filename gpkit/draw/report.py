"""The page about one run: how it went, what it found, where that came from, and how it plays."""

from dataclasses import dataclass

from gpkit.draw.curves import Champion, Generation, diversity_chart, size_chart, strength_chart
from gpkit.draw.lineage import LIMIT, Ancestor
from gpkit.draw.page import (
    Frame,
    Section,
    charts,
    drawing,
    facts,
    folded,
    listing,
    page,
    paragraph,
    replay,
    table,
)


@dataclass(frozen=True, slots=True)
class Strength:
    """How the champion did against one opponent on deals it never saw: mean, 95 % interval, and how many games."""

    opponent: str
    mean: float
    low: float
    high: float
    games: int


@dataclass(frozen=True, slots=True)
class Report:
    """All that the page shows; what is empty is left out. ``unit`` is what fitness measures (win share, ...)."""

    title: str
    lead: str
    unit: str
    facts: tuple[tuple[str, str], ...] = ()
    generations: tuple[Generation, ...] = ()
    champions: tuple[Champion, ...] = ()
    strengths: tuple[Strength, ...] = ()
    picture: str = ""
    """The champion as an SVG document."""
    program: str = ""
    lua: str = ""
    ancestors: tuple[Ancestor, ...] = ()
    lineage: str = ""
    """The champion's ancestry as an SVG document."""
    frames: tuple[Frame, ...] = ()
    replay: str = ""
    """Who plays in the replayed game, in a sentence."""
    footer: str = ""


def report_page(report: Report) -> str:
    """The whole page as HTML text."""
    return page(report.title, report.lead, report_sections(report), footer=report.footer)


def report_sections(report: Report) -> list[Section]:
    """The parts of the page, for pages that show more than one run."""
    sections = [_course(report), _champion(report), _ancestry(report), _game(report), _texts(report)]
    return [section for section in sections if section.body]


def _course(report: Report) -> Section:
    body = [facts(report.facts)] if report.facts else []
    if report.generations:
        body.append(
            charts(
                [
                    strength_chart(report.generations, report.champions, unit=report.unit),
                    size_chart(report.generations),
                    diversity_chart(report.generations),
                ]
            )
        )
    return Section("The run", tuple(body))


def _champion(report: Report) -> Section:
    body = [drawing(report.picture)] if report.picture else []
    if report.strengths:
        rows = [
            (s.opponent, s.mean, f"{s.low:.4f} \N{EN DASH} {s.high:.4f}", s.games) for s in report.strengths
        ]
        heads = ("against", report.unit, "95 % interval", "games")
        body.append(table(heads, rows, caption="Measured on deals that evolution never saw."))
    return Section("The champion", tuple(body))


def _ancestry(report: Report) -> Section:
    if not report.ancestors:
        return Section("Lineage", ())
    shown = report.ancestors[:LIMIT]
    cut = "" if len(shown) == len(report.ancestors) else f", the latest {len(shown)} of them shown"
    body = [paragraph(f"{len(report.ancestors)} individuals lead to the champion{cut}.")]
    if report.lineage:
        body.append(drawing(report.lineage))
    rows = [
        (a.record.generation, a.record.name, a.record.operator, ", ".join(a.parents), a.record.fitness)
        for a in shown
    ]
    heads = ("generation", "individual", "made by", "from", report.unit)
    body.append(folded("The same as a table", table(heads, rows)))
    return Section("Lineage", tuple(body))


def _game(report: Report) -> Section:
    if not report.frames:
        return Section("A game", ())
    words = [paragraph(report.replay)] if report.replay else []
    return Section("A game", (*words, replay(report.frames)))


def _texts(report: Report) -> Section:
    body = [listing(report.program, "The program as text")] if report.program else []
    if report.lua:
        body.append(folded("The same program in Lua", listing(report.lua)))
    return Section("The text", tuple(body))
