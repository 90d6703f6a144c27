"""Rules of the source's learner at the end of a run: their coverage, their order, and what f and Q stand for.

    nice python -m gpkit_experiments.learned_populations

Each run of constant beta is kept in ``experiments/data/populations-dots-and-boxes.json`` as soon as it is over. Then
its rules play on as they are, and nothing is learned any more: that is what f and Q are compared with. What the numbers
should show is laid down in ``papers.dots_and_boxes.population_rows``.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.files import write_atomic
from gpkit.core.rng import below, stream
from gpkit.core.settings import to_data
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.exact import TOGETHER, choices_of_plan, result
from gpkit.games.dots_and_boxes.learner.config import PRESETS
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.games import play
from gpkit.games.dots_and_boxes.learner.learner import KEYS, RULES, Learner
from gpkit.games.dots_and_boxes.rule_lists import propose
from gpkit.genomes.graph import RuleList
from gpkit.matching.plan import plan_of

FILE = Path(__file__).resolve().parents[1] / "data" / "populations-dots-and-boxes.json"
COMMAND = "python -m gpkit_experiments.learned_populations"

SEEDS = range(17_201, 17_211)
"""Named before any of these runs was made."""

CONFIG = replace(PRESETS["constant"], games=100_000)

GAMES = 50_000
"""Games that rules play on without learning."""

OFTEN = 10
"""Q is compared with the rewards of rules that act in at least so many of these games."""

SHARES = (0.5, 0.1)
"""Shares of the classes of positions in which rules may still act."""

LEAST_GAIN = 1e-6
"""A rule stays where it is if all decisions together gain no more than this by its going elsewhere."""

BETAS = (0.1, 10.0)
"""The least weight of quality of the source's schedules, and that of the constant one."""

Floats = NDArray[np.float64]


def played_on(learner: Learner) -> tuple[NDArray[np.int32], Floats]:
    """Games of the rules as they are.

    Returns:
        The decisions of the learner, int32 (decisions, 3): the game, the class, and the slot of the rule that acted;
        and the reward of each game, float64 (games,).
    """
    settings = learner.world.settings._replace(rate=0.0, forgetting=0.0, few=0)
    world = learner.world._replace(settings=settings)
    totals, key = learner.record.totals, below(stream(learner.config.seed, "played on"), KEYS)
    found, rewards = [], []
    for game in range(GAMES):
        totals[at.IN_BATCH] = 0
        before = totals[at.REWARDS]
        access = learner.rules.arrays.access.copy()
        play(game, 1, key, CONFIG.choice.beta, world)
        learner.rules.arrays.access[:] = access
        rows = learner.record.decisions[: int(totals[at.IN_BATCH])]
        found.append(
            np.column_stack((np.full(len(rows), game), rows[:, at.AT_CLASS], rows[:, at.AT_SLOT])).astype(
                np.int32
            )
        )
        rewards.append(float(totals[at.REWARDS] - before))
    return np.concatenate(found), np.array(rewards)


def proposals(learner: Learner, met: NDArray[np.int32]) -> NDArray[np.int64]:
    """Edges that each rule proposes in classes, as masks, int64 (classes, rules), the rules by quality."""
    plan, positions = plan_of(learner.rules.as_list()), classes(RULES).positions[met]
    found = np.zeros((len(met), len(plan)), dtype=np.int64)
    for first in range(0, len(plan), TOGETHER):
        found[:, first : first + TOGETHER] = propose(plan[first : first + TOGETHER], positions, RULES)
    return found


def rank_correlation(one: Floats, other: Floats) -> float:
    """The correlation of ranks, equal numbers sharing theirs; 0 where one side does not vary."""

    def ranks(values: Floats) -> Floats:
        _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
        ends = np.cumsum(counts)
        return (ends - (counts - 1) / 2.0)[place]

    first, second = ranks(one), ranks(other)
    if min(np.ptp(first), np.ptp(second)) == 0.0:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


def covered_rates(learner: Learner) -> dict[str, float]:
    """Exact win rates of the greedy player where its rules act in a random share of the classes, else any edge."""
    environment = learner.environment
    masks = choices_of_plan(plan_of(learner.rules.as_list()), RULES)
    legal = environment.classes.legal
    order = stream(learner.config.seed, "silent classes").random(len(masks))
    found = {"1": result(masks, environment.replies, RULES).mean}
    for share in SHARES:
        found[str(share)] = result(np.where(order < share, masks, legal), environment.replies, RULES).mean
    return found


def true_values(environment: at.Environment) -> at.Critic:
    """Values of all classes against the opponent, for who draws the best edge from here on."""
    count = len(environment.classes.successors)
    own, other = np.zeros(count), np.zeros(count)
    for number in reversed(range(count - 1)):
        edges = np.flatnonzero(environment.classes.successors[number] >= 0)
        after, closed = (
            environment.classes.successors[number, edges],
            environment.classes.closed[number, edges],
        )
        assert (after > number).all(), "what follows upon a class comes after it"
        own[number] = np.where(closed > 0, closed + own[after], other[after]).max()
        drawn = (environment.replies[number] >> edges & 1).astype(bool)
        other[number] = np.where(closed > 0, other[after] - closed, own[after])[drawn].mean()
    return at.Critic(own, other, np.ones(count, dtype=np.int64))


def reordered_rate(
    learner: Learner,
    proposed: NDArray[np.int64],
    met: NDArray[np.int32],
    times: NDArray[np.int64],
    known: at.Critic,
) -> float:
    """The exact win rate of the same rules where each has gone to where the games played on gain most by it."""
    environment = learner.environment
    after, closed = environment.classes.successors[met], environment.classes.closed[met]
    edges = np.where(closed > 0, closed + known.own[after], known.other[after])
    order = best_order(
        mean_values(proposed, edges), mean_values(environment.classes.legal[met, None], edges)[:, 0], times
    )
    rules = learner.rules.as_list().rules
    masks = choices_of_plan(plan_of(RuleList(tuple(rules[rule] for rule in order))), RULES)
    return float(result(masks, environment.replies, RULES).mean)


def mean_values(masks: NDArray[np.int64], edges: Floats) -> Floats:
    """The mean value of the edges of each mask by the values of edges, float64 (classes, masks); NaN for none."""
    sums, counts = np.zeros(masks.shape), np.zeros(masks.shape)
    for edge in range(edges.shape[1]):
        drawn = (masks >> edge & 1).astype(bool)
        sums += np.where(drawn, edges[:, edge, None], 0.0)
        counts += drawn
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def best_order(values: Floats, unguided: Floats, times: NDArray[np.int64]) -> list[int]:
    """The order of rules after each, one after the other, has gone to where decisions gain most by it.

    Args:
        values: float64 (classes, rules): what a rule is worth where it acts, NaN where it does not match; the rules in
            the order in which they are.
        unguided: float64 (classes,): what it is worth that none acts.
        times: int64 (classes,): how many decisions there are in each.
    """
    order = list(range(values.shape[1]))
    for rule in range(values.shape[1]):
        here = order.index(rule)
        order.remove(rule)
        rows = np.flatnonzero(~np.isnan(values[:, rule]))
        others = np.column_stack((values[rows][:, order], unguided[rows]))
        acting = (~np.isnan(others)).argmax(axis=1)
        more = times[rows] * (values[rows, rule] - others[np.arange(len(rows)), acting])
        gains = np.bincount(acting, more, len(order) + 1)[::-1].cumsum()[::-1]
        best = len(order) - int(gains[::-1].argmax())
        order.insert(best if gains[best] > gains[here] + LEAST_GAIN else here, rule)
    return order


def unsteadiness(
    matched: NDArray[np.bool_], quality: Floats, times: NDArray[np.int64], beta: float
) -> Floats:
    """Variation of the chance of the best rule over decisions, as a share of its mean: of the ten best, of all."""
    guided = matched.any(axis=1)
    weights, often = np.exp(beta * (quality - quality.max())), times[guided]
    chances = np.array([chances_of_best(row, weights) for row in matched[guided]])
    means = np.average(chances, axis=0, weights=often)
    spread: Floats = np.sqrt(np.average((chances - means) ** 2, axis=0, weights=often)) / means
    return spread


def chances_of_best(matched: NDArray[np.bool_], weights: Floats) -> tuple[float, float]:
    """The chances of the best rule that matches: among the best few, and among all."""
    here = weights[matched]
    return float(here[0] / here[: CONFIG.choice.best].sum()), float(here[0] / here.sum())


def measured(seed: int, known: at.Critic) -> dict[str, Any]:
    """The run of a seed, and what its rules are like."""
    learner = Learner(replace(CONFIG, seed=seed))
    while learner.games < CONFIG.games:
        learner.play_batch()
    covered = covered_rates(learner)
    decisions, rewards = played_on(learner)
    met, times = np.unique(decisions[:, 1], return_counts=True)
    proposed, slots = proposals(learner, met), learner.rules.by_quality()
    matched = proposed != 0
    quality, access = (column[slots] for column in learner.rules.arrays[2:4])
    acting = np.unique(decisions[decisions[:, 2] >= 0][:, [0, 2]], axis=0)
    uses = np.bincount(acting[:, 1], minlength=slots.max() + 1)[slots]
    sums = np.bincount(acting[:, 1], weights=rewards[acting[:, 0]], minlength=slots.max() + 1)[slots]
    judged = np.flatnonzero(uses >= OFTEN)
    expected = sums[judged] / uses[judged]
    seldom = access[judged] < np.median(access[judged])
    often = (times @ matched).astype(np.float64)
    found = {
        "covered": {share: round(value, 6) for share, value in covered.items()},
        "niches": round(rank_correlation(access, often), 6),
        "niches, f exchanged": round(
            rank_correlation(stream(seed, "exchanged").permutation(access), often), 6
        ),
        "judged": len(judged),
        "seldom": qualities(quality[judged][seldom], expected[seldom]),
        "often": qualities(quality[judged][~seldom], expected[~seldom]),
        "unsteady": {
            str(beta): [round(float(each), 6) for each in unsteadiness(matched, quality, times, beta)]
            for beta in BETAS
        },
    }
    return found | {"reordered": round(reordered_rate(learner, proposed, met, times, known), 6)}


def qualities(quality: Floats, expected: Floats) -> dict[str, float]:
    """Correlation of Q with the mean reward of the games in which a rule acts, and its excess over it."""
    return {
        "correlation": round(rank_correlation(quality, expected), 6),
        "above": round(float((quality - expected).mean()), 6),
    }


def main() -> None:
    """Make the runs that are missing."""
    data: dict[str, Any] = {
        "schema": "gpkit/populations/1",
        "command": COMMAND,
        "config": to_data(CONFIG),
        "games": GAMES,
        "runs": {},
    }
    if FILE.exists():
        kept = json.loads(FILE.read_text(encoding="utf-8"))
        data = kept if {**kept, "runs": {}} == data else data
    known = true_values(Learner(CONFIG).environment)
    for seed in SEEDS:
        if str(seed) not in data["runs"]:
            data["runs"][str(seed)] = measured(seed, known)
            write_atomic(FILE, json.dumps(data, indent=1) + "\n")
            sys.stdout.write(f"{seed}: {data['runs'][str(seed)]}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
