"""Traces: a game step by step, with what there was to know at every step.

A game makes the steps in ``forms.trace`` of its folder; walking them, waiting for a condition, and finding out which
nodes of a program counted are the same for all games.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, runtime_checkable

from gpkit.core.registry import language_entry
from gpkit.gamekit.players import Player, by_program
from gpkit.gamekit.view import View
from gpkit.genomes.linear import Place
from gpkit.langkit.language import Valuing
from gpkit.playing.conditions import Condition, Value, Vocabulary


@dataclass(frozen=True, slots=True)
class StepTable:
    """Rows of texts and numbers under headings.

    Attributes:
        chosen: the index of the row that was chosen.
        note: what is to be said of the table, or empty.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | float, ...], ...]
    chosen: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Worth:
    """Values of actions to a program: the state in which they could be chosen, the values, and which was chosen."""

    state: Any
    values: Mapping[int, float]
    chosen: int


class StepView(Protocol):
    """A step as it is shown."""

    def words(self) -> str:
        """Description of the step, in a line."""

    def table(self) -> StepTable | None:
        """Table of the traced program's choices, if it was asked."""

    def board(self) -> str:
        """The board after the step, in lines of text that end with a line break."""

    def picture(self, *, is_narrow: bool = False) -> str:
        """The board after the step as an SVG document, on request for a telephone, 390 pixels wide."""

    def record(self) -> dict[str, object]:
        """The step for programs to read: plain values, lists and dictionaries."""

    def worth(self) -> Worth | None:
        """Values of the actions in the state before, if the traced program valued them."""

    def choice(self) -> int | None:
        """Action that the traced program chose in this step, if it chose one."""

    @property
    def state(self) -> Any:
        """The state after the step."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A part of a program, such as a formula, and what it was evaluated for; every node's value can be had again.

    Attributes:
        section: the name of the part in its program.
        tree: the part, of any language whose programs value candidates.
        sensors: what each sensor said.
        random: makes the source of ``math.random()`` anew.
        value: what it is worth.
    """

    section: str
    tree: Any
    sensors: Mapping[str, float]
    random: Callable[[], Callable[[], float]]
    value: float

    def node_values(self) -> dict[int, float]:
        """The value of every node that was evaluated, by its position."""
        return meaning_of(self.tree.language).node_values(self.tree, self.sensors, self.random())

    def executed(self) -> frozenset[int]:
        """The positions of the nodes that counted."""
        return meaning_of(self.tree.language).executed(self.tree, self.node_values())


def meaning_of(language: str) -> Valuing:
    """The readable meaning of programs that value candidates, by the name of their language."""
    found = valuing(language)
    assert found is not None, f"programs in {language} do not score candidates"
    return found


def valuing(language: str) -> Valuing | None:
    """The readable meaning of programs of a language, if these value candidates."""
    found: Valuing | None = language_entry(language).load().valuing
    return found


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a game.

    Attributes:
        number: 0 for the beginning, then 1, 2, …
        values: what conditions read; a name that is missing has no value in this step.
        view: the step as it is shown.
        evaluations: of the traced program, one for each candidate if it was asked.
        chosen: the index of the evaluation that won, −1 where there was none.
        line: for programs of lines the block and the number of the one that was executed, both from 0.
        listing: for programs of lines or of rules their text with a mark at the line, or at the rule that acted.
    """

    number: int
    values: Mapping[str, Value]
    view: StepView
    evaluations: tuple[Evaluation, ...] = ()
    chosen: int = -1
    line: Place | None = None
    listing: str = ""

    @property
    def winner(self) -> Evaluation | None:
        """The evaluation that won, if the traced program was asked."""
        return self.evaluations[self.chosen] if self.evaluations else None


@dataclass(frozen=True, slots=True)
class Trace:
    """A game to be stepped through.

    Attributes:
        names: the players by seat.
        seat: where the traced program sits.
        vocabulary: the names that conditions may use.
        steps: from the beginning to the end, made as they are asked for.
    """

    names: tuple[str, ...]
    seat: int
    vocabulary: Vocabulary
    steps: Iterable[Step]


@dataclass(frozen=True, slots=True)
class Seated:
    """Seating of a game that is followed.

    Attributes:
        view: of the game.
        players: by seat.
        names: by seat.
        seat: that of the player that is followed.
    """

    view: View
    players: tuple[Player, ...]
    names: tuple[str, ...]
    seat: int

    @property
    def followed(self) -> Player:
        """The player that is followed."""
        return by_program(self.players[self.seat])


@runtime_checkable
class Tracer(Protocol):
    """Traces of a game: ``forms.trace`` in its folder; without it games are followed as is usual."""

    def check(self, players: Sequence[Player], rules: Any, seat: int) -> None:
        """Check that the first of these players can be followed in a seat, and that they can play by these rules.

        Raises:
            UsageError: it cannot, or they cannot.
        """

    def vocabulary(self, rules: Any) -> Vocabulary:
        """Vocabulary of conditions about a step."""

    def steps(self, seated: Seated, deals: Any, rules: Any) -> Iterator[Step]:
        """The first deal's game."""


class Tape:
    """The steps of a trace, made when first asked for and kept, so that one can walk back."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._steps = iter(steps)
        self._kept: list[Step] = []

    def __iter__(self) -> Iterator[Step]:
        """The steps from the beginning."""
        number = 0
        while (step := self.get(number)) is not None:
            yield step
            number += 1

    def get(self, number: int) -> Step | None:
        """The step of that number, None before the first and after the last one."""
        self._kept.extend(islice(self._steps, max(0, number + 1 - len(self._kept))))
        return self._kept[number] if 0 <= number < len(self._kept) else None

    @property
    def last(self) -> int:
        """The number of the last step; the whole trace is made for it."""
        self._kept.extend(self._steps)
        return len(self._kept) - 1

    def find(self, condition: Condition, first: int) -> Step | None:
        """The first step from number ``first`` on at which the condition holds."""
        while (step := self.get(first)) is not None and not condition.holds(step.values):
            first += 1
        return step


def until(steps: Iterable[Step], condition: Condition) -> Iterator[Step]:
    """The steps as far as the first at which the condition holds, that one included."""
    for step in steps:
        yield step
        if condition.holds(step.values):
            return


@dataclass(frozen=True, slots=True)
class Coverage:
    """Coverage of a part of a program in some steps.

    ``executed`` are the positions of the nodes that counted for any candidate; ``values`` those of every node for the
    candidate that won last.
    """

    executed: frozenset[int]
    values: Mapping[int, float]


def executions(steps: Iterable[Step]) -> dict[Place, int]:
    """Execution count of each line of the traced program; the place behind a block's last line is its end."""
    counts: dict[Place, int] = {}
    for step in steps:
        if step.line is not None:
            counts[step.line] = counts.get(step.line, 0) + 1
    return counts


def coverage(steps: Iterable[Step]) -> dict[str, Coverage]:
    """The coverage of every part of the traced program that was asked, by section."""
    found: dict[str, Coverage] = {}
    for step in steps:
        for k, evaluation in enumerate(step.evaluations):
            values, executed = evaluation.node_values(), evaluation.executed()
            before = found.get(evaluation.section, Coverage(frozenset(), {}))
            kept = values if k == step.chosen else before.values
            found[evaluation.section] = Coverage(before.executed | executed, kept)
    return found
