"""Hard-coded shooters, and series of duels against them in which the adaptive player learns, or does not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpkit.core.arrays import Floats, Ints
from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import (
    Side,
    TargetAnswers,
    first_memory,
    referee,
    side_of,
    sums_of,
    turns_at,
)
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.adaptive import ADAPTIVE, Adaptive, AdaptiveSide, Experience, shooter_of
from gpkit.games.battleship.rules import BattleshipRules, Board, Placements, returns_of
from gpkit.genomes.linear import LinearProgram
from gpkit.playing.players import player_of_name, player_of_program, program_of_name, shipped_player

CORRECTED = program_of_name("corrected", GAME)


def opponent_of(shooter: str, placement: str) -> Player:
    """A hard-coded player; ``corrected`` is Figure 8 with its faults mended and targets on a checkerboard."""
    if shooter == "corrected":
        header = {"sunk": "reset", "target": "checkerboard", "placement": placement}
        return player_of_program(CORRECTED, GAME, f"corrected:{placement}", header)
    if shooter in (*GAME.programs, *GAME.builtins):
        return player_of_name(f"{shooter}:{placement}", GAME)
    return replace(shipped_player(shooter, GAME), name=f"{shooter}:{placement}", placement=placement)


def doubled(fleets: Sequence[Placements] | Ints, rules: BattleshipRules) -> Floats:
    """Fleets as ``turns_at`` takes them."""
    return np.stack([[sums_of(tuple(fleet), rules)] * 2 for fleet in np.asarray(fleets).tolist()])


def shots(
    answers: TargetAnswers,
    fleets: Ints,
    rules: BattleshipRules,
    program: LinearProgram = CORRECTED,
) -> Floats:
    """The number of shots of a program at each fleet, of corrected Figure 8 if none is named: float64 (fleets,)."""
    player = shooter_of(program, answers)
    return np.array(turns_at(doubled(fleets, rules), player, np.arange(len(fleets)), rules, answers))


def learning_player() -> Player:
    """The adaptive player; it lays its fleets itself."""
    player = player_of_name("adaptive", GAME)
    assert player.remembers
    return player


PLAYER = learning_player()


@dataclass(frozen=True, slots=True)
class Played:
    """A duel of a series: what the adaptive player knew before it, its result, and what it shot at."""

    memory: Experience
    score: float
    board: Board


@dataclass(frozen=True, slots=True)
class PairedSeries:
    """A series of duels on given deals, which the adaptive player can play with memory and without.

    Attributes:
        other: whom it meets; if that one learns, too, it begins anew with every duel.
        rules: of the duels.
        seed: of the deals.
        number: among the series of that seed.
        games: of a series; the players change seats with every one.
    """

    other: Player
    rules: BattleshipRules
    seed: int
    number: int
    games: int

    def course(self, start: Experience, learner: Adaptive = ADAPTIVE) -> Iterator[Played]:
        """The duels one after another, each with what was learned in those before."""
        memory = start
        for game in range(self.games):
            own, other, seat = self.sides(game, memory, learner)
            score, board, home = duel(own, other, seat, self.rules)
            yield Played(memory, score, board)
            if game < self.games - 1:
                memory = own.remember(board, home)

    def alone(self, game: int, memory: Experience) -> float:
        """The result of one of the duels with this memory."""
        own, other, seat = self.sides(game, memory)
        return duel(own, other, seat, self.rules)[0]

    def sides(
        self, game: int, memory: Experience, learner: Adaptive = ADAPTIVE
    ) -> tuple[AdaptiveSide, Side, int]:
        """Both sides of a duel, the adaptive player's first, and its seat."""
        deals = GAME.deal(stream(self.seed, "memory", self.number, game), 1, self.rules)
        seat = (self.number + game) % 2
        own = learner.side(PLAYER, deals.seat(0, seat), self.rules, memory)
        nothing = first_memory(self.other, self.rules)
        return own, side_of(self.other, deals.seat(0, 1 - seat), self.rules, nothing), seat

    def scores(self) -> Floats:
        """Results of the adaptive player with memory and without: float64 (2, games)."""
        nothing = ADAPTIVE.begin(PLAYER, self.rules)
        mindful = [played.score for played in self.course(nothing)]
        mindless = [self.alone(game, nothing) for game in range(1, self.games)]
        return np.array([mindful, [*mindful[:1], *mindless]])


def duel(own: Side, other: Side, seat: int, rules: BattleshipRules) -> tuple[float, Board, Board]:
    """The result of a side, what it shot at, and its own fleet as the other shot at it; ``seat`` is its own."""
    boards = own.clear(other.fleet()), other.clear(own.fleet())
    ended = referee((boards[seat], boards[1 - seat]), rules)
    return returns_of(ended, rules)[seat], ended[seat], ended[1 - seat]
