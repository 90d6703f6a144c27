"""Sinking programs as Lua: data with a stepper whose state can be stored, or functions with nested conditions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from gpkit.core.check_report import FIRST_KEY, CheckReport
from gpkit.core.errors import UsageError
from gpkit.core.registry import offers_of
from gpkit.export.conformance import SCHEMA
from gpkit.export.lua.hosts import run_everywhere
from gpkit.export.lua.layout import key, module_of, opening, quoted, records, runtime, table, width
from gpkit.export.lua.runner import replayed
from gpkit.export.registry import CONFORMANCE, Document, Subject, record_form
from gpkit.export.statements import LINE
from gpkit.export.transcripts import Recording
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.languages.sinking.introns import Flow
from gpkit.languages.sinking.words import dialect_of

MODES = ("module", "nested")

LUA = Path(__file__).parents[1] / "lua"
"""The folder of the hand-written parts."""

GAMES = 10
"""Games that a module carries for its own test."""

_ROOM = 106
"""The widest line of a recorded game."""

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


@runtime_checkable
class SinkingRecording(Recording, Protocol):
    """Games of sinking programs, dataclasses of plain values: further functions of ``forms.record`` beside a game.

    ``recorded`` gives ``count`` games from number ``first``; without ``counts_steps``, only as far as the program took
    shots. ``target_parts`` gives the hand-written parts of a targeting player: its order of squares, what it knows of
    fleets, and its choice.
    """

    def recorded(
        self, subject: Subject, count: int, first: int = 1, *, counts_steps: bool = True
    ) -> tuple[Any, ...]: ...
    def target_parts(self, target: str) -> tuple[str, Sequence[str], str]: ...


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Lua file of a sinking program, and the file of its conformance."""
    games = _recorded(subject, mode, GAMES)
    game = record_form(SinkingRecording, subject).RECORDER.game
    head = {"schema": SCHEMA, "program": subject.name, "game": game}
    lines = (head, *({"kind": "game", **asdict(each)} for each in games))
    return (
        Document(".lua", sinker_text(subject, mode, games)),
        Document(CONFORMANCE, "".join(f"{json.dumps(line)}\n" for line in lines)),
    )


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Whole games, shot by shot, in every Lua."""
    more = _recorded(subject, mode, games, FIRST_KEY)
    text = sinker_text(subject, mode, _recorded(subject, mode, GAMES))
    games_text = records("return ", map(asdict, more), _ROOM)
    tested = subject.carries_tests
    replay = runtime("sinker_replay", LUA)
    return run_everywhere(
        (0, len(more)), lambda host: replayed(host, text, replay, {"replay": games_text}, tested)
    )


def _recorded(subject: Subject, mode: str, count: int, first: int = 1) -> tuple[Any, ...]:
    """Games of a program as a mode plays them: the nested one does not count steps as the machine does."""
    record = record_form(SinkingRecording, subject)
    return record.recorded(subject, count, first, counts_steps=mode != "nested")


def sinker_text(subject: Subject, mode: str, games: tuple[Any, ...]) -> str:
    """The text of the Lua file."""
    record = record_form(SinkingRecording, subject)
    primitives = subject.primitives or offers_of(record.RECORDER.game)[subject.program.language]
    dialect = dialect_of(subject.header, primitives)
    flow = Flow(subject.program, dialect, primitives)
    order, fleets, choice = record.target_parts(dialect["target"])
    parts = _opening(subject, mode)
    items = [f"{key(name)} = {quoted(value)}" for name, value in dialect.items()]
    parts.append("\n".join(table("local DIALECT = ", items)))
    if mode == "module":
        parts.append(_rows(flow))

    def written(*names: str) -> list[str]:
        return [runtime(name, LUA, *record.RECORDER.folders) for name in names]

    parts += written("keyed_uniform", "sinker_order_kinds", order, "size", "sinker", "sinker_squares")
    parts += written(*fleets, choice, "sinker_actions")
    if mode == "module":
        parts += written("sinker_steps")
    else:
        parts += [
            *written("sinker_threads"),
            *_functions(flow),
            *written("sinker_next"),
        ]
    parts += written("sinker_attribute", "sinker_report")
    if subject.carries_tests:
        parts += [
            records("local GAMES = ", map(asdict, games), _ROOM),
            *written("sinker_replay", "sinker_selftest"),
        ]
    else:
        parts += written("no_selftest")
    return module_of(parts)


def _opening(subject: Subject, mode: str) -> list[str]:
    how = (
        "S is plain numbers and tables, to be stored and loaded as the host likes."
        if mode == "module"
        else "The program waits in a coroutine, S.thread, so S cannot be stored; that of the mode module can."
    )
    how = f"S = M.new(key, width, height, fleet); x, y = M.next(S); M.report(S, result, length). {how}"
    return opening(subject, "a player of Battleship", how)


def _rows(flow: Flow) -> str:
    """The lines that matter as data: the word, and for jumps and failing conditions the row to go on at."""
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
    """A function for each block that the program can come to, which gives the next one to run."""
    program = flow.program
    if flow.dialect["if"] != "stacked":
        raise UsageError("nested conditions only support the dialect if=stacked; export in the mode module")
    bodies = {name: _body(flow, number) for number, name in enumerate(program.names)}
    reached = [program.names[0]]
    for name in reached:  # grows on the way
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
    """The lines of a block's function; the last one says which block is next."""
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
    """A statement of a block's function under conditions, which stand on lines of their own where they are many."""
    if not conditions or not statement:
        return statement
    heading = [f"if {' and '.join(conditions)} then"]
    if width(f"\t{heading[0]}") > LINE:
        first, *others = conditions
        heading = ["if", f"\t{first}", *(f"\tand {condition}" for condition in others), "then"]
    return [*heading, *(f"\t{line}" for line in statement), "end"]
