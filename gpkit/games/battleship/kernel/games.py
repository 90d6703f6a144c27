"""Compiled games: the turns of programs, and the shots of formulas with all sensors and belief propagation."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints
from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.shared import is_higher
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.kernel.shooting import (
    draw_direction,
    draw_fleet,
    fire,
    is_afloat,
    is_ahead,
    is_on_board,
    is_open,
    lies_alone,
    may_lie,
    move_forward,
    put_a_ship_first,
    shoot,
    square_in_order,
    step_x,
    step_y,
    target,
)
from gpkit.vm.isa import OUT_OF_STEPS
from gpkit.vm.kernel.keyed import keyed_uniform
from gpkit.vm.keyed import HALF
from gpkit.vm.machine import apply_rows, run

# kinds: int64 (KIND_FACTS, kinds), the ships afloat of each length
LENGTH, SHIPS, WAYS, KIND_FACTS = range(4)
"""The rows of ``kinds``: the length of the ships, their number, and the number of possible placements of each."""

SINKING, LEFTWARD, RIGHTWARD, UPWARD, DOWNWARD, DETAILS = range(6)
"""The rows of ``details`` in ``BeliefScratch``."""


class BeliefScratch(NamedTuple):
    """Scratch arrays for belief propagation.

    Attributes:
        kinds: int64 (KIND_FACTS, kinds).
        ways: int64 (kinds, 2 · squares): the possible placements of a ship of each kind.
        factors, odds: float64 (kinds, squares), as in ``sensors.Kind``.
        covers: float64 (squares,): the weight of the placements that cover each square.
        total: float64 (squares,): the sum of all odds on each square.
        details: float64 (DETAILS, squares).
    """

    kinds: NDArray[Any]
    ways: NDArray[Any]
    factors: NDArray[Any]
    odds: NDArray[Any]
    covers: NDArray[Any]
    total: NDArray[Any]
    details: NDArray[Any]


@inlined
def sense_beliefs(memory, used, board, beliefs, rules):  # type: ignore[no-untyped-def]
    """Write the belief sensors that a formula reads for all unshot squares; the values for other squares are undefined.

    ``sense`` explains the arguments; ``beliefs`` is scratch space.
    """
    if used >> at.CHANCE:
        propagate(board, beliefs, rules)
        for square in range(board.shape[1]):
            memory[at.CHANCE, square] = beliefs.total[square] / (1.0 + beliefs.total[square])
    if used >> at.SINKS == 0:
        return
    known = board[at.KNOWN]
    details, kinds = beliefs.details, beliefs.kinds
    details[:] = 0.0
    for kind in range(kinds.shape[1]):
        if kinds[SHIPS, kind] > 0:
            add_details(kind, known, beliefs, rules)
    for square in range(known.shape[0]):
        odds, chance = beliefs.total[square], memory[at.CHANCE, square]
        sinks = min(details[SINKING, square] / (1.0 + odds), chance)
        best = max(
            max(details[LEFTWARD, square], details[RIGHTWARD, square]),
            max(details[UPWARD, square], details[DOWNWARD, square]),
        )
        miss, stays = 1.0 - chance, chance - sinks
        memory[at.SINKS, square] = sinks
        memory[at.FOLLOW, square] = min(best / odds, 1.0) if odds > 0.0 else 0.0
        memory[at.FLEETS, square] = miss * miss + sinks * sinks + stays * stays


@inlined
def propagate(board, beliefs, rules):  # type: ignore[no-untyped-def]
    """Run all rounds of belief propagation; at the end, ``total`` contains the sum of the odds on each square."""
    known, total, factors, odds = board[at.KNOWN], beliefs.total, beliefs.factors, beliefs.odds
    count = list_kinds(board, beliefs, rules)
    total[:] = 0.0
    for turn in range(at.ROUNDS):
        for kind in range(count):
            if turn > 0:  # factors move halfway to the values that follow from the odds of the other ships
                for square in range(known.shape[0]):
                    if known[square] == at.UNSHOT or known[square] == at.OPEN:
                        none = 1.0 if known[square] == at.UNSHOT else 0.0
                        others = total[square] - odds[kind, square] + none
                        others = min(max(others, 1.0 / at.LARGEST_FACTOR), at.LARGEST_FACTOR)
                        factors[kind, square] = (factors[kind, square] + 1.0 / others) * 0.5
            weight = weigh(kind, beliefs, rules)
            ships = beliefs.kinds[SHIPS, kind]
            for square in range(known.shape[0]):
                if known[square] == at.UNSHOT or known[square] == at.OPEN:
                    new = 0.0
                    if weight > 0.0:
                        cover = beliefs.covers[square]
                        new = cover / max(weight - cover, weight * at.SMALLEST_REST) / factors[kind, square]
                    total[square] = max(total[square] + ships * (new - odds[kind, square]), 0.0)
                    odds[kind, square] = new


@inlined
def list_kinds(board, beliefs, rules):  # type: ignore[no-untyped-def]
    """Write the kinds of ships afloat before the first round, with placements, factors and odds; returns their number.

    ``sensors.kind_of`` defines the possible placements of a ship.
    """
    known, kinds = board[at.KNOWN], beliefs.kinds
    kinds[:] = 0
    count = 0
    for ship in range(rules[at.SHIPS_COUNT]):
        if not is_afloat(board, ship, rules):
            continue
        length = rules[at.LENGTHS + ship]
        if count > 0 and kinds[LENGTH, count - 1] == length:
            kinds[SHIPS, count - 1] += 1
            continue
        kinds[LENGTH, count] = length
        kinds[SHIPS, count] = 1
        kinds[WAYS, count] = 0
        for square in range(known.shape[0]):
            beliefs.factors[count, square] = at.FIRST_FACTOR if known[square] == at.OPEN else 1.0
            beliefs.odds[count, square] = 0.0
            for vertical in range(2 if length > 1 else 1):
                hits = may_lie(known, square, vertical, length, rules)
                if hits < 0 or (hits == length and rules[at.NAMED]):
                    continue
                if lies_alone(known, 2 * square + vertical, length, hits, rules):
                    beliefs.ways[count, kinds[WAYS, count]] = 2 * square + vertical
                    kinds[WAYS, count] += 1
        count += 1
    return count


@inlined
def weigh(kind, beliefs, rules):  # type: ignore[no-untyped-def]
    """Write, for each square, the weight of a kind's placements that cover it; returns the total weight."""
    covers, length = beliefs.covers, beliefs.kinds[LENGTH, kind]
    total = 0.0
    covers[:] = 0.0
    for place in range(beliefs.kinds[WAYS, kind]):
        way = beliefs.ways[kind, place]
        square, step = way >> 1, rules[at.WIDTH] if way & 1 else 1
        weight = weight_of(kind, square, step, length, beliefs)
        total += weight
        for k in range(length):
            covers[square + k * step] += weight
    return total


@inlined
def weight_of(kind, square, step, length, beliefs):  # type: ignore[no-untyped-def]
    """The weight of a placement: the product of the factors of its squares."""
    weight = 1.0
    for k in range(length):
        weight *= beliefs.factors[kind, square + k * step]
    return weight


@inlined
def add_details(kind, known, beliefs, rules):  # type: ignore[no-untyped-def]
    """Add to ``details`` the odds that a shot sinks a ship of this kind, and that such a ship extends to each side."""
    details, covers, length = beliefs.details, beliefs.covers, beliefs.kinds[LENGTH, kind]
    weigh(kind, beliefs, rules)
    for place in range(beliefs.kinds[WAYS, kind]):
        way = beliefs.ways[kind, place]
        first, vertical = way >> 1, way & 1
        step = rules[at.WIDTH] if vertical else 1
        weight = weight_of(kind, first, step, length, beliefs)
        hits = 0
        for k in range(length):
            hits += known[first + k * step] == at.OPEN
        is_last = rules[at.TOLD] and hits == length - 1
        for k in range(length):
            square = first + k * step
            if known[square] != at.UNSHOT or covers[square] <= 0.0:
                continue
            share = beliefs.kinds[SHIPS, kind] * beliefs.odds[kind, square] / covers[square] * weight
            if is_last:
                details[SINKING, square] += share
            if k > 0 and known[square - step] == at.UNSHOT:
                details[UPWARD if vertical else LEFTWARD, square] += share
            if k < length - 1 and known[square + step] == at.UNSHOT:
                details[DOWNWARD if vertical else RIGHTWARD, square] += share


class Formulas(NamedTuple):
    """The formulas of both agents, and arrays for the formulas' values.

    Attributes:
        facts: int64 (2, FACTS): see ``layout``.
        code: uint32 (rows, 5): the linked programs.
        memory: float64 (2, slots, squares): scratch space, with the constants in every column.
        covers: int64 (KINDS_OF_COVER, squares), scratch space.
        beliefs: scratch space for belief propagation.
    """

    facts: Any
    code: Any
    memory: Any
    covers: Any
    beliefs: Any


@inlined
def best_square(agent, counters, board, ends, key, formulas, rules):  # type: ignore[no-untyped-def]
    """The unshot square with the highest value; ties go to the first in the order, and NaN is below all numbers.

    Args:
        agent: the agent that shoots by the formula.
        counters: int64 (COUNTERS,), modified in place.
        board: int16 (BOARDS, squares); the order is modified in place.
        ends: int16 (squares,): the end of the group at each place in the order.
        key: the key of the player's shots, 26 bits.
        formulas: the formulas; their memory is modified in place.
        rules: int64; see ``layout``.
    """
    facts, memory, known = formulas.facts[agent], formulas.memory[agent], board[at.KNOWN]
    if rules[at.FOUND] and counters[at.TURNS] == 0:
        return square_in_order(counters, board, ends, key, 0)
    sense(memory, facts[at.USED_SENSORS], counters, board, formulas.covers, rules)
    sense_beliefs(memory, facts[at.USED_SENSORS], board, formulas.beliefs, rules)
    for place in range(facts[at.RANDOMS]):
        for square in range(known.shape[0]):
            counter = (((place + at.ORDER_NUMBERS) << at.SQUARE_BITS) + square) & (HALF - 1)
            memory[at.SENSORS + place, square] = keyed_uniform(key, counters[at.TURNS], counter)
    for row in range(facts[at.FIRST_ROW], facts[at.LAST_ROW]):
        code = formulas.code[row]
        apply_rows(memory, code[0], code[1], code[2], code[3], code[4])
    chosen, best = -1, np.nan
    for place in range(known.shape[0]):
        square = square_in_order(counters, board, ends, key, place)
        if known[square] == at.UNSHOT:
            value = memory[facts[at.RESULT], square]
            if chosen < 0 or is_higher(value, best):
                chosen, best = square, value
    return chosen


@inlined
def sense(memory, used, counters, board, covers, rules):  # type: ignore[no-untyped-def]
    """Write the sensors of all unshot squares, except the belief sensors; the values for other squares are undefined.

    Args:
        memory: float64 (slots, squares), modified in place.
        used: the mask of the sensors to compute.
        counters: int64 (COUNTERS,).
        board: int16 (BOARDS, squares).
        covers: int64 (KINDS_OF_COVER, squares), scratch space.
        rules: int64; see ``layout``.
    """
    known, width, height = board[at.KNOWN], rules[at.WIDTH], rules[at.HEIGHT]
    if used & ((1 << at.PARITY) - 1):
        count_placements(covers, board, rules)
        for kind in range(at.KINDS_OF_COVER):
            for square in range(known.shape[0]):
                memory[at.COVER + kind, square] = covers[kind, square]
    if used >> at.PARITY & ((1 << (at.SENSED_OPEN - at.PARITY)) - 1):
        for square in range(known.shape[0]):
            if known[square] != at.UNSHOT:
                continue
            y = square // width
            x = square - y * width
            memory[at.PARITY, square] = (x + y) & 1
            memory[at.EDGE, square] = min(min(x, y), min(width - 1 - x, height - 1 - y))
            if used >> at.NEAR & 1:
                memory[at.NEAR, square] = nearest_open(x, y, known, rules)
            look_around(memory, x, y, known, rules)
    if used >> at.SENSED_OPEN & ((1 << (at.CHANCE - at.SENSED_OPEN)) - 1):
        sense_moment(memory, counters, board, rules)


@inlined
def count_placements(covers, board, rules):  # type: ignore[no-untyped-def]
    """Count the placements of ships afloat that cover each square, by the number of open hits under the placement."""
    known, width = board[at.KNOWN], rules[at.WIDTH]
    covers[:] = 0
    for ship in range(rules[at.SHIPS_COUNT]):
        if not is_afloat(board, ship, rules):
            continue
        length = rules[at.LENGTHS + ship]
        for square in range(known.shape[0]):
            for vertical in range(2 if length > 1 else 1):
                hits = may_lie(known, square, vertical, length, rules)
                if hits >= 0:
                    cover = covers[min(hits, at.KINDS_OF_COVER - 1)]
                    step = width if vertical else 1
                    for k in range(length):
                        cover[square + k * step] += 1


@inlined
def look_around(memory, x, y, known, rules):  # type: ignore[no-untyped-def]
    """Write the sensors ``BESIDE``, ``LINE`` and ``BLOCKED`` of a square."""
    width = rules[at.WIDTH]
    beside, longest, blocked = 0, 0, 0
    for direction in range(4):
        dx, dy = step_x(direction), step_y(direction)
        run = 0
        while is_open(known, x + (run + 1) * dx, y + (run + 1) * dy, rules):
            run += 1
        beside += run > 0
        longest = max(longest, run)
        if not is_on_board(x + dx, y + dy, rules):
            blocked += 1
        else:
            state = known[(y + dy) * width + x + dx]
            blocked += state == at.MISS or state == at.SUNKEN
    square = y * width + x
    memory[at.BESIDE, square] = beside
    memory[at.LINE, square] = longest
    memory[at.BLOCKED, square] = blocked


@inlined
def nearest_open(x, y, known, rules):  # type: ignore[no-untyped-def]
    """The distance to the nearest open hit, in columns plus rows, or 0 if there is no open hit."""
    least = 0
    for square in range(known.shape[0]):
        if known[square] == at.OPEN:
            row = square // rules[at.WIDTH]
            distance = abs(row - y) + abs(square - row * rules[at.WIDTH] - x)
            least = distance if least == 0 else min(least, distance)
    return least


@inlined
def sense_moment(memory, counters, board, rules):  # type: ignore[no-untyped-def]
    """Write the sensors that have the same value for all squares."""
    known = board[at.KNOWN]
    longest, shortest, afloat = 0, 0, 0
    for ship in range(rules[at.SHIPS_COUNT]):
        if is_afloat(board, ship, rules):
            length = rules[at.LENGTHS + ship]
            longest = max(longest, length)
            shortest = length if afloat == 0 else min(shortest, length)
            afloat += 1
    left, opened = 0, 0
    for square in range(known.shape[0]):
        left += known[square] == at.UNSHOT
        opened += known[square] == at.OPEN
    for square in range(known.shape[0]):
        memory[at.SENSED_OPEN, square] = opened
        memory[at.LONGEST, square] = longest
        memory[at.SHORTEST, square] = shortest
        memory[at.AFLOAT, square] = afloat
        memory[at.SENSED_LEFT, square] = left
        memory[at.SENSED_TURNS, square] = counters[at.TURNS]


class Agents(NamedTuple):
    """The two agents of a game.

    Attributes:
        entries: int64 (2,): the row of the code at which each program starts.
        orders: int16 (2, 2, squares): the squares, group by group, and the end of the group at each place.
        sums: float64 (2, ships, 2 · squares): the running sums of placement weights for each ship.
        redraws: int64 (2,): the part of the fleet that is drawn again if a ship does not fit, ``WHOLE_FLEET`` or
            ``SHIP_ALONE``.
        code: uint32 (rows, 5): the linked programs.
        memory: float64 (2, slots): registers and constants; modified in place.
        remembers: int64 (2,): whether the memory of earlier games answers ``Target``.
    """

    entries: Ints
    orders: NDArray[np.int16]
    sums: Floats
    redraws: Ints
    code: NDArray[np.uint32]
    memory: Floats
    remembers: Ints


class GameScratch(NamedTuple):
    """Scratch arrays for a game.

    Attributes:
        counters: int64 (2, COUNTERS), by seat.
        boards: int16 (2, BOARDS, squares), by seat.
        placements: int64 (ships,).
        weights: float64 (2, 2 · ships, squares): the placement weights of each agent with a memory.
        values: float64 (squares,).
    """

    counters: Ints
    boards: NDArray[np.int16]
    placements: Ints
    weights: Floats
    values: Floats


@inlined
def begin(counters, board, order, rules):  # type: ignore[no-untyped-def]
    """Reset the board and the counters of one seat.

    Args:
        counters: int64 (COUNTERS,), output.
        board: int16 (BOARDS, squares), output.
        order: int16 (squares,): the squares, group by group.
        rules: int64; see ``layout``.
    """
    counters[:] = 0
    board[at.SHIP, :] = at.NO_SHIP
    board[at.KNOWN, :] = at.UNSHOT
    for square in range(board.shape[1]):
        board[at.ORDER, square] = order[square]
    for ship in range(rules[at.SHIPS_COUNT]):
        board[at.LEFT, ship] = rules[at.LENGTHS + ship]
        counters[at.TO_HIT] += rules[at.LENGTHS + ship]


@inlined
def act(opcode, row, seat, agent, key, agents, scratch, rules):  # type: ignore[no-untyped-def]
    """Carry out an instruction that is not a condition; returns the square of a shot that costs a turn, or else −1.

    Args:
        opcode: the opcode of the instruction.
        row: uint32 (5,): the row of the instruction in the code.
        seat, agent, key, agents, scratch, rules: see ``take_turn``.
    """
    counters, board, memory = scratch.counters[seat], scratch.boards[seat], agents.memory[agent]
    if opcode == at.SHOOT:
        return shoot(memory, counters, board, row, rules)
    if opcode == at.MOVE_FORWARD:
        move_forward(memory, row[1], rules)
    elif opcode == at.OPPOSITE_DIRECTION:
        memory[at.TARGET_DIR] = float((int(memory[at.TARGET_DIR]) + 2) & 3)
    elif opcode == at.TARGET:
        square = target(seat, agent, key, row[1], agents, scratch, rules)
        y = square // rules[at.WIDTH]
        memory[at.TARGET_POS] = float(y * at.PITCH + square - y * rules[at.WIDTH])
        counters[at.USED] = 0
    else:
        kind = at.ANY_DIRECTION
        if opcode == at.VERTICAL_DIRECTION:
            kind = at.VERTICAL
        elif opcode == at.HORIZONTAL_DIRECTION:
            kind = at.HORIZONTAL
        draw_direction(memory, counters, board[at.KNOWN], kind, row[1], key, rules)
    return -1


@inlined
def take_turn(seat, agent, key, agents, scratch, rules, log, rows):  # type: ignore[no-untyped-def]
    """Run a program until a shot costs a turn or the steps run out; returns the number of log rows in use.

    Args:
        seat: the seat to move; afterwards, ``STATUS`` in its counters contains the result of the turn.
        agent: the agent with the program.
        key: the key of the player's shots, 26 bits.
        agents, scratch: modified in place.
        rules: int64; see ``layout``.
        log: int64 (rows, LOG_SIZE), output until it is full.
        rows: the number of log rows already in use.
    """
    counters, memory = scratch.counters[seat], agents.memory[agent]
    pc = counters[at.PC]
    steps = 0
    logging = rows < log.shape[0]
    while True:
        budget = at.BUDGET - steps
        opcode, stopped, taken = run(agents.code, memory, pc, min(budget, 1) if logging else budget)
        steps += taken
        shot = -1
        if opcode == OUT_OF_STEPS:
            if taken == budget:
                counters[at.STATUS] = at.INVALID
                if taken == 0:
                    return rows
            place, pc = pc, stopped
        else:
            steps += 1
            place, pc = stopped, stopped + 1
            row = agents.code[place]
            if opcode == at.IF_EDGE or opcode == at.IF_KNOWN:
                if not is_ahead(memory, scratch.boards[seat, at.KNOWN], opcode, rules):
                    pc = row[1]
            else:
                shot = act(opcode, row, seat, agent, key, agents, scratch, rules)
                if opcode == at.SHOOT and row[3] and memory[at.SUNK] != 0.0:
                    pc = agents.entries[agent]
        if logging:
            if rows < log.shape[0]:
                log[rows, at.LOG_SEAT] = seat
                log[rows, at.LOG_PC] = place
                log[rows, at.LOG_SQUARE] = shot
                for register in range(at.REGISTERS):
                    log[rows, at.LOG_REGISTERS + register] = int(memory[register])
            rows += 1
            logging = rows < log.shape[0]
        if shot != -1:
            counters[at.PC] = pc
            return rows
        if counters[at.STATUS] == at.INVALID:
            return rows


@inlined
def play_game(keys, rotation, rules, agents, formulas, scratch, log):  # type: ignore[no-untyped-def]
    """Play one game and leave its final state in ``scratch``; returns the number of log rows in use.

    Agent a sits in seat (a + rotation) % 2, and seat 0 shoots first. In solitaire, the shooter sits in seat 0, and the
    other agent only places the fleet. ``play_deals`` explains the arguments, except that ``keys`` are the keys of one
    deal. If no fleet fits, the result is ``NO_FLEET``.
    """
    counters, boards = scratch.counters, scratch.boards
    rows = 0
    for seat in range(1 + rules[at.DUEL]):
        agent = (seat + 2 - rotation) % 2
        begin(counters[seat], boards[seat], agents.orders[agent, 0], rules)
        if not draw_fleet(
            boards[seat, at.SHIP],
            scratch.placements,
            agents.sums[1 - agent],
            agents.redraws[1 - agent],
            keys[1 - seat],
            rules,
        ):
            return at.NO_FLEET
        if rules[at.FOUND]:
            put_a_ship_first(counters[seat], boards[seat], agents.orders[agent, 1], keys[seat, at.SHOT_KEY])
        counters[seat, at.PC] = agents.entries[agent]
        agents.memory[agent, : at.REGISTERS] = 0.0
    seat = 0
    while True:
        agent = (seat + 2 - rotation) % 2
        hits = counters[seat, at.HITS]
        key = keys[seat, at.SHOT_KEY]
        if not is_formula(agent, formulas):
            rows = take_turn(seat, agent, key, agents, scratch, rules, log, rows)
        elif formulas is not None:
            ends = agents.orders[agent, 1]
            square = best_square(agent, counters[seat], boards[seat], ends, key, formulas, rules)
            fire(counters[seat], boards[seat], square, rules)
            if rows < log.shape[0]:
                log[rows, at.LOG_SEAT] = seat
                log[rows, at.LOG_SQUARE] = square
                rows += 1
        status = status_after(counters[seat], rules)
        counters[seat, at.STATUS] = status
        if status == at.CLEARED or status == at.INVALID:
            return rows
        other = seat
        if rules[at.DUEL] and not (rules[at.AGAIN] and counters[seat, at.HITS] > hits):
            other = 1 - seat
        if counters[other, at.STATUS] == at.STALLED:
            other = 1 - other
            if not rules[at.DUEL] or counters[other, at.STATUS] == at.STALLED:
                return rows
        seat = other


@inlined
def is_formula(agent, formulas):  # type: ignore[no-untyped-def]
    """True if an agent shoots by a formula; ``formulas`` is None if neither agent does."""
    if formulas is not None:
        return formulas.facts[agent, at.FIRST_ROW] >= 0
    return False


@inlined
def status_after(counters, rules):  # type: ignore[no-untyped-def]
    """The status of a player after its turn."""
    if counters[at.STATUS] == at.INVALID:
        return at.INVALID
    if counters[at.HITS] == counters[at.TO_HIT]:
        return at.CLEARED
    return at.STALLED if counters[at.TURNS] >= rules[at.CAP] else at.PLAYING


@inlined
def score(counters, rotation, rules):  # type: ignore[no-untyped-def]
    """The score of agent 0: in solitaire, the turns or the limit on them; in a duel, 1 for a win and 0.5 for a draw."""
    own = counters[rotation, at.STATUS]
    if not rules[at.DUEL]:
        return float(counters[0, at.TURNS] if own == at.CLEARED else rules[at.CAP])
    other = counters[1 - rotation, at.STATUS]
    if own == at.CLEARED or other == at.INVALID:
        return 1.0
    if other == at.CLEARED or own == at.INVALID:
        return 0.0
    return 0.5


@inlined
def lateness(counters, rules):  # type: ignore[no-untyped-def]
    """The mean turn of a player's hits on ship squares; squares that were never hit count as the limit on turns."""
    missing = counters[at.TO_HIT] - counters[at.HITS]
    return (counters[at.HIT_TURNS] + missing * rules[at.CAP]) / counters[at.TO_HIT]


@inlined
def recall(memory, agents, scratch):  # type: ignore[no-untyped-def]
    """Set the placement weights of agents with a memory before a game; ``remember`` explains the arguments."""
    for agent in range(2):
        if agents.remembers[agent]:
            for row in range(scratch.weights.shape[1]):
                for square in range(scratch.weights.shape[2]):
                    scratch.weights[agent, row, square] = memory[agent, at.WEIGHTS + row, square]


@inlined
def remember(memory, rotation, agents, scratch, rules):  # type: ignore[no-untyped-def]
    """Add the answers in a game to the memory of agents that have one; on a cleared board, the other squares are empty.

    Args:
        memory: float64 (2, WEIGHTS + 2 · ships, squares): the memory of each agent, updated for agents with a memory.
        rotation, agents, scratch: the arguments with which the game was played.
        rules: int64; see ``layout``.
    """
    for seat in range(1 + rules[at.DUEL]):
        agent = (seat + 2 - rotation) % 2
        if agents.remembers[agent]:
            known = scratch.boards[seat, at.KNOWN]
            is_cleared = scratch.counters[seat, at.STATUS] == at.CLEARED
            for square in range(known.shape[0]):
                if known[square] != at.UNSHOT or is_cleared:
                    memory[agent, at.TIMES_KNOWN, square] += 1.0
                if known[square] == at.OPEN or known[square] == at.SUNKEN:
                    memory[agent, at.TIMES_SHIP, square] += 1.0


@kernel
def play_deals(keys, rules, agents, formulas, scratch, log, memory, scores):  # type: ignore[no-untyped-def]
    """Play every deal in each seating; returns (stalled games, invalid programs, log rows or ``NO_FLEET``).

    Args:
        keys: int64 (deals, 2, KEYS): the keys of each seat.
        rules: int64 (LENGTHS + ships,), see ``layout``.
        agents: the programs, orders of squares and placements of the agents, see ``Agents``.
        formulas: the formulas of agents that shoot by formulas, see ``Formulas``, or None if no agent does.
        scratch: scratch space, which contains the state of the last game at the end.
        log: int64 (rows, LOG_SIZE), output: as many instructions of the last game as fit.
        memory: float64 (deals, rotations, 2, WEIGHTS + 2 · ships, squares), modified in place: the agents' memory in
            the series of each game; ``squares`` is 0 if no agent has a memory.
        scores: float64 (deals, rotations, SCORES), output: the scores of agent 0 in each seating.
    """
    counters = scratch.counters
    stalled, invalid, rows = 0, 0, 0
    for deal in range(keys.shape[0]):
        for rotation in range(scores.shape[1]):
            recall(memory[deal, rotation], agents, scratch)
            rows = play_game(keys[deal], rotation, rules, agents, formulas, scratch, log)
            if rows == at.NO_FLEET:
                return 0, 0, rows
            remember(memory[deal, rotation], rotation, agents, scratch, rules)
            scores[deal, rotation, at.SCORE] = score(counters, rotation, rules)
            scores[deal, rotation, at.LATENESS] = lateness(counters[rotation], rules)
            ended = 0
            for seat in range(1 + rules[at.DUEL]):
                invalid += counters[seat, at.STATUS] == at.INVALID
                ended += counters[seat, at.STATUS] == at.STALLED
            stalled += ended == 1 + rules[at.DUEL]
    return stalled, invalid, rows
