"""A game of one's own at the seam of games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import GuestError
from gpkit.core.plugins import file_of, named_game
from gpkit.core.primitives import Offers
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.game import Builtin, Expected, Metric, Scores
from gpkit.gamekit.options import Option
from gpkit.gamekit.players import Player
from gpkit.gamekit.view import View
from gpkit.user_games.arena import chance_moves, chooser_of, play_game
from gpkit.user_games.compiled_games import Kernel, can_play, play_compiled
from gpkit.user_games.courses import courses_of
from gpkit.user_games.encoding import OwnEncoding
from gpkit.user_games.exact import expected, policies_of
from gpkit.user_games.faults import explain_errors
from gpkit.user_games.kernel.games import OPENINGS
from gpkit.user_games.numbers import Numbers
from gpkit.user_games.rules import USUAL, Declared, Rules
from gpkit.user_games.view import own_view
from gpkit.user_games.wrapped_state import Table, WrappedState
from gpkit.vm.keyed import keyed_uniform_readable

NO_PLACEMENTS: Mapping[str, str] = MappingProxyType({})

OPENINGS_OF_EVOLUTION = "0-2"
"""Openings that keep games of players that draw nothing from being all the same."""

GAMES_FOR_CHANCE, ACTIONS_FOR_CHANCE = 20, 1_000
"""Games at random in which chance is looked for, and actions of each at most."""


@dataclass(frozen=True, slots=True, eq=False)
class OwnGame:
    """A game as matches, evolution and the command line see it (``gpkit.gamekit.game.Game``).

    Attributes:
        declared: the options with their defaults.
        texts: formulas of opponents, by name.
        functions: opponents that are functions from a state to a legal action, by name.
        sensors: in the order of their slots.
        begin_state: gives the first state, from the options.
        seats: number of players, unless an option says it.
        score: the metric.
        explain: the reason for an error that the game may have caused, or None where it keeps what games owe.
        kernel: the same game for the compiler; None if there is none.
    """

    name: str
    title: str
    offers: Offers
    declared: tuple[Declared, ...]
    texts: Mapping[str, str]
    builtins: Mapping[str, Builtin]
    functions: Mapping[str, Callable[[Any], int]]
    sensors: tuple[Any, ...]
    begin_state: Callable[..., Any]
    seats: int
    score: Metric
    explain: Callable[[Any, BaseException], GuestError | None]
    kernel: Kernel | None = None
    placements = NO_PLACEMENTS
    has_host = True
    """Whether exported players ask a host for the rules and sensors."""

    def __reduce__(self) -> tuple[Any, ...]:
        """The game by its file, which other processes read again."""
        found = file_of(self.name)
        if found is None:
            return _installed, (self.name,)
        return _of_file, found

    @property
    def options(self) -> tuple[Option, ...]:
        """Options of the rules."""
        return tuple(each.option for each in self.declared)

    @property
    def opponents(self) -> tuple[str, ...]:
        """The opponents that are formulas."""
        return tuple(self.texts)

    @property
    def view(self) -> View:
        """The face of the game."""
        return own_view(self.sensors)

    @property
    def encoding(self) -> OwnEncoding:
        """The encoding of what players know."""
        return OwnEncoding(self.name, self.sensors, self.begin_state)

    def make_rules(self, options: Mapping[str, str]) -> Rules:
        """The rules with these options set.

        Raises:
            UsageError: an unknown option or value.
        """
        return Rules.from_options(options, self.declared, self.name)

    def players(self, rules: Rules) -> int:
        """Number of players."""
        return int(rules.arguments().get("players", self.seats))

    def seatings(self, rules: Rules) -> int:
        """Every player sits in every seat once."""
        return self.players(rules)

    def rivals(self, rules: Rules) -> tuple[str, ...]:
        """``random``, and the first opponent of the game's own."""
        own = (*self.texts, *self.functions)
        return ("random", *own[:1])

    def metric(self, rules: Rules) -> Metric:
        """The score."""
        return self.score

    def deal(self, rng: np.random.Generator, count: int, rules: Rules) -> Deals:
        """``count`` keys; the first of them are the same for any larger count."""
        return Deals.drawn(rng, count)

    def begin(self, players: Sequence[Player], deals: Deals, rules: Rules) -> WrappedState:
        """The first deal's game when the opening has been drawn."""
        with explain_errors(self):
            key = int(deals.keys[0])
            moment = WrappedState(
                rules, self.first(key, rules, players), key, self.table(rules)
            ).after_chance()
            opening = rules.opening(key)
            while moment.actions < opening and not moment.is_terminal:
                legal = moment.legal_actions()
                number = keyed_uniform_readable(key, moment.actions, OPENINGS)
                moment = moment.apply(legal[int(number * len(legal))])
            return moment

    def first(self, key: int, rules: Rules, players: Sequence[Player]) -> Any:
        """The first state of the game of a key; players are by seat."""
        return self.begin_state(**rules.arguments())

    def table(self, rules: Rules) -> Table:
        """Number of players, and what they play for."""
        return Table(self.players(rules), self.metric(rules))

    def choose(self, player: Player, state: WrappedState, deals: Deals) -> int:
        """The legal action that a player chooses."""
        with explain_errors(self):
            choose = chooser_of(player, self, state.rules)
            return choose(state.position, state.legal_actions(), state.key, state.actions)

    @property
    def openings(self) -> str:
        """The value of ``opening`` for evolution: games from the first state, and others, where these would repeat.

        Where chance moves games differ by themselves, and an opening is no part of the game; empty then, and for a
        game with an opening of its own.
        """
        usual = any(each.option is USUAL[0].option for each in self.declared)
        return "" if self._has_chance() or not usual else OPENINGS_OF_EVOLUTION

    def _has_chance(self) -> bool:
        """Whether chance moves: whether it does in some games at random, where the game has no kernel that says it."""
        if self.kernel is not None:
            return self.kernel.chance is not None
        with explain_errors(self):
            rules = self.make_rules({})
            first = self.begin_state(**rules.arguments())
            games = range(GAMES_FOR_CHANCE if hasattr(first, "chance_outcomes") else 0)
            return any(chance_moves(first, Numbers(key), ACTIONS_FOR_CHANCE) for key in games)

    def compiled(self, kernel: Kernel) -> "OwnGame":
        """The game with a kernel, which plays where all players are programs or ``random``."""
        return replace(self, kernel=kernel)

    def check_exact(self, players: Sequence[Player], rules: Rules) -> None:
        """Check that a result can be computed if there are not too many states, which shows only then.

        Raises:
            UsageError: random numbers are drawn.
        """
        with explain_errors(self):
            policies_of(players, self, rules)

    def expect(self, players: Sequence[Player], rules: Rules) -> Expected:
        """The expected score of the first player.

        Raises:
            UsageError: the game is too large for that, or random numbers are drawn.
        """
        with explain_errors(self):
            return expected(self, players, rules)

    def play(self, players: Sequence[Player], deals: Deals, rules: Rules) -> Scores:
        """Play every deal once with the first player in each seat; the others follow it in order."""
        with explain_errors(self):
            if self.kernel is not None and can_play(players):
                scores, stalled = play_compiled(self.kernel, self, players, deals.keys, rules)
                found = Scores(scores, stalled, 0)
            else:
                found = self.play_readable(players, deals, rules)
            self.table(rules).check(_extremes(found.values))
            return found

    def courses(self, players: Sequence[Player], deals: Deals, rules: Rules) -> NDArray[np.int64] | None:
        """Numbers of the openings, where nothing else is drawn at random."""
        with explain_errors(self):
            return courses_of(self, players, deals.keys.tolist(), rules)

    def play_readable(self, players: Sequence[Player], deals: Deals, rules: Rules) -> Scores:
        """Play as ``play``, by the readable states."""
        seats, longest = self.players(rules), rules.longest
        choosers = [chooser_of(player, self, rules) for player in players]
        scores, stalled = np.empty((len(deals), self.seatings(rules))), 0
        called_off = self.table(rules).called_off[0]
        for number, key in enumerate(deals.keys.tolist()):
            drawn, opening = Numbers(key), rules.opening(key)
            for seat in range(scores.shape[1]):
                places = [(place - seat) % seats for place in range(seats)]
                first = self.first(key, rules, [players[place] for place in places])
                course = play_game(first, [choosers[place] for place in places], drawn, opening, longest)
                if course.stalled:
                    stalled += 1
                    scores[number, seat] = called_off
                else:
                    scores[number, seat] = course.end.returns()[seat]
        return Scores(scores, stalled, 0)


def _extremes(scores: NDArray[np.float64]) -> list[float]:
    """The least and the greatest score; NaN, if one is."""
    return [float(scores.min()), float(scores.max())] if scores.size else []


def _of_file(path: str, digest: str) -> OwnGame:
    """The game of a file or of another package in another process.

    Raises:
        GuestError: the file is not the one that was meant.
    """
    entry = named_game(path, ())
    assert entry is not None, "it was named before"
    game: OwnGame = entry.load()
    if file_of(game.name) != (path, digest):
        raise GuestError(f"{path} has changed since the run began")
    return game


def _installed(name: str) -> OwnGame:
    from gpkit.core.registry import game_of

    game: OwnGame = game_of(name)
    return game
