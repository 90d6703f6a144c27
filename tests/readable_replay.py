"""The replay of the learner of Dots and Boxes and its order of rules in plain Python: what their kernels mean."""

from collections.abc import Mapping
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.ordering import BEYOND, LEAST_GAIN
from gpkit.games.dots_and_boxes.learner.kernel.replay import HOPE, PACE, PART, STEP
from gpkit.genomes.graph import Rule
from gpkit_experiments.learner_readable import Edges, Game


class ReadableReplay:
    """Decisions that were met lately, and the rules of a learner that act there.

    Attributes:
        game: of the learner, whose rules and values of classes are those of now.
        times: by class how often it was met.
    """

    def __init__(self, game: Game, times: Mapping[int, int]) -> None:
        self.game = game
        self.times = dict(sorted(times.items()))

    def acting(self, number: int) -> tuple[int, int]:
        """The slots of the best rule that matches in a class and of the next one, ``NO_SLOT`` for none."""
        ranked = self.game.ranked(self.game.games.proposals(number))
        first, second, *_ = [*ranked, at.NO_SLOT, at.NO_SLOT]
        return first, second

    def value(self, number: int, slot: int) -> float:
        """Worth of what the rule of a slot proposes in a class; for ``NO_SLOT`` that of any edge."""
        return self.game.average_value(number, self._edges(number, slot))

    def _edges(self, number: int, slot: int) -> Edges:
        if slot == at.NO_SLOT:
            return self.game.legal(number)
        return self.game.games.proposals(number)[slot]

    def find_place(self, rule: Rule, own: int, least: float) -> tuple[int, float, float]:
        """Find the place of a rule among the others, as ``kernel.replay.find_place`` does.

        Args:
            rule: one that does not take part yet.
            own: the class that it is made for.
            least: it is wanted only if it gains more than this.

        Returns:
            In how many of the decisions the rule matches, what they gain by it there, and the quality of that place.
        """
        quality = self.game.population.quality
        numbers = list(self.times)
        count, unguided, sum_of_gains = 0, 0.0, 0.0
        gains: dict[int, float] = {}
        for step in range(len(numbers)):
            if step == len(numbers) // PART and sum_of_gains < least * HOPE:
                break
            number = numbers[(numbers.index(own) + step * PACE) % len(numbers)]
            edges = self.game.games.edges(number, rule)
            if not edges:
                continue
            count += self.times[number]
            slot = self.acting(number)[0]
            instead = self.value(number, slot)
            gain = self.times[number] * (self.game.average_value(number, edges) - instead)
            sum_of_gains += gain
            if slot == at.NO_SLOT:
                unguided += gain
            else:
                gains[slot] = gains.get(slot, 0.0) + gain
        return count, *place_by_gains(gains, unguided, quality)


def place_by_gains(
    gains: Mapping[int, float], unguided: float, quality: NDArray[np.float64]
) -> tuple[float, float]:
    """The most that can be gained by a place before the worst rules that act, and the quality of that place.

    Args:
        gains: by slot of a rule that acts, what is gained where the new one acts instead.
        unguided: what is gained where none does.
        quality: float64 (slots,).
    """
    worst_first = sorted(gains, key=lambda slot: (quality[slot], -slot))
    best = total = unguided
    place = float(quality[worst_first[0]]) - STEP if worst_first else 0.0
    for slot, above in zip_longest(worst_first, worst_first[1:]):
        total += gains[slot]
        floor = float(quality[slot])
        ceiling = floor + 2 * STEP if above is None else float(quality[above])
        middle = (floor + ceiling) / 2
        if total > best and floor < middle < ceiling:
            best, place = total, middle
    return best, place


def readable_order(
    quality: Mapping[int, float], proposed: Mapping[int, Mapping[int, float]], times: Mapping[int, int],
    unguided: Mapping[int, float],
) -> dict[int, float]:  # fmt: skip
    """``kernel.ordering.put_in_order`` in plain Python.

    Args:
        quality: by slot.
        proposed: by class and slot of a rule that matches there, what it proposes is worth.
        times: by class how many decisions were met in it.
        unguided: by class what any edge is worth.

    Returns:
        The qualities after each rule was put in its place.
    """
    quality = dict(quality)
    visits = sorted(quality, key=lambda slot: (-quality[slot], slot))
    order = list(visits)
    for slot in visits:
        here = order.index(slot)
        order.remove(slot)
        gains = [0.0] * (len(order) + 1)
        for number, values in proposed.items():
            if slot in values:
                acting = next((other for other in order if other in values), None)
                place = len(order) if acting is None else order.index(acting)
                instead = unguided[number] if acting is None else values[acting]
                gains[place] += times[number] * (values[slot] - instead)
        totals, total = [0.0] * len(gains), 0.0
        for place in reversed(range(len(gains))):
            total += gains[place]
            totals[place] = total
        best, target = totals[here] + LEAST_GAIN, here
        for place in reversed(range(len(gains))):
            if totals[place] > best and place != here and _between(place, order, quality) is not None:
                best, target = totals[place], place
        middle = _between(target, order, quality)
        if target != here and middle is not None:
            quality[slot] = middle
        order.insert(target, slot)
    return quality


def _between(place: int, order: list[int], quality: Mapping[int, float]) -> float | None:
    """A quality between those of the neighbours of a place, None if there is no number between them."""
    if place == 0:
        return quality[order[0]] + BEYOND
    above = quality[order[place - 1]]
    if place == len(order):
        return above - BEYOND
    middle = (above + quality[order[place]]) / 2
    return middle if above > middle > quality[order[place]] else None
