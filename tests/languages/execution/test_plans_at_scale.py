"""Plans in hundreds of thousands: texts, layout, and the machine."""

import re

import pytest
from generated_plans import program_of

from gpkit.core.rng import below, stream
from gpkit.export.subject import Subject
from gpkit.games.build_order.primitives import PLANS
from gpkit.genomes.plan import Chance, Decide, Merge, PlanProgram, downward_places, kept, leaves, steps
from gpkit.languages.execution.compiler import compile_program
from gpkit.languages.execution.forms.exchanges import TICK, PlanRun, random_runs
from gpkit.languages.execution.text import format_source, parse, print_program
from gpkit.vm.isa import HALT, HOST
from gpkit.vm.keyed import CHANCES, KeyedDraws
from gpkit.vm.machine import run_readable

SOME, MANY = 20, 10_000


def asked(program: PlanProgram, run: PlanRun) -> list[str]:
    """Words that the machine asks for on the sensors of a run."""
    compiled = compile_program(program, PLANS)
    memory, place, words = compiled.memory.copy(), 0, []
    draws = KeyedDraws(run.key, CHANCES)
    names = [*(action.name for action in PLANS.instructions), TICK]
    for row in run.values:
        for name, value in zip(run.features, row, strict=True):
            memory[PLANS.sensor_names.index(name)] = value
        while True:
            opcode, stopped, _ = run_readable(compiled.code, memory, place, 200_000)
            place = stopped if opcode == HALT else stopped + 1
            if opcode != HOST + len(names):
                break
            memory[int(compiled.code[stopped, 1])] = draws.random()
        words.append("" if opcode == HALT else names[opcode - HOST])
    return words


def look_at(seed: int) -> None:
    """Read, print, lay out and run one generated plan."""
    program, rng = program_of(seed), stream(seed, "comments")
    text = print_program(program, {"game": "build_order"})
    source = parse(text)
    assert source.program == program
    assert format_source(source) == text
    words = re.findall(r"plan \w+:|\S+", print_program(program))
    for number in range(4):
        words.insert(below(rng, len(words) + 1), f"// note {number}\n")
    laid = format_source(parse(" ".join(words)))
    assert parse(laid).program == program
    assert re.findall(r"note \d", laid) == re.findall(r"note \d", " ".join(words))
    assert format_source(parse(laid)) == laid
    look_upwards(program)
    (run,) = random_runs(Subject(program, "plan", {}, PLANS, seed=seed), 1)
    assert asked(program, run) == list(run.words)


def look_upwards(program: PlanProgram) -> None:
    """Read, print and lay out its parts as branches that meet; from each leaf they are a plan without any."""
    ways = [kept(plan, lambda step: not isinstance(step, Decide | Chance)) for plan in program.plans]
    inner = Merge(("b", "c"), (ways[1], ways[2]))
    up = PlanProgram(
        program.names, ((*ways[0], Merge(("a", "d"), (ways[0], (*ways[2], inner)))), *ways[1:]), True
    )
    text = print_program(up)
    assert parse(text).program == up
    assert format_source(parse(text)) == text
    assert leaves(up) == ("a", "b", "c")
    for leaf, parts in (("a", (0, 0)), ("b", (0, 2, 1)), ("c", (0, 2, 2))):
        down, places = downward_places(up, leaf)
        assert len(down.plans[0]) == sum(len(ways[number]) for number in parts)
        originals = list(steps(up.plans[0]))
        pairs = zip(steps(down.plans[0]), places[0], strict=True)
        assert all(type(step) is type(originals[number]) for step, number in pairs)


def test_some_plans() -> None:
    for seed in range(SOME):
        look_at(seed)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_a_hundred_thousand_plans(part: int) -> None:
    for seed in range(MANY * part, MANY * (part + 1)):
        look_at(seed)
