"""The course of learning: how it plays while it learns, and exactly how its greedy player would play.

The greedy player always follows the rule of highest quality; its win rates on 3x3 boxes are exact.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gpkit.core.codec import Count
from gpkit.gamekit.game import Expected
from gpkit.games.dots_and_boxes.exact import result
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.learning import choose_greedily
from gpkit.games.dots_and_boxes.learner.learner import RULES, Learner, environment_against
from gpkit.genomes.graph import RuleList


@dataclass(frozen=True, slots=True)
class Greedy:
    """A greedy player against an opponent.

    Attributes:
        result: the exact one.
        choices: int64 (classes,): among which edges it chooses in classes that can be met, 0 in others.
        classes: how many classes can be met with the player to draw.
        unknown: in how many of them no rule matches.
    """

    result: Expected
    choices: NDArray[np.int64]
    classes: int
    unknown: int


def greedy(learner: Learner, opponent: str) -> Greedy:
    """The greedy player of a learner in the middle of its games."""
    environment, memory = environment_against(opponent), learner.memory
    count = len(environment.replies)
    reached = np.zeros((count, 2), dtype=np.uint8)
    reached[0] = 1
    masks = np.zeros(count, dtype=np.int64)
    unknown = choose_greedily(environment, learner.graphs, learner.rules.arrays, memory, reached, masks)
    return Greedy(result(masks, environment.replies, RULES), masks, int(reached[:-1, 0].sum()), int(unknown))


@dataclass(frozen=True, slots=True)
class Point:
    """Point of the learning curve: the measurements after so many games.

    Attributes:
        games: played so far.
        online: the share of wins since the last point, a tie half of one.
        greedy: the exact win rate of the greedy player against the opponent of the training.
        unknown: the share of the classes met by the greedy player in which no rule matches.
        activity: the share of decisions since the last point in which a rule acted.
        used: how many different rules acted in a game, on the average since the last point.
        rules: how many there are.
        nodes: of a rule, on the average.
        access: the sum of all f.
        expected_access: what this sum tends to where f grows by 1 with every use: used / forgetting.
    """

    games: Count
    online: float
    greedy: float
    unknown: float
    activity: float
    used: float
    rules: Count
    nodes: float
    access: float
    expected_access: float


def marks(games: int) -> tuple[int, ...]:
    """Numbers of games to measure at: twenty in equal steps, and before that 1, 2, 5 times each power of ten.

    >>> marks(2000)[:6]
    (10, 20, 50, 100, 200, 300)
    """
    early = {m * 10**k for m in (1, 2, 5) for k in range(1, 8) if m * 10**k * 20 < games}
    return tuple(sorted({*early, *(max(games * k // 20, 1) for k in range(1, 21))}))


@dataclass(frozen=True, slots=True, eq=False)
class LearningCourse:
    """Course of learning so far.

    Attributes:
        points: what was measured.
        totals: float64 (TOTALS,): the sums over all games at the last point, see ``kernel.tables``.
        best: the rules at the best point, by quality.
    """

    points: tuple[Point, ...] = ()
    totals: NDArray[np.float64] = field(default_factory=lambda: np.zeros(at.TOTALS))
    best: RuleList = field(default_factory=lambda: RuleList(()))

    @property
    def best_point(self) -> Point:
        """The point of the highest rate of the greedy player, of equal ones the first."""
        return max(self.points, key=lambda point: point.greedy)


def learn(
    learner: Learner,
    points: Iterable[int],
    *,
    course: LearningCourse | None = None,
    report: Callable[[LearningCourse], None] = lambda course: None,
    stop: Callable[[], bool] = lambda: False,
) -> LearningCourse:
    """Play games of a learner, and measure it after so many games each, rounded up to whole batches; once after each.

    Args:
        learner: one that has not played yet, or that of the course.
        points: after how many games, ascending.
        course: so far.
        report: called with the course at every point.
        stop: asked between batches whether to stop here.
    """
    course = LearningCourse() if course is None else course
    for mark in points:
        if course.points and mark <= course.points[-1].games:
            continue
        while learner.games < mark:
            if stop():
                return course
            learner.play_batch()
        totals = learner.record.totals.copy()
        point = _point(learner, totals - course.totals)
        better = not course.points or point.greedy > course.best_point.greedy
        best = learner.rules.as_list() if better else course.best
        course = LearningCourse((*course.points, point), totals, best)
        report(course)
    return course


def _point(learner: Learner, since: NDArray[np.float64]) -> Point:
    player = greedy(learner, learner.config.opponent)
    live = learner.rules.live()
    sizes = [len(rule.graph.nodes) for rule in learner.rules.rules if rule is not None]
    used = float(since[at.USED] / since[at.GAMES])
    return Point(
        games=learner.games,
        online=float(since[at.WINS] / since[at.GAMES]),
        greedy=player.result.mean,
        unknown=player.unknown / max(player.classes, 1),
        activity=float(since[at.GUIDED] / since[at.DECISIONS]),
        used=used,
        rules=len(live),
        nodes=float(np.mean(sizes)) if sizes else 0.0,
        access=float(learner.rules.arrays.access[live].sum()),
        expected_access=used / learner.config.reward.forgetting,
    )
