"""Games of Battleship a second on one core, by compiled programs and by interpreted ones, with introns and without."""

from collections.abc import Sequence

import numpy as np

from gpkit.core.registry import game_of
from gpkit.core.rng import below, stream
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.games.battleship.fleets import Deals
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.compiler import compile_program
from gpkit.languages.sinking.forms.playing import turns
from gpkit.languages.sinking.words import dialect_of
from gpkit.playing.players import player_of_name, program_of_name
from gpkit.vm.program import verify
from gpkit_experiments.bench.measure import Outcome, Session, Target, Work, interleaved, measured, ratios

GAME: Game = game_of("battleship")

DIALECT = dialect_of({}, PRIMITIVES)

RULES = Rules()

GAMES_A_SECOND = Target("at least", aim=100_000.0)
OVER_PYTHON = Target("at least", aim=45.0)


def measure(session: Session) -> Outcome:
    """Time games of the corrected Figure 8, plain and padded with lines that have no effect, and of random programs."""
    rounds, many, few, programs = (3, 2_000, 2, 10) if session.quick else (9, 20_000, 10, 200)
    session.watch(
        f"battleship: {rounds} times 3 x {many:,} games in the kernel, and {few} by the readable rules"
    )
    corrected = program_of_name("corrected", GAME)
    padded = with_introns(corrected)
    deals = GAME.deal(stream(0, "bench boards"), many, RULES)
    plain, kept = player(corrected), player(padded, keep_introns=True)
    removed = player(padded)
    assert np.array_equal(shots(plain, deals[:100]), shots(removed, deals[:100])), "introns do not matter"
    assert np.array_equal(shots(plain, deals[:few]), readable_shots(corrected, deals[:few])), "same games"
    random = [random_program(number) for number in range(programs)]
    players = [player(program) for program in random]
    board = deals[:1]
    told = [readable_shots(program, board)[0] for program in random[:5]]
    assert [shots(each, board)[0] for each in players[:5]] == told, "same games"

    def of(player: Player) -> Work:
        return lambda _: float(len(shots(player, deals)))

    def readable(number: int) -> float:
        return float(len(readable_shots(corrected, deals[number * few : (number + 1) * few])))

    def machine(_: int) -> float:
        return float(len([shots(each, board) for each in players]))

    def interpreter(number: int) -> float:
        some = random[number % programs :: max(1, programs // 5)]
        return float(len([readable_shots(each, board) for each in some]))

    works: list[Work] = [of(plain), of(removed), of(kept), readable, machine, interpreter]
    fast, without, with_them, slow, compiled, interpreted = interleaved(works, rounds, session.clock)
    return Outcome(
        f"solitaire on uniform boards by the corrected Figure 8; padded is the same with {len(padded)} lines; random "
        f"programs have 50 lines and play one game each; {rounds} rounds",
        (
            measured("kernel", "the kernel", "games/s", [1.0 / t.each for t in fast], GAMES_A_SECOND),
            measured(
                "without_introns", "padded, introns removed", "games/s", [1.0 / t.each for t in without]
            ),
            measured("with_introns", "padded, introns kept", "games/s", [1.0 / t.each for t in with_them]),
            measured("removal", "padded, removed / kept", "times", ratios(with_them, without)),
            measured(
                "readable", "the readable rules and interpreter", "games/s", [1.0 / t.each for t in slow]
            ),
            measured("kernel_over_readable", "the kernel / the readable rules", "times", ratios(slow, fast)),
            measured(
                "programs", "random programs in the machine", "programs/s", [1.0 / t.each for t in compiled]
            ),
            measured(
                "programs_over_python",
                "random programs, machine / plain Python",
                "times",
                ratios(interpreted, compiled),
                OVER_PYTHON,
            ),
        ),
    )


def player(program: LinearProgram, *, keep_introns: bool = False) -> Player:
    """The compiled player of a program."""
    compiled = compile_program(program, DIALECT, PRIMITIVES, keep_introns=keep_introns)
    verify(compiled)
    return Player("program", (compiled,), program=program, header=DIALECT)


def shots(player: Player, deals: Deals) -> Sequence[float]:
    """The shots of every game, in the kernel."""
    scores = GAME.play([player, player_of_name("uniform", GAME)], deals, RULES)
    return [float(value) for value in scores.values[:, 0]]


def readable_shots(program: LinearProgram, deals: Deals) -> Sequence[float]:
    """The shots of every game, by the readable rules and the interpreter."""
    shooter, found = player(program), []
    for k in range(len(deals)):
        deal = deals[k : k + 1]
        state = GAME.begin([shooter, Player("uniform")], deal, RULES)
        shoot = turns(shooter, PRIMITIVES, state.board, deal.key(0))
        while not state.is_terminal:
            state = shoot(state)[-1].after
        found.append(state.returns()[0])
    return found


def with_introns(program: LinearProgram) -> LinearProgram:
    """The program with a ``Nop`` before every line that no condition decides about, as far as the blocks hold them."""
    blocks = []
    for block, capacity in zip(program.blocks, PRIMITIVES.capacities, strict=True):
        lines: list[str] = []
        for k, word in enumerate(block):
            guarded = k > 0 and block[k - 1].startswith("If")
            room = capacity - len(lines) - (len(block) - k)
            lines += [word] if guarded or room < 1 else ["Nop", word]
        blocks.append(tuple(lines))
    return LinearProgram(program.names, tuple(blocks))


def random_program(number: int) -> LinearProgram:
    """Full blocks of random instructions of the source's alphabet."""
    rng = stream(number, "bench program")
    words = PRIMITIVES.alphabets[0].instructions
    blocks = tuple(
        tuple(words[below(rng, len(words))] for _ in range(capacity)) for capacity in PRIMITIVES.capacities
    )
    return LinearProgram(PRIMITIVES.sections, blocks)
