"""Rows of genes as genomes: creation, operators and chains of them, limits and text."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Literal

import numpy as np

from gpkit.core.diagnostics import Diagnostic, SourceError, Span
from gpkit.core.header import MARK, print_header
from gpkit.core.rng import Draws, below
from gpkit.evolution.schemes import Shares
from gpkit.evolution.section_operators import Operated
from gpkit.genomes.program_operators import Child

Genes = tuple[int, ...]
"""A genome: gene k is an integer of 0 … size of its alphabet − 1."""

Kind = Literal["free", "permutation"]
"""Whether genes are independent of each other, or all different."""

Cuts = Literal["inner", "any"]
"""Range of two cuts: at two different places between genes, or before the first and after the last one, too."""


@dataclass(frozen=True, slots=True)
class Domain:
    """Domain of genomes: the genes and their values.

    Attributes:
        sizes: the number of values of each gene.
        kind: whether the genes are all different; then each has as many values as there are genes.
    """

    sizes: tuple[int, ...]
    kind: Kind = "free"

    def __post_init__(self) -> None:
        assert self.sizes, "at least one gene"
        assert all(size >= 1 for size in self.sizes), "at least one value for each gene"
        assert self.kind == "free" or set(self.sizes) == {len(self.sizes)}, "as many values as genes"

    def __len__(self) -> int:
        """The number of genes."""
        return len(self.sizes)


def one_alphabet(length: int, size: int) -> Domain:
    """Genomes of ``length`` genes that share an alphabet of ``size`` values."""
    return Domain((size,) * length)


def permutations_of(length: int) -> Domain:
    """Genomes that are permutations of 0 … ``length`` − 1."""
    return Domain((length,) * length, "permutation")


def is_valid(genes: Genes, domain: Domain) -> bool:
    """Whether a genome is of that domain."""
    if len(genes) != len(domain) or not all(0 <= g < n for g, n in zip(genes, domain.sizes, strict=True)):
        return False
    return domain.kind == "free" or len(set(genes)) == len(genes)


def create(rng: Draws, domain: Domain) -> Genes:
    """A random genome; all are equally likely."""
    if domain.kind == "permutation":
        return tuple(_shuffled(rng, range(len(domain))))
    return tuple([below(rng, size) for size in domain.sizes])


def _shuffled(rng: Draws, values: Sequence[int]) -> list[int]:
    """The values in random order (Fisher and Yates)."""
    shuffled = list(values)
    for last in range(len(shuffled) - 1, 0, -1):
        other = below(rng, last + 1)
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled


def one_point(rng: Draws, genes: Genes, donor: Genes) -> Genes:
    """The genes up to a cut, and from there on the donor's; every place between two genes is equally likely."""
    if len(genes) < 2:
        return genes
    cut = 1 + below(rng, len(genes) - 1)
    return genes[:cut] + donor[cut:]


def two_point(rng: Draws, genes: Genes, donor: Genes, cuts: Cuts = "inner") -> Genes:
    """The genes with those between two cuts from the donor; every pair of different cuts is equally likely.

    Where there are no two inner places (fewer than three genes), cuts fall anywhere.
    """
    low, high = _cuts(rng, len(genes), cuts if len(genes) > 2 else "any")
    return genes[:low] + donor[low:high] + genes[high:]


def _cuts(rng: Draws, length: int, cuts: Cuts) -> tuple[int, int]:
    """Two different places, the lower first: 0 is before the first gene, ``length`` after the last."""
    first, count = (1, length - 1) if cuts == "inner" else (0, length + 1)
    low, high = _pair(rng, count)
    return first + low, first + high


def _pair(rng: Draws, count: int) -> tuple[int, int]:
    """Two different numbers below ``count``, the lower first; every pair is equally likely."""
    one, other = below(rng, count), below(rng, count - 1)
    other += other >= one
    return min(one, other), max(one, other)


def uniform(rng: Draws, genes: Genes, donor: Genes) -> Genes:
    """Every gene is the donor's with probability ½, each on its own."""
    return tuple([theirs if rng.random() < 0.5 else mine for mine, theirs in zip(genes, donor, strict=True)])


def order_crossover(rng: Draws, genes: Genes, donor: Genes) -> Genes:
    """A permutation: what stands between two cuts stays, the rest follows in the order that the donor has it.

    The order crossover of L. Davis, "Applying adaptive algorithms to epistatic domains", IJCAI 1985: from the second
    cut on and around the end, both the free places and the donor are gone through.
    """
    length = len(genes)
    low, high = _cuts(rng, length, "any")
    kept = set(genes[low:high])
    around = [donor[(high + k) % length] for k in range(length)]
    rest = [value for value in around if value not in kept]
    tail = length - high
    return (*rest[tail:], *genes[low:high], *rest[:tail])


def scramble(rng: Draws, genes: Genes, domain: Domain) -> Genes:
    """A stretch of at least two genes is in random order, perhaps the old one; every stretch is equally likely.

    Genes change places only with those of an equally large alphabet. (Cabana and Túpac, section III.A: Desorden.)
    """
    if len(genes) < 2:
        return genes
    first, last = _pair(rng, len(genes))
    child = list(genes)
    for size in dict.fromkeys(domain.sizes[first : last + 1]):
        places = [k for k in range(first, last + 1) if domain.sizes[k] == size]
        for place, value in zip(places, _shuffled(rng, [genes[k] for k in places]), strict=True):
            child[place] = value
    return tuple(child)


def swap(rng: Draws, genes: Genes, domain: Domain) -> Genes:
    """Two genes have changed places; of those with equally large alphabets every pair is equally likely.

    (Cabana and Túpac, section III.A: mutation by position.)
    """
    sizes, length = domain.sizes, len(genes)
    if len(set(sizes)) == 1:
        if length < 2:
            return genes
        low, high = _pair(rng, length)
    else:
        pairs = [(i, k) for k in range(length) for i in range(k) if sizes[i] == sizes[k]]
        if not pairs:
            return genes
        low, high = pairs[below(rng, len(pairs))]
    return (*genes[:low], genes[high], *genes[low + 1 : high], genes[low], *genes[high + 1 :])


def next_value(rng: Draws, genes: Genes, domain: Domain) -> Genes:
    """One gene has the next value of its alphabet, after the last the first; every gene is equally likely.

    In a permutation the gene that had that value gets the old one. (Cabana and Túpac, section IV.C: Mastermind.)
    """
    place = below(rng, len(genes))
    old = genes[place]
    new = (old + 1) % domain.sizes[place]
    if domain.kind == "permutation":
        exchanged = {old: new, new: old}
        return tuple([exchanged.get(value, value) for value in genes])
    return (*genes[:place], new, *genes[place + 1 :])


CHAIN = "+"
"""Between the names of operators that make one child, each from what the one before made: ``two-point+swap``."""

Mutating = Literal["one", "each"]
"""Whether a child goes through one of the mutations, or through each of them with a probability of its own."""

Operator = Callable[["DiscreteRepresentation", np.random.Generator, Genes, Genes], Genes]


@dataclass(frozen=True, slots=True)
class DiscreteRepresentation(Operated[Genes]):
    """Rows of genes, each a small integer.

    An operator is one of ``operators``, or a chain of them. A genome is written as its values, counted from 1 as in the
    source (L. Cabana and Y. Túpac, section III), with spaces between them.

    Attributes:
        domain: the alphabets.
        cuts: where the cuts of ``two-point`` fall.
    """

    domain: Domain
    cuts: Cuts = "inner"
    suffix: str = field(default=".genes", init=False)

    @property
    def operators(self) -> tuple[str, ...]:
        """The names of the operators that keep genomes of this domain valid."""
        other = FREE if self.domain.kind == "permutation" else ORDERED
        return tuple(name for name in OPERATORS if name not in other)

    def parents(self, operator: str) -> int:
        """Number of parents that an operator, or a chain of them, takes."""
        names = operator.split(CHAIN)
        assert set(names) <= set(self.operators), f"{operator} is not for {self.domain.kind} genes"
        return max(OPERATORS[name][0] for name in names)

    def create(self, rng: np.random.Generator, index: int) -> Genes:
        """A random genome."""
        return create(rng, self.domain)

    def vary(self, rng: np.random.Generator, operator: str, parents: Sequence[Genes]) -> Child[Genes]:
        """The child that an operator makes of its parents, or one operator after the other of a chain."""
        child = parents[0]
        for name in operator.split(CHAIN):
            child = OPERATORS[name][1](self, rng, child, parents[-1])
        changed = [("gene", k) for k, old in enumerate(parents[0]) if child[k] != old]
        return Child(child, tuple(changed))

    def admits(self, genome: Genes) -> bool:
        """Whether a genome is of the domain; no operator of the domain makes another."""
        return is_valid(genome, self.domain)

    def print(self, genome: Genes, header: Mapping[str, str] | None = None) -> str:
        """The genome as a line of numbers."""
        return "\n".join([*print_header(header or {}), " ".join(str(gene + 1) for gene in genome), ""])

    def parse(self, text: str) -> Genes:
        """The genome of a text.

        Raises:
            SourceError: the text is not a genome of the domain.
        """
        words = list(_words(text))
        genes = []
        for (span, word), size in zip(words, self.domain.sizes, strict=False):
            if not re.fullmatch(r"[1-9][0-9]{0,8}", word) or int(word) > size:
                raise _error("E001", f"`{word}` is not a value of this gene", span, text, (f"1 … {size}",))
            if self.domain.kind == "permutation" and int(word) - 1 in genes:
                raise _error("E002", f"`{word}` was there before: every value comes once", span, text)
            genes.append(int(word) - 1)
        if len(words) != len(self.domain):
            span = words[len(genes)][0] if len(words) > len(genes) else Span.at(text, len(text), len(text))
            message = f"{len(words)} genes in place of {len(self.domain)}"
            raise _error("E003", message, span, text, (f"{len(self.domain)} numbers",))
        return tuple(genes)

    def tweak(self, rng: np.random.Generator, genome: Genes, step: float) -> Genes:
        """The genome with the next value at a gene, or two genes exchanged; there is no smaller step."""
        return self.vary(rng, "next" if rng.random() < 0.5 else "swap", [genome]).genome

    def simplify(self, genome: Genes) -> Genes:
        """The genome: every gene matters."""
        return genome


def _words(text: str) -> list[tuple[Span, str]]:
    """The words of a text outside comments, with their places."""
    found = []
    for line in re.finditer(r"[^\n]*", text):
        before = line[0].partition(MARK)[0]
        for word in re.finditer(r"\S+", before):
            start = line.start() + word.start()
            found.append((Span.at(text, start, start + len(word[0])), word[0]))
    return found


def _error(code: str, message: str, span: Span, text: str, expected: tuple[str, ...] = ()) -> SourceError:
    return SourceError(Diagnostic(code, "error", message, span, expected), text, "<text>")


def chains(crossover: tuple[str, float], mutations: Shares, mutating: Mutating = "one") -> Shares:
    """Shares of the children for every chain of a crossover and mutations that can come about; together 1.

    Args:
        crossover: its name, and the share of the children that go through it.
        mutations: with the share of the children that go through each. Where a child goes through ``one`` of them at
            most, they add up to 1 or less; where through ``each`` that its chance gives it, in this order.
        mutating: which of the two.

    >>> chains(("two-point", 1.0), (("swap", 0.25), ("next", 0.75)))
    (('two-point+swap', 0.25), ('two-point+next', 0.75))
    >>> chains(("two-point", 0.0), (("swap", 0.5), ("next", 1.0)), "each")
    (('next', 0.5), ('swap+next', 0.5))
    """
    name, rate = crossover
    crossed = [((), 1.0 - rate), ((name,), rate)]
    mutated: list[tuple[tuple[str, ...], float]] = []
    if mutating == "one":
        left = 1.0 - sum(share for _, share in mutations)
        assert left > -1e-9, "the mutations of one in each child have more than all children"
        mutated = [((), left if left > 1e-9 else 0.0), *(((name,), share) for name, share in mutations)]
    else:
        for taken in product((False, True), repeat=len(mutations)):
            names = tuple(name for (name, _), does in zip(mutations, taken, strict=True) if does)
            chance = 1.0
            for (_, share), does in zip(mutations, taken, strict=True):
                chance *= share if does else 1.0 - share
            mutated.append((names, chance))
    return tuple(
        (CHAIN.join((*first, *then)) or "clone", one * other)
        for first, one in crossed
        for then, other in mutated
        if one * other > 0.0
    )


FREE = ("one-point", "two-point", "uniform")
"""Operators that may give a permutation a value twice."""

ORDERED = ("order",)
"""Operators for permutations alone."""

OPERATORS: dict[str, tuple[int, Operator]] = {
    "clone": (1, lambda space, rng, genes, donor: genes),
    "one-point": (2, lambda space, rng, genes, donor: one_point(rng, genes, donor)),
    "two-point": (2, lambda space, rng, genes, donor: two_point(rng, genes, donor, space.cuts)),
    "uniform": (2, lambda space, rng, genes, donor: uniform(rng, genes, donor)),
    "order": (2, lambda space, rng, genes, donor: order_crossover(rng, genes, donor)),
    "scramble": (1, lambda space, rng, genes, donor: scramble(rng, genes, space.domain)),
    "swap": (1, lambda space, rng, genes, donor: swap(rng, genes, space.domain)),
    "next": (1, lambda space, rng, genes, donor: next_value(rng, genes, space.domain)),
}
"""Every operator by name: how many parents it takes, and what it makes of a genome and the other parent's."""
