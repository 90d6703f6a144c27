"""Classes of positions and exact win rates: against plain recursion on tiny boards, known numbers on 3x3."""

from fractions import Fraction

import numpy as np
import pytest
from board_strategies import choices_of_policy
from kernel_marks import compiled_only

from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.arrays import edges_of, state_of
from gpkit.games.dots_and_boxes.classes import classes, table
from gpkit.games.dots_and_boxes.exact import best_response, choices_of, result
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.state_graph import state_graph
from gpkit.genomes.graph import Graph
from gpkit.genomes.graph_order import canonical_graph

THREE = Rules(3, 3)


def form_of(mask: int, rules: Rules) -> Graph:
    return canonical_graph(state_graph(state_of(mask, rules)).graph)


@pytest.mark.parametrize("rules", [Rules(1, 1), Rules(2, 1), Rules(2, 2), Rules(4, 1)])
def test_classes_are_the_forms_of_all_positions(rules: Rules) -> None:
    found = classes(rules)
    forms = {form_of(mask, rules) for mask in range(1 << rules.edges)}
    numbers = {form_of(mask, rules): number for number, mask in enumerate(found.positions.tolist())}
    assert set(numbers) == forms
    assert len(found) == len(forms)
    for number, mask in enumerate(found.positions.tolist()):
        for edge in range(rules.edges):
            after = numbers[form_of(mask | 1 << edge, rules)]
            assert found.successors[number, edge] == (-1 if mask >> edge & 1 else after)


def test_closed_boxes_are_counted() -> None:
    known = classes(Rules(2, 2))
    assert (known.done[0], known.done[-1]) == (0, 4)
    for number, edge in np.argwhere(known.successors >= 0).tolist():
        after = known.successors[number, edge]
        assert known.done[after] == known.done[number] + known.closed[number, edge]


@compiled_only
def test_three_by_three_has_so_many_classes() -> None:
    found = classes(THREE)
    assert len(found) == 195_551
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


def played_out(state: State, names: tuple[str, str], known: dict[State, Fraction]) -> Fraction:
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
@pytest.mark.parametrize("rules", [Rules(2, 1), Rules(3, 1)])
def test_results_are_those_of_playing_everything_out(names: tuple[str, str], rules: Rules) -> None:
    exact = result(choices_of(names[0], rules), choices_of(names[1], rules), rules)
    assert exact.starting == pytest.approx(float(played_out(State.begin(rules), names, {})))
    second_starts = State(rules, frozenset(), (NOBODY,) * rules.boxes, current_player=1)
    assert exact.following == pytest.approx(float(played_out(second_starts, names, {})))


@pytest.mark.parametrize("name", POLICIES)
def test_compiled_and_readable_choices_are_the_same_on_all_classes(name: str) -> None:
    rules = Rules(2, 2)
    assert np.array_equal(choices_of(name, rules), choices_of_policy(POLICIES[name], rules))


COLUMNS = ("random", "greedy", "safe", "safe+min", "chain", "optimal")
ANCHORS = {
    "greedy": (0.996, 0.500, 0.160, 0.099, 0.062, 0.025),
    "chain": (0.998, 0.938, 0.874, 0.760, 0.500, 0.032),
}
"""Exact win rates of row against column found independently while planning, three digits."""


@compiled_only
@pytest.mark.parametrize("row", ANCHORS)
def test_win_rates_on_three_by_three(row: str) -> None:
    found = [result(choices_of(row, THREE), choices_of(name, THREE), THREE).rate for name in COLUMNS]
    assert found == pytest.approx(ANCHORS[row], abs=0.0005)


@compiled_only
def test_best_responses_on_three_by_three() -> None:
    found = [best_response(choices_of(name, THREE), THREE) for name in COLUMNS]
    assert [answer.rate for answer in found] == pytest.approx([1.0, 0.9998, 1.0, 1.0, 1.0, 0.5], abs=5e-5)
    assert (found[-1].starting, found[-1].following) == (0.0, 1.0)


@compiled_only
@pytest.mark.parametrize("name", POLICIES)
def test_everybody_wins_half_of_the_games_against_itself(name: str) -> None:
    mine = choices_of(name, THREE)
    assert result(mine, mine, THREE).rate == pytest.approx(0.5, abs=1e-12)


@compiled_only
def test_results_of_both_players_sum_to_one() -> None:
    one, other = (choices_of(name, THREE) for name in ("chain", "control"))
    ahead, behind = result(one, other, THREE), result(other, one, THREE)
    assert ahead.starting + behind.following == pytest.approx(1.0)
    assert ahead.rate + behind.rate == pytest.approx(1.0)
