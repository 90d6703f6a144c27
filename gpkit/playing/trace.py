"""Traces of games: every step of a game, with everything that is known about the step.

The game provides the facts of a step (``gpkit.gamekit.facts``). The game's view provides the sentences and the board of
a step, and the followed player provides the decision.

A trace can be searched for steps that meet a condition on their values, such as ``rank == 7 and turn > 3``.

Conditions are written in a small, safe language: numbers, strings in quotes, names, comparisons, ``and``, ``or``,
``not`` and arithmetic. gpkit checks all names and operands in a condition in advance, so the evaluation of the
condition cannot fail. A comparison is false if the step lacks a value or a division by zero occurs.
"""

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import islice
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from gpkit.core.diagnostics import suggestion, underlined
from gpkit.core.errors import GpkitError, LimitError, UsageError
from gpkit.core.layout import printable
from gpkit.core.plugins import typed_name
from gpkit.core.registry import data_folder, game_of
from gpkit.core.rng import stream
from gpkit.gamekit.facts import USUAL, Fact, Kind, Value
from gpkit.gamekit.game import Deals, Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.sensors import PREFIX as SENSORS
from gpkit.gamekit.state import ObservableState, played
from gpkit.gamekit.view import Overlay, View
from gpkit.genomes.linear import Place
from gpkit.langkit.language import form_of
from gpkit.playing.contest import deal_of
from gpkit.playing.decisions import Decision, Evaluation, StepTable, Valued, decider_of, explain
from gpkit.playing.players import Seating, check_seat, check_seating, names_at_table, player_of_name

MAX_CONDITION = 1_000
"""The maximum number of characters in a condition."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The vocabulary of conditions.

    Attributes:
        names: the facts that conditions can use.
        words: strings that need no quotes.
        examples: pairs of a short label and a suggested condition.
        data: the names of facts that appear only in JSON.
        listing: the command that lists all facts; empty if a person must not see the list.
    """

    names: tuple[Fact, ...]
    words: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = (("The end", "over == 1"),)
    data: frozenset[str] = frozenset()
    listing: str = ""

    def find(self, word: str) -> Fact | None:
        """The fact with this full name, or the only fact with this name after a dot: ``rank`` finds ``env.rank``."""
        for name in self.names:
            if name.name == word:
                return name
        ending = [name for name in self.names if name.name.endswith(f".{word}")]
        return ending[0] if len(ending) == 1 else None

    @property
    def spellings(self) -> tuple[str, ...]:
        """The shortest spelling of each fact's name, and the words that need no quotes."""
        shortest = (name.name.rpartition(".")[2] for name in self.names)
        found = zip(shortest, self.names, strict=True)
        return (*(short if self.find(short) == name else name.name for short, name in found), *self.words)


@dataclass(frozen=True, slots=True)
class Condition:
    """A parsed condition in postfix order (operands, then their operator).

    Attributes:
        text: the text of the condition.
        parts: pairs of a number of operands and a function of these operands; if the number is 0, the function takes
            the step's values instead.
    """

    text: str
    parts: tuple[tuple[int, Callable[..., Value]], ...]

    def holds(self, values: Mapping[str, Value]) -> bool:
        """Whether the condition is true in a step with these values; names that are not in ``values`` have no value."""
        stack: list[Value] = []
        for arity, value in self.parts:
            start = len(stack) - arity
            stack[start:] = [value(*stack[start:]) if arity else value(values)]
        return _truth(stack.pop())


def read_condition(text: str, vocabulary: Vocabulary) -> Condition:
    """Parse a condition.

    Raises:
        UsageError: the text is not a valid condition, or contains a name outside the vocabulary; the message marks the
            place of the error.
        LimitError: the text is longer than ``MAX_CONDITION``.
    """
    if len(text) > MAX_CONDITION:
        raise LimitError(f"the condition is longer than {MAX_CONDITION} characters")
    try:
        tree = grammar().parse(text)
    except UnexpectedCharacters as error:
        raise _stray_character(text, error.pos_in_stream or 0) from None
    except UnexpectedToken as error:
        raise _unexpected(text, error) from None
    parts: list[tuple[int, Callable[..., Value]]] = []
    kinds: list[Kind] = []
    for token, arity in _postfix(tree):
        if arity:
            _check_operands(text, token, kinds[-arity:])
            kinds[-arity:] = ["number"]
            parts.append((arity, _UNARY[token] if arity == 1 else _BINARY[token]))
        else:
            value, kind = _operand(text, token, vocabulary)
            parts.append((0, value))
            kinds.append(kind)
    return Condition(text, tuple(parts))


@cache
def grammar(*, strict: bool = False) -> Lark:
    """The parser of conditions; with ``strict``, lark also checks that no two terminals collide."""
    path = data_folder("grammars") / "conditions.lark"
    return Lark.open(str(path), parser="lalr", lexer="contextual", start="condition", strict=strict)


def _postfix(tree: Tree[Token] | Token) -> Iterator[tuple[Token, int]]:
    """Yield the operands and operators in postfix order, each with its number of operands; an operand itself has 0."""
    todo: list[tuple[Tree[Token] | Token, int]] = [(tree, 0)]
    while todo:
        item, arity = todo.pop()
        if isinstance(item, Token):
            yield item, arity
        elif item.data == "binary":
            left, sign, right = item.children
            todo += [(sign, 2), (right, 0), (left, 0)]
        else:
            sign, operand = item.children
            todo += [(sign, 1), (operand, 0)]


def _operand(
    text: str, token: Token, vocabulary: Vocabulary
) -> tuple[Callable[[Mapping[str, Value]], Value], Kind]:
    if token.type == "NUMBER":
        return lambda _: float(token), "number"
    if token.type == "TEXT":
        return lambda _: str(token[1:-1]), "text"
    name = vocabulary.find(token)
    if name is not None:
        return lambda values: values.get(name.name), name.kind
    if token in vocabulary.words:
        return lambda _: str(token), "text"
    if token in vocabulary.data:
        raise _fault(
            text, token, f"`{token}` is data, which conditions cannot compare; `gpkit trace --json` shows it"
        )
    more = f" (`{vocabulary.listing}` lists the facts)" if vocabulary.listing else ""
    raise _fault(
        text, token, f"no step has a value `{token}`; {suggestion(token, vocabulary.spellings)}{more}"
    )


def _check_operands(text: str, sign: Token, kinds: list[Kind]) -> None:
    """Check the operand types: arithmetic needs numbers, comparisons need equal types, and logic takes any type.

    Raises:
        UsageError: the operator does not accept these operands.
    """
    if sign in _ARITHMETIC and "text" in kinds:
        raise _fault(text, sign, f"`{sign}` needs numbers, but an operand is text")
    if sign in _COMPARISONS and kinds[0] != kinds[1]:
        raise _fault(text, sign, "a number cannot be compared with text")


# Error messages.

_HINTS = {
    "=": "equality is written ==",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or != between two values",
    '"': "this string is never closed",
    "'": "this string is never closed",
}


def _stray_character(text: str, place: int) -> UsageError:
    character = text[place]
    shown = f"`{character}`" if character.isprintable() else f"the character U+{ord(character):04X}"
    hint = _HINTS.get(character)
    return _fault(text, place, f"{shown} is not allowed here" + (f"; {hint}" if hint else ""))


def _unexpected(text: str, error: UnexpectedToken) -> UsageError:
    token = error.token
    accepted = error.accepts or error.expected
    expected = "expected a value" if "NAME" in accepted else "expected an operator such as == or `and`"
    if token.type == "$END":
        if "RPAR" in accepted:
            expected = "a parenthesis is never closed"
        return _fault(text, len(text.rstrip()), f"the condition ends too early: {expected}")
    if token in _COMPARISONS and "NAME" not in accepted:
        expected = "compare twice and join them with `and`, as in 1 < a and a < 3"
    return _fault(text, token, f"unexpected `{token}`: {expected}")


def _fault(text: str, place: Token | int, message: str) -> UsageError:
    """An error whose message contains the condition, with carets under the place of the error."""
    start, length = (place, 1) if isinstance(place, int) else (place.start_pos or 0, len(place))
    marks = underlined(text[:start], text[start : start + length])
    return UsageError(f"{message}\n  {printable(text)}\n  {marks}")


# The operators.


def _truth(value: Value) -> bool:
    """True for non-empty strings and nonzero numbers; False for NaN and missing values."""
    return value is not None and value == value and bool(value)


def _compared(test: Callable[[float | str, float | str], bool]) -> Callable[[Value, Value], Value]:
    return lambda a, b: float(a is not None and b is not None and test(a, b))


def _reckoned(operation: Callable[[float, float], float]) -> Callable[[Value, Value], Value]:
    def meaning(a: Value, b: Value) -> Value:
        if not (isinstance(a, float) and isinstance(b, float)):
            return None
        try:
            return operation(a, b)
        except (ZeroDivisionError, ValueError):
            return None

    return meaning


_COMPARISONS: dict[str, Callable[[Value, Value], Value]] = {
    "==": _compared(operator.eq),
    "!=": _compared(operator.ne),
    "<": _compared(operator.lt),
    "<=": _compared(operator.le),
    ">": _compared(operator.gt),
    ">=": _compared(operator.ge),
}

_ARITHMETIC: dict[str, Callable[[Value, Value], Value]] = {
    "+": _reckoned(operator.add),
    "-": _reckoned(operator.sub),
    "*": _reckoned(operator.mul),
    "/": _reckoned(operator.truediv),
    "%": _reckoned(math.fmod),
}

_BINARY: dict[str, Callable[[Value, Value], Value]] = {
    "or": lambda a, b: float(_truth(a) or _truth(b)),
    "and": lambda a, b: float(_truth(a) and _truth(b)),
    **_COMPARISONS,
    **_ARITHMETIC,
}

_UNARY: dict[str, Callable[[Value], Value]] = {
    "not": lambda a: float(not _truth(a)),
    "-": lambda a: -a if isinstance(a, float) else None,
}


@dataclass(frozen=True, slots=True)
class Seated:
    """The players of a followed game, by seat.

    Attributes:
        view: the view of the game.
        players: the players by seat.
        names: their names by seat.
        seat: the seat of the followed player.
        facts: the facts that a step of the game can have.
        looks: the seat from whose point of view the game is shown; None shows everything.
    """

    view: View
    players: tuple[Player, ...]
    names: tuple[str, ...]
    seat: int
    facts: tuple[Fact, ...] = ()
    looks: int | None = None

    @property
    def followed(self) -> Player:
        """The followed player."""
        return self.players[self.seat]


@dataclass(frozen=True)
class Step:
    """One step of a game.

    Attributes:
        number: the number of the step; 0 is the beginning of the game.
        seated: the players by seat.
        before: the state in which the action was chosen; None at the beginning of the game.
        after: the state after the action.
        action: the action; None if the step has none.
        decision: the followed player's decision, if this player chose the action and gives reasons; otherwise None.
        told: sentences about the step; if empty, the game's view describes the step.
        mistake: the cost of the followed player's choice, as a share of the range of scores; None if the choice was not
            judged.
    """

    number: int
    seated: Seated
    before: Any
    after: Any
    action: int | None = None
    decision: Any = None
    told: tuple[str, ...] = ()
    mistake: float | None = None

    @property
    def seat(self) -> int | None:
        """The seat of the player who chose the action; None at the beginning."""
        return None if self.before is None else int(self.before.current_player)

    @property
    def is_mine(self) -> bool:
        """Whether the followed player chose the action."""
        return self.seat == self.seated.seat

    @property
    def name(self) -> str:
        """The name of the player who chose the action; empty at the beginning."""
        return "" if self.seat is None else self.seated.names[self.seat]

    @property
    def text(self) -> str:
        """The action as people write it; empty if the step has none."""
        return "" if self.action is None else self.seated.view.action_text(self.before, self.action)

    @cached_property
    def choices(self) -> int:
        """The number of legal actions in the previous state; 0 at the beginning."""
        return 0 if self.before is None else len(self.before.legal_actions())

    @cached_property
    def values(self) -> Mapping[str, Value]:
        """The values of the facts that conditions can use, by name, without facts that have no value in this step."""
        found = ((each.name, each.of(self)) for each in self.seated.facts if each.kind != "data")
        return {name: value for name, value in found if value is not None}

    @property
    def own_facts(self) -> dict[str, str]:
        """The values of the facts that only this game declares, as strings by name."""
        usual = {each.name for each in USUAL}
        return {
            name: value if isinstance(value, str) else f"{value:g}"
            for name, value in self.values.items()
            if name not in usual and not name.startswith(SENSORS)
        }

    @cached_property
    def sensors(self) -> Mapping[str, float]:
        """The sensor values of the followed player's action; empty if the player does not use them to value actions."""
        if not self.is_mine or self.action is None:
            return {}
        if isinstance(self.decision, Decision):
            return self.decision.evaluations[self.decision.chosen].sensors
        return {} if isinstance(self.decision, Valued) else self.seated.view.sensors(self.before, self.action)

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """The followed program's evaluations of the candidates; empty if it did not decide in this step."""
        return self.decision.evaluations if isinstance(self.decision, Decision) else ()

    @property
    def chosen(self) -> int:
        """The index of the winning evaluation; −1 without evaluations."""
        return self.decision.chosen if isinstance(self.decision, Decision) else -1

    @property
    def winner(self) -> Evaluation | None:
        """The winning evaluation; None without evaluations."""
        return self.evaluations[self.chosen] if self.evaluations else None

    @property
    def worths(self) -> Mapping[int, float]:
        """The values that the followed player assigned to the previous state's actions; empty if there are none."""
        return getattr(self.decision, "values", {})

    @property
    def line(self) -> Place | None:
        """The block and the number of the executed line, both from 0; None if the step executed no line."""
        return None

    @property
    def listing(self) -> str:
        """The text of a sinking program, a plan or a rule list, with a mark at the part that acted; otherwise empty."""
        return ""

    def words(self) -> str:
        """A description of the step in one line."""
        return "; ".join(self.told) or self.seated.view.words.step(self)

    @property
    def score(self) -> float | None:
        """The followed player's score at the end of the game; None before the end."""
        return self.after.returns()[self.seated.seat] if self.after.is_terminal else None

    def table(self) -> StepTable | None:
        """The table of the followed player's candidates; None if the step has no decision."""
        if self.decision is None:
            return None
        text = partial(self.seated.view.action_text, self.before)
        found: StepTable = self.decision.table(self.seated.view.words.candidate, text)
        return found

    def board(self) -> str:
        """The board after the step, as lines of text that each end with a line break."""
        view = self.seated.view
        return view.words.above(self) + view.board_text(self.after, self.seated.looks, self.seated.names)

    def picture(self, *, is_narrow: bool = False) -> str:
        """The board after the step as an SVG document; ``is_narrow`` draws it for a phone, 390 pixels wide."""
        values = self.seated.view.words.beliefs(self)
        marked = Overlay(values=values, is_narrow=is_narrow, seat=self.seated.seat)
        overlay = marked if values or is_narrow else None
        return self.seated.view.board_svg(self.after, self.seated.looks, self.seated.names, overlay)

    def record(self) -> dict[str, object]:
        """The step as JSON values, without the facts that are numbers or strings."""
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


def facts_of_game(game: Game) -> tuple[Fact, ...]:
    """All facts about a step: the facts of every game, the game's own facts, and one fact for each sensor."""
    sensors = dict.fromkeys(sensor for each in game.offers.values() for sensor in each.sensors)
    read = (
        Fact(each.name, "number", each.meaning, partial(lambda name, step: step.sensors.get(name), each.name))
        for each in sensors
    )
    return (*USUAL, *game.facts, *read)


@dataclass(frozen=True, slots=True)
class Trace:
    """The trace of a game.

    Attributes:
        names: the players' names by seat.
        seat: the seat of the traced program.
        vocabulary: the facts that conditions can use.
        steps: the steps from the beginning to the end, computed on demand.
    """

    names: tuple[str, ...]
    seat: int
    vocabulary: Vocabulary
    steps: Iterable[Step]


Following = Callable[[Game, Seated, Deals, Any], Iterator[Step]]
"""A function of (game, seated, deals, rules) that yields the steps of the game on the first deal."""


def steps_of(
    game: Game, seated: Seated, deals: Deals, rules: object, kind: type[Step] = Step
) -> Iterator[Step]:
    """Yield the steps of the game on the first deal: the beginning, and then every action until the end."""
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


def steps_from(game: Game, rules: object) -> Callable[[ObservableState, int], Iterator[Step]]:
    """A function that yields steps from a state: one with a given action, and one with a choice of a game's program."""

    @cache  # made at the first step, where the contract records errors
    def table() -> tuple[Seated, Deals]:
        player, seats = Player(""), game.players(rules)
        with suppress(GpkitError):  # the contract reports faults of formulas elsewhere
            player = next((player_of_name(name, game) for name in game.programs), player)
        return (
            Seated(game.view, (player,) * seats, (player.name,) * seats, 0, facts_of_game(game)),
            game.deal(stream(0, "steps"), 1, rules),
        )

    def steps(state: ObservableState, action: int) -> Iterator[Step]:
        anywhere, deals = table()
        seated = replace(anywhere, seat=state.current_player)
        yield Step(1, seated, state, state.apply(action), action)
        with suppress(GpkitError):  # another check reports errors of sensors
            chosen, decision = explain(game, seated.players[0], state, deals)
            yield Step(1, seated, state, state.apply(chosen), chosen, decision)

    return steps


def trace_game(game: str, players: Sequence[Player], deals: Deals, rules: object, *, seat: int = 0) -> Trace:
    """Trace the first player, who sits in ``seat``, in the game on the first deal; the others sit in the next seats.

    Raises:
        UsageError: there is no such seat, the first player cannot be traced, or these players cannot play by these
            rules.
    """
    check_seat(seat, len(players))
    found: Game = game_of(game)
    check_traced(found, players, rules, seat)
    seated = tuple(players[(place - seat) % len(players)] for place in range(len(players)))
    names, facts = names_at_table(seated), facts_of_game(found)
    follow: Following = steps_of
    for deciding in filter(None, map(decider_of, players)):
        follow = form_of(deciding.program.language, lambda each: each.steps()) or follow
    steps = follow(found, Seated(found.view, seated, names, seat, facts), deals, rules)
    conditions = Vocabulary(
        tuple(each for each in facts if each.kind != "data"),
        tuple(dict.fromkeys(word for each in facts for word in each.words)),
        found.view.words.examples,
        frozenset(each.name for each in facts if each.kind == "data"),
        f"gpkit list facts --game {typed_name(game)}",
    )
    return Trace(names, seat, conditions, steps)


def check_traced(game: Game, players: Sequence[Player], rules: object, seat: int) -> None:
    """Check that the first player can be followed from this seat, and that all players can play by the rules.

    Raises:
        UsageError: the first player cannot be followed from this seat, or the players cannot play by the rules.
    """
    if game.choose is None:
        raise UsageError(f"games of {game.name} cannot be traced: the game has no function `choose`")
    check_seating(game, rules, seat)
    game.check(players, rules)
    if not players[0].decides:
        raise UsageError(f"{players[0].name} cannot be traced: it does not choose actions")


def followed(seating: Seating, *, seat: int, seed: int, deal: int) -> Trace:
    """Trace the first player's game on one of the deals of ``gpkit run``; raises the same errors as ``trace_game``."""
    deals = deal_of(seating.game, seating.rules, seed, deal)
    return trace_game(seating.game.name, seating.players, deals, seating.rules, seat=seat)


class CachedSteps:
    """The steps of a trace, which are computed when first needed and then stored, so that you can go back."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._steps = iter(steps)
        self._kept: list[Step] = []

    def __iter__(self) -> Iterator[Step]:
        """The steps, from the beginning."""
        number = 0
        while (step := self.get(number)) is not None:
            yield step
            number += 1

    def get(self, number: int) -> Step | None:
        """The step with this number; None if there is no such step."""
        self._kept.extend(islice(self._steps, max(0, number + 1 - len(self._kept))))
        return self._kept[number] if 0 <= number < len(self._kept) else None

    @property
    def last(self) -> int:
        """The number of the last step; reading it computes the complete trace."""
        self._kept.extend(self._steps)
        return len(self._kept) - 1

    def find(self, condition: Condition, first: int) -> Step | None:
        """The first step with number ``first`` or higher that meets the condition; None if there is none."""
        while (step := self.get(first)) is not None and not condition.holds(step.values):
            first += 1
        return step


def until(steps: Iterable[Step], condition: Condition) -> Iterator[Step]:
    """Yield the steps up to and including the first one that meets the condition."""
    for step in steps:
        yield step
        if condition.holds(step.values):
            return


Coverage = tuple[frozenset[int], Mapping[int, float]]
"""The coverage of a section of a program in some steps.

The coverage consists of the positions of all nodes that affected the value of a candidate, and the value of each node
for the last winning candidate.
"""


def executions(steps: Iterable[Step]) -> dict[Place, int]:
    """The number of times each line of the traced program ran; a block's end counts as the line after its last one."""
    counts: dict[Place, int] = {}
    for step in steps:
        if step.line is not None:
            counts[step.line] = counts.get(step.line, 0) + 1
    return counts


def coverage(steps: Iterable[Step]) -> dict[str, Coverage]:
    """The coverage of every section of the traced program that made a decision, by section."""
    found: dict[str, Coverage] = {}
    for step in steps:
        for k, evaluation in enumerate(step.evaluations):
            values, executed = evaluation.node_values(), evaluation.executed()
            before, kept = found.get(evaluation.section, (frozenset(), {}))
            found[evaluation.section] = before | executed, values if k == step.chosen else kept
    return found
