"""Functions that conditions of decision trees and plans call: one meaning everywhere, layout, findings and refusals."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import GpkitError
from gpkit.core.primitives import Sensor
from gpkit.core.registry import game_of, language_entry
from gpkit.core.rng import stream
from gpkit.export import c, json, python
from gpkit.export.lua import valued
from gpkit.export.subject import Subject
from gpkit.games.build_order.game import attack_of, follow_plan
from gpkit.games.build_order.kernel.things import ACTIONS
from gpkit.games.build_order.primitives import PLANS
from gpkit.games.build_order.rules import BuildOrderRules, BuildOrderState
from gpkit.genomes.comparisons import Feature
from gpkit.genomes.plan import MAIN, PlanProgram, random_sequence
from gpkit.genomes.tree import Computed, crossover
from gpkit.languages.decision.compiler import compile_tree, leaf_places
from gpkit.languages.decision.interpreter import evaluate, trace
from gpkit.languages.decision.simplify import simplify
from gpkit.languages.execution.compiler import compile_program
from gpkit.languages.execution.forms import lua as plan_lua
from gpkit.languages.execution.forms import python as plan_python
from gpkit.languages.execution.simplify import simplify as simplify_plan
from gpkit.vm.machine import run_readable
from gpkit.vm.program import verify
from tests.decision_trees import FEATURES, random_tree, seeded
from tests.generated_plans import DOMAIN
from tests.languages.execution.test_execution_language import BOUNDS, interpreted

TREES = """// game: sevens
worth(a, b): a * a - 2 * b
far(a): worth(a, -a)
play: test worth(env.block, env.safe - 1) <= 3  // a comment
  yes: switch far(env.dist)
    below 2: 1.0
    below 60: 4.0
    else: 3.0
  no: test max(env.dist, 1) > 2
    yes: 2.0
    no: 5.0
send: test env.dist < 3
  yes: 0.0
  no: 1.0
"""
PLAN = """// game: build_order
while short(env.larvae, 1) < 0 and max(env.larvae, env.drones) > 1 max 3
  do drone
end
decide short(env.larvae, env.drones / 2) < 0 or env.larvae > 2
  yes:
    use army
  no:
    do drone

short(a, b): a - 3 * b

plan army:
  wait short(env.larvae, 0) > 0 max 5
  do zerglings
"""
NAMES = {"decision": TREES, "execution": PLAN}
of_both = pytest.mark.parametrize("name", NAMES)

WILD = "wild(a): exp(a * 1000) - exp(a * 900)\nworth(a, b): a * a - 2 * b\n"
"""Functions, of which the first is NaN for most positive numbers."""


def computed(name: str, *calls: str) -> tuple[Computed, ...]:
    """The features that these calls compute."""
    first, *_, last = {"decision": ("test ", " <= 1 yes: 1 no: 2"), "execution": ("wait ", " > 1 max 1")}[
        name
    ]
    texts = (f"{first}{call}{last}\n{WILD}" for call in calls)
    programs = [language_entry(name).load().parse(text).program for text in texts]
    return tuple(each.computed[0] for p in programs for each in (p.trees if name == "decision" else (p,)))


@of_both
def test_text_layout_json_and_pickles_give_the_program_back(name: str) -> None:
    language = language_entry(name).load()
    source = language.parse(NAMES[name])
    assert language.format_source(source) == NAMES[name]
    crowded = language.parse(NAMES[name].replace("worth(a, b):", "worth( a,b ) :").replace(" / 2", "/2"))
    assert language.format_source(crowded) == NAMES[name]
    printed = language.print_program(source.program, source.header)
    assert language.format_source(language.parse(printed)) == printed
    subject = Subject(source.program, "p", {}, None)
    for again in (
        language.parse(printed).program,
        json.read_subject(json.json_text(subject)).program,
        pickle.loads(pickle.dumps(source.program)),  # noqa: S301
    ):
        assert (again, again.functions) == (source.program, source.program.functions)


MISTAKES = [
    ("f(env.dist) <= 3", "f(a): g(a)\ng(a): f(a)", "E018"),
    ("f(env.dist, 1) <= 3", "f(a): a", "E007"),
    ("g(env.dist) <= 3", "f(a): a", "E006"),
    ("f <= f(env.dist)", "f(a): a", ""),
    ("f(math.random()) <= 3", "f(a): a", "E010"),
    ("f(env.dist) <= 3", "f(a): a + env.dist", "E010"),
    ("f(env.dist) <= 3", "f(max): max", "E017"),
    ("f(env.dist) <= 3", "f(a): a\nf(a): a", ""),
    ("f(env.dist) <= 3", "f(a):", ""),
]


@of_both
@pytest.mark.parametrize(("test", "functions", "code"), MISTAKES)
def test_mistakes_are_refused(name: str, test: str, functions: str, code: str) -> None:
    text = {"decision": f"test {test} yes: 1 no: 2\n", "execution": f"wait {test} max 3\n"}[name]
    with pytest.raises(GpkitError, match=rf"\[{code or 'E'}"):
        language_entry(name).load().parse(text + functions)


@of_both
def test_functions_alone_are_no_program(name: str) -> None:
    with pytest.raises(GpkitError, match=r"there is no (tree|step)"):
        language_entry(name).load().parse("f(a): a")


@of_both
def test_findings(name: str) -> None:
    language, offers = (
        language_entry(name).load(),
        game_of({"decision": "sevens"}.get(name, "build_order")).offers,
    )
    assert not language.check(language.parse(NAMES[name]), offers)
    sensor = {"decision": "env.dist", "execution": "env.larvae"}[name]
    more = "\nunused(a): a\nunread(a): 1\n"
    text = NAMES[name].replace(f"({sensor}", "(env.nothing").rstrip() + more
    found = {each.code for each in language.check(language.parse(text), offers)}
    assert found >= {"W038", "W039", {"decision": "E360", "execution": "E320"}[name]}


@pytest.mark.parametrize("count", [15, pytest.param(600, marks=pytest.mark.release)])
def test_machine_rows_interpreter_and_simplified_tree_agree(count: int) -> None:
    calls = (
        "wild(env.dist)",
        "worth(env.depth, env.safe / 2)",
        "max(worth(env.hand, 1), 2 + 1)",
        "worth(1, 2)",
    )
    features, rng = (*FEATURES, *computed("decision", *calls)), seeded(59)
    values = (0.0, 1.0, 3.0, -2.5, math.inf, -math.inf, math.nan)
    undefined = 0
    for _ in range(count):
        tree = random_tree(rng, features=features)
        code, shorter = compile_tree(tree, FEATURES), simplify(tree)
        verify(code)
        columns = np.array([[rng.choice(values) for _ in range(3)] for _ in FEATURES])
        places = leaf_places(tree, FEATURES, columns) if not tree.draws else ()
        for row, column in enumerate(columns.T):
            env = dict(zip(FEATURES, column.tolist(), strict=True))
            numbers = [rng.random() for _ in range(tree.draws)]
            visits = trace(tree, env, iter(numbers).__next__)
            value = evaluate(tree, env, iter(numbers).__next__)
            undefined += any(
                math.isnan(each.seen)
                for each in visits
                if isinstance(getattr(each.node, "feature", 0), Computed)
            )
            memory = code.memory.copy()
            memory[: len(code.inputs)] = [*env.values(), *numbers]
            assert run_readable(code.code, memory, 0, len(code.code))[0] == 0
            assert float(memory[code.result]) == value
            if all(map(math.isfinite, env.values())):
                assert evaluate(shorter, env, iter(numbers).__next__) == value
            if not tree.draws:
                assert places[row] == visits[-1].position
    assert undefined


@pytest.mark.parametrize("count", [3, pytest.param(60, marks=pytest.mark.release)])
def test_machine_and_interpreter_run_a_plan_alike_and_simplified(count: int) -> None:
    features = computed(
        "execution", "wild(env.larvae - 2)", "worth(env.larvae, env.drones)", "max(env.minerals, 60 + 1)"
    )
    cuts = (-3.0, 0.5, 2.0, 61.0)
    domain = replace(DOMAIN, features=tuple(Feature(each, cuts) for each in features), chances=0.0)
    rules = BuildOrderRules.from_options({"horizon": "40"})
    for seed in range(count):
        program = PlanProgram((MAIN,), (random_sequence(stream(seed, "plan"), domain, 3, full=True),))
        wanted = interpreted(program, rules, seed)
        for each in (program, simplify_plan(program, BOUNDS)):
            compiled = compile_program(each, PLANS)
            verify(compiled)
            followed = follow_plan(compiled, BuildOrderState.begin(attack_of(seed, rules), rules), seed)
            found = [(state.tick, ACTIONS[action]) for state, action in followed]
            assert found[: len(wanted)] == wanted


@pytest.mark.parametrize(
    ("name", "exporting", "mode"),
    [
        ("decision", python.EXPORTING, ""),
        ("execution", plan_python.EXPORTING, ""),
        pytest.param("decision", c.EXPORTING, "", marks=pytest.mark.release),
        pytest.param("decision", valued.EXPORTING, "module", marks=pytest.mark.release),
        pytest.param("execution", plan_lua.EXPORTING, "", marks=pytest.mark.release),
    ],
)
def test_exports_are_the_interpreter(name: str, exporting, mode: str) -> None:  # type: ignore[no-untyped-def]
    report = exporting.check(
        Subject(language_entry(name).load().parse(NAMES[name]).program, "p", {}, None), mode, 300, 0
    )
    assert [row for row in report.rows if row.failures] == []


@of_both
def test_pictures_traces_and_latex_show_calls_and_functions(name: str) -> None:
    program = gpkit.parse(NAMES[name], language=name)
    shown, head = str(program.draw()), {"decision": "worth(a, b)", "execution": "short(a, b)"}[name]
    assert f"\n{head}\na * a - 2.0 * b" in shown or f"\n{head}\na - 3.0 * b" in shown
    call = {"decision": "worth(env.block, env.safe - 1.0) <= 3.0", "execution": "short(env.larvae, 1.0) < 0"}[
        name
    ]
    assert call in shown
    assert head.partition("(")[0] in program.export("latex")
    if name == "execution":
        assert call in str(gpkit.trace(program, game="build_order", seed=1))


def test_sympy_writes_calls_out() -> None:
    sympy = pytest.importorskip("sympy", reason="the extra `data` is not installed")
    program = gpkit.parse("test f(x, 1) <= 3\n  yes: 1\n  no: 2\nf(a, b): a - b", language="decision")
    called = sympy.lambdify(sympy.Symbol("x"), program.to_sympy())
    assert [called(value) for value in (3.0, 4.5)] == [1.0, 2.0]


def test_children_of_programs_with_functions_are_programs() -> None:
    known = language_entry("decision").load()
    space_of = known.evolution()
    first = known.parse(TREES).program
    other = known.parse(TREES.replace("a * a", "a + a")).program
    sensors = tuple(Sensor(name, "", -9.0, 9.0, integer=False) for tree in first.trees for name in tree.reads)
    domain = space_of.DecisionDomain(())
    space = space_of.DecisionRepresentation(domain, first.names, sensors=sensors)
    assert space.admits(first)
    for seed in range(30):
        part, _ = crossover(stream(seed, "cross"), first.trees[0], other.trees[0])
        child = replace(first, trees=(part, first.trees[1]), defined=())
        if space.admits(child):
            assert known.parse(space.print(child)).program == child
