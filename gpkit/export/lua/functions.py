"""Parts of programs as Lua functions of a table of sensors and a source of random numbers; and the article's Lua file.

That has for every level of play several specimens, each with a function for every decision.

P. Hansson, "Light Introduction to Genetic Programming", 2013, section "Running the tool": the file ``computer.txt``
holds the exported evaluation functions of the levels easy, medium, hard and expert. Its layout was not published; that
of its formulas was, and is kept byte for byte.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.primitives import RANDOM, PrimitiveSet
from gpkit.core.registry import form
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
    quoted,
    table,
)
from gpkit.export.statements import LINE, NESTED_DEPTH, Body, Target, statements
from gpkit.genomes.tree import Tree, TreeProgram, is_constant
from gpkit.langkit.operators import NOTATION

_PREFIX = "env."

RESERVED = frozenset(
    {"M", "env", "inputs", "random", "spill", "keyed_source", "keyed_uniform", "new_random", "mix", "words"}
    | {"math", "string", "table", "type", "tonumber", "tostring", "ipairs", "error", "self", "same", ABSENT}
    | set(OPERATOR_CALLS.values())
    | KEYWORDS
)
"""Names that no local of a formula may have."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The table from which all functions of a file read their sensors.

    Sensors that are called ``env.x`` are the fields x of ``env``. A program with any other name reads all its sensors,
    by their whole names, from ``inputs``.
    """

    table: str

    @classmethod
    def of(cls, program: Any) -> "Inputs":
        """The table for a program."""
        names = [name for tree in program.trees for name in tree.reads]
        return cls("env" if all(name.startswith(_PREFIX) for name in names) else "inputs")

    def field(self, sensor: str) -> str:
        """The field that holds a sensor."""
        return sensor.removeprefix(_PREFIX) if self.table == "env" else sensor

    def sensor(self, field: str) -> str:
        """The sensor that a field holds."""
        return _PREFIX + field if self.table == "env" else field

    def load(self, sensor: str) -> str:
        """The expression that reads a sensor as a double; Lua 5.3 and later would otherwise keep whole numbers."""
        return f"({field_of(self.table, self.field(sensor))} or {ABSENT}({quoted(sensor)})) + 0.0"


def target(
    load: Callable[[str], str], taken: frozenset[str] = frozenset(), random: str = "random()"
) -> Target:
    """Target for statements in Lua; no local may have a name that is ``taken``."""
    return Target(
        declare="local ",
        load=load,
        calls=OPERATOR_CALLS,
        reserved=RESERVED | taken,
        table="local spill = {}",
        random=random,
        late_constant=_late_constant,
    )


def _late_constant(value: float) -> str:
    """A number that is not a constant of its function, without a decimal point, as locales write that differently."""
    numerator, denominator = value.as_integer_ratio()
    sign = "-" if numerator == 0 and math.copysign(1.0, value) < 0.0 else ""
    return f'(tonumber("{sign}{numerator}e0") * {math.ldexp(1.0, 1 - denominator.bit_length())!r})'


@dataclass(frozen=True, slots=True)
class Writer:
    """Notation of a language in Lua: each part of a program is a function.

    Attributes:
        noun: what a part is called.
        body: a part and where it reads its sensors to the statements of its function.
        shown: a part to the lines in which it stands in a comment; none where it is long.
        statement: a part and the game that it is for to a sentence on the numbers in it, for hosts with other ones.
    """

    noun: str
    body: Callable[[Any, Inputs], Body]
    shown: Callable[[Any], Sequence[str]]
    statement: Callable[[Any, PrimitiveSet | None], str]


@runtime_checkable
class Writing(Protocol):
    """Notation of programs that value candidates, as functions: further part of ``forms.lua``."""

    WRITER: Writer


def writer_of(language: str) -> Writer:
    """The notation of a language in Lua.

    Raises:
        UsageError: its programs do not score candidates, or have no form.
    """
    return form(Writing, "lua", language, "write {} as functions").WRITER


def parameters(tree: Any, inputs: Inputs, types: Mapping[str, str] | None = None) -> str:
    """The parameters that a part's function needs, with Luau's ``types`` if given."""
    named = []
    draws = tree.draws
    if tree.reads:
        named.append(inputs.table)
    elif draws:
        named.append("_")
    if draws:
        named.append("random")
    if types is None:
        return ", ".join(named)
    return ", ".join(f"{name}: {types['random' if name == 'random' else 'inputs']}" for name in named)


def operator_texts(bodies: Sequence[Body]) -> list[str]:
    """The hand-written functions that carry out the operators of these bodies."""
    used = {operator for body in bodies for operator in body.operators}
    return [helper_parts()[name] for operator, name in OPERATOR_CALLS.items() if operator in used]


def helper_texts(program: Any, bodies: Sequence[Body]) -> list[str]:
    """All hand-written functions that the bodies of a program call."""
    reads = any(tree.reads for tree in program.trees)
    return [*([helper_parts()[ABSENT]] if reads else []), *operator_texts(bodies)]


def describe(
    tree: Any, meaning: str, inputs: Inputs, primitives: PrimitiveSet | None, random: str
) -> list[str]:
    """The doc comment of a part's function: meaning, the part if it is short, sensors, parameters, result.

    Args:
        tree: the part.
        meaning: a sentence.
        inputs: from where it reads its sensors.
        primitives: the game that says what these mean, if there is one.
        random: the annotation of the parameter that draws random numbers.
    """
    lines = comment(meaning, "---", room=LINE - TAB)
    for name in tree.reads:
        known = primitives.sensor(name) if primitives is not None else None
        if known is not None:
            kind = "a whole number from" if known.integer else "from"
            text = f"{inputs.field(name)}: {known.meaning}; {kind} {known.low:g} to {known.high:g}"
            lines += comment(f"* {text}", "---", room=LINE - TAB)
    for line in writer_of(tree.language).shown(tree):
        lines += comment(line, "---", room=LINE - TAB)
    sensors = ", ".join(inputs.field(name) for name in tree.reads)
    if sensors:
        first, *more = comment(
            f"@param {inputs.table} table<string, number> {sensors}", "---", room=LINE - TAB
        )
        lines += [first.replace("--- @", "---@"), *more]
    elif tree.draws:
        lines.append("---@param _ any")
    if tree.draws:
        lines.append(f"---@param {random}")
    is_named = any(isinstance(leaf, str) for leaf in getattr(tree, "leaves", ()))
    return [*lines, "---@return string" if is_named else "---@return number"]


def fields_read(program: Any) -> str:
    """The table of the fields that each part reads, in the order of their first places."""
    inputs = Inputs.of(program)
    fields = []
    for section, tree in zip(program.names, program.trees, strict=True):
        fields += table(f"\t{section} = ", [quoted(inputs.field(name)) for name in tree.reads], ",")
    return "\n".join(["local SENSORS = {", *fields, "}"])


_SAME_IN_LUA = frozenset("+-*")
"""The operators that mean the same in Lua as they are written in the article."""

Level = Sequence[TreeProgram]


@runtime_checkable
class ArticleWriting(Protocol):
    """Formulas, each as the article has it: further function of ``forms.lua``."""

    def article(self, tree: Any) -> str: ...


def roster_text(levels: Mapping[str, Level]) -> str:
    """The file of all levels: a table of levels, of specimens, of functions.

    A formula of ``+ - *`` and at most ``NESTED_DEPTH`` deep is the article's text; others need statements.

    Raises:
        UsageError: a sensor's name cannot be said in Lua.
    """
    bodies = {tree: _body(tree) for programs in levels.values() for each in programs for tree in each.trees}
    lines = ["-- luacheck: no max line length"]
    for part in operator_texts([*bodies.values()]):
        lines += ["", *part.split("\n")]
    lines += ["", "return {"]
    for level, specimens in levels.items():
        lines.append(f"\t{key(level)} = {{")
        for specimen in specimens:
            lines.append("\t\t{")
            for name, tree in zip(specimen.names, specimen.trees, strict=True):
                lines.append(f"\t\t\t{key(name)} = function({', '.join(roots_of(tree))})")
                lines += [f"\t\t\t\t{line}" for line in bodies[tree].lines]
                lines.append("\t\t\tend,")
            lines.append("\t\t},")
        lines.append("\t},")
    return "\n".join([*lines, "}"]) + "\n"


def is_plain(tree: Tree) -> bool:
    """Whether the article's text of a formula means the same in every Lua, to the last bit.

    A part made of constants alone must not be −0.0, which Lua 5.1 computes while it compiles and then stores as 0.0.
    """
    if tree.depth > NESTED_DEPTH or not {s for s in tree.symbols if s in NOTATION} <= _SAME_IN_LUA:
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
        writing = form(ArticleWriting, "lua", tree.language, "write {} as the article does")
        return Body((f"return {writing.article(tree)}",), frozenset())
    roots = frozenset(roots_of(tree))
    return statements(tree, target(lambda sensor: f"{sensor} + 0.0", roots, f"{RANDOM}()"))


def roots_of(tree: Tree) -> tuple[str, ...]:
    """The first words of all sensors.

    Raises:
        UsageError: the name of a sensor is a Lua keyword.
    """
    names = tuple(dict.fromkeys(name.split(".", 1)[0] for name in tree.reads))
    for name in tree.reads:
        for word in name.split("."):
            if word in KEYWORDS or word == "math":
                raise UsageError(f"the sensor `{name}` cannot be written in Lua: `{word}` is a Lua keyword")
            if not is_name(word):
                raise UsageError(f"the sensor `{name}` is no word, which the text of the article needs")
    return names
