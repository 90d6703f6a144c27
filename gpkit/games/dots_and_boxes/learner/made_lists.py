"""Rule lists that are chosen or grown from the rules of some programs: ``gpkit select`` and ``gpkit grow``."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from gpkit.api.progress import argument, remark, watching
from gpkit.core.compilation import compilation
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import EXIT_INTERRUPTED, EXIT_OK, UsageError
from gpkit.core.files import check_place, write_atomic
from gpkit.core.interrupts import noticed
from gpkit.core.tabular import Lines, Note, Tabular
from gpkit.core.wording import counted
from gpkit.games.dots_and_boxes.exact import best_response_text
from gpkit.games.dots_and_boxes.game import check_classes
from gpkit.games.dots_and_boxes.learner.config import GAME
from gpkit.games.dots_and_boxes.learner.growth import Growth, Listed, grow
from gpkit.games.dots_and_boxes.learner.mixture import Mixture, TargetRate, read_target_rate
from gpkit.games.dots_and_boxes.learner.selection import Ascent, read_pool, select
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.genomes.graph import RuleList
from gpkit.languages.rulegraph.printer import print_program
from gpkit.playing.evaluation import Ground, Training

CHOSEN_AGAINST = ("safe", "safe+min", "chain", "chain+ex12")
"""The default opponents for choosing a list; against chain alone, lists would learn its habits."""

GROWN_AGAINST = ("chain=0.93", "greedy=0.97", "optimal=0.2")
"""The default opponents for growing a list, with win rates that are about equally hard to beat."""

Rates = Sequence[tuple[str, float]]
"""Win rates by opponent, in their order."""


class Task(NamedTuple):
    """A list to make.

    Attributes:
        programs: the programs that the rules come from.
        board: the board on which win rates are exact.
        seed: the seed of all chance.
        output: the file for the list; None for no file.
    """

    programs: Sequence[str]
    board: str
    seed: int
    output: str | os.PathLike[str] | None

    def begun(self) -> tuple[RuleList, Rules]:
        """The rules to choose from, and the board.

        Raises:
            UsageError: no program is named; a program does not exist, is no list of rules, or looks at the score; the
                board does not exist or is too large; or the file cannot be written.
        """
        if not self.programs:
            raise UsageError("name a program with rules, such as `greedy`")
        if self.output is not None:
            check_place(self.output)
        rules = Rules.from_options({"board": self.board})
        check_classes(rules)
        pool = read_pool(self.programs)
        remark(compilation(game=GAME))
        return pool, rules


@dataclass(frozen=True, slots=True)
class MadeList(Tabular):
    """A rule list that was chosen or grown.

    Attributes:
        program: the text of the list.
        rules: the number of its rules.
        rates: its win rate against each opponent.
        task: the list that was asked for.
        unit: the unit of the work.
        done: the number of units that were done.
        is_interrupted: whether an interrupt ended the work early.
    """

    program: str
    rules: int
    rates: Rates
    task: Task
    unit: str
    done: int
    is_interrupted: bool

    @property
    def exit_code(self) -> int:
        """The exit code of the command that made the list."""
        return EXIT_INTERRUPTED if self.is_interrupted else EXIT_OK

    def __str__(self) -> str:
        """Its size and its win rates."""
        return f"{counted(self.rules, 'rule')}, {rates_text(self.rates)}"

    def told(self) -> Iterator[str]:
        """The list, or the path of its file."""
        path = self.task.output
        yield Lines(self.program.rstrip("\n")) if path is None else Note(f"wrote {path}: {self}")

    def to_json(self) -> dict[str, object]:
        """The answer as JSON values."""
        work = {"board": self.task.board, "seed": self.task.seed, f"{self.unit}s": self.done}
        return {**work, "rules": self.rules, "rates": dict(self.rates), "program": self.program}


def chosen(task: Task, opponents: Sequence[str], ascent: Ascent) -> MadeList:
    """Choose and order a short list by its exact win rate; after an interrupt, give the list so far.

    Raises:
        UsageError: as for ``Task.begun``; or there is no such opponent, or no rule does better than an empty list.
    """
    for name in opponents:
        if name not in POLICIES:
            raise UsageError(f"there is no opponent `{name}`; {suggestion(name, POLICIES)}")
    pool, board = task.begun()
    remark(
        f"choosing from {counted(len(pool.rules), 'rule')} in {counted(ascent.steps, 'step')}, seed {task.seed}"
    )
    with watching() as show, noticed() as interrupted:
        found = select(
            pool,
            opponents,
            board,
            ascent,
            watch=lambda step, rate: show(f"{counted(step, 'step')}: {rate:.4f}"),
            stop=interrupted,
        )
    verb = "refined" if ascent.refine else "chosen"
    rates = list(zip(opponents, found.rates, strict=True))
    training = Training((Ground(tuple(opponents), {"board": task.board}),))
    return _made(task, verb, "step", (found.steps, ascent.steps), found.rules, rates, rates, training)


def grown(task: Task, opponents: Sequence[str], games: int, growth: Growth) -> MadeList:
    """Grow a stronger list from a weaker one, by its worst win rate; after an interrupt, give the list so far.

    Args:
        task: the list to make.
        opponents: the opponents, each with the win rate to beat, and with the board if it is not that of the task.
        games: the number of games on each of the other boards.
        growth: the settings of the growth.

    Raises:
        UsageError: as for ``Task.begun``; or an opponent cannot be read, or none of them plays on the board of the
            task.
    """
    target_rates = [read_target_rate(text) for text in opponents]
    if all(each.board is not None for each in target_rates):
        raise UsageError(f"growing needs an exact win rate: name an opponent on {task.board}, too")
    pool, board = task.begun()
    remark(
        f"growing from {counted(len(pool.rules), 'rule')} in {counted(growth.rounds, 'round')}, seed {task.seed}"
    )
    with watching() as show, noticed() as interrupted:
        found, done = grow(
            pool,
            Mixture(target_rates, board, games, task.seed),
            board,
            growth,
            watch=lambda number, now: show(
                f"{counted(number, 'round')}: {counted(len(now.rules), 'rule')}, "
                + rates_text(_rates(now, target_rates))
            ),
            stop=interrupted,
        )
    rates, rules = _rates(found, target_rates), RuleList(found.rules)
    exact = [pair for pair, each in zip(rates, target_rates, strict=True) if each.board is None]
    return _made(
        task, "grown", "round", (done, growth.rounds), rules, rates, exact, _training(target_rates, task)
    )


def _made(
    task: Task,
    verb: str,
    unit: str,
    work: tuple[int, int],
    rules: RuleList,
    rates: Rates,
    exact: Rates,
    training: Training,
) -> MadeList:
    """The answer; the list is written to its file.

    Args:
        task: the list that was asked for.
        verb: the verb for the work, such as ``grown``.
        unit: the unit of the work, whose plural is the name of the option.
        work: the numbers of units that were done and that were asked for.
        rules: the list.
        rates: the win rates in the answer.
        exact: the win rates in the header of the list.
        training: the opponents and boards that the list was made with.

    Raises:
        UsageError: the list has no rules.
    """
    done, wanted = work
    tried = counted(done, unit)
    if not rules.rules:
        raise UsageError(f"after {tried} no rule does better than none: try more {argument(f'{unit}s')}")
    if done < wanted:
        remark(f"interrupted after {tried}: this is the list so far")
    names = " ".join(Path(each).name for each in task.programs)
    header = {
        "game": GAME,
        "title": f"{verb} from {names} in {tried}, seed {task.seed}",
        "board": task.board,
        "trained": str(training),
        "rates": rates_text(exact),
        "best-response": best_response_text(rules, Rules.from_options({"board": task.board})),
    }
    text = print_program(rules, header)
    if task.output is not None:
        write_atomic(Path(task.output), text)
    return MadeList(text, len(rules.rules), rates, task, unit, done, done < wanted)


def rates_text(rates: Rates) -> str:
    """Win rates in words."""
    return ", ".join(f"{name} {rate:.4f}" for name, rate in rates)


def _rates(found: Listed, target_rates: Sequence[TargetRate]) -> Rates:
    return [(str(each), rate) for each, rate in zip(target_rates, found.rates, strict=True)]


def _training(target_rates: Sequence[TargetRate], task: Task) -> Training:
    """The opponents that a list was grown against, by board."""
    by_board: dict[str, list[str]] = {}
    for target_rate in target_rates:
        place = task.board if target_rate.board is None else target_rate.board.to_options()["board"]
        by_board.setdefault(place, []).append(target_rate.opponent)
    return Training(tuple(Ground(tuple(names), {"board": place}) for place, names in by_board.items()))
