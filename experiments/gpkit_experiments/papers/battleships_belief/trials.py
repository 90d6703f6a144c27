"""Trials: boards that players clear alone, and competitions of two players, which never see each other's board."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.evolution.problem import Executor, none_lost
from gpkit.games.battleship.arena import fleets_of, running_sums
from gpkit.games.battleship.fleets import Deals, Placements, draw_deals
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.monte_carlo import SamplingAgent, Tally
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.patterns import REDRAWS
from gpkit.games.battleship.players import AGENTS, strategy_of
from gpkit.games.battleship.rules import Board
from gpkit.playing.players import player_of_name
from gpkit_experiments.sampled_boards import Cleared, clear_board

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

PLACEMENTS = ("one-by-one", "uniform", "corner", "corners", "lines")
"""Placements that are compared; there is no room for ten ships that stand on the bottom row and do not touch."""

SECONDS = 0.02
"""Expected work of a board, which only decides the size of batches."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of the paper.

    Attributes:
        name: of the player in the game.
        samples: at each turn; 0 for those that draw none.
    """

    name: str
    samples: int = 0


@dataclass(frozen=True, slots=True)
class Target:
    """A fleet, and the key of the shots at it."""

    fleet: Placements
    key: int


@dataclass(frozen=True, slots=True)
class Boards:
    """Boards as the game itself deals them.

    Attributes:
        deals: the keys; the fleets are those of the second player, the shots those of the first.
        placement: of the fleets.
        rules: the board and the fleet.
    """

    deals: Deals
    placement: str
    rules: Rules

    @classmethod
    def drawn(cls, seed: int, purpose: str, count: int, placement: str, rules: Rules) -> "Boards":
        """Boards for a purpose; the first of them are the same for any larger count."""
        return cls(draw_deals(stream(seed, purpose), count), placement, rules)

    def targets(self) -> list[Target]:
        """The boards one by one."""
        sums, redraw = running_sums(self.placement, self.rules), REDRAWS.get(self.placement, "fleet")
        fleets = fleets_of(self.deals.keys[:, 1], sums, self.rules, redraw)
        keys = self.deals.keys[:, 0, at.SHOT_KEY].tolist()
        return [Target(tuple(fleet), key) for fleet, key in zip(fleets.tolist(), keys, strict=True)]


@dataclass(frozen=True, slots=True)
class Trials:
    """Results of a player on boards.

    Attributes:
        shots: int64 (boards,).
        inconsistent: float64 (boards,): the share of samples that leave a hit out.
        dropped: float64 (boards,): the share of samples that were given up.
        popped: float64 (boards,): how often a ship was taken up again in a sample, the mean.
    """

    shots: Ints
    inconsistent: Floats
    dropped: Floats
    popped: Floats


def trials(entrant: Entrant, boards: Boards, executor: Executor) -> Trials:
    """Clear boards by a player."""
    if entrant.name not in AGENTS:
        players = [player_of_name(entrant.name, GAME), player_of_name(boards.placement, GAME)]
        shots = GAME.play(players, boards.deals, boards.rules).values[:, 0].astype(np.int64)
        return Trials(shots, *np.zeros((3, len(shots))))
    items = boards.targets()
    seconds = [SECONDS * max(entrant.samples, 10) / 100] * len(items)
    found = none_lost(executor.run(partial(_cleared, entrant, boards.rules), items, seconds))
    drawn = np.array([max(each.tally.drawn, 1) for each in found])
    return Trials(
        np.array([each.shots for each in found]),
        np.array([each.tally.inconsistent for each in found]) / drawn,
        np.array([each.tally.dropped for each in found]) / drawn,
        np.array([each.tally.popped for each in found]) / drawn,
    )


def _cleared(entrant: Entrant, rules: Rules, boards: Sequence[Target]) -> list[Cleared]:
    return [cleared(entrant, board, rules) for board in boards]


def cleared(entrant: Entrant, board: Target, rules: Rules) -> Cleared:
    """One board, cleared by an agent."""
    agent = strategy_of(entrant.name)
    if isinstance(agent, SamplingAgent):
        return clear_board(board.fleet, agent.method, rules, entrant.samples, board.key)
    state = Board.of(board.fleet, rules)
    while state.status == "playing":
        state = state.shoot(agent.consider(state, entrant.samples, board.key)[0])
    return Cleared(state.turns, Tally())


@dataclass(frozen=True, slots=True)
class Competition:
    """A competition of two players, who take turns in shooting first.

    Attributes:
        own, other: int64 (trials,): the shots that each of them needs.
        begins: whether the first player shoots first in the first trial.
    """

    own: Ints
    other: Ints
    begins: bool = True

    @property
    def won(self) -> NDArray[np.bool_]:
        """Whether the first player wins: bool (trials,). Of equal numbers of shots the one wins who shoots first."""
        first = np.arange(len(self.own)) % 2 == int(not self.begins)
        return np.where(first, self.own <= self.other, self.own < self.other)

    @property
    def won_shots(self) -> Floats:
        """The shots of the first player in the trials that it wins: float64 (wins,)."""
        return self.own[self.won].astype(float)

    def turned(self) -> "Competition":
        """The same as the other player sees it."""
        return Competition(self.other, self.own, not self.begins)

    def part(self, count: int) -> "Competition":
        """The first so many trials."""
        return self.between(0, count)

    def between(self, first: int, end: int) -> "Competition":
        """The trials from the first of an even number to before the end."""
        assert first % 2 == 0, "players take turns in shooting first"
        return Competition(self.own[first:end], self.other[first:end], self.begins)
