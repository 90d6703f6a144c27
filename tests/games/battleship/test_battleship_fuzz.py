"""Any program that text can express runs within its budget: random programs, checked after every game."""

import numpy as np
import pytest

from gpkit.core.rng import below, stream
from gpkit.games.battleship.arena import constants_of
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.kernel.games import GameScratch, play_deals
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import BattleshipRules
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.compiler import compile_program
from gpkit.languages.sinking.text import switches
from gpkit.vm.program import link, verify


def random_program(rng: np.random.Generator) -> LinearProgram:
    """Blocks of up to their capacity, of all words of the larger alphabet."""
    words = PRIMITIVES.alphabets[1].instructions
    return LinearProgram(
        PRIMITIVES.sections,
        tuple(
            tuple(words[below(rng, len(words))] for _ in range(below(rng, capacity + 1)))
            for capacity in PRIMITIVES.capacities
        ),
    )


def fuzz(programs: int) -> tuple[int, int]:
    """Play a game with each of so many programs; the numbers of those that finished and that ran out of steps."""
    rules = BattleshipRules()
    counters = np.zeros((2, at.COUNTERS), dtype=np.int64)
    boards = np.zeros((2, at.BOARDS, rules.squares), dtype=np.int16)
    placements = np.zeros(len(rules.fleet), dtype=np.int64)
    weights, values = np.zeros((2, 2 * len(rules.fleet), rules.squares)), np.zeros(rules.squares)
    scratch = GameScratch(counters, boards, placements, weights, values)
    memory = np.zeros((1, 1, 2, at.WEIGHTS + 2 * len(rules.fleet), 0))
    log = np.zeros((0, at.LOG_SIZE), dtype=np.int64)
    scores = np.zeros((1, 1, at.SCORES))
    questions = switches(PRIMITIVES)
    ended = [0, 0]
    for number in range(programs):
        rng = stream(11, "fuzz", number)
        dialect = {q.name: q.values[below(rng, len(q.values))] for q in questions}
        program = compile_program(random_program(rng), dialect, PRIMITIVES)
        verify(program)
        deals = GAME.deal(rng, 1, rules)
        vector, agents = constants_of((dialect["target"],), ("uniform",) * 2, (False,) * 2, rules)
        code, registers, entries = link([program, program])
        starts = np.array(entries, dtype=np.int64)
        agents = agents._replace(entries=starts, code=code, memory=registers)
        stalled, invalid, _ = play_deals(deals.keys, vector, agents, None, scratch, log, memory, scores)
        turns, known, ships = int(counters[0, at.TURNS]), boards[0, at.KNOWN], boards[0, at.SHIP]
        shot = known != at.UNSHOT
        assert turns <= rules.cap
        assert np.array_equal(known[shot] == at.MISS, ships[shot] == at.NO_SHIP)
        assert counters[0, at.HITS] == np.count_nonzero(ships[shot] != at.NO_SHIP)
        if dialect["off-board"] == "free" and dialect["known"] != "turn":
            assert turns == np.count_nonzero(shot), "a turn is a square that had not been shot"
        finished = counters[0, at.HITS] == sum(rules.fleet)
        assert (stalled, invalid, finished).count(True) == 1
        assert scores[0, 0, at.SCORE] == (turns if finished else rules.cap)
        ended[0] += bool(finished)
        ended[1] += int(invalid)
    return ended[0], ended[1]


def test_a_thousand_random_programs() -> None:
    finished, invalid = fuzz(1_000)
    assert finished > 10
    assert invalid > 10


@pytest.mark.slow
def test_a_million_random_programs() -> None:
    finished, invalid = fuzz(1_000_000)
    assert finished > 10_000
    assert invalid > 10_000
