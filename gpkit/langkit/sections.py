"""Handles programs with a section for each decision of their game: headings in texts, and findings about sections."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, TypeVar

from lark import Token, Tree

from gpkit.core.diagnostics import Diagnostic, Span, nearest, suggestion
from gpkit.core.header import print_header
from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.tree import LONE_SECTION, Sections
from gpkit.genomes.tree import Tree as Formula
from gpkit.langkit.findings import finding
from gpkit.langkit.formulas import HEADINGS, Definitions, print_formula
from gpkit.langkit.reading import Reading, Refused, Source, exceed, limited, refuse, token_span
from gpkit.vm import program as machine

Program = TypeVar("Program", bound=Sections[Any])


@dataclass(frozen=True, slots=True)
class SectionSource(Source[Program]):
    """A program with sections; ``spans[i][k]`` is the position of node k of ``program.trees[i]``."""

    spans: tuple[tuple[Span, ...], ...]
    defined: Definitions

    def nodes(self) -> Iterator[tuple[Any, Span]]:
        """Yield every node with its position."""
        for tree, spans in zip(self.program.trees, self.spans, strict=True):
            yield from zip(tree.symbols, spans, strict=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sectioning:
    """The words and error codes of a language for its sections.

    Attributes:
        part: the noun for the content of a section.
        twice, empty: the error codes for a section that appears twice, and for an empty section or text.
        missing, unknown: the codes of findings about sections that a program lacks, and about sections that its game
            does not have.
        tied: the code of the finding that a part gives every candidate the same value.
        nodes: the terminals of nodes.
        most: the maximum number of nodes in a program.
        large, long: the error codes for a text with more nodes, and for a number with too many characters.
        example: advice that shows an example of a part.
    """

    part: str
    twice: str
    empty: str
    missing: str
    unknown: str
    tied: str
    nodes: Set[str]
    most: int
    large: str
    long: str
    example: str

    def guarded(
        self, stream: Iterator[Token], watch: Callable[[Iterator[Token]], Iterator[Token]] = iter
    ) -> Iterator[Token]:
        """Pass tokens on to the parser, and check the sections and the size of the program as they pass.

        Args:
            stream: the tokens.
            watch: passes the tokens on and performs the language's own checks, which come before the checks here.

        Raises:
            Refused: a section is empty or appears twice, or a token breaks a limit.
        """
        last = heading = None
        names = set[str]()
        most = 2 * self.most  # some nodes are parts of others; the parser counts exactly
        for token in limited(watch(stream), self.nodes, most, self.too_large, self.long):
            if token.type in HEADINGS:
                if heading is not None and heading is last:
                    raise self._unfilled(heading)
                name = section_name(token)
                if name in names:
                    raise refuse(
                        self.twice,
                        f"the section `{name}` appears twice",
                        token_span(token),
                        fix=f"keep only one {self.part} for it",
                    )
                names.add(name)
                heading = token
            last = token
            yield token
        if last is None:
            raise refuse(self.empty, f"there is no {self.part}", Span(0, 0, 1, 1), fix=self.example)
        if heading is last:
            raise self._unfilled(last)

    def _unfilled(self, heading: Token) -> Refused:
        message = f"the section `{section_name(heading)}` has no {self.part}"
        return refuse(self.empty, message, token_span(heading), expected=(f"a {self.part}",))

    def too_large(self, span: Span) -> Refused:
        """The error that rejects a program with too many nodes, at the position of the first node beyond the limit."""
        return exceed(self.large, f"the program has more than {self.most} nodes", span)

    def findings(
        self, source: SectionSource[Any], primitives: PrimitiveSet, reading: Reading
    ) -> Iterator[Diagnostic]:
        """Findings about sections that the game does not have, and about sections that the program lacks.

        Args:
            source: the program.
            primitives: the offers of its game.
            reading: the grammar of the language.
        """
        names, wanted = source.program.names, primitives.sections
        missing = [name for name in wanted if name not in names]
        if names == (LONE_SECTION,) and LONE_SECTION not in wanted:
            if not {*wanted}.isdisjoint(source.program.trees[0].reads):
                return  # a section lacks its colon; another finding says so at its name
            message = f"a program for `{primitives.game}` has {_in_words(missing)}, not a lone {self.part}"
            yield finding(self.missing, message, source.spans[0][0], f"start it with `{wanted[0]}:`")
            return
        unknown = not {*names} <= {*wanted}
        tokens = reading.tokens(source.text) if unknown else ()  # which is reported at the headings
        for token in (token for token in tokens if token.type == "SECTION"):
            name = section_name(token)
            if name not in wanted and reading.branch(token) is token:
                message = f"`{primitives.game}` has no section `{name}`"
                fix = suggestion(name, missing, f"it has {_in_words(wanted)}")
                missing = [each for each in missing if each != nearest(name, missing)]
                yield finding(self.unknown, message, token_span(token), fix)
        if missing:
            end = max(span.end for span in source.spans[-1])
            message = f"a program for `{primitives.game}` also has {_in_words(missing)}"
            place, fix = Span.at(source.text, end, end), f"add `{missing[0]}: ` and a {self.part}"
            yield finding(self.missing, message, place, fix)

    def ties(self, source: SectionSource[Any], primitives: PrimitiveSet, fix: str) -> Iterator[Diagnostic]:
        """Findings about parts that give all candidates the same value, except for parts with an unknown sensor."""
        same = {sensor.name for sensor in primitives.sensors if sensor.shared}
        for tree, spans in zip(source.program.trees, source.spans, strict=True):
            if same.issuperset(tree.reads) and not tree.draws:
                yield finding(
                    self.tied,
                    "every candidate gets the same value here, so the first one is always chosen",
                    spans[0],
                    fix,
                )


def section_name(token: Token) -> str:
    """The name in the token for the heading of a section or a function."""
    return token.partition("(")[0].rstrip(": \t")


def read_sections(root: Tree[Token]) -> tuple[tuple[str, ...], list[Tree[Token]]]:
    """The names and the contents of the sections in a text; ``root`` is Lark's tree of the text."""
    names: list[str] = []
    parts: list[Tree[Token]] = []
    for child in root.children:
        match child:
            case Tree(data="section", children=[Token() as heading, Tree() as part]):
                names.append(section_name(heading))
                parts.append(part)
            case Tree(data="function"):
                pass
            case Tree():
                names, parts = [LONE_SECTION], [child]
    return tuple(names), parts


def printed_sections(program: Sections[Any], print_part: Callable[[Any], str]) -> dict[str, str]:
    """The text of each section, by section name; each tree caches its last text."""
    texts: dict[str, str] = {}
    for name, tree in (program.bodies | program.parts).items():
        write = print_formula if isinstance(tree, Formula) else print_part
        kept = tree.__dict__.get("printed")
        if kept is None or kept[0] is not write:
            kept = tree.__dict__["printed"] = (write, write(tree))
        texts[name] = kept[1]
    return texts


def print_sections(
    program: Sections[Any],
    header: Mapping[str, str] | None = None,
    *,
    print_part: Callable[[Any], str],
) -> str:
    """The text of a file: the header as comments, and then every section; an unnamed section has no heading.

    Raises:
        ValueError: a header key is not one word of letters, digits, ``_`` and ``-``.
    """
    texts = printed_sections(program, print_part)
    is_lone = [*texts] == [LONE_SECTION]
    parts = [text if is_lone else f"{name}: {text}" for name, text in texts.items()]
    return "\n".join([*print_header(header), *parts] if header else parts) + "\n"


def compile_sections(
    program: Sections[Any],
    header: Mapping[str, str],
    primitives: PrimitiveSet,
    compile_part: Callable[[Any, tuple[str, ...]], machine.Program],
) -> tuple[machine.Program, ...]:
    """A verified machine program for each section of the game.

    Args:
        program: the program to compile.
        header: its header lines, which have no effect here.
        primitives: the offers of its game.
        compile_part: takes (part, names of its inputs by slot) and returns a machine program.

    Raises:
        KeyError: a section is missing, or a part reads a sensor that the game does not have.
    """
    del header
    inputs, parts = primitives.sensor_names, program.parts
    compiled = tuple(compile_part(parts[section], inputs) for section in primitives.sections)
    for each in compiled:
        machine.verify(each)
    return compiled


def sensor_lines(primitives: PrimitiveSet) -> list[str]:
    """The comments of a template: the game's sensors, with their bounds and meanings."""
    width = max(len(sensor.name) for sensor in primitives.sensors)
    lines = ["// Sensors (gpkit list sensors); with * the same for all candidates:"]
    for sensor in primitives.sensors:
        star = "*" if sensor.shared else " "
        lines.append(f"//   {sensor.name:{width}} {star} {sensor.low:g} to {sensor.high:g}: {sensor.meaning}")
    return lines


def _in_words(names: Sequence[str]) -> str:
    words = " and ".join(f"`{name}`" for name in names)
    return f"the section {words}" if len(names) == 1 else f"the sections {words}"
