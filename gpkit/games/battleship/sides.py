"""Games in which a player is asked for every shot: each side by itself, and the referee who puts them together.

Nobody sees what the other finds out, so each side shoots alone until it has cleared the other's fleet. In a duel the
referee then lets both take turns, and cuts off the shots that came too late.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import TargetAnswers, fleets_of, running_sums, shots_at
from gpkit.games.battleship.fleets import Placements
from gpkit.games.battleship.memory import Memory
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.patterns import REDRAWS
from gpkit.games.battleship.players import is_compiled, placement_of, strategy_of
from gpkit.games.battleship.rules import Board
from gpkit.games.battleship.state import State

Keys = tuple[int, int, int]
"""Keys of one seat: of its fleet, more bits of that, and of its shots."""


class Side(Protocol):
    """A player in one game."""

    def fleet(self) -> Placements:
        """Its own fleet.

        Raises:
            UsageError: no legal fleet was found.
        """

    def clear(self, fleet: Placements) -> Board:
        """The other's board, cleared, stalled, or as it was when the player's program ran out of steps."""

    def remember(self, board: Board, home: Board | None) -> Any:
        """Memory after the game: what it shot at, and in a duel its own fleet as the other shot at it."""


@dataclass(frozen=True, slots=True)
class OwnSide:
    """A program, an agent, a mere placement, or a learner that the kernel knows, which then has a ``memory``."""

    player: Player
    keys: Keys
    rules: Rules
    memory: Memory | None = None

    def fleet(self) -> Placements:
        """A fleet by the player's placement."""
        return drawn_fleet(placement_of(self.player), self.keys, self.rules)

    def clear(self, fleet: Placements) -> Board:
        """The board after the shots of the program or agent."""
        key = self.keys[2]
        if is_compiled(self.player):
            answers = TargetAnswers(self.memory.weights(self.rules) if self.memory else None)
            return shot_at(fleet, shots_at(fleet, self.player, key, self.rules, answers), self.rules)
        agent, board = strategy_of(self.player.strategy), Board.of(fleet, self.rules)
        while board.status == "playing":
            board = board.shoot(agent.consider(board, self.player.number, key)[0])
        return board

    def remember(self, board: Board, home: Board | None) -> Memory | None:
        """Counts of what was found on the board, if it remembers."""
        return self.memory and self.memory.after(board)


def side_of(player: Player, keys: Keys, rules: Rules, memory: Any) -> Side:
    """A player in one game."""
    if player.remembers and not is_compiled(player):
        side: Side = strategy_of(player.strategy).side(player, keys, rules, memory)
        return side
    return OwnSide(player, keys, rules, memory)


def first_memory(player: Player, rules: Rules) -> Any:
    """Memory of a player before the first game of a series; None if it remembers nothing."""
    if not player.remembers:
        return None
    return Memory.empty(rules) if is_compiled(player) else strategy_of(player.strategy).begin(player, rules)


def drawn_fleet(placement: str, keys: Keys, rules: Rules) -> Placements:
    """The fleet of a key by a placement.

    Raises:
        UsageError: no legal fleet was found.
    """
    sums, redraw = running_sums(placement, rules), REDRAWS.get(placement, "fleet")
    (fleet,) = fleets_of(np.array([keys], dtype=np.int64), sums, rules, redraw)
    return tuple(fleet.tolist())


def shot_at(fleet: Placements, squares: Sequence[int], rules: Rules) -> Board:
    """The board after these shots, −1 being one off the board; whoever then has more to do had no steps left."""
    board = Board.of(fleet, rules)
    for square in squares:
        board = board.shoot(square)
    return replace(board, status="invalid") if board.status == "playing" else board


@dataclass(frozen=True, slots=True)
class Ended:
    """A game at its end.

    Attributes:
        boards: by seat what it shot at; solitaire has one.
        memory: of each player after the game, in the order of players.
    """

    boards: tuple[Board, ...]
    memory: tuple[Any, ...]


def play_sides(
    players: Sequence[Player], keys: Sequence[Keys], memory: Sequence[Any], rotation: int, rules: Rules
) -> Ended:
    """Play one game.

    Args:
        players: two, of whom in solitaire the second only places a fleet.
        keys: by seat.
        memory: of each player before the game.
        rotation: player p sits in seat (p + rotation) % 2.
        rules: the rules.
    """
    seats = [(player + rotation) % 2 for player in range(2)]
    sides = [
        side_of(player, keys[seat], rules, remembered)
        for player, seat, remembered in zip(players, seats, memory, strict=True)
    ]
    if not rules.is_duel:
        board = sides[0].clear(sides[1].fleet())
        return Ended((board,), (sides[0].remember(board, None), memory[1]))
    fleets = [side.fleet() for side in sides]
    boards = [sides[seats[seat]].clear(fleets[1 - seats[seat]]) for seat in range(2)]
    ended = referee(boards, rules)
    return Ended(
        ended,
        tuple(side.remember(ended[seat], ended[1 - seat]) for side, seat in zip(sides, seats, strict=True)),
    )


def referee(boards: Sequence[Board], rules: Rules) -> tuple[Board, ...]:
    """The boards of a duel at its end, from those after all shots that each seat would need."""
    state = State.begin(tuple(board.fleet for board in boards), rules)
    shots = [iter(board.shots) for board in boards]
    while not state.is_terminal:
        shot = next(shots[state.current_player], None)
        state = state.give_up() if shot is None else state.shoot(shot.square)
    return state.boards


def lateness(board: Board) -> float:
    """The mean number of the turn in which squares of ships were hit; the cap for those that were not."""
    rules = board.rules
    turns = [number for number, shot in enumerate(board.shots, 1) if shot.hit and not shot.known]
    squares = sum(rules.fleet)
    return (sum(turns) + (squares - len(turns)) * rules.cap) / squares
