"""Games that gpkit plays through their readable states, with functions derived from these states and a kernel block."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from hashlib import blake2b
from typing import Any

import numpy as np

from gpkit.core.arrays import Ints
from gpkit.core.errors import GuestError
from gpkit.core.registry import absent
from gpkit.gamekit.game import Deals, Exact, Game, Scores, undeclared
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import CHANCE, end_of
from gpkit.user_games.arena import (
    Searcher,
    at_random,
    can_play,
    chooser_of,
    draws,
    first_of,
    meets_chance,
    play_compiled,
    play_game,
)
from gpkit.user_games.exact import expected, exploitability, policies_of
from gpkit.user_games.faults import explain_errors
from gpkit.user_games.kernel.counters import OPENINGS
from gpkit.user_games.positions import Position, positions_of
from gpkit.user_games.rules import DEFAULT_OPTIONS, Rules, WrappedState
from gpkit.user_games.view import OwnEncoding, own_view
from gpkit.vm.keyed import keyed_uniform_readable

OPENINGS_OF_EVOLUTION = "0-2"
"""The openings for evolution, which vary games between players that draw no random numbers."""

GAMES_FOR_CHANCE, ACTIONS_FOR_CHANCE = 20, 1_000
"""The number of random games that are searched for chance events, and the maximum number of actions in each game."""


@dataclass(frozen=True, slots=True, eq=False)
class StateGame(Game):
    """A game that gpkit plays through its states; its states, sensors and kernel block supply the undeclared parts.

    The rules of the game are a ``gpkit.user_games.rules.Rules``, and its deals have keys.
    """

    is_of_states = True
    hosted = True

    def __post_init__(self) -> None:
        """Fill in the parts that the game does not declare."""
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
        }
        for name, each in following.items():
            if getattr(self, name) in (None, undeclared):
                object.__setattr__(self, name, each)
        view, encoding = self.forms.view, self.forms.encoding
        forms = replace(
            self.forms,
            view=partial(own_view, self) if view is absent else view,
            encoding=partial(OwnEncoding, self) if encoding is absent else encoding,
        )
        object.__setattr__(self, "forms", forms)

    def make_rules(self, texts: Mapping[str, str]) -> Rules:
        """The rules with these options."""
        return Rules.from_options(texts, self.all_options, self.name)

    def begin(self, players: Sequence[Player], deals: Deals, rules: Rules) -> WrappedState:
        """The game on the first deal, after the random opening."""
        key, opening = deals.key(0), rules.opening(deals.key(0))

        def opened(state: WrappedState) -> int | None:
            if state.actions >= opening:
                return None
            legal = state.legal_actions()
            return legal[int(keyed_uniform_readable(key, state.actions, OPENINGS) * len(legal))]

        with explain_errors(self):
            first = self.first(players, deals, rules)
            found: WrappedState = end_of(
                WrappedState(rules, first, key, self, first=first).after_chance(), opened
            )
            return found

    def worths(self, player: Player, state: Any, actions: Sequence[int], rules: Rules) -> Mapping[int, float]:
        """The values that a search gives to actions, as shares of the range of scores."""
        search = chooser_of(player, self, rules)
        assert isinstance(search, Searcher), player.name
        with explain_errors(self):
            return search.worths(state.position, actions, state.key, state.actions)

    def openings(self) -> str:
        """The value of ``opening`` for evolution: random openings if games would otherwise repeat.

        The value is empty if the game has chance events, because games then differ anyway, and a random opening is not
        part of the game. The value is also empty if the game itself declares an option ``opening``.
        """
        usual = any(each is DEFAULT_OPTIONS[0] for each in self.all_options)
        with explain_errors(self):
            return "" if _has_chance(self) or not usual else OPENINGS_OF_EVOLUTION

    def explained(self, error: BaseException) -> GuestError | None:
        """An error that explains the given error, if the game breaks the contract for games."""
        from gpkit.user_games.contract.examine import explained_by  # imported late, because it plays games

        return explained_by(self, error)


def _explained(function: Callable[..., object], game: Game) -> Callable[..., Any]:
    """Wrap a function of a game, such as ``play``, so that errors caused by the game are explained."""

    @wraps(function)
    def called(*arguments: object) -> Any:
        with explain_errors(game):
            return function(game, *arguments)

    return called


def choose(game: Game, player: Player, state: WrappedState, deals: Deals) -> int:
    """The legal action that a player chooses."""
    return chooser_of(player, game, state.rules)(
        state.position, state.legal_actions(), state.key, state.actions
    )


def _has_chance(game: Game) -> bool:
    """Whether the game has chance events: according to the kernel, or without a kernel, in some random games."""
    if game.kernel is not None:
        return bool(game.kernel.chance is not None)
    first = positions_of(game).of(first_of(game, 0, game.make_rules({})))
    games = range(GAMES_FOR_CHANCE if hasattr(first.state, "chance_outcomes") else 0)
    choosers = [at_random] * game.players(game.make_rules({}))
    return any(meets_chance(first, choosers, ACTIONS_FOR_CHANCE, key) for key in games)


def play(game: Game, players: Sequence[Player], deals: Deals, rules: Rules) -> Scores:
    """Play every deal once with the first player in each seat; the other players follow in order."""
    if game.kernel is not None and can_play(players):
        scores, stalled = play_compiled(game.kernel, game, players, deals.keys, rules)
        found = Scores(scores, stalled, 0)
    else:
        found = play_readable(game, players, deals, rules)
    scores = found.values
    game.metric(rules).checked([float(scores.min()), float(scores.max())] if scores.size else [])
    return found


def play_readable(game: Game, players: Sequence[Player], deals: Deals, rules: Rules) -> Scores:
    """The same as ``play``, but always with the readable states."""
    seats, longest, middle = game.players(rules), rules.longest, game.metric(rules).middle
    choosers, positions = [chooser_of(player, game, rules) for player in players], positions_of(game)
    scores, stalled = np.empty((len(deals), game.seatings(rules))), 0
    for number, key in enumerate(deals.keys.tolist()):
        opening, dealt = rules.opening(key), Deals(deals.keys[number : number + 1])
        for seat in range(scores.shape[1]):
            places = [(place - seat) % seats for place in range(seats)]
            first = positions.of(game.first([players[place] for place in places], dealt, rules))
            end, is_stalled = play_game(first, [choosers[place] for place in places], key, opening, longest)
            stalled += is_stalled
            scores[number, seat] = middle if is_stalled else end.returns()[seat]
    return Scores(scores, stalled, 0)


MOST = 500
"""The maximum number of openings to distinguish; with more openings, repeated games hardly matter."""

PART = 4
"""Repeated games also hardly matter if there are fewer than this many deals for each opening."""

Line = tuple[int, ...]
"""The actions of an opening."""


def courses_of(game: Game, players: Sequence[Player], deals: Deals, rules: Rules) -> Ints | None:
    """A number for each deal's opening, at least 1: int64 (deals,).

    The result is None if a player draws random numbers, if there are chance events, or if there are many different
    openings.
    """
    keys: Sequence[int] = deals.keys.tolist()
    if not keys or any(draws(player, game) for player in players):
        return None
    most = max(1, min(MOST, len(keys) // PART))
    first = positions_of(game).of(first_of(game, 0, rules, players))
    lines: list[Line] = []
    states: dict[Line, Position] = {}
    for key, length in zip(keys, rules.openings_of(keys), strict=True):
        line: list[int] = []

        def opened(position: Position, key: int = key, line: list[int] = line) -> int | None:
            if position.current_player == CHANCE:
                return None
            legal = position.legal_actions()
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
    for seat in range(0 if game.kernel is not None and game.kernel.chance is None else len(players)):
        seated = [choosers[(place - seat) % len(players)] for place in range(len(players))]
        if any(meets_chance(states[line], seated, rules.longest - len(line)) for line in states):
            return None
    numbers = {line: _number(line) for line in states}
    return np.array([numbers[line] for line in lines], dtype=np.int64)


def _number(line: Line) -> int:
    """The number of an opening, which is the same in every run."""
    return 1 + int.from_bytes(blake2b(repr(line).encode(), digest_size=7).digest(), "big")
