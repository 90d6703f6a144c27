"""Exports sinking programs as JSON and Lua."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpkit.core.check_report import FIRST_KEY, CheckReport
from gpkit.core.diagnostics import check_known, suggestion
from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.registry import offers_of
from gpkit.export.conformance import SCHEMA, conformance
from gpkit.export.json import Membership, texts
from gpkit.export.lua.hosts import replayed, run_everywhere
from gpkit.export.lua.layout import key, module_of, opening, quoted, records, runtime, table, width
from gpkit.export.statements import LINE
from gpkit.export.subject import Document, Exporting, Subject, player_recorder
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.languages.sinking.interpreter import Flow
from gpkit.languages.sinking.text import BLOCKS, CAPACITIES, dialect_of, vocabulary

MEMBER = "blocks"

_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*", re.ASCII)


def members(subject: Subject) -> dict[str, Any]:
    """The dialect and the blocks."""
    program = subject.program
    return {
        "dialect": dialect_of(subject.header, subject.primitives),
        MEMBER: dict(zip(program.names, program.blocks, strict=True)),
    }


def read(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[LinearProgram, Mapping[str, str]]:
    """The program with the blocks of a JSON object, and those values of switches that differ from the header.

    Raises:
        UsageError: there is no such switch, a switch has no such value, or the blocks do not form a program.
        LimitError: a block holds too many lines.
    """
    said = dialect_of(header, primitives)
    dialect = texts(value, "dialect")
    for switch in dialect:
        check_known("switch", switch, said)
    dialect_of(dialect, primitives)  # rejects a value that its switch does not have
    answers = {switch: answer for switch, answer in dialect.items() if said[switch] != answer}
    return _blocks(value[MEMBER], primitives), answers


def _blocks(blocks: object, primitives: PrimitiveSet | None) -> LinearProgram:
    """The program with these blocks; a missing block is empty."""
    if not isinstance(blocks, dict) or not blocks:
        raise UsageError("a program of instructions needs `blocks`, an object with at least one block")
    for name, lines in blocks.items():
        check_known("block", name, BLOCKS)
        if not isinstance(lines, list) or not all(
            isinstance(word, str) and _WORD.fullmatch(word) and word.lower() not in BLOCKS for word in lines
        ):
            raise UsageError(f"the block `{name}` should be a list of instructions, each of them one word")
    for name, capacity in zip(BLOCKS, CAPACITIES, strict=True):
        if (length := len(blocks.get(name, ()))) > capacity:
            raise LimitError(f"`{name}` holds at most {capacity} lines, got {length}")
    for word in dict.fromkeys(line for lines in blocks.values() for line in lines):
        if primitives is not None and word not in (known := vocabulary(primitives)):
            raise UsageError(f"`{primitives.game}` has no instruction `{word}`; {suggestion(word, known)}")
    return LinearProgram(BLOCKS, tuple(tuple(blocks.get(name, ())) for name in BLOCKS))


JSON = Membership(MEMBER, members, read)


MODES = ("module", "nested")

LUA = Path(__file__).parents[1] / "lua"
"""The folder with the hand-written Lua parts."""

GAMES = 10
"""The number of games that a module contains for its self-test."""

_ROOM = 106
"""The maximum width of a line in a recorded game."""

CONDITIONS: Mapping[str, str] = {
    "IfHit": "S.hit",
    "IfMiss": "not S.hit",
    "IfTrue": "S.flag",
    "IfFalse": "not S.flag",
    "IfSunk": "S.sunk",
    "IfZero": "S.count == 0",
    "IfEdge": "is_edge_ahead(S)",
    "IfKnown": "is_known_ahead(S)",
}

STATEMENTS: Mapping[str, str] = {
    "Target": "take_aim(S)",
    "MoveFwd": "move_forward(S)",
    "OppDir": "S.dir = (S.dir + 1) % 4 + 1",
    "SavePos": "S.temp_x, S.temp_y = S.x, S.y",
    "LoadPos": "S.x, S.y = S.temp_x, S.temp_y",
    "SetTrue": "S.flag = true",
    "SetFalse": "S.flag = false",
    "Reset": "S.count = 0",
    "Up": "S.count = S.count + 1",
    "Down": "S.count = S.count - 1",
}


@dataclass(frozen=True, slots=True)
class SinkingRecorder:
    """The recorder that follows sinking programs in a game; games provide it as ``player_recorder``.

    Attributes:
        game: the name of the game.
        folders: the folders of its hand-written Lua.
        games: takes (subject, count, first, counts_steps) and returns ``count`` games, numbered from ``first``, as
            dictionaries of plain values; without ``counts_steps``, the games contain only the shots.
        target_parts: returns the names of the hand-written Lua parts for a value of the switch ``target``: for the
            order of squares, the knowledge of fleets, and the choice of a square.
    """

    game: str
    folders: tuple[Path, ...]
    games: Callable[[Subject, int, int, bool], tuple[Any, ...]]
    target_parts: Callable[[str], tuple[str, Sequence[str], str]]


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Lua file of a sinking program, and its conformance file."""
    games = _recorded(subject, mode, GAMES)
    game = player_recorder(SinkingRecorder, subject).game
    head = {"schema": SCHEMA, "program": subject.name, "game": game}
    lines = (head, *({"kind": "game", **each} for each in games))
    return (Document(".lua", sinker_text(subject, mode, games)), conformance(lines))


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Compare whole games in every Lua interpreter, shot by shot."""
    more = _recorded(subject, mode, games, FIRST_KEY)
    text = sinker_text(subject, mode, _recorded(subject, mode, GAMES))
    games_text = records("return ", more, _ROOM)
    tested = subject.carries_tests
    replay = runtime("sinker_replay", LUA)
    return run_everywhere(
        (0, len(more)), lambda host: replayed(host, text, replay, {"replay": games_text}, tested)
    )


def _recorded(subject: Subject, mode: str, count: int, first: int = 1) -> tuple[Any, ...]:
    """Recorded games of a program in a mode; the nested mode does not count steps in the way that the machine does."""
    return player_recorder(SinkingRecorder, subject).games(subject, count, first, mode != "nested")


def sinker_text(subject: Subject, mode: str, games: tuple[Any, ...]) -> str:
    """The text of the Lua file."""
    record = player_recorder(SinkingRecorder, subject)
    primitives = subject.primitives or offers_of(record.game)[subject.program.language]
    dialect = dialect_of(subject.header, primitives)
    flow = Flow(subject.program, dialect, primitives)
    order, fleets, choice = record.target_parts(dialect["target"])
    items = [f"{key(name)} = {quoted(value)}" for name, value in dialect.items()]

    def written(*names: str) -> list[str]:
        return [runtime(name, LUA, *record.folders) for name in names]

    parts = [
        *_opening(subject, mode),
        "\n".join(table("local DIALECT = ", items)),
        *([_rows(flow)] if mode == "module" else []),
        *written("keyed_uniform", "sinker_order_kinds", order, "size", "sinker", "sinker_squares"),
        *written(*fleets, choice, "sinker_actions"),
        *(
            written("sinker_steps")
            if mode == "module"
            else [*written("sinker_threads"), *_functions(flow), *written("sinker_next")]
        ),
        *written("sinker_attribute", "sinker_report"),
    ]
    recorded = records("local GAMES = ", games, _ROOM)
    return module_of(subject, parts, [recorded, *written("sinker_replay", "sinker_selftest")])


def _opening(subject: Subject, mode: str) -> list[str]:
    how = (
        "S is plain numbers and tables, to be stored and loaded as the host likes."
        if mode == "module"
        else "The program waits in a coroutine, S.thread, so S cannot be stored; that of the mode module can."
    )
    how = f"S = M.new(key, width, height, fleet); x, y = M.next(S); M.report(S, result, length). {how}"
    return opening(subject, "a player of Battleship", how)


def _rows(flow: Flow) -> str:
    """The lines that matter, as data: the word of each and, for jumps and conditions, the row to which they lead."""
    program, places = flow.program, flow.rows()
    rows = {place: number for number, place in enumerate(places, start=1)}

    def row_at(place: Place) -> int:
        block, line = place
        return next(rows[block, k] for k in range(line, len(program.blocks[block]) + 1) if (block, k) in rows)

    lines = ["local PROGRAM = {"]
    for number, place in enumerate(places, start=1):
        if number == 1 or places[number - 2][0] != place[0]:
            lines.append(f"\t-- {program.names[place[0]]}")
        word = program.word(place) or "Jump"
        jumps = word == "Jump" or word in flow.conditions
        item = f"{quoted(word)}, {row_at(flow.ways[place][-1])}" if jumps else quoted(word)
        lines.append(f"\t{{ {item} }}, -- {number}")
    return "\n".join([*lines, "}"])


def _functions(flow: Flow) -> list[str]:
    """A Lua function for each block that the program can reach; the function returns the next block to run."""
    program = flow.program
    if flow.dialect["if"] != "stacked":
        raise UsageError("nested conditions only support the dialect if=stacked; export in the mode module")
    bodies = {name: _body(flow, number) for number, name in enumerate(program.names)}
    reached = [program.names[0]]
    for name in reached:  # grows during the loop
        led_to = (line.partition("return ")[2] for line in bodies[name])
        reached += [block for block in led_to if block and block not in reached]
    names = [name for name in program.names if name in reached]
    functions = (["\tround(S)", *(f"\t{line}" for line in bodies[name])] for name in names)
    return [
        "local " + ", ".join(names),
        *(
            "\n".join([f"{name} = function(S)", *lines, "end"])
            for name, lines in zip(names, functions, strict=True)
        ),
    ]


def _body(flow: Flow, number: int) -> list[str]:
    """The lines of a block's function; the last one returns the next block."""
    program = flow.program
    next_block = program.names[(number + 1) % len(program.names)]
    body: list[str] = []
    waiting: list[str] = []
    for word in program.blocks[number]:
        if word in flow.conditions:
            waiting.append(CONDITIONS[word])
            continue
        body += _guarded(waiting, _statement(word, program, next_block, flow.dialect))
        if word == "Jump" and not waiting:
            return body  # nothing below is reached
        waiting = []
    end = {"top": program.names[number], "targeting": program.names[0], "next": next_block}[
        flow.dialect["end"]
    ]
    return [*body, f"return {end}"]


def _statement(word: str, program: LinearProgram, next_block: str, dialect: Mapping[str, str]) -> list[str]:
    restart = ["if fire(S) then", f"\treturn {program.names[0]}", "end"]
    fire = restart if dialect["sunk"] == "reset" else ["fire(S)"]
    known = {"Jump": [f"return {next_block}"], "Shoot": fire, "Nop": []}
    return known.get(word, [STATEMENTS.get(word, f'draw_direction(S, "{word}")')])


def _guarded(conditions: list[str], statement: list[str]) -> list[str]:
    """A statement of a block's function that depends on conditions; many conditions are put on separate lines."""
    if not conditions or not statement:
        return statement
    heading = [f"if {' and '.join(conditions)} then"]
    if width(f"\t{heading[0]}") > LINE:
        first, *others = conditions
        heading = ["if", f"\t{first}", *(f"\tand {condition}" for condition in others), "then"]
    return [*heading, *(f"\t{line}" for line in statement), "end"]


EXPORTING = Exporting(documents, check, MODES)
