"""Lua files around programs that value candidates: a function, a module that tests itself, a whole player.

A host can bring the rules and the sensors of a player: then the file says what the sensors mean, and holds whole games
to compare.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.version import VERSION
from gpkit.export.conformance import CLOSE, SEMANTICS, Proof, needs_library, plays
from gpkit.export.lua.functions import (
    Inputs,
    describe,
    fields_read,
    helper_texts,
    parameters,
    writer_of,
)
from gpkit.export.lua.layout import comment, is_name, key, number, quoted, runtime, table, text_block
from gpkit.export.lua.rows import literal, row_texts
from gpkit.export.registry import Subject
from gpkit.export.rows import row_form
from gpkit.export.transcripts import Decision, Recorder, Transcript, mix, recorder_of

USE = (
    "The host provides the rules and the sensors, see Host and M.SENSORS below: P = M.new(host); action = "
    "M.choose(P, state)."
)
"""Use of such a player, for its header."""

COMPARISON = "M.selftest(host) compares them with those of recorded games."
"""Sentence besides on one that carries recorded games."""

HOST_OF_TEST = [
    "--- With a host, recorded games are played with its rules and sensors, too, which must be those of the game.",
    "---@param host? Host",
]
"""Comment on the host that a player's own test takes."""


def meanings(program: Any, primitives: PrimitiveSet) -> str:
    """The table of the sensors that formulas read: what each means and its bounds."""
    inputs = Inputs.of(program)
    lines = ["--- The sensors that formulas read of a candidate: their ranges and meanings."]
    lines += ["---@type table<string, { low: number, high: number, integer: boolean, meaning: string }>"]
    items: list[str] = []
    for name in dict.fromkeys(name for tree in program.trees for name in tree.reads):
        sensor = primitives.sensor(name)
        assert sensor is not None, "a program for a game reads its sensors"
        bounds = [f"low = {number(sensor.low)}", f"high = {number(sensor.high)}"]
        words = [f"integer = {'true' if sensor.integer else 'false'}", f"meaning = {quoted(sensor.meaning)}"]
        items += table(f"\t{key(inputs.field(name))} = ", [*bounds, *words], ",")
    return "\n".join([*lines, *(["M.SENSORS = {", *items, "}"] if items else ["M.SENSORS = {}"])])


def course_words(transcripts: Sequence[Transcript]) -> list[str]:
    """Whole games action by action, as ``own_replay.lua`` reads them."""
    words: list[str] = []
    for transcript in transcripts:
        decisions = {decision.index: decision for decision in transcript.decisions}
        words += [str(transcript.key), str(len(transcript.actions))]
        for index, action in enumerate(transcript.actions):
            decision = decisions.get(index)
            words += [str(action), str(len(decision.candidates) if decision else 0)]
            if decision is None:
                continue
            words += [decision.section, str(decision.actions)]
            words += candidate_words(decision)
    return words


def candidate_words(decision: Decision) -> Iterator[str]:
    """The candidates of a decision: of each its action, and what was seen of it."""
    for candidate in decision.candidates:
        yield from (str(candidate.action), *map(number, candidate.sensors.values()))


OWN_NAMES = frozenset(
    {"choose", "keyed", "new_random", "random", "selftest", "_VERSION"}
    | {"RULES", "apply", "deal", "legal", "make_rules", "observe", "play_game", "returns", "sense"}
    | {"SENSORS", "new"}
    | {"CLASSES", "predict", "probabilities"}
    | {"codes_left", "feedback", "number_of"}
    | {"inf", "nan", "infinity"}
)
"""Names that modules and players use themselves, and the words that stand for numbers in their tests."""

LUAU_TYPES = "export type Inputs = { [string]: number }\nexport type Random = () -> number"
_RANDOM = "random? fun(): number numbers in [0, 1); M.random if left out"
_LUAU_PARAMETERS = {"inputs": "Inputs", "random": "Random?"}


def function_text(subject: Subject) -> str:
    """A file that returns the program: a function, or a table of functions if it has several formulas."""
    program, inputs = subject.program, Inputs.of(subject.program)
    bodies = [writer_of(program.language).body(tree, inputs) for tree in program.trees]
    sections = list(zip(program.names, program.trees, bodies, strict=True))
    lines: list[str] = []
    for name, tree, body in sections:
        start = f"{key(name)} = " if len(sections) > 1 else "return "
        random = "random fun(): number numbers in [0, 1), such as math.random"
        lines += describe(tree, _meaning(subject, name), inputs, subject.primitives, random)
        lines += [f"{start}function({parameters(tree, inputs)})", *(f"\t{line}" for line in body.lines)]
        lines.append("end" + "," * (len(sections) > 1))
    if len(sections) > 1:
        lines = ["return {", *(f"\t{line}" for line in lines), "}"]
    parts = ["\n".join(_header(subject, False, None)), *helper_texts(program, bodies), "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def lua_text(subject: Subject, mode: str, proof: Proof) -> str:
    """The text of a ``module``, ``local M = {} … return M``, of one with the types of ``luau``, or of a ``player``.

    All have a function for every formula, choice between candidates, and a self-test. A player is the module with the
    choice of its game, and its rules and sensors unless a host brings them.

    Raises:
        UsageError: of a player, the game is not known, or a formula for one of its decisions is missing.
    """
    if mode != "player":
        return _file(subject, proof, _LUAU_PARAMETERS if mode == "luau" else None)
    if subject.primitives is None or not plays(subject):
        wanted = f"the sections {', '.join(subject.primitives.sections)}" if subject.primitives else "a game"
        raise UsageError(f"a player needs {wanted}; name the game, or export a module")
    recorder = recorder_of(subject.game)
    if recorder is None:
        raise UsageError(
            f"whole games of {subject.game} cannot be recorded, which a player needs; export a module"
        )
    return _file(subject, proof, None, recorder)


def _file(
    subject: Subject, proof: Proof, types: dict[str, str] | None, recorder: Recorder | None = None
) -> str:
    """All parts, an empty line between them."""
    program = subject.program
    for name in program.names:
        if name in OWN_NAMES or not is_name(name):
            raise UsageError(f"a Lua module cannot have a {writer_of(program.language).noun} named `{name}`")
    inputs = Inputs.of(program)
    bodies = [writer_of(program.language).body(tree, inputs) for tree in program.trees]
    draws = any(tree.draws for tree in program.trees)
    known = recorder or recorder_of(subject.game)
    keyed = recorder is not None or (draws and bool(subject.game)) or bool(proof.transcripts)
    keyed = keyed and (subject.carries_tests or recorder is not None or draws)
    parts = ["\n".join(_header(subject, types is not None, recorder))]
    if types is not None:
        parts.append(LUAU_TYPES)
    version = quoted(f"{subject.name}, gpkit {VERSION}, {SEMANTICS}")
    parts += [f"local M = {{}}\n\nM._VERSION = {version}", *helper_texts(program, bodies)]
    if draws:
        parts += [runtime("random"), "M.new_random = new_random\nM.random = new_random(12345)"]
    if keyed:
        source = runtime(known.keyed, *known.folders) if known is not None else runtime("keyed")
        parts += [runtime("keyed_uniform"), source, "M.keyed = keyed_source"]
    for name, tree, body in zip(program.names, program.trees, bodies, strict=True):
        meaning = _meaning(subject, name)
        signature = f"function M.{name}({parameters(tree, inputs, types)})" + (": number" if types else "")
        default = ["\trandom = random or M.random"] if tree.draws else []
        lines = [
            *describe(tree, meaning, inputs, subject.primitives, _RANDOM),
            signature,
            *default,
            *(f"\t{x}" for x in body.lines),
            "end",
        ]
        parts.append("\n".join(lines))
    if known is not None and known.hosted and subject.primitives is not None:
        parts.append(meanings(program, subject.primitives))
    form = row_form(subject) if recorder is None and types is None else None
    if form is not None or subject.carries_tests:
        parts.append(runtime("numbers"))
    if recorder is not None:
        tables = recorder.tables(subject.rules)
        parts += [_rules(recorder, subject), *(text_block(n, map(str, tables[n])) for n in tables)]
        parts += [fields_read(program)] if recorder.hosted else []
        parts += (runtime(name, *recorder.folders) for name in recorder.parts(program))
    elif form is not None:
        parts += row_texts(form)
    else:
        parts.append(runtime("choose"))
    if subject.carries_tests:
        parts += _selftest(subject, proof, draws, recorder)
    else:
        parts.append(runtime("no_selftest"))
    return "\n\n".join([*parts, "return M"]) + "\n"


def _header(subject: Subject, luau: bool, recorder: Recorder | None) -> list[str]:
    writer = writer_of(subject.program.language)
    lines = ["--!nonstrict"] if luau else []
    lines += comment(f"{subject.name}: written by gpkit {VERSION}; the meaning is that of {SEMANTICS}.")
    if subject.game is not None:
        lines += comment(
            f"A player of {subject.game}: every candidate is worth what its {writer.noun} gives, the best is chosen."
        )
    if recorder is not None and recorder.hosted:
        lines += comment(f"{USE} {COMPARISON}" if subject.carries_tests else USE)
    for name, value in subject.header.items():
        lines += comment(f"{name}: {value}")
    for section, tree in zip(subject.program.names, subject.program.trees, strict=True):
        lines += comment(f"{section}: {writer.statement(tree, subject.primitives)}")
    return lines


def _meaning(subject: Subject, section: str) -> str:
    if subject.game is None:
        return f"The value of the {writer_of(subject.program.language).noun} {section}."
    return f"What a candidate is worth in the decision {section}."


def _rules(recorder: Recorder, subject: Subject) -> str:
    words = {True: "true", False: "false"}
    values = recorder.rules(subject.rules)
    items = [
        f"{key(name)} = {words[v] if isinstance(v, bool) else quoted(v) if isinstance(v, str) else v}"
        for name, v in values.items()
    ]
    return "\n".join(table("M.RULES = ", items))


def _selftest(subject: Subject, proof: Proof, draws: bool, recorder: Recorder | None) -> list[str]:
    """The data and functions that ``M.selftest`` consists of."""
    hosted = recorder is not None and recorder.hosted
    takes_host = hosted and bool(proof.transcripts)
    parts = [] if hosted else [fields_read(subject.program)]
    words: list[str] = []
    leaves: list[str] = []
    if any(isinstance(vector.result, str) for vector in proof.vectors):
        leaves = sorted({literal(vector.result) for vector in proof.vectors})
    for vector in proof.vectors:
        words += [vector.section, *map(number, vector.values), str(len(vector.random))]
        result = vector.result
        is_named = bool(leaves) or isinstance(result, str)
        shown = str(leaves.index(literal(result)) + 1) if is_named else number(float(result))
        words += [*map(number, vector.random), shown]
    parts += ["\n".join(table("local LEAVES = ", leaves))] if leaves else []
    parts += [text_block("VECTORS", words), _vector_test(needs_library(subject.program), bool(leaves))]
    checks = ["check_vectors(VECTORS)"]
    if draws:
        parts.append(runtime("random_selftest"))
        checks.append("check_random()")
    if proof.transcripts:
        parts += [] if hosted else [runtime("hash")]
        if hosted:
            parts += [text_block("GAMES", course_words(proof.transcripts)), runtime("own_replay")]
            checks.append("check_games(GAMES, host)")
        elif recorder is not None:
            parts.append(runtime(f"{recorder.game}_selftest", *recorder.folders))
            numbers = [n for t in proof.transcripts for n in (*t.actions, t.turns)]
            checks.append(f"check_games({len(proof.transcripts)}, {mix(numbers)})")
        else:
            parts += [text_block("GAMES", _game_words(proof.transcripts)), runtime("transcripts")]
            chosen = [d.action for t in proof.transcripts for d in t.decisions]
            checks.append(f"check_games(GAMES, {mix(chosen)})")
    lines = [
        "--- Tests this file against what the program computed where it was written.",
        *HOST_OF_TEST * takes_host,
        "---@return integer failures",
        "---@return string? first the first failure",
        f"function M.selftest({'host' * takes_host})",
        f"\tlocal failures, first = {checks[0]}",
    ]
    if len(checks) > 1:
        lines.append("\tlocal more, other")
    for check in checks[1:]:
        lines += [f"\tmore, other = {check}", "\tfailures, first = failures + more, first or other"]
    return [*parts, "\n".join([*lines, "\treturn failures, first", "end"])]


def _vector_test(is_close: bool, is_named: bool) -> str:
    """The function that checks vectors, to ``CLOSE`` where hosts compute with libraries of their own.

    Where leaves are names, the vectors have their places in ``LEAVES``.
    """
    equal = "return a == b or"
    close = f"{equal} math.abs(a - b) < {CLOSE!r} * math.abs(b) or" if is_close else equal
    text = runtime("selftest").replace(equal, close)
    if is_named:
        text = text.replace("local expected = word()", "local expected = LEAVES[word()]")
        text = text.replace("%.17g instead of %.17g", "%s instead of %s")
    return text


def _game_words(transcripts: Sequence[Transcript]) -> list[str]:
    words: list[str] = []
    for transcript in transcripts:
        words += [str(transcript.key), str(len(transcript.decisions))]
        for decision in transcript.decisions:
            words += [decision.section, str(decision.actions), str(len(decision.candidates))]
            words += candidate_words(decision)
    return words
