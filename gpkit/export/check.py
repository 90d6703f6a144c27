"""Whether exported code is the program: it is run, and compared bit for bit with the interpreter."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from gpkit.core.errors import UsageError
from gpkit.export.battleship import without_giving_up
from gpkit.export.conformance import plays, prove, record_games
from gpkit.export.json import json_text, read_subject
from gpkit.export.lua.exporter import lua_text
from gpkit.export.lua.hosts import Host, LuaError, hosts
from gpkit.export.lua.module import function_text
from gpkit.export.lua.roster import roster_text
from gpkit.export.lua.rules import GAMES as OWN_MATCHES
from gpkit.export.lua.rules import POSITIONS, recorded_matches, recorded_positions, records, rules_text
from gpkit.export.lua.runner import Loaded, outcome, own_failures, replayed_moves, replayed_shots
from gpkit.export.lua.sinker import GAMES as OWN_GAMES
from gpkit.export.lua.sinker import games_table, recorded, sinker_text
from gpkit.export.python import python_text
from gpkit.export.statements import sensors_of
from gpkit.export.subject import Subject
from gpkit.export.transcripts import Transcript
from gpkit.export.vectors import Vector, make_vectors, same_number
from gpkit.genomes.graph import RuleList
from gpkit.genomes.linear import LinearProgram
from gpkit.genomes.tree import TreeProgram

EVALUATIONS = 1000
GAMES = 20

_FIRST_KEY = 1001  # not among the games that a module carries
_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Row:
    """What one host made of the exported code.

    Attributes:
        host: such as ``lua51``, ``lua5.4 (Lua 5.4.6)`` or ``python``.
        evaluations: how many values were compared.
        games: how many whole games were compared.
        failures: how many of both differ, and those that the code's own test finds.
        first: the first difference in words, or empty.
    """

    host: str
    evaluations: int
    games: int
    failures: int
    first: str


@dataclass(frozen=True, slots=True)
class Report:
    """The rows of all hosts, and what a reader should know of how they were made."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs."""
        return not any(row.failures for row in self.rows)


def require_checkable(subject: Subject, to: str) -> None:
    """Check that the export of a program can be run, or read back.

    Raises:
        UsageError: it cannot; the message names the formats that can.
    """
    able = ("lua", "python", "json") if isinstance(subject.program, TreeProgram) else ("lua", "json")
    if to not in able:
        known = f"{', '.join(able[:-1])} and {able[-1]}"
        raise UsageError(f"an export of {subject.name} to {to} cannot be run; only {known} can be checked")


def check_export(
    subject: Subject, to: str, mode: str, *, evaluations: int = EVALUATIONS, games: int = GAMES
) -> Report:
    """Run the export of a program wherever that is possible and compare it with the interpreter.

    Args:
        subject: the program.
        to: the exporter's name: ``lua``, ``python`` or ``json``.
        mode: one of the exporter's modes.
        evaluations: how many of every formula.
        games: how many whole games, where the mode has a choice and the game is known.

    Raises:
        UsageError: the format cannot be run, what runs it is not installed, or the program cannot be exported.
    """
    require_checkable(subject, to)
    if to == "json":
        again = read_subject(json_text(subject))
        failures = int((again.program, again.header) != (subject.program, dict(subject.header)))
        program = subject.program
        parts = len(program.rules if isinstance(program, RuleList) else program.names)
        return Report((Row("json", parts, 0, failures, "it reads back differently" * failures),))
    if isinstance(subject.program, LinearProgram):
        return _check_sinker(subject, mode, games)
    if isinstance(subject.program, RuleList):
        return _check_rules(subject, mode, evaluations, games)
    vectors = make_vectors(subject, evaluations, "check")
    if to == "python":
        return Report((_check_python(subject, vectors),))
    return _check_lua(subject, mode, vectors, games)


def _check_sinker(subject: Subject, mode: str, games: int) -> Report:
    """Whole games, shot by shot, in every Lua."""
    own, more = recorded(subject, OWN_GAMES), recorded(subject, games, _FIRST_KEY)
    if mode == "nested":  # which does not count steps as the machine does
        own, more = tuple(map(without_giving_up, own)), tuple(map(without_giving_up, more))
    text = sinker_text(subject, mode, own)
    games_text = games_table("return ", more)
    tested = subject.carries_tests
    return _report((0, len(more)), lambda host: replayed_shots(host, text, games_text, tested))


def _check_rules(subject: Subject, mode: str, evaluations: int, games: int) -> Report:
    """The moves in random positions, and whole games, in every Lua."""
    own = recorded_positions(subject, POSITIONS), recorded_matches(subject, OWN_MATCHES)
    positions = recorded_positions(subject, evaluations, "check")
    matches = recorded_matches(subject, games, _FIRST_KEY)
    text = rules_text(subject, mode, *own)
    texts = text, records("return ", positions), records("return ", matches)
    tested = subject.carries_tests
    return _report((len(positions), len(matches)), lambda host: replayed_moves(host, *texts, tested))


def _report(
    counts: tuple[int, int], test: Callable[[Host], list[str]], notes: tuple[str, ...] = ()
) -> Report:
    """Results of a test in every Lua, the test giving the differences.

    Args:
        counts: evaluations and whole games in the test.
        test: code that fails altogether counts as one failure.
        notes: what a reader should know.
    """
    rows = []
    for host in hosts():
        try:
            found = test(host)
        except LuaError as error:
            found = [str(error)]
        rows.append(Row(host.name, *counts, len(found), found[0] if found else ""))
    return Report(tuple(rows), notes)


def _check_lua(subject: Subject, mode: str, vectors: Sequence[Vector], games: int) -> Report:
    notes: tuple[str, ...] = ()
    if mode == "luau":
        notes = ("Luau is checked without its types, as the module that it is otherwise",)
    transcripts: Sequence[Transcript] = ()
    if mode == "function":
        text, kind = function_text(subject), "function"
    elif mode == "article":
        text, kind = roster_text({"program": [subject.program]}), "article"
    else:
        text, kind = lua_text(subject, "player" if mode == "player" else "module", prove(subject)), "module"
        transcripts = record_games(subject, games, _FIRST_KEY)
        if games and not plays(subject):
            notes = (
                *notes,
                "no whole games: the game is not known, or a formula for one of its decisions is missing",
            )
        elif len(transcripts) < games:
            compared = f"{len(transcripts)} of {games}" if transcripts else "no"
            notes = (*notes, f"{compared} whole games: under these rules each one takes long to follow")

    def test(host: Host) -> list[str]:
        loaded = Loaded(host, text, kind, subject.program)
        found = [
            *_differences(subject, loaded, vectors),
            *_game_differences(subject, loaded, mode, transcripts),
        ]
        if kind == "module":
            found += own_failures(*loaded.selftest(), subject.carries_tests)
        return found

    return _report((len(vectors), len(transcripts)), test, notes)


def _differences(subject: Subject, loaded: Loaded, vectors: Sequence[Vector]) -> Iterator[str]:
    """What one Lua computes differently."""
    for section, tree in zip(subject.program.names, subject.program.trees, strict=True):
        mine = [v for v in vectors if v.section == section]
        values = loaded.evaluate(section, tree, [(v.values, v.random) for v in mine])
        yield from _compare(mine, values)


def _game_differences(
    subject: Subject, loaded: Loaded, mode: str, transcripts: Sequence[Transcript]
) -> Iterator[str]:
    """The games that go differently in one Lua: played by a player, and decided by another module."""
    different: set[int] = set()
    if mode == "player" and transcripts:
        played = loaded.play(str(subject.game), transcripts)
        different = {t.key for t, words in zip(transcripts, played, strict=True) if words != outcome(t)}
    for section in subject.program.names if mode != "player" else ():
        decisions = [(t.key, d) for t in transcripts for d in t.decisions if d.section == section]
        if decisions:
            chosen = loaded.decide(section, sensors_of(subject.program.tree(section)), decisions)
            pairs = zip(decisions, chosen, strict=True)
            different |= {key for (key, decision), word in pairs if word != str(decision.action)}
    for key in sorted(different):
        yield f"the game of key {key} goes differently"


def _check_python(subject: Subject, vectors: Sequence[Vector]) -> Row:
    """Run the file in a Python of its own that can import nothing but the standard library."""
    calls = "".join(
        json.dumps(
            {"section": v.section, "env": dict(zip(v.sensors, v.values, strict=True)), "random": v.random}
        )
        + "\n"
        for v in vectors
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(python_text(subject), encoding="utf-8")
        command = [sys.executable, "-I", str(path)]
        done = subprocess.run(  # noqa: S603 - this interpreter, on a file just written
            command, input=calls, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    values = done.stdout.split()
    found = [*_compare(vectors, values)]
    if done.returncode or len(values) != len(vectors):
        found.append(done.stderr.strip()[-500:] or f"{len(values)} values instead of {len(vectors)}")
    return Row("python", len(vectors), 0, len(found), found[0] if found else "")


def _compare(vectors: Sequence[Vector], values: Sequence[str]) -> Iterator[str]:
    """The vectors whose value is not as expected."""
    for vector, text in zip(vectors, values, strict=False):
        if text.startswith("drew") or not same_number(float(text), vector.result):
            env = ", ".join(f"{n}={v!r}" for n, v in zip(vector.sensors, vector.values, strict=True))
            yield f"{vector.section}({env}) is {text} instead of {vector.result!r}"
