"""Decisions of a rule list in a position: every rule that matches, and those that act."""

from dataclasses import dataclass

from gpkit.core.wording import does
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.players import Player
from gpkit.games.dots_and_boxes.board import box_name, edge_name
from gpkit.games.dots_and_boxes.kernel.positions import NO_RULE
from gpkit.games.dots_and_boxes.ladder import drawn_place, searched_edge
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.rule_lists import edges_of_rule
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.state_graph import state_graph
from gpkit.genomes.graph import NamedRule, RuleList
from gpkit.matching.signature import can_reach, kept_signature, signature


@dataclass(frozen=True, slots=True)
class Matching:
    """A rule that matches.

    Attributes:
        number: its place in the list, from 0.
        named: the rule.
        edges: what it proposes, ascending.
        acts: whether it has the highest precedence of those that match.
    """

    number: int
    named: NamedRule
    edges: tuple[int, ...]
    acts: bool

    @property
    def title(self) -> str:
        """Its name, or its number from 1 if it has none."""
        return self.named.name or f"rule {self.number + 1}"


@dataclass(frozen=True, slots=True)
class Decision:
    """Decision of a rule list.

    Attributes:
        matching: the rules that match, in their order; the first of them acts, with those of its precedence.
        edges: those among which is chosen, all equally likely: any if no rule matches.
    """

    matching: tuple[Matching, ...]
    edges: tuple[int, ...]

    @property
    def rule(self) -> int:
        """The number of the first rule that acts, ``NO_RULE`` if none does."""
        return self.matching[0].number if self.matching else NO_RULE

    @property
    def acting(self) -> tuple[Matching, ...]:
        """The rules that act: none, one, or several of equal precedence."""
        return tuple(each for each in self.matching if each.acts)

    def proposing(self, edge: int) -> tuple[Matching, ...]:
        """The rules that act and propose an edge."""
        return tuple(each for each in self.acting if edge in each.edges)


def decide(program: RuleList, state: State) -> Decision:
    """Decision of a list in a position that is not the end."""
    position, lead = state_graph(state), state.lead(state.current_player)
    counts = signature(position.graph)
    matching: list[Matching] = []
    allowed: set[int] = set()
    for group in program.groups():
        acts = not matching
        for number in group:
            named = program.rules[number]
            if not can_reach(counts, kept_signature(named.rule.graph)):
                continue  # without a search
            edges = edges_of_rule(named.rule, position, lead)
            matching += [Matching(number, named, edges, acts)] if edges else []
            allowed.update(edges if acts else ())
    return Decision(tuple(matching), tuple(sorted(allowed)) or state.legal_actions())


def drawing_text(state: State, edge: int, name: str) -> str:
    """A player draws an edge, in words, and which boxes that closes."""
    closed = " and ".join(box_name(box, state.board) for box in state.closed_by(edge))
    closes = f", which closes {closed}" if closed else ""
    return f"{does(name, 'draws')} {edge_name(edge, state.board)}{closes}"


def explain(player: Player, state: State, deals: Deals) -> tuple[int, Decision]:
    """The edge that a player draws in the first deal's game, and what it had to choose from."""
    key = int(deals.keys[0])
    decision = choice(player, state, key)
    return decision.edges[drawn_place(key, len(state.drawn), len(decision.edges))], decision


def choice(player: Player, state: State, key: int) -> Decision:
    """Decision of a player in a position of the game of a key; that of a rule list says its rules."""
    if player.is_program:
        return decide(player.program, state)
    if player.number:
        return Decision((), (searched_edge(player.number, state, key),))
    return Decision((), POLICIES[player.name](state))
