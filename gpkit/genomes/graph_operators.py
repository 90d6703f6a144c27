"""Variation of rules by one small change at a time: pure functions, the random generator first.

The changes are those that A. Knittel, T. Bossomaier and A. Snyder name in "Concept accessibility as basis for
evolutionary reinforcement learning of Dots and Boxes", section II.C: "adding nodes, removing nodes, changing the
properties of chain nodes, joining and separating graph fragments, and replacing symbols with wildcards"; and some more
that lead everywhere. What they leave open is said with each. Where the side to draw is gone, the rule draws another one
of the same box, if it can one that leads to anything.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple, TypeVar

import numpy as np

from gpkit.core.rng import below, by_share
from gpkit.genomes.graph import SYMBOLS, Node, Rule, Symbol, actions
from gpkit.genomes.graph_draft import Draft

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """Size limits of rules: nodes, and boxes of a chain."""

    nodes: int = 25
    length: int = 25


class EditedRule(NamedTuple):
    """A child of a rule, and the nodes of it that were changed or whose edges were."""

    rule: Rule
    nodes: tuple[int, ...]


def add_node(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """A random box or chain stands where a neighbour was open; without open neighbours it is a fragment by itself."""
    if len(draft.nodes) >= limits.nodes:
        return
    open_nodes = [number for number in draft.alive if draft.free(number)]
    if not open_nodes:
        draft.add(_random_node(rng, SYMBOLS, limits))
        return
    host = _one_of(rng, open_nodes)
    possible = [s for s in SYMBOLS if s != "l" or draft.nodes[host].symbol != "l"]
    draft.join(host, draft.add(_random_node(rng, possible, limits)))


def remove_node(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """A node goes; those that it joined are joined in pairs where they can be, the others are left open."""
    if len(draft.nodes) < 2:
        return
    number = below(rng, len(draft.nodes))
    near = [other for other in draft.neighbours(number) if other != number]
    ends = [other for other in near for _ in range(draft.count(number, other))]
    draft.drop([number])
    order = [ends[k] for k in rng.permutation(len(ends))]
    for one, other in zip(order[0::2], order[1::2], strict=False):
        if draft.can_join(one, other):
            draft.join(one, other)


def node_to_wildcard(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """A node is anything, and the rule says no more about it."""
    if len(draft.nodes) > 1:
        draft.drop([below(rng, len(draft.nodes))])


def change_length(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """A chain is a box longer or shorter."""

    def changed(node: Node) -> Node:
        length = node.length + (1 if rng.random() < 0.5 else -1)
        return replace(node, length=min(max(length, 1), max(limits.length, node.length)))

    _with_chain(rng, draft, changed)


def toggle_at_least(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """A chain matches longer ones, too, or no longer does."""
    _with_chain(rng, draft, lambda node: replace(node, at_least=not node.at_least))


def _with_chain(rng: np.random.Generator, draft: Draft, changed: Callable[[Node], Node]) -> None:
    """Change one of the chains, if there is one."""
    if chains := draft.chains():
        number = _one_of(rng, chains)
        draft.replace(number, changed(draft.nodes[number]))


def join_fragments(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Two open neighbours become one edge: of different fragments, or where that cannot be, of one."""
    fragment = {n: k for k, fragment in enumerate(draft.parent.graph.fragments()) for n in fragment}
    free = [number for number in draft.alive if draft.free(number)]
    pairs = [(a, b) for a in free for b in free if a <= b and draft.can_join(a, b)]
    apart = [(a, b) for a, b in pairs if fragment[a] != fragment[b]]
    if pairs:
        draft.join(*_one_of(rng, apart or pairs))


def separate_fragments(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """An edge between two nodes is two open neighbours: of two fragments, where that divides one."""
    bridges = []
    for one, other in sorted(draft.edges):
        trial = Draft(draft.parent)
        trial.cut(one, other)
        if len(trial.rule_graph().fragments()) > len(draft.parent.graph.fragments()):
            bridges.append((one, other))
    if draft.edges:
        draft.cut(*_one_of(rng, bridges or sorted(draft.edges)))


def swap_ground(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """An edge to the ground is open, or an open one leads to the ground."""
    stubs = [(number, -1) for number in draft.alive for _ in range(draft.grounds[number])]
    stubs += [(number, 1) for number in draft.alive for _ in range(draft.free(number))]
    if stubs:
        draft.ground(*_one_of(rng, stubs))


def change_symbol(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """A node is another box or a chain; edges for which there is no room any more go, open ones first."""
    number = below(rng, len(draft.nodes))
    others = [s for s in SYMBOLS if s != draft.nodes[number].symbol]
    ends = [other for other in draft.neighbours(number) if other != number]
    edges = [(other, k) for other in ends for k in range(draft.count(number, other))]
    grounds = draft.grounds[number]
    draft.isolate(number)
    draft.replace(number, _random_node(rng, others, limits))
    wanted = [*(other for other, _ in edges), *[-1] * grounds]
    for k in rng.permutation(len(wanted)):
        if wanted[k] == -1 and draft.free(number):
            draft.ground(number, 1)
        elif wanted[k] >= 0 and draft.can_join(number, wanted[k]):
            draft.join(number, wanted[k])


def drop_fragment(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """A fragment goes that the action is not in."""
    loose = [
        fragment for fragment in draft.parent.graph.fragments() if draft.parent.action.node not in fragment
    ]
    if loose:
        draft.drop(_one_of(rng, loose))


def change_action(rng: np.random.Generator, draft: Draft, limits: Limits) -> None:
    """Another edge is to be drawn."""
    others = [action for action in actions(draft.parent.graph) if action != draft.parent.action]
    if others:
        draft.act(_one_of(rng, others))


Edit = Callable[[np.random.Generator, Draft, Limits], None]
"""Changes the draft of a rule, where there is something that it can change."""

EDITS: Mapping[str, tuple[float, Edit]] = {
    "add": (0.20, add_node),
    "remove": (0.08, remove_node),
    "wildcard": (0.10, node_to_wildcard),
    "length": (0.12, change_length),
    "at-least": (0.08, toggle_at_least),
    "join": (0.08, join_fragments),
    "separate": (0.08, separate_fragments),
    "ground": (0.08, swap_ground),
    "symbol": (0.06, change_symbol),
    "drop": (0.04, drop_fragment),
    "action": (0.08, change_action),
}
"""Every edit, with its share of all edits where nothing else is said."""

TRIES = 20
"""So many edits are tried until one changes something."""


def edited(rng: np.random.Generator, rule: Rule, edit: Edit, limits: Limits) -> EditedRule:
    """A child of a rule by one edit; its nodes are renumbered, and its action has an edge in the rule."""
    draft = Draft(rule)
    edit(rng, draft, limits)
    return EditedRule(*draft.finished(rng))


def mutate(
    rng: np.random.Generator, rule: Rule, limits: Limits, shares: Mapping[str, float] | None = None
) -> tuple[EditedRule, str]:
    """One random edit that changes something, and its name.

    Args:
        rng: the source of chance.
        rule: the parent.
        limits: how large rules may grow.
        shares: how often each edit is chosen, by name, in any unit; those that are not named never are. With None the
            shares of ``EDITS`` hold.
    """
    weights = {name: share for name, (share, _) in EDITS.items()} if shares is None else shares
    names = list(weights)
    sums = list(accumulate(weights.values()))
    name, variant = names[-1], EditedRule(rule, ())
    for _ in range(TRIES):
        name = names[by_share(rng, sums)]
        variant = edited(rng, rule, EDITS[name][1], limits)
        if variant.rule != rule:
            break
    return variant, name


def _random_node(rng: np.random.Generator, symbols: Sequence[Symbol], limits: Limits) -> Node:
    """A node of one of these symbols; chains are short and match longer ones, as often as not."""
    symbol = _one_of(rng, symbols)
    if symbol != "l":
        return Node(symbol)
    return Node("l", 1 + below(rng, min(3, limits.length)), rng.random() < 0.5)


def _one_of(rng: np.random.Generator, values: Sequence[T]) -> T:
    return values[below(rng, len(values))]
