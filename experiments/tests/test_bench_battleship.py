"""Both sides of the Battleship benchmark play the same games."""

from gpkit.core.rng import stream
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.playing.players import program_of_name
from gpkit_experiments.bench.games import (
    BATTLESHIP,
    BOARD,
    random_program,
    readable_shots,
    shooter,
    shots,
    with_introns,
)


def test_introns_are_introns_and_sides_play_the_same_games() -> None:
    deals = BATTLESHIP.deal(stream(1, "test"), 4, BOARD)
    corrected = program_of_name("corrected", BATTLESHIP)
    padded = with_introns(corrected)
    assert len(padded) > len(corrected) + 10
    assert all(len(b) <= c for b, c in zip(padded.blocks, PRIMITIVES.capacities, strict=True))
    expected = readable_shots(corrected, deals)
    assert expected == shots(shooter(corrected), deals) == shots(shooter(padded), deals)
    assert expected == shots(shooter(padded, keep_introns=True), deals)


def test_random_programs_are_full() -> None:
    assert {len(random_program(number)) for number in range(5)} == {50}
    assert random_program(3) == random_program(3) != random_program(4)
