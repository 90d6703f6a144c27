"""Traces of Battleship: the game that the compiled engine plays, conditions, what is told of every step."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import dialects, linear_programs

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import log_game
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.arithmetic.text import parse
from gpkit.languages.sinking.forms.playing import LineStep
from gpkit.languages.sinking.text import SWITCHES
from gpkit.playing.contest import deal_of
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit.playing.trace import CachedSteps, executions, read_condition, trace_game, until


def shipped(name: str) -> Player:
    program = program_of_name(name, GAME)
    return player_of_program(program, GAME, name)


CORRECTED, UNIFORM, HUNT = shipped("corrected"), player_of_name("uniform", GAME), player_of_name("hunt", GAME)


@pytest.mark.parametrize("seat", [pytest.param(0, marks=pytest.mark.release), 1])
@settings(max_examples=25, deadline=None)
@given(linear_programs(PRIMITIVES), dialects(PRIMITIVES, SWITCHES), st.integers(0, 10**6))
def test_a_trace_is_the_compiled_game(
    seat: int, program: LinearProgram, dialect: dict[str, str], seed: int
) -> None:
    rules = GAME.make_rules({"mode": "duel", "board": "6x6", "fleet": "3,2"})
    player = player_of_program(program, GAME, "program", dialect)
    deals = GAME.deal(stream(seed, "trace"), 1, rules)
    steps = list(trace_game("battleship", [player, HUNT], deals, rules, seat=seat).steps)
    seated = [player, HUNT]
    _, log = log_game(seated if seat == 0 else seated[::-1], deals, rules)
    mine = [row for row in log.tolist() if row[at.LOG_SEAT] == seat]
    executed = [step.executed for step in steps if isinstance(step, LineStep) and step.executed is not None]
    assert [tuple(map(float, row[at.LOG_REGISTERS :])) for row in mine] == [
        e.registers.slots() for e in executed
    ]
    shots = [row[at.LOG_SQUARE] for row in log.tolist() if row[at.LOG_SQUARE] != -1]
    told = [step.after.boards[step.seat].shots[-1] for step in steps if step.values["shot"]]
    assert [max(square, -1) for square in shots] == [shot.square for shot in told]
    assert [max(square, -1) for square in shots] == [
        -1 if step.action is None else step.action for step in steps if step.values["shot"]
    ]


def test_a_condition_is_waited_for() -> None:
    rules = GAME.make_rules({})
    deals = deal_of(GAME, rules, 0, 0)
    trace = trace_game("battleship", [CORRECTED, UNIFORM], deals, rules)
    condition = read_condition("TargetHit and state == Sinking", trace.vocabulary)
    steps = list(until(trace.steps, condition))
    last = steps[-1]
    assert condition.holds(last.values)
    assert not any(condition.holds(step.values) for step in steps[:-1])
    assert (last.values["state"], last.values["TargetHit"]) == ("Sinking", 1.0)


def test_walking_back_shows_the_same_steps() -> None:
    rules = GAME.make_rules({})
    walked = CachedSteps(
        trace_game("battleship", [CORRECTED, UNIFORM], deal_of(GAME, rules, 0, 0), rules).steps
    )
    late, early = walked.get(40), walked.get(3)
    assert late is not None
    assert early is not None
    assert (late.number, early.number) == (40, 3)
    last = walked.get(walked.last)
    assert last is not None
    assert last.values["over"] == 1.0
    assert last.values["score"] == last.values["shots"]
    assert last.values["hits"] == 17.0


def test_executed_lines_are_counted() -> None:
    rules = GAME.make_rules({})
    steps = list(trace_game("battleship", [CORRECTED, UNIFORM], deal_of(GAME, rules, 0, 0), rules).steps)
    counts = executions(steps)
    assert sum(counts.values()) == len(steps) - 1
    assert counts[0, 1] == counts[0, 2] == counts[0, 3], "Target, SavePos and Shoot go together"
    assert all(place in ((0, 6), (1, 12), (2, 11)) or place in CORRECTED.program.places() for place in counts)


def test_every_step_says_what_happened() -> None:
    rules = GAME.make_rules({})
    steps = list(trace_game("battleship", [CORRECTED, UNIFORM], deal_of(GAME, rules, 0, 0), rules).steps)
    said = [step.words() for step in steps]
    assert said[0] == "before the first line"
    assert said[1].startswith("targeting 1: ")
    assert any("sinks the ship of 5" in words for words in said)
    assert any("IfHit does not hold" in words for words in said)
    assert all(step.listing.count(">") == 1 for step in steps[1:])
    record = steps[-1].record()
    assert record["scores"] == [steps[-1].values["shots"]]
    assert record["known"][0].count("#") == 17  # type: ignore[index]
    assert steps[10].picture().startswith("<svg")


def test_a_free_shot_off_the_board_was_not_known_before() -> None:
    program = LinearProgram(PRIMITIVES.sections, (("Shoot", "MoveFwd"), (), ()))
    dialect = {"edge": "leave", "off-board": "free"}
    player = player_of_program(program, GAME, "program", dialect)
    rules = GAME.make_rules({})
    steps = trace_game("battleship", [player, UNIFORM], deal_of(GAME, rules, 0, 0), rules).steps
    told = next(step.words() for step in steps if step.number == 4)
    assert told == "targeting 1: Shoot at a place off the board: miss, costs nothing"


@pytest.mark.parametrize(
    ("players", "options", "seat", "message"),
    [
        ((CORRECTED, HUNT), {}, 0, "hunt shoots"),
        ((CORRECTED, UNIFORM), {"mode": "duel"}, 0, "only places a fleet"),
        ((UNIFORM, CORRECTED), {}, 0, "only places a fleet"),
        ((CORRECTED, UNIFORM), {}, 1, "--seat 1: in battleship only seat 0 plays"),
    ],
)
def test_who_cannot_play_is_told(
    players: tuple[Player, Player], options: dict[str, str], seat: int, message: str
) -> None:
    rules = GAME.make_rules(options)
    with pytest.raises(UsageError, match=message):
        trace_game("battleship", players, deal_of(GAME, rules, 0, 0), rules, seat=seat)


# Formulas.

COVER = "shoot: env.cover + 20 * env.cover1 + 100 * env.cover2"
CHANCE = "shoot: env.parity + ifle(env.open, 0, math.random(), env.beside / env.line)"


def formula(text: str) -> Player:
    return player_of_program(parse(text).program, GAME, "formula")


@pytest.mark.parametrize("text", [COVER, CHANCE, "shoot: (0 - 1) / 0 * env.turns"])
@pytest.mark.parametrize("options", [{}, {"found": "yes", "announce": "hit"}])
def test_a_formula_has_the_game_of_the_engine(text: str, options: dict[str, str]) -> None:
    rules = GAME.make_rules({"board": "6x6", "fleet": "3,2", **options})
    player, deals = formula(text), deal_of(GAME, rules, 5, 0)
    trace = trace_game("battleship", [player, UNIFORM], deals, rules)
    steps, names = list(trace.steps), {fact.name for fact in trace.vocabulary.names}
    assert (
        steps[-1].values["score"] == GAME.play([player, UNIFORM], deals, rules).values[0, 0] == len(steps) - 1
    )
    for step in steps[1 + rules.found :]:
        if len(step.before.legal_actions()) == 1:
            assert step.winner is None
            continue
        assert step.winner is not None
        values = [each.value for each in step.evaluations if each.value == each.value]
        assert step.winner.value == max(values, default=step.winner.value) or not values
        table = step.table()
        assert table is not None
        assert table.rows[0][0] == step.values["square"]
        assert set(step.values) <= names


@pytest.mark.parametrize("seat", [0, 1])
def test_formulas_and_programs_of_lines_meet(seat: int) -> None:
    rules = GAME.make_rules({"mode": "duel", "board": "6x6", "fleet": "3,2"})
    deals = deal_of(GAME, rules, 5, 0)
    for pair in ([formula(COVER), HUNT], [HUNT, formula(CHANCE)], [formula(COVER), formula(CHANCE)]):
        *_, last = trace_game("battleship", pair, deals, rules, seat=seat).steps
        assert last.values["score"] == GAME.play(pair, deals, rules).values[0, seat]
