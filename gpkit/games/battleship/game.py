"""Battleship at the seam of games: rules from options, deals, and whole games in the compiled kernel.

Two players take part. In a duel both place a fleet and shoot in turns. In solitaire the first shoots, and the second is
only the placement of the fleet that it has to find.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.games.battleship.fleets import Placements, draw_fleet, no_fleet
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.kernel.formulas import Formulas
from gpkit.games.battleship.kernel.games import Agents, Scratch, play_deals
from gpkit.games.battleship.memory import placement_weights
from gpkit.games.battleship.options import OPTIONS, Rules
from gpkit.games.battleship.orders import order_groups
from gpkit.games.battleship.patterns import PATTERNS, weights
from gpkit.games.battleship.primitives import OFFERS, TARGETS
from gpkit.games.battleship.rules import State
from gpkit.games.game import Builtin, Learner, Metric, Scores
from gpkit.games.players import LearningPlayer, PlacementPlayer, Player, decider, machine_programs
from gpkit.vm.keyed import HALF
from gpkit.vm.program import Program, link, slots_read

BUILTINS: Mapping[str, Builtin] = MappingProxyType(
    {
        "counts": Learner(
            "density, by where the opponent's ships lay in earlier games of the series", "density"
        )
    }
)
"""Players that remember; programs say all that others do."""

_EXTRA = HALF >> at.SHIP_BITS
"""The bits of a fleet's key that stand beside the number of a ship in one counter."""

DEFAULT_PLACEMENT = "uniform"
"""Placement of a shooter's own fleet if nothing is said."""


@dataclass(frozen=True, slots=True)
class Deals:
    """The keys from which fleets and shots are drawn.

    Attributes:
        keys: int64 (deals, 2, 3): for each seat the key of its fleet, more bits of that, and the key of its shots; of
            at least 0 and below 2^26, 2^19 (``_EXTRA``) and 2^26.
    """

    keys: NDArray[np.int64]

    def __len__(self) -> int:
        """The number of deals."""
        return len(self.keys)

    def __getitem__(self, part: slice) -> "Deals":
        """Some of the deals."""
        return Deals(self.keys[part])


@dataclass(frozen=True, slots=True)
class Battleship:
    """The game as matches, evolution and the command line see it (the protocol ``gpkit.games.game.Game``)."""

    name = "battleship"
    offers = OFFERS
    options = OPTIONS
    opponents = ("random", "raster", "checkerboard", "diagonal", "filter", "hunt", "density")
    builtins = BUILTINS
    placements = PATTERNS
    duel = MappingProxyType({"mode": "duel"})

    def make_rules(self, options: Mapping[str, str]) -> Rules:
        """The rules with these options set.

        Raises:
            UsageError: an unknown option or value.
        """
        return Rules.from_options(options)

    def players(self, rules: Rules) -> int:
        """Two: who shoots, and who placed the fleet; in a duel both do both."""
        return 2

    def seatings(self, rules: Rules) -> int:
        """In a duel each player shoots first once."""
        return 2 if rules.is_duel else 1

    def rivals(self, rules: Rules) -> tuple[str, ...]:
        """Uniform fleets; in a duel the hunter and random shots."""
        return ("random", "hunt") if rules.is_duel else ("uniform",)

    def metric(self, rules: Rules) -> Metric:
        """``win_share`` in a duel; in solitaire ``shots``, the turns until the last ship sinks."""
        if rules.is_duel:
            return Metric("win_share", 0.0, 1.0, total=1.0)
        return Metric("shots", float(sum(rules.fleet)), float(rules.cap), lower_is_better=True)

    def deal(self, rng: np.random.Generator, count: int, rules: Rules) -> Deals:
        """``count`` deals; the first of them are the same for any larger count."""
        return Deals((rng.random((count, 2, at.KEYS)) * (HALF, _EXTRA, HALF)).astype(np.int64))

    def begin(self, players: Sequence[Player], deals: Deals, rules: Rules) -> State:
        """The first deal's fleets laid out, each as the player in its seat says.

        Raises:
            UsageError: no legal fleet was found.
        """

        def fleet(seat: int) -> Placements:
            key, extra, _ = deals.keys[0, seat].tolist()
            return draw_fleet(key, extra, running_sums(placement_of(players[seat]), rules), rules)

        return State.begin(tuple(map(fleet, (1, 0) if rules.is_duel else (1,))), rules)

    def play(self, players: Sequence[Player], deals: Deals, rules: Rules) -> Scores:
        """Play every deal in every seating.

        Raises:
            UsageError: in solitaire the second player shoots, or in a duel one does not; no legal fleet was found.
        """
        memory = self.memory(players, len(deals), rules)
        return _scores(*_play(players, deals, rules, memory)[:3], rules)

    def memory(self, players: Sequence[Player], series: int, rules: Rules) -> NDArray[np.float64]:
        """Memory of the opponent's fleets before the first game.

        Returns:
            float64 (series, seatings, 2, WEIGHTS + 2 · ships, squares), see ``layout``; without squares where nobody
            remembers.
        """
        squares = rules.squares if any(map(remembers, players)) else 0
        memory = np.zeros((series, self.seatings(rules), 2, at.WEIGHTS + 2 * len(rules.fleet), squares))
        if squares:
            memory[..., at.WEIGHTS :, :] = 1.0
        return memory

    def play_on(
        self, players: Sequence[Player], deals: Deals, rules: Rules, memory: NDArray[np.float64]
    ) -> tuple[Scores, NDArray[np.float64]]:
        """Play every deal in every seating, each as the next game of a series; the memory after it.

        Raises:
            UsageError: as of ``play``.
        """
        memory = memory.copy()
        scores = _scores(*_play(players, deals, rules, memory)[:3], rules)
        if any(map(remembers, players)):
            memory[..., at.WEIGHTS :, :] = placement_weights(
                memory[..., at.TIMES_SHIP, :], memory[..., at.TIMES_KNOWN, :], rules
            )
        return scores, memory


def _scores(scores: NDArray[np.float64], stalled: int, invalid: int, rules: Rules) -> Scores:
    """The scores that the kernel has written, float64 (deals, seatings, SCORES)."""
    grades = None if rules.is_duel else scores[..., at.LATENESS]
    return Scores(scores[..., at.SCORE], stalled, invalid, grades)


def log_game(players: Sequence[Player], deals: Deals, rules: Rules) -> NDArray[np.int64]:
    """Every instruction of the first deal's game, player a in seat a: int64 (rows, LOG_SIZE), see ``layout``."""
    longest = at.BUDGET * 2 * rules.cap
    memory = GAME.memory(players, 1, rules)[:, :1]
    return _play(players, deals[:1], rules, memory, log_rows=longest)[3]


def _play(
    players: Sequence[Player], deals: Deals, rules: Rules, memory: NDArray[np.float64], *, log_rows: int = 0
) -> tuple[NDArray[np.float64], int, int, NDArray[np.int64]]:
    """Run the kernel in as many seatings as there is memory of: scores, games stalled and invalid, the last one's log.

    The memory is changed.
    """
    check_players(players, rules)
    shooters = machine_programs(players)
    code, registers, entries = link(shooters)
    constants = constants_of(
        tuple(map(order_of, shooters)),
        tuple(map(placement_of, players)),
        tuple(map(remembers, players)),
        rules,
    )
    squares = rules.squares
    log = np.zeros((log_rows, at.LOG_SIZE), dtype=np.int64)
    scores = np.zeros((*memory.shape[:2], at.SCORES))
    stalled, invalid, rows = play_deals(
        deals.keys,
        constants.rules,
        Agents(
            np.array((entries * 2)[:2], dtype=np.int64),
            constants.orders,
            constants.sums,
            code,
            registers,
            constants.remembers,
        ),
        formulas_of(shooters, rules),
        Scratch(
            np.zeros((2, at.COUNTERS), dtype=np.int64),
            np.zeros((2, at.BOARDS, squares), dtype=np.int16),
            np.zeros(squares, dtype=np.int64),
            np.zeros(len(rules.fleet), dtype=np.int64),
            np.zeros((2, 2 * len(rules.fleet), squares)),
            np.zeros(squares),
        ),
        log,
        memory,
        scores,
    )
    if rows == at.NO_FLEET:
        raise no_fleet(rules)
    return scores, int(stalled), int(invalid), log[:rows]


def check_players(players: Sequence[Player], rules: Rules) -> None:
    """Check that these players can play by these rules.

    Raises:
        UsageError: they cannot.
    """
    shooter, other = players
    if decider(shooter) is None:
        raise UsageError(f"{shooter.name} only places a fleet; name a program or a player that shoots")
    check_opponent(other, rules)


def check_opponent(other: Player, rules: Rules) -> None:
    """Check that this player can play by these rules against one that shoots.

    Raises:
        UsageError: it cannot.
    """
    if rules.is_duel and decider(other) is None:
        raise UsageError(
            f"{other.name} only places a fleet; a duel (mode=duel) is against a player that shoots"
        )
    if not rules.is_duel and decider(other) is not None:
        known = ", ".join(PATTERNS)
        raise UsageError(
            f"{other.name} shoots, and in solitaire nobody shoots back: name a placement ({known}) "
            "or set --rules mode=duel"
        )


def placement_of(player: Player) -> str:
    """Placement of a player's own fleet."""
    laying = player if isinstance(player, PlacementPlayer) else decider(player)
    return (laying.placement if laying else "") or DEFAULT_PLACEMENT


def remembers(player: Player) -> bool:
    """Whether memory of earlier games answers ``Target`` for a player."""
    return isinstance(player, LearningPlayer)


def rules_vector(rules: Rules) -> NDArray[np.int64]:
    """The rules as the kernel reads them: int64 (LENGTHS + ships,)."""
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
            row[:] = (
                entry,
                entry + len(program.code),
                program.result,
                len(program.inputs) - at.SENSORS,
                used,
            )
    covers = np.zeros((at.KINDS_OF_COVER, rules.squares), dtype=np.int64)
    return Formulas(facts, code, np.repeat(memory[:, :, None], rules.squares, axis=2), covers)


def is_formula(program: Program) -> bool:
    """Whether a program values squares, and does not shoot by instructions."""
    return not program.host_instructions


def order_of(program: Program) -> str:
    """The targeting player in whose order a program takes squares."""
    return "uniform" if is_formula(program) else target_of(program)


def target_of(program: Program) -> str:
    """The player that answers ``Target`` in a program; the default one where it never asks."""
    operands = program.code[program.code[:, 0] == at.TARGET, 1]
    return TARGETS[int(operands[0])] if len(operands) else TARGETS[0]


@dataclass(frozen=True, slots=True)
class Constants:
    """Inputs of the kernel that are the same in many matches: ``rules``, and the others as of ``Agents``."""

    rules: NDArray[np.int64]
    orders: NDArray[np.int16]
    sums: NDArray[np.float64]
    remembers: NDArray[np.int64]


@lru_cache(maxsize=64)
def constants_of(
    orders: tuple[str, ...], placements: tuple[str, ...], remembering: tuple[bool, ...], rules: Rules
) -> Constants:
    """Constants of two players; read-only.

    Args:
        orders: in which they take squares, of one or both.
        placements: of their fleets.
        remembering: whether they remember earlier games.
        rules: the rules.
    """
    found = Constants(
        rules_vector(rules),
        np.stack([target_order(target, rules) for target in (orders * 2)[:2]]),
        np.stack([running_sums(placement, rules) for placement in placements]),
        np.array(remembering, dtype=np.int64),
    )
    for table in (found.rules, found.orders, found.sums, found.remembers):
        table.flags.writeable = False
    return found


def target_order(target: str, rules: Rules) -> NDArray[np.int16]:
    """The order in which a targeting player takes squares: int16 (2, squares), squares by group and group ends."""
    groups = order_groups(target, rules.width, rules.height)
    ends = np.repeat(np.cumsum([len(group) for group in groups]), [len(group) for group in groups])
    return np.stack([np.concatenate([np.asarray(group) for group in groups]), ends]).astype(np.int16)


@lru_cache(maxsize=64)
def running_sums(pattern: str, rules: Rules) -> NDArray[np.float64]:
    """Running sums of the weights of each ship's placements: float64 (ships, 2 · squares)."""
    return np.cumsum(weights(pattern, rules), axis=1)


GAME = Battleship()
