"""Traces: a game step by step, with what there was to know at every step.

What a step says follows from the facts of its game (``gpkit.gamekit.facts``), from the sentences and the board of its
view, and from the decision of the player that is followed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Any, Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.registry import form, game_of, has_form
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.facts import Fact, Value
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import ObservableState, played
from gpkit.gamekit.view import Overlay, View, view_of
from gpkit.genomes.linear import Place
from gpkit.playing.conditions import Condition, Vocabulary
from gpkit.playing.decisions import Decision, Evaluation, StepTable, Valued, decider_of, explain
from gpkit.playing.match import deal_of
from gpkit.playing.players import Seating, check_seat, check_seating, names_at_table


@dataclass(frozen=True, slots=True)
class Seated:
    """Seating of a game that is followed.

    Attributes:
        view: of the game.
        players: by seat.
        names: by seat.
        seat: that of the player that is followed.
        facts: of a step.
        looks: the seat whose view is shown; None shows everything.
    """

    view: View
    players: tuple[Player, ...]
    names: tuple[str, ...]
    seat: int
    facts: tuple[Fact, ...] = ()
    looks: int | None = None

    @property
    def followed(self) -> Player:
        """The player that is followed."""
        return self.players[self.seat]


@dataclass(frozen=True)
class Step:
    """One step of a game.

    Attributes:
        number: 0 for the beginning, then 1, 2, …
        seated: who sits where.
        before: the state in which an action was chosen; None for the beginning of the game.
        after: the state after it.
        action: the action; None where there is none.
        decision: of the player that is followed, where it chose and says why.
        told: sentences about the step; without them, the game has its own.
    """

    number: int
    seated: Seated
    before: Any
    after: Any
    action: int | None = None
    decision: Any = None
    told: tuple[str, ...] = ()

    @property
    def seat(self) -> int | None:
        """The seat of whoever chose; None at the beginning."""
        return None if self.before is None else int(self.before.current_player)

    @property
    def is_mine(self) -> bool:
        """Whether the player that is followed chose."""
        return self.seat == self.seated.seat

    @property
    def name(self) -> str:
        """The name of whoever chose; empty at the beginning."""
        return "" if self.seat is None else self.seated.names[self.seat]

    @property
    def text(self) -> str:
        """The action as people write it; empty where there is none."""
        return "" if self.action is None else self.seated.view.action_text(self.before, self.action)

    @cached_property
    def choices(self) -> int:
        """Number of actions that could be chosen; 0 at the beginning."""
        return 0 if self.before is None else len(self.before.legal_actions())

    @cached_property
    def values(self) -> Mapping[str, Value]:
        """The facts that conditions read, by name; one that is missing has no value in this step."""
        found = ((each.name, each.of(self)) for each in self.seated.facts if each.kind != "data")
        return {name: value for name, value in found if value is not None}

    @cached_property
    def sensors(self) -> Mapping[str, float]:
        """The sensors of the action, where the player that is followed chose it, and values it by none other."""
        if not self.is_mine or self.action is None:
            return {}
        if isinstance(self.decision, Decision):
            return self.decision.evaluations[self.decision.chosen].sensors
        if isinstance(self.decision, Valued):
            return {}
        return self.seated.view.sensors(self.before, self.action)

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """Evaluations of the candidates by the program that is followed, if it was asked."""
        return self.decision.evaluations if isinstance(self.decision, Decision) else ()

    @property
    def chosen(self) -> int:
        """The index of the evaluation that won, −1 where there was none."""
        return self.decision.chosen if isinstance(self.decision, Decision) else -1

    @property
    def winner(self) -> Evaluation | None:
        """The evaluation that won, if the program that is followed was asked."""
        return self.evaluations[self.chosen] if self.evaluations else None

    @property
    def worths(self) -> Mapping[int, float]:
        """Values of the actions in the state before, if the player that is followed valued them."""
        found: Mapping[int, float] = getattr(self.decision, "values", {})
        return found

    @property
    def line(self) -> Place | None:
        """For programs of lines the block and the number of the one that was executed, both from 0."""
        return None

    @property
    def listing(self) -> str:
        """For programs of lines or of rules their text with a mark at the line, or at the rule that acted."""
        return ""

    def words(self) -> str:
        """Description of the step, in a line."""
        return "; ".join(self.told) or self.seated.view.words.step(self)

    @property
    def score(self) -> float | None:
        """The score of the player that is followed, at the end."""
        return self.after.returns()[self.seated.seat] if self.after.is_terminal else None

    def table(self) -> StepTable | None:
        """Table of the choices, if the player that is followed says what it chose from."""
        if self.decision is None:
            return None
        text = partial(self.seated.view.action_text, self.before)
        found: StepTable = self.decision.table(self.seated.view.words.candidate, text)
        return found

    def board(self) -> str:
        """The board after the step, in lines of text that end with a line break."""
        view = self.seated.view
        return view.words.above(self) + view.board_text(self.after, self.seated.looks, self.seated.names)

    def picture(self, *, is_narrow: bool = False) -> str:
        """The board after the step as an SVG document, on request for a telephone, 390 pixels wide."""
        values = self.seated.view.words.beliefs(self)
        marked = Overlay(values=values, is_narrow=is_narrow, seat=self.seated.seat)
        overlay = marked if values or is_narrow else None
        return self.seated.view.board_svg(self.after, self.seated.looks, self.seated.names, overlay)

    def record(self) -> dict[str, object]:
        """The step for programs to read, as plain values, without facts that are numbers or texts."""
        words = self.seated.view.words

        def text(action: int) -> str:
            return words.written(self.before, action, self.seated.view.action_text(self.before, action))

        return {
            "player": self.seat,
            "action": None if self.action is None else text(self.action),
            "decision": self.decision and self.decision.record(words.candidate, text),
            "scores": list(self.after.returns()) if self.after.is_terminal else None,
            **{each.name: each.of(self) for each in self.seated.facts if each.kind == "data"},
        }


USUAL = (
    Fact("step", "number", "the number of the step; 0 is the beginning", lambda step: step.number),
    Fact("seat", "number", "seat of the player who chose", lambda seat: seat, ("seat",)),
    Fact("player", "text", "name of the player who chose", lambda step: step.name or None),
    Fact(
        "mine",
        "number",
        "1 if it is the traced program, else 0",
        lambda step: None if step.before is None else step.is_mine,
    ),
    Fact("action", "text", "the action as people write it", lambda step: step.text or None),
    Fact(
        "candidates",
        "number",
        "how many actions could be chosen",
        lambda step: step.choices or None,
    ),
    Fact(
        "forced",
        "number",
        "1 if there was only one, else 0",
        lambda step: step.choices == 1 if step.choices else None,
    ),
    Fact(
        "value",
        "number",
        "its value, where the traced program decided",
        lambda step: step.winner and step.winner.value,
    ),
    Fact(
        "margin", "number", "its margin over the next best", lambda step: step.winner and step.decision.margin
    ),
    Fact("over", "number", "1 at the end of the game, else 0", lambda after: after.is_terminal, ("after",)),
    Fact("score", "number", "the score of the traced program, at the end", lambda step: step.score),
)
"""The facts of every game."""

OPEN = tuple(each for each in USUAL if each.name in ("step", "player", "mine", "over", "score"))
"""The facts that tell a person nothing new."""


def facts_of_game(game: Game) -> tuple[Fact, ...]:
    """The facts of a step of a game: the usual ones, those of the game, and the sensors of the action."""
    sensors = dict.fromkeys(sensor for each in game.offers.values() for sensor in each.sensors)
    found = {each.name: each for each in (*USUAL, *game.facts)}
    read = (Fact(each.name, "number", each.meaning, partial(_sensed, each.name)) for each in sensors)
    return (*found.values(), *read)


def _sensed(name: str, step: Step) -> float | None:
    return step.sensors.get(name)


@dataclass(frozen=True, slots=True)
class Trace:
    """A game to be stepped through.

    Attributes:
        names: the players by seat.
        seat: where the traced program sits.
        vocabulary: the facts that conditions may use.
        steps: from the beginning to the end, made as they are asked for.
    """

    names: tuple[str, ...]
    seat: int
    vocabulary: Vocabulary
    steps: Iterable[Step]


@runtime_checkable
class Stepping(Protocol):
    """Games of programs that are not asked for one action after another: ``forms.playing`` of a language."""

    def steps(self, game: Game, seated: Seated, deals: Deals, rules: Any) -> Iterator[Step]: ...


def steps_of(game: Game, seated: Seated, deals: Deals, rules: Any, kind: type[Step] = Step) -> Iterator[Step]:
    """The beginning of the first deal's game, and then every action until its end."""
    state = game.begin(seated.players, deals, rules)
    decision: Any = None

    def chosen(state: ObservableState) -> int:
        nonlocal decision
        found, decision = explain(game, seated.players[state.current_player], state, deals)
        if state.current_player != seated.seat:
            decision = None
        return found

    yield kind(0, seated, None, state)
    for number, (before, action, after) in enumerate(played(state, chosen), start=1):
        yield kind(number, seated, before, after, action, decision)


def trace_game(game: str, players: Sequence[Player], deals: Deals, rules: Any, *, seat: int = 0) -> Trace:
    """The first deal's game; the first player is followed and sits in ``seat``, and the others follow it.

    Raises:
        UsageError: there is no such seat, its player cannot be traced, or these players cannot play by these rules.
    """
    check_seat(seat, len(players))
    found, view = game_of(game), view_of(game)
    check_traced(found, players, rules, seat)
    seated = tuple(players[(place - seat) % len(players)] for place in range(len(players)))
    names, facts = names_at_table(seated), facts_of_game(found)
    follow: Callable[..., Iterator[Step]] = steps_of
    for deciding in filter(None, map(decider_of, players)):
        if has_form(Stepping, "playing", deciding.program.language):
            follow = form(Stepping, "playing", deciding.program.language, "follow {}").steps
    steps = follow(found, Seated(view, seated, names, seat, facts), deals, rules)
    conditions = Vocabulary(
        tuple(each for each in facts if each.kind != "data"),
        tuple(dict.fromkeys(word for each in facts for word in each.words)),
        view.words.examples,
    )
    return Trace(names, seat, conditions, steps)


def check_traced(game: Game, players: Sequence[Player], rules: Any, seat: int) -> None:
    """Check that the first player can be followed from a seat, and that all players can play by the rules.

    Raises:
        UsageError: it cannot, or they cannot.
    """
    if game.choose is None:
        raise UsageError(
            f"games of {game.name} cannot be traced: the game does not say what a player chooses in a state"
        )
    check_seating(game, rules, seat)
    game.check(players, rules)
    if not players[0].decides:
        raise UsageError(f"{players[0].name} cannot be traced: it chooses nothing")


def followed(seating: Seating, *, seat: int, seed: int, deal: int) -> Trace:
    """Follow a game of a seating's first player on one of the deals of ``gpkit run``; raises the errors of
    ``trace_game``."""
    deals = deal_of(seating.game, seating.rules, seed, deal)
    return trace_game(seating.game.name, seating.players, deals, seating.rules, seat=seat)


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
