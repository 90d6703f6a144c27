"""Writes Lua files for programs that score candidates: functions, self-testing modules, players and rosters.

A roster has several specimens for every level of play; each specimen has a function for every decision.

P. Hansson, "Light Introduction to Genetic Programming", 2013, section "Running the tool": the file ``computer.txt``
holds the exported evaluation functions of the levels easy, medium, hard and expert. The layout of the file was not
published. The layout of its formulas was published, and gpkit reproduces it exactly.

A host can provide the rules and the sensors of a player. In this case, the file explains the meanings of the sensors,
and contains recorded games for comparison.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.primitives import RANDOM, PrimitiveSet
from gpkit.core.registry import SECOND
from gpkit.core.wording import VERSION
from gpkit.data.features import Label
from gpkit.data.table import EMPTY, SINCE
from gpkit.export.conformance import (
    CLOSE,
    SEMANTICS,
    Decision,
    Proof,
    Recorder,
    Transcript,
    about,
    mix,
    needs_library,
    plays,
    recorder_of,
)
from gpkit.export.lua.layout import (
    ABSENT,
    KEYWORDS,
    OPERATOR_CALLS,
    TAB,
    comment,
    field_of,
    helper_parts,
    is_name,
    key,
    number,
    quoted,
    records,
    runtime,
    table,
    text_block,
)
from gpkit.export.rows import Row, RowForm, row_form
from gpkit.export.statements import (
    LINE,
    NESTED_DEPTH,
    Body,
    Target,
    has_names,
    operators_of,
    printable,
    statements,
    writer_of,
)
from gpkit.export.subject import Subject
from gpkit.genomes.tree import Tree, TreeProgram, is_constant
from gpkit.langkit.operators import NOTATION

_PREFIX = "env."

RESERVED = frozenset(
    {"M", "env", "inputs", "random", "spill", "keyed_source", "keyed_uniform", "new_random", "mix", "words"}
    | {"math", "string", "table", "type", "tonumber", "tostring", "ipairs", "error", "self", "same", ABSENT}
    | set(OPERATOR_CALLS.values())
    | KEYWORDS
)
"""Names that no local variable of a formula can have."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The table from which all functions of a file read their sensors.

    A sensor ``env.x`` is the field x of ``env``. If the name of any sensor does not begin with ``env.``, the program
    reads all sensors from ``inputs``, under their full names.
    """

    table: str

    @classmethod
    def of(cls, program: Any) -> "Inputs":
        """The table of inputs for a program."""
        names = [name for tree in program.trees for name in tree.reads]
        return cls("env" if all(name.startswith(_PREFIX) for name in names) else "inputs")

    def field(self, sensor: str) -> str:
        """The field that contains a sensor's value."""
        return sensor.removeprefix(_PREFIX) if self.table == "env" else sensor

    def load(self, sensor: str) -> str:
        """The expression that reads a sensor as a double; Lua 5.3 and later might otherwise read an integer."""
        return f"({field_of(self.table, self.field(sensor))} or {ABSENT}({quoted(sensor)})) + 0.0"


def target(
    load: Callable[[str], str], taken: frozenset[str] = frozenset(), random: str = "random()"
) -> Target:
    """Lua as the target language for statements; no local variable gets a name in ``taken``."""
    return Target(
        name="lua",
        declare="local ",
        load=load,
        calls=OPERATOR_CALLS,
        function=lambda name, parameters, lines: (
            "\n\t".join([f"local function {name}({', '.join(parameters)})", *lines]) + "\nend"
        ),
        reserved=RESERVED | taken,
        quoted=quoted,
        first="if {} then",
        other="elseif {} then",
        last="else",
        end="end",
        indent="\t",
        unequal="~=",
        part="parts[{}] = function()",
        most_nodes=3_000,  # LuaJIT jumps over 32,767 instructions at most
        random=random,
        late_constant=_late_constant,
    )


def _late_constant(value: float) -> str:
    """An expression for a number that takes up no constant slot of its function and works in every locale."""
    numerator, denominator = value.as_integer_ratio()
    sign = "-" if numerator == 0 and math.copysign(1.0, value) < 0.0 else ""
    return f'(tonumber("{sign}{numerator}e0") * {math.ldexp(1.0, 1 - denominator.bit_length())!r})'


def parameters(tree: Any, inputs: Inputs, types: Mapping[str, str] | None = None) -> str:
    """The parameters that a part's function needs, with the given Luau ``types``, if any."""
    table = inputs.table if tree.reads else "_"
    named = {"inputs": table, "random": "random"} if tree.draws else {"inputs": table} if tree.reads else {}
    return ", ".join(f"{name}: {types[kind]}" if types else name for kind, name in named.items())


def operator_texts(bodies: Sequence[Body]) -> list[str]:
    """The hand-written functions for the operators in these bodies."""
    return operators_of(bodies, target(str), helper_parts())


def helper_texts(program: Any, bodies: Sequence[Body]) -> list[str]:
    """All hand-written functions that the bodies of a program call."""
    reads = any(tree.reads for tree in program.trees)
    return [*([helper_parts()[ABSENT]] if reads else []), *operator_texts(bodies)]


def describe(
    tree: Any, meaning: str, inputs: Inputs, primitives: PrimitiveSet | None, random: str
) -> list[str]:
    """The doc comment of a part's function: the meaning, sensors, parameters and result, and the part if it is short.

    Args:
        tree: the part.
        meaning: a sentence about the meaning of the part.
        inputs: the table with its sensors.
        primitives: the primitives of the game, with the meanings of the sensors; None without a game.
        random: the annotation of the parameter that draws random numbers.
    """
    texts = [meaning]
    for name in tree.reads:
        known = primitives.sensor(name) if primitives is not None else None
        if known is not None:
            kind = "a whole number from" if known.integer else "from"
            texts.append(f"* {inputs.field(name)}: {known.meaning}; {kind} {known.low:g} to {known.high:g}")
    texts += writer_of(tree.language).shown(tree)
    sensors = ", ".join(inputs.field(name) for name in tree.reads)
    texts += [f"@param {inputs.table} table<string, number> {sensors}"] * bool(sensors)
    lines = [line for text in texts for line in comment(text, "---", room=LINE - TAB)]
    return [
        *(line.replace("--- @param", "---@param", 1) for line in lines),
        *["---@param _ any"] * (tree.draws > 0 and not sensors),
        *[f"---@param {random}"] * (tree.draws > 0),
        "---@return string" if has_names(tree) else "---@return number",
    ]


def fields_read(program: Any) -> str:
    """The Lua table of the fields that each part reads, in order of first use."""
    inputs = Inputs.of(program)
    fields = []
    for section, tree in program.parts.items():
        fields += table(f"\t{section} = ", [quoted(inputs.field(name)) for name in tree.reads], ",")
    return "\n".join(["local SENSORS = {", *fields, "}"])


Level = Sequence[TreeProgram]


def roster_text(levels: Mapping[str, Level]) -> str:
    """The file with all levels as nested tables: each level contains specimens, and each specimen contains functions.

    A formula that uses only ``+ - *`` and has a depth of at most ``NESTED_DEPTH`` is written as in the article; other
    formulas need statements.

    Raises:
        UsageError: Lua cannot express a sensor's name.
    """
    bodies = {tree: _body(tree) for programs in levels.values() for each in programs for tree in each.trees}
    texts = [
        "-- luacheck: no max line length",
        "",
        *(f"{part}\n" for part in operator_texts([*bodies.values()])),
    ]
    lines = ["return {"]
    for level, specimens in levels.items():
        lines.append(f"\t{key(level)} = {{")
        for specimen in specimens:
            lines.append("\t\t{")
            for name, tree in specimen.parts.items():
                head = f"{key(name)} = function({', '.join(roots_of(tree))})"
                lines += (f"\t\t\t{line}" for line in (head, *(f"\t{x}" for x in bodies[tree].lines), "end,"))
            lines.append("\t\t},")
        lines.append("\t},")
    return "\n".join([*texts, *lines, "}"]) + "\n"


DIGITS = 10
"""The number of digits from which a level is a name and not a number."""

NUMBERED = re.compile("level-([1-9][0-9]?)")
"""The pattern of a level's name; for other names, the ``level`` in the header is the number."""

SHARE = re.compile(r"[01](\.[0-9]{1,9})?")
"""The pattern of a share in a header."""


def levels_text(players: Iterable[tuple[Subject, str]]) -> str:
    """The file with the players of all levels.

    ``LEVELS`` lists their names, sentences and shares of games against the level below, ``level`` loads one of them,
    and ``selftest`` tests all of them.

    Args:
        players: the program of each level, and the text of its player or module.

    Raises:
        UsageError: two programs have the same name.
    """
    rows, parts = list[dict[str, object]](), list[str]()
    found = [*players]
    names = [subject.name for subject, _ in found]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two programs of the roster have the name `{name}`: rename one of the files")
    for subject, text in found:
        level, wins = (subject.header.get(each, "") for each in ("level", "wins"))
        numbered = NUMBERED.fullmatch(subject.name)
        level = numbered[1] if numbered else level
        number = int(level) if level.isdecimal() and len(level) < DIGITS else level or None
        rows.append(
            {
                "name": subject.name,
                "level": None if subject.name.removesuffix(SECOND) in {*names} - {subject.name} else number,
                "sentence": printable(subject.header.get("title", "")),
                "wins": float(wins) if SHARE.fullmatch(wins) else None,
            }
        )
        parts.append(f"PLAYERS[{quoted(subject.name)}] = function()\n{text}end")
    listed = records("M.LEVELS = ", rows)
    head = (
        "-- luacheck: ignore\n-- Levels of play: M.level(n) is the player of a level, M.LEVELS describes it."
    )
    return (
        "\n\n".join([head, "local M, PLAYERS = {}, {}", listed, *parts, runtime("levels"), "return M"]) + "\n"
    )


def is_plain(tree: Tree) -> bool:
    """True if a formula, written as in the article, means the same in every Lua version, bit for bit.

    A part with only constants must not be −0.0: Lua 5.1 evaluates such a part at compile time and stores it as 0.0.
    """
    if tree.depth > NESTED_DEPTH or not {s for s in tree.symbols if s in NOTATION} <= {"+", "-", "*"}:
        return False
    parts: list[
        float | None
    ] = []  # the values of finished operands to the right, nearest last; None if not constant
    for symbol, size in zip(reversed(tree.symbols), reversed(tree.sizes), strict=True):
        if size == 1:
            parts.append(symbol if is_constant(symbol) else None)
            continue
        left, right = parts.pop(), parts.pop()
        value = None if left is None or right is None else NOTATION[symbol].meaning(left, right)
        if value == 0.0 and math.copysign(1.0, value) < 0.0:
            return False
        parts.append(value)
    return True


def _body(tree: Tree) -> Body:
    if is_plain(tree):
        return Body((f"return {writer_of(tree.language).article(tree)}",))
    roots = frozenset(roots_of(tree))
    return statements(tree, target(lambda sensor: f"{sensor} + 0.0", roots, f"{RANDOM}()"))


def roots_of(tree: Tree) -> tuple[str, ...]:
    """The first parts of all sensor names, such as ``env``.

    Raises:
        UsageError: the name of a sensor contains a Lua keyword, or a part that is not a Lua name.
    """
    names = tuple(dict.fromkeys(name.split(".", 1)[0] for name in tree.reads))
    for name in tree.reads:
        for word in name.split("."):
            if word in KEYWORDS or word == "math":
                raise UsageError(f"the sensor `{name}` cannot be written in Lua: `{word}` is a Lua keyword")
            if not is_name(word):
                raise UsageError(f"the article's layout needs words, and the sensor `{name}` is not a word")
    return names


ROW = (
    "---@param row table<string, any> cells by the names of columns; nil, NaN and texts such as NA are empty"
)


def literal(value: Label | int | None) -> str:
    """A label or a number as a Lua literal."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    return "nil" if value is None else "0 / 0" if value != value else repr(value)


def row_texts(form: RowForm) -> Iterator[str]:
    """Yield the parts of a module that predict rows."""
    names = form.subject.program.names
    yield "\n".join(table("local EMPTY = ", [f"{key(text)} = true" for text in sorted(EMPTY)]))
    yield runtime("rows")
    inputs = Inputs.of(form.subject.program)
    items = [
        f"{key(inputs.field(cell.name))} = {cell.read(_READ, quoted, literal(cell.fill), field_of('row', cell.column))}"
        for cell in form.cells
    ]
    lines = ["-- The numbers that the program reads of a row."]
    lines += [f"-- {quoted(column)} is a number: {SINCE}." for column in form.dates]
    lines += ["local function features(row)"]
    body = table("\treturn ", items) if form.cells else ["\treturn {}"]
    yield "\n".join([*lines, *(body if "row" in " ".join(body) else ["\tlocal _ = row", *body]), "end"])
    summary = " ".join(printable(form.summary).replace("\\", "").split())
    if form.facts.labels:
        yield "\n".join(table("M.CLASSES = ", [*map(literal, form.facts.labels)]))
    if form.facts.labels and not form.leaves:
        yield "\n".join(table("local SECTIONS = ", [field_of("M", name) for name in names]))
        yield runtime("classes").replace("SUMMARY", summary)
        return
    found = f"{field_of('M', names[0])}(features(row))"
    if any(repr(leaf) != repr(label) for leaf, label in form.named.items()):
        pairs = [f"[{literal(leaf)}] = {literal(label)}" for leaf, label in form.named.items()]
        yield "\n".join(table("local LABELS = ", pairs))
        found = f"LABELS[{found}]"
    head = [f"--- {summary}", ROW, "---@return any", "function M.predict(row)"]
    yield "\n".join([*head, f"\treturn {found}", "end"])


_NUMBER = "cell_number(row, {column}, {fill})"
_READ = {
    "word": "cell_is_word({cell}, {word})",
    "gap": "cell_is_empty({cell}) and 1.0 or 0.0",
    "date": _NUMBER,
    "number": _NUMBER,
}
"""The expressions for the numbers that a program reads from a row."""


def row_literal(row: Row) -> str:
    """A row as a Lua table, without its empty cells."""
    cells = [f"[{quoted(column)}] = {literal(cell)}" for column, cell in row.items() if cell is not None]
    return f"{{ {', '.join(cells)} }}"


USE = (
    "The host provides the rules and the sensors, see Host and M.SENSORS below: P = M.new(host); action = "
    "M.choose(P, state)."
)
"""The instructions in the header of a player whose host provides the rules and the sensors."""


def meanings(program: Any, primitives: PrimitiveSet | None) -> Iterator[str]:
    """Yield the Lua table of the sensors that formulas read, with their meanings and bounds; nothing without a game."""
    if primitives is None:
        return
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
    yield "\n".join([*lines, *(["M.SENSORS = {", *items, "}"] if items else ["M.SENSORS = {}"])])


def course_words(transcripts: Sequence[Transcript]) -> Iterator[str]:
    """Yield the words for games, action by action, in the form that ``own_replay.lua`` reads."""
    for transcript in transcripts:
        decisions = {decision.index: decision for decision in transcript.decisions}
        yield from (str(transcript.key), str(len(transcript.actions)))
        for index, action in enumerate(transcript.actions):
            each = decisions.get(index)
            yield from (str(action), str(len(each.candidates) if each else 0))
            if each is not None:
                yield from (each.section, str(each.actions), *candidate_words(each))


def candidate_words(decision: Decision) -> Iterator[str]:
    """Yield the words for the candidates of a decision: for each one, its action and its sensor values."""
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
"""The names that modules and players define themselves, and the words for special numbers in their tests."""

_RANDOM = "random? fun(): number numbers in [0, 1); M.random if left out"


def function_text(subject: Subject) -> str:
    """The text of a file that returns the program as a function, or several formulas as a table of functions."""
    program, inputs = subject.program, Inputs.of(subject.program)
    bodies = _bodies(program, inputs)
    is_lone = len(bodies) == 1
    random = "random fun(): number numbers in [0, 1), such as math.random"
    lines = [
        line
        for name, tree, body in zip(program.names, program.trees, bodies, strict=True)
        for line in (
            *describe(tree, _meaning(subject, name), inputs, subject.primitives, random),
            f"{'return ' if is_lone else f'{key(name)} = '}function({parameters(tree, inputs)})",
            *(f"\t{line}" for line in body.lines),
            "end" if is_lone else "end,",
        )
    ]
    if not is_lone:
        lines = ["return {", *(f"\t{line}" for line in lines), "}"]
    parts = [_header(subject, False, None), *helper_texts(program, bodies), "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _bodies(program: Any, inputs: Inputs) -> list[Body]:
    """The statements of each part."""
    return [writer_of(program.language).body(tree, target(inputs.load)) for tree in program.trees]


def lua_text(subject: Subject, mode: str, proof: Proof) -> str:
    """The text of a ``module`` (``local M = {} … return M``), a ``luau`` module with types, or a ``player``.

    Each of them has a function for every formula, a function that chooses between candidates, and a self-test. A player
    chooses the actions of a whole game. It also contains the rules and the sensors, unless the host provides them.

    Raises:
        UsageError: a player's game is unknown, or the program lacks a formula for one of the game's decisions.
    """
    if mode != "player":
        return _file(subject, proof, {"inputs": "Inputs", "random": "Random?"} if mode == "luau" else None)
    if subject.primitives is None or not plays(subject):
        wanted = f"the sections {', '.join(subject.primitives.sections)}" if subject.primitives else "a game"
        raise UsageError(f"a player needs {wanted}; name the game, or export a module")
    recorder = recorder_of(subject.game)
    if recorder is None:
        raise UsageError(
            f"a player needs recorded games, and games of {subject.game} cannot be recorded; export a module"
        )
    return _file(subject, proof, None, recorder)


def _file(
    subject: Subject, proof: Proof, types: Mapping[str, str] | None, recorder: Recorder | None = None
) -> str:
    """The text of a file, with an empty line between its parts."""
    program, writer = subject.program, writer_of(subject.program.language)
    for name in program.names:
        if name in OWN_NAMES or not is_name(name):
            raise UsageError(f"a Lua module cannot have a {writer.noun} named `{name}`")
    bodies = _bodies(program, Inputs.of(program))
    draws = any(tree.draws for tree in program.trees)
    known = recorder or recorder_of(subject.game)
    is_keyed = recorder is not None or (draws and bool(subject.game)) or bool(proof.transcripts)
    is_keyed = is_keyed and (subject.carries_tests or recorder is not None or draws)
    source = runtime("keyed") if known is None else runtime(known.keyed, *known.folders)
    form = row_form(subject) if recorder is None and types is None else None
    version = quoted(f"{subject.name}, gpkit {VERSION}, {SEMANTICS}")
    parts = [
        _header(subject, types is not None, recorder),
        *["export type Inputs = { [string]: number }\nexport type Random = () -> number"]
        * (types is not None),
        f"local M = {{}}\n\nM._VERSION = {version}",
        *helper_texts(program, bodies),
        *[runtime("random"), "M.new_random = new_random\nM.random = new_random(12345)"] * draws,
        *[runtime("keyed_uniform"), source, "M.keyed = keyed_source"] * is_keyed,
        *(
            _function(subject, name, tree, body, types)
            for name, tree, body in zip(program.names, program.trees, bodies, strict=True)
        ),
        *(meanings(program, subject.primitives) if known is not None and known.hosted else ()),
        *[runtime("numbers")] * (form is not None or subject.carries_tests),
        *(_player(subject, recorder) if recorder else row_texts(form) if form else [runtime("choose")]),
        *(_selftest(subject, proof, draws, recorder) if subject.carries_tests else [runtime("no_selftest")]),
        "return M",
    ]
    return "\n\n".join(parts) + "\n"


def _function(subject: Subject, name: str, tree: Any, body: Body, types: Mapping[str, str] | None) -> str:
    """The text of a part's function."""
    inputs = Inputs.of(subject.program)
    return "\n".join(
        [
            *describe(tree, _meaning(subject, name), inputs, subject.primitives, _RANDOM),
            f"function M.{name}({parameters(tree, inputs, types)}){': number' if types else ''}",
            *["\trandom = random or M.random"] * bool(tree.draws),
            *(f"\t{line}" for line in body.lines),
            "end",
        ]
    )


def _header(subject: Subject, is_luau: bool, recorder: Recorder | None) -> str:
    writer, (first, *header) = writer_of(subject.program.language), about(subject)
    gives = f"every candidate is worth what its {writer.noun} gives, the best is chosen."
    sentences = [
        first,
        *[f"A player of {subject.game}: {gives}"] * (subject.game is not None),
        *[USE + " M.selftest(host) compares them with those of recorded games." * subject.carries_tests]
        * (recorder is not None and recorder.hosted),
        *header,
        *(
            f"{section}: {writer.statement(tree, subject.primitives)}"
            for section, tree in subject.program.parts.items()
        ),
    ]
    return "\n".join([*["--!nonstrict"] * is_luau, *(line for each in sentences for line in comment(each))])


def _meaning(subject: Subject, section: str) -> str:
    if subject.game is None:
        return f"The value of the {writer_of(subject.program.language).noun} {section}."
    return f"What a candidate is worth in the decision {section}."


def _player(subject: Subject, recorder: Recorder) -> list[str]:
    """The parts of a player's file for rules, sensors and choices."""
    values, tables = recorder.rules(subject.rules), recorder.tables(subject.rules)
    return [
        "\n".join(table("M.RULES = ", [f"{key(name)} = {literal(value)}" for name, value in values.items()])),
        *(text_block(name, map(str, tables[name])) for name in tables),
        *[fields_read(subject.program)] * recorder.hosted,
        *(runtime(name, *recorder.folders) for name in recorder.parts(subject.program)),
    ]


def _selftest(subject: Subject, proof: Proof, draws: bool, recorder: Recorder | None) -> list[str]:
    """The data and functions of ``M.selftest``."""
    is_hosted = recorder is not None and recorder.hosted
    is_named = any(isinstance(vector.result, str) for vector in proof.vectors)
    leaves = sorted({literal(vector.result) for vector in proof.vectors}) if is_named else []
    words: list[str] = []
    for vector in proof.vectors:
        result = str(leaves.index(literal(vector.result)) + 1) if is_named else number(float(vector.result))
        words += [vector.section, *map(number, vector.values), str(len(vector.random))]
        words += [*map(number, vector.random), result]
    games, check = _recorded_games(proof.transcripts, recorder) if proof.transcripts else ([], "")
    first, *checks = "check_vectors(VECTORS)", *["check_random()"] * draws, *[check] * bool(check)
    of_host = (
        "--- With a host, recorded games are played with its rules and sensors, too, which must be those of the game.",
        "---@param host? Host",
    )
    lines = [
        "--- Tests this file against what the program computed where it was written.",
        *of_host * (is_hosted and bool(games)),
        "---@return integer failures",
        "---@return string? first the first failure",
        f"function M.selftest({'host' * (is_hosted and bool(games))})",
        f"\tlocal failures, first = {first}",
        *["\tlocal more, other"] * bool(checks),
        *(f"\tmore, other = {each}\n\tfailures, first = failures + more, first or other" for each in checks),
        "\treturn failures, first",
        "end",
    ]
    return [
        *[fields_read(subject.program)] * (not is_hosted),
        *["\n".join(table("local LEAVES = ", leaves))] * is_named,
        text_block("VECTORS", words),
        _vector_test(needs_library(subject.program), is_named),
        *[runtime("random_selftest")] * draws,
        *games,
        "\n".join(lines),
    ]


def _recorded_games(transcripts: Sequence[Transcript], recorder: Recorder | None) -> tuple[list[str], str]:
    """The data and functions that compare recorded games, and the call that starts the comparison."""
    if recorder is None:
        chosen = [decision.action for each in transcripts for decision in each.decisions]
        parts = [runtime("hash"), text_block("GAMES", _game_words(transcripts)), runtime("transcripts")]
        return parts, f"check_games(GAMES, {mix(chosen)})"
    if recorder.hosted:
        return [
            text_block("GAMES", course_words(transcripts)),
            runtime("own_replay"),
        ], "check_games(GAMES, host)"
    numbers = [number for each in transcripts for number in (*each.actions, each.turns)]
    parts = [runtime("hash"), runtime(f"{recorder.game}_selftest", *recorder.folders)]
    return parts, f"check_games({len(transcripts)}, {mix(numbers)})"


def _vector_test(is_close: bool, is_named: bool) -> str:
    """The function that checks vectors; with ``is_close``, it allows differences up to ``CLOSE``.

    If leaves are names, the vectors contain the indexes of these names in ``LEAVES``.
    """
    equal = "return a == b or"
    close = f"{equal} math.abs(a - b) < {CLOSE!r} * math.abs(b) or" if is_close else equal
    text = runtime("selftest").replace(equal, close)
    if is_named:
        text = text.replace("local expected = word()", "local expected = LEAVES[word()]")
        text = text.replace("%.17g instead of %.17g", "%s instead of %s")
    return text


def _game_words(transcripts: Sequence[Transcript]) -> Iterator[str]:
    """Yield the words for the decisions of games, in the form that ``transcripts.lua`` reads."""
    for transcript in transcripts:
        yield from (str(transcript.key), str(len(transcript.decisions)))
        for each in transcript.decisions:
            yield from (each.section, str(each.actions), str(len(each.candidates)), *candidate_words(each))
