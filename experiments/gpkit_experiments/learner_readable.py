"""The games of the Dots and Boxes learner in plain Python.

This module defines the meaning of the kernel for these games. It reads and writes the same arrays as
``kernel.learner.play``, but uses networkx to find which rules match and what these rules propose.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gpkit.games.dots_and_boxes.classes import edges_of, state_of
from gpkit.games.dots_and_boxes.kernel import learner as at
from gpkit.games.dots_and_boxes.kernel.learner import COVERING, EDGE, EXPLORING, PURPOSES, RULE, START
from gpkit.games.dots_and_boxes.learner.learner import SlottedRules
from gpkit.games.dots_and_boxes.rule_lists import StateGraph, edges_of_rule, state_graph
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules
from gpkit.genomes.graph import Rule
from gpkit.vm.keyed import keyed_uniform_readable

Edges = tuple[int, ...]
"""Edges of the board in ascending order, all equally likely to be drawn."""


class Drawn(NamedTuple):
    """An edge that was drawn in a class, with the number of the learner's decision in the batch, or ``BY_OPPONENT``."""

    number: int
    edge: int
    decision: int


class ReadableGames:
    """Games played by a learner's rules on the classes of a board; it is called like ``kernel.learner.play``."""

    def __init__(self, rules: SlottedRules, positions: Sequence[int], board: DotsAndBoxesRules) -> None:
        self.slotted = rules
        self.positions = positions
        self.rules = board
        self._proposed: dict[tuple[int, Rule], Edges] = {}
        self._graphs: dict[int, StateGraph] = {}

    def __call__(self, first: int, games: int, key: int, beta: float, world: at.World) -> int:
        """Play games and learn from each; stop after a game in which a new rule was requested."""
        game = Game(self, key, beta, world)
        for number in range(first, first + games):
            if game.play(number):
                return number - first + 1
        return games

    def proposals(self, number: int) -> dict[int, Edges]:
        """The edges that each rule proposes in a class, by the slot of the rule, for rules that match."""
        found = {}
        for slot, rule in enumerate(self.slotted.rules):
            if rule is not None:
                edges = self.edges(number, rule)
                if edges:
                    found[slot] = edges
        return found

    def edges(self, number: int, rule: Rule) -> Edges:
        """The edges that a rule proposes in a class; empty if the rule does not match."""
        if (number, rule) not in self._proposed:
            if number not in self._graphs:
                self._graphs[number] = state_graph(state_of(self.positions[number], self.rules))
            self._proposed[number, rule] = edges_of_rule(rule, self._graphs[number], 0)
        return self._proposed[number, rule]


class Game:
    """A player of games, one after the other; the arrays are the ones in ``kernel.tables``."""

    def __init__(
        self,
        games: ReadableGames,
        key: int,
        beta: float,
        world: at.World,
    ) -> None:
        self.games = games
        self.key = key
        self.beta = beta
        self.settings = world.settings
        self.environment = world.environment
        self.population = world.population
        self.critic = world.critic
        self.record = world.record

    def play(self, game: int) -> bool:
        """Play a game and learn from it; return whether a new rule was requested."""
        self.number = game
        drawn, margin, reward, asked = self.draw_all()
        totals = self.record.totals
        totals[at.GAMES] += 1
        totals[at.REWARDS] += reward
        totals[at.WINS] += 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
        self.forget()
        self.learn_acting(drawn, reward)
        if self.settings.measure == at.ADVANTAGE:
            self.learn_values(drawn)
            self.learn_matching(drawn)
            asked |= self.ask_to_mend(drawn)
        return asked

    def chance(self, turn: int, purpose: int) -> float:
        """A random number in [0, 1) for a purpose at a turn of this game."""
        return keyed_uniform_readable(self.key, self.number, PURPOSES * turn + purpose)

    def one_of(self, edges: Edges, turn: int) -> int:
        """One of these edges."""
        return edges[int(self.chance(turn, EDGE) * len(edges))]

    def draw_all(self) -> tuple[list[Drawn], int, int, bool]:
        """Play.

        Returns:
            All edges in order, the learner's boxes minus the opponent's, the same difference in the learner's
            valuation, and whether a new rule was requested.
        """
        number, margin, reward, asked = 0, 0, 0, False
        mine = self.chance(0, START) < 0.5
        drawn: list[Drawn] = []
        while number != len(self.environment.classes.successors) - 1:
            turn = len(drawn)
            if mine:
                row = int(self.record.totals[at.IN_BATCH])
                slot, edge, wanted = self.decide(number, turn)
                self.record.decisions[row] = (number, slot, edge, edge if wanted else at.NOTHING)
                for total in (at.IN_BATCH, at.DECISIONS):
                    self.record.totals[total] += 1
                self.record.totals[at.GUIDED] += slot != at.UNGUIDED
                asked |= wanted
            else:
                row = at.BY_OPPONENT
                edge = self.one_of(edges_of(int(self.environment.replies[number])), turn)
            drawn.append(Drawn(number, edge, row))
            closed = int(self.environment.classes.closed[number, edge])
            worth = int(self.environment.worth[number, edge])
            margin += closed if mine else -closed
            reward += worth if mine else -worth
            number = int(self.environment.classes.successors[number, edge])
            if closed == 0:
                mine = not mine
        return drawn, margin, reward, asked

    def decide(self, number: int, turn: int) -> tuple[int, int, bool]:
        """The slot of the rule that acts in a class, the edge that is drawn, and whether a new rule is requested."""
        proposed = self.games.proposals(number)
        if len(proposed) < self.settings.few and self.chance(turn, COVERING) < self.settings.covering:
            return at.UNGUIDED, self.one_of(self.legal(number), turn), True
        if not proposed or self.chance(turn, EXPLORING) < self.settings.exploration:
            return at.UNGUIDED, self.one_of(self.legal(number), turn), False
        slot = self.boltzmann(self.ranked(proposed)[: len(self.record.best)], self.chance(turn, RULE))
        return slot, self.one_of(proposed[slot], turn), False

    def legal(self, number: int) -> Edges:
        """All edges that have not been drawn."""
        return tuple(
            edge for edge, after in enumerate(self.environment.classes.successors[number]) if after >= 0
        )

    def ranked(self, proposed: dict[int, Edges]) -> list[int]:
        """The slots of the rules that match, sorted by quality; if qualities are equal, the lower slot comes first."""
        return sorted(proposed, key=lambda slot: (-self.population.quality[slot], slot))

    def boltzmann(self, slots: list[int], u: float) -> int:
        """One of these slots, with probabilities proportional to exp(beta · quality), equation 3."""
        quality = self.population.quality
        weights = [math.exp(self.beta * (quality[slot] - quality[slots[0]])) for slot in slots]
        left = u * sum(weights)
        for slot, weight in zip(slots, weights, strict=True):
            left -= weight
            if left < 0.0:
                return slot
        return slots[-1]

    def forget(self) -> None:
        """Make every rule a little less accessible; under ``combined``, also move its quality towards 0."""
        for slot in range(len(self.population.access)):
            self.population.access[slot] *= 1.0 - self.settings.forgetting
            if self.settings.measure == at.COMBINED:
                self.population.quality[slot] *= 1.0 - self.settings.rate

    def learn_acting(self, drawn: list[Drawn], reward: int) -> None:
        """Let each rule that acted learn the reward (equation 1) and become more accessible (equation 2), once."""
        acted = [int(self.record.decisions[row, at.AT_SLOT]) for _, _, row in drawn if row != at.BY_OPPONENT]
        for slot in dict.fromkeys(slot for slot in acted if slot != at.UNGUIDED):
            self.record.totals[at.USED] += 1
            if self.settings.access == at.USE:
                self.population.access[slot] += 1.0
            quality = self.population.quality[slot]
            if self.settings.measure == at.SCORE:
                self.population.quality[slot] += self.settings.rate * (reward - quality)
            elif self.settings.measure == at.COMBINED:
                self.population.quality[slot] += self.settings.rate * reward

    def value_of(self, number: int, edge: int) -> float:
        """The value of an edge for the learner that draws it in a class, as far as it is known."""
        after, again = (
            self.environment.classes.successors[number, edge],
            self.environment.classes.closed[number, edge] > 0,
        )
        return float(
            self.environment.worth[number, edge]
            + (self.critic.own[after] if again else self.critic.other[after])
        )

    def average_value(self, number: int, edges: Edges) -> float:
        """The average value of drawing one of these edges."""
        return sum(self.value_of(number, edge) for edge in edges) / len(edges)

    def best_edge(self, number: int) -> int:
        """The edge with the greatest value, or the first of several."""
        return max(self.legal(number), key=lambda edge: self.value_of(number, edge))

    def learn_values(self, drawn: list[Drawn]) -> None:
        """Learn the values of the classes in the game, from its end to its beginning.

        Where the learner drew, the value becomes the value of the best edge. Where the opponent drew, the value moves
        towards the result, first by averaging and then at the rate ``judging``.
        """
        own, other, met = self.critic
        for number, edge, row in reversed(drawn):
            if row != at.BY_OPPONENT:
                own[number] = self.value_of(number, self.best_edge(number))
                continue
            after, again = (
                self.environment.classes.successors[number, edge],
                self.environment.classes.closed[number, edge] > 0,
            )
            came = (other[after] if again else own[after]) - self.environment.worth[number, edge]
            met[number] += 1
            other[number] += max(self.settings.judging, 1.0 / met[number]) * (came - other[number])

    def learn_matching(self, drawn: list[Drawn]) -> None:
        """Let all rules that matched learn how far their proposals are below the best, in the order of the game.

        The best rule in a class may be credited with its gain over the edge that would be drawn without it.
        """
        quality, access, uses = self.population.quality, self.population.access, self.population.uses
        for number, _, row in drawn:
            if row == at.BY_OPPONENT:
                continue
            proposed = self.games.proposals(number)
            ranked = self.ranked(proposed)
            if ranked and self.settings.access == at.GAIN:
                instead = proposed[ranked[1]] if len(ranked) > 1 else self.legal(number)
                access[ranked[0]] += self.average_value(number, proposed[ranked[0]])
                access[ranked[0]] -= self.average_value(number, instead)
            for slot, edges in proposed.items():
                uses[slot] += 1
                step = max(self.settings.rate, 1.0 / (uses[slot] + self.settings.prior))
                came = self.average_value(number, edges) - self.critic.own[number]
                quality[slot] += step * (came - quality[slot])

    def ask_to_mend(self, drawn: list[Drawn]) -> bool:
        """Request rules for classes in which the best rule, or any edge, is wrong; return whether there are any."""
        asked = False
        for turn, (number, _, row) in enumerate(drawn):
            if row == at.BY_OPPONENT or self.record.decisions[row, at.AT_WANTED] != at.NOTHING:
                continue
            if self.chance(turn, COVERING) >= self.settings.mending:
                continue
            proposed = self.games.proposals(number)
            drawn_by_best = proposed[self.ranked(proposed)[0]] if proposed else self.legal(number)
            best = self.best_edge(number)
            loss = self.value_of(number, best) - self.average_value(number, drawn_by_best)
            if loss > self.settings.fault:
                self.record.decisions[row, at.AT_WANTED] = best
                asked = True
        return asked

    def judge(
        self, rule: Rule, recent: Mapping[int, int], expected: float, prior: int
    ) -> tuple[int, float, float]:
        """Try the rule in a slot on recent decisions, as ``kernel.learner.judge`` does.

        Args:
            rule: a rule that does not take part yet.
            recent: the number of times that each class occurred.
            expected: the quality expected of a new rule.
            prior: the number of decisions that this expectation counts for.

        Returns:
            The number of decisions in which the rule matches, the gain that it would have brought in them, and its
            quality.
        """
        proposed = {number: self.games.edges(number, rule) for number in recent}
        met = {number: edges for number, edges in proposed.items() if edges}
        count = sum(recent[number] for number in met)
        total = expected * prior
        for number, edges in met.items():
            loss = self.average_value(number, edges) - self.critic.own[number]
            total += recent[number] * loss
        quality = total / (count + prior)
        gain = 0.0
        for number, edges in met.items():
            found = self.games.proposals(number)
            others = self.ranked(found)
            if not others or self.population.quality[others[0]] < quality:
                instead = found[others[0]] if others else self.legal(number)
                there = self.average_value(number, edges)
                gain += recent[number] * (there - self.average_value(number, instead))
        return count, gain, quality
