"""Whole games of Battleship under rules at their limits."""

import itertools

import numpy as np
import pytest
from extremes import checked_play, everybody
from kernel_marks import bounds_checked

from gpkit.core.errors import UsageError
from gpkit.core.rng import below, stream
from gpkit.gamekit.players import Player, by_program
from gpkit.games.battleship.arena import log_game
from gpkit.games.battleship.game import GAME, memory_of, play_on
from gpkit.games.battleship.primitives import PRIMITIVES, TARGETS
from gpkit.games.battleship.rules import MAX_SHIPS, MAX_SIDE, PATTERNS
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.compiler import compile_program
from gpkit.languages.sinking.text import dialect_of, switches
from gpkit.playing.players import player_of_name

pytestmark = [pytest.mark.slow, bounds_checked]

SIDE = MAX_SIDE
BOARDS = {
    "1x1": ("1",),
    "2x1": ("1", "1,1", "2"),
    "1x2": ("2",),
    "2x2": ("1,1,1,1", "2,2"),
    f"1x{SIDE}": (f"{SIDE}", ",".join(["1"] * SIDE)),
    f"{SIDE}x1": (f"{SIDE}", "2,2,2"),
    "10x10": ("5,4,3,3,2", "10," * 9 + "10", ",".join(["1"] * 100)),
    "13x5": ("13,5,1",),
}
"""Boards with the fleets that lie on them."""

LARGEST = {"board": f"{SIDE}x{SIDE}", "fleet": ",".join(["2"] * MAX_SHIPS)}
PROGRAMS = 1_000


def small_rules() -> list[dict[str, str]]:
    """All options on the small boards."""
    boards = [(board, fleet) for board, fleets in BOARDS.items() for fleet in fleets]
    rest = {option.name: option.choices for option in GAME.all_options if option.choices}
    del rest["variant"]
    return [
        {"board": board, "fleet": fleet, **dict(zip(rest, values, strict=True))}
        for board, fleet in boards
        for values in itertools.product(*rest.values())
    ]


def opponents_under(options: dict[str, str], agent: Player) -> list[Player]:
    """All placements where one shoots alone, and the same program on each of them in a duel."""
    if options["mode"] == "solitaire":
        return [player_of_name(pattern, GAME) for pattern in PATTERNS]
    programs = by_program(agent).programs
    return [Player(agent.name, programs, placement=pattern) for pattern in PATTERNS]


def played(agents: list[Player], options: dict[str, str], deals: int = 1) -> bool:
    """Whether the game was played: it is not where no way was found to lay out a fleet."""
    try:
        checked_play(GAME, agents, options, deals)
    except UsageError as error:
        assert "no layout was found" in str(error)
        return False
    return True


def test_everybody_shoots_on_small_boards() -> None:
    agents = everybody(GAME)
    count = 0
    for number, options in enumerate(small_rules()):
        agent = agents[number % len(agents)]
        others = opponents_under(options, agent)
        count += played([agent, others[number % len(others)]], options)
    assert count > len(small_rules()) // 2


def test_learners_shoot_in_series_of_three() -> None:
    count = 0
    for number, options in enumerate([*small_rules()[::5], LARGEST, {**LARGEST, "mode": "duel"}]):
        rules = GAME.make_rules(options)
        pattern = tuple(PATTERNS)[number % len(PATTERNS)]
        other = f"counts:{pattern}" if rules.is_duel else pattern
        players = [player_of_name("counts", GAME), player_of_name(other, GAME)]
        memory = memory_of(players, 1, rules)
        for game in range(3):
            deals = GAME.deal(stream(game, "bounds"), 1, rules)
            try:
                _, memory = play_on(players, deals, rules, memory)
            except UsageError as error:
                assert "no layout was found" in str(error)
                break
            assert np.isfinite(memory).all(), options
            count += 1
    assert count > len(small_rules()) // 5


@pytest.mark.parametrize("target", TARGETS)
def test_every_targeting_player_shoots_on_the_largest_board(target: str) -> None:
    dialect = dialect_of({"target": target}, PRIMITIVES)
    program = LinearProgram(PRIMITIVES.sections, (("Target", "Shoot"), (), ()))
    agent = Player(target, (compile_program(program, dialect, PRIMITIVES),))
    checked_play(GAME, [agent, player_of_name("uniform", GAME)], LARGEST, deals=1)


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("touch", ["yes", "no"])
def test_the_largest_fleet_is_laid_out_in_every_pattern(pattern: str, touch: str) -> None:
    raster = player_of_name("raster", GAME)
    for fleet in (LARGEST["fleet"], f"{SIDE}," * 8 + f"{SIDE}"):
        options = {"board": LARGEST["board"], "fleet": fleet, "touch": touch}
        found = played([raster, player_of_name(pattern, GAME)], options)
        assert found or (pattern, touch) != ("uniform", "yes")


def test_full_programs_in_all_dialects_shoot_under_drawn_rules() -> None:
    """Blocks of all the lines that they hold, of all words; every instruction is logged, too."""
    words = PRIMITIVES.alphabets[-1].instructions
    questions = switches(PRIMITIVES)
    rules = small_rules()
    for number in range(PROGRAMS):
        rng = stream(number, "bounds program")
        blocks = tuple(
            tuple(words[below(rng, len(words))] for _ in range(capacity))
            for capacity in PRIMITIVES.capacities
        )
        program = LinearProgram(PRIMITIVES.sections, blocks)
        dialect = {question.name: question.values[below(rng, len(question.values))] for question in questions}
        agent = Player("full", (compile_program(program, dialect, PRIMITIVES),))
        options = rules[below(rng, len(rules))]
        others = opponents_under(options, agent)
        agents = [agent, others[below(rng, len(others))]]
        if played(agents, options):
            made = GAME.make_rules(options)
            if made.squares <= 10:
                assert len(log_game(agents, GAME.deal(stream(number, "bounds"), 1, made), made)[1]) > 0
