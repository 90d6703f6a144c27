"""The accessibility learner: a population of rules that plays, is rewarded, and is replaced while it plays.

Games are played by ``kernel.games.play`` until a rule is asked for, or a batch of them is over; then rules are added
and deleted here. ``gpkit_experiments.learner_readable`` has the same games in plain Python.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.core.rng import below, stream
from gpkit.games.dots_and_boxes.arrays import state_of
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.exact import choices_of
from gpkit.games.dots_and_boxes.learner.config import Config
from gpkit.games.dots_and_boxes.learner.kernel import arrays as at
from gpkit.games.dots_and_boxes.learner.kernel.games import play
from gpkit.games.dots_and_boxes.learner.kernel.learning import judge
from gpkit.games.dots_and_boxes.learner.slotted_rules import BOXES, SlottedRules, fragment_rule, prepared
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_lists import class_graphs
from gpkit.games.dots_and_boxes.state_graph import StateGraph, state_graph
from gpkit.genomes.graph import Rule
from gpkit.genomes.graph_operators import Limits, mutate
from gpkit.genomes.graph_order import canonical
from gpkit.matching.plan import search_scratch

RULES = Rules(3, 3)
"""The board: its classes are few enough for exact results."""

SPARE = 256
"""Slots beyond the size of the population, for rules that are added before others are deleted."""

KEYS = 1 << 26
"""The keys of the games' random numbers are below this."""

LIMITS = Limits(nodes=BOXES, length=BOXES)
"""No position has larger graphs."""

MEASURES = ("score", "combined", "advantage")
ACCESSES = ("use", "gain")
"""The words of the configuration, in the order of the numbers in ``kernel.tables``."""


class Learner:
    """A learner in the middle of its games.

    Attributes:
        config: what decides its course.
        rules: the population.
        games: how many were played.
        environments: by opponent, see ``kernel.tables``.
        environment: that of the batch.
        graphs: of all classes of the board.
        memory, critic, record: see ``kernel.tables``.
        recent: int32 (decisions,): the classes that were met last, in a ring, for trials.
        met: how many were met so far.
        play: ``kernel.games.play``, or its readable twin.
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
        self.memory = new_memory(count, config)
        self.critic = at.Critic(np.zeros(count), np.zeros(count), np.zeros(count, dtype=np.int64))
        edges = RULES.edges
        self.record = at.Record(
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
        """Tables of the kernels, all that they play and learn with."""
        learned = self.rules.arrays, self.memory, self.critic, self.record
        return at.World(self._settings, self.environment, self.graphs, *learned)

    def play_batch(self) -> None:
        """Play the games of one batch, add the rules that are asked for, make children, and delete what is too many."""
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

    def _last(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The classes of the latest decisions, in which a trial takes place, and how often each occurred."""
        count = min(len(self.recent), self.met)
        places = np.arange(self.met - count, self.met) % max(len(self.recent), 1)
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
        """The parents of this batch; none while there are no rules to draw from."""
        table = self.config.reproduction
        if table.parents == "niche":
            acted = self.record.decisions[: int(self.record.totals[at.IN_BATCH]), at.AT_SLOT]
            slots = acted[acted != at.UNGUIDED]
            weights = np.ones(len(slots))
        else:
            slots = self.rules.live()
            quality = self.rules.arrays.quality[slots]
            beta = self.config.beta_after(self.games)
            weights = np.exp(beta * (quality - quality.max(initial=-np.inf)))
        if not len(slots):
            return []
        sums = np.cumsum(weights)
        draws = [
            int(np.searchsorted(sums, rng.random() * sums[-1], side="right")) for _ in range(table.children)
        ]
        parents = [self.rules.rules[slots[min(k, len(slots) - 1)]] for k in draws]
        return [parent for parent in parents if parent is not None]

    def _add(self, rule: Rule) -> None:
        """Add a rule if it is new, after a trial if rules are tried."""
        table, reward = self.config.reproduction, self.config.reward
        if rule in self.rules:
            return
        expected, uses = self.expected_quality(), 0
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

    def expected_quality(self) -> float:
        """The quality with which a rule begins: the average reward so far, or what the configuration says."""
        begin = self.config.reward.begin
        if begin is not None:
            return begin
        totals = self.record.totals
        return float(totals[at.REWARDS] / totals[at.GAMES]) if totals[at.GAMES] else 0.0

    def _delete(self) -> None:
        """Delete the rules of least accessibility, or quality, that are too many; of equal ones the lower slots."""
        live = self.rules.live()
        arrays = self.rules.arrays
        measure = arrays.quality if self.config.population.deletion == "q" else arrays.access
        left = measure[live]
        for _ in range(len(live) - self.config.population.size):
            least = int(left.argmin())
            left[least] = np.inf
            self.rules.remove(int(live[least]))


def settings_of(config: Config) -> at.KernelSettings:
    """The numbers that the kernels read."""
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
    """The game on its classes, with the choices of an opponent."""
    found = classes(RULES)
    return at.Environment(found, found.closed, choices_of(opponent, RULES))


def worth(config: Config) -> NDArray[np.int8]:
    """The rewards of edges: int8 (classes, edges), read-only, so that one kernel serves all."""
    worths = closed = classes(RULES).closed
    if config.reward.boxes == "flipped":
        worths = np.negative(closed)
    if config.reward.boxes == "shuffled":
        worths = stream(config.seed, "worth").permuted(closed.ravel()).reshape(closed.shape)
    return for_reading(worths)


def new_memory(count: int, config: Config) -> at.Memory:
    """A memory of no class yet, with room for so many classes."""
    slots = config.population.size + SPARE
    domains, stack = search_scratch(BOXES, BOXES)
    return at.Memory(
        matching=np.empty((count, -(-slots // at.IN_WORD)), dtype=np.uint32),
        pending=np.empty((count, -(-slots // at.IN_WORD)), dtype=np.uint32),
        counts=np.zeros(count, dtype=np.int64),
        seen=np.full(count, at.NEVER),
        ranked=np.zeros(1, dtype=np.int64),
        domains=domains,
        stack=stack,
    )
