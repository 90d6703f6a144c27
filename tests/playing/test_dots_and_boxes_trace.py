"""Traces of Dots and Boxes: the game that the compiled engine plays, what rules matched, what conditions may ask."""

import pytest
from board_strategies import edges_played
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_strategies import rule_lists

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.dots_and_boxes.board import edge_name
from gpkit.games.dots_and_boxes.facts import RuleDecision
from gpkit.games.dots_and_boxes.game import GAME
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules
from gpkit.genomes.graph import RuleList
from gpkit.languages.rulegraph.text import parse, print_named
from gpkit.playing.contest import deal_of
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit.playing.trace import read_condition, trace_game, until

BOARD = DotsAndBoxesRules(3, 2)


def player_of(program: RuleList) -> Player:
    return player_of_program(program, GAME, "list")


SAFE, CHAIN = player_of(program_of_name("safe", GAME)), player_of_name("chain", GAME)


@pytest.mark.parametrize("seat", [0, 1])
@settings(max_examples=15)
@given(rule_lists(), st.integers(0, 10**6))
def test_a_trace_is_the_compiled_game(seat: int, program: RuleList, seed: int) -> None:
    player = player_of(program)
    deals = GAME.deal(stream(seed, "trace"), 1, BOARD)
    trace = trace_game("dots_and_boxes", [player, CHAIN], deals, BOARD, seat=seat)
    first, *steps = trace.steps
    seated = [player, CHAIN]
    log = edges_played(seated if seat == 0 else seated[::-1], deals, BOARD)
    assert (first.before, first.action) == (None, None)
    assert [step.action for step in steps] == log
    for step in steps:
        assert isinstance(step.decision, RuleDecision) == step.is_mine
        assert not step.is_mine or step.action in step.decision.edges


def test_a_condition_is_waited_for() -> None:
    trace = trace_game("dots_and_boxes", [SAFE, CHAIN], deal_of(GAME, BOARD, 0, 0), BOARD)
    condition = read_condition("mine and closes > 0 and name == 'take'", trace.vocabulary)
    *before, last = until(trace.steps, condition)
    assert condition.holds(last.values)
    assert not any(condition.holds(step.values) for step in before)
    assert last.values["rule"] == 1.0
    table = last.table()
    assert table is not None
    assert table.rows[table.chosen][1] == "take"
    assert ">   1  take: x_0 w => x_0 - w" in last.listing
    assert last.words().endswith(", by take")


JOINED = """# level: 1
never: q_0 w ; score > 9 => q_0 - w
| border: q_0 n => q_0 - n
| corner: q_0 n n => q_0 - n
| between: q_0 q_1 => q_0 - q_1
take: x_0 w => x_0 - w
"""


def test_rules_of_equal_precedence_act_together() -> None:
    player = player_of(parse(JOINED).program)
    seen = set()
    for step in trace_game("dots_and_boxes", [player, CHAIN], deal_of(GAME, BOARD, 0, 0), BOARD).steps:
        decision = step.decision
        if decision is None or not decision.acting:
            continue
        acting = {each.number + 1 for each in decision.acting}
        assert acting <= {2, 3, 4} or acting == {5}
        assert decision.edges == tuple(sorted({s for each in decision.acting for s in each.edges}))
        drawing = [each for each in decision.acting if step.action in each.edges]
        assert list(decision.drawing) == drawing
        assert step.words().endswith(f", by {' and '.join(each.named.name for each in drawing)}")
        assert (step.values["rule"], step.values["name"]) == (drawing[0].number + 1, drawing[0].named.name)
        table = step.table()
        assert table is not None
        assert table.rows[table.chosen][1] == drawing[0].named.name
        chances = {row[0]: row[-2] for row in table.rows}
        assert {rule for rule, chance in chances.items() if chance} == acting
        assert {chances[rule] for rule in acting} == {1 / len(decision.edges)}
        marked = [line for line in step.listing.splitlines() if line.startswith(">")]
        assert marked == [f"> {each.number + 1:3}  {print_named(each.named)}" for each in drawing]
        seen.add(tuple(each.named.name for each in drawing))
    assert ("border", "corner") in seen
    assert ("between",) in seen


def test_the_last_step_has_the_score() -> None:
    for seed in range(4):
        trace = trace_game(
            "dots_and_boxes", [SAFE, CHAIN], deal_of(GAME, BOARD, seed, 0), BOARD, seat=seed % 2
        )
        *_, last = trace.steps
        assert last.values["over"] == 1.0
        lead = last.values["lead"]
        assert isinstance(lead, float)
        assert last.values["score"] == (lead > 0) + (lead == 0) / 2
        assert last.number == BOARD.edges
        assert last.values["left"] == 0.0


def test_policies_say_no_rules() -> None:
    steps = trace_game("dots_and_boxes", [CHAIN, SAFE], deal_of(GAME, BOARD, 0, 0), BOARD).steps
    for step in steps:
        assert (step.table(), step.listing, step.record()["decision"]) == (None, "", None)
        assert not {"rule", "name", "matching", "edges"} & set(step.values)
        assert "rule" not in step.words()


def test_the_perfect_player_says_its_lead_at_the_end() -> None:
    optimal = player_of_name("optimal", GAME)
    *steps, last = trace_game("dots_and_boxes", [optimal, optimal], deal_of(GAME, BOARD, 0, 0), BOARD).steps
    mine = [step for step in steps if step.is_mine]
    assert {step.worths[step.action] for step in mine} == {last.values["lead"]}
    for step in mine:
        table = step.table()
        assert table is not None
        assert table.columns == ("edge", "lead at the end")
        assert table.rows[table.chosen] == (step.text, max(step.worths.values()))


def test_a_perfect_player_needs_a_small_board() -> None:
    optimal = player_of_name("optimal", GAME)
    with pytest.raises(UsageError, match="at most 24 edges"):
        trace_game(
            "dots_and_boxes",
            [SAFE, optimal],
            deal_of(GAME, DotsAndBoxesRules(4, 4), 0, 0),
            DotsAndBoxesRules(4, 4),
        )


def test_edges_are_named_as_on_the_board() -> None:
    trace = trace_game("dots_and_boxes", [SAFE, CHAIN], deal_of(GAME, BOARD, 0, 0), BOARD)
    for step in list(trace.steps)[1:]:
        assert step.action is not None
        assert step.values["action"] == edge_name(step.action, BOARD)
        assert str(step.values["action"]) in step.words()


@pytest.mark.release
def test_a_step_of_a_long_list_shows_only_the_rules_that_matched() -> None:
    champion = player_of(program_of_name("champion", GAME))
    rules = DotsAndBoxesRules(3, 3)
    trace = trace_game("dots_and_boxes", [champion, CHAIN], deal_of(GAME, rules, 0, 0), rules)
    steps = [step for step in trace.steps if step.listing]
    assert steps
    for step in steps:
        *lines, more = step.listing.splitlines()
        assert {line[0] for line in lines} <= set("+>")
        assert any(line.startswith(">") for line in lines) == bool(step.decision.drawing)
        assert more.strip() == f"{len(champion.program.rules) - len(lines)} other rules do not match here"
