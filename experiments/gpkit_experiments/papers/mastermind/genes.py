"""Discrete genomes: a row of genes, each a small integer; their creation and variation.

A gene takes its values from an alphabet of its own, from one that all share, or the genes are a permutation (L. Cabana
and Y. Túpac, "Cómo resolver el juego Mastermind a través de computación evolutiva", section III: discrete, general
discrete and order-based algorithms). The operators are pure functions, the random generator first; they leave their
arguments as they are, and a child of valid parents is valid.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gpkit.core.rng import Draws, below

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
