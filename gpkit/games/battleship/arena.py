"""Players and games: the compiled kernel plays programs, and Python plays all other players shot by shot.

No player sees the results of the other's shots, so each side shoots alone until it has cleared the other's fleet. In a
duel, a referee then interleaves the turns of both sides and discards the shots after the winning one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints, for_reading
from gpkit.core.errors import UsageError
from gpkit.gamekit.players import Player, machine_programs
from gpkit.games.battleship.aiming import order_groups
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.kernel.games import (
    DETAILS,
    KIND_FACTS,
    Agents,
    BeliefScratch,
    Formulas,
    GameScratch,
    play_deals,
)
from gpkit.games.battleship.kernel.shooting import draw_fleets
from gpkit.games.battleship.memory import Memory
from gpkit.games.battleship.primitives import TARGETS
from gpkit.games.battleship.rules import (
    PATTERNS,
    REDRAWS,
    BattleshipRules,
    Board,
    FleetDeals,
    Placements,
    Redraw,
    no_fleet,
    weights,
)
from gpkit.games.battleship.state import BattleshipState
from gpkit.vm.program import Program, link, slots_read


class Agent(Protocol):
    """A player that chooses one shot at a time, and knows the answers to its shots, but never sees the fleet.

    The player's answers depend only on the arguments: the board, the number after the colon in its name (or 0 without
    one), and the key of its shots, 26 bits.
    """

    def chances(self, board: Board, number: int, key: int) -> Floats:
        """The agent's probability of a ship on each square, or 0 or 1 if the square is known: float64 (squares,)."""

    def consider(self, board: Board, number: int, key: int) -> tuple[int, Floats]:
        """The unshot square that the agent shoots at, and its ``chances``: float64 (squares,)."""


_STRATEGIES: Mapping[str, str] = MappingProxyType(
    {
        "adaptive": "learner.adaptive:ADAPTIVE",
        "belief": "belief.player:AGENT",
        "mcs": "agents:MCS",
        "mcs-flawed": "agents:FLAWED",
        "mcs-mended": "agents:MENDED",
        "reference": "agents:REFERENCE",
        "reference-hits": "agents:HITS_ALONE",
        "reference-halo": "agents:HALO",
    }
)
"""The module and attribute that contain each agent, and each learner that the kernel cannot play."""

AGENTS = tuple(name for name in _STRATEGIES if name != "adaptive")


def strategy_of(name: str) -> Any:
    """The agent or learner with this name: an ``Agent``, or ``learner.adaptive.Adaptive``."""
    module, _, attribute = _STRATEGIES[name].partition(":")
    return getattr(import_module(f"{__package__}.{module}"), attribute)


DEFAULT_PLACEMENT = "uniform"
"""The default placement pattern for a shooter's fleet."""

COUNTS = "counts"
"""The name of the learner that the kernel can play."""


def check_players(players: Sequence[Player], rules: BattleshipRules) -> None:
    """Check that these players can play by these rules.

    Raises:
        UsageError: the players cannot play by these rules.
    """
    shooter, other = players
    if not shooter.decides:
        raise UsageError(f"{shooter.name} only places a fleet; name a program or a player that shoots")
    if rules.is_duel and not other.decides:
        raise UsageError(f"{other.name} only places a fleet; a duel (mode=duel) needs a player that shoots")
    if not rules.is_duel and other.decides:
        known = ", ".join(PATTERNS)
        raise UsageError(
            f"{other.name} shoots, and in solitaire nobody shoots back: name a placement ({known}) "
            "or set --rules mode=duel"
        )


def placement_of(player: Player) -> str:
    """The placement pattern that a player uses for its fleet."""
    return player.placement or DEFAULT_PLACEMENT


def is_compiled(player: Player) -> bool:
    """True if the kernel plays this player; Python asks all other players for every shot."""
    return player.strategy == COUNTS if player.remembers else not player.strategy


def play_compiled(
    players: Sequence[Player],
    keys: Ints,
    rules: BattleshipRules,
    memory: Floats,
    *,
    sums: Floats | None = None,
    log_rows: int = 0,
) -> tuple[Floats, int, int, Ints]:
    """Play all deals in the kernel in one seating for each column of the memory, and update the memory.

    Args:
        players: two players, each a program or a learner that the kernel can play; the second may also be a placement
            pattern.
        keys: int64 (deals, 2, KEYS): the keys of each seat.
        rules: the rules.
        memory: see ``empty_memory``.
        sums: float64 (2, ships, 2 · squares): running sums of placement weights, which replace the players' placement
            patterns.
        log_rows: the number of rows in the log.

    Returns:
        The scores of the first player, float64 (deals, seatings, SCORES); the number of games that ended at the limit
        on turns; the number of seats whose program exceeded its step budget; and the log, int64 (rows, LOG_SIZE), with
        as many instructions of the last game as fit.

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
    return scores, int(stalled), int(invalid), log[:rows]


def _agents(
    players: Sequence[Player], shooters: Sequence[Program], rules: BattleshipRules
) -> tuple[Ints, Agents]:
    """The rules and two players in the kernel's format; ``shooters`` are the players' programs."""
    vector, agents = constants_of(
        tuple(map(order_of, shooters)),
        tuple(map(placement_of, players)),
        tuple(each.remembers for each in players),
        rules,
    )
    code, registers, entries = link(shooters)
    return vector, agents._replace(
        entries=np.array((entries * 2)[:2], dtype=np.int64), code=code, memory=registers
    )


def empty_scratch(rules: BattleshipRules) -> GameScratch:
    """Scratch arrays for a game."""
    ships, squares = len(rules.fleet), rules.squares
    return GameScratch(
        np.zeros((2, at.COUNTERS), dtype=np.int64),
        np.zeros((2, at.BOARDS, squares), dtype=np.int16),
        np.zeros(ships, dtype=np.int64),
        np.zeros((2, 2 * ships, squares)),
        np.zeros(squares),
    )


def empty_memory(players: Sequence[Player], shape: tuple[int, int], rules: BattleshipRules) -> Floats:
    """The memory of the opponent's fleets before the first game.

    Returns:
        float64 (*shape, 2, WEIGHTS + 2 · ships, squares), see ``layout``; ``squares`` is 0 if neither player remembers
        games.
    """
    squares = rules.squares if any(each.remembers for each in players) else 0
    memory = np.zeros((*shape, 2, at.WEIGHTS + 2 * len(rules.fleet), squares))
    if squares:
        memory[..., at.WEIGHTS :, :] = 1.0
    return memory


def log_game(players: Sequence[Player], deals: FleetDeals, rules: BattleshipRules) -> tuple[int, Ints]:
    """Play the first deal with each player in the seat of the same number.

    Returns:
        The number of programs that exceeded their step budget, and the log of all instructions: int64 (rows, LOG_SIZE).
    """
    return play_compiled(
        players, deals.keys[:1], rules, empty_memory(players, (1, 1), rules), log_rows=_longest(rules)
    )[2:]


def _longest(rules: BattleshipRules) -> int:
    """The maximum number of instructions in a game."""
    return at.BUDGET * 2 * rules.cap


@dataclass(frozen=True, slots=True)
class TargetAnswers:
    """Answers to ``Target`` that replace the answers of the program's targeting player.

    Attributes:
        weights: float64 (2 · ships, squares): weights of placements, for a learner that remembers earlier games.
        order: int16 (2, squares), as in ``target_order``: the targeting player's order of squares.
    """

    weights: Floats | None = None
    order: NDArray[np.int16] | None = None


_NO_LOG = np.zeros((0, at.LOG_SIZE), dtype=np.int64)


def shots_at(
    fleet: Placements,
    player: Player,
    key: int,
    rules: BattleshipRules,
    answers: TargetAnswers = TargetAnswers(),
) -> list[int]:
    """The squares that a program shoots at until it clears the fleet, stalls or runs out of steps.

    Args:
        fleet: the fleet to shoot at.
        player: the program, or a learner that the kernel can play.
        key: the key of the program's shots, 26 bits.
        rules: the rules; nobody shoots back, even under the rules of a duel.
        answers: the answers to ``Target``.

    Returns:
        The squares of all shots that cost a turn, with −1 for a shot off the board.
    """
    log = np.full((_longest(rules), at.LOG_SIZE), -1, dtype=np.int64)
    turns_at(np.array([[sums_of(fleet, rules)] * 2]), player, np.array([key]), rules, answers, log)
    squares = log[:, at.LOG_SQUARE]
    return [max(square, -1) for square in squares[squares != -1].tolist()]


def turns_at(
    fleets: Floats,
    player: Player,
    keys: Ints,
    rules: BattleshipRules,
    answers: TargetAnswers = TargetAnswers(),
    log: Ints = _NO_LOG,
) -> list[float]:
    """The number of shots until each fleet is cleared, or the limit on turns.

    Args:
        fleets: float64 (fleets, 2, ships, 2 · squares): the result of ``sums_of`` for each fleet, twice.
        player, rules, answers: see ``shots_at``.
        keys: int64 (fleets,): the keys of the shots.
        log: int64 (rows, LOG_SIZE), filled with as many instructions of the last game as fit.
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
        play_deals(
            key, vector, agents._replace(sums=for_reading(sums)), formulas, scratch, log, memory, scores
        )
        turns.append(float(scores[0, 0, at.SCORE]))
    return turns


def sums_of(fleet: Placements, rules: BattleshipRules) -> Floats:
    """Running sums of placement weights that make every draw yield this fleet: float64 (ships, 2 · squares)."""
    return (np.arange(2 * rules.squares)[None, :] >= np.array(fleet)[:, None]).astype(np.float64)


def fleets_of(keys: Ints, sums: Floats, rules: BattleshipRules, redraw: Redraw = "fleet") -> Ints:
    """The fleet that ``kernel.shooting.draw_fleet`` draws for each key, as placements: int64 (fleets, ships).

    Args:
        keys: int64 (fleets, KEYS).
        sums: float64 (ships, 2 · squares): the running sums of placement weights for each ship.
        rules: the board and the fleet.
        redraw: the part of the fleet that is drawn again if a ship does not fit.

    Raises:
        UsageError: no legal fleet was found.
    """
    found = np.zeros((len(keys), len(rules.fleet)), dtype=np.int64)
    board = np.zeros(rules.squares, dtype=np.int16)
    if draw_fleets(found, board, sums, _NUMBERS[redraw], for_reading(keys), rules_vector(rules)) < len(keys):
        raise no_fleet(rules)
    return found


_NUMBERS: Mapping[Redraw, int] = {"fleet": at.WHOLE_FLEET, "ship": at.SHIP_ALONE}


def rules_vector(rules: BattleshipRules) -> Ints:
    """The rules in the kernel's format: int64, of shape (LENGTHS + ships,)."""
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


def formulas_of(shooters: Sequence[Program], rules: BattleshipRules) -> Formulas | None:
    """The formulas among these programs in the kernel's format, or None if there are no formulas.

    If there is only one shooter, the first agent shoots, and the second agent only places a fleet.
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
    """True if a program is a formula for squares rather than a list of instructions."""
    return not program.host_instructions


def order_of(program: Program) -> str:
    """The targeting player that answers a program's ``Target`` instruction and sets the order of squares."""
    operands = program.code[program.code[:, 0] == at.TARGET, 1]
    return "uniform" if is_formula(program) else TARGETS[int(operands[0]) if len(operands) else 0]


@lru_cache(maxsize=64)
def constants_of(
    orders: tuple[str, ...],
    placements: tuple[str, ...],
    remembering: tuple[bool, ...],
    rules: BattleshipRules,
) -> tuple[Ints, Agents]:
    """The rules, int64 of shape (LENGTHS + ships,), and two agents without programs; cached and read-only.

    Args:
        orders: each agent's order of squares; a single order applies to both agents.
        placements: the placement patterns for their fleets.
        remembering: whether the agents remember earlier games.
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


def target_order(target: str, rules: BattleshipRules) -> NDArray[np.int16]:
    """A targeting player's order of squares: int16 (2, squares), the squares and the group ends."""
    groups = order_groups(target, rules.width, rules.height)
    ends = np.repeat(np.cumsum([len(group) for group in groups]), [len(group) for group in groups])
    return np.stack([np.concatenate([np.asarray(group) for group in groups]), ends]).astype(np.int16)


@lru_cache(maxsize=64)
def running_sums(pattern: str, rules: BattleshipRules) -> Floats:
    """The running sums of placement weights for each ship: float64 (ships, 2 · squares)."""
    return np.cumsum(weights(pattern, rules), axis=1)


Keys = tuple[int, int, int]
"""The keys of one seat: the key of its fleet, more bits of that key, and the key of its shots."""


class Side(Protocol):
    """A player during one game."""

    def fleet(self) -> Placements:
        """The player's own fleet.

        Raises:
            UsageError: no legal fleet was found.
        """

    def clear(self, fleet: Placements) -> Board:
        """The opponent's board after the shots: cleared, stalled, or in its state when the program ran out of steps."""

    def remember(self, board: Board, home: Board | None) -> Any:
        """The memory after a game on the opponent's ``board``; ``home`` is the player's own board in a duel."""


@dataclass(frozen=True, slots=True)
class OwnSide:
    """A program, agent, placement pattern, or learner that the kernel can play; only learners have a ``memory``."""

    player: Player
    keys: Keys
    rules: BattleshipRules
    memory: Memory | None = None

    def fleet(self) -> Placements:
        """A fleet drawn from the player's placement pattern."""
        return drawn_fleet(placement_of(self.player), self.keys, self.rules)

    def clear(self, fleet: Placements) -> Board:
        """The board after the shots of the program or agent."""
        key = self.keys[2]
        if is_compiled(self.player):
            answers = TargetAnswers(self.memory.weights(self.rules) if self.memory else None)
            return shot_at(fleet, shots_at(fleet, self.player, key, self.rules, answers), self.rules)
        agent, board = strategy_of(self.player.strategy), Board.of(fleet, self.rules)
        while board.status == "playing":
            board = board.shoot(agent.consider(board, self.player.number, key)[0])
        return board

    def remember(self, board: Board, home: Board | None) -> Memory | None:
        """The memory after adding the counts from this board, or None if the player remembers nothing."""
        return self.memory and self.memory.after(board)


def side_of(player: Player, keys: Keys, rules: BattleshipRules, memory: Any) -> Side:
    """A player during one game."""
    if player.remembers and not is_compiled(player):
        side: Side = strategy_of(player.strategy).side(player, keys, rules, memory)
        return side
    return OwnSide(player, keys, rules, memory)


def first_memory(player: Player, rules: BattleshipRules) -> Any:
    """The memory of a player before the first game of a series, or None if the player remembers nothing."""
    if not player.remembers:
        return None
    return Memory.empty(rules) if is_compiled(player) else strategy_of(player.strategy).begin(player, rules)


def drawn_fleet(placement: str, keys: Keys, rules: BattleshipRules) -> Placements:
    """The fleet that a placement pattern draws with these keys.

    Raises:
        UsageError: no legal fleet was found.
    """
    sums, redraw = running_sums(placement, rules), REDRAWS.get(placement, "fleet")
    (fleet,) = fleets_of(np.array([keys], dtype=np.int64), sums, rules, redraw)
    return tuple(fleet.tolist())


def shot_at(fleet: Placements, squares: Sequence[int], rules: BattleshipRules) -> Board:
    """The board after these shots (−1 is off the board); its status is invalid if the program ran out of steps."""
    board = Board.of(fleet, rules)
    for square in squares:
        board = board.shoot(square)
    return replace(board, status="invalid") if board.status == "playing" else board


def play_sides(
    players: Sequence[Player],
    keys: Sequence[Keys],
    memory: Sequence[object],
    rotation: int,
    rules: BattleshipRules,
) -> tuple[tuple[Board, ...], tuple[Any, ...]]:
    """Play one game.

    Args:
        players: two players; in solitaire, the second one only places a fleet.
        keys: the keys of each seat.
        memory: each player's memory before the game.
        rotation: an offset of seats; player p sits in seat (p + rotation) % 2.
        rules: the rules.

    Returns:
        The final board that each seat shot at (one board in solitaire), and each player's memory after the game.
    """
    seats = [(player + rotation) % 2 for player in range(2)]
    sides = [
        side_of(player, keys[seat], rules, remembered)
        for player, seat, remembered in zip(players, seats, memory, strict=True)
    ]
    if not rules.is_duel:
        board = sides[0].clear(sides[1].fleet())
        return (board,), (sides[0].remember(board, None), memory[1])
    fleets = [side.fleet() for side in sides]
    boards = [sides[seats[seat]].clear(fleets[1 - seats[seat]]) for seat in range(2)]
    ended = referee(boards, rules)
    after = (side.remember(ended[seat], ended[1 - seat]) for side, seat in zip(sides, seats, strict=True))
    return ended, tuple(after)


def referee(boards: Sequence[Board], rules: BattleshipRules) -> tuple[Board, ...]:
    """The boards at the end of a duel; ``boards`` contains all shots that each seat would take alone."""
    state = BattleshipState.begin(tuple(board.fleet for board in boards), rules)
    shots = [iter(board.shots) for board in boards]
    while not state.is_terminal:
        shot = next(shots[state.current_player], None)
        state = state.give_up() if shot is None else state.shoot(shot.square)
    return state.boards


def lateness(board: Board) -> float:
    """The mean turn of the hits on ship squares; squares that were never hit count as the limit on turns."""
    rules = board.rules
    turns = [number for number, shot in enumerate(board.shots, 1) if shot.hit and not shot.known]
    squares = sum(rules.fleet)
    return (sum(turns) + (squares - len(turns)) * rules.cap) / squares
