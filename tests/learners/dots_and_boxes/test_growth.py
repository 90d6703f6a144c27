"""Lists that grow: what candidates are worth is what exact win rates say, and no list wins less often than before."""

from itertools import pairwise

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.learner.growth import Growth, Listed, grow
from gpkit.games.dots_and_boxes.learner.mixture import (
    SOFTNESS,
    Cover,
    Mixture,
    Ranks,
    Stakes,
    TargetRate,
    covers,
    soft_least,
    soft_shares,
)
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.genomes.graph import NamedRule, RuleList
from gpkit.languages.rulegraph.parser import parse
from gpkit_experiments.rule_rates import choices_in, result_of

BOARD = Rules(2, 2)
AIMS = (TargetRate("chain", 0.5), TargetRate("greedy", 0.8))
BEGUN = parse(
    """# level: 1
    take: x_0 w => x_0 - w
    safe: q_0 n => q_0 - n
    give: l_0(2+) w => l_0[1] - w
    never: l_0(4) w : l_1(4) w => l_0 - w
    """.replace("\n    ", "\n")
).program
POOL = parse("x_0 n => x_0 - n\nt_0 n => t_0 - n\nl_0(1+) x_1 => l_0 - x_1\nq_0 w => q_0 - w\n").program


def known(rules: RuleList) -> list[Cover]:
    positions = classes(BOARD).positions
    return covers([each.rule for each in rules.rules], np.arange(len(positions) - 1), positions, BOARD)


def stakes_of(mixture: Mixture, rules: RuleList) -> tuple[Ranks, Stakes, float]:
    ranks = Ranks(known(rules), mixture.legal)
    rates = mixture.rates(ranks.choices, rules)
    assert rates is not None
    return ranks, Stakes(mixture.stakes(ranks.choices, rates), ranks.choices), mixture.score(rates)


def with_rule(rules: RuleList, place: int, named: NamedRule) -> RuleList:
    return RuleList((*rules.rules[:place], named, *rules.rules[place:]))


def test_the_soft_least_is_just_below_the_least_and_follows_its_derivatives() -> None:
    numbers = [0.02, 0.03, 0.2]
    assert min(numbers) - SOFTNESS * np.log(3) <= soft_least(numbers) < min(numbers)
    step = 1e-6
    for k, share in enumerate(soft_shares(numbers)):
        moved = [number + step * (k == place) for place, number in enumerate(numbers)]
        assert (soft_least(moved) - soft_least(numbers)) / step == pytest.approx(share, abs=1e-3)
    assert soft_shares(numbers).sum() == pytest.approx(1)


def test_rates_are_those_of_the_whole_game_and_of_games_on_another_board() -> None:
    mixture = Mixture((*AIMS, TargetRate("greedy", 0.5, Rules(3, 2))), BOARD, games=400, seed=3)
    rates = mixture.rates(choices_in(BEGUN, BOARD), BEGUN)
    assert rates is not None
    assert rates[:2] == pytest.approx(
        [result_of(BEGUN, target_rate.opponent, BOARD).mean for target_rate in AIMS], abs=1e-12
    )
    assert rates[2] == pytest.approx(result_of(BEGUN, "greedy", Rules(3, 2)).mean, abs=0.08)
    assert mixture.rates(choices_in(BEGUN, BOARD), BEGUN, least=1.0) is None


def test_stakes_are_what_a_choice_in_one_class_changes() -> None:
    """No game meets a class twice, so against one opponent the first order is all."""
    mixture = Mixture([TargetRate("chain")], BOARD)
    ranks, stakes, score = stakes_of(mixture, BEGUN)
    rng = stream(4, "stakes")
    for number in stakes.weighty(0.9)[:: max(1, len(stakes.weighty(0.9)) // 20)]:
        edges = [edge for edge in range(BOARD.edges) if int(mixture.legal[number]) >> edge & 1]
        edge = edges[int(rng.integers(len(edges)))]
        changed = ranks.choices.copy()
        changed[number] = 1 << edge
        rates = mixture.rates(changed, BEGUN)
        assert rates is not None
        expected = stakes.edges[number, edge] - stakes.now[number]
        assert mixture.score(rates) - score == pytest.approx(expected, abs=1e-12)


def test_means_are_those_of_plain_numbers() -> None:
    mixture = Mixture(AIMS, BOARD)
    ranks, stakes, _ = stakes_of(mixture, BEGUN)
    for number, mask in enumerate(ranks.choices.tolist()[:-1]):
        edges = [edge for edge in range(BOARD.edges) if mask >> edge & 1]
        expected = sum(stakes.edges[number, edge] for edge in edges) / len(edges)
        assert stakes.now[number] == expected
    assert stakes.now[-1] == 0.0, "nothing is to be drawn at the end"


def test_the_place_of_a_rule_is_the_best_one() -> None:
    mixture = Mixture(AIMS, BOARD)
    ranks, stakes, _ = stakes_of(mixture, BEGUN)
    for named, cover in zip(POOL.rules, known(POOL), strict=True):
        place, gain = ranks.best_place(cover, stakes)
        gains = []
        for before in range(len(BEGUN.rules) + 1):
            choices = Ranks(known(with_rule(BEGUN, before, named)), mixture.legal).choices
            gains.append((stakes.mean(np.arange(len(choices)), choices) - stakes.now).sum())
        assert gains[place] == pytest.approx(gain, abs=1e-12) == pytest.approx(max(gains), abs=1e-12)


def test_losses_are_those_of_lists_with_one_rule_less() -> None:
    mixture = Mixture(AIMS, BOARD)
    ranks, stakes, _ = stakes_of(mixture, BEGUN)
    for place, loss in enumerate(ranks.losses(stakes, mixture.legal)):
        kept = RuleList(BEGUN.rules[:place] + BEGUN.rules[place + 1 :])
        choices = Ranks(known(kept), mixture.legal).choices
        lost = (stakes.now - stakes.mean(np.arange(len(choices)), choices)).sum()
        assert loss == pytest.approx(lost, abs=1e-12)
    assert loss == 0.0, "the last rule never matches"


def test_an_inserted_rule_acts_as_if_it_had_always_been_there() -> None:
    legal = Mixture(AIMS, BOARD).legal
    for place in range(len(BEGUN.rules) + 1):
        ranks = Ranks(known(BEGUN), legal)
        ranks.insert(place, known(POOL)[1])
        whole = Ranks(known(with_rule(BEGUN, place, POOL.rules[1])), legal)
        assert np.array_equal(ranks.acting, whole.acting)
        assert np.array_equal(ranks.choices, whole.choices) and len(ranks.covers) == len(whole.covers)


@pytest.mark.parametrize("most", [pytest.param(3, marks=pytest.mark.release), 12])
def test_a_list_grows_better_step_by_step_and_as_long_as_it_may(most: int) -> None:
    seen: list[Listed] = []
    pool = RuleList((*BEGUN.rules, *POOL.rules))
    growth = Growth(most, nodes=3, rounds=5, seed=1)
    found, rounds = grow(pool, Mixture(AIMS, BOARD), BOARD, growth, watch=lambda _, now: seen.append(now))
    assert rounds == len(seen) == 5 and seen[-1].rates == found.rates
    assert all(after.score >= before.score for before, after in pairwise(seen))
    assert found.score > Mixture(AIMS, BOARD).score(
        [result_of(RuleList(pool.rules[:most]), target_rate.opponent, BOARD).mean for target_rate in AIMS]
    )
    assert len(found.rules) <= most
    assert all(len(each.rule.graph.nodes) <= 3 for each in found.rules)
    rates = [result_of(RuleList(found.rules), target_rate.opponent, BOARD).mean for target_rate in AIMS]
    assert found.rates == pytest.approx(rates, abs=1e-12)
    again, _ = grow(pool, Mixture(AIMS, BOARD), BOARD, growth)
    assert again.rules == found.rules


def test_rules_come_apart_with_names_of_their_own_and_without_those_that_never_act() -> None:
    pool = RuleList((*BEGUN.rules, *(NamedRule(each.rule, "take", joined=True) for each in POOL.rules)))
    found, _ = grow(pool, Mixture(AIMS, BOARD), BOARD, Growth(12, 25, 0, 1))
    assert [each.name for each in found.rules] == ["take", "safe", "give", "", ""]
    assert not any(each.joined for each in found.rules)
    assert [each.rule for each in found.rules[3:]] == [POOL.rules[place].rule for place in (1, 3)]
    assert len(found.covers) == len(found.rules)
    rates = [result_of(RuleList(found.rules), target_rate.opponent, BOARD).mean for target_rate in AIMS]
    assert found.rates == pytest.approx(rates, abs=1e-12)
