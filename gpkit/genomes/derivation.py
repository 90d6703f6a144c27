"""Derivations of a grammar as genomes: random derivations of limited size, and their variation operators.

A derivation is stored in prefix order. An inner node is the number of an alternative of the grammar; a leaf is a Lark
token, whose type is its terminal. The fixed words of an alternative are not nodes. Operators replace a part only with a
part of the same rule, so every child is also a derivation.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, Self

import numpy as np
from lark import Token

from gpkit.core.rng import below, by_share
from gpkit.genomes.program_operators import Child
from gpkit.genomes.tree import FlatTree, replace_subtree

Node = int | Token
"""A node of a derivation: the number of an alternative, or a token."""

PART = "derivation"
"""The name of the only part of a derivation, for the places of changes."""

DIGITS = 5
"""The number of significant digits in the largest numbers drawn from a range."""


class Derivation(FlatTree[Node]):
    """A derivation of a grammar.

    Attributes:
        language: the name of the language.
        symbols: the nodes in prefix order.
        sizes: for each node, the number of nodes in the part that begins at this node.
    """

    language: str
    names = (PART,)

    def __init__(self, language: str, symbols: tuple[Node, ...], sizes: tuple[int, ...]) -> None:
        FlatTree.__init__(self, symbols, sizes)
        self.__dict__["language"] = language

    def __reduce__(self) -> tuple[Any, ...]:
        return Derivation, (self.language, self.symbols, self.sizes)

    @property
    def trees(self) -> tuple[Self]:
        """The only tree, which is the derivation itself."""
        return (self,)

    def part(self, place: int) -> tuple[Node, ...]:
        """The nodes of the part that begins at a place."""
        return self.symbols[place : place + self.sizes[place]]


@lru_cache(maxsize=100_000)
def token_of(name: str, text: str) -> Token:
    """The token of a terminal; equal tokens are mostly the same object, because comparing Lark's tokens takes long."""
    return Token(name, text)


@dataclass(frozen=True, slots=True)
class Leaf:
    """The strings that evolution draws for a terminal: words, or numbers between two bounds.

    Attributes:
        name: the terminal.
        words: the words; empty for numbers.
        low, high: the smallest and the largest number.
        is_whole: whether the numbers are integers.
    """

    name: str
    words: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    is_whole: bool = False

    def drawn(self, rng: np.random.Generator) -> Token:
        """A random token; all words or numbers are equally likely."""
        if self.words:
            return self.token(self.words[below(rng, len(self.words))])
        return self.number(self.low + (self.high - self.low) * float(rng.random()))

    def token(self, word: str) -> Token:
        """The token for a word."""
        return token_of(self.name, word)

    def number(self, value: float) -> Token:
        """The token for a number, clipped to the bounds."""
        bounded = min(max(value, self.low), self.high)
        largest = max(abs(self.low), abs(self.high), 1e-12)
        digits = min(max(DIGITS - 1 - math.floor(math.log10(largest)), 1), 15)
        text = f"{bounded:.0f}" if self.is_whole else f"{bounded:.{digits}f}".rstrip("0")
        return token_of(self.name, f"{text}0" if text.endswith(".") else text)

    def changed(self, rng: np.random.Generator, old: Token, step: float) -> Token:
        """Another word, or a nearby number; ``step`` is the standard deviation as a share of the range."""
        if self.words:
            others = [word for word in self.words if word != old]
            return token_of(self.name, others[below(rng, len(others))]) if others else old
        try:
            value = float(old)
        except ValueError:
            return self.drawn(rng)
        return self.number(value + float(rng.normal()) * max(step * (self.high - self.low), self.is_whole))


@dataclass(frozen=True, slots=True)
class Alternative:
    """An alternative of a rule: the rules and terminals of its child nodes, in order, and its relative weight."""

    rule: str
    parts: tuple[str, ...]
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class Productions:
    """The alternatives of a grammar, with the tables for drawing and varying derivations.

    Attributes:
        language: the name of the language.
        start: the start rule.
        alternatives: the alternatives; nodes contain indexes into this sequence.
        leaves: the terminals that match more than one string.
    """

    language: str
    start: str
    alternatives: tuple[Alternative, ...]
    leaves: Mapping[str, Leaf]

    @cached_property
    def of(self) -> Mapping[str, tuple[int, ...]]:
        """The alternatives of each rule."""
        found: dict[str, list[int]] = {}
        for number, each in enumerate(self.alternatives):
            found.setdefault(each.rule, []).append(number)
        return {rule: tuple(numbers) for rule, numbers in found.items()}

    @cached_property
    def least(self) -> Mapping[str, float]:
        """The number of nodes in the smallest derivation of each rule and terminal; infinite if there is none."""
        return self._settled(min, math.inf)

    @cached_property
    def most(self) -> Mapping[str, float]:
        """The number of nodes in the largest derivation of each rule and terminal; infinite for recursive rules."""
        return self._settled(max, 0.0)

    def _settled(self, choose: Callable[[Iterable[float]], float], begin: float) -> Mapping[str, float]:
        found: dict[str, float] = {**dict.fromkeys(self.of, begin), **dict.fromkeys(self.leaves, 1.0)}
        for _ in range(len(self.of) + 1):
            before = dict(found)
            for rule, numbers in self.of.items():
                found[rule] = choose(self._nodes(number, found) for number in numbers)
            if found == before:
                return found
        return {name: math.inf if value != before[name] else value for name, value in found.items()}

    def _nodes(self, number: int, known: Mapping[str, float]) -> float:
        return 1.0 + sum(known.get(part, math.inf) for part in self.alternatives[number].parts)

    @cached_property
    def least_of(self) -> tuple[float, ...]:
        """The number of nodes in the smallest derivation that begins with each alternative."""
        return tuple(self._nodes(number, self.least) for number in range(len(self.alternatives)))

    @cached_property
    def most_of(self) -> tuple[float, ...]:
        """The number of nodes in the largest derivation that begins with each alternative."""
        return tuple(self._nodes(number, self.most) for number in range(len(self.alternatives)))

    @cached_property
    def alike(self) -> tuple[tuple[int, ...], ...]:
        """For each alternative, the other alternatives of its rule that have the same parts."""
        return tuple(
            tuple(n for n in self.of[each.rule] if n != number and self.alternatives[n].parts == each.parts)
            for number, each in enumerate(self.alternatives)
        )

    def symbol(self, node: Node) -> str:
        """The rule or terminal of a node."""
        return node.type if isinstance(node, Token) else self.alternatives[node].rule

    def derivation(self, nodes: Sequence[Node]) -> Derivation:
        """The derivation with these nodes, in prefix order."""
        arities = [0 if isinstance(node, Token) else len(self.alternatives[node].parts) for node in nodes]
        tree = FlatTree.from_prefix(nodes, arities)
        return Derivation(self.language, tree.symbols, tree.sizes)

    def drawn(self, rng: np.random.Generator, symbol: str, room: int, *, is_full: bool) -> list[Node]:
        """The nodes of a random derivation of a rule or terminal: at most ``room``, or as few as possible.

        With ``is_full``, the method prefers alternatives that can fill the room (S. Luke, "Two Fast Tree-Creation
        Algorithms for Genetic Programming", 2000; the second algorithm also divides a size among the branches).
        """
        nodes: list[Node] = []
        waiting = [(symbol, room)]
        while waiting:
            symbol, room = waiting.pop()
            if symbol in self.leaves:
                nodes.append(self.leaves[symbol].drawn(rng))
                continue
            numbers = self.of[symbol]
            fitting = [n for n in numbers if self.least_of[n] <= room] or [
                min(numbers, key=self.least_of.__getitem__)
            ]
            if is_full:
                fitting = [n for n in fitting if self.most_of[n] >= room] or fitting
            number = fitting[0] if len(fitting) == 1 else self._chosen(rng, fitting)
            nodes.append(number)
            parts, least, growing = self.rooms[number]
            rooms, spare = [*least], max(room - int(self.least_of[number]), 0)
            cuts = sorted([below(rng, spare + 1) for _ in growing[1:]])
            for place, start, end in zip(growing, [0, *cuts], [*cuts, spare]) if growing else ():  # noqa: B905
                rooms[place] += end - start
            waiting += zip(parts[::-1], rooms[::-1], strict=True)
        return nodes

    @cached_property
    def rooms(self) -> Sequence[tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]]:
        """For each alternative, its parts, the sizes of their smallest derivations, and the places of others."""
        found = []
        for each in self.alternatives:
            sizes = [self.least.get(part, math.inf) for part in each.parts]
            least = tuple(int(size) if size < math.inf else 0 for size in sizes)  # 0 where nothing is drawn
            growing = [
                place for place, part in enumerate(each.parts) if self.most.get(part, 0) > least[place]
            ]
            found.append((each.parts, least, tuple(growing)))
        return found

    def _chosen(self, rng: np.random.Generator, numbers: Sequence[int]) -> int:
        return numbers[by_share(rng, [*accumulate(self.alternatives[number].weight for number in numbers)])]

    def replaced(
        self, genome: Derivation, place: int, nodes: tuple[Node, ...], sizes: tuple[int, ...] = ()
    ) -> Child[Derivation]:
        """The derivation with the part at a place replaced by other nodes; ``sizes`` may hold their sizes."""
        part = FlatTree(nodes, sizes or self.derivation(nodes).sizes)
        found = replace_subtree(FlatTree(genome.symbols, genome.sizes), place, part)
        return Child(Derivation(self.language, found.symbols, found.sizes), ((PART, place),))

    @lru_cache(maxsize=2048)  # noqa: B019 - parents are few, and a process has few grammars
    def places(self, genome: Derivation) -> Mapping[str, Sequence[int]]:
        """The places of each rule and terminal in a derivation."""
        found: dict[str, list[int]] = {}
        for place, node in enumerate(genome.symbols):
            found.setdefault(self.symbol(node), []).append(place)
        return found


def crossover(
    rng: np.random.Generator, rules: Productions, genome: Derivation, donor: Derivation
) -> Child[Derivation]:
    """The first derivation with a random part replaced by a random part of the donor with the same rule."""
    symbols = rules.places(donor)
    for _ in range(10):
        place = below(rng, len(genome))
        if found := symbols.get(rules.symbol(genome.symbols[place])) if place or len(genome) == 1 else None:
            first = found[below(rng, len(found))]
            part = slice(first, first + donor.sizes[first])
            return rules.replaced(genome, place, donor.symbols[part], donor.sizes[part])
    return Child(genome)


def redrawn(
    rng: np.random.Generator, rules: Productions, genome: Derivation, growth: int
) -> Child[Derivation]:
    """The derivation with a random part replaced by a new part of the same rule, at most ``growth`` nodes larger."""
    place = below(rng, len(genome))
    room = 1 + below(rng, genome.sizes[place] + growth)
    nodes = rules.drawn(rng, rules.symbol(genome.symbols[place]), room, is_full=below(rng, 2) == 0)
    return rules.replaced(genome, place, tuple(nodes))


def point(rng: np.random.Generator, rules: Productions, genome: Derivation, step: float) -> Child[Derivation]:
    """The derivation with a random node changed to an alternative with the same parts, or to another word or number."""
    places = [k for k, node in enumerate(genome.symbols) if isinstance(node, Token) or rules.alike[node]]
    return changed_at(rng, rules, genome, step, places)


def constant(
    rng: np.random.Generator, rules: Productions, genome: Derivation, step: float
) -> Child[Derivation]:
    """The derivation with one of its numbers, chosen at random, replaced by a nearby number."""
    return changed_at(rng, rules, genome, step, numbers_in(rules, genome))


def numbers_in(rules: Productions, genome: Derivation) -> list[int]:
    """The places of the numbers that have bounds."""
    nodes = enumerate(genome.symbols)
    return [k for k, node in nodes if isinstance(node, Token) and not rules.leaves[node.type].words]


def changed_at(
    rng: np.random.Generator, rules: Productions, genome: Derivation, step: float, places: Sequence[int]
) -> Child[Derivation]:
    """The derivation with another node at one of these places, chosen at random; unchanged if there are no places."""
    if not places:
        return Child(genome)
    place = places[below(rng, len(places))]
    node: Any = genome.symbols[place]
    node = (
        rules.leaves[node.type].changed(rng, node, step)
        if isinstance(node, Token)
        else rules.alike[node][below(rng, len(rules.alike[node]))]
    )
    nodes = (*genome.symbols[:place], node, *genome.symbols[place + 1 :])
    return Child(Derivation(rules.language, nodes, genome.sizes), ((PART, place),))


def hoist(rng: np.random.Generator, rules: Productions, genome: Derivation) -> Child[Derivation]:
    """The derivation with a random part replaced by a smaller part inside it that has the same rule."""
    for _ in range(10):
        place = below(rng, len(genome))
        symbol, end = rules.symbol(genome.symbols[place]), place + genome.sizes[place]
        inner = [k for k in range(place + 1, end) if rules.symbol(genome.symbols[k]) == symbol]
        if inner:
            return rules.replaced(genome, place, genome.part(inner[below(rng, len(inner))]))
    return Child(genome)
