"""Answering ``Target``: orders of squares, and players that look at what is known."""

from gpkit.core.compiled import inlined
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.kernel.fleets import window_of
from gpkit.games.battleship.kernel.gunnery import is_on_board, step_x, step_y
from gpkit.vm.keyed import keyed_uniform


@inlined
def square_in_order(counters, board, ends, key, place):  # type: ignore[no-untyped-def]
    """The square at a place of the order, which is shuffled as far as it has been asked for.

    Args:
        counters: int64 (COUNTERS,), changed.
        board: int16 (BOARDS, squares), changed: its order.
        ends: int16 (squares,): where the group of each place ends.
        key: of the player's shots, 26 bits.
        place: of at least 0.
    """
    order = board[at.ORDER]
    while counters[at.SHUFFLED] <= place:
        here = counters[at.SHUFFLED]
        left = ends[here] - here
        if left > 1:
            other = here + int(keyed_uniform(key, here, 0) * left)
            order[here], order[other] = order[other], order[here]
        counters[at.SHUFFLED] = here + 1
    return order[place]


@inlined
def put_a_ship_first(counters, board, ends, key):  # type: ignore[no-untyped-def]
    """Move a random square of a ship to the front of the order; arguments as of ``square_in_order``."""
    order = board[at.ORDER]
    wanted = int(keyed_uniform(key, 0, 2) * counters[at.TO_HIT])
    square = 0
    while True:
        if board[at.SHIP, square] != at.NO_SHIP:
            if wanted == 0:
                break
            wanted -= 1
        square += 1
    place = 0
    while order[place] != square:
        place += 1
    while place > 0:
        order[place] = order[place - 1]
        place -= 1
    order[0] = square
    counters[at.SHUFFLED] = 1


@inlined
def first_unshot(counters, board, ends, key):  # type: ignore[no-untyped-def]
    """The first square of the order that has not been shot at; arguments as of ``square_in_order``."""
    while True:
        square = square_in_order(counters, board, ends, key, counters[at.NEXT])
        if board[at.KNOWN, square] == at.UNSHOT:
            return square
        counters[at.NEXT] += 1


@inlined
def is_afloat(board, ship, rules):  # type: ignore[no-untyped-def]
    """Whether the shooter must reckon with a ship: unless it was told that this one sank."""
    return rules[at.NAMED] == 0 or board[at.LEFT, ship] > 0


@inlined
def may_lie(known, square, vertical, length, rules):  # type: ignore[no-untyped-def]
    """The open hits that a placement covers, or -1 if it leaves the board or covers a miss or a ship known as sunk."""
    width = rules[at.WIDTH]
    x, y = square % width, square // width
    if (y + length > rules[at.HEIGHT]) if vertical else (x + length > width):
        return -1
    step = width if vertical else 1
    hits = 0
    for k in range(length):
        state = known[square + k * step]
        if state == at.MISS or state == at.SUNKEN:
            return -1
        hits += state == at.OPEN
    return hits


@inlined
def lies_alone(known, placement, length, hits, rules):  # type: ignore[no-untyped-def]
    """Whether no hit lies beside a placement that covers so many, or ships may touch."""
    width, around = rules[at.WIDTH], 0
    if rules[at.TOUCH]:
        return True
    top, bottom, left, right = window_of(placement, length, 1, width, rules[at.HEIGHT])
    for row in range(top, bottom):
        for column in range(left, right):
            state = known[row * width + column]
            around += state == at.OPEN or state == at.SUNKEN
    return around == hits


@inlined
def filtered(counters, board, ends, key, rules):  # type: ignore[no-untyped-def]
    """The first unshot square of the order on which the largest ship afloat may lie, else the first unshot one."""
    first = first_unshot(counters, board, ends, key)
    longest = 0
    for ship in range(rules[at.SHIPS_COUNT]):
        if is_afloat(board, ship, rules):
            longest = max(longest, rules[at.LENGTHS + ship])
    width, known = rules[at.WIDTH], board[at.KNOWN]
    for place in range(counters[at.NEXT], known.shape[0]):
        square = square_in_order(counters, board, ends, key, place)
        if known[square] != at.UNSHOT:
            continue
        for vertical in range(2):
            step = width if vertical else 1
            room = square // width if vertical else square % width
            for back in range(min(longest - 1, room) + 1):
                if may_lie(known, square - back * step, vertical, longest, rules) >= 0:
                    return square
    return first


@inlined
def is_open(known, x, y, rules):  # type: ignore[no-untyped-def]
    """Whether (x, y) is on the board and an open hit."""
    return is_on_board(x, y, rules) and known[y * rules[at.WIDTH] + x] == at.OPEN


@inlined
def hunted(counters, board, ends, key, rules):  # type: ignore[no-untyped-def]
    """The first square of the order that continues a line of open hits, else one beside an open hit, else any."""
    first = first_unshot(counters, board, ends, key)
    if counters[at.OPEN_HITS] == 0:
        return first
    known, width = board[at.KNOWN], rules[at.WIDTH]
    beside = -1
    for place in range(counters[at.NEXT], known.shape[0]):
        square = square_in_order(counters, board, ends, key, place)
        if known[square] != at.UNSHOT:
            continue
        x, y = square % width, square // width
        for direction in range(4):
            dx, dy = step_x(direction), step_y(direction)
            if is_open(known, x + dx, y + dy, rules):
                if is_open(known, x + 2 * dx, y + 2 * dy, rules):
                    return square
                if beside < 0:
                    beside = square
    return beside if beside >= 0 else first


@inlined
def densest(counters, board, ends, key, weighted, weights, values, rules):  # type: ignore[no-untyped-def]
    """The unshot square that placements of ships afloat cover most, the first of the order among equals.

    Args:
        weighted: whether placements have weights; else all weigh the same.
        weights: float64 (2 · ships, squares): by ship, horizontal before vertical.
        values: float64 (squares,), scratch.
        others: as of ``square_in_order``, and the rules.
    """
    known = board[at.KNOWN]
    values[:] = 0.0
    for ship in range(rules[at.SHIPS_COUNT]):
        if is_afloat(board, ship, rules):
            of_ship = weights[2 * ship : 2 * ship + 2]
            length, on_hits = rules[at.LENGTHS + ship], counters[at.OPEN_HITS] > 0
            _weigh_placements(values, known, length, on_hits, weighted, of_ship, rules)
    best = first_unshot(counters, board, ends, key)
    for place in range(counters[at.NEXT], known.shape[0]):
        square = square_in_order(counters, board, ends, key, place)
        if known[square] == at.UNSHOT and values[square] > values[best]:
            best = square
    return best


@inlined
def _weigh_placements(values, known, length, on_hits, weighted, weights, rules):  # type: ignore[no-untyped-def]
    """Add the weight of every placement of one ship to its squares; with ``on_hits`` only those that cover a hit.

    ``weights``: float64 (2, squares), horizontal before vertical, if the placements are ``weighted``.
    """
    width = rules[at.WIDTH]
    for square in range(known.shape[0]):
        for vertical in range(2):
            hits = may_lie(known, square, vertical, length, rules)
            if hits < 0 or (on_hits and hits == 0):
                continue
            value = float(1 << (4 * min(hits, at.LARGEST_EXPONENT)))
            if weighted:
                value *= weights[vertical, square]
            step = width if vertical else 1
            for k in range(length):
                values[square + k * step] += value
            if length == 1:
                break


@inlined
def target(seat, agent, key, kind, agents, scratch, rules):  # type: ignore[no-untyped-def]
    """The square that a targeting player of this kind names, or an agent that remembers; arguments as of ``act``.

    Nothing is known anew within a turn, so the answer is kept.
    """
    counters, board, ends = scratch.counters[seat], scratch.boards[seat], agents.orders[agent, 1]
    if counters[at.ANSWERED] != counters[at.TURNS] + 1:
        counters[at.ANSWERED] = counters[at.TURNS] + 1
        if agents.remembers[agent] or kind == at.DENSITY:
            weighted, weights = agents.remembers[agent], scratch.weights[agent]
            answer = densest(counters, board, ends, key, weighted, weights, scratch.values, rules)
        elif kind == at.FILTER:
            answer = filtered(counters, board, ends, key, rules)
        elif kind == at.HUNT:
            answer = hunted(counters, board, ends, key, rules)
        else:
            answer = first_unshot(counters, board, ends, key)
        counters[at.ANSWER] = answer
    return counters[at.ANSWER]
