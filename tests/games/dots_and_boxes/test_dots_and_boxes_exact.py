"""Classes of positions and exact win rates: against plain recursion on tiny boards, known numbers on 3x3.

What rules are worth: counted over all positions one by one, and the figures of a published rule.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from board_strategies import choices_of_policy
from kernel_marks import compiled_only

from gpkit.core.compiled import kernel
from gpkit.core.registry import data_folder
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.classes import (
    best_of,
    board_of,
    classes,
    edges_of,
    readable_value,
    state_of,
    table,
    values_of_edges,
)
from gpkit.games.dots_and_boxes.exact import (
    TOGETHER,
    best_response,
    choices_of,
    class_sizes,
    result,
    rule_values,
)
from gpkit.games.dots_and_boxes.kernel import boxes as class_parts
from gpkit.games.dots_and_boxes.opponents import POLICIES, perfect
from gpkit.games.dots_and_boxes.rule_lists import edges_of_rule, propose, state_graph
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.genomes.graph import Graph, canonical_graph
from gpkit.languages.rulegraph.text import parse
from gpkit.matching.plan import plan, plan_of

THREE = DotsAndBoxesRules(3, 3)


def form_of(mask: int, rules: DotsAndBoxesRules) -> Graph:
    return canonical_graph(state_graph(state_of(mask, rules)).graph)


@pytest.mark.parametrize(
    "rules",
    [
        DotsAndBoxesRules(1, 1),
        DotsAndBoxesRules(2, 1),
        *(
            pytest.param(rules, marks=pytest.mark.release)
            for rules in (DotsAndBoxesRules(2, 2), DotsAndBoxesRules(4, 1))
        ),
    ],
)
def test_classes_are_the_forms_of_all_positions(rules: DotsAndBoxesRules) -> None:
    found = classes(rules)
    forms = {form_of(mask, rules) for mask in range(1 << rules.edges)}
    numbers = {form_of(mask, rules): number for number, mask in enumerate(found.positions.tolist())}
    assert set(numbers) == forms
    assert len(found.positions) == len(forms)
    for number, mask in enumerate(found.positions.tolist()):
        for edge in range(rules.edges):
            after = numbers[form_of(mask | 1 << edge, rules)]
            assert found.successors[number, edge] == (-1 if mask >> edge & 1 else after)


def test_closed_boxes_are_counted() -> None:
    known = classes(DotsAndBoxesRules(2, 2))
    assert (known.done[0], known.done[-1]) == (0, 4)
    for number, edge in np.argwhere(known.successors >= 0).tolist():
        after = known.successors[number, edge]
        assert known.done[after] == known.done[number] + known.closed[number, edge]


@pytest.mark.release
@compiled_only
def test_three_by_three_has_so_many_classes() -> None:
    found = classes(THREE)
    assert len(found.positions) == 195_551
    drawn = [mask.bit_count() for mask in found.positions.tolist()]
    assert drawn == sorted(drawn)
    values = table(THREE)
    for edge in range(THREE.edges):
        here = found.successors[:, edge] >= 0
        theirs = found.positions[found.successors[here, edge]]
        assert np.array_equal(values[theirs], values[found.positions[here] | 1 << edge])


def check_transitions(numbers: np.ndarray) -> None:
    """What follows upon these classes has the form of the class that it is said to be."""
    found = classes(THREE)
    for number in numbers.tolist():
        mask = int(found.positions[number])
        for edge in edges_of(~mask & (1 << THREE.edges) - 1):
            said = int(found.positions[found.successors[number, edge]])
            assert form_of(mask | 1 << edge, THREE) == form_of(said, THREE)


@pytest.mark.release
@compiled_only
def test_some_transitions_lead_to_equal_graphs() -> None:
    check_transitions(np.random.Generator(np.random.Philox(1)).integers(0, 195_551, 60))


@pytest.mark.slow
def test_all_transitions_lead_to_equal_graphs() -> None:
    found = classes(THREE)
    forms = [form_of(mask, THREE) for mask in found.positions.tolist()]
    assert len(set(forms)) == len(forms)
    for number, mask in enumerate(found.positions.tolist()):
        for edge in edges_of(~mask & (1 << THREE.edges) - 1):
            assert form_of(mask | 1 << edge, THREE) == forms[found.successors[number, edge]]


def played_out(
    state: DotsAndBoxesState, names: tuple[str, str], known: dict[DotsAndBoxesState, Fraction]
) -> Fraction:
    """The exact expected result of player 0, by the readable rules and policies."""
    if state.is_terminal:
        return Fraction(1, 2) if state.winner is None else Fraction(1 - state.winner)
    if state not in known:
        edges = POLICIES[names[state.current_player]](state)
        total = sum(played_out(state.apply(edge), names, known) for edge in edges)
        known[state] = Fraction(total) / len(edges)
    return known[state]


@pytest.mark.parametrize(
    "names", [("random", "random"), ("greedy", "safe"), ("chain", "safe+min"), ("optimal", "random")]
)
@pytest.mark.parametrize("rules", [DotsAndBoxesRules(2, 1), DotsAndBoxesRules(3, 1)])
def test_results_are_those_of_playing_everything_out(
    names: tuple[str, str], rules: DotsAndBoxesRules
) -> None:
    exact = result(choices_of(names[0], rules), choices_of(names[1], rules), rules)
    assert exact.seatings[0] == pytest.approx(float(played_out(DotsAndBoxesState.begin(rules), names, {})))
    second_starts = DotsAndBoxesState(rules, frozenset(), (NOBODY,) * rules.boxes, current_player=1)
    assert exact.seatings[1] == pytest.approx(float(played_out(second_starts, names, {})))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.release] * (name.startswith("chain+"))) for name in POLICIES],
)
def test_compiled_and_readable_choices_are_the_same_on_all_classes(name: str) -> None:
    rules = DotsAndBoxesRules(2, 2)
    assert np.array_equal(choices_of(name, rules), choices_of_policy(POLICIES[name], rules))


COLUMNS = ("random", "greedy", "safe", "safe+min", "chain", "optimal")
ANCHORS = {
    "greedy": (0.996, 0.500, 0.160, 0.099, 0.062, 0.025),
    "chain": (0.998, 0.938, 0.874, 0.760, 0.500, 0.032),
}
"""Exact win rates of row against column found independently while planning, three digits."""


@pytest.mark.release
@compiled_only
@pytest.mark.parametrize("row", ANCHORS)
def test_win_rates_on_three_by_three(row: str) -> None:
    found = [result(choices_of(row, THREE), choices_of(name, THREE), THREE).mean for name in COLUMNS]
    assert found == pytest.approx(ANCHORS[row], abs=0.0005)


@compiled_only
def test_best_responses_on_three_by_three() -> None:
    found = [best_response(choices_of(name, THREE), THREE) for name in COLUMNS]
    assert [answer.mean for answer in found] == pytest.approx([1.0, 0.9998, 1.0, 1.0, 1.0, 0.5], abs=5e-5)
    assert (found[-1].seatings[0], found[-1].seatings[1]) == (0.0, 1.0)


@compiled_only
@pytest.mark.parametrize("name", POLICIES)
def test_everybody_wins_half_of_the_games_against_itself(name: str) -> None:
    mine = choices_of(name, THREE)
    assert result(mine, mine, THREE).mean == pytest.approx(0.5, abs=1e-12)


@compiled_only
def test_results_of_both_players_sum_to_one() -> None:
    one, other = (choices_of(name, THREE) for name in ("chain", "control"))
    ahead, behind = result(one, other, THREE), result(other, one, THREE)
    assert ahead.seatings[0] + behind.seatings[1] == pytest.approx(1.0)
    assert ahead.mean + behind.mean == pytest.approx(1.0)


signature = kernel(class_parts.signature)

RULES = """
l_0(2) w => l_0[1] - w
x_0 w => x_0 - w
q_0 w => q_0 - w
t_0 n w ; !x_1 w => t_0 - n
| q_0 n => q_0 - n
| t_0 n n => t_0 - n
t_0 t_1 => t_0 - t_1
"""


@pytest.mark.release
def test_worth_is_that_of_all_positions() -> None:
    board = DotsAndBoxesRules(3, 1)
    program = parse(RULES).program
    colours = np.empty((2, board.boxes), dtype=np.int64)
    states = [state_of(mask, board) for mask in range((1 << board.edges) - 1)]
    names = [int(signature(mask, colours, board_of(board))) for mask in range(len(states))]
    known: dict[frozenset[int], int] = {}

    def value_of(state: DotsAndBoxesState) -> int:
        return readable_value(state, known)

    matched = [False] * len(states)
    for named, its in zip(program.rules, rule_values(plan_of(program), board), strict=True):
        if not named.joined:
            free = [not was for was in matched]
        proposed = [edges_of_rule(named.rule, state_graph(state), 0) for state in states]
        here = [number for number, edges in enumerate(proposed) if edges]
        assert its.positions == len(here)
        assert its.acts == sum(free[number] for number in here)
        matched = [was or bool(edges) for was, edges in zip(matched, proposed, strict=True)]
        one_of_each = list({names[number]: number for number in here}.values())
        assert its.classes == len(one_of_each)
        if not here:
            assert (its.mean_value, its.optimal, its.regret) == (None, None, None)
            continue
        values, optimal, regrets = [], [], []
        for number in one_of_each:
            state, edges = states[number], proposed[number]
            by_edge = values_of_edges(state, value_of)
            value, best = value_of(state), best_of(by_edge)
            values.append(value)
            optimal.append(np.mean([edge in best for edge in edges]))
            regrets.append(value - np.mean([by_edge[edge] for edge in edges]))
        assert its.mean_value == pytest.approx(np.mean(values))
        assert its.optimal == pytest.approx(np.mean(optimal))
        assert its.regret == pytest.approx(np.mean(regrets))


def test_many_rules_are_worth_what_each_is() -> None:
    once = [named.rule for named in parse(RULES).program.rules]
    rules = once * (2 * TOGETHER // len(once) + 1)
    few, many = (
        rule_values(plan(once), DotsAndBoxesRules(2, 1)),
        rule_values(plan(rules), DotsAndBoxesRules(2, 1)),
    )
    assert len(many) == len(rules) > 2 * TOGETHER
    for number, its in enumerate(many):
        first = few[number % len(once)]
        assert its == (first if number < len(once) else replace(first, acts=0))


def test_sizes_of_classes_are_counted_right() -> None:
    board = DotsAndBoxesRules(2, 2)
    colours = np.empty((2, board.boxes), dtype=np.int64)
    forms = [int(signature(mask, colours, board_of(board))) for mask in range(1 << board.edges)]
    sizes = [forms.count(forms[mask]) for mask in classes(board).positions.tolist()]
    assert class_sizes(board).tolist() == sizes


@pytest.mark.release
@compiled_only
def test_the_printed_specific_rule_is_worth_nine_boxes() -> None:
    """Its learned value is 8.99 of nine boxes; it matches 32 positions of 2^24, and has the only good edge there."""
    board = DotsAndBoxesRules(3, 3)
    assert class_sizes(board).sum() == 1 << 24
    path = data_folder("programs") / "dots_and_boxes" / "printed.rules"
    (specific,) = [named for named in parse(path.read_text(encoding="utf-8")).program.rules if named.q]
    searches = plan([specific.rule])
    (its,) = rule_values(searches, board)
    assert (its.positions, its.classes, its.acts) == (32, 1, 32)
    assert (its.mean_value, its.optimal, its.regret) == (9.0, 1.0, 0.0)
    masks = propose(searches, classes(board).positions, board)[:, 0]
    (number,) = np.flatnonzero(masks)
    state = state_of(int(classes(board).positions[number]), board)
    assert perfect(state) == edges_of(int(masks[number]))
    assert len(perfect(state)) == 1
