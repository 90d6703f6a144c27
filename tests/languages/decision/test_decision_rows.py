"""Decision trees over many rows at once: as one by one, and as evolution finds them."""

import numpy as np

from gpkit.core.rng import stream
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.rows import Classification, LabelledRows, hits
from gpkit.genomes.decision import DecisionProgram
from gpkit.genomes.tree import LONE_SECTION
from gpkit.languages.decision.forms.evolution import Settings, representation_of_rows
from gpkit.languages.decision.interpreter import trace
from gpkit.languages.decision.parser import parse
from gpkit.languages.decision.rows import classify, leaf_places, right_by_class
from gpkit_experiments.decision_rows import evolved
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


def test_trees_of_a_generation_are_judged_as_one_by_one() -> None:
    rng = seeded(9)
    columns = np.array([[rng.choice((rng.randint(-1, 8), 3.5, np.nan)) for _ in range(40)] for _ in FEATURES])
    programs = [DecisionProgram((LONE_SECTION,), (random_tree(rng),)) for _ in range(60)]
    leaves = sorted({str(leaf) for program in programs for leaf in program.trees[0].leaves})
    classes, targets = leaves[::2], np.array([rng.randrange(len(leaves[::2])) for _ in range(40)])
    found = right_by_class(programs, FEATURES, columns, targets, classes)
    for program, counts in zip(programs, found, strict=True):
        names, chosen = classify(program, FEATURES, columns)
        right = np.array([str(names[k]) for k in chosen]) == np.array(classes)[targets]
        assert counts.tolist() == np.bincount(targets[right], minlength=len(classes)).tolist()
    assert found.any()


def test_evolution_finds_the_classes_of_rows() -> None:
    columns = stream(1, "columns").uniform(-1.0, 1.0, (3, 120))
    targets = np.where(columns[1] > 0.25, "high", np.where(columns[0] > 0.0, "right", "left"))
    tree = evolved(("a", "b", "c"), columns, tuple(targets.tolist()), 6, 1)
    rows = LabelledRows(("a", "b", "c"), columns, targets)
    assert hits(tree, rows).mean() > 0.9
    assert len(tree.trees[0].leaves) <= 6
    problem = Classification(rows, by_class=True)
    (evaluation,) = problem.evaluate([parse("high").program], 1, 1, SerialExecutor())
    assert evaluation.cases == (1.0, 0.0, 0.0)
    space = representation_of_rows(("a", "b", "c"), columns, ("high", "left", "right"), Settings())
    assert {leaf for n in range(20) for leaf in space.create(stream(n, "c"), n).trees[0].leaves} == set(
        targets
    )
