"""Defines the language of execution trees for the registry, and the names in plans: plans, actions and features."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.plan import MAIN, PlanProgram, downward, leaves
from gpkit.langkit.language import Language
from gpkit.langkit.naming import Naming, Role, instruction_words, keywords, line_names
from gpkit.langkit.recovery import Recovery
from gpkit.languages.execution import forms
from gpkit.languages.execution.checks import NAME, check
from gpkit.languages.execution.compiler import compile_program
from gpkit.languages.execution.simplify import bounds_of, simplify
from gpkit.languages.execution.text import (
    READING,
    PlanSource,
    format_source,
    parse,
    print_program,
    print_sequence,
)
from gpkit.vm.program import Program, verify

_MEANINGS = {
    "do": "do ACTION | Begins an action, first waiting until it can begin, and continues when it is done.",
    "use": "use PLAN | Executes a plan that is written below under its name.",
    "wait": "wait TEST max TICKS | Waits until the test holds, at most this many ticks.",
    "repeat": "repeat NUMBER ... end | Executes its steps this many times.",
    "while": "while TEST max NUMBER ... end | Executes its steps as long as the test holds, at most this many times.",
    "decide": "decide TEST yes: ... no: ... | Continues in one of two branches; nothing can follow a decision.",
    "chance": "chance PROBABILITY yes: ... no: ... | Continues in the branch `yes:` with this probability, else in "
    "`no:`.",
    "merge": "merge from NAME: ... end | Joins branches from named leaves, in a plan that runs up.",
    "end": "Closes `repeat`, `while` and `merge`.",
    "max": "The bound of `wait` and `while`.",
    "and": "Both comparisons hold.",
    "or": "One of the comparisons holds.",
}


_ROLES: Mapping[str, Role] = {"USE": "plan", "DO": "instruction"}
"""The roles of names after these terminals; other names are sensors."""

NAMING = Naming(
    line_names(
        {"HEADING": ("plan", "plan"), "FROM": ("branch", "from"), "FUNCTION": ("operator", "")},
        lambda before, own, behind: _ROLES.get(before, "sensor"),
        _MEANINGS,
    ),
    lambda primitives: (*keywords(_MEANINGS), *instruction_words(primitives)),
    {"sensor": ("E320", "sensor"), "instruction": ("E321", "action")},
)


def compile_for(
    program: PlanProgram, header: Mapping[str, str], primitives: PrimitiveSet
) -> tuple[Program, ...]:
    """The machine program; for a plan that goes up, a program for each of the game's start leaves.

    Raises:
        KeyError: a feature, an action or a plan is unknown.
        LimitError: the plan is too large when every used plan is inlined.
    """
    starts = (primitives.starts or leaves(program)) if program.goes_up else ("",)
    compiled = tuple(compile_program(downward(program, start), primitives) for start in starts or ("",))
    for each in compiled:
        verify(each)
    return compiled


def parts(source: PlanSource) -> dict[str, str]:
    """The text of each plan by name; the main plan is called ``main``."""
    program = source.program
    return {
        name or "main": print_sequence(plan)
        for name, plan in zip(program.names, program.plans, strict=True)
        if plan or name != MAIN
    }


def template(primitives: PrimitiveSet | None) -> str:
    """A small program with explanatory comments; it passes ``check`` for its game."""
    if primitives is None:
        return "\n".join([*_NOTATION, "", "repeat 2", "  do something", "end", ""])
    first = primitives.instructions[0].name
    sensor = primitives.sensors[0]
    action_width = max(len(action.name) for action in primitives.instructions)
    width = max(len(each.name) for each in primitives.sensors)
    middle = f"{(sensor.low + sensor.high) // 2:g}"
    return "\n".join(
        [
            f"// game: {primitives.game}",
            "//",
            *_NOTATION,
            "//",
            "// Actions (gpkit list instructions):",
            *(f"//   {each.name:{action_width}}  {each.meaning}" for each in primitives.instructions),
            "//",
            "// Features (gpkit list sensors):",
            *(
                f"//   {each.name:{width}}  {each.low:g} to {each.high:g}: {each.meaning}"
                for each in primitives.sensors
            ),
            "",
            "repeat 2",
            f"  do {first}  // waits until it can begin",
            "end",
            f"decide {sensor.name} < {middle}",
            "  yes:",
            f"    do {first}",
            "  no:",
            "",
        ]
    )


_NOTATION = (
    "// Steps are executed from the top, and each may take time: do ACTION; wait TEST max TICKS; use PLAN;",
    "// repeat TIMES ... end; while TEST max TIMES ... end. A decision ends its sequence: decide TEST, or chance",
    "// PROBABILITY, with a branch yes: and a branch no:, which can be empty. A TEST compares a feature with a",
    "// number by <, <=, >, >=, == or !=; two of them are joined by `and` or `or`. Plans with a heading, such as",
    "// plan army:, come below.",
)


RECOVERY = Recovery(
    reading=READING,
    local=frozenset(["E314", "E315", "E316", "E317", "E318", "E319", "E320", "E321", "E324", "E325"]),
    heading=re.compile(r"[ \t]*(plan[ \t]+)?[A-Za-z_][A-Za-z_0-9]*[ \t]*(?(1)|\([\w \t,]*\)[ \t]*):"),
    headings=("HEADING", "FUNCTION"),
    patches=(
        "repeat 1",
        "end",
        "while x < 1 max 1",
        "decide x < 1",
        "yes:",
        "no:",
        "merge",
        "from x:",
        "no: do x",
        "do x",
    ),
    causes=MappingProxyType({"E322": re.compile("plan|:")}),
)

LANGUAGE = Language(
    recovery=RECOVERY,
    naming=NAMING,
    name=NAME,
    suffix=".plan",
    parse=parse,
    print_program=print_program,
    format_source=format_source,
    check=check,
    compile=compile_for,
    template=template,
    parts=parts,
    simplify=lambda program, header, primitives: simplify(program, bounds_of(primitives)),
    needs_game=True,
    acting=lambda: forms.playing.ACTING,
    draw=lambda: forms.draw.DRAWING,
    evolution=lambda: forms.evolution,
    json=lambda: forms.exports.JSON,
    latex=lambda: forms.exports.LATEX,
    lua=lambda: forms.lua.EXPORTING,
    steps=lambda: forms.playing.followed_steps,
    python=lambda: forms.python.EXPORTING,
)
