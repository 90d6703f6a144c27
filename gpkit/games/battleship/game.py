"""Battleship at the seam of games: rules from options, deals, and whole games.

Two players take part. In a duel both place a fleet and shoot in turns. In solitaire the first shoots, and the second is
only the placement of the fleet that it has to find.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.gamekit.game import Builtin, Memory, Metric, Number, Scores, laying_out
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import empty_memory, play_compiled
from gpkit.games.battleship.facts import FACTS
from gpkit.games.battleship.fleets import Deals, draw_deals
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.memory import placement_weights
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.patterns import PATTERNS
from gpkit.games.battleship.players import check_players, is_compiled, strategy_of
from gpkit.games.battleship.primitives import OFFERS, PRIMITIVES
from gpkit.games.battleship.rules import Board, returns_of
from gpkit.games.battleship.sensors import BELIEVING, COUNTING
from gpkit.games.battleship.sides import first_memory, lateness, play_sides, side_of
from gpkit.games.battleship.state import State
from gpkit.languages.sinking.forms.playing import is_of_lines, turns
from gpkit.playing.decisions import Valued
from gpkit.user_games.declare import game

_SAMPLES = Number("samples", 100, 100_000)
_MILLISECONDS = Number("milliseconds", 0, 60_000)

BUILTINS: Mapping[str, Builtin] = MappingProxyType(
    {
        "counts": Builtin(
            "density, from where the opponent's ships lay in earlier games of the series",
            policy="density",
            remembers=True,
        ),
        "adaptive": Builtin(
            "adapts placement, targeting and an evolved sinking program to the opponent",
            is_slow=True,
            policy="density",
            remembers=True,
        ),
        "belief": Builtin(
            "exact posterior over fleets, with rollouts once all remaining ones can be listed",
            _MILLISECONDS,
            places=True,
        ),
        "mcs": Builtin("samples fleets, and shoots where most of them have a ship", _SAMPLES, places=True),
        "mcs-flawed": Builtin(
            "mcs whose samples ignore that ships may not touch, as in its source", _SAMPLES, places=True
        ),
        "mcs-mended": Builtin("mcs whose samples cover every hit", _SAMPLES, places=True),
        "reference": Builtin(
            "the opponent of mcs in its source: diagonals, then neighbours of hits", places=True
        ),
        "reference-hits": Builtin("reference that is not told when ships sink", places=True),
        "reference-halo": Builtin("reference that knows that nothing lies beside a sunk ship", places=True),
    }
)
"""Players of the game's own, which are no programs."""


def metric_of(rules: Rules) -> Metric:
    """``win_share`` in a duel; in solitaire ``shots``, the turns until the last ship sinks."""
    if rules.is_duel:
        return Metric("win_share", 0.0, 1.0, total=1.0)
    return Metric("shots", float(sum(rules.fleet)), float(rules.cap), lower_is_better=True, alone=True)


def begin(players: Sequence[Player], deals: Deals, rules: Rules) -> State:
    """The first deal's fleets laid out, each as the player in its seat says.

    Raises:
        UsageError: no legal fleet was found.
    """
    fleets = [
        side_of(players[seat], deals.seat(0, seat), rules, first_memory(players[seat], rules)).fleet()
        for seat in ((1, 0) if rules.is_duel else (1,))
    ]
    return State.begin(tuple(fleets), rules)


def choose(player: Player, state: State, deals: Deals) -> int | Valued:
    """The square at which a player shoots, with an agent's chances of a ship; a program of lines replays its shots.

    Raises:
        UsageError: the program has no steps left for a shot, or wastes it.
    """
    key, legal = deals.key(state.current_player), state.legal_actions()
    if not is_of_lines(player):
        square, chances = strategy_of(player.strategy).consider(state.board, player.number, key)
        return Valued(square, {each: float(chances[each]) for each in legal}, "chance")
    board = Board.of(state.board.fleet, state.rules)
    shoot = turns(player, PRIMITIVES, board, key)
    for shot in state.board.shots:
        shoot(state.with_board(board))
        board = board.shoot(shot.square)
    last = shoot(state)[-1]
    if last.action is None or last.action not in legal:
        raise UsageError(f"{player.name} does not shoot at a new square here")
    return last.action


def play(players: Sequence[Player], deals: Deals, rules: Rules) -> Scores:
    """Play every deal in every seating.

    Raises:
        UsageError: in solitaire the second player shoots, or in a duel one does not; no legal fleet was found.
    """
    return _play(players, deals, rules, memory_of(players, len(deals), rules))


def memory_of(players: Sequence[Player], series: int, rules: Rules) -> NDArray[Any]:
    """Memory before the first game.

    Returns:
        Where the kernel plays, float64 as of ``arena.empty_memory``; else objects (series, seatings, 2): of every
        player what it remembers.
    """
    shape = series, 2 if rules.is_duel else 1
    if all(map(is_compiled, players)):
        return empty_memory(players, shape, rules)
    found = np.empty((*shape, 2), dtype=object)
    for number, player in enumerate(players):
        memory = first_memory(player, rules)
        for place in np.ndindex(shape):
            found[(*place, number)] = memory
    return found


def play_on(
    players: Sequence[Player], deals: Deals, rules: Rules, memory: NDArray[Any]
) -> tuple[Scores, NDArray[Any]]:
    """Play every deal in every seating, each as the next game of a series; gives the scores and the memory after it.

    The memory is float64 or objects, (series, ...), as of ``memory_of``.

    Raises:
        UsageError: as of ``play``.
    """
    memory = memory.copy()
    scores = _play(players, deals, rules, memory)
    if memory.dtype != object and any(each.remembers for each in players):
        ships, known = memory[..., at.TIMES_SHIP, :], memory[..., at.TIMES_KNOWN, :]
        memory[..., at.WEIGHTS :, :] = placement_weights(ships, known, rules)
    return scores, memory


def _play(players: Sequence[Player], deals: Deals, rules: Rules, memory: NDArray[Any]) -> Scores:
    """Play every deal in every seating; the memory is changed."""
    check_players(players, rules)
    if memory.dtype == object:
        return _play_sides(players, deals, rules, memory)
    played = play_compiled(players, deals.keys, rules, memory)
    grades = None if rules.is_duel else played.scores[..., at.LATENESS]
    return Scores(played.scores[..., at.SCORE], played.stalled, played.invalid, grades)


def _play_sides(players: Sequence[Player], deals: Deals, rules: Rules, memory: NDArray[Any]) -> Scores:
    """Play every deal in every seating, asking for every shot; the memory is changed."""
    values = np.zeros(memory.shape[:2])
    grades = np.zeros(memory.shape[:2])
    stalled = invalid = 0
    for deal, rotation in np.ndindex(*values.shape):
        keys = deals.seat(deal, 0), deals.seat(deal, 1)
        ended = play_sides(players, keys, list(memory[deal, rotation]), rotation, rules)
        statuses = [board.status for board in ended.boards]
        values[deal, rotation] = returns_of(ended.boards, rules)[rotation]
        grades[deal, rotation] = lateness(ended.boards[0])
        for number, remembered in enumerate(ended.memory):
            memory[deal, rotation, number] = remembered
        stalled += set(statuses) == {"stalled"}
        invalid += statuses.count("invalid")
    return Scores(values, stalled, invalid, None if rules.is_duel else grades)


GAME = game(
    "battleship",
    begin,
    sensors=(*COUNTING, *BELIEVING),
    facts=FACTS,
    options=Rules,
    metric=metric_of,
    opponents={
        **dict.fromkeys(("random", "raster", "checkerboard", "diagonal", "filter", "hunt", "density"), ""),
        **BUILTINS,
        **laying_out(PATTERNS),
    },
    rivals=lambda rules: ("random", "hunt") if rules.is_duel else ("uniform",),
    offers=OFFERS,
    deal=lambda rng, count, rules: draw_deals(rng, count),
    play=play,
    choose=choose,
    check=check_players,
    memory=Memory(memory_of, play_on),
)
