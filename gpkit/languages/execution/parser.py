"""Text to plans: the grammar at work within the limits, and every step with its place; errors in words."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import cast

from lark import Token
from lark import Tree as Branch

from gpkit.core.diagnostics import Span
from gpkit.core.header import read_header
from gpkit.genomes.comparisons import Comparison, Sign
from gpkit.genomes.plan import MAIN, MAX_NESTING, MAX_STEPS, Merge, PlanProgram, Sequence, Step, Test
from gpkit.langkit import reading
from gpkit.langkit.nodes import NodeKind
from gpkit.langkit.reading import (
    Reading,
    as_token,
    as_tree,
    check_length,
    double,
    exceed,
    refuse,
    span_of,
    token_span,
    told_in,
    tree_span,
    unexpected_token,
)
from gpkit.languages.execution.printer import STEPS as KINDS

STEPS = frozenset(map(str.upper, KINDS.named))
"""Terminals at which a step begins."""

_WORDS = frozenset({"YES", "NO", "END", "MAX"})
"""Terminals of words inside a step."""

RESERVED = frozenset({*KINDS.named, "and", "or", "max", "end"})
"""Words of the language, which no plan, action or feature has for a name."""

_FRIENDLY = {word.upper(): f"`{word}`" for word in KINDS.named} | {
    "NUMBER": "a number",
    "MINUS": "`-`",
    "NAME": "a name",
    "COMPARISON": "`<=`, `<`, `>`, `>=`, `==` or `!=`",
    "JOIN": "`and` or `or`",
    "MAX": "`max`",
    "YES": "`yes:`",
    "NO": "`no:`",
    "FROM": "a branch such as `from rush:`",
    "END": "`end`",
    "HEADING": "a heading such as `plan army:`",
    "$END": "the end of the file",
}
"""Terminals in the words of a person, in the order in which they are listed."""

_HINTS = {
    "#": "a comment starts with `//`",
    ";": "every step starts with its own word, such as `do`; it needs no `;`",
    "=": "compare with `==`",
    "{": "branches start with `yes:` and `no:`, and `end` closes a loop",
    "(": "a test is a feature, a comparison and a number",
    **dict.fromkeys(
        ("if", "test", "switch"), "write a decision as `decide NAME <= 3`, followed by `yes:` and `no:`"
    ),
    **dict.fromkeys(
        ("loop", "for"), "write a loop as `repeat 3` or `while NAME <= 3 max 9`, and end it with `end`"
    ),
    **dict.fromkeys(("then", "else"), "write the branches as `yes:` and `no:`"),
}


def _guarded(stream: Iterator[Token]) -> Iterator[Token]:
    """The same tokens, watched on their way to the parser: what is too large, and plans that are written twice.

    Raises:
        Refused: at the first token that breaks a rule.
    """
    count = 0
    names: set[str] = set()
    for token in stream:
        count += token.type in STEPS
        if count > MAX_STEPS:
            raise exceed("E331", f"the program has more than {MAX_STEPS} steps", token_span(token))
        if token.type == "NUMBER":
            check_length(token, "E332")
        if token.type == "HEADING":
            name = plan_name(token)
            if name in names:
                raise refuse("E312", f"the plan `{name}` appears twice", token_span(token))
            names.add(name)
        yield token


def plan_name(token: Token) -> str:
    """The name that a heading carries."""
    return token.removeprefix("plan").strip(": \t")


def branch_name(token: Token) -> str:
    """The name that the beginning of a branch carries."""
    return token.removeprefix("from").strip(": \t")


def _fix(terminal: str, accepted: Set[str]) -> str:
    if terminal in STEPS and "NO" not in accepted and not accepted & STEPS and "END" in accepted:
        return "nothing can follow a decision: write it in both branches"
    return "`end` closes `repeat`, `while` and `merge` only" if terminal == "END" else ""


READING = Reading(
    name="execution",
    guard=_guarded,
    too_long="E330",
    broken="E310",
    friendly=_FRIENDLY,
    parts={"MAX": "max 3", "YES": "yes:", "NO": "no:", "FROM": "from NAME:", "END": "end"},
    stray="E311",
    hints=_HINTS,
    unexpected=unexpected_token("E310", "plan", _FRIENDLY, _fix),
)
"""The grammar, and what is said about texts that break it; it reads a text."""


@dataclass(frozen=True, slots=True)
class PlanSource(reading.Source[PlanProgram]):
    """The plans of a text.

    Attributes:
        spans: ``spans[p][k]`` is the place of the head of step k of plan p, in the order of the text.
        headings: the places of the headings of the named plans.
    """

    spans: tuple[tuple[Span, ...], ...]
    headings: tuple[Span, ...]


def parse(text: str, filename: str = "<text>") -> PlanSource:
    """The program that a text says, with places.

    Raises:
        SourceError: the text breaks the grammar; the message shows the place and what was expected.
        LimitError: the text, a number, the program or its nesting is too large.
    """
    with told_in(text, filename):
        main, *rest = (as_tree(child) for child in READING.read(text).children)
        headings = tuple(as_token(plan.children[0]) for plan in rest)
        spans: list[tuple[Span, ...]] = []
        plans: list[Sequence] = []
        for branch in (main, *(as_tree(plan.children[1]) for plan in rest)):
            places: list[Span] = []
            plans.append(_sequence(branch, 0, places))
            spans.append(tuple(places))
        if not any(plans):
            raise refuse("E313", "there is no step", Span(0, 0, 1, 1), fix="write one, such as `do ACTION`")
    header = read_header(text)
    names = (MAIN, *map(plan_name, headings))
    program = PlanProgram(names, tuple(plans), header.get("direction") == "up")
    places_of_headings = tuple(token_span(token) for token in headings)
    return PlanSource(program, header, text, filename, tuple(spans), places_of_headings)


def _sequence(branch: Branch[Token], depth: int, spans: list[Span]) -> Sequence:
    """The steps of a sequence; their places are added to ``spans``. Nesting is limited, so this can call itself."""
    return tuple(_step(as_tree(child), depth, spans) for child in branch.children)


def _step(branch: Branch[Token], depth: int, spans: list[Span]) -> Step:
    """A step; the place of branches that meet is that of the first one's name."""
    parts, kind = branch.children, KINDS.named[str(branch.data)]
    if kind.is_named:
        parts = [part for each in parts if isinstance(each, Branch) for part in each.children]
    sequences = [as_tree(part) for part in parts if _is_sequence(part)]
    head = [part for part in parts if not (_is_sequence(part) or getattr(part, "type", "") in _WORDS)]
    start = span_of(head[0]) if kind.is_named else tree_span(branch)
    end = start.end if kind.is_named else span_of(head[-1]).end
    span = Span(start.start, end, start.line, start.column)
    if depth > MAX_NESTING:
        raise exceed("E333", f"the plan nests deeper than {MAX_NESTING}", span)
    spans.append(span)
    inner = [_sequence(sequence, depth + 1, spans) for sequence in sequences]
    if kind.is_named:
        return Merge(tuple(branch_name(as_token(name)) for name in head), tuple(inner))
    fields = [_field(kind, name, part) for name, part in zip(kind.fields.values(), head, strict=True)]
    step: Step = kind.make(*fields, *inner)
    return step


def _field(kind: NodeKind, name: str, child: Branch[Token] | Token) -> object:
    """The value of a field of a step."""
    if name == "test":
        return _test(child)
    if name in kind.limits:
        return _count(child, *kind.limits[name])
    if name != "probability":
        return str(child)
    probability = float(as_token(child))
    if not 0.0 <= probability <= 1.0:
        raise refuse("E316", "a probability is from 0 to 1", token_span(as_token(child)))
    return probability


def _is_sequence(child: Branch[Token] | Token) -> bool:
    return isinstance(child, Branch) and child.data == "sequence"


def _count(child: Branch[Token] | Token, least: int, most: int) -> int:
    token = as_token(child)
    if not (token.isdigit() and least <= int(token) <= most):
        message = f"`{token}` is not a whole number from {least} to {most}"
        raise refuse("E315", message, token_span(token))
    return int(token)


def _test(child: Branch[Token] | Token) -> Test:
    first, *more = as_tree(child).children
    if not more:
        return Test((_comparison(first),))
    join, second = more
    return Test((_comparison(first), _comparison(second)), "and" if str(join) == "and" else "or")


def _comparison(child: Branch[Token] | Token) -> Comparison:
    feature, sign, threshold = as_tree(child).children
    branch = as_tree(threshold)
    value = double("".join(map(as_token, branch.children)), "E314", tree_span(branch))
    return Comparison(str(feature), cast("Sign", str(sign)), value)
