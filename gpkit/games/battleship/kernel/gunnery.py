"""The host instructions: aiming, moving, turning and shooting."""

from gpkit.core.compiled import inlined
from gpkit.core.kernel.masks import one_of
from gpkit.games.battleship.kernel import layout as at
from gpkit.vm.keyed import keyed_uniform


@inlined
def column_of(position):  # type: ignore[no-untyped-def]
    """The x of a position."""
    whole = int(position)
    return whole - (((whole + at.PITCH // 2) >> at.PITCH_BITS) << at.PITCH_BITS)


@inlined
def row_of(position):  # type: ignore[no-untyped-def]
    """The y of a position."""
    return (int(position) + at.PITCH // 2) >> at.PITCH_BITS


@inlined
def step_x(direction):  # type: ignore[no-untyped-def]
    """Squares eastward of a step in a direction: -1, 0 or 1."""
    return (direction == at.EAST) - (direction == at.WEST)


@inlined
def step_y(direction):  # type: ignore[no-untyped-def]
    """Squares southward of a step in a direction: -1, 0 or 1."""
    return (direction == at.SOUTH) - (direction == at.NORTH)


@inlined
def is_on_board(x, y, rules):  # type: ignore[no-untyped-def]
    """Whether there is such a square."""
    return 0 <= x < rules[at.WIDTH] and 0 <= y < rules[at.HEIGHT]


@inlined
def move_forward(memory, edge, rules):  # type: ignore[no-untyped-def]
    """Carry out ``MoveFwd``: one square in the target's direction.

    Args:
        memory: float64 (slots,): the registers, changed.
        edge: LEAVE, CLAMP or TORUS.
        rules: int64, see ``layout``.
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
    """The mask of the directions whose next square is on the board and unshot."""
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
        memory: float64 (slots,): the registers, changed.
        counters: int64 (COUNTERS,), changed.
        known: int16 (squares,).
        kind: the mask of the directions of this kind.
        switch: UNSHOT_DIRECTIONS, UNUSED_DIRECTIONS, ANY_DIRECTIONS or UNSHOT_OR_ALL_DIRECTIONS.
        key: of the player's shots, 26 bits.
        rules: int64, see ``layout``.
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
    """The conditions ``IfEdge`` and ``IfKnown``, about the square one step ahead of the target."""
    direction = int(memory[at.TARGET_DIR])
    x = column_of(memory[at.TARGET_POS]) + step_x(direction)
    y = row_of(memory[at.TARGET_POS]) + step_y(direction)
    on_board = is_on_board(x, y, rules)
    if opcode == at.IF_EDGE:
        return not on_board
    return on_board and known[y * rules[at.WIDTH] + x] != at.UNSHOT


@inlined
def attribute(board, square, length, rules):  # type: ignore[no-untyped-def]
    """Mark a straight run of open hits through the square as the ship that sank; returns how many were marked."""
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
    """Carry out ``Shoot``; returns the square if it cost a turn, -1 if it was free, and -2 for a turn without a square.

    Args:
        memory: float64 (slots,): the registers, changed.
        counters: int64 (COUNTERS,), changed.
        board: int16 (BOARDS, squares), changed.
        row: uint32 (5,): the code, with the switches ``off-board`` and ``known``.
        rules: int64, see ``layout``.
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
    """Shoot at an unshot square, which costs a turn; returns what the shooter is told, such as ``HIT_A_SHIP``."""
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
