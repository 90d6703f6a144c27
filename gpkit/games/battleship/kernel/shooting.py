"""Compiled functions that draw fleets, carry out the instructions of programs, and answer ``Target``."""

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.shared import one_of
from gpkit.games.battleship.kernel import layout as at
from gpkit.vm.kernel.keyed import keyed_uniform


@inlined
def window_of(placement, length, margin, width, height):  # type: ignore[no-untyped-def]
    """The rows and columns on the board that a placement and a margin around it cover: (top, bottom, left, right).

    The bottom row and the right column are not included.
    """
    square = placement >> 1
    x, y = square % width, square // width
    right, bottom = (x + 1, y + length) if placement & 1 else (x + length, y + 1)
    top, left = max(y - margin, 0), max(x - margin, 0)
    return top, min(bottom + margin, height), left, min(right + margin, width)


@inlined
def can_lie(ships, placement, length, rules):  # type: ignore[no-untyped-def]
    """True if no ship lies on the squares of a placement or, if ships may not touch, beside them.

    Args:
        ships: int16 (squares,): the ship on each square, or −1.
        placement: 2 · first square, plus 1 if vertical; the placement must be on the board.
        length: the number of squares of the ship.
        rules: int64; see ``layout``.
    """
    width, margin = rules[at.WIDTH], 0 if rules[at.TOUCH] else 1
    top, bottom, left, right = window_of(placement, length, margin, width, rules[at.HEIGHT])
    for row in range(top, bottom):
        for column in range(left, right):
            if ships[row * width + column] != at.NO_SHIP:
                return False
    return True


@inlined
def put(ships, placement, length, ship, rules):  # type: ignore[no-untyped-def]
    """Write ``ship`` on the squares of a placement; −1 removes the ship."""
    step = rules[at.WIDTH] if placement & 1 else 1
    square = placement >> 1
    for k in range(length):
        ships[square + k * step] = ship


@inlined
def drawn(sums, u):  # type: ignore[no-untyped-def]
    """The first index whose running sum exceeds u times the total, found by bisection."""
    wanted = u * sums[-1]
    low, high = 0, sums.shape[0] - 1
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@inlined
def draw_fleet(ships, placements, sums, redraw, keys, rules):  # type: ignore[no-untyped-def]
    """Draw a fleet on an empty board; returns whether one was found.

    Args:
        ships: int16 (squares,), all -1; output.
        placements: int64 (ships,), output: the placement of each ship.
        sums: float64 (ships, 2 · squares): the running sums of placement weights for each ship.
        redraw: the part that is drawn again if a ship does not fit, ``WHOLE_FLEET`` or ``SHIP_ALONE``.
        keys: int64 (KEYS,).
        rules: int64; see ``layout``.
    """
    count = rules[at.SHIPS_COUNT]
    if redraw == at.SHIP_ALONE:
        return move_fleet(ships, placements, sums, 0, keys, rules)
    for attempt in range(at.ATTEMPTS):
        lying = 0
        while lying < count:
            u = keyed_uniform(keys[at.FLEET_KEY], attempt, (keys[at.FLEET_EXTRA] << at.SHIP_BITS) + lying)
            placement = drawn(sums[lying], u)
            length = rules[at.LENGTHS + lying]
            if not can_lie(ships, placement, length, rules):
                break
            put(ships, placement, length, lying, rules)
            placements[lying] = placement
            lying += 1
        if lying == count:
            return True
        for ship in range(lying):
            put(ships, placements[ship], rules[at.LENGTHS + ship], at.NO_SHIP, rules)
    return move_fleet(ships, placements, sums, at.SWEEPS, keys, rules)


@inlined
def move_fleet(ships, placements, sums, sweeps, keys, rules):  # type: ignore[no-untyped-def]
    """Draw a fleet ship by ship, then move each ship ``sweeps`` times; see ``draw_fleet`` for the other arguments."""
    attempt = at.ATTEMPTS
    restarts, sweep = 0, 0
    while sweep <= sweeps:
        for ship in range(rules[at.SHIPS_COUNT]):
            length = rules[at.LENGTHS + ship]
            if sweep > 0:
                put(ships, placements[ship], length, at.NO_SHIP, rules)
            found = False
            for _ in range(at.TRIES):
                u = keyed_uniform(keys[at.FLEET_KEY], attempt, (keys[at.FLEET_EXTRA] << at.SHIP_BITS) + ship)
                placement = drawn(sums[ship], u)
                attempt += 1
                if can_lie(ships, placement, length, rules):
                    placements[ship] = placement
                    found = True
                    break
            if not found and sweep == 0:
                ships[:] = at.NO_SHIP
                restarts += 1
                sweep = -1
                if restarts > at.RESTARTS:
                    return False
                break
            put(ships, placements[ship], length, ship, rules)
        sweep += 1
    return True


@kernel
def draw_fleets(found, ships, sums, redraw, keys, rules):  # type: ignore[no-untyped-def]
    """Draw the fleet for each key, and stop at the first key without a fleet; returns the number of fleets.

    Args:
        found: int64 (fleets, ships), output: the placements of each fleet.
        ships: int16 (squares,), scratch space.
        sums: float64 (ships, 2 · squares): the running sums of placement weights for each ship.
        redraw: see ``draw_fleet``.
        keys: int64 (fleets, KEYS).
        rules: int64; see ``layout``.
    """
    for k in range(keys.shape[0]):
        ships[:] = at.NO_SHIP
        if not draw_fleet(ships, found[k], sums, redraw, keys[k], rules):
            return k
    return keys.shape[0]


@inlined
def column_of(position):  # type: ignore[no-untyped-def]
    """The x coordinate of a position."""
    whole = int(position)
    return whole - (((whole + at.PITCH // 2) >> at.PITCH_BITS) << at.PITCH_BITS)


@inlined
def row_of(position):  # type: ignore[no-untyped-def]
    """The y coordinate of a position."""
    return (int(position) + at.PITCH // 2) >> at.PITCH_BITS


@inlined
def step_x(direction):  # type: ignore[no-untyped-def]
    """The number of columns by which a step in a direction moves east: −1, 0 or 1."""
    return (direction == at.EAST) - (direction == at.WEST)


@inlined
def step_y(direction):  # type: ignore[no-untyped-def]
    """The number of rows by which a step in a direction moves south: −1, 0 or 1."""
    return (direction == at.SOUTH) - (direction == at.NORTH)


@inlined
def is_on_board(x, y, rules):  # type: ignore[no-untyped-def]
    """True if a square is on the board."""
    return 0 <= x < rules[at.WIDTH] and 0 <= y < rules[at.HEIGHT]


@inlined
def move_forward(memory, edge, rules):  # type: ignore[no-untyped-def]
    """Carry out ``MoveFwd``: move the target one square in its direction.

    Args:
        memory: float64 (slots,): the registers, modified in place.
        edge: LEAVE, CLAMP or TORUS.
        rules: int64; see ``layout``.
    """
    direction = int(memory[at.TARGET_DIR])
    x = column_of(memory[at.TARGET_POS]) + step_x(direction)
    y = row_of(memory[at.TARGET_POS]) + step_y(direction)
    if edge == at.CLAMP:
        x = min(max(x, 0), rules[at.WIDTH] - 1)
        y = min(max(y, 0), rules[at.HEIGHT] - 1)
    elif edge == at.TORUS:
        x = (x + rules[at.WIDTH]) % rules[at.WIDTH]
        y = (y + rules[at.HEIGHT]) % rules[at.HEIGHT]
    memory[at.TARGET_POS] = float(y * at.PITCH + x)


@inlined
def free_directions(memory, known, rules):  # type: ignore[no-untyped-def]
    """The mask of the directions in which the next square is on the board and unshot."""
    x, y = column_of(memory[at.TARGET_POS]), row_of(memory[at.TARGET_POS])
    mask = 0
    for direction in range(4):
        to_x, to_y = x + step_x(direction), y + step_y(direction)
        if is_on_board(to_x, to_y, rules) and known[to_y * rules[at.WIDTH] + to_x] == at.UNSHOT:
            mask |= 1 << direction
    return mask


@inlined
def draw_direction(memory, counters, known, kind, switch, key, rules):  # type: ignore[no-untyped-def]
    """Carry out ``RandDir``, ``VertDir`` or ``HorzDir``.

    Args:
        memory: float64 (slots,): the registers, modified in place.
        counters: int64 (COUNTERS,), modified in place.
        known: int16 (squares,).
        kind: the mask of the instruction's directions.
        switch: UNSHOT_DIRECTIONS, UNUSED_DIRECTIONS, ANY_DIRECTIONS or UNSHOT_OR_ALL_DIRECTIONS.
        key: the key of the player's shots, 26 bits.
        rules: int64; see ``layout``.
    """
    mask = kind
    if switch in (at.UNSHOT_DIRECTIONS, at.UNSHOT_OR_ALL_DIRECTIONS):
        free = free_directions(memory, known, rules)
        if free & kind:
            mask = free & kind
        elif free:
            mask = free
        elif switch == at.UNSHOT_OR_ALL_DIRECTIONS:
            mask = at.ANY_DIRECTION
    elif switch == at.UNUSED_DIRECTIONS and kind & ~counters[at.USED]:
        mask = kind & ~counters[at.USED]
    direction = one_of(mask, keyed_uniform(key, counters[at.DRAWS], 1))
    counters[at.DRAWS] += 1
    counters[at.USED] |= 1 << direction
    memory[at.TARGET_DIR] = float(direction)


@inlined
def is_ahead(memory, known, opcode, rules):  # type: ignore[no-untyped-def]
    """The value of ``IfEdge`` or ``IfKnown`` for the square one step ahead of the target."""
    direction = int(memory[at.TARGET_DIR])
    x = column_of(memory[at.TARGET_POS]) + step_x(direction)
    y = row_of(memory[at.TARGET_POS]) + step_y(direction)
    on_board = is_on_board(x, y, rules)
    if opcode == at.IF_EDGE:
        return not on_board
    return on_board and known[y * rules[at.WIDTH] + x] != at.UNSHOT


@inlined
def attribute(board, square, length, rules):  # type: ignore[no-untyped-def]
    """Mark a straight run of open hits through the square as a sunk ship; returns the number of squares marked."""
    known, width = board[at.KNOWN], rules[at.WIDTH]
    x, y = square % width, square // width
    for vertical in range(2):
        step = width if vertical else 1
        place, size = (y, rules[at.HEIGHT]) if vertical else (x, width)
        for back in range(min(length - 1, place), -1, -1):
            if place - back + length > size:
                continue
            start = square - back * step
            run = 0
            while run < length and known[start + run * step] == at.OPEN:
                run += 1
            if run == length:
                for k in range(length):
                    known[start + k * step] = at.SUNKEN
                return length
    return 0


@inlined
def shoot(memory, counters, board, row, rules):  # type: ignore[no-untyped-def]
    """Carry out ``Shoot``; returns the square if it cost a turn, −1 if it was free, −2 if it cost a turn off the board.

    Args:
        memory: float64 (slots,): the registers, modified in place.
        counters: int64 (COUNTERS,), modified in place.
        board: int16 (BOARDS, squares), modified in place.
        row: uint32 (5,): the row of the code, with the switches ``off-board`` and ``known``.
        rules: int64; see ``layout``.
    """
    x, y = column_of(memory[at.TARGET_POS]), row_of(memory[at.TARGET_POS])
    memory[at.TARGET_HIT] = 0.0
    memory[at.SUNK] = 0.0
    if not is_on_board(x, y, rules):
        if row[1] == at.OFF_TURN:
            counters[at.TURNS] += 1
            return -2
        return -1
    square = y * rules[at.WIDTH] + x
    known = board[at.KNOWN]
    if known[square] != at.UNSHOT:
        if row[2] != at.BLIND and known[square] != at.MISS:
            memory[at.TARGET_HIT] = 1.0
        if row[2] == at.TURN:
            counters[at.TURNS] += 1
            return square
        return -1
    became = fire(counters, board, square, rules)
    if became != at.MISSED:
        memory[at.TARGET_HIT] = 1.0
    if became == at.SANK_A_SHIP:
        memory[at.SUNK] = 1.0
    return square


@inlined
def fire(counters, board, square, rules):  # type: ignore[no-untyped-def]
    """Shoot at an unshot square; returns the announced result, such as ``HIT_A_SHIP``. The shot costs a turn."""
    known = board[at.KNOWN]
    counters[at.TURNS] += 1
    ship = board[at.SHIP, square]
    if ship == at.NO_SHIP:
        known[square] = at.MISS
        return at.MISSED
    known[square] = at.OPEN
    counters[at.HITS] += 1
    counters[at.OPEN_HITS] += 1
    counters[at.HIT_TURNS] += counters[at.TURNS]
    board[at.LEFT, ship] -= 1
    if board[at.LEFT, ship] > 0:
        return at.HIT_A_SHIP
    if rules[at.NAMED]:
        counters[at.OPEN_HITS] -= attribute(board, square, rules[at.LENGTHS + ship], rules)
    return at.SANK_A_SHIP if rules[at.TOLD] else at.HIT_A_SHIP


@inlined
def square_in_order(counters, board, ends, key, place):  # type: ignore[no-untyped-def]
    """The square at a place in the order, which is shuffled only as far as needed.

    Args:
        counters: int64 (COUNTERS,), modified in place.
        board: int16 (BOARDS, squares); the order is modified in place.
        ends: int16 (squares,): the end of the group at each place.
        key: the key of the player's shots, 26 bits.
        place: the place in the order, from 0.
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
    """Move a random ship square to the front of the order; ``square_in_order`` explains the arguments."""
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
    """The first unshot square of the order; ``square_in_order`` explains the arguments."""
    while True:
        square = square_in_order(counters, board, ends, key, counters[at.NEXT])
        if board[at.KNOWN, square] == at.UNSHOT:
            return square
        counters[at.NEXT] += 1


@inlined
def is_afloat(board, ship, rules):  # type: ignore[no-untyped-def]
    """True if a ship, as far as the shooter knows, may be afloat."""
    return rules[at.NAMED] == 0 or board[at.LEFT, ship] > 0


@inlined
def may_lie(known, square, vertical, length, rules):  # type: ignore[no-untyped-def]
    """The number of open hits under a placement; −1 if it is off the board, on a miss or on a ship known to be sunk."""
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
    """True if ships may touch, or if a placement has no hits around it except the ``hits`` that it covers."""
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
    """The first unshot square of the order that the longest ship afloat may cover, or else the first unshot square."""
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
            for back in range(min(longest - 1, square // width if vertical else square % width) + 1):
                if may_lie(known, square - back * step, vertical, longest, rules) >= 0:
                    return square
    return first


@inlined
def is_open(known, x, y, rules):  # type: ignore[no-untyped-def]
    """True if (x, y) is on the board and an open hit."""
    return is_on_board(x, y, rules) and known[y * rules[at.WIDTH] + x] == at.OPEN


@inlined
def hunted(counters, board, ends, key, rules):  # type: ignore[no-untyped-def]
    """The first square of the order that extends a line of open hits, or else is beside an open hit, or else any."""
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
    """The unshot square that ships afloat cover with the largest total weight; ties go to the first in the order.

    Args:
        weighted: whether placements have individual weights; if not, all have the same weight.
        weights: float64 (2 · ships, squares): the weights by ship, horizontal before vertical.
        values: float64 (squares,), scratch space.
        others: the rules, and the arguments of ``square_in_order``.
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
    """Add the weight of every placement of one ship to its squares.

    With ``on_hits``, only placements that cover a hit count. If the placements are ``weighted``, ``weights`` are
    float64 (2, squares), horizontal before vertical.
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
    """The square that this kind of targeting player or an agent's memory chooses; ``act`` explains the arguments.

    The player learns nothing new during a turn, so the answer is stored for the rest of the turn.
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
