"""What a list of rules sees and does in a position: every rule that matches, and the one that acts."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpkit.games.dots_and_boxes.kernel.rule_lists import NO_RULE
from gpkit.games.dots_and_boxes.rule_lists import lead_of, strings_of_rule
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.state_graph import state_graph
from gpkit.genomes.graph import NamedRule
from gpkit.languages.rulegraph.printer import print_rule


@dataclass(frozen=True, slots=True)
class Matching:
    """A rule that matches.

    Attributes:
        number: its place in the list, from 0.
        named: the rule.
        strings: what it proposes, ascending.
    """

    number: int
    named: NamedRule
    strings: tuple[int, ...]

    @property
    def label(self) -> str:
        """Its name, or its text if it has none."""
        return self.named.name or print_rule(self.named.rule)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a list decides.

    Attributes:
        matching: the rules that match, in their order; the first of them acts.
        strings: those among which it chooses, all equally likely: any if no rule matches.
    """

    matching: tuple[Matching, ...]
    strings: tuple[int, ...]

    @property
    def rule(self) -> int:
        """The number of the rule that acts, ``NO_RULE`` if none does."""
        return self.matching[0].number if self.matching else NO_RULE


def decide(rules: Sequence[NamedRule], state: State) -> Decision:
    """What a list does in a position that is not the end; the same as ``rule_lists.proposal``, with all that match."""
    position, lead = state_graph(state), lead_of(state)
    proposed = (strings_of_rule(named.rule, position, lead) for named in rules)
    matching = tuple(
        Matching(number, named, strings)
        for number, (named, strings) in enumerate(zip(rules, proposed, strict=True))
        if strings
    )
    return Decision(matching, matching[0].strings if matching else state.legal_actions())
