"""The page of a run: its findings in pictures and words."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.primitives import PrimitiveSet, offered
from gpkit.core.settings import print_config
from gpkit.core.wording import VERSION, Tell
from gpkit.evolution.history import History, read_ancestry, read_history
from gpkit.evolution.run_folder import read_front
from gpkit.export.registry import LATEX, LUA, PYTHON
from gpkit.export.subject import Subject
from gpkit.show.chart import Curves
from gpkit.show.fit_findings import find_out_fit
from gpkit.show.game_findings import find_out_games
from gpkit.show.heat import map_svg
from gpkit.show.lineage import change_dot, change_title, descent_row, drawn_ancestors, lineage_dot
from gpkit.show.pictures import picture_of
from gpkit.show.render import render_dot
from gpkit.show.report import RunReport, report_page
from gpkit.show.run_charts import (
    archive_of_run,
    diversity_panels,
    front_panels,
    front_rows,
    map_picture,
    size_panels,
    strength_panels,
)
from gpkit.show.run_findings import Findings, unit_of_size, work_of

CHANGES = 3
"""The number of latest changes to draw."""

COPIES = (
    ("Lua", LUA, ("function", "nested")),
    ("Python", PYTHON, ("module",)),
    ("LaTeX", LATEX, ("equations",)),
)
"""The formats of the champion on the page: heading, exporter, and the readable modes."""


def report_on(
    folder: Path,
    *,
    opponents: Sequence[str] = (),
    games: int | None = None,
    deal: int = 0,
    tell: Tell = str,
    announce: Tell = str,
) -> tuple[Any, str]:
    """Findings about the run or job in a folder, and a page about them: a self-contained HTML document.

    Args:
        folder: the folder of a run, or of a game-specific long-running job.
        opponents: the names of the opponents; overrides the configuration.
        games: the number of held-out games of the champion against each opponent; None means the default number for the
            game.
        deal: the number of the held-out deal for the game on the page.
        tell: shows the progress of the work.
        announce: a function that is called with the game before gpkit plays it.

    Raises:
        CheckpointError: the folder contains no run or job, or its files are damaged.
        UsageError: an opponent does not exist, a file cannot be read, or opponents are named for a run that plays no
            games.
        RenderError: Graphviz is not installed.
    """
    work = work_of(folder)
    if work is not None:
        announce(work.game)
        found, page = work.report(folder, opponents, deal)
        return found, report_page(page)
    history = read_history(folder)
    if history.config.game:
        announce(history.config.game)
        findings: Findings = find_out_games(history, opponents, games, tell)
    elif opponents or games is not None:
        raise UsageError("this run plays no games: leave out --opponent and --games")
    elif history.config.fit is not None:
        findings = find_out_fit(history)
    else:
        findings = Findings(history, read_ancestry(history))
    return findings, report_page(report_of(findings, deal=deal))


def page_on(folder: Path) -> str:
    """The page about the run or job in a folder, as an HTML document; raises the same errors as ``report_on``."""
    return report_on(folder)[1]


def report_of(findings: Findings, *, deal: int = 0) -> RunReport:
    """The page of a run; if its programs play, the page has the champion's game on the deal with this number.

    Raises:
        UsageError: a player's file cannot be read, or the game cannot be traced.
        RenderError: Graphviz is not installed.
    """
    history, ancestors = findings.history, drawn_ancestors(findings.ancestry)
    descents, run = findings.ancestry.descents(), history.run
    primitives = offered(run.offers, run.language.name)
    return RunReport(
        **findings.parts(deal),
        descent=findings.descent,
        facts=tuple(_facts(findings)),
        config=print_config(history.config),
        curves=_curves(findings),
        size=unit_of_size(history),
        picture=svg_of(picture_of(findings.program, run.config.dialect, primitives, title="").dot),
        program=read_text(str(history.champion_file)),
        ancestors=ancestors,
        lineage=svg_of(lineage_dot(ancestors)) if len(ancestors) > 1 else "",
        descent_rows=tuple(descent_row(each, run.language) for each in descents) if len(descents) > 1 else (),
        changes=tuple(
            (title, svg_of(change_dot(descent, run.language)))
            for descent in descents[:CHANGES]
            if (title := change_title(descent))
        ),
        **_results(history),
        copies=tuple(_copies(findings, primitives)),
        footer=f"gpkit {VERSION}",
    )


def _results(history: History) -> dict[str, Any]:
    """The parts of a page that exist only for runs with a front or a map."""
    front, archive = read_front(history.folder), archive_of_run(history)
    parts: dict[str, Any] = {} if archive is None else {"map": map_svg(map_picture(archive))}
    if front is not None:
        parts["front"] = tuple(front_panels(front))
        parts["front_heads"] = ("", *front.objectives, "program")
        parts["front_rows"] = tuple(front_rows(front))
    return parts


def _curves(findings: Findings) -> tuple[Curves, ...]:
    """The curves over the generations of the run; empty after a single generation."""
    history = findings.history
    if len(history.generations) < 2:
        return ()
    where, champions = findings.curve
    strength = strength_panels(history, champions, champion=where)
    return (*strength, *size_panels(history), *diversity_panels(history))


def svg_of(dot: str) -> str:
    """The SVG document for DOT text.

    Raises:
        RenderError: Graphviz is not installed.
    """
    return render_dot(dot, "svg").decode()


def _facts(findings: Findings) -> Iterator[tuple[str, str]]:
    history, config = findings.history, findings.history.config
    total = sum(config.operators.values())
    yield from findings.facts
    yield "seed", str(config.seed)
    yield "stopped", f"after {history.reason}" if history.reason else "not yet"
    yield "scheme", f"{config.scheme.name}, {config.selection.name} selection"
    yield "operators", ", ".join(f"{name} {share / total:.1%}" for name, share in config.operators.items())
    yield from findings.fitness
    yield "made with", ", ".join(f"{k} {v}" for k, v in history.description.versions.items())


def _copies(findings: Findings, primitives: PrimitiveSet | None) -> Iterator[tuple[str, str]]:
    run = findings.history.run
    if not run.config.game and run.language.needs_game:  # whose exports play the game
        return
    rules, header = getattr(run, "options", {}), run.config.dialect
    subject = Subject(findings.program, "champion", header, primitives=primitives, rules=rules)
    for heading, to, modes in COPIES:
        able = to.modes_of(subject.program.language)
        for mode in (mode for mode in modes if mode in able):
            try:
                yield heading, to.export(subject, mode)[0].text
            except UsageError as error:  # such as a function of Python without a text in this language
                yield heading, str(error)
