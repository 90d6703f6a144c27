"""The declaration of Battleship, with its deals, built-in players and games.

There are two players. In a duel, both place a fleet and shoot in turns. In solitaire, only the first player shoots; the
second player places the fleet.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.gamekit.forms import DemoRun, GameForms, Trial
from gpkit.gamekit.game import Builtin, Memory, Metric, Number, Scores, laying_out
from gpkit.gamekit.players import Player
from gpkit.games.battleship import forms
from gpkit.games.battleship.arena import (
    check_players,
    empty_memory,
    first_memory,
    is_compiled,
    lateness,
    play_compiled,
    play_sides,
    side_of,
    strategy_of,
)
from gpkit.games.battleship.facts import FACTS
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.memory import placement_weights
from gpkit.games.battleship.primitives import OFFERS, PRIMITIVES
from gpkit.games.battleship.rules import PATTERNS, BattleshipRules, Board, FleetDeals, draw_deals, returns_of
from gpkit.games.battleship.sensors import BELIEVING, COUNTING
from gpkit.games.battleship.state import BattleshipState
from gpkit.languages.sinking.forms.playing import is_of_lines, turns
from gpkit.playing.decisions import Valued
from gpkit.user_games.declare import game

_SAMPLES = Number("samples", 100, 100_000)
_MILLISECONDS = Number("milliseconds", 0, 60_000)

BUILTINS: Mapping[str, Builtin] = MappingProxyType(
    {
        "counts": Builtin(
            "like density, but prefers squares where the opponent's ships lay in earlier games of the series",
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
            "computes exactly how likely every square is, and plays to the end once it can list the fleets left",
            _MILLISECONDS,
            places=True,
        ),
        "mcs": Builtin("samples fleets, and shoots where most of them have a ship", _SAMPLES, places=True),
        "mcs-flawed": Builtin(
            "like mcs, but its samples ignore that ships may not touch, as in its source",
            _SAMPLES,
            places=True,
        ),
        "mcs-mended": Builtin("like mcs, but its samples cover every hit", _SAMPLES, places=True),
        "reference": Builtin(
            "shoots along diagonals, then beside hits; the paper on mcs plays against it", places=True
        ),
        "reference-hits": Builtin("like reference, but does not learn when ships sink", places=True),
        "reference-halo": Builtin(
            "like reference, but knows that nothing lies beside a sunk ship", places=True
        ),
    }
)
"""The built-in players that are not programs."""


def metric_of(rules: BattleshipRules) -> Metric:
    """The metric: ``win_share`` in a duel; in solitaire, ``shots``, the number of turns until the last ship sinks."""
    if rules.is_duel:
        return Metric("win_share", 0.0, 1.0, total=1.0)
    return Metric("shots", float(sum(rules.fleet)), float(rules.cap), lower_is_better=True, alone=True)


def begin(players: Sequence[Player], deals: FleetDeals, rules: BattleshipRules) -> BattleshipState:
    """The first state of the first deal; the player in each seat lays out its fleet.

    Raises:
        UsageError: no legal fleet was found.
    """
    fleets = [
        side_of(players[seat], deals.seat(0, seat), rules, first_memory(players[seat], rules)).fleet()
        for seat in ((1, 0) if rules.is_duel else (1,))
    ]
    return BattleshipState.begin(tuple(fleets), rules)


def choose(player: Player, state: BattleshipState, deals: FleetDeals) -> int | Valued:
    """The square that a player shoots at, with an agent's chances of a ship; a sinking program replays its shots.

    Raises:
        UsageError: the program ran out of steps before the shot, or wasted the shot.
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


def play(players: Sequence[Player], deals: FleetDeals, rules: BattleshipRules) -> Scores:
    """Play every deal in every seating.

    Raises:
        UsageError: the second player shoots in solitaire, a player does not shoot in a duel, or no legal fleet was
            found.
    """
    return _play(players, deals, rules, memory_of(players, len(deals), rules))


def memory_of(players: Sequence[Player], series: int, rules: BattleshipRules) -> NDArray[Any]:
    """The memory before the first game.

    Returns:
        If the kernel plays, float64 as in ``arena.empty_memory``; otherwise objects (series, seatings, 2): each
        player's memory.
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
    players: Sequence[Player], deals: FleetDeals, rules: BattleshipRules, memory: NDArray[Any]
) -> tuple[Scores, NDArray[Any]]:
    """Play every deal in every seating as the next game of a series; returns the scores and the new memory.

    The memory is float64 or objects, (series, ...), as in ``memory_of``.

    Raises:
        UsageError: in the same cases as ``play``.
    """
    memory = memory.copy()
    scores = _play(players, deals, rules, memory)
    if memory.dtype != object and any(each.remembers for each in players):
        ships, known = memory[..., at.TIMES_SHIP, :], memory[..., at.TIMES_KNOWN, :]
        memory[..., at.WEIGHTS :, :] = placement_weights(ships, known, rules)
    return scores, memory


def _play(
    players: Sequence[Player], deals: FleetDeals, rules: BattleshipRules, memory: NDArray[Any]
) -> Scores:
    """Play every deal in every seating, and update the memory in place."""
    check_players(players, rules)
    if memory.dtype == object:
        return _play_sides(players, deals, rules, memory)
    scores, stalled, invalid, _ = play_compiled(players, deals.keys, rules, memory)
    return Scores(
        scores[..., at.SCORE], stalled, invalid, None if rules.is_duel else scores[..., at.LATENESS]
    )


def _play_sides(
    players: Sequence[Player], deals: FleetDeals, rules: BattleshipRules, memory: NDArray[np.generic]
) -> Scores:
    """Play every deal in every seating, ask the players for every shot, and update the memory in place."""
    values = np.zeros(memory.shape[:2])
    grades = np.zeros(memory.shape[:2])
    stalled = invalid = 0
    for deal, rotation in np.ndindex(*values.shape):
        boards, after = play_sides(
            players, (deals.seat(deal, 0), deals.seat(deal, 1)), list(memory[deal, rotation]), rotation, rules
        )
        statuses = [board.status for board in boards]
        values[deal, rotation] = returns_of(boards, rules)[rotation]
        grades[deal, rotation] = lateness(boards[0])
        for number, remembered in enumerate(after):
            memory[deal, rotation, number] = remembered
        stalled += set(statuses) == {"stalled"}
        invalid += statuses.count("invalid")
    return Scores(values, stalled, invalid, None if rules.is_duel else grades)


SUITES = (
    Trial("uniform", games=1_000),
    *(Trial(name, games=1_000, quick=True) for name in ("corner", "wall", "corners", "lines")),
    Trial("uniform", {"board": "8x8", "fleet": "4,3,3,2"}, games=1_000, quick=True),
    Trial("uniform", {"board": "12x12"}, games=1_000),
    Trial("uniform", {"variant": "ten-ships"}, games=1_000),
)
"""The trials of Battleship, with uniform fleets, fleets from placement patterns, and other boards and fleets."""

GAME = game(
    "battleship",
    begin,
    sensors=(*COUNTING, *BELIEVING),
    facts=FACTS,
    options=BattleshipRules,
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
    forms=GameForms(
        view=lambda: forms.view.VIEW,
        encoding=lambda: forms.view,
        suites=lambda: SUITES,
        conversation=lambda: forms.talk.BattleshipConversation,
        demo=DemoRun("champion", "evolve bridon --seed 1", "best/champion.sink"),
        recorder=lambda: forms.record.RECORDER,
        player_recorder=lambda: forms.record.SINKING,
        file_picture=lambda: forms.draw.file_picture,
        kept_series=lambda: forms.memory.remembered_series,
    ),
)
