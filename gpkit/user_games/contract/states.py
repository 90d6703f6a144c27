"""The contract for states: choices and their results, the views of people and programs, and hidden information.

If a player cannot distinguish two states, everything that the player sees and that its programs read must be the same
in both. Such states come from two sources. First, games are replayed with one event changed: a chance outcome, or
another player's action. If a player's observation stays the same, its legal actions, sensors, texts and boards must
also stay the same. Second, a state may have a method ``resample(rng, player)``, which redeals everything that is hidden
from a player. In this case, the observation itself must stay the same.
"""

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from gpkit.core.codec import plain
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GuestError, UsageError, words_of
from gpkit.core.rng import below, stream
from gpkit.gamekit.facts import Fact
from gpkit.gamekit.state import (
    CHANCE,
    MEMBERS,
    MOST_LEGAL,
    ObservableState,
    State,
    inner,
    is_same_round,
    is_together,
    legal_of,
)
from gpkit.gamekit.view import Move, Overlay, Played, look_alikes
from gpkit.user_games import boards, cards
from gpkit.user_games.arena import functions_of
from gpkit.user_games.contract.findings import Fault, first_change, not_plain, snapshot, there_and_back
from gpkit.user_games.contract.game_under_test import FACT, OPPONENT, GameUnderTest
from gpkit.user_games.rules import choices, played_otherwise

METHODS = ("legal_actions", "apply", "returns", "observation", "chance_outcomes", "resample")

TRIED = 5
"""The number of actions to try in one state."""

RESAMPLED, FEW = 60, 6
"""The number of deals to compare, and the maximum number of different deals among them."""

NEAR = 1e-9
"""The permitted error in sums of probabilities and of scores."""


def members(state: ObservableState) -> Iterator[Fault]:
    """Yield a fault for each member of a state that is missing or has the wrong kind."""
    for name, (meaning, _) in MEMBERS.items():
        if hasattr(State, name) and not hasattr(state, name):
            yield Fault(name, f"{type(state).__name__} has no `{name}`; expected {meaning}")
    for name in METHODS:
        if hasattr(state, name) and not callable(getattr(state, name)):
            yield Fault(name, f"`{name}` is not a method; expected def {name}(self, ...)")
    if callable(getattr(state, "is_terminal", None)):
        yield Fault("is_terminal", "`is_terminal` is a method; write @property above it")


def some(rng: np.random.Generator, items: Sequence[object], count: int = TRIED) -> list[Any]:
    """A few of the items, in order, including the first and the last one."""
    if len(items) <= count:
        return list(items)
    inner = {1 + below(rng, len(items) - 2) for _ in range(count - 2)}
    return [items[place] for place in sorted({0, len(items) - 1, *inner})]


def moment(state: ObservableState) -> str:
    """The kind of event that comes next in a state: ``choice`` or ``chance``; ``end`` if the game is over."""
    if state.is_terminal:
        return "end"
    return "chance" if state.current_player == CHANCE else "choice"


def is_whole(value: object) -> bool:
    """Whether a value is an ``int``, but not a ``bool``."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_player(subject: GameUnderTest, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Check that a player or chance must act, and that the decision is declared."""
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


def check_legal(subject: GameUnderTest, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Check that legal actions are integers in ascending order, and that there is at least one until the end."""
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
    """Check that numbers are integers, at least 0, ascending and distinct."""
    if isinstance(numbers, range) and numbers.step > 0 and numbers[0] >= 0:
        return
    wrong = next((each for each in numbers if not is_whole(each) or each < 0), None)
    if wrong is not None:
        yield Fault(member, f"gives {wrong!r} ({type(wrong).__name__}); expected whole numbers of at least 0")
    elif len(set(numbers)) < len(numbers):
        yield Fault(member, f"gives an action twice: {_few(numbers)}")
    elif list(numbers) != sorted(numbers):
        yield Fault(member, f"gives {_few(numbers)}; expected them ascending")


def _few(numbers: Sequence[object]) -> str:
    return shortened(", ".join(map(str, numbers[:20])))


def check_chance(subject: GameUnderTest, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Check that chance outcomes are actions with probabilities that sum to 1."""
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


def check_apply(subject: GameUnderTest, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Check that legal actions lead to another state, and that illegal actions raise a ValueError."""
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


def check_opponents(
    subject: GameUnderTest, state: ObservableState, rng: np.random.Generator
) -> Iterator[Fault]:
    """Check that functions that serve as opponents choose legal actions."""
    legal = state.legal_actions()
    for name, choose in functions_of(subject.game).items():
        action = choose(state)
        if action not in legal:
            yield Fault(f"{OPPONENT}{name}", f"chooses {action!r}; legal: {_few(legal)}")


def wrong_kind(state: ObservableState, action: int, after: ObservableState) -> Fault:
    """The fault for an action that leads to something other than a state."""
    return Fault("apply", f"gives a {type(after).__name__} for {action}; expected a {type(state).__name__}")


def check_returns(
    subject: GameUnderTest, state: ObservableState, rng: np.random.Generator
) -> Iterator[Fault]:
    """Check that scores at the end are numbers within the metric's bounds, one for each player."""
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


def is_number(value: object) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, int | float | np.integer | np.floating | np.bool_) and math.isfinite(value)


def check_data(subject: GameUnderTest, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Check that states are plain data: hashable, and equal after a round trip through JSON."""
    kind = type(state).__name__
    if (message := next(not_plain(state), None)) is not None:
        yield Fault("", f"{kind} is not plain data: {message}")
    elif (parameters := getattr(state, "__dataclass_params__", None)) is not None and not parameters.frozen:
        yield Fault("", f"{kind} can be changed; write @dataclass(frozen=True, slots=True) above it")
    elif (again := there_and_back(state)) != state:
        yield Fault("__eq__", f"a {kind} with the same fields is not equal; leave == to @dataclass")
    elif hash(again) != hash(state):
        yield Fault("__hash__", f"a {kind} that is equal has another hash; leave both to @dataclass")


def check_repeated(
    subject: GameUnderTest, state: ObservableState, rng: np.random.Generator
) -> Iterator[Fault]:
    """Check that calls do not change a state, and that repeated calls return the same result."""
    before = snapshot(state)
    for member, ask in _questions(subject, state, rng):
        first = snapshot(ask())
        if (after := snapshot(state)) != before:
            yield Fault(member, f"changes the state that it is called on: {first_change(before, after)}")
            return
        if (second := snapshot(ask())) != first:
            yield Fault(member, f"gives another answer when called again: {first_change(first, second)}")


def _questions(
    subject: GameUnderTest, state: Any, rng: np.random.Generator
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield all possible calls to a state and its sensors, each with the name of the called member."""
    now = moment(state)
    own = "ending_text" if now == "end" else "question_text"
    if now != "chance":
        yield "legal_actions", state.legal_actions
    if now == "end":
        yield "returns", state.returns
    if now != "chance" and hasattr(state, own):
        yield own, getattr(state, own)
    for player in range(subject.seats) if hasattr(state, "observation") else ():
        yield "observation", partial(state.observation, player)
    if now == "end":
        return
    if now == "chance":
        yield "chance_outcomes", state.chance_outcomes
    else:
        yield from (
            (f"{OPPONENT}{name}", partial(choose, state))
            for name, choose in functions_of(subject.game).items()
        )
    for action in some(rng, choices(state)):
        yield "apply", partial(state.apply, action)
        if now == "choice":
            for member, sense in subject.senses.items():
                yield member, partial(sense, state, action)


NONSENSE = ("", "?", "no such action", "-1", "999999")
"""Texts that the game should reject when they are parsed as actions, unless the game defines such an action."""

SHOWN_ACTIONS = 200
"""The maximum number of actions in one state whose texts are compared."""


def check_sensors(
    subject: GameUnderTest, state: ObservableState, rng: np.random.Generator
) -> Iterator[Fault]:
    """Check that sensors are numbers within their bounds, and integers if they are declared as integers."""
    if not subject.view.is_asked(state):
        return
    for action in some(rng, state.legal_actions()):
        for member, sense in subject.senses.items():
            for name, value in sense(state, action).items():
                if (message := _sensed_wrongly(subject, name, value)) is not None:
                    yield Fault(member, f"{name} {message} (action {action})")


def _sensed_wrongly(subject: GameUnderTest, name: str, value: Any) -> str | None:
    declared = subject.sensors.get(name)
    if declared is None:
        return "is not a sensor of the game"
    if not is_number(value):
        finite = isinstance(value, float) and not math.isfinite(value)
        return f"is {value}" if finite else f"gives {shortened(repr(value))}; expected a number"
    if not declared.low <= value <= declared.high:
        return f"is {value:g}; declared: {declared.low:g} to {declared.high:g}"
    if declared.integer and not float(value).is_integer():
        return f"is {value}; declared as a whole number: write a bound as {declared.high} or integer=False"
    return None


def check_facts(subject: GameUnderTest, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Check that facts have the declared kind, fit into JSON, stay the same in repeated calls, and change no state."""
    if not subject.game.facts:
        return
    legal = state.legal_actions()
    for step in subject.steps(subject.shown(state), legal[below(rng, len(legal))]):
        for each in subject.game.facts:
            if (message := _wrong_fact(each, step)) is not None:
                yield Fault(f"{FACT}{each.name}", message)


def _wrong_fact(fact: Fact, step: Any) -> str | None:
    states = {"before": inner(step.before), "after": inner(step.after)}
    unchanged, value = snapshot(states), fact.asked(step)
    first, again, now = snapshot(value), snapshot(fact.asked(step)), snapshot(states)
    if now != unchanged:
        return f"changes a state: {first_change(unchanged, now)}"
    if first != again:
        return f"gives another value for the same step: {first_change(first, again)}"
    strange: list[object] = []
    plain(value, strange.append, strange.append)
    if strange:
        return f"gives {shortened(repr(strange[0]))}, which JSON cannot hold; expected numbers, texts, lists or dicts"
    try:
        fact.checked(value)
    except GuestError as error:
        return str(error).partition(": ")[2]
    return None


def check_texts(subject: GameUnderTest, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Check that the texts of legal actions differ and can be parsed, and that other texts are rejected."""
    view, shown = subject.view, subject.shown(state)
    legal = state.legal_actions()
    texts: dict[str, int] = {}
    for action in some(rng, legal, SHOWN_ACTIONS):
        text = view.action_text(shown, action)
        if not text or text != text.strip() or not text.isprintable():
            yield Fault("action_text", f"gives {text!r} for {action}; expected a word or two on one line")
        elif text in texts:
            yield Fault("action_text", f"gives {text!r} for {texts[text]} and for {action}")
        texts[text] = action
    for text in some(rng, list(texts)):
        try:
            action = view.parse_action(shown, text)
        except UsageError as error:
            yield Fault("parse_action", f"refuses {text!r}, the text of {texts[text]}: {words_of(error)}")
            continue
        if action != texts[text]:
            yield Fault("parse_action", f"gives {action!r} for {text!r}, the text of {texts[text]}")
    for text in NONSENSE:
        try:
            action = view.parse_action(shown, text)
        except UsageError:
            continue
        except Exception as error:
            message = f"raises {type(error).__name__} ({words_of(error)}) for {text!r}; expected a ValueError"
            yield Fault("parse_action", message)
        else:
            if action not in legal:
                yield Fault("parse_action", f"gives {action!r} for {text!r}, which is not legal")


def check_boards(subject: GameUnderTest, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Check that every player gets a board as lines of text and as a picture."""
    shown = subject.shown(state)
    usual = {"squares": subject.view.squares, "action_spots": subject.view.placed}
    rows, hand, pieces = (partial(each, player=None) for each in (cards.rows, cards.hands, boards.pieces))
    own = {"rows": rows, "hand": hand, **usual, "winning_squares": boards.winning, "pieces": pieces}
    for member, place in (own if subject.game.is_of_states else usual).items():
        try:
            if place is not None:
                place(shown)
        except GuestError as error:
            yield Fault(member, str(error).partition(": ")[2])
            return
    for player in (None, *range(subject.seats)):
        text = subject.view.board_text(shown, player)
        if not text.endswith("\n") or text.endswith("\n\n"):
            yield Fault(
                "board_text", f"gives {shortened(repr(text))}; expected lines, and no empty one at the end"
            )
        picture = subject.view.board_svg(shown, player)
        try:
            root = ElementTree.fromstring(picture)  # noqa: S314  (of the game's own making)
        except ElementTree.ParseError as error:
            yield Fault("board_svg", f"gives no SVG document: {error}")
        else:
            if not root.tag.endswith("svg"):
                yield Fault("board_svg", f"gives a document of <{root.tag}>; expected <svg>")


def check_pointer(
    subject: GameUnderTest, state: ObservableState, rng: np.random.Generator
) -> Iterator[Fault]:
    """Check that a person can choose each legal action on a page: it has a place that no other covers, or a button."""
    if subject.game.is_of_states:
        yield from (Fault(*each) for each in islice(boards.unreachable(subject.shown(state)), TRIED))


def check_together(
    subject: GameUnderTest, state: ObservableState, rng: np.random.Generator
) -> Iterator[Fault]:
    """Check that a player's simultaneous choice stays hidden from the other players until all have chosen."""
    if not is_together(state):
        return
    if not hasattr(state, "observation"):
        yield Fault("together", "needs `observation`, which hides the others' choices until all have chosen")
        return
    actor = state.current_player
    first, *others = (state.apply(action) for action in some(rng, state.legal_actions()))
    before = state
    while is_same_round(before, first) and others:
        for player in range(subject.seats):
            for other in (each for each in others if player != actor):
                seen, now = (snapshot(each.observation(player)) for each in (first, other))
                if seen != now:
                    message = f"tells player {player} what player {actor} has chosen before all have chosen"
                    yield Fault("observation", f"{message}: {first_change(seen, now)}")
                    return
                yield from look_alike(subject, first, other, player)
        action, before = first.legal_actions()[0], first
        first, others = first.apply(action), [each.apply(action) for each in others]


DEALS = 2
"""The number of states that are requested from ``resample`` for each player."""

COMPARED = 20  # the number of legal actions to compare in a state
WHOLE = ("pieces", "hand", "rows", "moves", "board_text", "board_svg", "legal_actions")
"""Members whose differences cause other differences, so nothing is compared after them."""

Chosen = tuple[Any, int]
"""A state and the action that was chosen in it."""

Other = tuple[int, int, Any, Chosen | None]
"""A number of actions, a player, a state that looks to the player like the game after them, and its last choice.

The last choice is None if the two states before it do not look alike to the player.
"""


def check_resampled(
    subject: GameUnderTest, state: ObservableState, rng: np.random.Generator
) -> Iterator[Fault]:
    """Check that observations, and everything based on them, stay the same when hidden information is dealt again."""
    if not hasattr(state, "resample"):
        return
    before = snapshot(state)
    for player in range(subject.seats):
        for _ in range(DEALS):
            other = state.resample(rng, player)
            if type(other) is not type(state):
                yield Fault("resample", f"gives a {type(other).__name__}; expected a {type(state).__name__}")
                return
            if (after := snapshot(state)) != before:
                yield Fault(
                    "resample", f"changes the state that it is called on: {first_change(before, after)}"
                )
                return
            seen, now = (snapshot(each.observation(player)) for each in (state, other))
            if now != seen:
                message = f"shows player {player} hidden information: when resample deals it again,"
                yield Fault("observation", f"{message} {first_change(seen, now)}")
            else:
                yield from look_alike(subject, state, other, player)
                if told := dealt_by_what_is_hidden(state, other, player):
                    yield Fault("resample", told)


def dealt_by_what_is_hidden(state: Any, other: Any, player: int) -> str:
    """A message if ``resample`` uses information that is hidden from a player; otherwise empty.

    The two states look the same to the player, so both should lead to the same set of deals. This is tested only for
    small sets.
    """

    def deals(count: int) -> list[list[Any]]:
        return [
            [each.resample(stream(number, "worlds"), player) for number in range(count)]
            for each in (state, other)
        ]

    one, same = deals(1)
    if one == same:
        return ""
    found, instead = deals(RESAMPLED)
    if any(deal is state for deal in found) or max(len({*found}), len({*instead})) > FEW:
        return ""
    missing = next((deal for deal in instead if deal not in found), None)
    if missing is None:
        return ""
    never = f"from here it never gives {shortened(repr(missing))}"
    return f"uses what player {player} cannot see: {never}, as it does from a state that looks the same"


def look_alike(
    subject: GameUnderTest, state: ObservableState, other: ObservableState, player: int
) -> Iterator[Fault]:
    """Check that two states with the same observation look the same to a player and its programs."""
    if state.is_terminal != other.is_terminal:
        return
    message = f"shows player {player} more than its observation does"
    chooses = state.current_player == other.current_player == player and not state.is_terminal
    shown = [_shown(subject, each, player, chooses) for each in (state, other)]
    for (member, now), (_, instead) in zip(*shown, strict=False):
        if snapshot(now) != snapshot(instead):
            yield Fault(member, f"{message}: {_difference(now, instead)}")
            if member in WHOLE:
                return


def _shown(
    subject: GameUnderTest, state: ObservableState, player: int, chooses: bool
) -> list[tuple[str, Any]]:
    """Everything that a player sees of a state, with the member that shows it; at the end, only the ending text."""
    view, shown, overlay = subject.view, subject.shown(state), Overlay()
    if state.is_terminal:
        return [("ending_text", state.ending_text() if hasattr(state, "ending_text") else "")]
    parts: list[tuple[str, Any]] = []
    if subject.game.is_of_states:
        members = {"pieces": boards.pieces, "hand": cards.hands, "rows": cards.rows}
        parts += [(name, member(shown, player)) for name, member in members.items()]
        parts += [("moves", boards.paths(shown))] if chooses and boards.method(shown, "moves") else []
    parts += [(face, getattr(view, face)(shown, player)) for face in ("board_text", "board_svg")]
    if chooses:
        parts += [("legal_actions", list(legal_of(state))), ("decision", state.decision)]
    if chooses and subject.game.is_of_states:
        names, placed = tuple(map(str, range(subject.seats))), view.placed(shown)
        played = Played(player, names, [Move(None, shown)], view.action_text, subject.metric)
        parts += [("question_text", view.words.prompt(played)), ("action_spots", placed)]
        parts += [(f"{OPPONENT}{name}", choose(state)) for name, choose in functions_of(subject.game).items()]
        overlay = Overlay({action: view.action_text(shown, action) for action in placed})
    if subject.game.is_of_states:
        parts += [("squares", view.squares and view.squares(shown))]
        parts += [("board_svg", view.board_svg(shown, player, overlay=overlay))]
    for action in legal_of(state)[:COMPARED] if chooses else ():
        parts += [("action_text", view.action_text(shown, action))]
        parts += [(member, sense(state, action)) for member, sense in subject.senses.items()]
    return parts


def tell_alike(subject: GameUnderTest, chosen: Chosen, instead: Chosen, player: int) -> Iterator[Fault]:
    """Yield a fault if an action has different texts in two states that look the same to a player who sees the action.

    ``gpkit.gamekit.view`` already hides the action from a player who does not see it.

    Args:
        subject: the game.
        chosen, instead: the choices in two states that look alike to the player, both before and after the choices.
        player: the player who sees the action.
    """
    (state, action), (other, same), view = *(chosen, instead), subject.view
    if action != same or {state.current_player, other.current_player} & {CHANCE, player}:
        return
    first, second = (view.action_text(subject.shown(each), action) for each in (state, other))
    alike = look_alikes(subject.shown(state), action, player) if first != second else ()
    if first != second and all(each == action for _, each in alike):
        message = f"shows player {player} more of another player's action than the observation does"
        yield Fault("action_text", f"{message}: {_difference(first, second)}")


def _difference(first: object, second: object) -> str:
    """The first difference between two things that a player sees."""
    if isinstance(first, dict):
        return first_change(snapshot(first), snapshot(second))
    lines = zip(str(first).splitlines(), str(second).splitlines(), strict=False)
    told = (f"{shortened(one)!r} or {shortened(other)!r}" for one, other in lines if one != other)
    return next(told, "another number of lines")


def other_games(
    states: Sequence[ObservableState],
    actions: Sequence[int],
    seats: int,
    rng: np.random.Generator,
    count: int,
) -> Iterator[Other]:
    """Yield states that look to a player like the states of a game, found by replaying the game with one event changed.

    Args:
        states: the states of the game, beginning with the first.
        actions: the actions that led from each state to the next, including chance outcomes.
        seats: the number of players.
        rng: the random generator.
        count: the number of events to change.
    """
    if not actions or not hasattr(states[0], "observation"):
        return
    events = [place for place, state in enumerate(states[:-1]) if state.current_player == CHANCE]
    for place in some(rng, events, count) + some(rng, range(len(actions)), count):
        rest = [action for action in choices(states[place]) if action != actions[place]]
        if rest:
            yield from _look_alikes(states, actions, seats, place, rest[below(rng, len(rest))])


def _look_alikes(
    states: Sequence[ObservableState], actions: Sequence[int], seats: int, place: int, instead: int
) -> Iterator[Other]:
    """Yield states of a game with one event changed, if they look to a player like the original states."""
    actor, before = states[place].current_player, [True] * seats
    for number, change in enumerate(played_otherwise(states, actions, place, instead), place + 1):
        state, (last, action, other) = states[number], change
        if other.is_terminal != state.is_terminal:
            return
        alike = [other.observation(player) == state.observation(player) for player in range(seats)]
        for player in range(seats):
            if player != actor and other != state and alike[player]:
                yield number, player, other, (last, action) if before[player] else None
        before = alike
