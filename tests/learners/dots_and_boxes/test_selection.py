"""Short lists chosen by their exact win rates: the rates are those of the game, nothing is kept that does not help."""

from itertools import pairwise

import pytest

from gpkit.core.rng import stream
from gpkit.games.dots_and_boxes.learner.selection import Ascent, Duel, change, proposals, select
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.genomes.graph import NamedRule, RuleList
from gpkit.languages.rulegraph.parser import parse
from gpkit_experiments.rule_rates import result_of

BOARD = Rules(2, 2)
POOL = parse(
    """# level: 1
    take: x_0 w => x_0 - w
    take-from-box: x_0 n => x_0 - n
    deal: l_0(1) x_1 n : l_2(2+) w => l_0 - n
    safe: q_0 n => q_0 - n
    between: q_0 q_1 => q_0 - q_1
    border: t_0 n => t_0 - n
    give: l_0(1+) w => l_0 - w
    give-inside: l_0(2+) w => l_0[1] - w
    never: l_0(4) w : l_1(4) w => l_0 - w
    early: q_0 w ; !x_1 w => q_0 - w
    """.replace("\n    ", "\n")
).program


def listed(order: tuple[int, ...]) -> RuleList:
    return RuleList(tuple(POOL.rules[place] for place in order))


def orders() -> list[tuple[int, ...]]:
    rng = stream(5, "orders")
    order: tuple[int, ...] = ()
    found = [order]
    for _ in range(60):
        order = change(rng, order, len(POOL.rules), 6)
        found.append(order)
    return found


@pytest.mark.parametrize("board", [BOARD, pytest.param(Rules(3, 2), marks=pytest.mark.release)], ids=str)
@pytest.mark.parametrize("opponent", ["chain", "random"])
def test_rates_are_those_of_the_whole_game(board: Rules, opponent: str) -> None:
    duel = Duel(proposals(POOL, board), opponent, board)
    for order in orders():
        rate = result_of(listed(order), opponent, board).mean
        assert duel.play(order) == duel.rate == pytest.approx(rate, abs=1e-12)


def test_lists_differ_where_they_choose_otherwise_in_a_class_that_is_met() -> None:
    duel = Duel(proposals(POOL, BOARD), "chain", BOARD)
    duel.play((0, 3))
    assert not duel.differs((0, 3))
    assert not duel.differs((0, 3, 8)), "a rule that never matches"
    assert not duel.differs((8, 0, 1, 3)), "a rule that is never first"
    assert duel.differs((0, 5))
    assert duel.differs(())


def test_changes_are_of_one_rule_and_no_list_is_too_long() -> None:
    found = orders()
    assert max(map(len, found)) == 6
    lengths = {len(after) - len(before) for before, after in pairwise(found)}
    assert lengths == {-1, 0, 1}
    for before, after in pairwise(found):
        assert len(set(after) - set(before)) <= 1


def test_what_is_chosen_wins_and_needs_all_of_its_rules() -> None:
    found = select(POOL, ["chain", "greedy"], BOARD, Ascent(5, 400, 1))
    assert found == select(POOL, ["chain", "greedy"], BOARD, Ascent(5, 400, 1))
    rules = [named.rule for named in found.rules.rules]
    assert 0 < len(rules) <= 5

    def rates(kept: list[object]) -> list[float]:
        mine = RuleList(tuple(NamedRule(rule) for rule in rules if rule in kept))
        return [result_of(mine, name, BOARD).mean for name in ("chain", "greedy")]

    assert rates(rules) == pytest.approx(found.rates, abs=1e-12)
    assert sum(rates(rules)) > sum(rates([])) + 0.5
    for rule in rules:
        assert sum(rates([other for other in rules if other != rule])) < sum(found.rates)


def test_a_refined_list_wins_at_least_as_often_as_that_it_began_with() -> None:
    begun = [result_of(POOL, name, BOARD).mean for name in ("chain", "greedy")]
    kept, *_, found = (
        select(POOL, ["chain", "greedy"], BOARD, Ascent(10, steps, 2, refine=True)) for steps in (1, 3, 300)
    )
    assert sum(kept.rates) >= sum(begun) - 1e-12
    assert sum(found.rates) > sum(begun)
    assert len(select(POOL, ["chain"], BOARD, Ascent(4, 1, 2, refine=True)).rules.rules) <= 4
