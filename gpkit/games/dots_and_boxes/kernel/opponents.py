"""Compiled searches for exact values on large boards; compiled policies, rule lists and UCT; and complete games.

Knowledge about the game keeps the tree for exact values small (Berlekamp, "The Dots and Boxes Game", 2000; Barker and
Korf, "Solving Dots-and-Boxes", 2012). It is best to take a box immediately, except in a run of exactly two boxes with
an open end, or of exactly four boxes without one. In such a run, the player either takes the run and draws again, or
leaves it to the opponent, who takes it and has to draw again. Both choices lead to the same position of value v, so the
value is |v + 2| or |v + 4|. If there are several such runs, the player takes all except one of the shortest. These
forced moves settle a position: no further box can be taken. In a settled position, all edges of a chain are alike (in a
chain of two boxes, the inner one is the best), and so are all edges from one box to the ground. If only chains and
loops are left, ``boxes`` knows the value. The possible values of a position are all even or all odd, like the number of
boxes left. A transposition table stores the bounds that searches find for positions, as long as it has room.

The module ``boxes`` explains the arguments ``drawn`` and ``board``. The players of complete games are policies of the
ladder, rule lists or searches. The UCT search is a version of ``gpkit.gamekit.uct`` for positions as masks.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints
from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.shared import lowest, one_of, ones
from gpkit.games.dots_and_boxes.kernel.boxes import (
    acting,
    chain_through,
    closed_by,
    degree,
    is_only_chains,
    list_lengths,
    run_from,
    set_position,
    value_of_lengths,
)
from gpkit.vm.kernel.keyed import keyed_uniform

LOW, HIGH = 0, 1
"""The columns of ``bounds``."""

MIX = 0x1E3779B97F4A7C15
"""An odd multiplier that spreads positions over the places of the table."""

UNKNOWN = (1 << 63) - 1
"""The key of an empty place. The key has more edges than any board, so any position replaces it."""


class Transpositions(NamedTuple):
    """A transposition table with bounds on the values of positions.

    Attributes:
        keys: int64 (places,), where the number of places is a power of two: masks of drawn edges, or ``UNKNOWN``.
        bounds: int8 (places, 2): the lowest and the highest possible value of each position.
        searched: int64 (1,): the number of positions searched, including repeats.
    """

    keys: Ints
    bounds: NDArray[np.int8]
    searched: Ints


@inlined
def place_of(drawn, known):  # type: ignore[no-untyped-def]
    """The place of a position in the table, or the place where it can be stored if it is absent.

    Each position has two possible places. A new position goes to the first place, unless that place contains a position
    with fewer drawn edges, which took longer to search.
    """
    place = (int(drawn) * MIX >> 20) & (known.keys.shape[0] - 2)
    there = known.keys[place]
    if there == drawn or (known.keys[place + 1] != drawn and ones(drawn) <= ones(there)):
        return place
    return place + 1


@inlined
def store(drawn, goal, reached, low, high, known):  # type: ignore[no-untyped-def]
    """Store whether the value of a position reaches a goal; ``low`` and ``high`` are its bounds so far."""
    place = place_of(drawn, known)
    known.keys[place] = drawn
    known.bounds[place, LOW] = goal if reached else low
    known.bounds[place, HIGH] = high if reached else goal - 2


MOVE, SETTLED, TAKEN, RUN, ROW = range(5)
"""The columns of ``rows``: an edge to draw, and the result of ``settle`` after drawing it."""


class Alike(NamedTuple):
    """The symmetries and twin edges of a board, which make positions equivalent.

    Attributes:
        twins: int64 (pairs, 2): pairs of edges from one box to the ground, lower edge first, in the order of a bubble
            sort.
        images: int64 (symmetries, bytes, 256): the image of each byte of a mask; the first symmetry is the identity.
    """

    twins: Ints
    images: Ints


@inlined
def normal(drawn, twins):  # type: ignore[no-untyped-def]
    """The normal form of a position, in which drawn edges come first among twin edges (from one box to the ground).

    Args:
        drawn: the mask of drawn edges.
        twins: see ``Alike``.
    """
    for pair in range(twins.shape[0]):
        low, high = 1 << twins[pair, 0], 1 << twins[pair, 1]
        if drawn & high and not drawn & low:
            drawn ^= low | high
    return drawn


@inlined
def least_image(drawn, alike):  # type: ignore[no-untyped-def]
    """The lowest normal form among all rotations and reflections of a position.

    Args:
        drawn: the mask of drawn edges.
        alike: see ``Alike``.
    """
    least = normal(drawn, alike.twins)
    for symmetry in range(1, alike.images.shape[0]):
        image = 0
        for byte in range(alike.images.shape[1]):
            image |= alike.images[symmetry, byte, drawn >> 8 * byte & 0xFF]
        least = min(least, normal(image, alike.twins))
    return least


@inlined
def take_forced(drawn, board):  # type: ignore[no-untyped-def]
    """Take all boxes that it is certainly best to take immediately.

    Returns:
        The number of boxes taken, the mask afterwards, and the single run that the player may leave: its number of
        boxes (0 for no run) and the mask of its edges.
    """
    taken = 0
    while True:
        kept_length, kept_edges, kept_first = 0, 0, 0
        forced = 0
        for box in range(board.sides.shape[0]):
            if degree(drawn, box, board) != 1:
                continue
            length, edges, end = run_from(drawn, box, board)
            first = board.sides[box] & ~drawn
            if length != (2 if end < 0 else 4):
                forced = first
                break
            if kept_length == 0:
                kept_length, kept_edges, kept_first = length, edges, first
            elif edges != kept_edges:
                forced = kept_first if kept_length > length else first
                break
        if forced == 0:
            return taken, drawn, kept_length, kept_edges
        taken += closed_by(drawn, lowest(forced), board)
        drawn |= forced


@inlined
def settle(drawn, board, alike):  # type: ignore[no-untyped-def]
    """Settle a position; returns its lowest image after forced moves, the number of boxes taken, and the size of a run.

    If the settled position has the value v, the position has the value v plus the boxes taken. If there is a run, |v +
    run| takes the place of v.
    """
    taken, drawn, run, edges = take_forced(drawn, board)
    return least_image(drawn | edges, alike), taken, run


@inlined
def known_bounds(drawn, board, known, scratch):  # type: ignore[no-untyped-def]
    """The lowest and the highest possible value of a settled position, as far as they are known."""
    if is_only_chains(drawn, board):
        _, lengths, values = scratch
        chains, loops = list_lengths(drawn, board, lengths)
        value = value_of_lengths(lengths, chains, loops, values)
        return value, value
    place = place_of(drawn, known)
    if known.keys[place] == drawn:
        return int(known.bounds[place, LOW]), int(known.bounds[place, HIGH])
    left = 0
    for box in range(board.sides.shape[0]):
        left += (board.sides[box] & ~drawn) != 0
    return -left, left


@inlined
def list_moves(drawn, rows, board, twins):  # type: ignore[no-untyped-def]
    """List the edges that are worth drawing in a settled position, with the most promising edges first.

    Safe edges come first, sorted by the number of boxes that they leave with two undrawn sides, and then by the number
    of undrawn edges around them. Edges that give away a chain or a loop follow, sorted by the length of the chain or
    loop. With the edges in numerical order, the search tree of 3x4 boxes would be 2.5 times larger.

    Args:
        drawn, board: see ``boxes``.
        rows: int64 (edges, ROW); the column ``MOVE`` is written.
        twins: see ``Alike``.

    Returns:
        The number of edges listed.
    """
    skipped = drawn
    for pair in range(twins.shape[0]):
        if not drawn >> twins[pair, 0] & 1:
            skipped |= 1 << twins[pair, 1]
    count = 0
    for edge in range(board.touching.shape[0]):
        if skipped >> edge & 1:
            continue
        length, chain, inner = chain_through(drawn, edge, board)
        if length > 0:
            skipped |= chain
        around, tight = 0, 0
        for side in range(2):
            if board.touching[edge, side] >= 0:
                sides = degree(drawn, board.touching[edge, side], board)
                around += sides
                tight += sides == 3
        move = (((length + 1) * 4 - tight) * 16 - around) * 64 + (edge if inner == 0 else lowest(inner))
        place = count
        while place > 0 and rows[place - 1, MOVE] > move:
            rows[place, MOVE] = rows[place - 1, MOVE]
            place -= 1
        rows[place, MOVE] = move
        count += 1
    for place in range(count):
        rows[place, MOVE] &= 63
    return count


@kernel
def reaches(goal, drawn, depth, board, alike, known, scratch):  # type: ignore[no-untyped-def]
    """Whether the value of a settled position, for the player to draw, is at least a goal.

    The function first looks up the known bounds of the positions after all moves, and only then searches these
    positions.

    Args:
        goal: the goal.
        drawn, board: see ``boxes``.
        depth: the depth of the recursion.
        alike, known: see ``Alike`` and ``Transpositions``; the function adds its results to ``known``.
        scratch: scratch space: the moves at each depth of the recursion, int64 (edges + 1, edges, ROW); lengths, int64
            (KINDS, boxes), see ``list_lengths``; and values, int64 (boxes + 1,), see ``value_of_lengths``.
    """
    low, high = known_bounds(drawn, board, known, scratch)
    goal += (goal - low) & 1
    if goal <= low or goal > high:
        return goal <= low
    known.searched[0] += 1
    rows = scratch[0][depth]
    count = list_moves(drawn, rows, board, alike.twins)
    reached = False
    for row in range(count):
        after, taken, run = settle(drawn | 1 << rows[row, MOVE], board, alike)
        rows[row, SETTLED], rows[row, TAKEN], rows[row, RUN] = after, taken, run
        least, greatest = known_bounds(after, board, known, scratch)
        most = taken + (greatest if run == 0 else max(-least - run, greatest + run))
        if goal <= -most:
            goal, reached = -most, True
            break
    row = 0
    while row < count and not reached:
        after, run = rows[row, SETTLED], rows[row, RUN]
        enough = 1 - goal - rows[row, TAKEN]
        if run == 0:
            reached = not reaches(enough, after, depth + 1, board, alike, known, scratch)
        elif enough > 0:
            reached = not (
                reaches(enough - run, after, depth + 1, board, alike, known, scratch)
                or not reaches(1 - enough - run, after, depth + 1, board, alike, known, scratch)
            )
        row += 1
    store(drawn, goal, reached, low, high, known)
    return reached


settle_alone = kernel(settle)
"""``settle`` for callers outside the kernels."""


EDGE, MOVER, NEWEST, OLDER, UNTRIED, VISITS, COLUMNS = range(7)
"""The columns of nodes: the edge that leads to the node, and the player who drew it; the newest child, and the sibling
added before this node; the mask of edges without a child; and the number of simulations that passed through the
node."""

TOTAL, PROVED, SHARES = range(3)
"""The columns of shares: the sum of the results of the player who drew, and the searcher's proved result (or
``UNPROVED``)."""

NO_NODE = -1
UNPROVED = -1.0


class SearchTree(NamedTuple):
    """The scratch arrays of a tree search.

    Attributes:
        nodes: int64 (simulations + 1, COLUMNS).
        shares: float64 (simulations + 1, SHARES).
        logs: float64 (simulations + 1,): the natural logarithms of whole numbers; the first element is unused.
        path: int64 (edges + 1,).
        exploration: the weight of the exploration term in the confidence bound.
        counter: the counter of the keyed random numbers in the first turn.
    """

    nodes: Ints
    shares: Floats
    logs: Floats
    path: Ints
    exploration: float
    counter: int


@inlined
def _clear(node, edge, mover, older, untried, tree):  # type: ignore[no-untyped-def]
    """Write a node that no simulation has passed."""
    tree.nodes[node, EDGE] = edge
    tree.nodes[node, MOVER] = mover
    tree.nodes[node, NEWEST] = NO_NODE
    tree.nodes[node, OLDER] = older
    tree.nodes[node, UNTRIED] = untried
    tree.nodes[node, VISITS] = 0
    tree.shares[node, TOTAL] = 0.0
    tree.shares[node, PROVED] = UNPROVED


@inlined
def _own(share, player):  # type: ignore[no-untyped-def]
    """The share of a player, given the share of the searching player, who counts as player 0."""
    return share if player == 0 else 1.0 - share


@inlined
def _highest_bound(node, tree):  # type: ignore[no-untyped-def]
    """The child with the highest upper confidence bound; ties go to the child added last."""
    log = tree.logs[tree.nodes[node, VISITS]]
    best, found = -1.0, NO_NODE
    child = tree.nodes[node, NEWEST]
    while child != NO_NODE:
        visits, proved = tree.nodes[child, VISITS], tree.shares[child, PROVED]
        if proved == UNPROVED:
            bound = tree.shares[child, TOTAL] / visits + tree.exploration * np.sqrt(log / visits)
        else:
            bound = _own(proved, tree.nodes[child, MOVER])
        if bound > best:
            best, found = bound, child
        child = tree.nodes[child, OLDER]
    return found


@inlined
def _prove(node, tree):  # type: ignore[no-untyped-def]
    """Prove the result of a node from the results of its children if possible; returns whether the result is proved."""
    best, mover = UNPROVED, 0
    known = tree.nodes[node, UNTRIED] == 0
    child = tree.nodes[node, NEWEST]
    while child != NO_NODE:
        proved = tree.shares[child, PROVED]
        if proved == UNPROVED:
            known = False
        else:
            mover = tree.nodes[child, MOVER]
            best = max(best, _own(proved, mover))
        child = tree.nodes[child, OLDER]
    if best == 1.0 or (known and best != UNPROVED):
        tree.shares[node, PROVED] = _own(best, mover)
    return tree.shares[node, PROVED] != UNPROVED


@inlined
def _chosen(tree):  # type: ignore[no-untyped-def]
    """The edge of the best child of the root; see ``gpkit.gamekit.uct.choose``."""
    share, most, mean, found = UNPROVED, 0, 0.0, 0
    child = tree.nodes[0, NEWEST]
    while child != NO_NODE:
        proved, visits, edge = tree.shares[child, PROVED], tree.nodes[child, VISITS], tree.nodes[child, EDGE]
        here, its = (0.5 if proved == UNPROVED else proved), tree.shares[child, TOTAL] / visits
        if (here, visits, its, -edge) > (share, most, mean, -found):
            share, most, mean, found = here, visits, its, edge
        child = tree.nodes[child, OLDER]
    return found


@inlined
def search(drawn, lead, simulations, key, turn, board, tree):  # type: ignore[no-untyped-def]
    """The edge that the player to draw chooses.

    Args:
        drawn: the mask of drawn edges; at least one edge must be undrawn.
        lead: the number of boxes of the player to draw minus the opponent's.
        simulations: the number of simulations, at least 1.
        key: the key of the deal.
        turn: the number of drawn edges.
        board, tree: see the description of the module.
    """
    everything = (1 << board.others.shape[0]) - 1
    numbers, used, simulation = 0, 1, 0
    _clear(0, NO_NODE, NO_NODE, NO_NODE, everything & ~drawn, tree)
    while simulation < simulations and tree.shares[0, PROVED] == UNPROVED:
        position, ahead, player = drawn, lead, 0
        node, length, in_tree = 0, 1, True
        tree.path[0] = 0
        while position != everything and tree.shares[node, PROVED] == UNPROVED:
            untried = tree.nodes[node, UNTRIED] if in_tree else everything & ~position
            if untried == 0:
                node = _highest_bound(node, tree)
                edge = tree.nodes[node, EDGE]
            else:
                edge = one_of(untried, keyed_uniform(key, tree.counter + turn, numbers))
                numbers += 1
                if in_tree:
                    left = everything & ~position & ~(1 << edge)
                    _clear(used, edge, player, tree.nodes[node, NEWEST], left, tree)
                    tree.nodes[node, NEWEST] = used
                    tree.nodes[node, UNTRIED] ^= 1 << edge
                    node = used
                    used += 1
            if in_tree:
                tree.path[length] = node
                length += 1
                in_tree = untried == 0
            closed = closed_by(position, edge, board)
            position |= 1 << edge
            ahead += closed if player == 0 else -closed
            if closed == 0:
                player = 1 - player
        share = tree.shares[node, PROVED]
        if share == UNPROVED:
            share = 0.5 + 0.5 * float(int(ahead > 0) - int(ahead < 0))
            if tree.nodes[node, UNTRIED] == 0:
                tree.shares[node, PROVED] = share
        for place in range(length):
            tree.nodes[tree.path[place], VISITS] += 1
            tree.shares[tree.path[place], TOTAL] += _own(share, tree.nodes[tree.path[place], MOVER])
        place = length - 2
        while place >= 0 and tree.shares[node, PROVED] != UNPROVED and _prove(tree.path[place], tree):
            place -= 1
        simulation += 1
    return _chosen(tree)


search_alone = kernel(search)
"""``search`` for callers outside the kernels."""


RANDOM, GREEDY, SAFE, SAFE_MIN, CHAIN, CONTROL, CHAIN_8, CHAIN_12, OPTIMAL = range(9)
"""The policies in the order of ``gpkit.games.dots_and_boxes.opponents.POLICIES``."""

LEFT_OPEN, LEFT_CLOSED = 2, 4
"""The boxes that a double-deal leaves: the last two of a chain, or the last four of a loop."""

REST_EDGES = 12
"""The maximum number of undrawn edges for which a policy tries all positions."""


@inlined
def captures(drawn, board):  # type: ignore[no-untyped-def]
    """The mask of the edges that close a box."""
    found = 0
    for edge in range(board.others.shape[0]):
        if not drawn >> edge & 1 and closed_by(drawn, edge, board) > 0:
            found |= 1 << edge
    return found


@inlined
def safe_edges(drawn, board):  # type: ignore[no-untyped-def]
    """The mask of the edges that give the opponent no box to take."""
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
    """The number of boxes that can be taken, one after the other, after an edge that closes none."""
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
    """The smallest number of boxes that an edge gives away, and the mask of such edges; the board must not be full."""
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
        The number of runs; the mask of the edges that take a box of a shortest run; and for the last run, its number of
        boxes, the mask of its edges, and whether it is closed.
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
    """Whether it pays to leave the only run, because the rest of the board has only larger gifts and no safe edge."""
    rest = drawn | edges
    if rest == (1 << board.others.shape[0]) - 1 or safe_edges(rest, board) != 0:
        return False
    least, _ = smallest_gift(rest, board)
    return least > length


@inlined
def double_deal(drawn, edges, board):  # type: ignore[no-untyped-def]
    """The edge that leaves a run: the last edge of an open run of two boxes, or the middle of a closed run of four."""
    found = 0
    for edge in range(board.others.shape[0]):
        if edges >> edge & 1 and closed_by(drawn, edge, board) == 0:
            found |= 1 << edge
    return found


@inlined
def perfect(drawn, board, values):  # type: ignore[no-untyped-def]
    """The edges with the greatest margin, given the values of all positions.

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
    """The same edges as from ``perfect``, found by exhaustive search; at most ``REST_EDGES`` edges may be left.

    Args:
        drawn, board: see ``boxes``.
        rest: int8 (2^REST_EDGES,), scratch space: the values, indexed by the mask of newly drawn edges among the edges
            left.
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
    """The mask of the edges from which a policy chooses.

    Args:
        policy: RANDOM … OPTIMAL.
        drawn, board: see ``boxes``; at least one edge must be undrawn.
        values: int8 (2^edges,): the values from ``boxes.solve``, for ``OPTIMAL`` and for policies that play the rest
            perfectly. If the array is empty, these policies search exhaustively.
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
    """Write the edges from which a policy chooses in many positions.

    Args:
        policy, board, values, rest: see ``allowed``.
        positions: int64 (positions,): masks of drawn edges.
        masks: int64 (positions,), output: the edges, or 0 where the board is full.
    """
    for number in range(positions.shape[0]):
        masks[number] = 0
        if positions[number] != (1 << board.others.shape[0]) - 1:
            masks[number] = allowed(policy, positions[number], board, values, rest)


POLICY, BEGIN, END, SIMULATIONS, PLAYER = range(5)
"""The columns of players: the policy, ``BY_RULES`` or ``BY_SEARCH``; the range of the list's rules, excluding its end;
and the number of simulations of a search."""

BY_RULES, BY_SEARCH = -1, -2


@inlined
def edge_of(player, drawn, lead, key, turn, board, tables):  # type: ignore[no-untyped-def]
    """The edge that a player draws; ``lead`` is its lead in boxes, and the other arguments are as in ``play_deals``."""
    values, rest, lists, scratch, tree = tables
    if player[POLICY] == BY_SEARCH:
        return search(drawn, lead, player[SIMULATIONS], key, turn, board, tree)
    if player[POLICY] == BY_RULES:
        set_position(drawn, board, scratch)
        _, mask = acting(player[BEGIN], player[END], lead, lists, scratch)
        if mask == 0:
            mask = (1 << board.others.shape[0]) - 1 & ~drawn
    else:
        mask = allowed(player[POLICY], drawn, board, values, rest)
    return one_of(mask, keyed_uniform(key, turn, 0))


@kernel
def play_deals(keys, players, board, tables, log, margins):  # type: ignore[no-untyped-def]
    """Play every deal in both seatings.

    Args:
        keys: int64 (deals,), from 0 to 2^26 − 1, which decide between equally good edges.
        players: int64 (2, PLAYER): the two players.
        board: see ``boxes``.
        tables: two tables of perfect players, see ``allowed``; the tables of rule lists, ``boxes.Lists`` and
            ``boxes.PositionScratch``; and a ``SearchTree``.
        log: int64 (2, edges), output: the edges of the last deal's games in order.
        margins: int64 (deals, 2), output: the final lead of player 0 in boxes when it draws first, and when it draws
            second.
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
