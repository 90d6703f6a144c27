"""The answers of `gpkit solve` and `gpkit match`: the exact values of positions, and the values of rules.

A search finds the values of positions on boards of any size and on coins; ``classes`` computes the same values for
small boards.

A best line shows which player is in control (Berlekamp, "The Dots and Boxes Game", 2000): the player who gets the first
long chain or loop. From that point on, the opponent of the player in control has to give away all other long chains and
loops. In the middle of a game, both players fight for control.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import asdict, dataclass
from functools import cache
from itertools import groupby, pairwise
from threading import Thread

import numpy as np

from gpkit.api.kinds import PlayerLike
from gpkit.api.programs import Program
from gpkit.api.progress import remark_compilation, watching
from gpkit.core.arrays import Ints
from gpkit.core.errors import UsageError
from gpkit.core.layout import Lines, Sheet, Tabular
from gpkit.gamekit.state import played
from gpkit.games.dots_and_boxes.board import (
    OWNERS,
    board_text,
    coins_position,
    coins_text,
    edge_name,
    read_position,
    string_name,
)
from gpkit.games.dots_and_boxes.classes import board_of, mask_of, value_of_edge
from gpkit.games.dots_and_boxes.exact import RuleValue, rule_values, searches_of
from gpkit.games.dots_and_boxes.game import GAME, check_classes
from gpkit.games.dots_and_boxes.kernel.boxes import KINDS, SHORT, SHORT_LOOP, BoardArrays
from gpkit.games.dots_and_boxes.kernel.opponents import (
    ROW,
    UNKNOWN,
    Alike,
    Transpositions,
    reaches,
    settle_alone,
)
from gpkit.games.dots_and_boxes.rule_lists import state_graph
from gpkit.games.dots_and_boxes.rules import (
    Coins,
    DotsAndBoxesRules,
    DotsAndBoxesState,
    Field,
    boxes_of_edges,
    edges_of_box,
    symmetries,
)
from gpkit.genomes.graph import NamedRule
from gpkit.languages.rulegraph.language import LANGUAGE as RULES
from gpkit.languages.rulegraph.text import print_rule
from gpkit.playing.named import program_file, read_named, seat

LEAST_PLACES, MOST_PLACES = 1 << 10, 1 << 26
"""The minimum and maximum number of positions that a search remembers, at 10 bytes each, so at most 640 MiB."""

ROOM, FEWER = 22, 8
"""If n edges are left, where each chain counts as one, there are 2^n positions. Up to 2^22 positions, the memory has
room for all of them; otherwise, it has room for 2^(n - 8). A search meets about this number of different positions: on
empty boards, 1.2 times the number with 2x4 boxes, 0.4 times with 3x3, and 0.5 times with 2x5."""


@dataclass(frozen=True, slots=True)
class SearchMemory:
    """The memory of the searches on one board; searches add to it, but never change a value.

    Attributes:
        rules: the board or the coins.
        known: the bounds on the values of positions.
        board, alike, scratch: see ``kernel.opponents.reaches``.
    """

    rules: Field
    known: Transpositions
    board: BoardArrays
    alike: Alike
    scratch: tuple[Ints, Ints, Ints]

    @classmethod
    def of(cls, rules: Field, places: int) -> "SearchMemory":
        """An empty memory with ``places`` places, which must be a power of two."""
        scratch = (
            np.zeros((rules.edges + 1, rules.edges, ROW), dtype=np.int64),
            np.zeros((KINDS, rules.boxes), dtype=np.int64),
            np.zeros(rules.boxes + 1, dtype=np.int64),
        )
        known = Transpositions(
            np.full(places, UNKNOWN, dtype=np.int64),
            np.zeros((places, 2), dtype=np.int8),
            np.zeros(1, dtype=np.int64),
        )
        return cls(rules, known, board_of(rules), Alike(twins(rules), images(rules)), scratch)

    @classmethod
    def fit_for(cls, state: DotsAndBoxesState) -> "SearchMemory":
        """An empty memory for about as many positions as the search of a state meets, up to the maximum size."""
        alike = sum(len(path) - 1 for path in state_graph(state).paths if path)
        left = state.rules.edges - len(state.drawn) - alike
        return cls.of(
            state.rules, min(max(1 << max(min(left, ROOM), left - FEWER), LEAST_PLACES), MOST_PLACES)
        )

    @property
    def searched(self) -> int:
        """The number of positions searched so far, including repeats."""
        return int(self.known.searched[0])


@cache
def twins(rules: Field) -> Ints:
    """Pairs of edges from one box to the ground, lower edge first, in the order of a bubble sort: int64 (pairs, 2)."""
    ground = [edge for edge, boxes in enumerate(boxes_of_edges(rules)) if len(boxes) == 1]
    same = (sorted(set(edges_of_box(box, rules)) & set(ground)) for box in range(rules.boxes))
    pairs = [pair for each in same for end in range(len(each), 1, -1) for pair in pairwise(each[:end])]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


@cache
def images(rules: Field) -> Ints:
    """The image of each byte of a mask under each symmetry of the board: int64 (symmetries, bytes, 256)."""
    found = symmetries(rules)
    table = np.zeros((len(found), (rules.edges + 7) // 8, 256), dtype=np.int64)
    for number, moved in enumerate(found):
        for edge, image in enumerate(moved):
            table[number, edge // 8] |= (np.arange(256) >> edge % 8 & 1) << image
    return table


def searched_value(state: DotsAndBoxesState, memory: SearchMemory) -> int:
    """The value of a state for the player to draw; the search tries values close to 0 first."""
    settled, taken, run = _settled(state, memory)
    high = sum(state.undrawn_sides(box) > 0 for box in range(state.rules.boxes)) - taken - run
    low = -high
    while low < high:
        goal = min(max(low + 2, 0), high)
        goal += (goal - low) % 2
        if _reaches(goal, settled, memory):
            low = goal
        else:
            high = goal - 2
    return int(taken + (abs(low + run) if run else low))


def searched_value_of(state: DotsAndBoxesState, edge: int, memory: SearchMemory) -> int:
    """The value of an edge for the player who draws it."""
    return value_of_edge(state, edge, lambda after: searched_value(after, memory))


def reaches_by(state: DotsAndBoxesState, edge: int, goal: int, memory: SearchMemory) -> bool:
    """Whether the value of an edge for its player is at least a goal, which is faster to find than the value."""
    closed = len(state.closed_by(edge))
    settled, taken, run = _settled(state.apply(edge), memory)
    goal = (goal - closed if closed else 1 - goal) - taken
    reached = (
        (run > 0 and goal <= 0)
        or _reaches(goal - run, settled, memory)
        or (run > 0 and not _reaches(1 - goal - run, settled, memory))
    )
    return reached if closed else not reached


def _settled(state: DotsAndBoxesState, memory: SearchMemory) -> tuple[int, int, int]:
    """A state after all forced moves; see ``kernel.opponents.settle``."""
    assert state.rules == memory.rules, "a memory is of one board"
    settled: tuple[int, int, int] = settle_alone(mask_of(state.drawn), memory.board, memory.alike)
    return settled


def _reaches(goal: int, settled: int, memory: SearchMemory) -> bool:
    """Whether the value of a settled position is at least a goal."""
    return bool(reaches(goal, settled, 0, memory.board, memory.alike, memory.known, memory.scratch))


@dataclass(frozen=True, slots=True)
class Control:
    """The first gift of a long chain or loop in a line of play.

    Attributes:
        player: the player who receives the chain or loop.
        turn: the number of edges in the line before the gift.
        chains: the lengths of the long chains at that point, in ascending order.
        loops: the lengths of the long loops at that point, in ascending order.
    """

    player: int
    turn: int
    chains: tuple[int, ...]
    loops: tuple[int, ...]


def best_line(state: DotsAndBoxesState, memory: SearchMemory) -> tuple[int, ...]:
    """The edges drawn until the end of the game if both players play perfectly; ties go to the first edge."""
    value = searched_value(state, memory)

    def best(state: DotsAndBoxesState) -> int:
        nonlocal value
        edge = next(each for each in state.legal_actions() if reaches_by(state, each, value, memory))
        closed = len(state.closed_by(edge))
        value = value - closed if closed else -value
        return edge

    return tuple(edge for _, edge, _ in played(state, best))


def control_of(state: DotsAndBoxesState, line: Sequence[int]) -> Control | None:
    """The first gift of a long chain or loop in a line, or None if there is none."""
    for turn, edge in enumerate(line):
        graph = state_graph(state)
        can_take = any(state.undrawn_sides(box) == 1 for box in range(state.rules.boxes))
        loops = {node for node, ends in enumerate(graph.ends) if ends == (node, node)}
        lengths = {node: each.length for node, each in enumerate(graph.graph.nodes)}
        long = [node for node in lengths if lengths[node] > (SHORT_LOOP if node in loops else SHORT)]
        if not can_take and any(edge in graph.paths[node] for node in long):
            by_kind = (
                tuple(sorted(lengths[node] for node in long if (node in loops) == is_loop))
                for is_loop in (False, True)
            )
            return Control(1 - state.current_player, turn, *by_kind)
        state = state.apply(edge)
    return None


VALUE = "value"
SECONDS_BETWEEN_LOOKS = 0.1
"""The number of seconds between two updates of the search's progress."""


@dataclass(frozen=True, slots=True)
class Solution(Tabular):
    """A position with the value of every edge that can be drawn.

    Attributes:
        state: the position.
        values: for each edge, the number of boxes that the player to move gets from here on, minus the opponent's.
        line: a line of perfect play.
        searched: the number of positions that the search visited.
    """

    state: DotsAndBoxesState
    values: Mapping[int, int]
    line: Sequence[int]
    searched: int

    @property
    def value(self) -> int:
        """The value of the position for the player to move."""
        return max(self.values.values())

    def __str__(self) -> str:
        """A sentence about the value."""
        state, value = self.state, self.value
        mine, other = OWNERS[state.current_player], OWNERS[1 - state.current_player]
        left = sum(state.undrawn_sides(box) > 0 for box in range(state.rules.boxes))
        if left == 1:
            last = f"the last {_noun(state, 'box', 'coin')}"
            gets = last if value > 0 else f"nothing: {other} gets {last}"
        elif value == 0:
            gets = f"as many of the {left} {_noun(state, 'boxes', 'coins')} left as {other}"
        else:
            more = "more" if value > 0 else "fewer"
            gets = f"{abs(value)} {more} of the {left} {_noun(state, 'boxes', 'coins')} left than {other}"
        return f"With perfect play {mine}, to move, gets {gets}."

    def told(self) -> Iterator[str | Sheet]:
        """The position, the values of its edges, a line of perfect play, and the player in control."""
        state, field, value = self.state, self.state.rules, self.value
        yield Lines(coins_text(state, field) if isinstance(field, Coins) else board_text(state))
        yield f"{self}\n"
        rows = [
            (_name(edge, state), f"{its:+d}" if its else "0", "best" * (its == value))
            for edge, its in sorted(self.values.items(), key=lambda pair: -pair[1])
        ]
        yield Sheet((_noun(state, "edge", "string"), VALUE, ""), rows, right=(VALUE,))
        turns = (
            f"{OWNERS[player]} {', '.join(_name(edge, state) for _, edge in turn)}"
            for player, turn in groupby(_players(state, self.line), key=lambda each: each[0])
        )
        yield f"\nA best line: {'; '.join(turns)}"
        yield _control_text(control_of(state, self.line))

    def to_rows(self) -> list[dict[str, object]]:
        """The edges with their values."""
        value = self.value
        return [
            {"edge": _name(edge, self.state), VALUE: its, "best": its == value}
            for edge, its in self.values.items()
        ]

    def to_json(self) -> dict[str, object]:
        """The answer as JSON values, in which either ``board`` or ``coins`` is null."""
        state, field, control = self.state, self.state.rules, control_of(self.state, self.line)
        return {
            "board": None if isinstance(field, Coins) else f"{field.width}x{field.height}",
            "coins": list(field.names) if isinstance(field, Coins) else None,
            "drawn": len(state.drawn),
            "player": OWNERS[state.current_player],
            VALUE: self.value,
            "searched": self.searched,
            "edges": self.to_rows(),
            "line": [
                {"player": OWNERS[player], "edge": _name(edge, state)}
                for player, edge in _players(state, self.line)
            ],
            "control": control and asdict(control) | {"player": OWNERS[control.player]},
        }


def solved(state: DotsAndBoxesState) -> Solution:
    """Solve a position; the command line shows the progress of the search.

    The search is a kernel that cannot be interrupted, so it runs in a second thread while the first thread waits for
    interrupts.
    """
    remark_compilation(game=GAME.name)
    memory, edges = SearchMemory.fit_for(state), state.legal_actions()
    values: dict[int, int] = {}
    line: Future[tuple[int, ...]] = Future()

    def search() -> None:
        try:
            for edge in edges:
                values[edge] = searched_value_of(state, edge, memory)
            line.set_result(best_line(state, memory))
        except BaseException as error:
            line.set_exception(error)

    Thread(target=search, daemon=True).start()
    with watching() as show:
        while not wait([line], SECONDS_BETWEEN_LOOKS).done:
            if searched := memory.searched:
                show(f"{len(values)} of {len(edges)} edges, {searched:,} positions searched")
    return Solution(state, values, line.result(), memory.searched)


def position_of(position: str | None, board: str | None, coins: str | None) -> DotsAndBoxesState:
    """The position given by the arguments.

    Raises:
        UsageError: none or several of the arguments are given, there is no such file or board, the coins cannot be
            read, or the game is over.
    """
    if [position, board, coins].count(None) != 2:
        raise UsageError(
            "name either a file with a position (.board) or an empty board, such as --board 3x4, or coins, such as "
            '--coins "chains 3 4"'
        )
    if board is not None:
        return DotsAndBoxesState.begin(DotsAndBoxesRules.from_options({"board": board}))
    if coins is not None:
        return coins_position(coins)
    state = read_position(str(position), or_coins=True)
    if state.is_terminal:
        raise UsageError(f"{position}: all edges are drawn")
    return state


def _players(state: DotsAndBoxesState, line: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The edges of a line, with the player who draws each edge."""
    edges = iter(line)
    return ((before.current_player, edge) for before, edge, _ in played(state, lambda _: next(edges)))


def _control_text(control: Control | None) -> str:
    """A sentence about the player in control."""
    if control is None:
        return "Nobody has to give a long chain or a loop in it."
    there = [
        *(f"a chain of {length}" for length in control.chains),
        *(f"a loop of {length}" for length in control.loops),
    ]
    player, other = OWNERS[control.player], OWNERS[1 - control.player]
    return f"{player} is in control: {other} has to give the first long chain or loop, {' and '.join(there)}."


def _name(edge: int, state: DotsAndBoxesState) -> str:
    """The name of an edge, or of a string."""
    field = state.rules
    return string_name(edge, field) if isinstance(field, Coins) else edge_name(edge, field)


def _noun(state: DotsAndBoxesState, of_board: str, of_coins: str) -> str:
    """One of two words: the first for a position on a board, the second for a position of coins."""
    return of_coins if isinstance(state.rules, Coins) else of_board


COLUMNS = ("rule", "positions", "classes", "acts in", "mean value", "optimal", "regret")

LEAVE_OUT = ("classes", "positions", "mean value")
"""The columns to omit on a narrow terminal, least important first."""


@dataclass(frozen=True, slots=True)
class Judged(Tabular):
    """The rules of a program, with the value of each rule alone over all positions of a board.

    Attributes:
        program: the name of the program.
        board: the size of the board, in columns and rows of boxes.
        rules: the rules, in the order of the program.
        values: the value of each rule.
    """

    program: str
    board: str
    rules: Sequence[NamedRule]
    values: Sequence[RuleValue]

    def __str__(self) -> str:
        """The rules, one per line, with the share of classes in which the rule's edge is one of the best."""
        return "\n".join(
            f"{each.name or print_rule(each.rule)}: {_cells(its)[-2] or '-'}"
            for each, its in zip(self.rules, self.values, strict=True)
        )

    def told(self) -> Iterator[str | Sheet]:
        """The rules as a table."""
        rows = [
            ("| " * each.joined + (each.name or print_rule(each.rule)), *_cells(its))
            for each, its in zip(self.rules, self.values, strict=True)
        ]
        yield Sheet(COLUMNS, rows, right=COLUMNS[1:], texts=("rule",), leave_out=LEAVE_OUT)

    def to_rows(self) -> list[dict[str, object]]:
        """The rules as JSON values."""
        return [
            {"name": each.name or None, "rule": print_rule(each.rule), "joined": each.joined, **asdict(its)}
            for each, its in zip(self.rules, self.values, strict=True)
        ]

    def to_json(self) -> dict[str, object]:
        """The answer as JSON values."""
        return {"program": self.program, "board": self.board, "results": self.to_rows()}


def judged(program: PlayerLike, board: str, language: str | None) -> Judged:
    """The values of a program's rules on a board; ``language`` is needed if the file's suffix does not determine it.

    Raises:
        UsageError: there is no such program or board, the program is not a list of rules, or the board is too large.
        SourceError: the program does not parse, or has an error for this game.
    """
    if isinstance(program, Program):
        name, named = program.named.spec, program.named
    else:
        name = os.fspath(program)
        (named,) = read_named([program_file(name, GAME.name)], language)
    if named.source is None or named.source.program.language != RULES.name:
        raise UsageError(f"{named.spec}: expected a rule list (.rules)")
    listed, rules = named.source.program.rules, DotsAndBoxesRules.from_options({"board": board})
    check_classes(rules)
    remark_compilation(game=GAME.name)
    return Judged(name, board, listed, rule_values(searches_of(seat(named, GAME)), rules))


def _cells(its: RuleValue) -> tuple[str, ...]:
    counts = tuple(f"{count:,}" for count in (its.positions, its.classes, its.acts))
    if its.mean_value is None or its.optimal is None or its.regret is None:
        return (*counts, "", "", "")
    return (*counts, f"{its.mean_value:+.3f}", f"{its.optimal:.1%}", f"{its.regret:.3f}")
