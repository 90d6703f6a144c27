"""The evolutionary breaker, compiled: ``collecting`` says what it means."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.mastermind.arrays import bits_of, read_only
from gpkit.games.mastermind.codes import Code
from gpkit.games.mastermind.collecting import SCORES, Settings, first_code
from gpkit.games.mastermind.kernel import evolving as at
from gpkit.games.mastermind.kernel.rollout import ADDED, MOST, Rollout, Scoring
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.parts import fewness
from gpkit.games.mastermind.rules import Turn


def guess(turns: Sequence[Turn], rules: Rules, settings: Settings, key: int) -> Code:
    """Guess after these turns; see ``collecting.guess_readable``, which gives the same code."""
    if not turns:
        return first_code(rules)
    assert settings.children >= settings.population, "the search begins with a whole population"
    cost, penalty = SCORES[settings.score]
    facts = np.zeros(at.FACTS, dtype=np.int64)
    facts[[at.KEY, at.TURN, at.COLOURS, at.REPEATS]] = key, len(turns), rules.colours, rules.repeats
    facts[[at.POPULATION, at.COLLECTED]] = settings.population, settings.collected
    facts[[at.PATIENCE, at.CHILDREN]] = settings.patience, settings.children
    facts[[at.ELITE, at.PROBES, at.ROLLOUTS]] = settings.elite, settings.probes, settings.rollouts
    told = [(turn.feedback.black, turn.feedback.black + turn.feedback.white) for turn in turns]
    asked = bits_of([turn.guess for turn in turns], rules)
    count = settings.population + settings.collected + settings.elite + 2
    rows = at.Rows(
        np.empty((count, rules.length), dtype=np.int64),
        np.empty((count, asked.shape[1]), dtype=np.int64),
        np.empty(count, dtype=np.int64),
    )
    row = at.guess(
        asked,
        np.array(told, dtype=np.int64),
        Scoring(
            MOST if cost is fewness else ADDED,
            penalty,
            increments(settings.score, settings.collected),
            np.empty(rules.answers, dtype=np.int32),
        ),
        at.Breeding(
            facts,
            np.array((settings.fresh, *settings.mutations)),
            np.empty(1, dtype=np.int64),
            np.empty(rules.colours, dtype=np.int64),
        ),
        rows,
        Rollout(
            np.empty((settings.collected, asked.shape[1]), dtype=np.int64),
            np.empty(settings.collected, dtype=np.int64),
            np.empty(settings.collected, dtype=np.int64),
            np.empty(settings.collected, dtype=np.int64),
            np.empty(rules.answers + 1, dtype=np.int64),
            np.empty((settings.collected, 2), dtype=np.int64),
        ),
    )
    return tuple(rows.pegs[row].tolist())


@lru_cache(maxsize=8)
def increments(score: str, most: int) -> NDArray[np.int64]:
    """By how much a cost grows when a part of each size below ``most`` gets one more: int64 (most,), read-only."""
    cost = SCORES[score][0]
    costs = np.array([0, *(cost([size]) for size in range(1, most + 1))], dtype=np.int64)
    return read_only(costs[1:] - costs[:-1])
