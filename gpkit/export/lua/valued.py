"""Programs that value candidates as Lua: modules that test themselves, whole players, functions, rosters."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gpkit.core.check_report import FIRST_KEY, CheckReport
from gpkit.export.conformance import (
    conformance_text,
    differences,
    largest_difference,
    make_vectors,
    needs_library,
    plays,
    prove,
    record_games,
)
from gpkit.export.lua.functions import roster_text
from gpkit.export.lua.hosts import Host, run_everywhere
from gpkit.export.lua.layout import KEYWORDS
from gpkit.export.lua.module import OWN_NAMES, function_text, lua_text
from gpkit.export.lua.rows import row_literal
from gpkit.export.lua.runner import Loaded, outcome, own_failures
from gpkit.export.registry import CONFORMANCE, Document, Subject
from gpkit.export.rows import row_form
from gpkit.export.statements import free_names
from gpkit.export.transcripts import Transcript, recorder_of

LEVEL = "program"
"""The level of a roster of one program whose header names no ``level``."""


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Lua file, and for modules and players the file of conformance.

    Raises:
        UsageError: the program cannot be said in this mode.
    """
    if mode == "function":
        return (Document(".lua", function_text(subject)),)
    if mode == "article":
        level = subject.header.get("level", LEVEL)
        return (Document(".lua", roster_text({level: [subject.program]})),)
    subject = _named_for_lua(subject, mode)
    proof = prove(subject)
    conformance = Document(CONFORMANCE, conformance_text(subject, proof))
    return (Document(".luau" if mode == "luau" else ".lua", lua_text(subject, mode, proof)), conformance)


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Values of every part, and whole games where the mode has a choice and the game is known, in every Lua."""
    subject = _named_for_lua(subject, mode)
    vectors = make_vectors(subject, evaluations, "check")
    form = row_form(subject) if mode == "module" else None
    trials = [] if form is None else form.checked(evaluations)
    rows = [row_literal(row) for row, _ in trials]
    games = 0 if form is not None else games
    notes: tuple[str, ...] = ()
    if mode == "luau":
        notes = ("Luau is checked without its types, as a plain module",)
    transcripts: Sequence[Transcript] = ()
    if mode == "function":
        text, kind = function_text(subject), "function"
    elif mode == "article":
        text, kind = roster_text({"program": [subject.program]}), "article"
    else:
        text, kind = lua_text(subject, "player" if mode == "player" else "module", prove(subject)), "module"
        transcripts = record_games(subject, games, FIRST_KEY)
        if games and not plays(subject):
            notes = (
                *notes,
                "no whole games: the game is not known, or a part for one of its decisions is missing",
            )
        elif games and recorder_of(subject.game) is None:
            notes = (*notes, f"no whole games: those of {subject.game} cannot be recorded here")
        elif len(transcripts) < games:
            compared = f"{len(transcripts)} of {games}" if transcripts else "no"
            notes = (*notes, f"{compared} whole games: under these rules each takes long to replay")

    is_close = needs_library(subject.program)
    largest: dict[str, float] = {}

    def test(host: Host) -> list[str]:
        loaded = Loaded(host, text, kind, subject.program)
        found: list[str] = []
        for section, tree in zip(subject.program.names, subject.program.trees, strict=True):
            mine = [v for v in vectors if v.section == section]
            values = loaded.evaluate(section, tree, [(v.values, v.random) for v in mine])
            found += differences(mine, values, is_close)
            largest[host.name] = max(largest.get(host.name, 0.0), largest_difference(mine, values))
        if form is not None and rows:
            found += form.differing(trials, loaded.predict(rows))
        found += _games_that_differ(subject, loaded, mode, transcripts)
        if kind == "module":
            found += own_failures(*loaded.selftest(), subject.carries_tests)
        return found

    report = run_everywhere((len(vectors) + len(trials), len(transcripts)), test, notes)
    hosts = (replace(row, largest=largest.get(row.host, 0.0)) for row in report.rows)
    return replace(report, rows=tuple(hosts))


def _named_for_lua(subject: Subject, mode: str) -> Subject:
    """The same subject; if it predicts rows, its sections get names that a module can have as fields."""
    if mode != "module" or row_form(subject) is None:
        return subject
    names = free_names(subject.program.names, OWN_NAMES | KEYWORDS)
    return replace(subject, program=replace(subject.program, names=tuple(names.values())))


def _games_that_differ(
    subject: Subject, loaded: Loaded, mode: str, transcripts: Sequence[Transcript]
) -> Iterator[str]:
    """The games that go differently in one Lua: played by a player, and decided by another module."""
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
            chosen = loaded.decide(section, subject.program.tree(section).reads, decisions)
            pairs = zip(decisions, chosen, strict=True)
            different |= {key for (key, decision), word in pairs if word != str(decision.action)}
    yield from (f"the game with the key {key} goes differently" for key in sorted(different))
