"""The first look at the columns of a wide table: what it finds, what it changes, and what it leaves as it is."""

from collections import Counter

import numpy as np
import pytest

import gpkit
from gpkit.core.rng import stream
from gpkit.data.first_look import LOOKED_AT, WIDE, further_chances, likeliest_columns
from gpkit.evolution.fitting import sample_of
from gpkit.genomes.tree import random_leaf
from gpkit.languages.arithmetic.forms.fitting import representation_of_columns

NORMAL = stream(1, "first look").normal(size=(200, 300))


def alphabet(columns: int, classes: int = 0) -> object:
    targets = np.arange(300.0) % classes if classes else NORMAL[7] + NORMAL[9]
    names = [f"f{place}" for place in range(columns)]
    sample = sample_of(names, NORMAL[:columns], targets)
    return representation_of_columns(sample, ["+"], None, 20, [f"c{k}" for k in range(classes)]).alphabet


def test_what_rises_comes_first_and_noise_does_not_matter() -> None:
    targets = np.exp(NORMAL[31]) + 0.1 * NORMAL[0]
    assert likeliest_columns(NORMAL, targets[None, :])[0] == 31


def test_a_step_that_ranks_do_not_see_comes_first() -> None:
    inside = (np.abs(NORMAL[52]) < 0.3).astype(np.float64)
    ranks = [abs(np.corrcoef(np.argsort(np.argsort(each)), inside)[0, 1]) for each in NORMAL]
    assert np.argmax(ranks) != 52
    assert 52 in likeliest_columns(NORMAL, (10.0 * inside + NORMAL[0])[None, :])[:3]


def test_each_class_counts() -> None:
    classes = np.where(NORMAL[5] > 1.0, 2.0, (NORMAL[6] > 0.0).astype(np.float64))
    marks = (np.arange(3)[:, None] == classes).astype(np.float64)
    assert {5, 6} == {*likeliest_columns(NORMAL, marks)[:2].tolist()}


def test_ties_and_equal_columns_come_in_their_order() -> None:
    columns = np.ones((4, 6))
    columns[2] = [0, 0, 0, 1, 1, 1]
    assert likeliest_columns(columns, columns[2:3]).tolist() == [2, 0, 1, 3]


def test_a_long_table_is_looked_at_in_parts() -> None:
    column = np.arange(3.0 * LOOKED_AT)
    columns = np.stack([np.where(column % 3.0 == 0.0, 0.0, column), column % 7.0, column])
    assert likeliest_columns(columns, column[None, :]).tolist() == [2, 1, 0]


def test_small_tables_keep_their_chances() -> None:
    assert alphabet(WIDE).again == ()
    assert alphabet(WIDE + 1).again != ()


def test_the_best_column_and_constants_are_drawn_most() -> None:
    wide = alphabet(200)
    drawn = Counter(
        "constant" if isinstance(leaf, float) else leaf
        for leaf in (random_leaf(stream(place, "leaf"), wide) for place in range(4000))
    )
    assert {name for name, _ in drawn.most_common(3)} == {"f7", "f9", "constant"}
    assert 0.06 < drawn["f7"] / 4000 < 0.14
    assert len(drawn) > 195


def test_half_of_the_chances_or_fewer_go_by_the_order() -> None:
    for columns in (WIDE + 1, 977, 5000):
        assert 0.5 < len(further_chances(np.arange(columns))) / columns <= 1.0


@pytest.mark.parametrize("kind", [None, pytest.param("tree", marks=pytest.mark.release)])
def test_any_number_of_workers_gives_the_same_run(kind: str | None) -> None:
    table = {f"f{place}": column[:60] for place, column in enumerate(NORMAL[:120])}
    table["y"] = table["f7"] + 0.5 * table["f100"]
    settings = {"kind": kind} if kind else {}
    one, two = (
        gpkit.fit(table, "y", seed=3, generations=2, population=40, workers=workers, **settings).run.digest
        for workers in (1, 2)
    )
    assert one == two
