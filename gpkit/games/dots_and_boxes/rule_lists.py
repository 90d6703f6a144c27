"""Rule lists as players: what they mean, in plain Python; ``rule_plans`` has the same compiled.

The first rule of a list that may act says what is drawn: any of the edges of the board that the images of its action
over all its matches stand for, all equally likely. If it is joined to others, it is any of the edges that one of them
proposes, as a set. Where no rule may act, any edge is drawn.
"""

from dataclasses import dataclass

from gpkit.games.dots_and_boxes.kernel.rule_lists import NO_RULE
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.state_graph import StateGraph, state_graph
from gpkit.genomes.graph import Rule, RuleList
from gpkit.matching.reference import images


@dataclass(frozen=True, slots=True)
class Proposal:
    """Proposal of a rule list in a position.

    Attributes:
        rule: which rule acts, the first of several of equal precedence, ``NO_RULE`` if none may.
        edges: those among which it chooses, ascending.
    """

    rule: int
    edges: tuple[int, ...]


def lead_of(state: State) -> int:
    """The boxes of whoever is to draw less those of the other, in a position that is not the end."""
    return state.lead(state.current_player)


def edges_of_rule(rule: Rule, position: StateGraph, lead: int) -> tuple[int, ...]:
    """The edges of the board that a rule proposes, ascending; none if it may not act."""
    values = images(rule, position.graph, lead)
    return tuple(sorted({edge for value in values for edge in position.edges_of(value)}))


def proposal(program: RuleList, state: State) -> Proposal:
    """Proposal of a list in a position that is not the end."""
    position, lead = state_graph(state), lead_of(state)
    for group in program.groups():
        proposed = {k: edges_of_rule(program.rules[k].rule, position, lead) for k in group}
        acting = [number for number, edges in proposed.items() if edges]
        if acting:
            return Proposal(acting[0], tuple(sorted(set().union(*proposed.values()))))
    return Proposal(NO_RULE, state.legal_actions())
