"""Text to plans: every step keeps its place in the text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from lark import Token
from lark import Tree as Branch

from gpkit.core.diagnostics import Span
from gpkit.core.header import read_header
from gpkit.genomes.plan import (
    MAIN,
    MAX_NESTING,
    MOST_REPEATS,
    MOST_TICKS,
    Chance,
    Comparison,
    Decide,
    Do,
    Merge,
    PlanProgram,
    Repeat,
    Sequence,
    Sign,
    Step,
    Test,
    Use,
    Wait,
    While,
)
from gpkit.langkit.reading import (
    Refused,
    as_token,
    as_tree,
    double,
    exceed,
    refuse,
    token_span,
    tree_span,
)
from gpkit.languages.execution.syntax import READING, branch_name, plan_name


@dataclass(frozen=True, slots=True)
class Source:
    """A program and the text that it was read from.

    Attributes:
        program: the plans.
        spans: ``spans[p][k]`` is the place of the head of step k of plan p, in the order of the text.
        headings: the places of the headings of the named plans.
        header: the leading comment lines of the form ``// key: value``.
        text: the whole text.
        filename: where it came from, for messages.
    """

    program: PlanProgram
    spans: tuple[tuple[Span, ...], ...]
    headings: tuple[Span, ...]
    header: Mapping[str, str]
    text: str
    filename: str


def parse(text: str, filename: str = "<text>") -> Source:
    """The program that a text says, with places.

    Raises:
        SourceError: the text breaks the grammar; the message shows the place and what was expected.
        LimitError: the text, a number, the program or its nesting is too large.
    """
    try:
        root = READING.read(text)
        main, *rest = (as_tree(child) for child in root.children)
        headings = tuple(as_token(plan.children[0]) for plan in rest)
        spans: list[tuple[Span, ...]] = []
        plans: list[Sequence] = []
        for branch in (main, *(as_tree(plan.children[1]) for plan in rest)):
            places: list[Span] = []
            plans.append(_sequence(branch, 0, places))
            spans.append(tuple(places))
        if not any(plans):
            raise refuse("E313", "there is no step", Span(0, 0, 1, 1), mend="write one, such as `do ACTION`")
    except Refused as refused:
        raise refused.error(text, filename) from None
    header = read_header(text)
    names = (MAIN, *map(plan_name, headings))
    program = PlanProgram(names, tuple(plans), header.get("direction") == "up")
    places_of_headings = tuple(token_span(token) for token in headings)
    return Source(program, tuple(spans), places_of_headings, header, text, filename)


def _sequence(branch: Branch[Token], depth: int, spans: list[Span]) -> Sequence:
    """The steps of a sequence; their places are added to ``spans``. Nesting is limited, so this can call itself."""
    return tuple(_step(as_tree(child), depth, spans) for child in branch.children)


def _step(branch: Branch[Token], depth: int, spans: list[Span]) -> Step:
    if branch.data == "merge":
        return _merge(branch, depth, spans)
    head = [child for child in branch.children if not _is_sequence(child)]
    last = [child for child in head if not (isinstance(child, Token) and child.type in ("YES", "NO", "END"))][
        -1
    ]
    start = tree_span(branch)
    end = token_span(last) if isinstance(last, Token) else tree_span(last)
    span = Span(start.start, end.end, start.line, start.column)
    if depth > MAX_NESTING:
        raise exceed("E333", f"the plan nests deeper than {MAX_NESTING}", span)
    spans.append(span)
    inner = [_sequence(as_tree(child), depth + 1, spans) for child in branch.children if _is_sequence(child)]
    match str(branch.data):
        case "do":
            return Do(str(head[0]))
        case "use":
            return Use(str(head[0]))
        case "wait":
            return Wait(_test(head[0]), _count(head[2], MOST_TICKS, 0))
        case "repeat":
            return Repeat(_count(head[0], MOST_REPEATS, 1), inner[0])
        case "while":
            return While(_test(head[0]), _count(head[2], MOST_TICKS, 1), inner[0])
        case "decide":
            return Decide(_test(head[0]), *inner)
        case _:
            probability = float(as_token(head[0]))
            if not 0.0 <= probability <= 1.0:
                raise refuse("E316", "a probability is from 0 to 1", token_span(as_token(head[0])))
            return Chance(probability, *inner)


def _merge(branch: Branch[Token], depth: int, spans: list[Span]) -> Step:
    """Branches that meet; the place is that of the first one's name."""
    branches = [child for child in branch.children if isinstance(child, Branch)]
    names = [as_token(each.children[0]) for each in branches]
    span = token_span(names[0])
    if depth > MAX_NESTING:
        raise exceed("E333", f"the plan nests deeper than {MAX_NESTING}", span)
    spans.append(span)
    sequences = tuple(_sequence(as_tree(each.children[1]), depth + 1, spans) for each in branches)
    return Merge(tuple(map(branch_name, names)), sequences)


def _is_sequence(child: Branch[Token] | Token) -> bool:
    return isinstance(child, Branch) and child.data == "sequence"


def _count(child: Branch[Token] | Token, most: int, least: int) -> int:
    token = as_token(child)
    if not (token.isdigit() and least <= int(token) <= most):
        message = f"`{token}` is no whole number of {least} to {most}"
        raise refuse("E315", message, token_span(token))
    return int(token)


def _test(child: Branch[Token] | Token) -> Test:
    first, *more = as_tree(child).children
    if not more:
        return Test((_comparison(first),))
    join, second = more
    word = "and" if str(join) == "and" else "or"
    return Test((_comparison(first), _comparison(second)), "and" if word == "and" else "or")


def _comparison(child: Branch[Token] | Token) -> Comparison:
    feature, sign, threshold = as_tree(child).children
    branch = as_tree(threshold)
    value = double("".join(map(as_token, branch.children)), "E314", tree_span(branch))
    return Comparison(str(feature), cast("Sign", str(sign)), value)
