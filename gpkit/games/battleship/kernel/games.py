"""Whole games: turns of a program, and every deal in every seating in one call."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.kernel.aiming import put_a_ship_first, target
from gpkit.games.battleship.kernel.fleets import draw_fleet
from gpkit.games.battleship.kernel.formulas import best_square
from gpkit.games.battleship.kernel.gunnery import draw_direction, fire, is_ahead, move_forward, shoot
from gpkit.vm.isa import OUT_OF_STEPS
from gpkit.vm.machine import run


class Agents(NamedTuple):
    """Both agents.

    Attributes:
        entries: int64 (2,): the row of the code at which each program starts.
        orders: int16 (2, 2, squares): the squares in groups, and where the group of each place ends.
        sums: float64 (2, ships, 2 · squares): the running sums of the weights of each ship's placements.
        redraws: int64 (2,): what is drawn anew where a ship cannot lie, ``WHOLE_FLEET`` or ``SHIP_ALONE``.
        code: uint32 (rows, 5): the linked programs.
        memory: float64 (2, slots): registers and constants; changed.
        remembers: int64 (2,): whether memory of earlier games answers ``Target``.
    """

    entries: NDArray[np.int64]
    orders: NDArray[np.int16]
    sums: NDArray[np.float64]
    redraws: NDArray[np.int64]
    code: NDArray[np.uint32]
    memory: NDArray[np.float64]
    remembers: NDArray[np.int64]


class GameScratch(NamedTuple):
    """Scratch arrays of a game.

    Attributes:
        counters: int64 (2, COUNTERS), by seat.
        boards: int16 (2, BOARDS, squares), by seat.
        placements: int64 (ships,).
        weights: float64 (2, 2 · ships, squares), by agent those of placements, where it remembers.
        values: float64 (squares,).
    """

    counters: NDArray[np.int64]
    boards: NDArray[np.int16]
    placements: NDArray[np.int64]
    weights: NDArray[np.float64]
    values: NDArray[np.float64]


@inlined
def begin(counters, board, order, rules):  # type: ignore[no-untyped-def]
    """Empty the boards and counters of one seat.

    Args:
        counters: int64 (COUNTERS,), written.
        board: int16 (BOARDS, squares), written.
        order: int16 (squares,): the squares in groups.
        rules: int64, see ``layout``.
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
    """Carry out an instruction that is not a condition; returns the square of a shot that costs a turn, or −1.

    Args:
        opcode: of the instruction.
        row: uint32 (5,): its row of the code.
        seat, agent, key, agents, scratch, rules: as of ``take_turn``.
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
    """Run a program until a shot costs a turn, or until it has no steps left; returns the rows of the log in use.

    Args:
        seat: whose turn it is; its counters say by ``STATUS`` how it ended.
        agent: whose program it is.
        key: of the player's shots, 26 bits.
        agents, scratch: changed.
        rules: int64, see ``layout``.
        log: int64 (rows, LOG_SIZE), written as far as there are rows.
        rows: the rows of the log already in use.
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
    """Play one game to its end, which is left in ``scratch``; returns the rows of the log in use.

    Agent a sits at seat (a + rotation) % 2 and seat 0 shoots first; a player of solitaire sits at seat 0 and
    the other only places the fleet. Arguments as of ``play_deals``, ``keys`` those of one deal. Without room
    for the fleet it is ``NO_FLEET`` instead of rows.
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
    """Whether an agent shoots by a formula; where there is none at all, ``formulas`` is None."""
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
    """The score of agent 0 after a game: the turns it needed or the cap; in a duel 1 for a win and 0.5 for a draw."""
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
    """The mean number of the turn in which a player hit the squares of ships; the cap for those that it did not hit."""
    missing = counters[at.TO_HIT] - counters[at.HITS]
    return (counters[at.HIT_TURNS] + missing * rules[at.CAP]) / counters[at.TO_HIT]


@inlined
def recall(memory, agents, scratch):  # type: ignore[no-untyped-def]
    """Set the weights of placements with which agents that remember begin a game; arguments as of ``remember``."""
    for agent in range(2):
        if agents.remembers[agent]:
            for row in range(scratch.weights.shape[1]):
                for square in range(scratch.weights.shape[2]):
                    scratch.weights[agent, row, square] = memory[agent, at.WEIGHTS + row, square]


@inlined
def remember(memory, rotation, agents, scratch, rules):  # type: ignore[no-untyped-def]
    """Count, for agents that remember, the answers of a game: a board that is cleared holds no other ship.

    Args:
        memory: float64 (2, WEIGHTS + 2 · ships, squares), changed: that of agents that remember.
        rotation, agents, scratch: of the game that was played.
        rules: int64, see ``layout``.
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
    """Play every deal in each seating; returns (stalled, invalid, rows): games, and rows of the log or ``NO_FLEET``.

    Args:
        keys: int64 (deals, 2, KEYS): those of each seat.
        rules: int64 (LENGTHS + ships,), see ``layout``.
        agents: their programs, orders of squares and placements.
        formulas: of agents that shoot by formulas, see ``formulas.Formulas``; None if nobody does.
        scratch: written; then that of the last game.
        log: int64 (rows, LOG_SIZE): every instruction of the last game, as far as there are rows.
        memory: float64 (deals, rotations, 2, WEIGHTS + 2 · ships, squares), changed: what agents remember in the
            series to which each game belongs; without squares where none does.
        scores: float64 (deals, rotations, SCORES), written: of agent 0. As many seatings are played as
            there are columns.
    """
    counters = scratch.counters
    stalled = 0
    invalid = 0
    rows = 0
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
