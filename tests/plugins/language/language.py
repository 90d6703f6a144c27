"""The language of weights as the registry knows it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gpkit.core.diagnostics import Diagnostic, suggestion
from gpkit.core.primitives import Offers, PrimitiveSet, offered
from gpkit.langkit.language import Language
from gpkit.languages.weights.program import Source, Weights, parse, print_program
from gpkit.vm import isa
from gpkit.vm.program import Program, verify

if TYPE_CHECKING:
    from gpkit.show.pictures import Drawing


def check(source: Source, offers: Offers | None) -> tuple[Diagnostic, ...]:
    """Sensors that the game does not have."""
    primitives = offered(offers, "weights")
    known = primitives.sensor_names if primitives else ()
    names = [name for weights in source.program.weights for _, name in weights]
    return tuple(
        Diagnostic("E202", "error", f"there is no sensor `{name}`", span, (), suggestion(name, known))
        for name, span in zip(names, source.spans, strict=True)
        if primitives and name not in known
    )


def compile_for(program: Weights, header: Mapping[str, str], primitives: PrimitiveSet) -> tuple[Program, ...]:
    """Multiplications and additions, two slots for each weight beside the sensors."""
    compiled = []
    for section in primitives.sections:
        weights = program.weights[program.names.index(section)]
        inputs = primitives.sensor_names
        first = len(inputs)
        result = first + len(weights)
        code = [(isa.MOVE, result, first + len(weights) + 1, 0, 0)]
        for k, (_, name) in enumerate(weights):
            code += [
                (isa.MUL, result + 2, first + k, inputs.index(name), 0),
                (isa.ADD, result, result, result + 2, 0),
            ]
        code.append((isa.HALT, 0, 0, 0, 0))
        memory = np.array([0.0] * first + [weight for weight, _ in weights] + [0.0] * 3)
        compiled.append(Program(np.array(code, dtype=np.uint32), memory, inputs, result))
        verify(compiled[-1])
    return tuple(compiled)


def template(primitives: PrimitiveSet | None) -> str:
    """Every sensor once."""
    sections = primitives.sections if primitives else ("value",)
    names = primitives.sensor_names if primitives else ("a",)
    program = Weights(sections, tuple(tuple((1.0, name) for name in names) for _ in sections))
    return print_program(program, {"game": primitives.game} if primitives else {})


def drawing() -> "Drawing":
    """The pictures, imported when somebody draws."""
    from gpkit.languages.weights.forms.draw import DRAWING

    return DRAWING


LANGUAGE = Language(
    name="weights",
    suffix=".weights",
    parse=parse,
    print_program=print_program,
    format_source=lambda source: print_program(source.program, source.header),
    check=check,
    compile=compile_for,
    template=template,
    parts=lambda source: dict(zip(source.program.names, source.program.weights, strict=True)),
    draw=drawing,
)
