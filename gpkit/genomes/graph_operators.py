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
from gpkit.genomes.graph import SYMBOLS, Action, Node, Rule, Symbol, actions
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


def add_node(rng: np.random.Generator, rule: Rule, limits: Limits) -> EditedRule:
    """A random box or chain stands where a neighbour was open; without open neighbours it is a fragment by itself."""
    draft = Draft(rule)
    if len(draft.nodes) >= limits.nodes:
        return EditedRule(rule, ())
    open_nodes = [number for number in draft.alive if draft.free(number)]
    if not open_nodes:
        draft.add(_random_node(rng, SYMBOLS, limits))
        return _finished(rng, draft)
    host = _one_of(rng, open_nodes)
    possible = [s for s in SYMBOLS if s != "l" or draft.nodes[host].symbol != "l"]
    draft.join(host, draft.add(_random_node(rng, possible, limits)))
    return _finished(rng, draft)


def remove_node(rng: np.random.Generator, rule: Rule, limits: Limits) -> EditedRule:
    """A node goes; those that it joined are joined in pairs where they can be, the others are left open."""
    draft = Draft(rule)
    if len(draft.nodes) < 2:
        return EditedRule(rule, ())
    number = below(rng, len(draft.nodes))
    near = [other for other in draft.neighbours(number) if other != number]
    ends = [other for other in near for _ in range(draft.count(number, other))]
    draft.drop([number])
    order = [ends[k] for k in rng.permutation(len(ends))]
    for one, other in zip(order[0::2], order[1::2], strict=False):
        if draft.can_join(one, other):
            draft.join(one, other)
    return _finished(rng, draft)


def node_to_wildcard(rng: np.random.Generator, rule: Rule, limits: Limits) -> EditedRule:
    """A node is anything, and the rule says no more about it."""
    draft = Draft(rule)
    if len(draft.nodes) < 2:
        return EditedRule(rule, ())
    draft.drop([below(rng, len(draft.nodes))])
    return _finished(rng, draft)


def change_length(rng: np.random.Generator, rule: Rule, limits: Limits) -> EditedRule:
    """A chain is a box longer or shorter."""

    def changed(node: Node) -> Node:
        length = node.length + (1 if rng.random() < 0.5 else -1)
        return replace(node, length=min(max(length, 1), max(limits.length, node.length)))

    return _with_chain(rng, rule, changed)


def toggle_at_least(rng: np.random.Generator, rule: Rule, limits: Limits) -> EditedRule:
    """A chain matches longer ones, too, or no longer does."""
    return _with_chain(rng, rule, lambda node: replace(node, at_least=not node.at_least))


def _with_chain(rng: np.random.Generator, rule: Rule, changed: Callable[[Node], Node]) -> EditedRule:
    """The rule with one of its chains changed, or unchanged if it has none."""
    draft = Draft(rule)
    chains = draft.chains()
    if not chains:
        return EditedRule(rule, ())
    number = _one_of(rng, chains)
    draft.replace(number, changed(draft.nodes[number]))
    return _finished(rng, draft)


def join_fragments(rng: np.random.Generator, rule: Rule, limits: Limits) -> EditedRule:
    """Two open neighbours become one edge: of different fragments, or where that cannot be, of one."""
    draft = Draft(rule)
    fragment = {n: k for k, fragment in enumerate(rule.graph.fragments()) for n in fragment}
    free = [number for number in draft.alive if draft.free(number)]
    pairs = [(a, b) for a in free for b in free if a <= b and draft.can_join(a, b)]
    apart = [(a, b) for a, b in pairs if fragment[a] != fragment[b]]
    if not pairs:
        return EditedRule(rule, ())
    draft.join(*_one_of(rng, apart or pairs))
    return _finished(rng, draft)


def separate_fragments(rng: np.random.Generator, rule: Rule, limits: Limits) -> EditedRule:
    """An edge between two nodes is two open neighbours: of two fragments, where that divides one."""
    draft = Draft(rule)
    if not draft.edges:
        return EditedRule(rule, ())
    bridges = []
    for one, other in sorted(draft.edges):
        trial = Draft(rule)
        trial.cut(one, other)
        if len(trial.rule_graph().fragments()) > len(rule.graph.fragments()):
            bridges.append((one, other))
    draft.cut(*_one_of(rng, bridges or sorted(draft.edges)))
    return _finished(rng, draft)


def swap_ground(rng: np.random.Generator, rule: Rule, limits: Limits) -> EditedRule:
    """An edge to the ground is open, or an open one leads to the ground."""
    draft = Draft(rule)
    stubs = [(number, -1) for number in draft.alive for _ in range(draft.grounds[number])]
    stubs += [(number, 1) for number in draft.alive for _ in range(draft.free(number))]
    if not stubs:
        return EditedRule(rule, ())
    number, more = _one_of(rng, stubs)
    draft.ground(number, more)
    return _finished(rng, draft)


def change_symbol(rng: np.random.Generator, rule: Rule, limits: Limits) -> EditedRule:
    """A node is another box or a chain; edges for which there is no room any more go, open ones first."""
    draft = Draft(rule)
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
    return _finished(rng, draft)


def drop_fragment(rng: np.random.Generator, rule: Rule, limits: Limits) -> EditedRule:
    """A fragment goes that the action is not in."""
    draft = Draft(rule)
    loose = [fragment for fragment in rule.graph.fragments() if rule.action.node not in fragment]
    if not loose:
        return EditedRule(rule, ())
    draft.drop(_one_of(rng, loose))
    return _finished(rng, draft)


def change_action(rng: np.random.Generator, rule: Rule, limits: Limits) -> EditedRule:
    """Another edge is to be drawn."""
    others = [action for action in actions(rule.graph) if action != rule.action]
    if not others:
        return EditedRule(rule, ())
    draft = Draft(rule)
    draft.act(_one_of(rng, others))
    return _finished(rng, draft)


Edit = Callable[[np.random.Generator, Rule, Limits], EditedRule]

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
        variant = EDITS[name][1](rng, rule, limits)
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


def _finished(rng: np.random.Generator, draft: Draft) -> EditedRule:
    """The child: its nodes numbered anew, and with an action that it has an edge for."""
    graph = draft.rule_graph()
    fitting = draft.fitting_actions(graph)
    action: Action = fitting[below(rng, len(fitting))] if len(fitting) > 1 else fitting[0]
    return EditedRule(draft.rule_with(graph, action), draft.changed())
