"""The pages of a game: its levels with their games and pictures, and its balance with charts."""

from collections.abc import Mapping

from gpkit.analysis.balance import SUBJECTS, Balance
from gpkit.analysis.levels import Roster
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.wording import VERSION, counted, spelled
from gpkit.show.chart import Curves, Series, curves_svg
from gpkit.show.page import Section, charts, drawing, listing, page, paragraph, table
from gpkit.show.pictures import picture_of
from gpkit.show.run_page import svg_of


def roster_page(roster: Roster, texts: Mapping[str, str], primitives: PrimitiveSet | None) -> str:
    """The page, a self-contained HTML document.

    Args:
        roster: the levels.
        texts: the text of each program, by the name of its level.
        primitives: the primitives of the game.
    """
    caption = f"Share of {roster.games:,} held-out games against the level below, seed {roster.seed}."
    if any(each.noisy for each in roster.levels):
        caption += " Noise: share of random actions with which the strongest level wins as often."
    ladder = table(*roster.ladder(), caption=caption)
    names = ["random", *(f"level {each.number}" for each in roster.levels)]
    games = table(
        ("", *names),
        [(name, *row) for name, row in zip(names, roster.matrix, strict=True)],
        caption="Share of each row against each column.",
    )
    programs = []
    for each in (found for level in roster.levels for found in (level, level.second) if found):
        svg = svg_of(picture_of(each.player.program, each.player.header, primitives, title="").dot)
        parts = (paragraph(each.sentence), *((drawing(svg),) if svg else ()), listing(texts[each.name]))
        programs.append(Section(each.name.capitalize().replace("-", " ", 1), parts))
    lead = (
        f"{counted(len(roster.levels), 'level')}, from random play to the strongest program that was found."
    )
    faults = (Section("Faults", tuple(map(paragraph, roster.faults))),) if roster.faults else ()
    sections = (
        Section("Ladder", (ladder, *map(paragraph, roster.seconds))),
        Section("Games", (games,)),
        *faults,
        *programs,
    )
    return page(f"Levels of {spelled(roster.game)}", lead, sections, footer=f"gpkit {VERSION}")


def balance_page(found: Balance) -> str:
    """The page of a balance, a self-contained HTML document, with charts of the figures that have several values."""
    sections = []
    for about, meaning in SUBJECTS.items():
        lines = [each for each in found.lines if each.about == about]
        body = [
            table(
                (about, "mean", "95% interval", "games"),
                [(each.name or about, each.value.mean, each.value.text, each.games) for each in lines],
                caption=meaning.format(found.metric.replace("_", " ")),
            )
        ]
        if len(lines) > 1:
            dots = (
                Series(each.name, ((place, each.value.mean),), ((each.value.low, each.value.high),))
                for place, each in enumerate(lines, 1)
            )
            body.append(
                charts([curves_svg(Curves(f"By {about}", tuple(dots), "mean", x="place in the table"))])
            )
        if lines:
            sections.append(Section(about.capitalize(), tuple(body)))
    rules = ", ".join(f"{name}={text}" for name, text in found.rules.items())
    lead = f"{found.games:,} games, seed {found.seed}{f'; {rules}' if rules else ''}."
    return page(f"Balance of {spelled(found.game)}", lead, sections, footer=f"gpkit {VERSION}")
