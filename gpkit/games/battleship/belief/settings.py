"""Settings of the player: how much it computes before a shot, and how much of it fits a time."""

from dataclasses import dataclass, field, replace

from gpkit.games.battleship.belief.lists import Stage
from gpkit.games.battleship.belief.posterior import Effort
from gpkit.games.battleship.belief.small import Small


@dataclass(frozen=True, slots=True)
class Settings:
    """Work of the player before a shot.

    Attributes:
        effort: limits of the posterior.
        stages: rollouts that choose, by the fleets that are left, the fewest first; before, the likeliest square.
        information: what a bit of information about the answer, hit or miss, is worth in hits where no rollout
            chooses.
        small: work on small boards; None as on all others.
    """

    effort: Effort = field(default_factory=Effort)
    stages: tuple[Stage, ...] = (
        Stage(100, squares=16, margin=0.4, nested=True),
        Stage(300, squares=16, margin=0.4),
        Stage(20_000, sample=20_000),
    )
    information: float = 0.0
    small: Small | None = field(default_factory=Small)

    def stage(self, fleets: float) -> Stage | None:
        """The rollouts for so many fleets; None if there are too many."""
        return next((stage for stage in self.stages if fleets <= stage.fleets), None)


DEFAULT = Settings()

OPERATIONS_PER_MS = 500_000
SAMPLES_PER_MS = 150
NESTED_FLEETS_PER_MS, WIDE_FLEETS_PER_MS, SAMPLED_FLEETS_PER_MS, LISTED_FLEETS_PER_MS = 4, 100, 200, 2_000
"""Work that takes half a millisecond or less on a core of 2.6 GHz; a shot takes a count and, or, one of the others."""

MOST_FLEETS = 100_000
"""Fleets that are listed at most, whatever the time."""


def within(milliseconds: int) -> Settings:
    """Settings for a time a shot: they depend on the time that is given and not on the time that is taken.

    What comes before a count takes about a millisecond, so that with one a shot may take two.
    """
    nested, wide, narrow = DEFAULT.stages
    sample = milliseconds * SAMPLED_FLEETS_PER_MS
    stages = (
        replace(nested, fleets=min(milliseconds * NESTED_FLEETS_PER_MS, MOST_FLEETS)),
        replace(wide, fleets=min(milliseconds * WIDE_FLEETS_PER_MS, MOST_FLEETS)),
        replace(narrow, fleets=min(milliseconds * LISTED_FLEETS_PER_MS, MOST_FLEETS)),
    )
    return Settings(
        Effort(milliseconds * OPERATIONS_PER_MS, milliseconds * SAMPLES_PER_MS),
        tuple(replace(stage, sample=sample) for stage in stages),
        small=None,
    )
