"""The expected result of a rule list against a policy, on the classes that their games can meet alone.

Besides, the worth of every edge that a player could draw, with the probabilities of these games.

In all of this file ``classes`` are those of the board, a ``kernel.classes.Classes``; ``proposed`` is int32
(classes, rules), the edges that each rule of a pool proposes in a class, 0 where it does not match; ``order`` is
int64 (length,), a list: rules of the pool by precedence.
"""

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import ones
from gpkit.games.dots_and_boxes.kernel.classes import following
from gpkit.games.dots_and_boxes.learner.kernel.learning import mean_of

MINE, OTHERS = 1, 2
"""Bits of a class that can be met: with the player of the list to draw, and with the opponent."""

START, TIE = 0.5, 0.5


@inlined
def first_match(number, order, proposed, classes):  # type: ignore[no-untyped-def]
    """Proposal of the first rule of a list that matches in a class, or all legal edges."""
    for rule in order:
        mask = proposed[number, rule]
        if mask != 0:
            return mask
    return classes.legal[number]


@inlined
def pass_on(number, player, mask, classes, met, chances):  # type: ignore[no-untyped-def]
    """Add the chances of a class, with a player to draw any edge of a mask, to those of the classes that follow."""
    done, successors = classes.done, classes.successors
    boxes, count = chances.shape[2] // 2, ones(mask)
    for edge in range(successors.shape[1]):
        if mask >> edge & 1 == 0:
            continue
        after, gained = successors[number, edge], classes.closed[number, edge]
        if met[after] == 0:
            for lead in range(boxes - done[after], boxes + done[after] + 1):
                chances[after, 0, lead] = chances[after, 1, lead] = 0.0
        next_player = player if gained > 0 else 1 - player
        more = gained if player == 0 else -gained
        met[after] |= MINE if next_player == 0 else OTHERS
        for lead in range(boxes - done[number], boxes + done[number] + 1):
            chances[after, next_player, lead + more] += chances[number, player, lead] / count


@kernel
def play_out(order, proposed, classes, replies, met, chances, choices):  # type: ignore[no-untyped-def]
    """The expected result of the list, 1 for a win and ½ for a tie, with a random starting player.

    Args:
        order, proposed, classes: see above.
        replies: int64 (classes,): the edges among which the opponent chooses.
        met: uint8 (classes,), written: with whom to draw a class can be met, ``MINE`` and ``OTHERS``.
        chances: float64 (classes, 2, 2 · boxes + 1), written where a class is met: by player to draw, and lead of the
            list plus ``boxes``, how probable that is.
        choices: int64 (classes,), written where a class is met with the list to draw: the edges it chooses among.
    """
    last, boxes = classes.successors.shape[0] - 1, chances.shape[2] // 2
    met[:] = 0
    met[0] = MINE | OTHERS
    chances[0, 0, boxes] = chances[0, 1, boxes] = START
    for number in range(last):
        if met[number] & MINE:
            choices[number] = first_match(number, order, proposed, classes)
            pass_on(number, 0, choices[number], classes, met, chances)
        if met[number] & OTHERS:
            pass_on(number, 1, replies[number], classes, met, chances)
    won = 0.0
    for player in range(2):
        won += TIE * chances[last, player, boxes]
        for lead in range(boxes + 1, 2 * boxes + 1):
            won += chances[last, player, lead]
    return won


@kernel
def differs(order, proposed, classes, met, choices):  # type: ignore[no-untyped-def]
    """Whether a list chooses otherwise in a class that was met with another one to draw.

    Args:
        order, proposed, classes: see above.
        met, choices: of ``play_out`` for the other one.
    """
    for number in range(met.shape[0] - 1):
        if met[number] & MINE and first_match(number, order, proposed, classes) != choices[number]:
            return True
    return False


@kernel
def add_stakes(classes, met, chances, values, weight, stakes):  # type: ignore[no-untyped-def]
    """Add the share of the expected result that passes through each class and edge, if the player draws that edge.

    Args:
        classes: see above.
        met, chances: as ``play_out`` writes them.
        values: float64 (classes, 2, 2 · boxes + 1): the expected results from there, as
            ``kernel.classes.play_policies`` writes them.
        weight: what is added is multiplied by it.
        stakes: float64 (classes, edges), added to where the player can be to draw.
    """
    done, successors = classes.done, classes.successors
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
                    total += chance * following(number, 0, lead, edge, classes, values)
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
        found[place] = mean_of(masks[place], stakes[numbers[place]]) if masks[place] else 0.0
