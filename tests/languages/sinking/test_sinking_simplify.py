"""Simplified programs: they play the same games, and lines that nobody needs go."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import dialects, linear_programs

from gpkit.core.rng import stream
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.compiler import simplify
from gpkit.languages.sinking.introns import introns
from gpkit.languages.sinking.parser import parse
from gpkit.languages.sinking.words import SWITCHES, dialect_of
from gpkit.playing.players import player_of_name, player_of_program


@settings(max_examples=60, deadline=None)
@given(linear_programs(PRIMITIVES), dialects(PRIMITIVES, SWITCHES), st.integers(0, 10**6))
def test_a_simplified_program_plays_the_same(
    program: LinearProgram, dialect: dict[str, str], seed: int
) -> None:
    shorter = simplify(program, dialect, PRIMITIVES)
    assert len(shorter) <= len(program)
    rules = GAME.make_rules({"board": "5x5", "fleet": "3,2"})
    deals = GAME.deal(stream(seed, "introns"), 3, rules)
    other = player_of_name("uniform", GAME)
    played = [
        GAME.play([player_of_program(each, GAME, "program", dialect), other], deals, rules)
        for each in (program, shorter)
    ]
    assert np.array_equal(played[0].values, played[1].values)
    assert played[0].invalid == played[1].invalid


def test_lines_that_nobody_needs_go() -> None:
    dialect = dialect_of({}, PRIMITIVES)
    padded = parse(
        "targeting:\n  SetFalse\n  Nop\n  Target\n  VertDir\n  Shoot\n  IfTrue\n  Nop\n  Nop\n"
    ).program
    assert introns(padded, dialect, PRIMITIVES)
    assert simplify(padded, dialect, PRIMITIVES).blocks[0] == ("Target", "VertDir", "Shoot"), "VertDir draws"
