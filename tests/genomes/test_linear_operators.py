"""Operators on linear programs: valid children, parents untouched, same seed same child, rates as they should be.

Blocks of instructions as a value.
"""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import linear_programs

from gpkit.core.rng import stream
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import (
    EDITS,
    LinearDomain,
    LinearProgram,
    change,
    exchange_block,
    mutate_blocks,
    random_program,
    splice,
    swap_chunk,
)
from gpkit.genomes.program_operators import Child

DOMAIN = LinearDomain(PRIMITIVES.sections, PRIMITIVES.capacities, PRIMITIVES.alphabets[0].instructions)
PROGRAMS = linear_programs(PRIMITIVES, max_lines=20)
DRAWS = 4000

Operator = Callable[[np.random.Generator, LinearProgram, LinearProgram], Child[LinearProgram]]

OPERATORS: dict[str, Operator] = {
    "change": lambda rng, program, donor: change(rng, program, DOMAIN, 0.5),
    "mutate": lambda rng, program, donor: mutate_blocks(rng, program, DOMAIN, 0.5),
    "chunk": lambda rng, program, donor: swap_chunk(rng, program, donor, DOMAIN),
    "splice": lambda rng, program, donor: splice(rng, program, donor, DOMAIN),
    "block": lambda rng, program, donor: exchange_block(rng, program, donor),
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.release] * (name not in ("mutate", "splice")))
        for name in OPERATORS
    ],
)
@settings(max_examples=60, deadline=None)
@given(PROGRAMS, PROGRAMS, st.integers(0, 10**6))
def test_children_are_programs_and_depend_on_the_seed_alone(
    name: str, program: LinearProgram, donor: LinearProgram, seed: int
) -> None:
    before = program, donor
    child, places = OPERATORS[name](stream(seed, "test"), program, donor)
    assert (program, donor) == before
    assert OPERATORS[name](stream(seed, "test"), program, donor) == (child, places)
    assert child.names == program.names
    words = {*DOMAIN.words, *(w for each in before for block in each.blocks for w in block)}
    for block, capacity in zip(child.blocks, DOMAIN.capacities, strict=True):
        assert len(block) <= capacity
        assert set(block) <= words
    assert {name for name, _ in places} <= set(program.names)
    if child != program:
        assert places, "what was changed is told"


def program_of(*blocks: str) -> LinearProgram:
    return LinearProgram(DOMAIN.names, tuple(tuple(block.split()) for block in blocks))


PARENT = program_of("Target Shoot IfHit Jump", "MoveFwd Shoot OppDir", "LoadPos Nop SavePos Jump Jump")


def test_random_programs_have_every_length_and_word_equally_often() -> None:
    rng = stream(1, "random")
    programs = [random_program(rng, DOMAIN, 1, 4) for _ in range(DRAWS)]
    lengths = Counter(len(program.blocks[0]) for program in programs)
    assert set(lengths) == {1, 2, 3, 4}
    assert all(abs(count - DRAWS / 4) < 5 * (DRAWS * 3 / 16) ** 0.5 for count in lengths.values())
    words = Counter(word for program in programs for block in program.blocks for word in block)
    expected = sum(words.values()) / len(DOMAIN.words)
    assert all(abs(words[word] - expected) < 5 * expected**0.5 for word in DOMAIN.words)
    assert len(random_program(rng, DOMAIN, 20, 20)) == 50, "full blocks, as in the source"


def test_each_block_is_mutated_at_its_rate() -> None:
    rng = stream(2, "mutate")
    hit = Counter(name for _ in range(DRAWS) for name, _ in mutate_blocks(rng, PARENT, DOMAIN, 0.1).places)
    assert all(abs(hit[name] - DRAWS * 0.1) < 5 * (DRAWS * 0.09) ** 0.5 for name in DOMAIN.names)


def test_edits_follow_each_other_geometrically() -> None:
    rng = stream(3, "change")
    counts = Counter(len(change(rng, PARENT, DOMAIN, 0.4).places) for _ in range(DRAWS))
    for edits, share in ((1, 0.6), (2, 0.24), (3, 0.096)):
        assert abs(counts[edits] - DRAWS * share) < 5 * (DRAWS * share * (1 - share)) ** 0.5


def test_edits_do_what_their_names_say() -> None:
    rng = stream(4, "edits")
    size = {"replace": {0}, "insert": {1}, "delete": {-1}, "move": {0}, "copy": {1, 2, 3, 4, 5}, "swap": {0}}
    for name, (_, edit) in EDITS.items():
        grown = set()
        for _ in range(300):
            blocks, _ = edit(rng, PARENT.blocks, 1, DOMAIN)
            grown.add(sum(map(len, blocks)) - len(PARENT))
            if name == "move":
                assert sorted(blocks[1]) == sorted(PARENT.blocks[1])
            if name == "swap":
                assert sorted(blocks) == sorted(PARENT.blocks)
        assert grown == size[name], name


def test_a_chunk_takes_the_place_of_one_of_its_size() -> None:
    rng = stream(5, "chunk")
    donor = program_of("Nop " * 10, "Nop " * 20, "Nop " * 20)
    full = program_of("Shoot " * 10, "Shoot " * 20, "Shoot " * 20)
    sizes = Counter()
    for _ in range(DRAWS):
        child = swap_chunk(rng, full, donor, DOMAIN).genome
        assert len(child) == 50
        taken = [block.count("Nop") for block in child.blocks]
        assert sum(size > 0 for size in taken) == 1
        sizes[sum(taken)] += 1
    assert set(sizes) == set(range(1, 11)), "from 1 to half of the largest block"
    assert all(abs(count - DRAWS / 10) < 5 * (DRAWS * 0.09) ** 0.5 for count in sizes.values())


def test_a_block_comes_whole() -> None:
    donor = program_of("Nop", "Nop Nop", "")
    children = {exchange_block(stream(6, "block", k), PARENT, donor).genome.blocks for k in range(50)}
    a, b, c = PARENT.blocks
    x, y, z = donor.blocks
    assert children == {(x, b, c), (a, y, c), (a, b, z)}


PROGRAM = LinearProgram(("seek", "rest", "sink"), (("Look", "Go"), (), ("Go",)))


def test_lines_are_counted_and_placed_in_the_order_of_the_text() -> None:
    assert len(PROGRAM) == 3
    assert PROGRAM.places() == ((0, 0), (0, 1), (2, 0))
    assert [PROGRAM.word(place) for place in PROGRAM.places()] == ["Look", "Go", "Go"]
    assert (PROGRAM.word((0, 2)), PROGRAM.word((1, 0))) == ("", "")


def test_blocks_are_found_by_name() -> None:
    assert PROGRAM.block("seek") == ("Look", "Go")
    assert PROGRAM.block("rest") == ()
    with pytest.raises(KeyError, match="swim"):
        PROGRAM.block("swim")


def test_programs_are_values() -> None:
    same = LinearProgram(("seek", "rest", "sink"), (("Look", "Go"), (), ("Go",)))
    assert same == PROGRAM
    assert hash(same) == hash(PROGRAM)
    assert LinearProgram(("seek", "rest", "sink"), (("Look",), ("Go",), ("Go",))) != PROGRAM


def test_every_block_has_a_name() -> None:
    with pytest.raises(AssertionError):
        LinearProgram(("seek",), ((), ()))
