"""A rule list against several opponents at once: the least of its win rates, each above a floor of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.core.rng import stream
from gpkit.gamekit.deals import Deals
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.exact import Choices, choices_of
from gpkit.games.dots_and_boxes.kernel.exact import play_policies
from gpkit.games.dots_and_boxes.ladder import margins
from gpkit.games.dots_and_boxes.learner.kernel.selection import Classes, play_out
from gpkit.games.dots_and_boxes.learner.kernel.stakes import add_stakes
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.genomes.graph import RuleList
from gpkit.matching.plan import plan_of

SOFTNESS = 0.01
"""Differences of win rates that the soft minimum tells apart: an opponent that is this much further above its floor
than another one weighs 1/e of it."""

ALONE = np.zeros(1, dtype=np.int64)
"""The list of one rule, which stands for whatever a player chooses."""


@dataclass(frozen=True, slots=True)
class TargetRate:
    """A win rate to be reached against a policy.

    Attributes:
        opponent: its name.
        floor: the win rate.
        board: where games are played and counted; None is the board on which win rates are exact.
    """

    opponent: str
    floor: float = 0.0
    board: Rules | None = None

    def __str__(self) -> str:
        place = "" if self.board is None else f" on {self.board.width}x{self.board.height}"
        return f"{self.opponent}{place}"


def soft_least(numbers: Sequence[float]) -> float:
    """A smooth lower bound of the least of some numbers, no further below it than ``SOFTNESS`` · log n.

    >>> -SOFTNESS < soft_least([0.0, 0.1]) < 0.0
    True
    """
    least = min(numbers)
    return least - SOFTNESS * float(np.log(np.exp((least - np.array(numbers)) / SOFTNESS).sum()))


def soft_shares(numbers: Sequence[float]) -> NDArray[np.float64]:
    """Derivatives of ``soft_least`` by each of the numbers: float64, with the sum 1."""
    shares = np.exp((min(numbers) - np.array(numbers)) / SOFTNESS)
    return np.asarray(shares / shares.sum())


class Mixture:
    """Opponents of a rule list: its win rates, how good they are together, and what each choice adds to that.

    Attributes:
        aims: all of them; at least one has no board of its own.
        legal: int64 (classes,): the edges that are not drawn, as masks.
    """

    def __init__(
        self, target_rates: Sequence[TargetRate], board: Rules, games: int = 0, seed: int = 0
    ) -> None:
        """Prepare the opponents.

        Args:
            aims: see above.
            board: one whose classes are listed.
            games: on each board of an aim, always the same ones; even, as each player begins once in every deal.
            seed: of these games.
        """
        known = classes(board)
        self.target_rates = tuple(target_rates)
        self.legal: NDArray[np.int64] = (known.successors >= 0) @ (1 << np.arange(board.edges))
        self._computed = [k for k, target_rate in enumerate(target_rates) if target_rate.board is None]
        self._classes = [
            Classes(
                known.done,
                known.successors,
                known.closed,
                self.legal,
                choices_of(target_rates[k].opponent, board),
            )
            for k in self._computed
        ]
        self._keys = Deals.drawn(stream(seed, "mixture"), games // 2).keys
        shape = (len(known), 2, 2 * board.boxes + 1)
        self._met = np.zeros(len(known), dtype=np.uint8)
        self._chances, self._values = np.zeros(shape), np.zeros(shape)
        self._copy = np.zeros(len(known), dtype=np.int64)

    def score(self, rates: Sequence[float]) -> float:
        """Soft least of what the win rates of all aims are above their floors."""
        return soft_least(
            [rate - target_rate.floor for rate, target_rate in zip(rates, self.target_rates, strict=True)]
        )

    def rates(self, choices: Choices, rules: RuleList, least: float = -np.inf) -> tuple[float, ...] | None:
        """The win rates of a list, with a random starting player; None if their score is not above ``least``.

        Args:
            choices: of the list in all classes.
            rules: the list.
            least: games are not played for a list whose exact rates alone are no better than this.
        """
        computed = [self._play(choices, known) for known in self._classes]
        if soft_least(self._margins(computed)) < least:
            return None
        found = [0.0] * len(self.target_rates)
        for k, rate in zip(self._computed, computed, strict=True):
            found[k] = rate
        for k, target_rate in enumerate(self.target_rates):
            if target_rate.board is not None:
                margin, _ = margins(plan_of(rules), target_rate.opponent, self._keys, target_rate.board)
                found[k] = float(np.mean(np.sign(margin) + 1) / 2)
        return tuple(found)

    def stakes(self, choices: Choices, rates: Sequence[float]) -> NDArray[np.float64]:
        """Worth of each edge in each class: float64 (classes, edges), 0 where the player is never to draw.

        If a player with these choices and rates chose other edges in one class, the soft least of the exact rates
        would change by the difference of what they are worth there, but for second-order terms.
        """
        shares = soft_shares(self._margins([rates[k] for k in self._computed]))
        found = np.zeros(self._classes[0].successors.shape)
        for known, share in zip(self._classes, shares, strict=True):
            self._play(choices, known)
            mine, replies = (for_reading(each.reshape(-1, 1)) for each in (choices, known.replies))
            play_policies(known.successors, known.closed, known.done, mine, replies, self._values)
            add_stakes(known, self._met, self._chances, self._values, share, found)
        return found

    def _play(self, choices: Choices, known: Classes) -> float:
        proposed = choices.astype(np.int32).reshape(-1, 1)
        return float(play_out(ALONE, proposed, known, self._met, self._chances, self._copy))

    def _margins(self, computed: Sequence[float]) -> list[float]:
        """Exact rates less their floors."""
        return [rate - self.target_rates[k].floor for k, rate in zip(self._computed, computed, strict=True)]
