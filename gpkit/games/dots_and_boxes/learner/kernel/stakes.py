"""The worth of every edge that a player could draw, against a policy and with the probabilities of their games."""

from gpkit.core.compiled import kernel
from gpkit.games.dots_and_boxes.kernel.exact import following
from gpkit.games.dots_and_boxes.learner.kernel.selection import MINE


@kernel
def add_stakes(classes, met, chances, values, weight, stakes):  # type: ignore[no-untyped-def]
    """Add the share of the expected result that passes through each class and edge, if the player draws that edge.

    Args:
        classes: see ``kernel.selection``.
        met, chances: as ``kernel.selection.play_out`` writes them.
        values: float64 (classes, 2, 2 · boxes + 1): the expected results from there, as ``kernel.exact.play_policies``
            writes them.
        weight: what is added is multiplied by it.
        stakes: float64 (classes, edges), added to where the player can be to draw.
    """
    done, successors, closed, _, _ = classes
    boxes = chances.shape[2] // 2
    for number in range(successors.shape[0] - 1):
        if met[number] & MINE == 0:
            continue
        for edge in range(successors.shape[1]):
            if successors[number, edge] < 0:
                continue
            total = 0.0
            for lead in range(boxes - done[number], boxes + done[number] + 1, 2):
                chance = chances[number, 0, lead]
                if chance > 0.0:
                    total += chance * following(number, 0, lead, edge, successors, closed, values)
            stakes[number, edge] += weight * total


@kernel
def mean_stakes(numbers, masks, stakes, found):  # type: ignore[no-untyped-def]
    """Find what any edge of a mask is worth, all equally likely.

    Args:
        numbers: int64 (some,): classes.
        masks: int64 (some,): edges of each.
        stakes: float64 (classes, edges).
        found: float64 (some,), written: the means, 0 where there is no edge.
    """
    for place in range(numbers.shape[0]):
        mask, total, count = masks[place], 0.0, 0
        for edge in range(stakes.shape[1]):
            if mask >> edge & 1:
                total += stakes[numbers[place], edge]
                count += 1
        found[place] = total / max(count, 1)
