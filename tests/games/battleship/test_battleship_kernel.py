"""Whole games of generated programs: the kernel's log is the steps of the interpreter under the readable rules."""

from dataclasses import replace

import numpy as np
import pytest
from battleship_table import RULES, lines_of
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import linear_programs

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import log_game, running_sums
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.primitives import INSTRUCTIONS, PRIMITIVES, SWITCHES, TARGETS
from gpkit.games.battleship.rules import PATTERNS, REDRAWS, BattleshipRules
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.compiler import compile_program
from gpkit.languages.sinking.interpreter import Flow
from gpkit.languages.sinking.text import switches
from gpkit.playing.players import player_of_program
from gpkit.vm.isa import HOST
from gpkit_experiments.readable import battleship as readable
from gpkit_experiments.readable.battleship import draw_fleet

DIALECTS = st.fixed_dictionaries(
    {switch.name: st.sampled_from(switch.values) for switch in switches(PRIMITIVES)}
)
DEFAULT = {switch.name: switch.values[0] for switch in switches(PRIMITIVES)}


def shooter(program: LinearProgram, dialect: dict[str, str]) -> Player:
    return player_of_program(program, GAME, "program", dialect)


SHOOTERS = st.builds(shooter, linear_programs(PRIMITIVES), DIALECTS)
PLACEMENTS = st.lists(st.sampled_from(tuple(PATTERNS)), min_size=2, max_size=2)


def agents_of(shooters: list[Player], placements: list[str], rules: BattleshipRules) -> list[Player]:
    agents = [
        replace(each, placement=placement) for each, placement in zip(shooters, placements, strict=True)
    ]
    return agents if rules.is_duel else [agents[0], Player("placement", placement=placements[1])]


@settings(max_examples=50, deadline=None)
@given(RULES, SHOOTERS, SHOOTERS, PLACEMENTS, st.integers(0, 2**32))
def test_kernel_and_readable_games_agree_after_every_instruction(
    rules: BattleshipRules, first: Player, second: Player, placements: list[str], seed: int
) -> None:
    check_equal_games([first, second], placements, rules, seed)


@pytest.mark.slow
@settings(max_examples=5_000, deadline=None)
@given(RULES, SHOOTERS, SHOOTERS, PLACEMENTS, st.integers(0, 2**32))
def test_many_games_agree(
    rules: BattleshipRules, first: Player, second: Player, placements: list[str], seed: int
) -> None:
    check_equal_games([first, second], placements, rules, seed)


def check_equal_games(
    shooters: list[Player], placements: list[str], rules: BattleshipRules, seed: int
) -> None:
    deals = GAME.deal(stream(seed, "test"), 1, rules)
    agents = agents_of(shooters, placements, rules)
    try:
        _, log = log_game(agents, deals, rules)
    except UsageError:  # no room for a fleet in its pattern: nobody finds any
        with pytest.raises(UsageError, match="no layout was found"):
            GAME.begin(agents, deals, rules)
        return
    seated = shooters if rules.is_duel else shooters[:1]
    places = [Flow(s.program, s.header, PRIMITIVES).rows() for s in shooters]
    starts = (0, len(places[0]))
    played = list(lines_of(seated, GAME.begin(agents, deals, rules), deals))
    steps = [(seat, line) for seat, line in played if line.executed is not None]
    assert len(log) == len(steps)
    for row, (seat, line) in zip(log.tolist(), steps, strict=True):
        assert line.executed is not None
        assert row[at.LOG_SEAT] == seat
        assert places[seat][row[at.LOG_PC] - starts[seat]] == line.executed.place
        assert tuple(map(float, row[at.LOG_REGISTERS :])) == line.executed.registers.slots()
        shot = line.after.boards[seat].shots[-1].square if line.executed.ends_turn else None
        assert line.action == (None if shot == -1 else shot)
        assert row[at.LOG_SQUARE] == {None: -1, -1: -2}.get(shot, shot)
    end = played[-1][1].after
    scores = GAME.play(agents, deals, rules)
    assert scores.values[0, 0] == end.returns()[0]
    assert scores.invalid >= any(board.status == "invalid" for board in end.boards)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("options", [{}, {"variant": "ten-ships"}, {"board": "13x6", "fleet": "6,2,1"}])
def test_every_targeting_player_is_the_same_in_whole_games(target: str, options: dict[str, str]) -> None:
    rules = GAME.make_rules(options)
    dialect = DEFAULT | {"target": target}
    player = shooter(program_of("Target Shoot"), dialect)
    check_equal_games([player, player], ["uniform"] * 2, rules, 5)


def program_of(targeting: str) -> LinearProgram:
    return LinearProgram(PRIMITIVES.sections, (tuple(targeting.split()), (), ()))


CLASSIC, TEN = {}, {"variant": "ten-ships"}
CLOSE = {"board": "4x4", "fleet": "2,1,1,1", "touch": "no"}
FULL = {"board": "12x12", "fleet": "4,3,3,2,2,2,2,1,1,1,1,1,1,1,1", "touch": "no"}
"""So full that whole fleets are hopeless, and ships are moved one by one."""


@pytest.mark.parametrize(
    ("pattern", "options"),
    [
        pytest.param(
            pattern,
            options,
            marks=[pytest.mark.release] * (options == TEN and pattern in ("corner", "lines")),
        )
        for pattern in PATTERNS
        for options in (CLASSIC, TEN)
        if (pattern, options) != ("wall", TEN)
    ]
    + [
        ("uniform", CLOSE),
        ("corners", CLOSE),
        pytest.param("uniform", FULL, marks=pytest.mark.release),
    ],
)
def test_fleets_are_drawn_alike(pattern: str, options: dict[str, str]) -> None:
    """A program that clears the board in reading order tells where every ship lies."""
    rules = GAME.make_rules(options)
    dialect = DEFAULT | {"target": "raster"}
    program = compile_program(program_of("Target Shoot"), dialect, PRIMITIVES)
    deals = GAME.deal(stream(3, pattern), 1 if options == FULL else 2, rules)
    agents = [Player("raster", (program,)), Player(pattern, placement=pattern)]
    shots = GAME.play(agents, deals, rules).values[:, 0]
    for number, keys in enumerate(deals.keys.tolist()):
        sums, redraw = running_sums(pattern, rules), REDRAWS.get(pattern, "fleet")
        fleet = draw_fleet(keys[1][0], keys[1][1], sums, rules, redraw)
        last = max(
            (p >> 1) + (length - 1) * (rules.width if p & 1 else 1)
            for p, length in zip(fleet, rules.fleet, strict=True)
        )
        assert shots[number] == last + 1


def test_the_layout_is_that_of_the_primitives() -> None:
    opcodes = (
        *(at.TARGET, at.SHOOT, at.MOVE_FORWARD, at.RANDOM_DIRECTION, at.VERTICAL_DIRECTION),
        *(at.HORIZONTAL_DIRECTION, at.OPPOSITE_DIRECTION, at.IF_EDGE, at.IF_KNOWN),
    )
    assert opcodes == tuple(range(HOST, HOST + len(INSTRUCTIONS)))
    values = {switch.name: switch.values for switch in SWITCHES}
    assert values["edge"] == ("leave", "clamp", "torus")
    assert values["off-board"] == ("free", "turn")
    assert values["known"] == ("free", "blind", "turn")
    assert values["sunk"] == ("silent", "reset")
    assert values["direction"] == ("unshot", "unused", "any", "unshot-all")
    assert TARGETS == ("checkerboard", "uniform", "filter", "raster", "diagonal", "hunt", "density")


def test_scores_do_not_depend_on_how_deals_are_split() -> None:
    rules = GAME.make_rules({})
    agents = [
        Player("a", (compile_program(program_of("Target Shoot"), DEFAULT, PRIMITIVES),)),
        Player("uniform", placement="uniform"),
    ]
    deals = GAME.deal(stream(1, "split"), 20, rules)
    whole = GAME.play(agents, deals, rules).values
    parts = [GAME.play(agents, deals[k : k + 7], rules).values for k in (0, 7, 14)]
    assert np.array_equal(whole, np.concatenate(parts))


def test_a_fleet_without_room_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten ships cannot stand on ten squares side by side without touching."""
    rules = GAME.make_rules(TEN)
    program = compile_program(program_of("Target Shoot"), DEFAULT, PRIMITIVES)
    deals = GAME.deal(stream(1, "no room"), 1, rules)
    with pytest.raises(UsageError, match="no layout was found"):
        GAME.play([Player("a", (program,)), Player("wall", placement="wall")], deals, rules)
    monkeypatch.setattr(readable, "ATTEMPTS", 1_000)
    monkeypatch.setattr(readable, "TRIES", 200)
    crowded = GAME.make_rules({"board": "3x3", "fleet": "2,2,2", "touch": "no"})
    with pytest.raises(UsageError, match="no layout was found"):
        draw_fleet(1, 2, running_sums("uniform", crowded), crowded)
