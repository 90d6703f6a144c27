"""Exact results of games between policies, on the classes of a board, from the end to the beginning.

In all of this file ``successors`` is int32 (classes, edges) and ``closed`` int8 (classes, edges) as in
``gpkit.games.dots_and_boxes.classes``, ``done`` int8 (classes,) how many boxes are closed, and ``values`` float64
(classes, 2, 2 · boxes + 1): by class, player to draw and lead of player 0 plus ``boxes`` the expected result of
player 0, 1 for a win and ½ for a tie, written for the leads that so many closed boxes allow. ``first`` and ``second``
are int64 (classes, leads), the edges among which player 0 and player 1 choose, by the lead that each has itself, plus
``boxes``; or (classes, 1) if they are the same with every lead.
"""

from gpkit.core.compiled import inlined, kernel

WIN, TIE, LOSS = 1.0, 0.5, 0.0


@inlined
def finish(values):  # type: ignore[no-untyped-def]
    """Write the results of the last class, in which the board is full."""
    last, boxes = values.shape[0] - 1, values.shape[2] // 2
    for player in range(2):
        for lead in range(values.shape[2]):
            values[last, player, lead] = WIN if lead > boxes else LOSS if lead < boxes else TIE


@inlined
def following(number, player, lead, edge, successors, closed, values):  # type: ignore[no-untyped-def]
    """The expected result after a player has drawn an edge."""
    gained = closed[number, edge]
    if gained == 0:
        return values[successors[number, edge], 1 - player, lead]
    after = lead + gained if player == 0 else lead - gained
    return values[successors[number, edge], player, after]


@inlined
def average(number, player, lead, mask, successors, closed, values):  # type: ignore[no-untyped-def]
    """The expected result when a player draws any edge of a mask, all equally likely."""
    total, count = 0.0, 0
    for edge in range(successors.shape[1]):
        if mask >> edge & 1:
            total += following(number, player, lead, edge, successors, closed, values)
            count += 1
    return total / count


@inlined
def chosen(number, player, lead, first, second, values):  # type: ignore[no-untyped-def]
    """The edges among which a player chooses; the lead is that of player 0, plus the number of boxes."""
    if player == 0:
        return first[number, lead if first.shape[1] > 1 else 0]
    return second[number, values.shape[2] - 1 - lead if second.shape[1] > 1 else 0]


@kernel
def play_policies(successors, closed, done, first, second, values):  # type: ignore[no-untyped-def]
    """The expected result of one policy against another.

    Args:
        successors, closed, done, first, second: see above.
        values: see above; written.
    """
    finish(values)
    boxes = values.shape[2] // 2
    for number in range(values.shape[0] - 2, -1, -1):
        for player in range(2):
            for lead in range(boxes - done[number], boxes + done[number] + 1, 2):
                mask = chosen(number, player, lead, first, second, values)
                values[number, player, lead] = average(number, player, lead, mask, successors, closed, values)


@kernel
def respond(successors, closed, done, second, values):  # type: ignore[no-untyped-def]
    """The expected result of the best possible player 0 against a policy.

    Args:
        successors, closed, done, second: see above.
        values: see above; written.
    """
    finish(values)
    boxes = values.shape[2] // 2
    for number in range(values.shape[0] - 2, -1, -1):
        for lead in range(boxes - done[number], boxes + done[number] + 1, 2):
            best = LOSS
            for edge in range(successors.shape[1]):
                if successors[number, edge] >= 0:
                    best = max(best, following(number, 0, lead, edge, successors, closed, values))
            values[number, 0, lead] = best
            mask = chosen(number, 1, lead, second, second, values)
            values[number, 1, lead] = average(number, 1, lead, mask, successors, closed, values)
