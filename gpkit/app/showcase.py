"""Games in ``gpkit demo``: a player is evolved, measured, drawn, and exported to Lua and proved equal there.

A game joins by an entry of ``SHOWCASES``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from gpkit.app.ancestors import change_dot
from gpkit.app.demo_parts import Made, Part, Place, interval_text
from gpkit.app.files import read_text
from gpkit.app.findings import (
    Findings,
    find_out,
    language_of_run,
    program_of,
    unit_of_size,
)
from gpkit.app.held_out import GAMES_OF_CHAMPION
from gpkit.app.live import Live
from gpkit.app.named import opponent
from gpkit.app.run_curves import strength_panels, validated_champions
from gpkit.app.run_page import report_of
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_of
from gpkit.core.settings import print_config
from gpkit.draw.curves import panels_svg
from gpkit.draw.page import Section, paragraph
from gpkit.draw.programs import picture_of
from gpkit.draw.render import render_dot
from gpkit.draw.report import report_sections
from gpkit.evolution.ancestry import read_ancestry
from gpkit.evolution.config import Config, StopSettings
from gpkit.evolution.evolve import evolve
from gpkit.evolution.genealogy import ranked
from gpkit.evolution.history import History, read_history
from gpkit.evolution.pools import executor_for
from gpkit.evolution.presets import BATTLESHIP, SEVENS
from gpkit.evolution.run import Hooks
from gpkit.evolution.setup import rule_options
from gpkit.export.check import Row, check_export
from gpkit.export.lua.reader import read_roster
from gpkit.export.lua.roster import roster_text
from gpkit.export.registry import exporter
from gpkit.export.subject import Subject
from gpkit.games.game import Game
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.parser import parse
from gpkit.playing.players import program_of_name

SPECIMENS = 3
"""Programs of each level of a roster."""

EVALUATIONS, WHOLE_GAMES = 5_000, 100
"""Size of the comparison of exported Lua in every Lua: values of each formula, and games."""


@dataclass(frozen=True, slots=True)
class Showcase:
    """A game in the demo.

    Attributes:
        config: how its player is evolved.
        baseline: the hand-written opponent that it is drawn beside.
        then: a command to go on with, where ``{}`` stands for the file of the champion.
    """

    config: Config
    baseline: str
    then: str

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.config.game

    def part(self, what: str) -> str:
        """The name of one of the game's parts."""
        return f"{self.game} {what}"


SHOWCASES = (
    Showcase(
        replace(
            SEVENS,
            population=replace(SEVENS.population, size=300),
            fitness=replace(SEVENS.fitness, candidates=3, validation_deals=1000),
            refinement=replace(SEVENS.refinement, rounds=4, candidates=20, deals=1000),
            stop=StopSettings(generations=25),
        ),
        baseline="simple",
        then="gpkit play sevens --vs {}",
    ),
    Showcase(
        replace(
            BATTLESHIP,
            population=replace(BATTLESHIP.population, size=300),
            scheme=replace(BATTLESHIP.scheme, elites=6),
            islands=replace(BATTLESHIP.islands, count=1),
            refinement=replace(BATTLESHIP.refinement, rounds=6, candidates=80, deals=1000),
            stop=StopSettings(generations=60),
        ),
        baseline="corrected",
        then="gpkit trace {} --step",
    ),
)
"""Configurations that find a strong player in about half a minute on one core."""


def showcase_parts(showcase: Showcase) -> Iterator[Part]:
    """The parts of a game, in order."""
    evolved, title = showcase.part("evolve"), showcase.game.capitalize()
    yield Part(evolved, f"{title}: a player by evolution", (), partial(_evolve, showcase))
    yield Part(
        showcase.part("strength"), f"{title}: how strong it is", (evolved,), partial(_measure, showcase)
    )
    yield Part(showcase.part("pictures"), f"{title}: pictures", (evolved,), partial(_draw, showcase))
    yield Part(showcase.part("lua"), f"{title}: Lua, proved equal", (evolved,), partial(_export, showcase))


def _evolve(showcase: Showcase, place: Place, _before: Mapping[str, Made]) -> Made:
    """A run, its configuration, and its champion as a program file."""
    stop = showcase.config.stop
    if place.generations is not None:
        stop = replace(stop, generations=place.generations)
    config = replace(showcase.config, seed=place.seed, stop=stop)
    folder = place.of(showcase.game)
    configuration = place.write(folder / "config.toml", print_config(config))
    with place.shown.progress() as tell, executor_for(place.workers) as executor:
        live = Live(config, tell, place.shown.clock)
        result = evolve(
            config,
            executor,
            folder=folder / "run",
            hooks=Hooks(generation=live.generation),
            opponent=opponent,
            arguments=place.arguments,
        )
    history = _history(showcase, place)
    suffix = history.champion_file.suffix
    champion = place.write(folder / f"champion{suffix}", read_text(str(history.champion_file)))
    played = sum(generation.trials for generation in history.generations)
    return Made(
        f"{len(history.generations) - 1} generations of {config.population.size} programs, {played:,} games; "
        f"the champion has {history.champion.size} {unit_of_size(history)}",
        files=(configuration, f"{showcase.game}/run/", champion),
        data={"sha256": result.digest, "reason": result.reason, "program": history.champion.program},
    )


def _history(showcase: Showcase, place: Place) -> History:
    return read_history(place.of(showcase.game) / "run")


def _measure(showcase: Showcase, place: Place, _before: Mapping[str, Made]) -> Made:
    """The champion on held-out deals, and the page about its run."""
    with place.shown.progress() as tell:
        findings = find_out(_history(showcase, place), games=GAMES_OF_CHAMPION, tell=tell)
    report = report_of(findings)
    rows = tuple(
        (r.opponent, r.metric.name, r.interval.mean, interval_text(r.interval), r.games)
        for r in findings.strengths
    )
    sections = [
        replace(
            section, title=f"{showcase.game.capitalize()}: {section.title[:1].lower()}{section.title[1:]}"
        )
        for section in report_sections(report)
    ]
    first = replace(sections[0], body=(paragraph(report.lead), *sections[0].body))
    return Made(
        "on deals that evolution has not seen",
        columns=("champion against", "metric", "mean", "95 % interval", "games"),
        rows=rows,
        sections=(first, *sections[1:]),
        shown=((f"{showcase.game}/champion{findings.history.champion_file.suffix}", _reached(findings)),),
        then=(
            showcase.then.format(
                place.of(showcase.game) / f"champion{findings.history.champion_file.suffix}"
            ),
        ),
        data={"held_out": [result.to_json() for result in findings.strengths]},
    )


def _reached(findings: Findings) -> str:
    """The strength of the champion in a few words, such as ``win share 0.842 against random, 0.395 against simple``."""
    against = ", ".join(f"{r.interval.mean:#.3g} against {r.opponent}" for r in findings.strengths)
    return f"{findings.strengths[0].metric.name.replace('_', ' ')} {against}"


def _draw(showcase: Showcase, place: Place, _before: Mapping[str, Made]) -> Made:
    """The hand-written program, the champion, what its last change was, and the course of its run."""
    history, folder = _history(showcase, place), place.of(showcase.game)
    game: Game = game_of(showcase.game)
    baseline = program_of_name(showcase.baseline, game)
    programs = {showcase.baseline: baseline, "champion": program_of(history.champion, history)}
    dots = {
        name: picture_of(program, history.config.dialect, game.offers[program.language], title=name).dot
        for name, program in programs.items()
    }
    latest = read_ancestry(history).descents()[0]
    if latest.parent is not None:
        dots["last-change"] = change_dot(latest, language_of_run(history))
    files = [place.write(folder / f"{name}.svg", render_dot(dot, "svg")) for name, dot in dots.items()]
    curves = strength_panels(history, validated_champions(history))
    files.append(place.write(folder / "curves.svg", panels_svg(curves) + "\n"))
    return Made(f"{len(files)} of them", files=tuple(files))


def _export(showcase: Showcase, place: Place, before: Mapping[str, Made]) -> Made:
    """The champion in Lua, checked in every Lua."""
    history = _history(showcase, place)
    game: Game = game_of(showcase.game)
    champion = _subject(showcase, program_of(history.champion, history), game)
    if "article" in exporter("lua").modes_of(champion.program.language):
        return _export_formulas(showcase, place, champion, history)
    return _export_lines(showcase, place, champion)


def _export_lines(showcase: Showcase, place: Place, champion: Subject) -> Made:
    """The champion as a module with a stepper, and as nested conditions."""
    folder = place.of(showcase.game)
    files, rows, wrong = [], [], []
    for mode, name in (("module", "champion"), ("nested", "champion-nested")):
        documents = exporter("lua").export(champion, mode)
        files += [place.write(folder / f"{name}{document.suffix}", document.text) for document in documents]
        try:
            checked = check_export(champion, "lua", mode, games=WHOLE_GAMES).rows
        except UsageError as error:
            return Made("written, but not proved equal", files=tuple(files), problem=str(error))
        rows += [(f"{name}.lua", row) for row in checked]
        wrong += [f"{name} in {row.host}: {row.first}" for row in checked if row.failures]
    words = (
        "The champion as data with a stepper whose state can be stored, and as functions with nested conditions: each "
        "was run, and its whole games compared shot by shot with those of the compiled engine."
    )
    return _proved(showcase, files, rows, wrong, ("games",), words)


def _export_formulas(showcase: Showcase, place: Place, champion: Subject, history: History) -> Made:
    """The champion as a module, and a roster of levels as in the article, both checked in every Lua."""
    folder = place.of(showcase.game)
    game: Game = game_of(showcase.game)
    levels = levels_of(history)
    roster = roster_text(levels)
    documents = exporter("lua").export(champion, "module")
    files = [place.write(folder / f"champion{document.suffix}", document.text) for document in documents]
    files.append(place.write(folder / "computer.lua", roster))
    specimens = [_subject(showcase, program, game) for programs in levels.values() for program in programs]
    try:
        module = check_export(champion, "lua", "module", evaluations=EVALUATIONS, games=WHOLE_GAMES).rows
        checked = [
            check_export(each, "lua", "article", evaluations=EVALUATIONS // 10, games=0).rows
            for each in specimens
        ]
    except UsageError as error:
        return Made("written, but not proved equal", files=tuple(files), problem=str(error))
    together = [_together(rows) for rows in zip(*checked, strict=True)]
    rows = [("champion.lua", row) for row in module] + [("computer.lua", row) for row in together]
    wrong = [f"{name} in {row.host}: {row.first}" for name, row in rows if row.failures]
    if read_roster(roster) != levels:
        wrong.append("computer.lua reads back differently")
    words = (
        "The champion as a module that tests itself, and a roster of levels as the article has it: each was run, "
        "and its values and games compared bit for bit with the interpreter's."
    )
    return _proved(showcase, files, rows, wrong, ("evaluations", "games"), words)


def _proved(
    showcase: Showcase,
    files: Sequence[str],
    rows: Sequence[tuple[str, Row]],
    wrong: Sequence[str],
    counted: Sequence[str],
    words: str,
) -> Made:
    """Exported files with what every Lua made of them.

    Args:
        showcase: whose champion they are.
        files: as they were written.
        rows: by file and Lua.
        wrong: differences in words.
        counted: the columns of the table between those of the Lua and of the differences.
        words: a paragraph above the table.
    """
    luas = len({row.host for _, row in rows})
    made = Made(
        f"equal in {luas} Luas" if not wrong else "not equal",
        files=tuple(files),
        shown=_shown(files, luas, wrong),
        columns=("file", "Lua", *counted, "differences"),
        rows=tuple(
            (name, row.host, *(getattr(row, each) for each in counted), row.failures) for name, row in rows
        ),
        data={"results": [{"file": name, "host": row} for name, row in rows]},
        problem="; ".join(wrong),
    )
    title = f"{showcase.game.capitalize()}: equal in every Lua"
    return replace(made, sections=(Section(title, (paragraph(words), made.table())),))


def _shown(files: Sequence[str], luas: int, wrong: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The first file of an export, if it is the same as the champion."""
    return () if wrong else ((files[0], f"the same in Lua, proved equal in {luas} versions of it"),)


def _subject(showcase: Showcase, program: Any, game: Game) -> Subject:
    header = {"game": showcase.game, **showcase.config.dialect}
    rules = rule_options(showcase.config)
    return Subject(program, "champion", header, primitives=game.offers[program.language], rules=rules)


def _together(rows: tuple[Row, ...]) -> Row:
    """Sum of the rows of one Lua for several programs."""
    return Row(
        rows[0].host,
        sum(row.evaluations for row in rows),
        sum(row.games for row in rows),
        sum(row.failures for row in rows),
        next((row.first for row in rows if row.first), ""),
    )


def levels_of(history: History) -> dict[str, tuple[TreeProgram, ...]]:
    """The levels of a roster from the generations of a run, with some specimens each.

    They are those of the article as far as the run goes: the middle of generation 0, as its best are strong already,
    the best of generations 1 and 11, and at last the champion and the best of the last generation.
    """
    last = history.generations[-1].generation
    with history.genealogy() as connection:
        populations = {
            generation: [program for _, program in ranked(connection, generation)]
            for generation in {0: 0, min(1, last): 0, min(11, last): 0, last: 0}
        }
    middle = len(populations[0]) // 2 - SPECIMENS // 2
    best = dict.fromkeys([history.champion.program, *populations[last]])
    levels = {
        "easy": populations[0][max(0, middle) :],
        "medium": populations[min(1, last)],
        "hard": populations[min(11, last)],
        "expert": list(best),
    }
    return {
        level: tuple(parse(text).program for text in texts[:SPECIMENS]) for level, texts in levels.items()
    }
