"""Programs of weights, from text and back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from lark import Lark
from lark.exceptions import UnexpectedInput

from gpkit.core.diagnostics import Diagnostic, SourceError, Span
from gpkit.core.header import print_header, read_header
from gpkit.core.registry import data_folder


@dataclass(frozen=True, slots=True)
class Weights:
    """By section the weights of sensors."""

    language: ClassVar[str] = "weights"
    names: tuple[str, ...]
    weights: tuple[tuple[tuple[float, str], ...], ...]

    def __len__(self) -> int:
        """The number of weights."""
        return sum(map(len, self.weights))


@dataclass(frozen=True, slots=True)
class Source:
    """A program and the text that it was read from; ``spans`` are the places of its weights."""

    program: Weights
    spans: tuple[Span, ...]
    header: Mapping[str, str]
    text: str
    filename: str


def parse(text: str, filename: str = "<text>") -> Source:
    """The program of a text."""
    try:
        sections = _GRAMMAR.parse(text).children
    except UnexpectedInput as wrong:
        place = Span.at(text, wrong.pos_in_stream, wrong.pos_in_stream)
        expected = ("a weight and a sensor",)
        raise SourceError(
            Diagnostic("E201", "error", "this is not a weight", place, expected), text, filename
        ) from None
    lines: list[Any] = [line for section in sections for line in section.children[1:]]
    spans = tuple(Span.at(text, line.children[1].start_pos, line.children[1].end_pos) for line in lines)
    program = Weights(
        tuple(str(section.children[0]) for section in sections),
        tuple(
            tuple((float(line.children[0]), str(line.children[1])) for line in section.children[1:])
            for section in sections
        ),
    )
    return Source(program, spans, read_header(text), text, filename)


def print_program(program: Weights, header: Mapping[str, str] | None = None) -> str:
    """The text of a file."""
    lines = print_header(header or {})
    for name, weights in zip(program.names, program.weights, strict=True):
        lines += [f"{name}:", *(f"  {weight:g} {sensor}" for weight, sensor in weights)]
    return "\n".join([*lines, ""])


_GRAMMAR = Lark.open(str(data_folder("grammars") / "weights.lark"), parser="lalr", propagate_positions=True)
