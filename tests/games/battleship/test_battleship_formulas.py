"""Formulas as shooters: sensors, shots and scores of the kernel are those of the readable rules and the interpreter."""

from collections.abc import Callable

import pytest
from battleship_table import RULES
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st
from strategies import trees

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.games.battleship.arena import log_game
from gpkit.games.battleship.board import square_name
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.primitives import FORMULAS
from gpkit.games.battleship.rules import BattleshipRules, Board
from gpkit.games.battleship.sensors import sense
from gpkit.games.battleship.state import BattleshipState
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.decisions import decide
from gpkit.playing.players import player_of_name, player_of_program
from gpkit.playing.trace import trace_game

DENSE = parse("shoot: env.cover + 40 * (env.cover1 + 30 * (env.cover2 + env.cover3))").program

BELIEFS = ("env.chance", "env.sinks", "env.follow", "env.fleets")


def played(
    programs: list[TreeProgram], keys: list[int], state: BattleshipState
) -> tuple[list[tuple[int, int]], BattleshipState]:
    """Who shot where, in the readable rules, and the end of the game."""
    shots = []
    while not state.is_terminal:
        player = state.current_player
        square = decide(state, programs[player], {}.get, keys[player]).action
        shots.append((player, square))
        state = state.apply(square)
    return shots, state


def check_alike(rules: BattleshipRules, formulas: list[Tree], seed: int) -> None:
    """One game, played both ways."""
    deals = GAME.deal(stream(seed, "test"), 1, rules)
    programs = [TreeProgram(("shoot",), (tree,)) for tree in formulas]
    agents = [player_of_program(program, GAME, "formula") for program in programs]
    if not rules.is_duel:
        agents[1] = player_of_name("uniform", GAME)
    try:
        state = GAME.begin(agents, deals, rules)
    except UsageError:  # no room for this fleet
        reject()
    shots, end = played(programs, deals.keys[0, :, at.SHOT_KEY].tolist(), state)
    _, log = log_game(agents, deals, rules)
    assert [(row[at.LOG_SEAT], row[at.LOG_SQUARE]) for row in log.tolist()] == shots
    assert GAME.play(agents, deals, rules).values[0, 0] == end.returns()[0]


@settings(max_examples=10, deadline=None)
@example(BattleshipRules(), [parse(f"shoot: {name}").program.trees[0] for name in BELIEFS[:2]], 1)
@example(
    BattleshipRules(mode="duel", width=7, height=6, fleet=(4, 3, 3, 1), touch=False, announce="sunk"),
    [parse(f"shoot: {name}").program.trees[0] for name in BELIEFS[2:]],
    2,
)
@given(
    RULES, st.lists(trees(FORMULAS.sensor_names, max_leaves=8), min_size=2, max_size=2), st.integers(0, 2**32)
)
def test_kernel_and_readable_games_agree_shot_by_shot(
    rules: BattleshipRules, formulas: list[Tree], seed: int
) -> None:
    check_alike(rules, formulas, seed)


@pytest.mark.release
@settings(max_examples=60, deadline=None)
@given(
    RULES, st.lists(trees(FORMULAS.sensor_names, max_leaves=8), min_size=2, max_size=2), st.integers(0, 2**32)
)
def test_kernel_and_readable_games_agree_in_more_games(
    rules: BattleshipRules, formulas: list[Tree], seed: int
) -> None:
    check_alike(rules, formulas, seed)


def test_a_formula_and_instructions_meet_in_a_duel() -> None:
    rules = GAME.make_rules({"mode": "duel"})
    dense, hunt = player_of_program(DENSE, GAME, "dense"), player_of_name("hunt", GAME)
    deals = GAME.deal(stream(5, "duel"), 200, rules)
    first, second = (GAME.play(pair, deals, rules).values for pair in ([dense, hunt], [hunt, dense]))
    assert first.mean() > 0.6
    assert (first + second[:, ::-1] == 1.0).all()


@pytest.fixture
def board() -> Callable[[str, dict[str, str]], Board]:
    """The 4x4 board of a picture: ``.`` unshot, ``o`` a miss, ``x`` an open hit; ships 3 and 2 that touch."""

    def make(picture: str, options: dict[str, str]) -> Board:
        rules = GAME.make_rules({"board": "4x4", "fleet": "3,2", **options})
        state = BattleshipState.begin(
            ((2 * 4, 2 * 14),), rules
        )  # the second row from the left, the last row at the right
        for square, sign in enumerate("".join(picture.split())):
            if sign != ".":
                state = state.apply(square)
        known = {".": "unshot", "o": "miss", "x": "open"}
        assert state.board.known == tuple(known[sign] for sign in "".join(picture.split()))
        return state.board

    return make


def test_sensors_of_a_board(board: Callable[[str, dict[str, str]], Board]) -> None:
    sensors = sense(board("o.o. xx.. .... ...x", {}))
    assert set(sensors) == {1, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14}
    believed = {name: sensors[6].pop(name) for name in BELIEFS}
    assert believed == pytest.approx(
        {"env.chance": 1.0, "env.sinks": 1.0, "env.follow": 0.0, "env.fleets": 1.0}, abs=0.001
    ), "the ship of three lies there: no other explains both hits beside it and the third one"
    assert (
        sensors[6]
        == {
            "env.cover": 3,  # down with both ships
            "env.cover1": 2,  # beside the second hit with the ship of two, and with the one of three over its right
            "env.cover2": 1,
            "env.cover3": 0,
            "env.parity": 1,
            "env.beside": 1,
            "env.line": 2,
            "env.near": 1,
            "env.edge": 1,
            "env.blocked": 1,
            "env.open": 3,
            "env.longest": 3,
            "env.shortest": 2,
            "env.afloat": 2,
            "env.left": 11,
            "env.turns": 5,
        }
    )


def test_what_is_hidden_is_not_sensed() -> None:
    """Two boards on which the same shots had the same answers have the same sensors, wherever the rest lies."""
    rules = GAME.make_rules({"board": "5x5", "fleet": "3,2"})
    boards = [
        BattleshipState.begin((fleet,), rules).apply(0).apply(24).apply(10).board
        for fleet in ((2 * 0, 2 * 15), (2 * 0, 2 * 17 + 1), (2 * 0 + 1, 2 * 17 + 1))
    ]
    assert sense(boards[0]) == sense(boards[1])
    assert sense(boards[0]) != sense(boards[2])


def test_every_sensor_is_sensed() -> None:
    names = list(next(iter(sense(Board.of((0,), GAME.make_rules({"board": "2x2", "fleet": "2"}))).values())))
    assert sorted(names) == sorted(FORMULAS.sensor_names)


@pytest.mark.parametrize("options", [{}, {"mode": "duel", "shots": "again"}, {"found": "yes"}], ids=str)
def test_a_traced_game_is_the_compiled_one(options: dict[str, str]) -> None:
    rules = GAME.make_rules({"board": "6x6", "fleet": "3,2", **options})
    other = player_of_name("hunt" if rules.is_duel else "uniform", GAME)
    players = [player_of_program(DENSE, GAME, "dense"), other]
    deals = GAME.deal(stream(8, "trace"), 1, rules)
    steps = list(trace_game("battleship", players, deals, rules).steps)
    mine = [step for step in steps if step.is_mine]
    _, log = log_game(players, deals, rules)
    shots = [row[at.LOG_SQUARE] for row in log.tolist() if row[at.LOG_SEAT] == 0]
    assert [square_name(square, rules) for square in shots] == [step.values["square"] for step in mine]
    assert steps[-1].values["score"] == GAME.play(players, deals, rules).values[0, 0]
    *_, last = (step for step in mine if step.evaluations)
    assert last.winner is not None
    assert last.winner.value == max(each.value for each in last.evaluations) == last.values["value"]
