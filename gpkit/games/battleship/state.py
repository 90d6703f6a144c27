"""A game of Battleship in plain Python, with immutable states; the kernel must produce the same result for every shot.

In solitaire, one player shoots at a fleet until it is cleared. In a duel, two players take turns to shoot at each
other's fleet, and the first to clear the other's fleet wins.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

import numpy as np

from gpkit.gamekit.state import NOBODY, Candidate, check_legal
from gpkit.games.battleship.aiming import target_squares
from gpkit.games.battleship.kernel.layout import ORDER_NUMBERS, SQUARE_BITS
from gpkit.games.battleship.rules import (
    BattleshipRules,
    Board,
    Known,
    Placements,
    Shot,
    announced,
    fleet_through,
    replayed,
    returns_of,
)
from gpkit.games.battleship.sensors import sense
from gpkit.vm.keyed import HALF, keyed_uniform_readable

RESAMPLED = 20
"""The maximum number of fleets to try in place of the hidden one."""


class Observation(NamedTuple):
    """All information that a player can have.

    Attributes:
        fleet: the placements of the player's own ships, or None in solitaire.
        received: the shots at the player's own ships.
        told: the player's own shots: for each shot, the square, whether a ship is there, and the announced length of
            the ship that sank, which is 0 if the length is not announced and None if nothing is announced.
        known: the player's knowledge of each square of the opponent's board.
        afloat: the lengths of the ships that, as far as the player knows, may be afloat.
        rules: the rules.
    """

    fleet: Placements | None
    received: tuple[Shot, ...]
    told: tuple[tuple[int, bool, int | None], ...]
    known: tuple[Known, ...]
    afloat: tuple[int, ...]
    rules: BattleshipRules


@dataclass(frozen=True, slots=True)
class BattleshipState:
    """A state of a game.

    Attributes:
        rules: the rules.
        boards: the board that each player shoots at; there is only one in solitaire.
        current_player: the player to move, or ``NOBODY`` at the end.
    """

    rules: BattleshipRules
    boards: tuple[Board, ...]
    current_player: int = 0

    decision = "shoot"

    @classmethod
    def begin(cls, fleets: tuple[Placements, ...], rules: BattleshipRules) -> "BattleshipState":
        """The game before the first shot.

        Args:
            fleets: the fleet that each player shoots at.
            rules: the rules.
        """
        assert len(fleets) == (2 if rules.is_duel else 1), "one fleet for each shooter"
        return cls(rules, tuple(Board.of(fleet, rules) for fleet in fleets))

    @property
    def board(self) -> Board:
        """The board that the current player shoots at; the game must not be over."""
        return self.boards[self.current_player]

    @property
    def is_terminal(self) -> bool:
        """True if a board is cleared, a program has run out of steps, or all players are stalled."""
        statuses = [board.status for board in self.boards]
        return "cleared" in statuses or "invalid" in statuses or all(s == "stalled" for s in statuses)

    def legal_actions(self) -> tuple[int, ...]:
        """The squares that the current player has not shot at, in ascending order; empty at the end of the game."""
        if self.is_terminal:
            return ()
        return tuple(square for square, known in enumerate(self.board.known) if known == "unshot")

    def candidates(self, tree: object, key: int) -> list[Candidate]:
        """The unshot squares; ties go to the first one.

        The squares are in the random order of the player ``uniform`` with this key, so ties favour no particular
        square. With the rule ``found``, the first square of this order is the only candidate for the first shot.
        """
        board, sensors = self.board, sense(self.board)
        squares = [square for square in target_squares("uniform", key, board) if square in sensors]
        is_forced = self.rules.found and not board.shots
        return [Candidate(square, sensors[square]) for square in (squares[:1] if is_forced else squares)]

    def random_numbers(self, key: int, square: int) -> Callable[[], float]:
        """A source of values of ``math.random()`` for a square; call k gives the value for the formula's k-th call.

        ``key`` is the key of the player's shots, 26 bits. All values are in [0, 1).
        """
        places, turns = count(ORDER_NUMBERS), self.board.turns
        return lambda: keyed_uniform_readable(key, turns, ((next(places) << SQUARE_BITS) + square) % HALF)

    def apply(self, square: int) -> "BattleshipState":
        """The state after the current player's shot at a square.

        Raises:
            ValueError: there is no such square, or it has been shot at before.
        """
        check_legal(square, self)
        return self.shoot(square)

    def shoot(self, square: int) -> "BattleshipState":
        """The state after a shot that may be wasted: it may go off the board (−1), or to a square that was shot before.

        Some dialects of programs allow wasted shots.
        """
        after = self.with_board(self.board.shoot(square))
        if after.is_terminal:
            return after
        shot = after.board.shots[-1]
        others = [after.current_player, (after.current_player + 1) % len(after.boards)]
        again = self.rules.shots == "again" and shot.hit and not shot.known
        for player in others if again else reversed(others):
            if after.boards[player].status == "playing":
                return replace(after, current_player=player)
        return after

    def give_up(self) -> "BattleshipState":
        """The state after the current player's program ran out of steps."""
        return self.with_board(replace(self.board, status="invalid"))

    def with_board(self, board: Board) -> "BattleshipState":
        """The state in which the current player's target board is replaced with another board."""
        boards = list(self.boards)
        boards[self.current_player] = board
        after = replace(self, boards=tuple(boards))
        return replace(after, current_player=NOBODY) if after.is_terminal else after

    def returns(self) -> tuple[float, ...]:
        """The final score of each player: the turns or the limit on turns in solitaire; 1, ½ or 0 in a duel."""
        assert self.is_terminal, "the game is not over"
        return returns_of(self.boards, self.rules)

    def observation(self, player: int) -> Observation:
        """All information that a player can have: its fleet, the shots at its fleet, and the answers to its shots."""
        rules = self.rules
        own = self.boards[1 - player].fleet if rules.is_duel else None
        received = self.boards[1 - player].shots if rules.is_duel else ()
        mine = self.boards[player]
        told = tuple((shot.square, shot.hit, announced(shot, rules)) for shot in mine.shots)
        return Observation(own, received, told, mine.known, mine.afloat, rules)

    def resample(self, rng: np.random.Generator, player: int) -> "BattleshipState":
        """The state with a different hidden fleet that would have given the same answers to the player's shots.

        The state is unchanged if no such fleet is found in ``RESAMPLED`` tries.
        """
        mine, boards = self.boards[player], list(self.boards)
        hits, missed = ([shot.square for shot in mine.shots if shot.hit == hit] for hit in (True, False))
        for _ in range(RESAMPLED):
            fleet = fleet_through(rng, hits, self.rules, missed)
            board = replayed(fleet, mine) if fleet is not None else None
            if board is not None:
                boards[player] = board
                return replace(self, boards=tuple(boards))
        return self
