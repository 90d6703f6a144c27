"""Parts of programs as Lua functions of a table of sensors and a source of random numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from gpkit.core.forms import form
from gpkit.core.primitives import PrimitiveSet
from gpkit.export.lua.layout import (
    ABSENT,
    KEYWORDS,
    OPERATOR_CALLS,
    TAB,
    comment,
    field_of,
    helper_parts,
    quoted,
    table,
)
from gpkit.export.statements import LINE, Body, Target

_PREFIX = "env."

RESERVED = frozenset(
    {
        "M",
        "env",
        "inputs",
        "random",
        "spill",
        "keyed_source",
        "keyed_uniform",
        "new_random",
        "mix",
        "words",
        "same",
        ABSENT,
    }
    | {"math", "string", "table", "type", "tonumber", "tostring", "ipairs", "error", "self"}
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
        late_constant=lambda value: f"tonumber({quoted(repr(value))})",
    )


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
            kind = "a whole number of" if known.integer else "from"
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
    return [*lines, "---@return number"]


def fields_read(program: Any) -> str:
    """The table of the fields that each part reads, in the order of their first places."""
    inputs = Inputs.of(program)
    fields = []
    for section, tree in zip(program.names, program.trees, strict=True):
        fields += table(f"\t{section} = ", [quoted(inputs.field(name)) for name in tree.reads], ",")
    return "\n".join(["local SENSORS = {", *fields, "}"])
