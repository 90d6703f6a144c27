"""Interpreter and machine take the same steps, and lines that have no effect are not missed."""

from itertools import islice, pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from scripted_host import ScriptedHost, run_machine
from strategies import dialects, linear_programs

from gpkit.core.primitives import Switch
from gpkit.core.registry import data_folder
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.compiler import compile_program
from gpkit.languages.sinking.interpreter import Flow, interpret
from gpkit.languages.sinking.text import BLOCKS, SWITCHES, dialect_of, parse, vocabulary
from gpkit.vm import isa
from gpkit.vm.program import verify

STEPS = 300
FOREVER = 10**9

CORRECTED = parse(
    (data_folder("programs") / "battleship" / "corrected.sink").read_text(encoding="utf-8")
).program
BRIDON = dialect_of({}, PRIMITIVES)

Dialect = dict[str, str]


def scripts() -> SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 255), min_size=1, max_size=40)


def assert_same_steps(
    program: LinearProgram, dialect: Dialect, script: list[int], *, keep_introns: bool
) -> None:
    code = compile_program(program, dialect, PRIMITIVES, keep_introns=keep_introns)
    verify(code)
    places = Flow(program, dialect, PRIMITIVES).rows(keep_introns=keep_introns)
    assert len(places) == len(code.code)
    interpreted = interpret(
        program, dialect, PRIMITIVES, ScriptedHost(script), keep_introns=keep_introns, budget=FOREVER
    )
    executed = run_machine(code, places, PRIMITIVES, ScriptedHost(script))
    for step, (place, slots, ends_turn) in zip(
        islice(interpreted, STEPS), islice(executed, STEPS), strict=True
    ):
        assert (step.place, step.registers.slots(), step.ends_turn) == (place, slots, ends_turn)


@pytest.mark.parametrize(
    ("switch", "value", "keep_introns"),
    [
        pytest.param(
            switch,
            value,
            kept,
            id=f"switch{number}-{value}-{'kept' if kept else 'skipped'}",
            marks=[pytest.mark.release] * (kept != number % 2),
        )
        for number, (switch, value) in enumerate((s, v) for s in SWITCHES for v in s.values)
        for kept in (False, True)
    ],
)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), program=linear_programs(PRIMITIVES), script=scripts())
def test_interpreter_is_machine_in_every_dialect(
    switch: Switch,
    value: str,
    keep_introns: bool,
    data: st.DataObject,
    program: LinearProgram,
    script: list[int],
) -> None:
    dialect = data.draw(dialects(PRIMITIVES, SWITCHES)) | {switch.name: value}
    assert_same_steps(program, dialect, script, keep_introns=keep_introns)


@given(dialect=dialects(PRIMITIVES, SWITCHES), script=scripts())
@settings(max_examples=50, deadline=None)
def test_interpreter_is_machine_on_a_program_that_plays(dialect: Dialect, script: list[int]) -> None:
    assert_same_steps(CORRECTED, dialect, script, keep_introns=False)


def actions(
    program: LinearProgram, dialect: Dialect, script: list[int], *, keep_introns: bool
) -> list[tuple[str, tuple[int, int], str, bool]]:
    """The shots and drawn directions of the first steps; a shot also with the direction only if it was drawn."""
    host = ScriptedHost(script)
    steps = interpret(program, dialect, PRIMITIVES, host, keep_introns=keep_introns, budget=FOREVER)
    for _ in islice(steps, STEPS):
        pass
    return [
        (word, at if word == "Shoot" else (0, 0), "" if word == "Shoot" else to, ends)
        for word, at, to, ends in host.actions
    ]


def assert_introns_do_not_matter(program: LinearProgram, dialect: Dialect, script: list[int]) -> None:
    without = actions(program, dialect, script, keep_introns=False)
    kept = actions(program, dialect, script, keep_introns=True)
    assert without[: len(kept)] == kept, "fewer steps for the same actions"


@given(linear_programs(PRIMITIVES), dialects(PRIMITIVES, SWITCHES), scripts())
@settings(deadline=None)
@example(CORRECTED, BRIDON, [1, 2, 3])
def test_introns_do_not_matter(program: LinearProgram, dialect: Dialect, script: list[int]) -> None:
    assert_introns_do_not_matter(program, dialect, script)


@pytest.mark.slow
@given(linear_programs(PRIMITIVES, max_lines=20), dialects(PRIMITIVES, SWITCHES), scripts())
@settings(max_examples=20_000, deadline=None)
def test_introns_do_not_matter_at_length(program: LinearProgram, dialect: Dialect, script: list[int]) -> None:
    assert_introns_do_not_matter(program, dialect, script)
    assert_same_steps(program, dialect, script, keep_introns=False)


@given(linear_programs(PRIMITIVES), dialects(PRIMITIVES, SWITCHES))
def test_one_row_for_each_line_that_matters_and_each_end(program: LinearProgram, dialect: Dialect) -> None:
    skipped = Flow(program, dialect, PRIMITIVES).introns
    ends = [(b, len(block)) for b, block in enumerate(program.blocks)]
    places = sorted([*(place for place in program.places() if place not in skipped), *ends])
    assert list(Flow(program, dialect, PRIMITIVES).rows()) == places
    code = compile_program(program, dialect, PRIMITIVES).code
    assert len(code) == len(places)
    assert all(code[places.index(end), 0] == isa.JUMP for end in ends)


def test_every_line_of_the_corrected_figure_matters() -> None:
    assert Flow(CORRECTED, BRIDON, PRIMITIVES).introns == frozenset()


def test_every_word_is_compiled() -> None:
    for word in vocabulary(PRIMITIVES):
        program = LinearProgram(BLOCKS, ((word, "Shoot"), (), ()))
        code = compile_program(program, BRIDON, PRIMITIVES, keep_introns=True)
        verify(code)
        named = code.instruction(int(code.code[0, 0]))
        assert named is not None
        assert (named.name == word) == (named.opcode >= isa.HOST)


def test_an_unknown_word_is_refused() -> None:
    program = LinearProgram(BLOCKS, (("Fly",), (), ()))
    with pytest.raises(KeyError, match="Fly"):
        compile_program(program, BRIDON, PRIMITIVES)
    with pytest.raises(KeyError, match="Fly"):
        next(interpret(program, BRIDON, PRIMITIVES, ScriptedHost([1]), keep_introns=True))


def test_the_budget_counts_from_the_last_shot_that_cost_a_turn() -> None:
    program = LinearProgram(BLOCKS, (("Target", "Shoot", "IfTrue", "Shoot", "SetTrue"), (), ()))
    steps = list(islice(interpret(program, BRIDON, PRIMITIVES, ScriptedHost([0, 5])), 40))
    for before, after in pairwise(steps):
        assert after.count == (1 if before.ends_turn else before.count + 1)
    never = LinearProgram(BLOCKS, (("RandDir",), (), ()))
    assert len(list(interpret(never, BRIDON, PRIMITIVES, ScriptedHost([1])))) == 1000
    assert len(list(interpret(never, BRIDON, PRIMITIVES, ScriptedHost([1]), budget=7))) == 7
