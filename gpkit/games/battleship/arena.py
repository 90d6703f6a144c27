"""Whole games of programs in the compiled kernel: its inputs, and what it leaves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, for_reading
from gpkit.gamekit.players import Player, machine_programs
from gpkit.games.battleship.aiming import order_groups
from gpkit.games.battleship.fleets import Deals, Placements, Redraw, no_fleet
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.kernel.fleets import draw_fleets
from gpkit.games.battleship.kernel.formulas import Formulas
from gpkit.games.battleship.kernel.games import Agents, GameScratch, play_deals
from gpkit.games.battleship.kernel.propagation import DETAILS, KIND_FACTS, BeliefScratch
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.patterns import REDRAWS, weights
from gpkit.games.battleship.players import placement_of
from gpkit.games.battleship.primitives import TARGETS
from gpkit.vm.program import Program, link, slots_read


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """Games that the kernel has played.

    Attributes:
        scores: float64 (deals, seatings, SCORES), of the first player.
        stalled, invalid: games that ended by the cap on their length, seats whose program exceeded its step budget.
        log: int64 (rows, LOG_SIZE): instructions of the last game, as far as there was room.
    """

    scores: Floats
    stalled: int
    invalid: int
    log: NDArray[np.int64]


def play_compiled(
    players: Sequence[Player],
    keys: NDArray[np.int64],
    rules: Rules,
    memory: Floats,
    *,
    sums: Floats | None = None,
    log_rows: int = 0,
) -> PlayedGames:
    """Play in as many seatings as there is memory of, which is changed.

    Args:
        players: two, each a program, a learner that the kernel knows, or in the second place a mere placement.
        keys: int64 (deals, 2, KEYS): those of each seat.
        rules: the rules.
        memory: as of ``empty_memory``.
        sums: float64 (2, ships, 2 · squares): running sums of the weights of placements, instead of the players' own.
        log_rows: room of the log.

    Raises:
        UsageError: no legal fleet was found.
    """
    shooters = machine_programs(players)
    vector, agents = _agents(players, shooters, rules)
    if sums is not None:
        agents = agents._replace(sums=for_reading(sums))
    log = np.zeros((log_rows, at.LOG_SIZE), dtype=np.int64)
    scores = np.zeros((*memory.shape[:2], at.SCORES))
    formulas, scratch = formulas_of(shooters, rules), empty_scratch(rules)
    stalled, invalid, rows = play_deals(keys, vector, agents, formulas, scratch, log, memory, scores)
    if rows == at.NO_FLEET:
        raise no_fleet(rules)
    return PlayedGames(scores, int(stalled), int(invalid), log[:rows])


def _agents(
    players: Sequence[Player], shooters: Sequence[Program], rules: Rules
) -> tuple[NDArray[np.int64], Agents]:
    """The rules and two players, of whom ``shooters`` are the programs, as the kernel takes them."""
    vector, agents = constants_of(
        tuple(map(order_of, shooters)),
        tuple(map(placement_of, players)),
        tuple(each.remembers for each in players),
        rules,
    )
    code, registers, entries = link(shooters)
    seats = np.array((entries * 2)[:2], dtype=np.int64)
    return vector, agents._replace(entries=seats, code=code, memory=registers)


def empty_scratch(rules: Rules) -> GameScratch:
    """Scratch arrays of a game."""
    ships, squares = len(rules.fleet), rules.squares
    return GameScratch(
        np.zeros((2, at.COUNTERS), dtype=np.int64),
        np.zeros((2, at.BOARDS, squares), dtype=np.int16),
        np.zeros(ships, dtype=np.int64),
        np.zeros((2, 2 * ships, squares)),
        np.zeros(squares),
    )


def empty_memory(players: Sequence[Player], shape: tuple[int, int], rules: Rules) -> Floats:
    """Memory of the opponent's fleets before the first game.

    Returns:
        float64 (*shape, 2, WEIGHTS + 2 · ships, squares), see ``layout``; without squares where nobody remembers.
    """
    squares = rules.squares if any(each.remembers for each in players) else 0
    memory = np.zeros((*shape, 2, at.WEIGHTS + 2 * len(rules.fleet), squares))
    if squares:
        memory[..., at.WEIGHTS :, :] = 1.0
    return memory


def log_game(players: Sequence[Player], deals: Deals, rules: Rules) -> PlayedGames:
    """Play the game of the first deal, with player a in seat a, and log all its instructions."""
    memory = empty_memory(players, (1, 1), rules)
    return play_compiled(players, deals.keys[:1], rules, memory, log_rows=_longest(rules))


def _longest(rules: Rules) -> int:
    """The number of instructions in the longest game."""
    return at.BUDGET * 2 * rules.cap


@dataclass(frozen=True, slots=True)
class TargetAnswers:
    """Answers to ``Target`` that are not those of the program's own targeting player.

    Attributes:
        weights: float64 (2 · ships, squares), of placements, for a learner that remembers.
        order: int16 (2, squares), as of ``target_order``, in which the targeting player takes squares.
    """

    weights: Floats | None = None
    order: NDArray[np.int16] | None = None


_NO_LOG = np.zeros((0, at.LOG_SIZE), dtype=np.int64)


def shots_at(
    fleet: Placements, player: Player, key: int, rules: Rules, answers: TargetAnswers = TargetAnswers()
) -> list[int]:
    """The squares at which a program shoots until the fleet is cleared, or it stalls or runs out of steps.

    Args:
        fleet: what is shot at.
        player: the program, or a learner that the kernel knows.
        key: of its shots, 26 bits.
        rules: a duel is played as if nobody shot back.
        answers: to ``Target``.

    Returns:
        The squares of all shots that cost a turn, −1 for one off the board.
    """
    log = np.full((_longest(rules), at.LOG_SIZE), -1, dtype=np.int64)
    turns_at(np.array([[sums_of(fleet, rules)] * 2]), player, np.array([key]), rules, answers, log)
    squares = log[:, at.LOG_SQUARE]
    return [max(square, -1) for square in squares[squares != -1].tolist()]


def turns_at(
    fleets: Floats,
    player: Player,
    keys: NDArray[np.int64],
    rules: Rules,
    answers: TargetAnswers = TargetAnswers(),
    log: NDArray[np.int64] = _NO_LOG,
) -> list[float]:
    """The number of shots until each fleet is cleared, else the cap on turns.

    Args:
        fleets: float64 (fleets, 2, ships, 2 · squares), of each ``sums_of`` twice.
        player, rules, answers: as of ``shots_at``.
        keys: int64 (fleets,), of the shots.
        log: int64 (rows, LOG_SIZE), written: instructions of the last game, as far as there are rows.
    """
    alone = replace(rules, mode="solitaire")
    memory, scratch = empty_memory([player], (1, 1), alone), empty_scratch(alone)
    if answers.weights is not None:
        memory[0, 0, 0, at.WEIGHTS :] = answers.weights
    seats = np.zeros((len(fleets), 1, 2, at.KEYS), dtype=np.int64)
    seats[:, 0, 0, at.SHOT_KEY] = keys
    players = [player, player]
    shooters = machine_programs(players)
    vector, agents = _agents(players, shooters, alone)
    if answers.order is not None:
        agents = agents._replace(orders=for_reading(np.stack([answers.order] * 2)))
    formulas = formulas_of(shooters, alone)
    scores = np.zeros((1, 1, at.SCORES))
    turns = []
    for sums, key in zip(fleets, seats, strict=True):
        now = agents._replace(sums=for_reading(sums))
        play_deals(key, vector, now, formulas, scratch, log, memory, scores)
        turns.append(float(scores[0, 0, at.SCORE]))
    return turns


def sums_of(fleet: Placements, rules: Rules) -> Floats:
    """Running sums of weights with which this very fleet is drawn: float64 (ships, 2 · squares)."""
    places = np.arange(2 * rules.squares)
    return (places[None, :] >= np.array(fleet)[:, None]).astype(np.float64)


def fleets_of(
    keys: NDArray[np.int64], sums: Floats, rules: Rules, redraw: Redraw = "fleet"
) -> NDArray[np.int64]:
    """The fleet of each key, as of ``kernel.fleets.draw_fleet``: int64 (fleets, ships), placements.

    Args:
        keys: int64 (fleets, KEYS).
        sums: float64 (ships, 2 · squares): running sums of the weights of each ship's placements.
        rules: the board and the fleet.
        redraw: what is drawn anew where a ship cannot lie.

    Raises:
        UsageError: no legal fleet was found.
    """
    found = np.zeros((len(keys), len(rules.fleet)), dtype=np.int64)
    board = np.zeros(rules.squares, dtype=np.int16)
    if draw_fleets(found, board, sums, _NUMBERS[redraw], for_reading(keys), rules_vector(rules)) < len(keys):
        raise no_fleet(rules)
    return found


_NUMBERS: Mapping[Redraw, int] = {"fleet": at.WHOLE_FLEET, "ship": at.SHIP_ALONE}


def rules_vector(rules: Rules) -> NDArray[np.int64]:
    """The rules as the kernel reads them: int64, of shape (LENGTHS + ships,)."""
    vector = np.zeros(at.LENGTHS + len(rules.fleet), dtype=np.int64)
    vector[at.DUEL] = rules.is_duel
    vector[at.WIDTH], vector[at.HEIGHT] = rules.width, rules.height
    vector[at.TOUCH] = rules.touch
    vector[at.NAMED] = rules.announce == "ship"
    vector[at.TOLD] = rules.announce != "hit"
    vector[at.AGAIN] = rules.shots == "again"
    vector[at.FOUND] = rules.found
    vector[at.CAP] = rules.cap
    vector[at.SHIPS_COUNT] = len(rules.fleet)
    vector[at.LENGTHS :] = rules.fleet
    return vector


def formulas_of(shooters: Sequence[Program], rules: Rules) -> Formulas | None:
    """The formulas among these programs as the kernel reads them; None if there are none.

    A lone shooter is the first agent; the other one only places a fleet.
    """
    if not any(map(is_formula, shooters)):
        return None
    facts = np.zeros((2, at.FACTS), dtype=np.int64)
    facts[:, at.FIRST_ROW] = -1
    code, memory, entries = link(shooters)
    for row, entry, program in zip(facts, entries, shooters, strict=False):
        if is_formula(program):
            used = sum(1 << slot for slot in slots_read(program) if slot < at.SENSORS)
            row[:] = entry, entry + len(program.code), program.result, len(program.inputs) - at.SENSORS, used
    covers = np.zeros((at.KINDS_OF_COVER, rules.squares), dtype=np.int64)
    columns = np.repeat(memory[:, :, None], rules.squares, axis=2)
    kinds, squares = len(set(rules.fleet)), rules.squares
    beliefs = BeliefScratch(
        np.zeros((KIND_FACTS, kinds), dtype=np.int64),
        np.zeros((kinds, 2 * squares), dtype=np.int64),
        np.zeros((kinds, squares)),
        np.zeros((kinds, squares)),
        np.zeros(squares),
        np.zeros(squares),
        np.zeros((DETAILS, squares)),
    )
    return Formulas(facts, code, columns, covers, beliefs)


def is_formula(program: Program) -> bool:
    """Whether a program values squares, and does not shoot by instructions."""
    return not program.host_instructions


def order_of(program: Program) -> str:
    """The targeting player in whose order a program takes squares: the one that answers its ``Target``."""
    operands = program.code[program.code[:, 0] == at.TARGET, 1]
    return "uniform" if is_formula(program) else TARGETS[int(operands[0]) if len(operands) else 0]


@lru_cache(maxsize=64)
def constants_of(
    orders: tuple[str, ...], placements: tuple[str, ...], remembering: tuple[bool, ...], rules: Rules
) -> tuple[NDArray[np.int64], Agents]:
    """The rules, int64 of shape (LENGTHS + ships,), and two agents without programs, for many matches; read-only.

    Args:
        orders: in which they take squares, of one or both.
        placements: of their fleets.
        remembering: whether they remember earlier games.
        rules: the rules.
    """
    agents = Agents(
        np.zeros(2, dtype=np.int64),
        np.stack([target_order(target, rules) for target in (orders * 2)[:2]]),
        np.stack([running_sums(placement, rules) for placement in placements]),
        np.array([_NUMBERS[REDRAWS.get(placement, "fleet")] for placement in placements], dtype=np.int64),
        np.zeros((0, 5), dtype=np.uint32),
        np.zeros((0, 0)),
        np.array(remembering, dtype=np.int64),
    )
    vector = rules_vector(rules)
    for table in (vector, *agents):
        table.flags.writeable = False
    return vector, agents


def target_order(target: str, rules: Rules) -> NDArray[np.int16]:
    """The order in which a targeting player takes squares: int16 (2, squares), squares by group and group ends."""
    groups = order_groups(target, rules.width, rules.height)
    ends = np.repeat(np.cumsum([len(group) for group in groups]), [len(group) for group in groups])
    return np.stack([np.concatenate([np.asarray(group) for group in groups]), ends]).astype(np.int16)


@lru_cache(maxsize=64)
def running_sums(pattern: str, rules: Rules) -> NDArray[np.float64]:
    """Running sums of the weights of each ship's placements: float64 (ships, 2 · squares)."""
    return np.cumsum(weights(pattern, rules), axis=1)
