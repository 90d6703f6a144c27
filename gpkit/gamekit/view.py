"""The view of a game: how people see its states and actions, and how they type actions.

A player sees the other players' actions only as far as the player's own observation reveals them.

A player sees an action if the observation after it rules out every other action, both in this state and in all states
that look the same to the player. States that look the same come from ``resample(rng, player)``, or from replaying the
game with one event changed. If no such states are found, an action that was the only legal one counts as hidden.

A web page shows sentences about the game to a person: what to do now, why a move is advised, and how the game ended.

Every game has these sentences, and a view can override some of them with a subclass of ``Words``.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, groupby, pairwise
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from gpkit.core.rng import stream
from gpkit.core.wording import YOU
from gpkit.gamekit.game import Metric
from gpkit.gamekit.state import CHANCE, NOBODY, ObservableState, inner, is_same_round, is_together

if TYPE_CHECKING:
    from gpkit.playing.trace import Step

WORLDS = 48  # states to get from ``resample``


def worlds(state: ObservableState, player: int) -> Iterator[Any]:
    """Yield states that look the same to a player as this one; none if the game cannot find such states."""
    if hasattr(state, "worlds"):
        yield from state.worlds(player)
    elif hasattr(state, "resample"):
        yield from (state.resample(stream(number, "worlds"), player) for number in range(WORLDS))


def look_alikes(
    state: ObservableState, action: int, player: int, rest: Sequence[int] = ()
) -> Iterator[tuple[Any, int]]:
    """Yield pairs (state, action) that look the same to a player as this pair, both before and after the action.

    ``rest`` contains the choices that follow in a simultaneous decision; all choices become known at the same time.
    """
    seen = _after(inner(state), (action, *rest)).observation(player)
    for number, world in enumerate(chain([state], worlds(state, player))):
        own = inner(world)
        legal = () if own.is_terminal or own.current_player == CHANCE else own.legal_actions()
        tried = legal[:: 1 + len(legal) // 200] if number else legal  # every action in the real state
        for each in tried:
            after = _after(own, (each, *rest))
            if after is not None and after.observation(player) == seen:
                yield world, each


def _after(state: Any, actions: Sequence[int]) -> Any:
    """The state after some actions; None if an action after the first one is not legal."""
    for place, action in enumerate(actions):
        if place and (state.is_terminal or action not in state.legal_actions()):
            return None
        state = state.apply(action)
    return state


def seen_action(
    text: Callable[[Any, int], str],
    hidden: str,
    state: object,
    action: int,
    player: int,
    rest: Sequence[int] = (),
) -> str:
    """The text of an action as one player sees it.

    Args:
        text: (state, action) returns the action as people write it.
        hidden: the text to return if the player sees only that somebody acted.
        state, action: the action, and the state in which it is chosen.
        player: the player who sees the action.
        rest: the choices of other players that follow in a simultaneous decision.

    Returns:
        The text of the action, or ``hidden``; an empty string if the player's observation does not change.
    """
    way = getattr(state, "first", None), getattr(state, "past", ())
    asked = text, hidden, state, action, player, tuple(rest), *way
    try:
        return _seen(*asked)
    except TypeError:  # the state is not hashable; `gpkit doctor` reports that
        return _seen.__wrapped__(*asked)


@lru_cache(maxsize=1 << 12)
def _seen(
    text: Callable[[Any, int], str],
    hidden: str,
    state: ObservableState,
    action: int,
    player: int,
    rest: tuple[int, ...],
    *_way: object,
) -> str:
    """The same as ``seen_action``; the path to the state is part of the cache key, because ``worlds`` depends on it."""
    own, said = inner(state), text(state, action)
    if own.current_player == player or not hasattr(own, "observation"):
        return said
    after = _after(own, (action, *rest))
    if after.is_terminal or (seen := after.observation(player)) == after:
        return said
    if seen == own.observation(player):
        return ""
    knows = len(own.legal_actions()) > 1 or any(inner(each) != own for each in worlds(state, player))
    return (
        said
        if knows and all(text(*each) == said for each in look_alikes(state, action, player, rest))
        else hidden
    )


NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


@dataclass(frozen=True, slots=True)
class Move:
    """A change in the state of a game.

    Attributes:
        before: the state before the change; None at the beginning.
        after: the state after the change.
        action: the action that caused the change; ``NOBODY`` at the beginning, or if no action caused the change.
    """

    before: Any
    after: Any
    action: int = NOBODY

    def chosen_by(self, seat: int) -> int:
        """The action, if the player in this seat chose it; otherwise ``NOBODY``."""
        return self.action if self.before is not None and self.before.current_player == seat else NOBODY


@dataclass(frozen=True, slots=True)
class Played:
    """The course of a game so far, as one player sees it.

    Attributes:
        seat: the seat of this player.
        names: the names of the players by seat.
        moves: all moves so far.
        text: (state, action) returns a legal action as people write it.
        metric: the metric of the game.
    """

    seat: int
    names: tuple[str, ...]
    moves: Sequence[Move]
    text: Callable[[Any, int], str]
    metric: Metric

    @property
    def state(self) -> Any:
        """The current state."""
        return self.moves[-1].after

    def seen(self, move: Move, hidden: str = "") -> str:
        """The text of a move's action, or ``hidden`` if the player does not see it; nothing is hidden at the end."""
        if move.action == NOBODY or self.state.is_terminal:
            return "" if move.action == NOBODY else self.text(move.before, move.action)
        rest = self._rest(move) if is_together(move.before) else []
        if rest is None:
            return self.text(move.before, move.action) if move.chosen_by(self.seat) != NOBODY else ""
        return seen_action(self.text, hidden, move.before, move.action, self.seat, rest)

    def _rest(self, move: Move) -> list[int] | None:
        """The choices that follow a move in a simultaneous decision; None if not all players have chosen yet."""
        found: list[int] = []
        for before, after in pairwise(
            self.moves[next(number for number, each in enumerate(self.moves) if each is move) :]
        ):
            if not is_same_round(before.before, before.after):
                return found
            found.append(after.action)
        return None if is_same_round(self.moves[-1].before, self.moves[-1].after) else found

    def marked(self, move: Move) -> int:
        """The action of a move if the player can identify it, otherwise ``NOBODY``."""
        return move.action if self.seen(move) else NOBODY

    def notices(self, move: Move) -> bool:
        """Whether the player sees that a move happened."""
        before, after = move.before, move.after
        is_own = before is None or before.current_player == self.seat
        return bool(is_own or after.observation(self.seat) != before.observation(self.seat))

    @property
    def since(self) -> list[Move]:
        """The player's last choice and all moves after it; a move without alternatives is not a choice."""
        found: list[Move] = []
        for move in reversed(self.moves):
            if move.before is None:
                break
            found.append(move)
            if move.before.current_player == self.seat and len(move.before.legal_actions()) > 1:
                break
        return found[::-1]


class Words:
    """The sentences that a page shows a person during a game; headings have no full stop."""

    rules = ""
    """The rules, in a paragraph."""

    noun = "move"
    """The word for an action."""

    candidate = "action"
    """The word for a candidate action of a program, as the heading of a table column and as a key in JSON."""

    examples: tuple[tuple[str, str], ...] = (
        ("Value above 1", "value > 1"),
        ("A close choice", "margin < 1"),
        ("The end", "over == 1"),
    )
    """Conditions worth searching for in a trace, each with a short label."""

    worth = ""
    """A sentence that explains the values in hints."""

    buttons: Mapping[str, str] = MappingProxyType({})
    """The labels of the buttons beside the hint, by the command that each button stands for."""

    reasons: Mapping[str, tuple[str, str]] = MappingProxyType({})
    """Sentences that prefer a recommended action to ``{other}``, by sensor: for a higher and for a lower value."""

    setups: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    """Suggested rules for the next game, by label; empty if there are none."""

    roles = ("", "")
    """Descriptions of the person's role: against a player, and against a placement; empty if there are none."""

    rivals: tuple[str, ...] = ()
    """The players whose best result is compared with that of a person who plays alone on the same deal."""

    has_ghost = False
    """Whether boards show the rival's game beside the person's (``Overlay.ghost``)."""

    waits: tuple[int, ...] = ()
    """Actions that leave no mark on the board, so a person cannot drag them to another time."""

    def step(self, step: "Step") -> str:
        """A one-line description of a step in a trace."""
        if step.before is None:
            return "the game begins"
        return "; ".join(
            self.told(step, step.seated.names, None)
        ) or f"{step.name}: {step.text}".removesuffix(": ")

    def told(self, move: "Move | Step", names: Sequence[str], seat: int | None) -> Iterator[str]:
        """Yield sentences about a move, to show beside the board; none if the board shows everything.

        Args:
            move: a change in the state, or a step of a trace, but not the beginning of the game.
            names: the names of the players, by seat.
            seat: the seat of the player who reads the sentences, which hide everything that this player cannot see.
                None shows everything.
        """
        yield from ()

    def above(self, step: "Step") -> str:
        """Lines above the board of a step, each of which ends with a line break; empty if there are none."""
        return ""

    def beliefs(self, step: "Step") -> Mapping[int, float]:
        """The values of actions, for colouring the board's picture after a step; empty if there are none."""
        return {}

    def stage(self, state: Any) -> str:
        """The stage of the game or the size of the board, shown beside the names of the players; empty if not shown."""
        return ""

    def side(self, state: Any, seat: int, player: int) -> str:
        """The symbol of a seat's pieces on the board that a player sees, such as ●; empty if they have no symbol."""
        return ""

    def prompt(self, played: Played) -> tuple[str, str]:
        """The task of the player to move, and a line with help or recent events."""
        return f"Your turn: choose a {self.noun}", self.lately(played)

    def lately(self, played: Played) -> str:
        """The other players' moves since the player's last choice."""
        said = [each for move in played.since for each in self.happened(move, played)]
        return "; ".join(
            f"{played.names[seat]}: {', then '.join(what for _, what in moves)}"
            for seat, moves in groupby(said, key=itemgetter(0))
            if seat != played.seat
        )

    def beside(self, state: Any) -> tuple[str, str, str]:
        """A panel beside the board: its heading, its SVG picture, and a second picture that can be unfolded."""
        return "", "", ""

    def failed(self, state: Any) -> bool:
        """Whether a person who plays alone did not reach the aim of the game."""
        return False

    def compared(self, name: str, score: float, rules: Any) -> str:
        """A sentence about another player's score in the same one-player game; empty if games are not compared."""
        return ""

    def written(self, state: Any, action: int, text: str) -> str:
        """The text of an action in JSON."""
        return text

    def act(self, state: Any, action: int, text: str) -> str:
        """The action in the imperative, for use after ``Hint:``."""
        return text

    def label(self, state: Any, action: int, text: str) -> str:
        """The label of the button or the place on the board that chooses an action; screen readers read it aloud."""
        return text

    def sign(self, action: int) -> str:
        """An icon for the button of an action, as an SVG document; empty if there is none."""
        return ""

    def unseen(self, state: Any) -> str:
        """The text that replaces another player's action if the person sees only that somebody acted."""
        return f"a hidden {self.noun}"

    def happened(self, move: Move, played: Played) -> Iterator[tuple[int, str]]:
        """Yield a seat and a short text for each event of a move, which must not be the beginning of the game."""
        if said := played.seen(move, self.unseen(move.before)):
            yield move.before.current_player, said

    def reason(self, sensor: str, meaning: str, mine: float, other: str, theirs: float) -> str:
        """The reason for an advised action, based on the sensor that contributes most to its lead over other actions.

        Args:
            sensor, meaning: the name and meaning of the sensor.
            mine, theirs: the values of the sensor for the advised action and for the other action.
            other: the other action.
        """
        known = self.reasons.get(sensor, ("", ""))[mine < theirs]
        fact = re.fullmatch(r"1 (?:if|for) (.*?)(?:, else 0)?", meaning)
        if known:
            return known.format(other=other)
        if fact:
            return f"{fact[1]}: so here, not for {other}" if mine > theirs else f"{fact[1]}: only for {other}"
        return f"{meaning}: {mine:.3g}, and {theirs:.3g} for {other}"

    def fact(self, state: Any, action: int) -> str:
        """A fact about an action, shown if an adviser gives no reason; empty if there is none."""
        return ""

    def ending(self, played: Played) -> tuple[str, str]:
        """The result (the winner and the margin), and the last decisive event, which is empty if there is none."""
        scores = played.state.returns()
        if len(scores) == 1:
            return f"The game is over: {scores[0]:.4g}", ""
        said = [
            each for move in played.moves if move.before is not None for each in self.happened(move, played)
        ]
        last = f"{title(played.names[said[-1][0]])} made the last {self.noun}: {said[-1][1]}." if said else ""
        winners = played.metric.best(scores)
        if len(winners) == len(scores):
            return "A draw", last
        first, second = (scores[played.metric.ranked(scores)[place]] for place in (0, len(winners)))
        counts = f", {first:g} to {second:g}" if max(first, second) > 1 else ""
        if counts and len(scores) > 2:
            told = zip(map(title, played.names), scores, strict=True)
            counts = f": {', '.join(f'{name} {score:g}' for name, score in told)}"
        won = "won" if len(winners) == 1 else "share the win"
        return f"{' and '.join(title(played.names[seat]) for seat in winners)} {won}{counts}", last


def title(name: str) -> str:
    """A name at the start of a sentence: "you" gets a capital letter, and the names of programs keep their case.

    >>> title("you"), title("simple 2")
    ('You', 'simple 2')
    """
    return name.capitalize() if name == YOU else name


def number_word(count: int) -> str:
    """A number in words up to twelve, and in digits above twelve."""
    return NUMBERS[count] if count < len(NUMBERS) else f"{count:,}"


def against(names: Sequence[str]) -> str:
    """Opponents in words.

    >>> against(["simple 1", "simple 2"]), against(["hold"]), against(["hold", "medium"])
    ('two simple players', 'hold', 'hold and medium')
    """
    kinds = Counter(
        head if number.isdigit() else name for name in names for head, _, number in [name.rpartition(" ")]
    )
    said = [name if count == 1 else f"{number_word(count)} {name} players" for name, count in kinds.items()]
    return " and ".join(filter(None, (", ".join(said[:-1]), *said[-1:])))


MOST_BUTTONS = 400
"""The maximum number of buttons on a page for actions that have no place on the picture."""

GRADED = 12
"""The minimum number of values for which a picture shows colours instead of numbers."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """The marks and the clickable places on the picture of a board, for a person who plays on a web page.

    Attributes:
        labels: the labels of clickable places, by action or by the text that a person can type instead.
        values: the values that an adviser assigns to actions.
        best: the advised actions.
        last: the last action of any player; ``NOBODY`` if there is none.
        is_narrow: whether the picture is for a phone, 390 pixels wide.
        seat: the seat of the player whose values are shown; None for the viewing player, or for the player to move.
        ghost: a rival's name and the final state of its game on the same deal; None if there is no rival.
    """

    labels: Mapping[Any, str] = field(default_factory=dict)
    values: Mapping[Any, float] = field(default_factory=dict)
    best: tuple[int, ...] = ()
    last: int = NOBODY
    is_narrow: bool = False
    seat: int | None = None
    ghost: tuple[str, Any] | None = None


class BoardText(Protocol):
    """A function that shows a state as text."""

    def __call__(self, state: Any, player: int | None = None, names: Sequence[str] = ()) -> str:
        """The state as lines of text that each end with a line break.

        Args:
            state: the state.
            player: the player who sees the state; the text hides other players' secrets until the end. None shows
                everything.
            names: the names of the players, by seat.
        """


class BoardPicture(Protocol):
    """A function that shows a state as a picture."""

    def __call__(
        self,
        state: Any,
        player: int | None = None,
        names: Sequence[str] = (),
        overlay: Overlay | None = None,
    ) -> str:
        """The state as an SVG document; the first three arguments are the same as in ``BoardText``.

        Args:
            state, player, names: the same as in ``BoardText``.
            overlay: marks and places for a page; None for a picture outside a page.
        """


@dataclass(frozen=True, slots=True)
class Spot:
    """A rectangle in a picture: its upper left corner and its size, in units of the picture's view box."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible value of one part of an action: its text, and its colours, which may be empty."""

    text: str
    fill: str = ""
    ink: str = ""


def everywhere(state: ObservableState) -> Collection[int]:
    """The legal actions, for views whose pictures have a place for each of them."""
    return () if state.is_terminal else tuple(state.legal_actions())


@dataclass(frozen=True, slots=True)
class View:
    """The view of a game, which is called ``VIEW`` in the game's module ``view``.

    Attributes:
        action_text: (state, action) returns a legal action as people write it, such as ``C4``.
        parse_action: (state, text) returns the legal action that a string names; it accepts every ``action_text``. For
            any other string, it raises a UsageError with the reason and the nearest match.
        board_text: the state as lines of text that each end with a line break.
        board_svg: the state as an SVG document, with the marks and places of an overlay.
        sensors: (state, action) returns the sensors of a legal action, by name; empty if the game has none.
        placed: (state) returns the legal actions that have a place on the picture; by default, none.
        squares: (state) returns the spots of all squares or edges, in any unit, by action, whether legal or not; None
            if the board has no squares or edges that have the same places in every game.
        laid_squares: (state) returns, by seat, the squares on which the player placed hidden pieces before the first
            action; None if there are no hidden pieces.
        action_parts: (state) returns the choices for every part of an action, such as the pegs of a code;
            ``parse_action`` reads the joined texts of one choice for each part. By default, actions have no parts.
        is_asked: (state) returns whether a program decides in a state. In other states, sensors may exceed their
            bounds.
        words: the sentences that a page shows the player.
    """

    action_text: Callable[[Any, int], str]
    parse_action: Callable[[Any, str], int]
    board_text: BoardText
    board_svg: BoardPicture
    sensors: Callable[[Any, int], Mapping[str, float]]
    placed: Callable[[Any], Collection[int]] = lambda state: ()
    squares: Callable[[Any], Mapping[int, Spot]] | None = None
    laid_squares: Callable[[Any], Mapping[int, Collection[int]]] | None = None
    action_parts: Callable[[Any], Sequence[Sequence[Choice]]] = lambda state: ()
    is_asked: Callable[[Any], bool] = lambda state: True
    words: Words = field(default_factory=Words)

    def seen_text(self, state: ObservableState, action: int, player: int, rest: Sequence[int] = ()) -> str:
        """The text of an action as one player sees it (see ``seen_action``); empty if the player sees nothing."""
        return seen_action(self.action_text, self.words.unseen(state), state, action, player, rest)
