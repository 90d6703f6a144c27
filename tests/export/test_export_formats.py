"""Every exporter by contract, and what is particular to Python, JSON, LaTeX and the file of conformance."""

import itertools
import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import dialects, linear_programs, programs, trees

import gpkit
from gpkit.core.errors import GpkitError, LimitError, UsageError
from gpkit.core.primitives import OPERATORS, PrimitiveSet
from gpkit.core.registry import GAMES, LANGUAGES, Entry, find
from gpkit.export.conformance import (
    conformance_of,
    evaluate_vector,
    make_vectors,
    plays,
    prove,
    same_number,
)
from gpkit.export.json import json_text, read_subject
from gpkit.export.python import CALLS, python_text
from gpkit.export.registry import EXPORTERS, check_export, exporter
from gpkit.export.subject import Subject
from gpkit.games.battleship.primitives import PRIMITIVES as BATTLESHIP
from gpkit.games.sevens.rules import SevensRules, deal
from gpkit.genomes.linear import LinearProgram
from gpkit.genomes.tree import Tree, TreeProgram, leaf
from gpkit.langkit.formulas import evaluate
from gpkit.langkit.operators import NOTATION, NOTATIONS
from gpkit.languages.arithmetic.forms.exports import latex_formula
from gpkit.languages.arithmetic.text import parse
from gpkit.languages.sinking.text import PRESETS, SWITCHES, dialect_of
from gpkit.languages.sinking.text import parse as parse_lines
from gpkit.languages.sinking.text import print_program as print_lines
from gpkit_experiments.readable.sevens import choose

MODES = [(entry.name, mode) for entry in EXPORTERS for mode in exporter(entry.name).modes if mode != "nested"]


@pytest.mark.parametrize(
    ("to", "mode"),
    [
        pytest.param(*each, marks=[pytest.mark.release] * (each[0] == "c" or each[1] in ("luau", "player")))
        for each in MODES
    ],
)
def test_every_exporter_writes_text_and_always_the_same(sample: Subject, to: str, mode: str) -> None:
    documents = exporter(to).export(sample, mode)
    assert documents == exporter(to).export(sample, mode)
    suffixes = [document.suffix for document in documents]
    assert len(set(suffixes)) == len(suffixes)
    for document in documents:
        assert document.suffix.startswith(".")
        assert document.text.endswith("\n")
        assert document.text.isascii() or to == "json"


@pytest.mark.parametrize("game", GAMES, ids=lambda entry: entry.name)
@pytest.mark.parametrize(("to", "mode"), MODES)
def test_every_exporter_says_the_programs_of_a_game_or_why_not(game: Entry, to: str, mode: str) -> None:
    usual, primitives = next(iter(game.load().offers.items()))
    language = find(LANGUAGES, usual, "language").load()
    source = language.parse(language.template(primitives), "new")
    subject = Subject(source.program, "new", dict(source.header), primitives)
    try:
        documents = exporter(to).export(subject, mode)
    except UsageError as error:
        assert (to, mode) not in (("json", "program"), ("lua", "module")), error
    else:
        assert all(document.text.endswith("\n") for document in documents)


@pytest.mark.parametrize("entry", EXPORTERS, ids=lambda entry: entry.name)
def test_every_exporter_says_what_it_is(entry: object) -> None:
    found = exporter(entry.name)  # type: ignore[attr-defined]
    assert found.name == entry.name  # type: ignore[attr-defined]
    assert found.title
    with pytest.raises(UsageError, match="no mode `nonsense`"):
        found.export(Subject(parse("A").program), "nonsense")


def test_an_unknown_format_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean `lua`"):
        exporter("lau")


@pytest.mark.parametrize(
    "to",
    [
        pytest.param(entry.name, marks=[pytest.mark.release] * (entry.name in ("c", "python")))
        for entry in EXPORTERS
    ],
)
def test_every_exporter_takes_deep_programs(to: str) -> None:
    tree = Tree(("neg",) * 9_999 + ("A",), tuple(range(10_000, 0, -1)))
    found = exporter(to)
    assert found.export(Subject(TreeProgram(("value",), (tree,))), found.default_mode)[0].text


# Python.


@settings(max_examples=15)
@given(programs())
def test_python_computes_the_program(program: TreeProgram) -> None:
    report = check_export(Subject(program), "python", "module", evaluations=10)
    assert report.is_equal, report


def test_python_operators_mean_what_formulas_mean() -> None:
    values = (0.0, -0.0, 1.0, -1.5, 2.5, 1e300, 5e-324, math.inf, -math.inf, math.nan)
    space: dict[str, Any] = {"__name__": "exported"}
    text = " + ".join(re.sub(r"\b[abxy]\b", "A", f"({each.usage})") for each in NOTATIONS)
    exec(python_text(Subject(parse(text).program)), space)  # noqa: S102 - what was just written
    for name, called in CALLS.items():
        meaning, arity = NOTATION[name].meaning, NOTATION[name].arity
        for operands in itertools.product(values, repeat=min(arity, 2)):
            operands = (*operands, 1.0, 2.0)[:arity]
            assert same_number(space[called](*operands), meaning(*operands))


@pytest.mark.parametrize("name", ["main", "def", "choose", "json", "float", "print"])
def test_sections_that_python_uses_itself(name: str) -> None:
    space: dict[str, Any] = {"__name__": "exported"}
    exec(python_text(Subject(parse(f"{name}: A {name}_: 2").program)), space)  # noqa: S102 - what was just written
    assert {each: part({"A": 3.0}, None) for each, part in space["SECTIONS"].items()} == {
        name: 3.0,
        f"{name}_": 2.0,
    }


def test_sections_that_python_cannot_have() -> None:
    program = parse("A").program
    with pytest.raises(UsageError, match="a Python file cannot have a formula named `a b`"):
        python_text(Subject(replace(program, names=("a b",))))


def test_python_header_stays_a_comment() -> None:
    text = python_text(Subject(parse("A").program, "x\ny", {"note": 'a\r\nimport os\x0c"""'}))
    assert text.split("\n\n")[0].splitlines() == [
        line for line in text.split("\n\n")[0].splitlines() if line.startswith("# ")
    ]


# JSON.


@given(programs())
def test_json_reads_back(program: TreeProgram) -> None:
    assert read_subject(json_text(Subject(program))).program == program


def test_json_has_the_limits_of_programs() -> None:
    with pytest.raises(GpkitError, match="not JSON"):
        read_subject("[" * 100_000)
    rule = {"nodes": [{"symbol": "x"}] * 101, "edges": [], "grounds": [0] * 101, "action": [0, "w", 0]}
    for field, value in (
        ("formulas", {"a": ["A"] * 100_001}),
        ("blocks", {"targeting": ["Nop"] * 11}),
        ("rules", [rule]),
    ):
        with pytest.raises(LimitError, match=r"at most|more than"):
            read_subject(json.dumps({"schema": "gpkit-program-1", field: value}))


def test_json_keeps_the_name_the_header_and_the_game(sample: Subject) -> None:
    assert read_subject(json_text(sample)) == sample


@st.composite
def headers(draw: st.DrawFn) -> dict[str, str]:
    """Headers of sinking programs: some of the switches, perhaps a preset, and words that mean nothing."""
    said = draw(dialects(BATTLESHIP, SWITCHES))
    chosen = draw(st.sets(st.sampled_from(sorted(said))))
    preset = draw(st.sampled_from([{}, *({"dialect": name} for name in PRESETS)]))
    return {"title": draw(st.text(max_size=5)), **preset, **{name: said[name] for name in sorted(chosen)}}


@settings(deadline=None)
@given(linear_programs(BATTLESHIP), headers(), st.sampled_from([BATTLESHIP, None]))
def test_json_of_instructions_reads_back(
    program: LinearProgram, header: dict[str, str], primitives: PrimitiveSet | None
) -> None:
    """The same subject, so also the same text of a file, and one that says every switch."""
    if primitives is None:
        header = {name: value for name, value in header.items() if name not in GAME_SWITCHES}
    subject = Subject(program, "some", header, primitives)
    text = json_text(subject)
    again = read_subject(text)
    assert again == subject
    assert parse_lines(print_lines(again.program, again.header)).program == program
    value = json.loads(text)
    bare = read_subject(json.dumps({**value, "header": {}}))
    assert dialect_of(bare.header, primitives) == value["dialect"] == dialect_of(header, primitives)


GAME_SWITCHES = [switch.name for switch in BATTLESHIP.switches]

BLOCKS = {"targeting": ["Target", "Shoot"]}


def test_json_of_instructions_is_for_people_too() -> None:
    text = json.dumps({"schema": "gpkit-program-1", "blocks": BLOCKS, "dialect": {"end": "next"}})
    subject = read_subject(text)
    assert subject.program == parse_lines("targeting:\n  Target\n  Shoot\n").program
    assert (subject.name, subject.header, subject.game) == ("program", {"end": "next"}, None)


def test_json_of_formulas_says_one_language_and_one_game(sample: Subject) -> None:
    value = json.loads(json_text(sample))
    with pytest.raises(UsageError, match="`formulas` is in the `language` `arithmetic`, not `sinking`"):
        read_subject(json.dumps({**value, "language": "sinking"}))
    assert read_subject(json.dumps({**value, "game": None})).game == "sevens"
    assert read_subject(json.dumps({**value, "game": "battleship"}), "sevens").game == "sevens"


# LaTeX.


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("env.rank * (A - 2.5)", r"\mathit{rank} \cdot \left(\mathit{A} - 2.5\right)"),
        ("A + -4.0", r"\mathit{A} - 4"),
        ("A - (B - C)", r"\mathit{A} - \left(\mathit{B} - \mathit{C}\right)"),
        ("(A + B) / (C * 2.0)", r"\frac{\mathit{A} + \mathit{B}}{\mathit{C} \cdot 2}"),
        ("-(A + B) * 1e-07", r"-\left(\mathit{A} + \mathit{B}\right) \cdot 1 \cdot 10^{-7}"),
        ("square(a_b - 1) * 2", r"\left(\mathit{a\_b} - 1\right)^{2} \cdot 2"),
        ("sqrt(abs(a_b))", r"\sqrt{\left|\mathit{a\_b}\right|}"),
        ("floor(math.random())", r"\left\lfloor \operatorname{random}()\right\rfloor "),
        ("min(A, -B)", r"\min\left(\mathit{A}, -\mathit{B}\right)"),
        (
            '"x^2" + "a~b" + "x < y"',
            r"\text{x\textasciicircum{}2} + \text{a\textasciitilde{}b} + \text{x \textless{} y}",
        ),
        (
            '"Größe" + "a  b" + "Δt" + "a--b"',
            r"\text{Größe} + \text{a \ b} + \text{$\Delta$t} + \text{a-{}-b}",
        ),
        ("A * -4.0", r"\mathit{A} \cdot (-4)"),
    ],
)
def test_latex(text: str, latex: str) -> None:
    assert latex_formula(parse(text).program.trees[0]) == latex


@given(trees())
def test_latex_fences_are_balanced(tree: Tree) -> None:
    text = latex_formula(tree)
    assert text.count(r"\left") - text.count(r"\left\lfloor") == text.count(r"\right") - text.count(
        r"\right\rfloor"
    )
    assert text.count("{") == text.count("}")
    assert text.count("(") == text.count(")")


def test_every_operator_has_latex() -> None:
    for operator in OPERATORS:
        children = tuple(leaf(f"x{k}") for k in range(operator.arity))
        symbols = (operator.name, *(c.symbols[0] for c in children))
        text = latex_formula(Tree(symbols, (1 + operator.arity, *[1] * operator.arity)))
        assert all(f"x{k}" in text for k in range(operator.arity))


# The file of conformance.


def test_conformance_can_be_played_by_anybody(sample: Subject) -> None:
    """From the lines alone: every evaluation, every decision and every game comes out the same."""
    head, *lines = map(json.loads, conformance_of(sample).text.splitlines())
    assert head["schema"] == "gpkit-conformance-1"
    assert head["semantics"] == "f64-v1"
    kinds = [line["kind"] for line in lines]
    assert kinds.count("evaluation") == 40
    assert kinds.count("game") == 10
    decisions = {}
    for line in lines:
        if line["kind"] == "evaluation":
            tree = sample.program.parts[line["section"]]
            assert evaluate(tree, line["sensors"], iter(line["random"]).__next__) == line["value"]
        elif line["kind"] == "decision":
            tree = sample.program.parts[line["section"]]
            values = [evaluate(tree, c["sensors"], iter(c["random"]).__next__) for c in line["candidates"]]
            assert values == [c["value"] for c in line["candidates"]]
            assert line["candidates"][values.index(max(values))]["action"] == line["action"]
            decisions[line["key"], line["state"]["actions"]] = line
        else:
            replay(line, decisions, SevensRules(**head["rules"]))


def replay(
    game: dict[str, object], decisions: dict[tuple[object, int], dict[str, object]], rules: SevensRules
) -> None:
    """Play a recorded game by the rules, with the recorded decisions."""
    state = deal(game["deck"], rules)  # type: ignore[arg-type]
    actions = []
    while not state.is_terminal:
        legal = state.legal_actions()
        if len(legal) > 1:
            line = decisions[game["key"], state.actions]
            seen = state.observation(state.current_player)
            assert line["state"]["hand"] == list(seen.hand)  # type: ignore[index]
            assert [c["action"] for c in line["candidates"]] == list(legal)  # type: ignore[attr-defined]
            values = {c["action"]: c["value"] for c in line["candidates"]}  # type: ignore[attr-defined]
            assert choose(state, lambda _, card, v=values: float(v[card])) == line["action"]  # type: ignore[misc]
        action = legal[0] if len(legal) == 1 else line["action"]
        actions.append(action)
        state = state.apply(action)  # type: ignore[arg-type]
    assert (actions, state.turn, list(state.returns())) == (game["actions"], game["turns"], game["returns"])


def test_numbers_that_json_lacks_are_strings() -> None:
    subject = Subject(parse("1e308 * 10.0 * A - 1e308 * 10.0 * A").program)
    lines = conformance_of(subject).text.splitlines()
    values = [json.loads(line, parse_constant=pytest.fail)["value"] for line in lines[1:]]
    assert set(values) == {"nan"}


def test_vectors_are_within_the_bounds_of_sensors(sample: Subject) -> None:
    vectors = make_vectors(sample, 50)
    assert len(vectors) == 100
    assert vectors == make_vectors(sample, 50)
    assert vectors[0] != make_vectors(Subject(sample.program, seed=2), 50)[0]
    for vector in vectors:
        for name, value in zip(vector.sensors, vector.values, strict=True):
            sensor = sample.primitives.sensor(name)  # type: ignore[union-attr]
            assert sensor.low <= value <= sensor.high  # type: ignore[union-attr]
            assert value.is_integer()
        tree = sample.program.parts[vector.section]
        assert evaluate_vector(tree, vector.sensors, vector.values, vector.random) == vector.result


def test_only_programs_with_every_decision_play(sevens: Callable[..., Subject]) -> None:
    assert plays(sevens("play: env.rank\nsend: env.rank"))
    assert not plays(sevens("play: env.rank"))
    assert not prove(sevens("play: env.rank")).transcripts
    assert not plays(Subject(parse("play: A\nsend: A").program))


@pytest.mark.parametrize(
    ("header", "left"),
    [
        ("// target: y\n// task: regression\n", "y"),
        ("// target: y\n// task: regression\n// loss: poisson\n", "value"),
        ("// target: y\n", "value"),
    ],
)
def test_latex_names_the_target_of_numbers(header: str, left: str) -> None:
    text = gpkit.parse(f"{header}2 * value").export("latex")
    assert rf"\mathit{{{left}}} &= 2 \cdot \mathit{{value}}" in text
