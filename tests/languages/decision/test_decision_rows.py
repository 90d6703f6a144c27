"""Decision trees over many rows at once: as one by one, and as evolution finds them."""

import numpy as np

from gpkit.core.rng import stream
from gpkit.languages.decision.compiler import leaf_places
from gpkit.languages.decision.interpreter import trace
from gpkit_experiments.decision_rows import SHARES, Classification, evolved
from tests.decision_trees import FEATURES, random_tree, seeded


def test_rows_at_once_are_rows_one_by_one() -> None:
    rng = seeded(8)
    columns = np.array([[rng.choice((rng.randint(-1, 8), 3.5, np.nan)) for _ in range(40)] for _ in FEATURES])
    for _ in range(100):
        tree = random_tree(rng)
        places = leaf_places(tree, FEATURES, columns)
        numbers = stream(0, "rows").random((tree.draws, 40)) if tree.draws else np.empty((0, 40))
        for row in range(40):
            env = dict(zip(FEATURES, columns[:, row].tolist(), strict=True))
            way = trace(tree, env, iter(numbers[:, row].tolist()).__next__)
            assert way[-1].position == places[row]


def test_evolution_finds_the_classes_of_rows() -> None:
    columns = stream(1, "columns").uniform(-1.0, 1.0, (3, 120))
    targets = np.where(columns[1] > 0.25, "high", np.where(columns[0] > 0.0, "right", "left"))
    tree = evolved(("a", "b", "c"), columns, tuple(targets.tolist()), 6, 1)
    problem = Classification(("a", "b", "c"), columns, targets)
    assert problem.hits(tree).mean() > 0.9
    assert len(tree.trees[0].leaves) <= 6
    space = problem.search(6, SHARES, 1).representation
    assert {leaf for n in range(20) for leaf in space.create(stream(n, "c"), n).trees[0].leaves} == set(
        targets
    )
