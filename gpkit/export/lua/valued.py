"""Exports programs that score candidates to Lua, as self-testing modules, complete players or functions."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gpkit.core.check_report import FIRST_KEY, CheckReport
from gpkit.export.conformance import (
    Transcript,
    conformance_of,
    largest_difference,
    needs_library,
    plays,
    prove,
    record_games,
    recorder_of,
)
from gpkit.export.lua.hosts import Host, Loaded, outcome, own_failures, run_everywhere
from gpkit.export.lua.layout import KEYWORDS
from gpkit.export.lua.module import OWN_NAMES, function_text, lua_text, roster_text, row_literal
from gpkit.export.rows import Trials, row_form
from gpkit.export.statements import free_names, writer_of
from gpkit.export.subject import Document, Exporting, Subject

LEVEL = "program"
"""The level at which a roster lists a program that has no ``level`` in its header."""


MODES = ("module", "player", "function", "article", "luau")


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Lua file and, for modules and players, the conformance file.

    Raises:
        UsageError: this mode cannot express the program; only functions and modules can have names as leaves.
    """
    if mode == "function":
        return (Document(".lua", function_text(subject)),)
    if mode == "article":
        level = subject.header.get("level", LEVEL)
        return (Document(".lua", roster_text({level: [subject.program]})),)
    fix = f"export it to lua with --mode {'function' if mode == 'module' else 'module'}"
    subject = writer_of(subject.program.language).ready(subject, fix, mode == "module")
    subject = _named_for_lua(subject, mode)
    proof = prove(subject)
    text = lua_text(subject, mode, proof)
    return (Document(".luau" if mode == "luau" else ".lua", text), conformance_of(subject, proof))


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Compares the values of every part in every Lua interpreter, and also games if the mode supports them.

    Raises:
        UsageError: leaves are names, and the mode or the game does not allow that.
    """
    can_name = mode in ("function", "module")
    fix = "export it without --check" if can_name or subject.primitives else "choose --mode function"
    subject = writer_of(subject.program.language).ready(subject, fix, can_name)
    subject = _named_for_lua(subject, mode)
    tried = Trials(subject, evaluations, mode == "module")
    rows = [row_literal(row) for row, _ in tried.rows]
    notes = ["Luau is checked without its types, as a plain module"] * (mode == "luau")
    transcripts: Sequence[Transcript] = ()
    if mode == "function":
        text, kind = function_text(subject), "function"
    elif mode == "article":
        text, kind = roster_text({LEVEL: [subject.program]}), "article"
    else:
        text, kind = lua_text(subject, "player" if mode == "player" else "module", prove(subject)), "module"
        games = 0 if tried.form is not None else games
        transcripts = record_games(subject, games, FIRST_KEY)
        if games and not plays(subject):
            notes.append(
                "no whole games: the game is not known, or a part for one of its decisions is missing"
            )
        elif games and recorder_of(subject.game) is None:
            notes.append(f"no whole games: those of {subject.game} cannot be recorded here")
        elif len(transcripts) < games:
            compared = f"{len(transcripts)} of {games}" if transcripts else "no"
            notes.append(f"{compared} whole games: under these rules each takes long to replay")
    is_close = needs_library(subject.program)
    largest: dict[str, float] = {}

    def test(host: Host) -> list[str]:
        loaded = Loaded(host, text, kind, subject.program)
        values: list[str] = []
        for section, tree in subject.program.parts.items():
            mine = [(v.values, v.random) for v in tried.vectors if v.section == section]
            values += loaded.evaluate(section, tree, mine)[: len(mine)]
        largest[host.name] = largest_difference(tried.vectors, values)
        found = tried.differing(values, loaded.predict(rows) if rows else (), is_close)
        found += _games_that_differ(subject, loaded, mode, transcripts)
        if kind == "module":
            found += own_failures(*loaded.selftest(), subject.carries_tests)
        return found

    report = run_everywhere((tried.count, len(transcripts)), test, tuple(notes))
    hosts = (replace(row, largest=largest.get(row.host, 0.0)) for row in report.rows)
    return replace(report, rows=tuple(hosts))


def _named_for_lua(subject: Subject, mode: str) -> Subject:
    """The subject; if it predicts rows, its sections are renamed to valid field names of a module."""
    if mode != "module" or row_form(subject) is None:
        return subject
    names = free_names(subject.program.names, OWN_NAMES | KEYWORDS)
    return replace(subject, program=replace(subject.program, names=tuple(names.values())))


def _games_that_differ(
    subject: Subject, loaded: Loaded, mode: str, transcripts: Sequence[Transcript]
) -> Iterator[str]:
    """Yield the games that differ in a Lua interpreter; players play whole games, other modules only make decisions."""
    different: set[int] = set()
    recorder = recorder_of(subject.game)
    if mode == "player" and transcripts and recorder is not None and recorder.hosted:
        count, first = loaded.follow(transcripts)
        yield from [first] * count
    elif mode == "player" and transcripts and recorder is not None:
        played = loaded.play(recorder, transcripts)
        different = {t.key for t, words in zip(transcripts, played, strict=True) if words != outcome(t)}
    for section in subject.program.names if mode != "player" else ():
        decisions = [(t.key, d) for t in transcripts for d in t.decisions if d.section == section]
        if decisions:
            chosen = loaded.decide(section, subject.program.parts[section].reads, decisions)
            pairs = zip(decisions, chosen, strict=True)
            different |= {key for (key, decision), word in pairs if word != str(decision.action)}
    yield from (f"the game with the key {key} goes differently" for key in sorted(different))


EXPORTING = Exporting(documents, check, MODES)
