"""A user's code with types, which mypy checks as it checks the package: a game made in place, played and evolved."""

from collections.abc import Sequence
from dataclasses import dataclass

import gpkit
import gpkit.types


@dataclass(frozen=True)
class Sticks:
    """Whoever takes the last of the sticks wins; one to three are taken at a time."""

    left: int
    current_player: int = 0
    decision: str = "take"

    @property
    def is_terminal(self) -> bool:
        """Whether no stick is left."""
        return self.left == 0

    def legal_actions(self) -> Sequence[int]:
        """Numbers of sticks."""
        return range(1, min(3, self.left) + 1)

    def apply(self, action: int) -> "Sticks":
        """The sticks that are left to the other player."""
        if action not in self.legal_actions():
            raise ValueError(f"{action} sticks cannot be taken")
        return Sticks(self.left - action, 1 - self.current_player)

    def returns(self) -> tuple[float, ...]:
        """1 for the player who has just taken the last stick."""
        return (float(self.current_player == 1), float(self.current_player == 0))


def begin(sticks: int) -> Sticks:
    """The first state."""
    return Sticks(sticks)


@gpkit.sensor(0, 3, "sticks over a multiple of four after the move")
def over(state: Sticks, action: int) -> float:
    return (state.left - action) % 4


GAME = gpkit.game(
    "sticks",
    begin,
    sensors=[over],
    options=[gpkit.option("sticks", 21, "sticks at the start", low=1, high=99)],
    opponents={"greedy": "take: -env.over"},
)

SMALL = {
    "population": {"size": 8},
    "fitness": {"deals": 2, "validation_deals": 4, "hall": 0},
    "race": {"first": 0},
    "refinement": {"finish": False},
}


def strength(program: gpkit.Program, opponent: str = "random") -> float:
    """The mean of a program."""
    result: gpkit.Result = gpkit.play(program, opponent, game=GAME, games=40, rules={"sticks": 15})
    return result.mean


def champion(generations: int) -> tuple[gpkit.Program, list[float]]:
    """A champion, and the best fitness of each generation."""
    best: list[float] = []
    found, run = gpkit.evolve(
        GAME,
        generations=generations,
        settings=SMALL,
        callback=lambda summary, program: best.append(summary.best),
    )
    assert len(run.generations) == len(best)
    return found, best


def verdict(program: gpkit.Program, other: str) -> str:
    """The verdict of a comparison, which three tables have."""
    found: gpkit.Compared = gpkit.compare(program, "random", other, game=GAME, games=40)
    results: gpkit.Table[gpkit.Result | gpkit.ExactResult] = gpkit.run(program, other, game=GAME, games=40)
    league: gpkit.League = gpkit.tournament([program, other], game=GAME, games=40)
    decided: gpkit.Disagreements = gpkit.compare(program, "random", other, game=GAME, decisions=True)
    assert decided.states == 400
    assert [each.opponent for each in results] == [other]
    assert len(league.ratings.ratings) == 2
    return found.verdict


def steps(program: gpkit.Program) -> list[gpkit.types.Step]:
    """The steps of a game."""
    followed: gpkit.Traced = gpkit.trace(program, game=GAME, until="step > 2")
    return list(followed.steps())


def first() -> gpkit.State:
    """The first state, as any game has it."""
    return begin(21)


def named() -> gpkit.Game:
    """The game, as any game is."""
    return GAME
