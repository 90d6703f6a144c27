"""The interface of game states; its names come from OpenSpiel."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

NOBODY = -1
"""The player number that means nobody or unknown; ``current_player`` has this value at the end of a game."""

CHANCE = -2
"""The player number that means that chance acts next."""


class State(Protocol):
    """An immutable state of a game; equal states have equal hashes, and applying an action returns a new state."""

    @property
    def current_player(self) -> int:
        """The player whose turn it is, numbered from 0, or ``CHANCE``; ``NOBODY`` at the end of the game."""

    @property
    def decision(self) -> str:
        """The pending decision: the section of the program that decides; it has no meaning at the end of a game."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def legal_actions(self) -> Sequence[int]:
        """The legal actions in ascending order: at least one before the end of the game, and none at the end."""

    def apply(self, action: int) -> Self:
        """The state after an action of the current player.

        Raises:
            ValueError: the action is not legal.
        """

    def returns(self) -> tuple[float, ...]:
        """The score of each player at the end of the game, within the bounds of the game's metric."""


MEMBERS: Mapping[str, tuple[str, str]] = {
    "current_player": (
        "the seat of the player to act, from 0, or CHANCE",
        """@property
def current_player(self):
    return CHANCE if len(self.cards) < 2 else len(self.said)""",
    ),
    "decision": ("the section of the program that decides", 'decision = "say"'),
    "is_terminal": (
        "whether the game is over",
        """@property
def is_terminal(self):
    return len(self.said) == 2""",
    ),
    "legal_actions": (
        "a method that returns the numbers of the legal actions, ascending",
        """def legal_actions(self):
    return [] if self.is_terminal else [PASS, BET]""",
    ),
    "apply": (
        "a method that takes an action and returns the next state",
        """def apply(self, action):
    chance = self.current_player == CHANCE
    if action not in (dict(self.chance_outcomes()) if chance else self.legal_actions()):
        raise ValueError(f"{action} cannot be chosen")
    return State((*self.cards, action)) if chance else State(self.cards, (*self.said, action))""",
    ),
    "returns": (
        "a method that returns the score of each player at the end",
        """def returns(self):
    won = (1 + sum(self.said)) * (1 if self.cards[0] > self.cards[1] else -1)
    return (float(won), float(-won))""",
    ),
    "together": (
        "whether the decision is simultaneous: players choose one after another, in the order of their seats, but "
        "`observation` reveals no choice before all of them have chosen",
        "together = False  # the second player hears the first",
    ),
    "chance_outcomes": (
        "a method that returns the actions that chance may take, with their probabilities",
        """def chance_outcomes(self):
    left = [card for card in range(5) if card not in self.cards]
    return [(card, 1 / len(left)) for card in left]""",
    ),
    "observation": (
        "a method that takes a seat and returns exactly what its player knows; without it, nothing is hidden",
        """def observation(self, player):
    return player, self.cards[player : player + 1], len(self.cards), self.said""",
    ),
    "resample": (
        "a method that takes a random generator and a seat, and returns the state with everything dealt again that the "
        "seat's player does not know; it uses only what that player knows, and may return the state itself if it finds "
        "no other; the player `pimc:N` searches in N such states",
        """def resample(self, rng, player):
    cards = list(self.cards)
    others = [card for card in range(5) if card not in cards[player : player + 1]]
    if len(cards) > 1 - player:
        cards[1 - player] = int(rng.choice(others))
    return State(tuple(cards), self.said)""",
    ),
    "action_text": (
        "a method that takes an action and returns it as people write it; without it, people write its number, or the "
        "names of its squares such as a2-b3 on a board with `pieces`",
        """def action_text(self, action):
    return str(action) if self.current_player == CHANCE else ("pass", "bet")[action]""",
    ),
    "parse_action": (
        "a method that takes a text and returns the action, or raises a ValueError; without it, gpkit understands only "
        "the texts of `action_text`",
        """def parse_action(self, text):
    return ("pass", "bet").index(text.lower())""",
    ),
    "board_text": (
        "a method that returns the board in lines, as seen from a seat if it takes one (None shows everything); "
        "without it, gpkit prints what the player knows",
        """def board_text(self, player):
    shown = [card if player in (None, seat) else "?" for seat, card in enumerate(self.cards)]
    return f'cards {shown}, said {self.said}'""",
    ),
    "board_svg": (
        "a method that returns the board as an SVG document, as seen from a seat if it takes one; without it, gpkit "
        "draws the squares or the text",
        """def board_svg(self, player):
    text = self.board_text(player)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 40"><text y="20">{text}</text></svg>'""",
    ),
    "hand": (
        "a method that takes a seat and returns its cards as short texts, such as ♠9 or a text without a suit; other "
        "players see only the backs until the end, and a card with the text of a legal action can be chosen on pages",
        """def hand(self, player):
    return [str(card) for card in self.cards[player : player + 1]]""",
    ),
    "rows": (
        "a method that returns rows by label, as seen from a seat if it takes one: a list of short texts for cards, or "
        "one text for a line; a card or a label with the text of a legal action can be chosen on pages",
        """def rows(self):
    return {"said": [("pass", "bet")[action] for action in self.said]}""",
    ),
    "action_spots": (
        "a method that returns the area of each legal action on the picture, (x, y, width, height), for clicks on "
        "pages; without it, gpkit uses the last squares of `moves`, or the squares",
        """def action_spots(self):
    return {action: (200 + 40 * action, 0, 40, 40) for action in self.legal_actions()}""",
    ),
    "squares": (
        "a method that returns the area of each square, (x, y, width, height), by the number of its action, for pages; "
        "in a state with `moves`, the squares have their own numbers",
        """def squares(self):
    return {place: (60 * place, 0, 60, 60) for place in range(4)}""",
    ),
    "pieces": (
        "a method that returns the piece on each square, as seen from a seat if it takes one: the seat of its owner "
        "(-1 for nobody), or (owner, sign) with a sign of a few letters. gpkit draws the pieces on pages, and in the "
        "terminal if there is no `board_text`",
        """def pieces(self, player):
    return {seat: (seat, str(card)) for seat, card in enumerate(self.cards) if player in (None, seat)}""",
    ),
    "winning_squares": (
        "a method that returns the squares that light up at the end on pages, such as a winning line",
        """def winning_squares(self):
    return [self.returns().index(max(self.returns()))]""",
    ),
    "moves": (
        "a method that returns the squares of each legal action, in the order in which a person chooses them: "
        "(from, to), a longer path, or one square; without it, the number of an action is that of its square",
        """def moves(self):
    return {PASS: (self.current_player, 2), BET: (self.current_player, 3)}""",
    ),
    "question_text": (
        "a method that returns the task of the player to act, for pages",
        """def question_text(self):
    return 'bet on your card, or pass'""",
    ),
    "ending_text": (
        "a method that returns the reason for the result, for pages",
        """def ending_text(self):
    return 'The higher card wins.'""",
    ),
    "action_count": (
        "the number of possible actions, which are numbered from 0; only players that learn from numbers need it",
        "action_count = 2",
    ),
    "candidates": (
        "a method that takes a tree and a key, for games with a class of rules, and returns the candidates that a "
        "program values instead of all legal actions",
        """def candidates(self, tree, key):
    return [Candidate(action, {}) for action in self.legal_actions()]""",
    ),
    "random_numbers": (
        "a method that takes a key and an action, for games with a class of rules, and returns a source of the values "
        "of math.random()",
        """def random_numbers(self, key, action):
    return KeyedDraws(key, action).random""",
    ),
    "best_place": (
        "a method that takes values, for games with a class of rules, and returns the index of the chosen one; without "
        "it, gpkit chooses the first of the highest values",
        """def best_place(self, values):
    return values.index(max(values))""",
    ),
}
"""The members of a state, each with its meaning and an example from one game; the first six belong to ``State``."""


def inner(state: Any) -> Any:
    """The state of the game that this state wraps, or this state itself if it wraps none."""
    return getattr(state, "position", state)


def is_together(state: Any) -> bool:
    """Whether the decision in a state is simultaneous."""
    own = inner(state)
    return bool(getattr(own, "together", False)) and not own.is_terminal and own.current_player >= 0


def is_same_round(before: Any, after: Any) -> bool:
    """Whether another player must still choose in the same simultaneous decision, without knowing this choice."""
    is_going_on = is_together(before) and is_together(after)
    return is_going_on and inner(after).current_player > inner(before).current_player


class ObservableState(State, Protocol):
    """A state that provides the rules of its game and the knowledge of each player."""

    @property
    def rules(self) -> Any:
        """The rules of the game."""

    def observation(self, player: int) -> Hashable:
        """Everything that a player knows; for a player who sees everything, it may be the state itself."""


MOST_LEGAL = 100_000
"""The maximum number of legal actions in a state, because gpkit may have to value, try and show each action."""


def legal_of(state: State) -> Sequence[int]:
    """The legal actions in a state of any game, after a check that there are not too many.

    Raises:
        ValueError: there are more than ``MOST_LEGAL``.
    """
    legal = state.legal_actions()
    if len(legal) > MOST_LEGAL:
        raise ValueError(f"there are {len(legal):,} legal actions; expected at most {MOST_LEGAL:,}")
    return legal


def check_legal(action: int, state: State) -> None:
    """Check that an action is legal.

    Raises:
        ValueError: the action is not legal.
    """
    legal = state.legal_actions()
    if action not in legal:
        message = f"legal: {', '.join(map(str, legal[:20]))}{', ...' if len(legal) > 20 else ''}"
        raise ValueError(f"{action} is not a legal action; {message if len(legal) else 'the game is over'}")


Change = tuple[Any, int, Any]
"""A change in the state of a game: the state before an action, the action, and the state after it."""


def played(state: ObservableState, choose: Callable[[Any], int | None]) -> Iterator[Change]:
    """Yield the changes in a game, starting from a state, until the game ends or ``choose`` returns None.

    Traces, transcripts, records and samples all play games with this loop.
    """
    while not state.is_terminal:
        action = choose(state)
        if action is None:
            return
        after = state.apply(action)
        yield state, action, after
        state = after


def end_of(state: Any, choose: Callable[[Any], int | None], most: int | None = None) -> Any:
    """Continue a game as in ``played``, and return the last state, or the state after ``most`` actions."""
    left = -1 if most is None else most
    while left and not state.is_terminal:  # without ``played``, which would slow down rollouts by 5%
        action = choose(state)
        if action is None:
            break
        state = state.apply(action)
        left -= 1
    return state


def outcome(state: Any, number: float) -> int:
    """The chance outcome for a uniform random number in [0, 1)."""
    outcomes = state.chance_outcomes()
    below = 0.0
    for action, probability in outcomes:
        below += probability
        if number < below:
            return int(action)
    return int(outcomes[-1][0])


def after_chance(state: ObservableState, number: Callable[[], float]) -> Any:
    """The state after all pending chance moves; each move uses the next random number in [0, 1)."""
    return end_of(state, lambda each: outcome(each, number()) if each.current_player == CHANCE else None)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action from the point of view of a program.

    Attributes:
        action: the first of the actions that the program cannot distinguish.
        sensors: the sensor values of the action, by name.
        count: the number of actions that look the same to the program; 0 if they were not counted.
    """

    action: int
    sensors: Mapping[str, float]
    count: int = 0


def best_place(values: Sequence[float]) -> int:
    """The index of the highest value, the first if several are equal; NaN counts as lowest (0 if all are NaN)."""
    best = max(values)
    if best != best:  # the first value is NaN
        best = max((value for value in values if value == value), default=best)
    return values.index(best) if best == best else 0
