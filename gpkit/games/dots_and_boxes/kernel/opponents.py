"""The ladder of opponents on masks: each gives the edges among which it chooses; and whole games between players.

See ``boxes`` for ``drawn`` and ``board``. Players are policies of the ladder, rule lists or searches.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import lowest, one_of, ones
from gpkit.games.dots_and_boxes.kernel.boxes import closed_by, degree, run_from
from gpkit.games.dots_and_boxes.kernel.positions import Lists, PositionScratch, acting, set_position
from gpkit.games.dots_and_boxes.kernel.uct import Tree, search
from gpkit.vm.keyed import keyed_uniform

RANDOM, GREEDY, SAFE, SAFE_MIN, CHAIN, CONTROL, CHAIN_8, CHAIN_12, OPTIMAL = range(9)
"""The policies in the order of ``gpkit.games.dots_and_boxes.opponents.POLICIES``."""

LEFT_OPEN, LEFT_CLOSED = 2, 4
"""The boxes that a double-deal leaves: the last two of a chain, the last four of a loop."""

REST_EDGES = 12
"""The most edges for which all positions are tried at once."""


@inlined
def captures(drawn, board):  # type: ignore[no-untyped-def]
    """The edges that close a box."""
    found = 0
    for edge in range(board.others.shape[0]):
        if not drawn >> edge & 1 and closed_by(drawn, edge, board) > 0:
            found |= 1 << edge
    return found


@inlined
def safe_edges(drawn, board):  # type: ignore[no-untyped-def]
    """The edges after which none of their boxes can be taken."""
    found = 0
    for edge in range(board.touching.shape[0]):
        one, other = board.touching[edge, 0], board.touching[edge, 1]
        if drawn >> edge & 1 or degree(drawn, one, board) < 3:
            continue
        if other < 0 or degree(drawn, other, board) >= 3:
            found |= 1 << edge
    return found


@inlined
def gift(drawn, edge, board):  # type: ignore[no-untyped-def]
    """Number of boxes that can be taken, one after the other, when this edge is drawn and closes none."""
    drawn |= 1 << edge
    taken = 0
    more = True
    while more:
        more = False
        for box in range(board.sides.shape[0]):
            left = board.sides[box] & ~drawn
            if left and not left & (left - 1):
                taken += closed_by(drawn, lowest(left), board)
                drawn |= left
                more = True
    return taken


@inlined
def smallest_gift(drawn, board):  # type: ignore[no-untyped-def]
    """The least number of boxes that can be given away, and the mask of the edges that do; not on a full board."""
    least, found = board.sides.shape[0] + 1, 0
    for edge in range(board.others.shape[0]):
        if drawn >> edge & 1:
            continue
        boxes = gift(drawn, edge, board)
        if boxes < least:
            least, found = boxes, 0
        if boxes == least:
            found |= 1 << edge
    return least, found


@inlined
def survey(drawn, board):  # type: ignore[no-untyped-def]
    """The runs of a position.

    Returns:
        Their number, the mask of the edges that take a box of a shortest one, and of the last one the boxes, the mask
        of the edges, and whether it is closed.
    """
    count, least, starts = 0, board.sides.shape[0] + 1, 0
    last_length, last_edges, last_closed = 0, 0, False
    for box in range(board.sides.shape[0]):
        if degree(drawn, box, board) != 1:
            continue
        length, edges, end = run_from(drawn, box, board)
        if length < least:
            least, starts = length, 0
        if length == least:
            starts |= board.sides[box] & ~drawn
        if end < 0 or box < end:
            count += 1
            last_length, last_edges, last_closed = length, edges, end >= 0
    return count, starts, last_length, last_edges, last_closed


@inlined
def pays(drawn, length, edges, board):  # type: ignore[no-untyped-def]
    """Whether to leave the only run: the rest of the board has no safe edge and only larger gifts."""
    rest = drawn | edges
    if rest == (1 << board.others.shape[0]) - 1 or safe_edges(rest, board) != 0:
        return False
    least, _ = smallest_gift(rest, board)
    return least > length


@inlined
def double_deal(drawn, edges, board):  # type: ignore[no-untyped-def]
    """The edge that leaves a run: of an open one of two boxes the last, of a closed one of four the middle one."""
    found = 0
    for edge in range(board.others.shape[0]):
        if edges >> edge & 1 and closed_by(drawn, edge, board) == 0:
            found |= 1 << edge
    return found


@inlined
def perfect(drawn, board, values):  # type: ignore[no-untyped-def]
    """The edges that bring the greatest margin, by the values of what follows.

    Args:
        drawn, board: see ``boxes``.
        values: int8 (2^edges,): see ``boxes.solve``.
    """
    best, found = -128, 0
    for edge in range(board.others.shape[0]):
        if drawn >> edge & 1:
            continue
        closed = closed_by(drawn, edge, board)
        after = values[drawn | 1 << edge]
        value = closed + after if closed > 0 else -after
        if value > best:
            best, found = value, 0
        if value == best:
            found |= 1 << edge
    return found


@inlined
def perfect_rest(drawn, board, rest):  # type: ignore[no-untyped-def]
    """As ``perfect``, trying everything; at most ``REST_EDGES`` edges are left.

    Args:
        drawn, board: see ``boxes``.
        rest: int8 (2^REST_EDGES,), scratch: values by the mask of the edges drawn among those that are left.
    """
    left = (1 << board.others.shape[0]) - 1 & ~drawn
    found = 0
    extra = left
    for number in range((1 << ones(left)) - 1, -1, -1):
        position = drawn | extra
        best, place = -128, 0
        for edge in range(board.others.shape[0]):
            if not left >> edge & 1:
                continue
            if not extra >> edge & 1:
                closed = closed_by(position, edge, board)
                after = rest[number | 1 << place]
                value = closed + after if closed > 0 else -after
                if value > best:
                    best, found = value, 0
                if value == best:
                    found |= 1 << edge
            place += 1
        rest[number] = best if extra != left else 0
        extra = (extra - 1) & left
    return found


@inlined
def allowed(policy, drawn, board, values, rest):  # type: ignore[no-untyped-def]
    """The mask of the edges among which a policy chooses.

    Args:
        policy: RANDOM … OPTIMAL.
        drawn, board: see ``boxes``; not all edges are drawn.
        values: int8 (2^edges,), see ``boxes.solve``: read by ``OPTIMAL``, and by those that play the rest perfectly;
            for these it may be empty, then they try everything.
        rest: see ``perfect_rest``.
    """
    undrawn = (1 << board.others.shape[0]) - 1 & ~drawn
    if policy == RANDOM:
        return undrawn
    if policy == OPTIMAL:
        return perfect(drawn, board, values)
    if policy > CONTROL:
        if ones(undrawn) <= (8 if policy == CHAIN_8 else REST_EDGES):
            if values.shape[0] > 0:
                return perfect(drawn, board, values)
            return perfect_rest(drawn, board, rest)
        policy = CHAIN
    if policy >= CHAIN:
        count, starts, length, edges, closed = survey(drawn, board)
        may_leave = (length == LEFT_OPEN and not closed) or (
            length == LEFT_CLOSED and closed and policy == CONTROL
        )
        if count == 1 and may_leave and pays(drawn, length, edges, board):
            return double_deal(drawn, edges, board)
        if policy == CONTROL and count > 0:
            return starts
    found = captures(drawn, board)
    if found == 0 and policy >= SAFE:
        found = safe_edges(drawn, board)
    if found == 0 and policy >= SAFE_MIN:
        least, found = smallest_gift(drawn, board)
        if policy == CONTROL and least == LEFT_OPEN:
            between = 0
            for edge in range(board.touching.shape[0]):
                one, other = board.touching[edge, 0], board.touching[edge, 1]
                if (
                    found >> edge & 1
                    and other >= 0
                    and degree(drawn, one, board) == degree(drawn, other, board) == 2
                ):
                    between |= 1 << edge
            if between:  # of gifts of two boxes the edge between them leaves no double-deal
                found = between
    return undrawn if found == 0 else found


@kernel
def choices(policy, positions, board, values, rest, masks):  # type: ignore[no-untyped-def]
    """The edges among which a policy chooses, in many positions.

    Args:
        policy, board, values, rest: see ``allowed``.
        positions: int64 (positions,): masks of drawn edges.
        masks: int64 (positions,), written; 0 where the board is full.
    """
    for number in range(positions.shape[0]):
        masks[number] = 0
        if positions[number] != (1 << board.others.shape[0]) - 1:
            masks[number] = allowed(policy, positions[number], board, values, rest)


POLICY, BEGIN, END, SIMULATIONS, PLAYER = range(5)
"""Columns of players: the policy, see above, ``BY_RULES`` or ``BY_SEARCH``; the rules of the list, half open; and the
simulations of a search."""

BY_RULES, BY_SEARCH = -1, -2


class PlayTables(NamedTuple):
    """Tables of players: what they look up, and their scratch.

    Attributes:
        values, rest: of perfect players, see ``allowed``.
        lists, scratch: of rule lists, see ``positions.Lists`` and ``positions.PositionScratch``.
        tree: of searches.
    """

    values: NDArray[np.int8]
    rest: NDArray[np.int8]
    lists: Lists
    scratch: PositionScratch
    tree: Tree


@inlined
def edge_of(player, drawn, lead, key, turn, board, tables):  # type: ignore[no-untyped-def]
    """The edge that a player draws; see ``play_deals``, and ``lead`` is how many boxes it is ahead."""
    if player[POLICY] == BY_SEARCH:
        return search(drawn, lead, player[SIMULATIONS], key, turn, board, tables.tree)
    if player[POLICY] == BY_RULES:
        set_position(drawn, board, tables.scratch)
        _, mask = acting(player[BEGIN], player[END], lead, tables.lists, tables.scratch)
        if mask == 0:
            mask = (1 << board.others.shape[0]) - 1 & ~drawn
    else:
        mask = allowed(player[POLICY], drawn, board, tables.values, tables.rest)
    return one_of(mask, keyed_uniform(key, turn, 0))


@kernel
def play_deals(keys, players, board, tables, log, margins):  # type: ignore[no-untyped-def]
    """Play every deal in both seatings.

    Args:
        keys: int64 (deals,), of at least 0 and below 2^26: they decide between edges that a player likes equally.
        players: int64 (2, PLAYER).
        board: see ``boxes``.
        tables: of the players.
        log: int64 (2, edges), written: the edges of the last deal's games in order.
        margins: int64 (deals, 2), written: by how many boxes player 0 is ahead in the end, where it draws first, and
            where it draws second.
    """
    edges = board.others.shape[0]
    for deal in range(keys.shape[0]):
        for rotation in range(2):
            drawn, player, margin = 0, rotation, 0
            for turn in range(edges):
                lead = margin if player == 0 else -margin
                edge = edge_of(players[player], drawn, lead, keys[deal], turn, board, tables)
                closed = closed_by(drawn, edge, board)
                drawn |= 1 << edge
                log[rotation, turn] = edge
                margin += closed if player == 0 else -closed
                if closed == 0:
                    player = 1 - player
            margins[deal, rotation] = margin
