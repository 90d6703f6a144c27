"""The learner: a population of rules in numbered slots, which learns from games played in the kernel.

``kernel.learner.play`` plays games until it requests a rule or a batch is over; then this module adds and deletes
rules. ``gpkit_experiments.learner_readable`` plays the same games in plain Python.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Ints, for_reading
from gpkit.core.rng import below, stream
from gpkit.games.dots_and_boxes.classes import classes, state_of
from gpkit.games.dots_and_boxes.exact import choices_of
from gpkit.games.dots_and_boxes.kernel import learner as at
from gpkit.games.dots_and_boxes.kernel.learner import Population, judge, play
from gpkit.games.dots_and_boxes.learning import Config
from gpkit.games.dots_and_boxes.rule_lists import StateGraph, class_graphs, state_graph
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules
from gpkit.genomes.graph import (
    GROUND,
    WILD,
    Action,
    Graph,
    NamedRule,
    Node,
    Rule,
    RuleList,
    canonical,
    normal_action,
    renumbered,
)
from gpkit.genomes.graph_operators import Limits, mutate
from gpkit.matching.kernel import search as searching
from gpkit.matching.plan import search_scratch, signature, simple_search

BOXES = 9
"""The number of boxes of the board: no position has more nodes, and no chain is longer."""

RING = 512
"""The number of slot changes to remember. If the learner has not met a class during all these changes, it checks all
slots."""


class SlottedRules:
    """Rules in slots; rules can be added and removed, and no two rules are equal.

    Attributes:
        arrays: the arrays that the kernels read and write; see ``kernel.learner.Population``.
        rules: the rule in each slot, or None for a free slot.
        free: the free slots, of which the last one is used next.
    """

    def __init__(self, slots: int) -> None:
        self.arrays = Population(
            searches=np.zeros((slots, searching.PLACES + searching.PLACE * BOXES), dtype=np.int16),
            signatures=np.zeros((searching.WORDS, slots), dtype=np.uint64),
            quality=np.zeros(slots),
            access=np.zeros(slots),
            uses=np.zeros(slots, dtype=np.int64),
            changes=np.zeros(1 + RING, dtype=np.int64),
            stamps=np.zeros(slots, dtype=np.int64),
        )
        self.rules: list[Rule | None] = [None] * slots
        self._slots: dict[Rule, int] = {}
        self._taken = np.zeros(slots, dtype=np.bool_)
        self.free = list(range(slots - 1, -1, -1))

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, rule: Rule) -> bool:
        return rule in self._slots

    def live(self) -> Ints:
        """The slots that contain a rule, in ascending order: int64 (rules,)."""
        return np.flatnonzero(self._taken)

    def add(self, rule: Rule, quality: float, access: float, uses: int) -> int:
        """Add a rule of level 0 with at most ``BOXES`` nodes, and its learned numbers; returns the rule's slot."""
        assert rule not in self and rule.level == 0, "each rule is there once, and of level 0"
        slot = self.free.pop()
        arrays = self.arrays
        arrays.searches[slot], arrays.signatures[:, slot] = prepared(rule)
        arrays.quality[slot], arrays.access[slot], arrays.uses[slot] = quality, access, uses
        self.rules[slot] = rule
        self._slots[rule] = slot
        self._taken[slot] = True
        self._note(slot)
        return slot

    def remove(self, slot: int) -> None:
        """Remove the rule in a slot."""
        rule = self.rules[slot]
        assert rule is not None, "the slot has a rule"
        del self._slots[rule]
        self._taken[slot] = False
        self.rules[slot] = None
        self.arrays.searches[slot] = 0
        for column in (self.arrays.quality, self.arrays.access, self.arrays.uses):
            column[slot] = 0
        self.free.append(slot)
        self._note(slot)

    def _note(self, slot: int) -> None:
        changes = self.arrays.changes
        changes[1 + changes[0] % RING] = slot
        changes[0] += 1
        self.arrays.stamps[slot] = changes[0]

    def by_quality(self) -> Ints:
        """The slots that contain a rule, in descending order of quality and then by slot: int64 (rules,)."""
        live = self.live()
        return live[np.argsort(-self.arrays.quality[live], kind="stable")]

    def as_list(self) -> RuleList:
        """The rules and their learned numbers, in the order of ``by_quality``.

        The greedy player follows the first rule that matches.
        """
        quality, access = self.arrays.quality, self.arrays.access
        rules = {slot: rule for rule, slot in self._slots.items()}
        return RuleList(
            tuple(
                NamedRule(rules[slot], q=float(quality[slot]), f=float(access[slot]))
                for slot in self.by_quality().tolist()
            )
        )


def prepared(rule: Rule) -> tuple[NDArray[np.int16], NDArray[np.uint64]]:
    """The search and the signature of a rule in the format of the kernels: int16 (numbers,) and uint64 (words,)."""
    return simple_search(rule, BOXES), np.array(signature(rule.graph), dtype=np.uint64)


NEAR = 0.7
"""The probability that the next node of a part is connected to the part, if such a node exists."""

AT_LEAST = 0.4
"""The probability that a chain in a new rule also matches longer chains; half of these chains also match some shorter
ones."""

LOOSEST = 0.6
"""The maximum share of edges to the ground that a rule leaves open; the share of each rule is drawn from 0 to this."""


def fragment_rule(rng: np.random.Generator, position: Graph, action: Action, more: float) -> Rule:
    """A rule that matches a random part of a position around an edge, and draws that edge.

    Args:
        rng: the random generator.
        position: a graph.
        action: the action of the graph that draws the edge.
        more: the probability of adding each further node.
    """
    kept = [action.node] + [action.other] * (action.other not in (GROUND, action.node))
    reached = {other for number in kept for other in position.neighbours(number)}
    while len(kept) < len(position.nodes) and rng.random() < more:
        rest = [number for number in range(len(position.nodes)) if number not in kept]
        near = [number for number in rest if number in reached]
        pool = near if near and rng.random() < NEAR else rest
        kept.append(pool[below(rng, len(pool))])
        reached.update(position.neighbours(kept[-1]))
    part = renumbered(position, kept)
    nodes = tuple(_loosened(rng, position.nodes[number], number, action) for number in kept)
    open_share = LOOSEST * rng.random()
    grounds = tuple(sum(rng.random() >= open_share for _ in range(count)) for count in part.grounds)
    graph = Graph(nodes, part.links, grounds)
    return Rule(graph, _moved(action, graph, kept))


def _loosened(rng: np.random.Generator, node: Node, number: int, action: Action) -> Node:
    """A node of the position, or a chain that also matches other chains without losing the edge to draw."""
    if node.symbol != "l" or rng.random() >= AT_LEAST:
        return node
    length = node.length if rng.random() < 0.5 else 1 + below(rng, node.length)
    return Node("l", max(length, action.offset + 1) if number == action.node else length, at_least=True)


def _moved(action: Action, graph: Graph, kept: Sequence[int]) -> Action:
    """The action with the new numbers of the nodes; the target is a wildcard if the edge to the ground is left open."""
    node = kept.index(action.node)
    if action.other == GROUND:
        return Action(node, GROUND if graph.grounds[node] else WILD, action.offset)
    return normal_action(graph, Action(node, kept.index(action.other), action.offset))


RULES = DotsAndBoxesRules(3, 3)
"""The rules with the board, which is small enough for exact results."""

SPARE = 256
"""The number of extra slots, for rules that are added before others are deleted."""

KEYS = 1 << 26
"""The exclusive upper bound on the keys of the games' random numbers."""

LIMITS = Limits(nodes=BOXES, length=BOXES)
"""A graph of the maximum size that a position can have."""

MEASURES = ("score", "combined", "advantage")
ACCESSES = ("use", "gain")
"""The words in a configuration, in the order of their numbers in ``kernel.learner``."""


class Learner:
    """A learner and the state of its learning.

    Attributes:
        config: the settings of the learner.
        rules: the population.
        games: the number of games played.
        environments: one environment for each opponent; see ``kernel.learner``.
        environment: the environment of the current batch.
        graphs: the graphs of all classes of the board.
        memory, critic, record: see ``kernel.learner``.
        recent: int32 (decisions,): a ring buffer of the most recently met classes, for trials.
        met: the number of classes met so far, including repeats.
        play: ``kernel.learner.play`` or its readable version.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.rules = SlottedRules(config.population.size + SPARE)
        self.games = 0
        self.environments = [
            environment_against(name)._replace(worth=worth(config)) for name in config.opponents
        ]
        self.environment = self.environments[0]
        self.graphs = class_graphs(RULES)
        count = len(self.environment.replies)
        words, (domains, stack) = -(-len(self.rules.rules) // at.IN_WORD), search_scratch(BOXES, BOXES)
        self.memory = at.MatchMemory(
            matching=np.empty((count, words), dtype=np.uint32),
            pending=np.empty((count, words), dtype=np.uint32),
            counts=np.zeros(count, dtype=np.int64),
            seen=np.full(count, at.NEVER),
            ranked=np.zeros(1, dtype=np.int64),
            domains=domains,
            stack=stack,
        )
        self.critic = at.Critic(np.zeros(count), np.zeros(count), np.zeros(count, dtype=np.int64))
        edges = RULES.edges
        self.record = at.BatchRecord(
            decisions=np.zeros((config.reproduction.every * edges, at.DECISION), dtype=np.int32),
            drawn=np.zeros((edges, at.DRAWN), dtype=np.int32),
            totals=np.zeros(at.TOTALS),
            best=np.zeros(config.choice.best, dtype=np.int64),
        )
        self.play: Callable[..., int] = play
        self._settings = settings_of(config)
        self._key = below(stream(config.seed, "games"), KEYS)
        self.recent = np.zeros(config.reproduction.trial, dtype=np.int32)
        self._proposed = np.zeros(config.reproduction.trial, dtype=np.int32)
        self.met = 0
        self._trial = self._last()
        self._least = 0.0
        self._state_graphs: dict[int, StateGraph] = {}

    @property
    def world(self) -> at.World:
        """The tables that the kernels use to play and learn."""
        learned = self.rules.arrays, self.memory, self.critic, self.record
        return at.World(self._settings, self.environment, self.graphs, *learned)

    def play_batch(self) -> None:
        """Play the games of one batch, add the requested rules, make children, and delete surplus rules."""
        every = self.config.reproduction.every
        last = min(self.games - self.games % every + every, self.config.games)
        batch = self.games // every
        rng = stream(self.config.seed, "rules", batch)
        totals = self.record.totals
        totals[at.IN_BATCH] = 0
        if self.config.reproduction.trial:
            self._trial, self._least = self._last(), 0.0
            if len(self.rules) >= self.config.population.size:
                self._least = float(self.rules.arrays.access[self.rules.live()].min())
        self.environment = self.environments[batch % len(self.environments)]
        while self.games < last:
            before = int(totals[at.IN_BATCH])
            beta = self.config.beta_after(self.games)
            self.games += self.play(self.games, last - self.games, self._key, beta, self.world)
            decisions = self.record.decisions[before : int(totals[at.IN_BATCH])]
            if room := len(self.recent):
                met = decisions[:, at.AT_CLASS]
                self.recent[np.arange(self.met, self.met + len(met)) % room] = met
                self.met += len(met)
            for number, _, _, wanted in decisions[decisions[:, at.AT_WANTED] != at.NOTHING].tolist():
                self._add(self._covering_rule(rng, number, wanted))
        for parent in self._parents(rng):
            self._add(mutate(rng, parent, LIMITS, self.config.mutations)[0].rule)
        self._delete()

    def _last(self) -> tuple[NDArray[np.int32], Ints]:
        """The classes of the latest decisions, for a trial, and the number of times that each class occurs in them."""
        places = np.arange(self.met - min(len(self.recent), self.met), self.met) % max(len(self.recent), 1)
        return np.unique(self.recent[places], return_counts=True)

    def _covering_rule(self, rng: np.random.Generator, number: int, edge: int) -> Rule:
        """A rule that matches in a class and draws an edge there."""
        if number not in self._state_graphs:
            self._state_graphs[number] = state_graph(state_of(int(classes(RULES).positions[number]), RULES))
        graph = self._state_graphs[number]
        action = graph.action_of(edge)
        if self.config.covering.part == "position":
            return Rule(graph.graph, action)
        return fragment_rule(rng, graph.graph, action, self.config.covering.more)

    def _parents(self, rng: np.random.Generator) -> list[Rule]:
        """The parents for this batch's children; empty while there are no rules to choose from."""
        table = self.config.reproduction
        if table.parents == "niche":
            acted = self.record.decisions[: int(self.record.totals[at.IN_BATCH]), at.AT_SLOT]
            slots = acted[acted != at.UNGUIDED]
            weights = np.ones(len(slots))
        else:
            slots = self.rules.live()
            quality = self.rules.arrays.quality[slots]
            weights = np.exp(self.config.beta_after(self.games) * (quality - quality.max(initial=-np.inf)))
        if not len(slots):
            return []
        sums = np.cumsum(weights)
        draws = [
            int(np.searchsorted(sums, rng.random() * sums[-1], side="right")) for _ in range(table.children)
        ]
        parents = [self.rules.rules[slots[min(k, len(slots) - 1)]] for k in draws]
        return [parent for parent in parents if parent is not None]

    def _add(self, rule: Rule) -> None:
        """Add a rule if it is new and passes its trial (if the configuration has trials)."""
        table, reward = self.config.reproduction, self.config.reward
        if rule in self.rules:
            return
        totals, uses = self.record.totals, 0
        mean = float(totals[at.REWARDS] / max(totals[at.GAMES], 1))
        expected = mean if reward.begin is None else reward.begin
        quality, access = expected, self.config.population.access
        if table.trial:
            given = self._proposed, expected, reward.prior, self.world
            uses, gain, quality = judge(*prepared(rule), *self._trial, *given)
            if self.met >= table.trial and gain * table.credit <= self._least:
                return
            access = gain * table.credit if reward.access == "gain" else access
            rule = canonical(rule)
            if rule in self.rules:
                return
        if not self.rules.free:
            self._delete()
        self.rules.add(rule, quality, access, uses)

    def _delete(self) -> None:
        """Delete surplus rules with the lowest accessibility or quality; ties go to the lower slots."""
        live = self.rules.live()
        arrays = self.rules.arrays
        left = (arrays.quality if self.config.population.deletion == "q" else arrays.access)[live]
        for _ in range(len(live) - self.config.population.size):
            least = int(left.argmin())
            left[least] = np.inf
            self.rules.remove(int(live[least]))


def settings_of(config: Config) -> at.KernelSettings:
    """The numbers in a configuration that the kernels read."""
    reward, covering = config.reward, config.covering
    return at.KernelSettings(
        rate=reward.rate,
        forgetting=reward.forgetting,
        few=covering.few,
        covering=covering.probability,
        fault=covering.fault,
        mending=covering.mending,
        exploration=config.choice.exploration,
        judging=reward.judging,
        prior=reward.prior,
        measure=MEASURES.index(reward.measure),
        access=ACCESSES.index(reward.access),
    )


def environment_against(opponent: str) -> at.Environment:
    """The game on the classes of its board, with the choices of an opponent."""
    found = classes(RULES)
    return at.Environment(found, found.closed, choices_of(opponent, RULES))


def worth(config: Config) -> NDArray[np.int8]:
    """The rewards of edges: int8 (classes, edges). The array is always read-only, so one compiled kernel is enough."""
    worths = closed = classes(RULES).closed
    if config.reward.boxes == "flipped":
        worths = np.negative(closed)
    if config.reward.boxes == "shuffled":
        worths = stream(config.seed, "worth").permuted(closed.ravel()).reshape(closed.shape)
    return for_reading(worths)
