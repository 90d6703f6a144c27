"""Games that are played by their readable states: the functions that follow from these, and from a kernel block."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import GuestError
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.game import Exact, Game, Scores, undeclared
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import CHANCE, ObservableState, end_of, legal_of
from gpkit.user_games.arena import (
    at_random,
    chooser_of,
    draws,
    first_of,
    meets_chance,
    play_game,
)
from gpkit.user_games.compiled_games import can_play, play_compiled
from gpkit.user_games.exact import expected, policies_of
from gpkit.user_games.faults import explain_errors
from gpkit.user_games.kernel.games import OPENINGS
from gpkit.user_games.rules import DEFAULT_OPTIONS, Rules
from gpkit.user_games.unrolled import exploitability
from gpkit.user_games.view import OwnEncoding, own_view
from gpkit.user_games.wrapped_state import WrappedState
from gpkit.vm.keyed import keyed_uniform_readable

OPENINGS_OF_EVOLUTION = "0-2"
"""Openings that keep games of players that draw nothing from being all the same."""

GAMES_FOR_CHANCE, ACTIONS_FOR_CHANCE = 20, 1_000
"""Games at random in which chance is looked for, and actions of each at most."""


@dataclass(frozen=True, slots=True, eq=False)
class StateGame(Game):
    """A game that is played by its states: what is not declared follows from these, its sensors and its kernel block.

    Its rules are a ``gpkit.user_games.rules.Rules``, its deals have keys.
    """

    is_of_states = True
    hosted = True

    def __post_init__(self) -> None:
        """Fill in what is not declared."""
        exact = Exact(
            _explained(policies_of, self),
            _explained(expected, self),
            _explained(exploitability, self),
            _explained(expected, self),
        )
        following = {
            "play": _explained(play, self),
            "choose": _explained(choose, self),
            "courses": _explained(courses_of, self),
            "exact": exact,
            "view": own_view(self.sensors, self.facts),
            "encoding": OwnEncoding(self),
        }
        for name, each in following.items():
            if getattr(self, name) in (None, undeclared):
                object.__setattr__(self, name, each)

    def make_rules(self, texts: Mapping[str, str]) -> Rules:
        """The rules with these options set."""
        return Rules.from_options(texts, self.all_options, self.name)

    def begin(self, players: Sequence[Player], deals: Deals, rules: Rules) -> WrappedState:
        """The first deal's game when the opening has been drawn."""
        key, opening = deals.key(0), rules.opening(deals.key(0))

        def opened(state: WrappedState) -> int | None:
            if state.actions >= opening:
                return None
            legal = state.legal_actions()
            return legal[int(keyed_uniform_readable(key, state.actions, OPENINGS) * len(legal))]

        with explain_errors(self):
            first = self.first(players, deals, rules)
            moment = WrappedState(rules, first, key, self, first=first).after_chance()
            found: WrappedState = end_of(moment, opened)
            return found

    def openings(self) -> str:
        """The value of ``opening`` for evolution: games from the first state, and others, where these would repeat.

        Where chance moves games differ by themselves, and an opening is not part of the game; empty then, and for
        a game with an opening of its own.
        """
        usual = any(each is DEFAULT_OPTIONS[0] for each in self.all_options)
        with explain_errors(self):
            return "" if _has_chance(self) or not usual else OPENINGS_OF_EVOLUTION

    def explained(self, error: BaseException) -> GuestError | None:
        """The reason for an error, if the game breaks the contract of games."""
        from gpkit.user_games.contract.explain import explained_by  # which plays games

        return explained_by(self, error)


def _explained(function: Callable[..., Any], game: Game) -> Callable[..., Any]:
    """A function of a game, such as ``begin``, for which errors are explained that the game causes."""

    @wraps(function)
    def called(*arguments: Any) -> Any:
        with explain_errors(game):
            return function(game, *arguments)

    return called


def choose(game: Game, player: Player, state: WrappedState, deals: Deals) -> int:
    """The legal action that a player chooses."""
    action = chooser_of(player, game, state.rules)
    return action(state.position, state.legal_actions(), state.key, state.actions)


def _has_chance(game: Game) -> bool:
    """Whether chance moves: whether it does in some games at random, where the game has no kernel that says it."""
    if game.kernel is not None:
        return bool(game.kernel.chance is not None)
    first = first_of(game, 0, game.make_rules({}))
    games = range(GAMES_FOR_CHANCE if hasattr(first, "chance_outcomes") else 0)
    choosers = [at_random] * game.players(game.make_rules({}))
    return any(meets_chance(first, choosers, ACTIONS_FOR_CHANCE, key) for key in games)


def play(game: Game, players: Sequence[Player], deals: Deals, rules: Rules) -> Scores:
    """Play every deal once with the first player in each seat; the others follow it in order."""
    if game.kernel is not None and can_play(players):
        scores, stalled = play_compiled(game.kernel, game, players, deals.keys, rules)
        found = Scores(scores, stalled, 0)
    else:
        found = play_readable(game, players, deals, rules)
    scores = found.values
    game.metric(rules).checked([float(scores.min()), float(scores.max())] if scores.size else [])
    return found


def play_readable(game: Game, players: Sequence[Player], deals: Deals, rules: Rules) -> Scores:
    """Play as ``play``, by the readable states."""
    seats, longest, middle = game.players(rules), rules.longest, game.metric(rules).middle
    choosers = [chooser_of(player, game, rules) for player in players]
    scores, stalled = np.empty((len(deals), game.seatings(rules))), 0
    for number, key in enumerate(deals.keys.tolist()):
        opening, dealt = rules.opening(key), Deals(deals.keys[number : number + 1])
        for seat in range(scores.shape[1]):
            places = [(place - seat) % seats for place in range(seats)]
            first = game.first([players[place] for place in places], dealt, rules)
            end, is_stalled = play_game(first, [choosers[place] for place in places], key, opening, longest)
            stalled += is_stalled
            scores[number, seat] = middle if is_stalled else end.returns()[seat]
    return Scores(scores, stalled, 0)


MOST = 500
"""Different openings that are told apart; where there are more, repeated games hardly matter."""

PART = 4
"""Nor do they where there are more than a deal in so many."""

Line = tuple[int, ...]
"""The actions of an opening."""


def courses_of(game: Game, players: Sequence[Player], deals: Deals, rules: Rules) -> NDArray[np.int64] | None:
    """By deal a number of its opening: int64 (deals,), of at least 1.

    None where a player draws random numbers, chance moves, or there are many different openings.
    """
    keys: Sequence[int] = deals.keys.tolist()
    if not keys or any(draws(player, game) for player in players):
        return None
    most = max(1, min(MOST, len(keys) // PART))
    first = first_of(game, 0, rules, players)
    lines: list[Line] = []
    states: dict[Line, Any] = {}
    for key, length in zip(keys, rules.openings_of(keys), strict=True):
        line: list[int] = []

        def opened(state: ObservableState, key: int = key, line: list[int] = line) -> int | None:
            if state.current_player == CHANCE:
                return None
            legal = legal_of(state)
            line.append(legal[int(keyed_uniform_readable(key, len(line), OPENINGS) * len(legal))])
            return line[-1]

        state = end_of(first, opened, length)
        if len(line) < length and not state.is_terminal:
            return None
        lines.append(tuple(line))
        states[lines[-1]] = state
        if len(states) > most:
            return None
    choosers = [chooser_of(player, game, rules) for player in players]
    for seat in range(len(players)):
        seated = [choosers[(place - seat) % len(players)] for place in range(len(players))]
        if any(meets_chance(states[line], seated, rules.longest - len(line)) for line in states):
            return None
    numbers = {line: _number(line) for line in states}
    return np.array([numbers[line] for line in lines], dtype=np.int64)


def _number(line: Line) -> int:
    """A number of an opening, which is the same wherever it comes."""
    return 1 + int.from_bytes(blake2b(repr(line).encode(), digest_size=7).digest(), "big")
