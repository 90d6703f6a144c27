"""The language of execution trees as the registry knows it."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.plan import MAIN, PlanProgram
from gpkit.genomes.plan_direction import downward, leaves
from gpkit.langkit.language import Language
from gpkit.langkit.recovery import Recovery
from gpkit.languages.execution.checks import NAME, check
from gpkit.languages.execution.compiler import compile_program
from gpkit.languages.execution.formatter import format_source
from gpkit.languages.execution.naming import NAMING
from gpkit.languages.execution.parser import Source, parse
from gpkit.languages.execution.printer import print_program, print_sequence
from gpkit.languages.execution.syntax import READING
from gpkit.vm.program import Program, verify


def compile_for(
    program: PlanProgram, header: Mapping[str, str], primitives: PrimitiveSet
) -> tuple[Program, ...]:
    """The one program of the machine; of a plan that goes up one for each of the leaves at which the game starts.

    Raises:
        KeyError: nobody knows a feature, an action or a plan.
        LimitError: the plan is too large with every used plan in its place.
    """
    starts = (primitives.starts or leaves(program)) if program.goes_up else ("",)
    compiled = tuple(compile_program(downward(program, start), primitives) for start in starts or ("",))
    for each in compiled:
        verify(each)
    return compiled


def parts(source: Source) -> dict[str, str]:
    """The steps of each plan; that which is executed is called ``main``."""
    program = source.program
    return {
        name or "main": print_sequence(plan)
        for name, plan in zip(program.names, program.plans, strict=True)
        if plan or name != MAIN
    }


def template(primitives: PrimitiveSet | None) -> str:
    """A small program with comments that say what there is; it passes ``check`` for its game."""
    if primitives is None:
        return "\n".join([*_notation(), "", "repeat 2", "  do something", "end", ""])
    first = primitives.instructions[0].name
    sensor = primitives.sensors[0]
    action_width = max(len(action.name) for action in primitives.instructions)
    width = max(len(each.name) for each in primitives.sensors)
    middle = f"{(sensor.low + sensor.high) // 2:g}"
    return "\n".join(
        [
            f"// game: {primitives.game}",
            "//",
            *_notation(),
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


def _notation() -> list[str]:
    return [
        "// Steps are executed from the top, and each may take time: do ACTION; wait TEST max TICKS; use PLAN;",
        "// repeat TIMES ... end; while TEST max TIMES ... end. A decision ends its sequence: decide TEST, or chance",
        "// PROBABILITY, with a branch yes: and a branch no:, which can be empty. A TEST compares a feature with a",
        "// number by <, <=, >, >=, == or !=; two of them are joined by `and` or `or`. Plans with a heading, such as",
        "// plan army:, stand below.",
    ]


RECOVERY = Recovery(
    reading=READING,
    local=frozenset(["E314", "E315", "E316", "E317", "E318", "E319", "E320", "E321", "E324", "E325"]),
    heading=re.compile(r"[ \t]*plan[ \t]+[A-Za-z_][A-Za-z_0-9]*[ \t]*:"),
    headings=("HEADING",),
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
"""Reading on after an error."""

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
    needs_game=True,
)
