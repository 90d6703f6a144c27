"""Text and programs of every language are a pair, and layout changes nothing but layout."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from decision_trees import commented, random_program, seeded
from generated_plans import programs as plans
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from language_cases import language
from rule_strategies import rule_lists
from strategies import linear_programs, programs

from gpkit.core.diagnostics import SourceError
from gpkit.core.registry import LANGUAGES
from gpkit.core.wording import undeceptive
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.decision import DecisionProgram
from gpkit.genomes.graph import Action, Graph, NamedRule, Node, Rule, RuleList, canonical
from gpkit.genomes.linear import LinearProgram
from gpkit.genomes.plan import PlanProgram
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.text import READING, print_article
from gpkit.languages.arithmetic.text import print_program as print_formulas
from gpkit.languages.execution.text import print_program as print_plans
from gpkit.languages.rulegraph.text import print_program as print_rules

of_every_language = pytest.mark.parametrize("name", [entry.name for entry in LANGUAGES])

SEEDS = st.integers(0, 2**32)
DOLLARS = RuleList((NamedRule(Rule(Graph((Node("x"),), (), (1,)), Action(0, -1))),))
HEADERS = st.just({"a": "$"}) | st.dictionaries(
    st.from_regex(r"[a-z][a-z_-]{0,8}", fullmatch=True), st.text(max_size=20), max_size=3
)
GAPS = ("\n", "\n", "\n\n", "\n\n\n", "\r\n", " // why\n", "\n// whole line\n", " //\n\n  //two\t\n\n")


def mixed(draw: st.DrawFn, pieces: list[str], *gaps: str) -> str:
    """Pieces of a text with arbitrary empty lines and comments between them."""
    between: SearchStrategy[str] = st.sampled_from((*GAPS, *gaps))
    return "".join(piece + draw(between) for piece in pieces)


@st.composite
def messy_formulas(draw: st.DrawFn, program: TreeProgram) -> str:
    """The text with arbitrary blanks, line ends and comments between its tokens."""
    article = [f"{n}: {print_article(t)}" for n, t in zip(program.names, program.trees, strict=True)]
    text = draw(st.sampled_from([print_formulas(program), "\n".join(article)]))
    words = [str(token) for token in READING.tokens(text) if token.type != "BLANK"]
    return mixed(draw, ["", *words], " ", " ", "  ", "\t")


@st.composite
def messy_blocks(draw: st.DrawFn, program: LinearProgram) -> str:
    """The text as listings have it."""
    pieces = [draw(st.sampled_from(["", "\n", "// game: battleship\n", "\n// a\n\n// b: c\n\n"]))]
    for name, block in zip(program.names, program.blocks, strict=True):
        headings = [f"{name}:", f"{name.capitalize()} state ({len(block)}/20)", f"  {name.upper()} :"]
        pieces.append(draw(st.sampled_from(headings)))
        for k, word in enumerate(block, start=1):
            pieces.append(draw(st.sampled_from([word, f"  {k}. {word}", f"- {k}.\t{word} -"])))
    return pieces[0] + mixed(draw, pieces[1:], "\n7.\n\t\n")


@st.composite
def messy_rules(draw: st.DrawFn, program: RuleList) -> str:
    """The text as people and articles write rules."""
    pieces = []
    for line in print_rules(program).splitlines():
        rule = line
        if draw(st.booleans()):
            rule = re.sub(r"(?<=_)(\d+)", r"{\1}", rule)
        if draw(st.booleans()):
            rule = re.sub(r"(?<!:) (?![@])", "", rule)
        if draw(st.booleans()):
            rule = rule.replace("=>", draw(st.sampled_from([" ⇒", "\\Rightarrow", "\t=>  "])))
        pieces.append((draw(st.sampled_from(["", "$$", " ", "$"])) if line[:1] not in "#" else "") + rule)
    start = draw(st.sampled_from(["", "\n", "# board: 3x3\n", "\n# a\n\n# b: c\n\n"]))
    return start + mixed(draw, pieces, "#\n\n  #two\t\n\n", "\n$$\n\t\n").replace("//", "#")


@st.composite
def messy_plans(draw: st.DrawFn, program: PlanProgram) -> str:
    """The text with comments anywhere between its words, of which the heading of a plan is one."""
    words = re.findall(r"plan \w+:|\S+", print_plans(program))
    for number, place in enumerate(draw(st.lists(st.integers(0, 10**6), max_size=5))):
        words.insert(place % (len(words) + 1), f"// note {number}\n")
    return " ".join(words)


def messy_trees(program: DecisionProgram) -> SearchStrategy[str]:
    """The text with numbered comments and line ends anywhere between its words."""
    return SEEDS.map(lambda seed: commented(seeded(seed), program))


KNOWN: Mapping[str, tuple[SearchStrategy[Any], Any]] = {
    "arithmetic": (programs(max_leaves=8), messy_formulas),
    "sinking": (linear_programs(PRIMITIVES), messy_blocks),
    "rulegraph": (st.just(DOLLARS) | rule_lists(), messy_rules),
    "decision": (SEEDS.map(lambda seed: random_program(seeded(seed), 3)), messy_trees),
    "execution": (plans, messy_plans),
}
"""Programs of each language, and texts of a program that are not in canonical layout."""


def settled(program: Any) -> Any:
    """A program as its text is read back: rules in canonical order."""
    if not isinstance(program, RuleList):
        return program
    return RuleList(tuple(replace(named, rule=canonical(named.rule)) for named in program.rules))


def comments(name: str, text: str) -> list[str]:
    """The comments of a text, without the blanks at their ends."""
    mark = "#" if name == "rulegraph" else "//"
    if name == "execution":  # where the comments of one place are joined to a line
        text = text.replace(" //", "\n//")
    if name == "execution":  # where the comments of one place are joined to a line
        text = text.replace(" //", "\n//")
    return [found.rstrip() for found in re.findall(rf"{mark}[^\n]*", text)]


@of_every_language
@given(data=st.data(), header=HEADERS)
def test_canonical_text_reads_back(name: str, data: st.DataObject, header: dict[str, str]) -> None:
    known, program = language(name), data.draw(KNOWN[name][0])
    text = known.print_program(program, header)
    source = known.parse(text)
    assert source.program == settled(program)
    kept = {key: re.sub(r"\s*\n\s*", " ", undeceptive(value)).strip() for key, value in header.items()}
    assert source.header == kept | ({"level": "1"} if getattr(program, "level", 0) else {})
    assert known.format_source(source) == text
    assert known.print_program(source.program, source.header) == text


def layout_is_kept(name: str, program: Any, text: str) -> None:
    """Hold the layout of a text of a program against the text."""
    known = language(name)
    source = known.parse(text)
    formatted = known.format_source(source)
    again = known.parse(formatted)
    assert again.program == source.program == settled(program)
    assert comments(name, formatted) == comments(name, text)
    assert again.header == source.header
    assert known.format_source(again) == formatted
    if name == "rulegraph":
        assert not set("${") & set(re.sub(r"#.*", "", formatted))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(entry.name, marks=[pytest.mark.release] * (entry.name in ("arithmetic", "rulegraph")))
        for entry in LANGUAGES
    ],
)
@given(data=st.data())
def test_same_program_same_comments_and_idempotent(name: str, data: st.DataObject) -> None:
    some, messy = KNOWN[name]
    program = data.draw(some)
    layout_is_kept(name, program, data.draw(messy(program)))


@pytest.mark.slow
def test_layout_of_very_many_trees_is_kept() -> None:
    rng = seeded(2)
    for _ in range(33_333):
        program = random_program(rng, 3)
        layout_is_kept("decision", program, commented(rng, program))


FRONTS = st.lists(st.sampled_from(["\n", "1.\n", "- 7. // n\n", "// a\n", " // if: one-line\n", "// b:c\n"]))
OF_BLOCKS = st.tuples(FRONTS.map("".join), st.just("targeting:"), st.text("\n\n\n /-1.:aT\r\t", max_size=60))
OF_RULES = st.tuples(st.just("x_0 w => x_0 - w"), st.text("\n\n\n #$:x\r\t@q=1 ", max_size=60))
ENDS = {
    "sinking": OF_BLOCKS.map("".join)
    | st.sampled_from(
        [
            "targeting://\n//\ntargeting:\n//\n\n//\nlocking://\n\n\n//\n  //",
            "1.\n// if: one-line\ntargeting:\n  Target\n  Shoot\n",
        ]
    ),
    "rulegraph": OF_RULES.map("".join) | st.just("x_0 w => x_0 - w#\n#\n\n\n#\n  #"),
}
"""Texts in which lines end, and comments stand, anywhere."""


@pytest.mark.parametrize("name", ENDS)
@given(data=st.data())
def test_layout_is_idempotent_wherever_lines_end(name: str, data: st.DataObject) -> None:
    known, text = language(name), data.draw(ENDS[name])
    try:
        source = known.parse(text)
    except SourceError:
        return
    formatted = known.format_source(source)
    again = known.parse(formatted)
    assert known.format_source(again) == formatted
    assert comments(name, formatted) == comments(name, text)
    assert again.header == source.header
