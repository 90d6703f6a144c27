"""Sections of a program, one for each decision of its game: how a text heads them, and what checks find about them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from lark import Token, Tree

from gpkit.core.diagnostics import Diagnostic, Span, nearest, suggestion
from gpkit.core.header import print_header
from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.tree import LONE_SECTION, Sections
from gpkit.langkit.findings import finding
from gpkit.langkit.reading import Reading, Source, refuse, token_span
from gpkit.vm import program as machine

Program = TypeVar("Program", bound=Sections[Any])


@dataclass(frozen=True, slots=True)
class SectionSource(Source[Program]):
    """A program of sections: ``spans[i][k]`` is the place of node k of ``program.trees[i]``."""

    spans: tuple[tuple[Span, ...], ...]

    def nodes(self) -> Iterator[tuple[Any, Span]]:
        """Every node with its place."""
        for tree, spans in zip(self.program.trees, self.spans, strict=True):
            yield from zip(tree.symbols, spans, strict=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sectioning:
    """Words and codes by which a language speaks of sections.

    Attributes:
        part: the noun for what stands in a section.
        twice, empty: the codes of texts with a section that appears twice, or holds nothing.
        missing, unknown: the codes of findings that a game has a section besides, or has it not.
        tied: the code of the finding that a part sees nothing of the candidates that it values.
    """

    part: str
    twice: str
    empty: str
    missing: str
    unknown: str
    tied: str

    def check(self, last: Token | None, heading: Token | None, names: set[str]) -> None:
        """Check that the section before a heading (None at the end) is not empty, and add the heading to ``names``.

        Raises:
            Refused: the section that ends here is empty, or an earlier section has the same name.
        """
        if last is not None and last.type == "SECTION":
            message = f"the section `{section_name(last)}` has no {self.part}"
            raise refuse(self.empty, message, token_span(last), expected=(f"a {self.part}",))
        if heading is None:
            return
        name = section_name(heading)
        if name in names:
            message, fix = f"the section `{name}` appears twice", f"keep only one {self.part} for it"
            raise refuse(self.twice, message, token_span(heading), fix=fix)
        names.add(name)

    def findings(
        self, source: SectionSource[Any], primitives: PrimitiveSet, reading: Reading
    ) -> Iterator[Diagnostic]:
        """Findings about sections that the game has not, and those that it has besides.

        Args:
            source: the program.
            primitives: what its game offers.
            reading: the grammar of the language.
        """
        names, wanted = source.program.names, primitives.sections
        missing = [name for name in wanted if name not in names]
        if names == (LONE_SECTION,) and LONE_SECTION not in wanted:
            if not {*wanted}.isdisjoint(source.program.trees[0].reads):
                return  # a section lacks its colon; another finding says so at its name
            message = f"a program for `{primitives.game}` has {_in_words(missing)}, not a lone {self.part}"
            yield finding(self.missing, "error", message, source.spans[0][0], f"start it with `{wanted[0]}:`")
            return
        unknown = not {*names} <= {*wanted}
        tokens = reading.tokens(source.text) if unknown else ()  # which is told at the headings
        for token in (token for token in tokens if token.type == "SECTION"):
            name = section_name(token)
            if name not in wanted and reading.branch(token) is token:
                message = f"`{primitives.game}` has no section `{name}`"
                fix = suggestion(name, missing, f"it has {_in_words(wanted)}")
                missing = [each for each in missing if each != nearest(name, missing)]
                yield finding(self.unknown, "error", message, token_span(token), fix)
        if missing:
            end = max(span.end for span in source.spans[-1])
            message = f"a program for `{primitives.game}` also has {_in_words(missing)}"
            place, fix = Span.at(source.text, end, end), f"add `{missing[0]}: ` and a {self.part}"
            yield finding(self.missing, "error", message, place, fix)

    def ties(self, source: SectionSource[Any], primitives: PrimitiveSet, fix: str) -> Iterator[Diagnostic]:
        """Parts that see nothing of the candidates; unknown sensors are given the benefit of the doubt."""
        same = {sensor.name for sensor in primitives.sensors if sensor.shared}
        for tree, spans in zip(source.program.trees, source.spans, strict=True):
            if same.issuperset(tree.reads) and not tree.draws:
                message = "every candidate gets the same value here, so the first one is always chosen"
                yield finding(self.tied, "warning", message, spans[0], fix)


def section_name(token: Token) -> str:
    """The name that a section terminal carries."""
    return token.rstrip(": \t")


def read_sections(root: Tree[Token]) -> tuple[tuple[str, ...], list[Tree[Token]]]:
    """The names of the sections of a text, and what stands in each; ``root`` is Lark's tree of the whole."""
    names: list[str] = []
    parts: list[Tree[Token]] = []
    for child in root.children:
        match child:
            case Tree(data="section", children=[Token() as heading, Tree() as part]):
                names.append(section_name(heading))
                parts.append(part)
            case Tree():
                return (LONE_SECTION,), [child]
    return tuple(names), parts


def printed_sections(program: Sections[Any], print_part: Callable[[Any], str]) -> dict[str, str]:
    """The text of each section by its name; a tree keeps the one that it was last printed as."""
    texts: dict[str, str] = {}
    for name, tree in zip(program.names, program.trees, strict=True):
        kept = tree.__dict__.get("printed")
        if kept is None or kept[0] is not print_part:
            kept = tree.__dict__["printed"] = (print_part, print_part(tree))
        texts[name] = kept[1]
    return texts


def print_sections(
    program: Sections[Any],
    header: Mapping[str, str] | None = None,
    *,
    print_part: Callable[[Any], str],
) -> str:
    """The text of a file: the header as comments, then every section; a lone one has no heading.

    Raises:
        ValueError: a header key is not one word of letters, digits, ``_`` and ``-``.
    """
    texts = printed_sections(program, print_part)
    is_lone = program.names == (LONE_SECTION,)
    parts = [text if is_lone else f"{name}: {text}" for name, text in texts.items()]
    return "\n".join([*print_header(header), *parts] if header else parts) + "\n"


def compile_sections(
    program: Sections[Any],
    header: Mapping[str, str],
    primitives: PrimitiveSet,
    compile_part: Callable[[Any, tuple[str, ...]], machine.Program],
) -> tuple[machine.Program, ...]:
    """A verified program of the machine for each section of the game.

    Args:
        program: what is compiled.
        header: its lines, which say nothing about it.
        primitives: what its game offers.
        compile_part: a part and the names of its inputs, by slot, to a program.

    Raises:
        KeyError: a section is missing, or a part reads a sensor that the game does not have.
    """
    del header
    inputs, parts = primitives.sensor_names, dict(zip(program.names, program.trees, strict=True))
    compiled = tuple(compile_part(parts[section], inputs) for section in primitives.sections)
    for each in compiled:
        machine.verify(each)
    return compiled


def sensor_lines(primitives: PrimitiveSet) -> list[str]:
    """Comments of a template: the sensors of the game, with their bounds and meanings."""
    width = max(len(sensor.name) for sensor in primitives.sensors)
    lines = ["// Sensors (gpkit list sensors); with * the same for all candidates:"]
    for sensor in primitives.sensors:
        star = "*" if sensor.shared else " "
        lines.append(f"//   {sensor.name:{width}} {star} {sensor.low:g} to {sensor.high:g}: {sensor.meaning}")
    return lines


def _in_words(names: Sequence[str]) -> str:
    words = " and ".join(f"`{name}`" for name in names)
    return f"the section {words}" if len(names) == 1 else f"the sections {words}"
