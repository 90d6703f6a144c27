"""Rule lists as players of whole games, sampled and exact.

Whole games of the ladder: compiled and readable ones are the same, and samples agree with exact win rates.
"""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from board_strategies import choices_of_policy, edges_played
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only
from rule_strategies import rule_lists

from gpkit.core.compiled import kernel
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.gamekit.game import BEST_RESPONSE
from gpkit.gamekit.players import Player, strategy_player
from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.uct import MCTS
from gpkit.games.dots_and_boxes.classes import board_of, classes, state_of, table
from gpkit.games.dots_and_boxes.exact import (
    best_response,
    choices_of,
    choices_of_plan,
    margins,
    result,
)
from gpkit.games.dots_and_boxes.facts import decide
from gpkit.games.dots_and_boxes.game import BUILTINS, GAME, expect
from gpkit.games.dots_and_boxes.kernel import boxes as class_parts
from gpkit.games.dots_and_boxes.opponents import POLICIES, Policy
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.genomes.graph import RuleList
from gpkit.languages.rulegraph.text import parse
from gpkit.matching.plan import plan_of
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.vm.keyed import HALF
from gpkit_experiments.bench.games import play_readable

signature = kernel(class_parts.signature)

TAKE = "x_0 w => x_0 - w"

JOINED = """
early: q_0 n => q_0 - n
| t_0 n ; score < 1 => t_0 - n
| q_0 w => q_0 - w
take: x_0 w => x_0 - w
| l_0(1+) n => l_0 - n
"""

CAREFUL = """
# level: 1
x_0 w => x_0 - w
t_0 t_1 ; score < 0 => t_0 - t_1
t_0 n => t_0 - n
q_0 w ; !t_1 n => q_0 - w
l_0(1+) w ; left < 9 => l_0 - w
"""


def player_of(text: str) -> Player:
    return player_of_text(text, GAME, filename="some.rules")


def rules_of(text: str) -> RuleList:
    return parse(text).program


def policy_of(found: RuleList) -> Policy:
    return lambda state: decide(found, state).edges


lists = rule_lists(max_nodes=2)


@pytest.mark.release
@settings(max_examples=30)
@given(
    lists,
    lists | st.sampled_from(["random", "greedy", "chain"]),
    st.integers(0, HALF - 1),
    st.builds(DotsAndBoxesRules, st.integers(1, 4), st.integers(1, 4)),
)
def test_games_are_those_of_the_readable_rules(
    found: RuleList, other: RuleList | str, key: int, board: DotsAndBoxesRules
) -> None:
    agents = [Player("first", (plan_of(found),))]
    agents.append(strategy_player(other) if isinstance(other, str) else Player("other", (plan_of(other),)))
    policies = [policy_of(found), POLICIES[other] if isinstance(other, str) else policy_of(other)]
    deals = GAME.deal(stream(key, "game"), 1, board)
    expected = []
    for seating in (policies, policies[::-1]):
        *_, (state, edge) = drawn = list(play_readable(*seating, int(deals.keys[0]), board))
        expected.append(state.apply(edge).returns()[len(expected)])
        if seating == policies:
            assert edges_played(agents, deals, board) == [edge for _, edge in drawn]
    assert GAME.play(agents, deals, board).values.tolist() == [expected]


@compiled_only
def test_taking_boxes_is_greedy_on_every_class() -> None:
    board = DotsAndBoxesRules(3, 3)
    assert np.array_equal(choices_of_plan(plan_of(rules_of(TAKE)), board), choices_of("greedy", board))


@pytest.mark.parametrize("text", [TAKE, pytest.param(CAREFUL, marks=pytest.mark.release), JOINED])
def test_compiled_choices_are_the_readable_ones_on_every_class(text: str) -> None:
    board, found = DotsAndBoxesRules(2, 2), rules_of(text)
    choices = choices_of_plan(plan_of(found), board)
    for lead in range(-board.boxes, board.boxes + 1):
        column = choices if choices.ndim == 1 else choices[:, lead + board.boxes]

        def with_lead(state: DotsAndBoxesState, lead: int = lead) -> tuple[int, ...]:
            owners = [1 - (lead > 0)] * board.boxes
            owners[: board.boxes - abs(lead)] = [-1] * (board.boxes - abs(lead))
            return decide(found, DotsAndBoxesState(state.rules, state.drawn, tuple(owners))).edges

        assert column.tolist() == choices_of_policy(with_lead, board).tolist()


@settings(max_examples=40)
@given(rule_lists(max_rules=6, max_nodes=4), st.data())
def test_a_list_does_the_same_in_all_positions_of_a_class(found: RuleList, data: st.DataObject) -> None:
    """What it may draw, and what that leads to, does not depend on which of the equal positions is on the board."""
    board = data.draw(st.builds(DotsAndBoxesRules, st.integers(2, 3), st.integers(2, 2)))
    known = classes(board)
    drawn = data.draw(st.integers(0, (1 << board.edges) - 2))
    numbers = {_signature(int(each), board): k for k, each in enumerate(known.positions)}
    twin = int(known.positions[numbers[_signature(drawn, board)]])
    outcomes = []
    for mask in (drawn, twin):
        does = decide(found, state_of(mask, board))
        after = Counter(_signature(mask | 1 << edge, board) for edge in does.edges)
        outcomes.append((does.rule, after))
    assert outcomes[0] == outcomes[1]


def _signature(drawn: int, board: DotsAndBoxesRules) -> int:
    colours = np.empty((2, board.boxes), dtype=np.int64)
    return int(signature(drawn, colours, board_of(board)))


@compiled_only
@pytest.mark.parametrize("text", [TAKE, CAREFUL], ids=["greedy", "with the score"])
@pytest.mark.parametrize("other", ["safe", pytest.param("chain", marks=pytest.mark.release)])
def test_samples_agree_with_exact_rates(text: str, other: str) -> None:
    board, games = DotsAndBoxesRules(2, 3), 10_000
    agents = [player_of(text), player_of_name(other, GAME)]
    expected = expect(agents, board)
    played = play_match(GAME, agents[0], agents[1:], rules=board, seed=3, games=games)
    assert played.interval.mean == pytest.approx(expected.mean, abs=4 * 0.5 / games**0.5)
    scores = GAME.play(agents, GAME.deal(stream(4, "samples"), games, board), board)
    assert scores.values.mean(axis=0) == pytest.approx(expected.seatings, abs=4 * 0.5 / games**0.5)


@compiled_only
@pytest.mark.parametrize(
    "text", [TAKE, pytest.param(CAREFUL, marks=pytest.mark.release)], ids=["greedy", "with the score"]
)
def test_against_itself_everybody_gets_one_half(text: str) -> None:
    agent = player_of(text)
    for board in (DotsAndBoxesRules(2, 2), DotsAndBoxesRules(2, 3), DotsAndBoxesRules(3, 3)):
        assert expect([agent, agent], board).mean == pytest.approx(0.5, abs=1e-12)
    first, second = agent, player_of_name("control", GAME)
    board = DotsAndBoxesRules(2, 3)
    both = expect([first, second], board).mean + expect([second, first], board).mean
    assert both == pytest.approx(1, abs=1e-12)


def test_nobody_does_better_than_the_best_response() -> None:
    board = DotsAndBoxesRules(2, 2)
    careful = choices_of_plan(plan_of(rules_of(CAREFUL)), board)
    best = best_response(careful, board).mean
    rates = [result(choices_of(name, board), careful, board).mean for name in POLICIES]
    assert best >= max(rates) - 1e-12
    assert best > 0.5


def answered(state: DotsAndBoxesState, policy: Policy, known: dict[tuple[object, ...], float]) -> float:
    """The most that player 0 can expect against a policy, by trying everything with the readable rules."""
    if state.is_terminal:
        return state.returns()[0]
    key = (state.drawn, state.lead(0), state.current_player)
    if key not in known:
        mine = state.current_player == 0
        edges = state.legal_actions() if mine else policy(state)
        values = [answered(state.apply(edge), policy, known) for edge in edges]
        known[key] = max(values) if mine else sum(values) / len(values)
    return known[key]


@pytest.mark.parametrize("text", [TAKE, CAREFUL, JOINED], ids=["greedy", "with the score", "joined"])
@pytest.mark.parametrize(
    "board",
    [
        DotsAndBoxesRules(1, 1),
        pytest.param(DotsAndBoxesRules(3, 1), marks=pytest.mark.release),
        pytest.param(DotsAndBoxesRules(2, 2), marks=pytest.mark.release),
    ],
    ids=str,
)
def test_a_best_response_is_what_trying_everything_finds(text: str, board: DotsAndBoxesRules) -> None:
    policy = policy_of(rules_of(text))
    known: dict[tuple[object, ...], float] = {}
    begun = [
        DotsAndBoxesState(board, frozenset(), (NOBODY,) * board.boxes, current_player=first)
        for first in (0, 1)
    ]
    expected = [answered(state, policy, known) for state in begun]
    mine = Player("some", (plan_of(rules_of(text)),))
    found = expect([mine, player_of_name("random", GAME)], board)
    assert found.details == {BEST_RESPONSE: pytest.approx(expected, abs=1e-12)}


def test_draws_count_one_half() -> None:
    board = DotsAndBoxesRules(1, 2)
    agents = [player_of_name(name, GAME) for name in ("optimal", "random")]
    scores = GAME.play(agents, GAME.deal(stream(1, "draws"), 200, board), board)
    assert set(scores.values.ravel().tolist()) == {0.5, 1.0}, (
        "a perfect player does not lose where both can tie"
    )


def test_same_seed_same_games() -> None:
    board = DotsAndBoxesRules(4, 3)
    agents = [player_of(CAREFUL), player_of(TAKE)]
    deals = GAME.deal(stream(9, "deals"), 30, board)
    assert GAME.play(agents, deals, board).values.tolist() == GAME.play(agents, deals, board).values.tolist()
    assert GAME.deal(stream(9, "deals"), 7, board).keys.tolist() == deals[:7].keys.tolist()


def test_exact_results_are_for_small_boards() -> None:
    agents = [player_of(TAKE), player_of(TAKE)]
    with pytest.raises(
        UsageError, match=r"at most 24 edges and 9 boxes, such as 3x3; 4x4 has 40 edges and 16 boxes"
    ):
        expect(agents, DotsAndBoxesRules(4, 4))


def test_the_ladder_is_that_of_the_policies() -> None:
    assert list(BUILTINS) == [*POLICIES, MCTS]
    assert GAME.exact is not None
    with pytest.raises(UsageError, match="the opponent chain takes no argument"):
        player_of_name("chain:7", GAME)


QUICK = ("random", "greedy", "safe", "safe+min", "chain", "control", "chain+ex8")


@settings(max_examples=40)
@given(
    st.sampled_from(QUICK),
    st.sampled_from(QUICK),
    st.integers(0, HALF - 1),
    st.builds(DotsAndBoxesRules, st.integers(1, 4), st.integers(1, 4)),
)
def test_games_are_those_of_the_readable_policies(
    first: str, second: str, key: int, rules: DotsAndBoxesRules
) -> None:
    policies = POLICIES[first], POLICIES[second]
    found, log = margins(
        [strategy_player(first), strategy_player(second)], np.array([key], dtype=np.int64), rules
    )
    drawn_first, drawn_second = (list(play_readable(*each, key, rules)) for each in permutations(policies))
    state, edge = drawn_first[-1]
    last = state.apply(edge)
    assert log[0].tolist() == [edge for _, edge in drawn_first]
    assert found[0, 0] == last.lead(0)
    state, edge = drawn_second[-1]
    assert found[0, 1] == state.apply(edge).lead(1)
    assert log[1].tolist() == [edge for _, edge in drawn_second]


@compiled_only
@pytest.mark.parametrize("names", [("greedy", "chain"), ("control", "safe+min"), ("optimal", "random")])
def test_samples_agree_with_exact_win_rates(names: tuple[str, str]) -> None:
    rules, deals = DotsAndBoxesRules(2, 3), 20_000
    keys = (stream(1, "ladder").random(deals) * HALF).astype(np.int64)
    found, _ = margins([strategy_player(name) for name in names], keys, rules)
    exact = result(choices_of(names[0], rules), choices_of(names[1], rules), rules)
    rates = (np.sign(found).mean(axis=0) + 1) / 2
    assert rates == pytest.approx([exact.seatings[0], exact.seatings[1]], abs=4 * 0.5 / deals**0.5)


def test_perfect_players_get_the_value_of_the_board() -> None:
    rules = DotsAndBoxesRules(2, 2)
    found, _ = margins([strategy_player("optimal")] * 2, np.arange(10), rules)
    assert found.tolist() == [[int(table(rules)[0]), -int(table(rules)[0])]] * 10


def test_perfect_players_need_a_small_board() -> None:
    with pytest.raises(UsageError, match=r"at most 24 edges, such as 3x3; 4x4 has 40"):
        margins([strategy_player("chain"), strategy_player("optimal")], np.arange(1), DotsAndBoxesRules(4, 4))
