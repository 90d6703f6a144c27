"""Operators on discrete genomes: valid children, parents untouched, same seed same child; all as distributions."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.rng import stream
from gpkit_experiments.papers.mastermind.representation import (
    Domain,
    Genes,
    create,
    is_valid,
    next_value,
    one_alphabet,
    one_point,
    order_crossover,
    permutations_of,
    scramble,
    swap,
    two_point,
    uniform,
)

DRAWS = 12_000

Operator = Callable[[np.random.Generator, Genes, Genes, Domain], Genes]

MUTATIONS: dict[str, Operator] = {
    "scramble": lambda rng, genes, _, domain: scramble(rng, genes, domain),
    "swap": lambda rng, genes, _, domain: swap(rng, genes, domain),
    "next": lambda rng, genes, _, domain: next_value(rng, genes, domain),
}
FREE: dict[str, Operator] = {
    **MUTATIONS,
    "one-point": lambda rng, genes, donor, _: one_point(rng, genes, donor),
    "two-point": lambda rng, genes, donor, _: two_point(rng, genes, donor),
    "two-point anywhere": lambda rng, genes, donor, _: two_point(rng, genes, donor, "any"),
    "uniform": lambda rng, genes, donor, _: uniform(rng, genes, donor),
}
ORDERED: dict[str, Operator] = {
    **MUTATIONS,
    "order": lambda rng, genes, donor, _: order_crossover(rng, genes, donor),
}

FREE_DOMAINS = st.lists(st.integers(1, 5), min_size=1, max_size=9).map(lambda sizes: Domain(tuple(sizes)))
PERMUTED_FORMS = st.integers(1, 9).map(permutations_of)


def assert_distribution(
    draw: Callable[[np.random.Generator], Genes], expected: Mapping[Genes, Fraction]
) -> None:
    """Every child comes up as often as it should, and no other does."""
    assert sum(expected.values()) == 1
    rng = stream(1, "distribution", len(expected))
    counts = Counter(draw(rng) for _ in range(DRAWS))
    assert set(counts) <= set(expected)
    for child, probability in expected.items():
        p = float(probability)
        assert abs(counts[child] - DRAWS * p) <= 5 * (DRAWS * p * (1 - p)) ** 0.5, (child, counts)


def shares(children: list[Genes]) -> dict[Genes, Fraction]:
    """The distribution of a child that is drawn uniformly from this list."""
    return {child: Fraction(count, len(children)) for child, count in Counter(children).items()}


def check(operator: Operator, domain: Domain, seed: int) -> None:
    genes, donor = create(stream(seed, "genes"), domain), create(stream(seed, "donor"), domain)
    assert is_valid(genes, domain)
    before = tuple(genes), tuple(donor)
    child = operator(stream(seed, "test"), genes, donor, domain)
    assert is_valid(child, domain)
    assert (genes, donor) == before
    assert operator(stream(seed, "test"), genes, donor, domain) == child


@pytest.mark.parametrize("name", FREE)
@settings(max_examples=80, deadline=None)
@given(FREE_DOMAINS, st.integers(0, 10**6))
def test_children_of_free_genes_are_valid_and_depend_on_the_seed_alone(
    name: str, domain: Domain, seed: int
) -> None:
    check(FREE[name], domain, seed)


@pytest.mark.parametrize("name", ORDERED)
@settings(max_examples=80, deadline=None)
@given(PERMUTED_FORMS, st.integers(0, 10**6))
def test_children_of_permutations_are_permutations(name: str, domain: Domain, seed: int) -> None:
    check(ORDERED[name], domain, seed)


@settings(max_examples=80, deadline=None)
@given(FREE_DOMAINS, st.integers(0, 10**6))
def test_crossovers_take_every_gene_from_a_parent_at_its_place(domain: Domain, seed: int) -> None:
    genes, donor = create(stream(seed, "genes"), domain), create(stream(seed, "donor"), domain)
    for name in ("one-point", "two-point", "two-point anywhere", "uniform"):
        child = FREE[name](stream(seed, "test"), genes, donor, domain)
        assert all(c in (g, d) for c, g, d in zip(child, genes, donor, strict=True))


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 9), st.integers(0, 10**6))
def test_order_mutations_of_one_alphabet_keep_the_values(length: int, seed: int) -> None:
    domain = one_alphabet(length, 4)
    genes = create(stream(seed, "genes"), domain)
    for name in ("scramble", "swap"):
        assert sorted(FREE[name](stream(seed, "test"), genes, genes, domain)) == sorted(genes)


def test_genomes_that_are_not_of_a_form() -> None:
    assert is_valid((0, 5), Domain((1, 6)))
    assert not is_valid((1, 5), Domain((1, 6)))
    assert not is_valid((-1, 5), Domain((1, 6)))
    assert not is_valid((0,), Domain((1, 6)))
    assert is_valid((2, 0, 1), permutations_of(3))
    assert not is_valid((2, 0, 2), permutations_of(3))


def test_forms_that_cannot_be() -> None:
    for sizes, kind in (((), "free"), ((2, 0), "free"), ((3, 3), "permutation")):
        with pytest.raises(AssertionError):
            Domain(sizes, kind)  # type: ignore[arg-type]


def test_every_genome_is_created_equally_often() -> None:
    own = Domain((2, 3, 4))
    assert_distribution(lambda rng: create(rng, own), shares(list(product(range(2), range(3), range(4)))))
    same = one_alphabet(2, 5)
    assert_distribution(lambda rng: create(rng, same), shares(list(product(range(5), repeat=2))))
    order = permutations_of(4)
    assert_distribution(lambda rng: create(rng, order), shares(list(permutations(range(4)))))


MINE, THEIRS = (0, 0, 0, 0), (1, 1, 1, 1)


def taken(low: int, high: int) -> Genes:
    """The child that has the donor's genes from one cut to another."""
    return MINE[:low] + THEIRS[low:high] + MINE[high:]


def test_one_point_cuts_everywhere_inside() -> None:
    assert_distribution(
        lambda rng: one_point(rng, MINE, THEIRS), shares([taken(cut, 4) for cut in range(1, 4)])
    )


def test_two_points_are_any_pair_of_cuts() -> None:
    inner = [taken(low, high) for low in range(1, 4) for high in range(low + 1, 4)]
    assert_distribution(lambda rng: two_point(rng, MINE, THEIRS), shares(inner))
    anywhere = [taken(low, high) for low in range(5) for high in range(low + 1, 5)]
    assert_distribution(lambda rng: two_point(rng, MINE, THEIRS, "any"), shares(anywhere))


def test_two_genes_are_cut_anywhere() -> None:
    assert_distribution(lambda rng: two_point(rng, (0, 0), (1, 1)), shares([(1, 0), (0, 1), (1, 1)]))


def test_uniform_takes_each_gene_on_its_own() -> None:
    assert_distribution(lambda rng: uniform(rng, MINE, THEIRS), shares(list(product(range(2), repeat=4))))


def test_order_crossover_is_that_of_davis() -> None:
    genes, donor = (0, 1, 2, 3), (3, 1, 0, 2)
    children = []
    for low in range(5):
        for high in range(low + 1, 5):
            kept = genes[low:high]
            rest = [v for v in donor[high:] + donor[:high] if v not in kept]
            child: list[int | None] = [None] * 4
            child[low:high] = kept
            for place in [*range(high, 4), *range(low)]:
                child[place] = rest.pop(0)
            children.append(tuple(child))
    assert_distribution(lambda rng: order_crossover(rng, genes, donor), shares(children))  # type: ignore[arg-type]


def test_scramble_puts_any_stretch_in_any_order() -> None:
    genes, domain = (0, 1, 2, 3), one_alphabet(4, 4)
    expected: Counter[Genes] = Counter()
    stretches = [(low, end) for low in range(4) for end in range(low + 2, 5)]
    for low, end in stretches:
        orders = list(permutations(genes[low:end]))
        for order in orders:
            expected[genes[:low] + order + genes[end:]] += Fraction(1, len(stretches) * len(orders))
    assert_distribution(lambda rng: scramble(rng, genes, domain), expected)


def test_swap_exchanges_any_pair() -> None:
    genes, children = (0, 1, 2, 3), []
    for one in range(4):
        for other in range(one):
            child = list(genes)
            child[one], child[other] = child[other], child[one]
            children.append(tuple(child))
    assert_distribution(lambda rng: swap(rng, genes, one_alphabet(4, 4)), shares(children))
    own = Domain((4, 5, 4, 4))
    within = [child for child in children if child[1] == 1]
    assert_distribution(lambda rng: swap(rng, genes, own), shares(within))


def test_genes_with_an_alphabet_that_no_other_has_keep_their_places() -> None:
    genes, domain = (3, 1, 0), Domain((4, 2, 3))
    assert swap(stream(1, "alone"), genes, domain) == genes
    assert scramble(stream(1, "alone"), genes, domain) == genes


def test_next_value_goes_round() -> None:
    genes, domain = (0, 2, 2), Domain((2, 3, 4))
    assert_distribution(lambda rng: next_value(rng, genes, domain), shares([(1, 2, 2), (0, 0, 2), (0, 2, 3)]))
    order = (2, 0, 1)
    assert_distribution(
        lambda rng: next_value(rng, order, permutations_of(3)), shares([(0, 2, 1), (2, 1, 0), (1, 0, 2)])
    )


def test_one_gene_alone() -> None:
    genes, domain = (1,), Domain((3,))
    for name in ("scramble", "swap", "one-point"):
        assert FREE[name](stream(1, "alone"), genes, (2,), domain) == genes
    assert order_crossover(stream(1, "alone"), (0,), (0,)) == (0,)
