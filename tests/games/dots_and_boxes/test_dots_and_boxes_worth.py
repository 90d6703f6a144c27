"""What rules are worth: counted over all positions one by one, and the figures of a published rule."""

from dataclasses import replace

import numpy as np
import pytest
from kernel_marks import compiled_only

from gpkit.core.compiled import kernel
from gpkit.core.registry import data_folder
from gpkit.games.dots_and_boxes.arrays import board_of, edges_of, state_of
from gpkit.games.dots_and_boxes.classes import classes, readable_value, readable_value_of
from gpkit.games.dots_and_boxes.exact import TOGETHER, class_sizes, worth
from gpkit.games.dots_and_boxes.kernel import classes as class_parts
from gpkit.games.dots_and_boxes.opponents import perfect
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_lists import edges_of_rule, propose
from gpkit.games.dots_and_boxes.state_graph import state_graph
from gpkit.languages.rulegraph.parser import parse
from gpkit.matching.plan import plan, plan_of

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


def test_worth_is_that_of_all_positions() -> None:
    board = Rules(3, 1)
    program = parse(RULES).program
    colours = np.empty((2, board.boxes), dtype=np.int64)
    states = [state_of(mask, board) for mask in range((1 << board.edges) - 1)]
    names = [int(signature(mask, colours, board_of(board))) for mask in range(len(states))]
    matched = [False] * len(states)
    for named, its in zip(program.rules, worth(plan_of(program), board), strict=True):
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
            value, best = readable_value(state), perfect(state)
            values.append(value)
            optimal.append(np.mean([edge in best for edge in edges]))
            regrets.append(value - np.mean([readable_value_of(state, edge) for edge in edges]))
        assert its.mean_value == pytest.approx(np.mean(values))
        assert its.optimal == pytest.approx(np.mean(optimal))
        assert its.regret == pytest.approx(np.mean(regrets))


def test_many_rules_are_worth_what_each_is() -> None:
    once = [named.rule for named in parse(RULES).program.rules]
    rules = once * (2 * TOGETHER // len(once) + 1)
    few, many = worth(plan(once), Rules(2, 1)), worth(plan(rules), Rules(2, 1))
    assert len(many) == len(rules) > 2 * TOGETHER
    for number, its in enumerate(many):
        first = few[number % len(once)]
        assert its == (first if number < len(once) else replace(first, acts=0))


def test_sizes_of_classes_are_counted_right() -> None:
    board = Rules(2, 2)
    colours = np.empty((2, board.boxes), dtype=np.int64)
    forms = [int(signature(mask, colours, board_of(board))) for mask in range(1 << board.edges)]
    sizes = [forms.count(forms[mask]) for mask in classes(board).positions.tolist()]
    assert class_sizes(board).tolist() == sizes


@compiled_only
def test_the_printed_specific_rule_is_worth_nine_boxes() -> None:
    """Its learned value is 8.99 of nine boxes; it matches 32 positions of 2^24, and has the only good edge there."""
    board = Rules(3, 3)
    assert class_sizes(board).sum() == 1 << 24
    path = data_folder("programs") / "dots_and_boxes" / "printed.rules"
    (specific,) = [named for named in parse(path.read_text(encoding="utf-8")).program.rules if named.q]
    searches = plan([specific.rule])
    (its,) = worth(searches, board)
    assert (its.positions, its.classes, its.acts) == (32, 1, 32)
    assert (its.mean_value, its.optimal, its.regret) == (9.0, 1.0, 0.0)
    masks = propose(searches, classes(board).positions, board)[:, 0]
    (number,) = np.flatnonzero(masks)
    state = state_of(int(classes(board).positions[number]), board)
    assert perfect(state) == edges_of(int(masks[number]))
    assert len(perfect(state)) == 1
