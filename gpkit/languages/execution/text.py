"""Reads, prints and lays out plans; keeps comments and the position of every step."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import partial
from typing import cast

from lark import Token
from lark import Tree as Branch

from gpkit.core.diagnostics import Span
from gpkit.core.header import print_header, read_header
from gpkit.genomes.comparisons import Comparison, Sign
from gpkit.genomes.plan import (
    MAIN,
    MAX_NESTING,
    MAX_STEPS,
    MOST_REPEATS,
    MOST_TICKS,
    Chance,
    Decide,
    Do,
    Merge,
    PlanProgram,
    Repeat,
    Sequence,
    Step,
    Test,
    Use,
    Wait,
    While,
)
from gpkit.langkit import reading
from gpkit.langkit.formulas import STRAYS, Definitions, naming_files, print_formula
from gpkit.langkit.nodes import INDENT, Layout, NodeKind, NodeTable, Texts, filler
from gpkit.langkit.reading import (
    Reading,
    as_token,
    as_tree,
    exceed,
    limited,
    number_at,
    probability,
    refuse,
    span_of,
    token_span,
    told_in,
    tree_span,
    unexpected_token,
)

MAIN_NAME = "main"
"""The name of the main plan in JSON, where no other plan may have this name, and its title in pictures."""


def print_program(program: PlanProgram, header: Mapping[str, str] | None = None) -> str:
    """The text of a ``.plan`` file: the header as comments, the main plan, and then the named plans.

    Raises:
        ValueError: a header key is not one word of letters, digits, ``_`` and ``-``.
    """
    header = dict(header or {})
    if program.goes_up:
        header["direction"] = "up"
    elif header.get("direction") == "up":
        del header["direction"]
    lines = [*print_header(header), *STEPS.written(program.plans[0])]
    parts = [[f"{each.head}: {print_formula(each.body)}"] for each in program.functions]
    for name, plan in zip(program.names[1:], program.plans[1:], strict=True):
        parts.append([f"plan {name}:", *STEPS.written(plan, 1)])
    for part in parts:
        lines += [*([""] if lines else []), *part]
    return "\n".join(lines) + "\n"


def print_sequence(sequence: Sequence) -> str:
    """The text of a sequence: each step on its own line, with nested steps indented.

    >>> print(print_sequence((Do("drone"), Repeat(2, (Do("zerglings"),)))))
    do drone
    repeat 2
      do zerglings
    end
    """
    return "\n".join(STEPS.written(sequence))


def marked_text(program: PlanProgram, place: tuple[int, int]) -> str:
    """The text of a plan, with a mark at the step that is at this place."""
    plan, number = place
    lines, steps = [], -1
    for level, words, step in STEPS.outline(program.plans[plan]):
        steps += step is not None
        mark = "> " if step is not None and steps == number else "  "
        lines.append(f"{mark}{INDENT * level}{words}{'' if step is None else STEPS.head(step)}")
    name = program.names[plan]
    return "\n".join([*([f"plan {name}:"] if name else []), *lines])


def number_text(value: float) -> str:
    """The shortest text of a number; whole numbers have no decimal point."""
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def testing(
    texts: Texts, pattern: str = "{feature} {sign} {threshold}", between: str = " {} "
) -> Callable[[Test], str]:
    """A function that writes a test: ``pattern`` formats comparisons, and ``between`` formats ``and`` or ``or``."""
    comparison = filler(pattern, texts)
    return lambda test: between.format(test.join).join(map(comparison, test.comparisons))


def _made(kind: NodeKind, fields: Iterable[object], branches: Iterable[Iterable[Step]]) -> tuple[Step]:
    """A step of this kind; all branches of a merge are stored in a single field."""
    held = tuple(map(tuple, branches))
    return (kind.make(*fields, *((held,) if kind.is_named else held)),)


STEPS = NodeTable(
    NodeKind("do {action}", "{action}", Do),
    NodeKind("use {plan}", "{plan}", Use),
    NodeKind(
        "wait {test} max {most}", "wait: {test}, at most {most}", Wait, limits={"most": (0, MOST_TICKS)}
    ),
    NodeKind(
        "repeat {times}",
        "{times:time}",
        Repeat,
        ("body",),
        limits={"times": (1, MOST_REPEATS)},
        closing="end",
    ),
    NodeKind(
        "while {test} max {most}",
        "while {test}, at most {most:time}",
        While,
        ("body",),
        limits={"most": (1, MOST_TICKS)},
        closing="end",
    ),
    NodeKind("decide {test}", "{test}", Decide, ("yes", "no")),
    NodeKind("chance {probability}", "{probability}", Chance, ("yes", "no")),
    NodeKind(
        "merge", "merge", Merge, ("merge",), words=lambda step: step.names, before="from ", closing="end"
    ),
    texts={Test: testing({"threshold": number_text}), float: number_text},
    held=lambda step, rest: step.held,
    make=_made,
)


TERMINALS = frozenset(map(str.upper, STEPS.named))
"""The terminals that begin a step."""

_WORDS = frozenset({"YES", "NO", "END", "MAX"})
"""The terminals for the words inside a step."""

RESERVED = frozenset({*STEPS.named, "and", "or", "max", "end"})
"""The reserved words; no plan, action or feature can have such a name."""

_FRIENDLY = {word.upper(): f"`{word}`" for word in STEPS.named} | {
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
"""Plain English words for the terminals, in the order in which messages list them."""

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
    """Yield the same tokens, and reject texts that are too large and plans that appear twice.

    Raises:
        Refused: a token breaks a rule; the first such token is reported.
    """
    names: set[str] = set()
    too_many = partial(exceed, "E331", f"the program has more than {MAX_STEPS} steps")
    for token in limited(stream, TERMINALS, MAX_STEPS, too_many, "E332"):
        if token.type == "HEADING":
            name = heading_word(token)
            if name in names:
                raise refuse("E312", f"the plan `{name}` appears twice", token_span(token))
            names.add(name)
        yield token


def heading_word(token: Token) -> str:
    """The name that follows the first word of a heading or of a branch."""
    return token.rstrip(": \t").split(maxsplit=1)[1]


def _fix(terminal: str, accepted: Set[str]) -> str:
    if terminal in TERMINALS and "NO" not in accepted and not accepted & TERMINALS and "END" in accepted:
        return "nothing can follow a decision: write it in both branches"
    return "`end` closes `repeat`, `while` and `merge` only" if terminal == "END" else ""


READING = Reading(
    name="execution",
    guard=_guarded,
    too_long="E330",
    broken="E310",
    friendly=_FRIENDLY,
    parts={"MAX": "max 3", "YES": "yes:", "NO": "no:", "FROM": "from NAME:", "END": "end"},
    strays=STRAYS | {"STRING"},
    stray="E311",
    hints=_HINTS,
    unexpected=unexpected_token("E310", "plan", _FRIENDLY, _fix),
)
"""The reader of programs: the grammar, and the messages for text that breaks it."""


@dataclass(frozen=True, slots=True)
class PlanSource(reading.Source[PlanProgram]):
    """The plans in a text.

    Attributes:
        spans: ``spans[p][k]`` is the position of the head of step k of plan p, in the order of the text.
        headings: the positions of the headings of the named plans.
        defined: the functions in the text.
    """

    spans: tuple[tuple[Span, ...], ...]
    headings: tuple[Span, ...]
    defined: Definitions


def parse(text: str, filename: str = "<text>") -> PlanSource:
    """The program parsed from a text, with the position of each part.

    Raises:
        SourceError: the text breaks the grammar; the message gives the location and what was expected.
        LimitError: the text, a number, the program or its nesting is too large.
    """
    with told_in(text, filename), naming_files(text):
        root = READING.read(text)
        defined = Definitions.of(root)
        parts = [*map(as_tree, root.children)]
        main = next((each for each in parts if each.data == "steps"), Branch("steps", []))
        rest = [each for each in parts if each.data == "plan"]
        headings = tuple(as_token(plan.children[0]) for plan in rest)
        spans: list[tuple[Span, ...]] = []
        plans: list[Sequence] = []
        for branch in (main, *(as_tree(plan.children[1]) for plan in rest)):
            places: list[Span] = []
            plans.append(_sequence(branch, 0, places, defined))
            spans.append(tuple(places))
        if not any(plans):
            raise refuse("E313", "there is no step", Span(0, 0, 1, 1), fix="write one, such as `do ACTION`")
    header = read_header(text)
    names = (MAIN, *map(heading_word, headings))
    program = PlanProgram(names, tuple(plans), header.get("direction") == "up", defined.functions)
    places_of_headings = tuple(token_span(token) for token in headings)
    return PlanSource(program, header, text, filename, tuple(spans), places_of_headings, defined)


def _sequence(branch: Branch[Token], depth: int, spans: list[Span], defined: Definitions) -> Sequence:
    """The steps of a sequence; this adds their positions to ``spans``. Nesting is limited, so recursion is safe."""
    return tuple(_step(as_tree(child), depth, spans, defined) for child in branch.children)


def _step(branch: Branch[Token], depth: int, spans: list[Span], defined: Definitions) -> Step:
    """A step; this adds its position to ``spans``. The position of a merge is that of its first branch's name."""
    parts, kind = branch.children, STEPS.named[str(branch.data)]
    if kind.is_named:
        parts = [part for each in parts if isinstance(each, Branch) for part in each.children]
    sequences = [as_tree(part) for part in parts if _is_sequence(part)]
    head = [part for part in parts if not (_is_sequence(part) or getattr(part, "type", "") in _WORDS)]
    start = span_of(head[0]) if kind.is_named else tree_span(branch)
    span = Span(start.start, start.end if kind.is_named else span_of(head[-1]).end, start.line, start.column)
    if depth > MAX_NESTING:
        raise exceed("E333", f"the plan nests deeper than {MAX_NESTING}", span)
    spans.append(span)
    inner = [_sequence(sequence, depth + 1, spans, defined) for sequence in sequences]
    if kind.is_named:
        return Merge(tuple(heading_word(as_token(name)) for name in head), tuple(inner))
    pairs = zip(kind.fields.values(), head, strict=True)
    fields = [_field(kind, name, part, defined) for name, part in pairs]
    step: Step = kind.make(*fields, *inner)
    return step


def _field(kind: NodeKind, name: str, child: Branch[Token] | Token, defined: Definitions) -> object:
    """The value of a step's field."""
    if name == "test":
        return _test(child, defined)
    if name in kind.limits:
        return _count(child, *kind.limits[name])
    return (
        str(child) if name != "probability" else probability(float(as_token(child)), "E316", span_of(child))
    )


def _is_sequence(child: Branch[Token] | Token) -> bool:
    return isinstance(child, Branch) and child.data == "sequence"


def _count(child: Branch[Token] | Token, least: int, most: int) -> int:
    token = as_token(child)
    if not (token.isdigit() and least <= int(token) <= most):
        raise refuse("E315", f"`{token}` is not a whole number from {least} to {most}", token_span(token))
    return int(token)


def _test(child: Branch[Token] | Token, defined: Definitions) -> Test:
    first, *more = as_tree(child).children
    if not more:
        return Test((_comparison(first, defined),))
    join, second = more
    comparisons = _comparison(first, defined), _comparison(second, defined)
    return Test(comparisons, "and" if str(join) == "and" else "or")


def _comparison(child: Branch[Token] | Token, defined: Definitions) -> Comparison:
    feature, sign, threshold = as_tree(child).children
    name = str(feature) if isinstance(feature, Token) else defined.computed(feature)
    return Comparison(name, cast("Sign", str(sign)), number_at(threshold, "E314"))


_BRANCHES = frozenset({"YES", "NO", "FROM"})
_HEADINGS = frozenset({"HEADING", "FUNCTION"})

_LAYOUT = Layout(
    begins=TERMINALS | _BRANCHES | {"END"} | _HEADINGS,
    branches=_BRANCHES,
    frames={
        word.upper(): ((kind.closing or kind.branches[-1]).upper(), 1 if kind.branches == ("body",) else 2)
        for word, kind in STEPS.named.items()
        if kind.branches
    },
    headings=_HEADINGS,
    closing="END",
    is_apart=True,
)


def format_source(source: PlanSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    return _LAYOUT.text(READING.tokens(source.text))
