"""The page of a run: what was found out about it, drawn and put into words."""

from collections.abc import Iterator, Sequence
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.app.ancestors import change_dot, change_title, descent_row, drawn_ancestors
from gpkit.app.evaluation import games_of_champion
from gpkit.app.findings import (
    Findings,
    GameFindings,
    course_of,
    find_out,
    find_out_problem,
    problem_parts,
    unit_of_size,
    work_of,
)
from gpkit.app.fitting import FitFindings, find_out_fit, fit_facts, fit_parts
from gpkit.app.frames import STOP, frame_of, skip_of
from gpkit.app.game_setup import seat_all
from gpkit.app.run_curves import (
    diversity_panels,
    is_guided,
    measured_champions,
    size_panels,
    strength_panels,
    to_the_end,
)
from gpkit.app.run_results import archive_of_run, front_panels, front_rows, map_picture
from gpkit.app.watching import Tell
from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.primitives import PrimitiveSet, offered
from gpkit.core.settings import print_config
from gpkit.core.statistics import Interval
from gpkit.core.version import VERSION
from gpkit.core.wording import counted, spelled
from gpkit.draw.chart import Champion, Curves
from gpkit.draw.lineage import lineage_dot
from gpkit.draw.map import map_svg
from gpkit.draw.programs import picture_of
from gpkit.draw.render import render_dot
from gpkit.draw.replay import Frame
from gpkit.draw.report import Change, RunReport, Strength, report_page
from gpkit.evolution.fit_run import FitRun
from gpkit.evolution.front_table import read_front
from gpkit.evolution.history import Descent, History, read_history
from gpkit.evolution.own_problem import ProblemRun
from gpkit.evolution.resolved import GameRun
from gpkit.evolution.start import START
from gpkit.export.registry import Subject, exporter
from gpkit.langkit.language import Language
from gpkit.playing.default_trace import trace_game
from gpkit.playing.match import deal_of
from gpkit.playing.players import player_of_program
from gpkit.playing.results import ExactResult

CHANGES = 3
"""Number of latest changes that are drawn."""

MOST_STEPS = 1_000
"""Steps of a game that a page shows all of; of a longer one, only those that it halts at."""

COPIES = (
    ("Lua", "lua", ("function", "nested")),
    ("Python", "python", ("module",)),
    ("LaTeX", "latex", ("equations",)),
)
"""The formats that the page shows the champion in: heading, exporter, and the modes that are to be read."""


def report_on(
    folder: Path,
    *,
    opponents: Sequence[str] = (),
    games: int | None = None,
    deal: int = 0,
    tell: Tell = str,
    announce: Tell = str,
) -> tuple[Any, str]:
    """Findings about the work in a folder, and the page about them: a self-contained document of HTML.

    Args:
        folder: of a run, or of a game's own long work.
        opponents: by name, instead of its own.
        games: held-out games of the champion against each; as many as are usual in its game if None.
        deal: the number of the held-out deal whose game the page shows.
        tell: shows how far the work is.
        announce: is told the game before it is played.

    Raises:
        CheckpointError: the folder holds no such work, or it is damaged.
        UsageError: an opponent does not exist, a file cannot be read, or opponents are named for a run without games.
        RenderError: no renderer is installed.
    """
    work = work_of(folder)
    if work is not None:
        announce(work.GAME)
        found = work.find_out(folder, opponents=opponents)
        return found, report_page(work.report(found, deal=deal))
    history = read_history(folder)
    findings: Findings
    if isinstance(history.run, GameRun):
        announce(history.config.game)
        played = games_of_champion(history.config.game) if games is None else games
        findings = find_out(history, games=played, tell=tell, opponents=opponents)
    elif opponents or games is not None:
        raise UsageError("this run plays no games: leave out --opponent and --games")
    else:
        findings = (find_out_fit if isinstance(history.run, FitRun) else find_out_problem)(history)
    return findings, report_page(report_of(findings, deal=deal))


def page_on(folder: Path) -> str:
    """The page about the work in a folder, as a document of HTML; raises as ``report_on``."""
    return report_on(folder)[1]


def report_of(findings: Findings, *, deal: int = 0) -> RunReport:
    """The page of a run; of one in which programs play, with the champion's game on the deal of that number.

    Raises:
        UsageError: a file of a player cannot be read, or the game cannot be traced.
        RenderError: no renderer is installed.
    """
    history, ancestors = findings.history, drawn_ancestors(findings.ancestry)
    descents, run = findings.ancestry.descents(), history.run
    if isinstance(findings, GameFindings):
        own = _of_games(findings, deal)
    elif isinstance(findings, FitFindings):
        own = fit_parts(findings)
    else:
        own = problem_parts(findings)
    primitives = offered(run.offers, run.language.name)
    dialect = run.config.dialect if isinstance(run, GameRun) else {}
    return RunReport(
        **own,
        facts=tuple(_facts(findings)),
        config=print_config(history.config),
        curves=_curves(findings),
        size=unit_of_size(history),
        picture=svg_of(picture_of(findings.program, dialect, primitives, title="").dot),
        program=read_text(str(history.champion_file)),
        ancestors=ancestors,
        lineage=svg_of(lineage_dot(ancestors)) if len(ancestors) > 1 else "",
        descent_rows=tuple(descent_row(each, run.language) for each in descents) if len(descents) > 1 else (),
        changes=tuple(drawn_changes(descents, run.language)),
        **_results(history),
        copies=tuple(_copies(findings, primitives)),
        footer=f"gpkit {VERSION}",
    )


def _of_games(findings: GameFindings, deal: int) -> dict[str, Any]:
    """The parts of a page that only runs have in which programs play."""
    history = findings.history
    frames, players = _game(findings, deal)
    exact = [each.details_in_words for each in findings.strengths if isinstance(each, ExactResult)]
    return {
        "title": f"An evolved player of {spelled(history.config.game)}",
        "lead": _lead(findings),
        "unit": _unit(findings),
        "strengths": tuple(
            Strength(r.opponent, r.interval.mean, *_ends(r.interval), r.games) for r in findings.strengths
        ),
        "remark": f"Computed over all possible deals: {'; '.join(exact)}."
        if exact
        else f"On deals that evolution has not seen{_seats(findings, ', each played')}.{_even_share(findings)}",
        "beyond": findings.table.beyond(len(findings.strengths)),
        "descent": _descent(findings),
        "frames": frames,
        "skip": skip_of(frames),
        "replay": f"{players}, on deal {deal} of seed {history.config.seed}"
        + ("." if _is_exact(findings) else ": also one that evolution has not seen."),
    }


def _results(history: History) -> dict[str, Any]:
    """The parts of a page that only runs with a front or a map have."""
    front, archive = read_front(history.folder), archive_of_run(history)
    parts: dict[str, Any] = {} if archive is None else {"map": map_svg(map_picture(archive))}
    if front is not None:
        parts["front"] = tuple(front_panels(front))
        parts["front_heads"] = ("", *front.objectives, "program")
        parts["front_rows"] = tuple(front_rows(front))
    return parts


def _ends(interval: Interval) -> tuple[float, float]:
    """The ends of an interval, or those of an exact result; NaN where there is none."""
    return (nan, nan) if interval.units == 1 else (interval.low, interval.high)


def _curves(findings: Findings) -> tuple[Curves, ...]:
    """The course of the run; one generation has none."""
    history = findings.history
    if len(history.generations) < 2:
        return ()
    if isinstance(findings, GameFindings):
        where = "champion, exact" if _is_exact(findings) else "champion on fresh deals, 95 % interval"
        found = measured_champions(findings)
    else:
        where = "champion"
        scores = [Champion(m.generation, m.score, m.score, m.score) for m in history.milestones]
        found = to_the_end(scores, history)
    strength = strength_panels(history, found, champion=where)
    return (*strength, *size_panels(history), *diversity_panels(history))


def svg_of(dot: str) -> str:
    """The SVG document of a DOT text.

    Raises:
        RenderError: no renderer is installed.
    """
    return render_dot(dot, "svg").decode()


def _is_exact(findings: GameFindings) -> bool:
    """Whether the run and its results are computed, and not from a sample of deals."""
    return bool(findings.history.config.fitness.exact)


def _unit(findings: GameFindings) -> str:
    return findings.history.run.metric.name.replace("_", " ")


def _lead(findings: GameFindings) -> str:
    history = findings.history
    size = counted(history.champion.size, unit_of_size(history)[:-1])
    reached = ", ".join(f"{r.interval.mean:.3f} against {r.opponent}" for r in findings.strengths)
    return (
        f"{course_of(history)} The champion has {size}. "
        f"Mean {_unit(findings)}: {reached}.{_even_share(findings)}"
    )


def _seats(findings: GameFindings, before: str = "") -> str:
    """A remark that every seat is taken, in games that have several."""
    held_out = findings.held_out
    return f"{before} in every seat" if held_out.game.seatings(held_out.rules) > 1 else ""


def _even_share(findings: GameFindings) -> str:
    """Win share of equally strong players, in a sentence, where that means something; else an empty text."""
    if findings.strengths[0].metric.name != "win_share":
        return ""
    return f" An even share is {1 / findings.held_out.game.players(findings.held_out.rules):.3f}."


def _facts(findings: Findings) -> Iterator[tuple[str, str]]:
    history = findings.history
    config, run = history.config, history.run
    total = sum(config.operators.values())
    if isinstance(run, GameRun):
        options = ", ".join(f"{name} {value}" for name, value in run.options.items())
        yield "game", config.game + (f" with {options}" if options else "")
        yield "alphabet", config.alphabet
    elif isinstance(findings, FitFindings):
        yield from fit_facts(findings.fit)
    else:
        yield "problem", config.problem.name
    yield "seed", str(config.seed)
    yield "stopped", f"after {history.reason}" if history.reason else "not yet"
    yield "scheme", f"{config.scheme.name}, {config.selection.name} selection"
    yield "operators", ", ".join(f"{name} {share / total:.1%}" for name, share in config.operators.items())
    if isinstance(findings, GameFindings):
        yield from _counted(findings)
    elif isinstance(run, ProblemRun):
        yield "fitness", f"the score of the problem{_penalty(history)}"
    else:
        yield "fitness", f"{run.metric.name} on the rows learned from{_penalty(history)}"
    yield "made with", ", ".join(f"{k} {v}" for k, v in history.description.versions.items())


def _counted(findings: GameFindings) -> Iterator[tuple[str, str]]:
    """Fitness in games, and the number of games."""
    history, config = findings.history, findings.history.config
    against = " and ".join(r.opponent for r in findings.strengths)
    if _is_exact(findings):
        how = "computed over all possible deals"
        yield "fitness", f"{_unit(findings)} against {against}, {how}{_penalty(history)}"
        return
    how = f"on {config.fitness.deals} deals{_seats(findings)}, the same for all programs of a generation"
    guide, beside = config.guide, []
    if guide.grade:
        beside.append(f"a finer grade of the same games, times {guide.grade:g}")
    if guide.exercises:
        beside.append(f"{counted(len(guide.exercises), 'exercise')}, times {guide.weight:g}")
    shaped = f"; in training also {' and '.join(beside)}" if is_guided(history) else ""
    yield "fitness", f"{_unit(findings)} against {against} {how}{shaped}{_penalty(history)}"
    yield "games", f"{sum(g.trials for g in history.generations):,} played in evolution"


def _penalty(history: History) -> str:
    cost = history.config.bloat
    above = f" above {cost.free}" if cost.free else ""
    number = np.format_float_positional(cost.penalty, trim="-")
    return f", less {number} for every {unit_of_size(history)[:-1]}{above}" if cost.penalty else ""


def _descent(findings: GameFindings) -> str:
    """Paragraph on the descent of the champion, and on the meaning of fitness in what is shown of it."""
    descents = findings.ancestry.descents()
    operator, _, name = descents[-1].child.operator.partition(" ")
    start = f"the program {name}" if operator == START else "a random program"
    if len(descents) == 1:
        return f"The champion is {start}, as it was in generation 0."
    changes = counted(len(descents) - 1, "change")
    return (
        f"The champion has {counted(findings.ancestry.count, 'ancestor')}. Its line of first parents goes "
        f"back to {start} in {changes}; the graph shows it with its mates, the table lists the changes. "
        f"{_fitness(findings)}"
    )


def _fitness(findings: GameFindings) -> str:
    history, unit = findings.history, _unit(findings)
    negative = f"Fitness counts {unit} as negative, so that more is better. "
    sign = negative if history.run.metric.direction < 0 else ""
    if _is_exact(findings):
        return f"{sign}It is exact, and the same in every generation."
    fresh = "; every generation has new deals, so it can also fall" if history.config.fitness.fresh else ""
    guided = f" It includes what guides training; that of the refined champion counts {unit} alone."
    shaped = guided if is_guided(history) else ""
    return f"{sign}Fitness is measured in an individual's first generation{fresh}.{shaped}"


def drawn_changes(descents: Sequence[Descent], language: Language) -> Iterator[Change]:
    """Pictures of the latest changes."""
    for descent in descents[:CHANGES]:
        if title := change_title(descent):
            yield Change(title, svg_of(change_dot(descent, language)))


def _game(findings: GameFindings, deal: int) -> tuple[tuple[Frame, ...], str]:
    """A game of the champion in the first seat, against the last of the opponents; and who plays, in words."""
    held_out, config, run = findings.held_out, findings.history.config, findings.history.run
    assert isinstance(run, GameRun)
    others = seat_all(None, [held_out.opponents[-1].name], game=config.game, options=run.options).players
    header = findings.history.config.dialect
    champion = player_of_program(findings.program, held_out.game, "champion", header)
    deals = deal_of(held_out.game, held_out.rules, held_out.seed, deal)
    trace = trace_game(config.game, (champion, *others), deals, held_out.rules)
    steps = list(trace.steps)
    if len(steps) > MOST_STEPS:  # of lines only shots
        steps = [step for step in steps if step.line is None or step.values.get(STOP)]
    frames = tuple(frame_of(step) for step in steps)
    seat = " in the first seat" if len(trace.names) > 2 or held_out.game.seatings(held_out.rules) > 1 else ""
    return frames, f"The champion{seat} against {', '.join(trace.names[1:])}"


def _copies(findings: Findings, primitives: PrimitiveSet | None) -> Iterator[tuple[str, str]]:
    run = findings.history.run
    if isinstance(run, ProblemRun) and run.language.needs_game:  # whose exports play the game
        return
    rules = run.options if isinstance(run, GameRun) else {}
    header = run.config.dialect if isinstance(run, GameRun) else {}
    subject = Subject(findings.program, "champion", header, primitives=primitives, rules=rules)
    for heading, name, modes in COPIES:
        able = exporter(name).modes_of(subject.program.language)
        for mode in (mode for mode in modes if mode in able):
            yield heading, exporter(name).export(subject, mode)[0].text
