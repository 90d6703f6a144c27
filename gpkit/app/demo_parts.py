"""Parts of ``gpkit demo``: their interface, and those about all games, the shipped programs and the page."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from gpkit import __version__
from gpkit.app.files import program_paths, write_atomic
from gpkit.app.named import opponent, read_named, seat
from gpkit.app.watching import COMPILE_SECONDS, Tell
from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES, data_folder, find
from gpkit.core.statistics import Interval
from gpkit.draw.page import Markup, Section, page, table
from gpkit.evolution.pools import executor_for
from gpkit.evolution.problem import Lost
from gpkit.games.game import Game
from gpkit.playing.match import Match, Result, play_matches

GAMES_OF_PROGRAM = 6_000
"""Games that a hand-written program plays against each opponent."""

PROGRAMS, REPORT = "programs", "report"


@dataclass(frozen=True, slots=True)
class Shown:
    """Display of the demo: a terminal, or whatever stands in its place.

    Attributes:
        progress: a line that says how far the work is, for as long as the context lasts.
        announce: says what is compiled now, and for about how many seconds.
        clock: seconds since some moment.
        lines: a table as lines of text, from its columns and rows.
    """

    progress: Callable[[], AbstractContextManager[Tell]]
    announce: Callable[[str, int], object]
    clock: Callable[[], float]
    lines: Callable[["Made"], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Place:
    """Settings of the demo.

    Attributes:
        folder: where its files go.
        seed: of all chance.
        generations: of evolution, in place of what a showcase says.
        workers: of evolution, as in ``gpkit evolve``; they cannot change a result.
        shown: where it is watched.
        arguments: the command line, to be stored with runs.
    """

    folder: Path
    seed: int
    generations: int | None
    workers: str
    shown: Shown
    arguments: tuple[str, ...] = ()

    def of(self, game: str) -> Path:
        """The folder of a game."""
        return self.folder / game

    def write(self, path: Path, content: str | bytes) -> str:
        """Write a file of the demo, in a folder that is made if it is not there; its name within the demo."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, content)
        return path.relative_to(self.folder).as_posix()


@dataclass(frozen=True, slots=True)
class Made:
    """Output of a part of the demo.

    Attributes:
        summary: in a few words.
        files: their names within the demo's folder.
        columns, rows: a table of results; no columns for none.
        sections: for the page.
        data: the results for programs to read.
        problem: what did not come out as it must, though files were written; mostly empty.
        shown: the files that a person looks at first, each with what it is in a few words.
        then: commands that a person may go on with.
    """

    summary: str
    files: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str | int | float, ...], ...] = ()
    sections: tuple[Section, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    shown: tuple[tuple[str, str], ...] = ()
    then: tuple[str, ...] = ()

    def table(self) -> Markup:
        """The table for the page."""
        return table(self.columns, self.rows)


@dataclass(frozen=True, slots=True)
class Part:
    """One part: its name, what it is about, the parts that must have come out before it, and what makes it.

    ``make`` is told what the parts before it have made, by their names.
    """

    name: str
    title: str
    needs: tuple[str, ...]
    make: Callable[[Place, Mapping[str, Made]], Made]


def play_programs(place: Place, _before: Mapping[str, Made]) -> Made:
    """Every program that comes with gpkit, against the first two opponents of its game.

    The games are shared out among the workers, as most of the time goes into compiling their kernels.

    Raises:
        UsageError: the worker of a game died.
    """
    with executor_for(place.workers) as executor:
        place.shown.announce("the kernels of every game", COMPILE_SECONDS * len(GAMES) // executor.workers)
        names = [entry.name for entry in GAMES]
        found = executor.run(partial(_play_games, place.seed), names, [float(COMPILE_SECONDS)] * len(names))
    results: list[Result] = []
    for played in found:
        if isinstance(played, Lost):
            raise UsageError(f"the programs were not played: {played.reason}")
        results += played
    rows = [
        (r.game, r.program, r.opponent, r.metric.name, r.interval.mean, interval_text(r.interval))
        for r in results
    ]
    made = Made(
        f"{len(results)} matches, {sum(result.games for result in results):,} games",
        columns=("game", "program", "against", "metric", "mean", "95 % interval"),
        rows=tuple(rows),
        data={"results": [result.to_json() for result in results]},
    )
    name = place.write(place.folder / "programs.txt", "\n".join([*place.shown.lines(made), ""]))
    return replace(
        made,
        files=(name,),
        sections=(Section("Programs that come along", (made.table(),)),),
        shown=((name, f"how strong the programs are that come along, {len(results)} rows"),),
    )


def interval_text(interval: Interval) -> str:
    """The ends of an interval."""
    return f"{interval.low:.4f} to {interval.high:.4f}"


def _play_games(seed: int, names: Sequence[str]) -> list[list[Result]]:
    """The results of the programs of some games, by game."""
    return [_play(find(GAMES, name, "game").load(), seed) for name in names]


def _play(game: Game, seed: int) -> list[Result]:
    rules = game.make_rules({})
    named = read_named(program_paths([str(data_folder("programs") / game.name)]), None)
    players = [replace(seat(each, game), name=Path(each.spec).stem) for each in named]
    others = [opponent(name, game) for name in game.rivals(rules)]
    matches = [Match(player, (other,)) for player in players for other in others]
    return play_matches(game, matches, rules=rules, seed=seed, games=GAMES_OF_PROGRAM)


def write_report(place: Place, before: Mapping[str, Made]) -> Made:
    """One page about everything."""
    lead = (
        "What people wrote, and what evolution found: programs that can be read, run, drawn and taken away as Lua. "
        "The files beside this page are everything that it was made from."
    )
    sections = [section for made in before.values() for section in made.sections]
    text = page("gpkit demo", lead, sections, footer=f"gpkit {__version__}, seed {place.seed}")
    name = place.write(place.folder / "report.html", text)
    return Made(
        f"{len(text.encode()) / 1000:,.0f} kB, needs no network",
        files=(name,),
        shown=((name, "one page about everything: open it in a browser"),),
    )
