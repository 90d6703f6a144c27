"""The contract of one state: who is to choose what, what follows, and how the game ends."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import words_of
from gpkit.core.rng import below
from gpkit.gamekit.state import CHANCE, MEMBERS, MOST_LEGAL, ObservableState, State
from gpkit.user_games.arena import functions_of
from gpkit.user_games.contract.findings import Fault
from gpkit.user_games.contract.game_under_test import OPPONENT, Subject
from gpkit.user_games.contract.plain import first_change, not_plain, snapshot, there_and_back
from gpkit.user_games.otherwise import choices

METHODS = ("legal_actions", "apply", "returns", "observation", "chance_outcomes", "resample")

TRIED = 5
"""Actions of one state that are tried."""

NEAR = 1e-9
"""Error that sums of probabilities and of scores may have."""


def members(state: ObservableState) -> Iterator[Fault]:
    """Everything that is asked of a state is there, and of the right kind."""
    for name, (meaning, _) in MEMBERS.items():
        if hasattr(State, name) and not hasattr(state, name):
            yield Fault(name, f"{type(state).__name__} has no `{name}`; expected {meaning}")
    for name in METHODS:
        if hasattr(state, name) and not callable(getattr(state, name)):
            yield Fault(name, f"`{name}` is not a method; expected def {name}(self, ...)")
    if callable(getattr(state, "is_terminal", None)):
        yield Fault("is_terminal", "`is_terminal` is a method; write @property above it")


def some(rng: np.random.Generator, items: Sequence[Any], count: int = TRIED) -> list[Any]:
    """A few of many in their order, the first and the last one among them."""
    if len(items) <= count:
        return list(items)
    inner = {1 + below(rng, len(items) - 2) for _ in range(count - 2)}
    return [items[place] for place in sorted({0, len(items) - 1, *inner})]


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number of Python's."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_player(subject: Subject, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Somebody is to choose, and a declared decision."""
    player, seats = state.current_player, subject.seats
    if not isinstance(state.is_terminal, bool):
        yield Fault("is_terminal", f"is {state.is_terminal!r}; expected True or False")
    if state.is_terminal:
        return
    if not is_whole(player) or not (0 <= player < seats or player == CHANCE):
        yield Fault("current_player", f"is {player!r}; expected 0 to {seats - 1}, or CHANCE")
    elif player != CHANCE and subject.sections and state.decision not in subject.sections:
        known = ", ".join(subject.sections)
        yield Fault("decision", f"is {state.decision!r}; declared: {known} in game(..., decisions=[...])")


def check_legal(subject: Subject, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Legal actions of players are whole numbers, ascending, and there are some until the end."""
    if not state.is_terminal and state.current_player == CHANCE:
        return
    legal = state.legal_actions()
    if not isinstance(legal, Sequence) or isinstance(legal, str):
        yield Fault("legal_actions", f"gives a {type(legal).__name__}; expected a list of whole numbers")
    elif state.is_terminal:
        if len(legal):
            yield Fault("legal_actions", f"gives {_few(legal)} at the end; expected none")
    elif len(legal) > MOST_LEGAL:
        yield Fault("legal_actions", f"gives {len(legal):,} actions; expected at most {MOST_LEGAL:,}")
    elif not len(legal):
        yield Fault("legal_actions", "gives none before the end; expected some, or is_terminal")
    else:
        yield from _numbers("legal_actions", legal)


def _numbers(member: str, numbers: Sequence[Any]) -> Iterator[Fault]:
    """Whole numbers of at least 0, ascending, each once."""
    if isinstance(numbers, range) and numbers.step > 0 and numbers[0] >= 0:
        return
    wrong = next((each for each in numbers if not is_whole(each) or each < 0), None)
    if wrong is not None:
        yield Fault(member, f"gives {wrong!r} ({type(wrong).__name__}); expected whole numbers of at least 0")
    elif len(set(numbers)) < len(numbers):
        yield Fault(member, f"gives an action twice: {_few(numbers)}")
    elif list(numbers) != sorted(numbers):
        yield Fault(member, f"gives {_few(numbers)}; expected them ascending")


def _few(numbers: Sequence[Any]) -> str:
    return shortened(", ".join(map(str, numbers[:20])))


def check_chance(subject: Subject, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Outcomes of chance are actions with probabilities that sum to 1."""
    if state.is_terminal or state.current_player != CHANCE:
        return
    if not hasattr(state, "chance_outcomes"):
        yield Fault("chance_outcomes", "chance acts; expected chance_outcomes(): actions with probabilities")
        return
    outcomes = list(state.chance_outcomes())
    if not outcomes or not all(isinstance(each, tuple) and len(each) == 2 for each in outcomes):
        message = shortened(repr(outcomes))
        yield Fault("chance_outcomes", f"gives {message}; expected pairs of an action and its probability")
        return
    yield from _numbers("chance_outcomes", [action for action, _ in outcomes])
    probabilities = [float(probability) for _, probability in outcomes]
    wrong = next((each for each in probabilities if not 0.0 < each <= 1.0), None)
    if wrong is not None:
        yield Fault("chance_outcomes", f"gives a probability of {wrong}; expected more than 0, at most 1")
    elif abs(sum(probabilities) - 1.0) > NEAR:
        yield Fault("chance_outcomes", f"the probabilities sum to {sum(probabilities)}; expected 1")


def check_apply(subject: Subject, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Legal actions lead to another state, and what is not legal raises ValueError."""
    legal = choices(state)
    if len(legal) > MOST_LEGAL:
        return
    for action in some(rng, legal):
        after = state.apply(action)
        if type(after) is not type(state):
            yield wrong_kind(state, action, after)
        elif after is state or after == state:
            yield Fault("apply", f"gives the same state for {action}; expected another one")
    high = max(legal, default=0)
    gap = next((number for number in range(min(high, 1000)) if number not in legal), -1)
    for action in dict.fromkeys((-1, gap, high + 1)):
        try:
            state.apply(action)
        except ValueError:
            continue
        except Exception as error:
            message = f"raises {type(error).__name__} ({words_of(error)}) for {action}"
        else:
            message = f"takes {action}"
        when = "after the end" if not legal else f"which is not legal (legal: {_few(legal)})"
        yield Fault("apply", f"{message}, {when}; expected a ValueError")


def check_opponents(subject: Subject, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Opponents that are functions choose legal actions."""
    if state.is_terminal or state.current_player == CHANCE:
        return
    legal = state.legal_actions()
    for name, choose in functions_of(subject.game).items():
        action = choose(state)
        if action not in legal:
            yield Fault(f"{OPPONENT}{name}", f"chooses {action!r}; legal: {_few(legal)}")


def wrong_kind(state: ObservableState, action: int, after: ObservableState) -> Fault:
    """The fault that an action leads to something that is not a state."""
    message = f"gives a {type(after).__name__} for {action}; expected a {type(state).__name__}"
    return Fault("apply", message)


def check_returns(subject: Subject, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Scores at the end are numbers within the metric's bounds, one for each player."""
    if not state.is_terminal:
        return
    scores, metric = state.returns(), subject.metric
    if not isinstance(scores, tuple | list) or len(scores) != subject.seats:
        expected = f"a tuple of {subject.seats} numbers, one for each player"
        yield Fault("returns", f"gives {shortened(repr(scores))}; expected {expected}")
        return
    wrong = next((each for each in scores if not is_number(each)), None)
    if wrong is not None:
        yield Fault("returns", f"gives {wrong!r} ({type(wrong).__name__}); expected finite numbers")
    elif not all(metric.low <= each <= metric.high for each in scores):
        message = f"the metric {metric.name} goes from {metric.low:g} to {metric.high:g}"
        yield Fault("returns", f"gives {shortened(repr(scores))}; {message}")
    elif metric.total is not None and abs(sum(scores) - metric.total) > NEAR:
        message = f"sum to {sum(scores):g}, but {metric.name} must total {metric.total:g}"
        yield Fault("returns", f"{shortened(repr(scores))} {message}")


def is_number(value: Any) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, int | float | np.integer | np.floating | np.bool_) and math.isfinite(value)


def check_data(subject: Subject, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """States are plain data: hashable, and equal after being written as JSON and read again."""
    kind = type(state).__name__
    if (message := not_plain(state)) is not None:
        yield Fault("", f"{kind} is not plain data: {message}")
    elif (parameters := getattr(state, "__dataclass_params__", None)) is not None and not parameters.frozen:
        yield Fault("", f"{kind} can be changed; write @dataclass(frozen=True, slots=True) above it")
    elif (again := there_and_back(state)) != state:
        yield Fault("__eq__", f"a {kind} with the same fields is not equal; leave == to @dataclass")
    elif hash(again) != hash(state):
        yield Fault("__hash__", f"a {kind} that is equal has another hash; leave both to @dataclass")


def check_repeated(subject: Subject, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Asking a state changes nothing, and the answer is the same the second time."""
    before = snapshot(state)
    for member, ask in _questions(subject, state, rng):
        first = snapshot(ask())
        if (after := snapshot(state)) != before:
            yield Fault(member, f"changes the state that it is called on: {first_change(before, after)}")
            return
        if (second := snapshot(ask())) != first:
            yield Fault(member, f"gives another answer when called again: {first_change(first, second)}")


def _questions(
    subject: Subject, state: Any, rng: np.random.Generator
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Everything that a state and its sensors are asked, with the member that answers."""
    if state.is_terminal or state.current_player != CHANCE:
        yield "legal_actions", state.legal_actions
    if state.is_terminal:
        yield "returns", state.returns
    own = "ending_text" if state.is_terminal else "question_text"
    if hasattr(state, own) and (state.is_terminal or state.current_player != CHANCE):
        yield own, getattr(state, own)
    for player in range(subject.seats) if hasattr(state, "observation") else ():
        yield "observation", partial(state.observation, player)
    if state.is_terminal:
        return
    if state.current_player == CHANCE:
        yield "chance_outcomes", state.chance_outcomes
    if state.current_player != CHANCE:
        yield from (
            (f"{OPPONENT}{name}", partial(choose, state))
            for name, choose in functions_of(subject.game).items()
        )
    for action in some(rng, choices(state)):
        yield "apply", partial(state.apply, action)
        if state.current_player != CHANCE:
            for member, sense in subject.senses.items():
                yield member, partial(sense, state, action)
