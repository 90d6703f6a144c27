"""The vocabulary of play, in the words of OpenSpiel: what a moment of any game can be asked."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

NOBODY = -1
"""Instead of a player: there is none, or it is not known; so it is with whose turn it is at the end."""

CHANCE = -2
"""Instead of a player: chance is to act."""


class State(Protocol):
    """A moment of a game, immutable: states that are equal hash equal, and what follows one leaves it as it was."""

    @property
    def current_player(self) -> int:
        """Player who is to choose, from 0, or ``CHANCE``; ``NOBODY`` at the end."""

    @property
    def decision(self) -> str:
        """Decision to make: the section of the program that decides; at the end it means nothing."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def legal_actions(self) -> Sequence[int]:
        """Legal actions, ascending; none at the end, and some until then."""

    def apply(self, action: int) -> Self:
        """The state after the current player chose an action.

        Raises:
            ValueError: the action is not among the legal ones.
        """

    def returns(self) -> tuple[float, ...]:
        """By player the score at the end, within the bounds of the game's metric."""


MEMBERS: Mapping[str, tuple[str, str]] = {
    "current_player": (
        "the seat to act, from 0, or CHANCE",
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
        "a method: whole numbers, ascending",
        """def legal_actions(self):
    return [] if self.is_terminal else [PASS, BET]""",
    ),
    "apply": (
        "a method that takes an action: the next state",
        """def apply(self, action):
    chance = self.current_player == CHANCE
    if action not in (dict(self.chance_outcomes()) if chance else self.legal_actions()):
        raise ValueError(f"{action} cannot be chosen")
    return State((*self.cards, action)) if chance else State(self.cards, (*self.said, action))""",
    ),
    "returns": (
        "a method: the score of each player at the end",
        """def returns(self):
    won = (1 + sum(self.said)) * (1 if self.cards[0] > self.cards[1] else -1)
    return (float(won), float(-won))""",
    ),
    "chance_outcomes": (
        "a method: where chance acts, the actions that it may take, each with its probability",
        """def chance_outcomes(self):
    left = [card for card in range(5) if card not in self.cards]
    return [(card, 1 / len(left)) for card in left]""",
    ),
    "observation": (
        "a method that takes a seat: all and only what its player knows; without it, all is open",
        """def observation(self, player):
    return player, self.cards[player : player + 1], len(self.cards), self.said""",
    ),
    "resample": (
        "a method that takes a generator and a seat: the state with what its player does not know dealt again",
        """def resample(self, rng, player):
    cards = list(self.cards)
    others = [card for card in range(5) if card not in cards[player : player + 1]]
    if len(cards) > 1 - player:
        cards[1 - player] = int(rng.choice(others))
    return State(tuple(cards), self.said)""",
    ),
    "action_text": (
        "a method that takes an action: its text as people write it; without it, the number",
        """def action_text(self, action):
    return str(action) if self.current_player == CHANCE else ("pass", "bet")[action]""",
    ),
    "parse_action": (
        "a method that takes a text: the action, or a ValueError; without it, only the texts of actions are read",
        """def parse_action(self, text):
    return ("pass", "bet").index(text.lower())""",
    ),
    "board_text": (
        "a method that may take a seat, or None for all: the board in lines; without it, what its player knows",
        """def board_text(self, player):
    shown = [card if player in (None, seat) else "?" for seat, card in enumerate(self.cards)]
    return f'cards {shown}, said {self.said}'""",
    ),
    "board_svg": (
        "a method that may take a seat: the board as an SVG document; without it, squares or the text",
        """def board_svg(self, player):
    text = self.board_text(player)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 40"><text y="20">{text}</text></svg>'""",
    ),
    "action_spots": (
        "a method: for pages, (x, y, width, height) on the picture by legal action; without it, those of its squares",
        """def action_spots(self):
    return {action: (200 + 40 * action, 0, 40, 40) for action in self.legal_actions()}""",
    ),
    "squares": (
        "a method: for pages, (x, y, width, height) of all squares by the number of the action on each",
        """def squares(self):
    return {action: (action, 0, 1, 1) for action in (PASS, BET)}""",
    ),
    "question_text": (
        "a method: for pages, what is to be chosen",
        """def question_text(self):
    return 'bet on your card, or pass'""",
    ),
    "ending_text": (
        "a method: for pages, why the game ended so",
        """def ending_text(self):
    return 'The higher card wins.'""",
    ),
    "action_count": (
        "the number of actions of players, from 0 to below it, where players learn from numbers",
        "action_count = 2",
    ),
    "candidates": (
        "a method that takes a tree and a key, of games with a class of rules: what a program values instead of all "
        "legal actions",
        """def candidates(self, tree, key):
    return [Candidate(action, {}) for action in self.legal_actions()]""",
    ),
    "random_numbers": (
        "a method that takes a key and an action, of games with a class of rules: a source of math.random()",
        """def random_numbers(self, key, action):
    return KeyedDraws(key, action).random""",
    ),
    "best_place": (
        "a method that takes values, of games with a class of rules: the place of the one that is chosen; without it, "
        "the first of the highest",
        """def best_place(self, values):
    return values.index(max(values))""",
    ),
}
"""The members of a state, each with its meaning and an example from one game; the first six are those of ``State``."""


class ObservableState(State, Protocol):
    """A moment of a game that is played: with its options, and with what each player knows of it."""

    @property
    def rules(self) -> Any:
        """The options of the game."""

    def observation(self, player: int) -> Hashable:
        """All and only what a player knows; players to whom all is open may be given the state itself."""


MOST_LEGAL = 100_000
"""Legal actions of a state, at most: each of them may be valued, tried and shown."""


def legal_of(state: State) -> Sequence[int]:
    """The legal actions of a state of anybody's game, not more than anybody can look at.

    Raises:
        ValueError: there are more.
    """
    legal = state.legal_actions()
    if len(legal) > MOST_LEGAL:
        raise ValueError(f"there are {len(legal):,} legal actions; expected at most {MOST_LEGAL:,}")
    return legal


def check_legal(action: int, state: State) -> None:
    """Check that an action can be chosen.

    Raises:
        ValueError: it cannot.
    """
    legal = state.legal_actions()
    if action not in legal:
        message = f"legal: {', '.join(map(str, legal[:20]))}{', ...' if len(legal) > 20 else ''}"
        raise ValueError(f"{action} is not a legal action; {message if len(legal) else 'the game is over'}")


Change = tuple[Any, int, Any]
"""A change of the state of a game: the state before an action, the action, and the state after it."""


def played(state: ObservableState, choose: Callable[[Any], int | None]) -> Iterator[Change]:
    """Changes of a game from a state on, to its end or until ``choose``, asked in each state, gives None.

    This is the loop in which games are played; traces, transcripts, records and samples are views of it.
    """
    while not state.is_terminal:
        action = choose(state)
        if action is None:
            return
        after = state.apply(action)
        yield state, action, after
        state = after


def end_of(state: Any, choose: Callable[[Any], int | None], most: int | None = None) -> Any:
    """Last state of a game that is played on from a state (``played``), or that after ``most`` actions."""
    left = -1 if most is None else most
    while left and not state.is_terminal:  # not by ``played``, as roll-outs would take 5 % longer
        action = choose(state)
        if action is None:
            break
        state = state.apply(action)
        left -= 1
    return state


def outcome(state: Any, number: float) -> int:
    """The action that chance takes, by a uniform number of [0, 1)."""
    outcomes = state.chance_outcomes()
    below = 0.0
    for action, probability in outcomes:
        below += probability
        if number < below:
            return int(action)
    return int(outcomes[-1][0])


def after_chance(state: ObservableState, number: Callable[[], float]) -> Any:
    """The state when chance has acted as often as it is to act, each time by the next number of [0, 1)."""
    return end_of(state, lambda each: outcome(each, number()) if each.current_player == CHANCE else None)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action as a program sees it.

    Attributes:
        action: the first of the actions that the program cannot tell apart.
        sensors: values by name.
        count: how many actions look like this one; 0 if they are not counted.
    """

    action: int
    sensors: Mapping[str, float]
    count: int = 0


def best_place(values: Sequence[float]) -> int:
    """Index of the highest of some values, the first of equals; NaN is below everything, and of NaN alone it is 0."""
    best = max(values)
    if best != best:  # the first is NaN
        best = max((value for value in values if value == value), default=best)
    return values.index(best) if best == best else 0
