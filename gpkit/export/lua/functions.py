"""Formulas as Lua functions of a table of sensors and a source of random numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gpkit.core.primitives import RANDOM, PrimitiveSet
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
from gpkit.export.statements import LINE, Body, Target, sensors_of, statements
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.languages.arithmetic.printer import print_formula

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
    def of(cls, program: TreeProgram) -> "Inputs":
        """The table for a program."""
        names = [name for tree in program.trees for name in sensors_of(tree)]
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


def body_of(tree: Tree, inputs: Inputs) -> Body:
    """The statements of a formula."""
    return statements(tree, target(inputs.load))


def parameters(tree: Tree, inputs: Inputs, types: Mapping[str, str] | None = None) -> str:
    """The parameters that a formula's function needs, with Luau's ``types`` if given."""
    named = []
    draws = RANDOM in tree.symbols
    if sensors_of(tree):
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


def helper_texts(program: TreeProgram, bodies: Sequence[Body]) -> list[str]:
    """All hand-written functions that the bodies of a program call."""
    reads = any(sensors_of(tree) for tree in program.trees)
    return [*([helper_parts()[ABSENT]] if reads else []), *operator_texts(bodies)]


def describe(
    tree: Tree, meaning: str, inputs: Inputs, primitives: PrimitiveSet | None, random: str
) -> list[str]:
    """The doc comment of a formula's function: meaning, the formula if it is short, sensors, parameters, result.

    Args:
        tree: the formula.
        meaning: a sentence.
        inputs: from where it reads its sensors.
        primitives: the game that says what these mean, if there is one.
        random: the annotation of the parameter that draws random numbers.
    """
    lines = comment(meaning, "---", room=LINE - TAB)
    for name in sensors_of(tree):
        known = primitives.sensor(name) if primitives is not None else None
        if known is not None:
            kind = "a whole number of" if known.integer else "from"
            text = f"{inputs.field(name)}: {known.meaning}; {kind} {known.low:g} to {known.high:g}"
            lines += comment(f"* {text}", "---", room=LINE - TAB)
    formula = print_formula(tree) if len(tree) <= 100 else ""
    if 0 < len(formula) <= 400:
        lines += comment(formula, "---", room=LINE - TAB)
    sensors = ", ".join(inputs.field(name) for name in sensors_of(tree))
    if sensors:
        first, *more = comment(
            f"@param {inputs.table} table<string, number> {sensors}", "---", room=LINE - TAB
        )
        lines += [first.replace("--- @", "---@"), *more]
    elif RANDOM in tree.symbols:
        lines.append("---@param _ any")
    if RANDOM in tree.symbols:
        lines.append(f"---@param {random}")
    return [*lines, "---@return number"]


def fields_read(program: TreeProgram) -> str:
    """The table of the fields that each formula reads, in the order of their first places."""
    inputs = Inputs.of(program)
    fields = []
    for section, tree in zip(program.names, program.trees, strict=True):
        fields += table(f"\t{section} = ", [quoted(inputs.field(name)) for name in sensors_of(tree)], ",")
    return "\n".join(["local SENSORS = {", *fields, "}"])
