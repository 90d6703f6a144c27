"""Decisions of rule lists in positions: every rule that matches, those that act, and the edge that is drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gpkit.games.dots_and_boxes.kernel.positions import NO_RULE
from gpkit.games.dots_and_boxes.opponents import drawn_edge
from gpkit.games.dots_and_boxes.rule_lists import edges_of_rule
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.state_graph import state_graph
from gpkit.genomes.graph import NamedRule, RuleList
from gpkit.languages.rulegraph.printer import print_named
from gpkit.matching.signature import can_reach, kept_signature, signature
from gpkit.playing.decisions import StepTable

if TYPE_CHECKING:
    from gpkit.draw.graph import Picture

SHOWN = 6
"""Edges of a rule that a table names."""


@dataclass(frozen=True, slots=True)
class Matching:
    """A rule that matches.

    Attributes:
        number: its place in the list, from 0.
        named: the rule.
        text: the rule as it is written.
        edges: what it proposes, ascending.
        acts: whether it has the highest precedence of those that match.
    """

    number: int
    named: NamedRule
    text: str
    edges: tuple[int, ...]
    acts: bool

    @property
    def title(self) -> str:
        """Its name, or its number from 1 if it has none."""
        return self.named.name or f"rule {self.number + 1}"

    @property
    def label(self) -> str:
        """Its name, or its text without what was learned if it has none."""
        return self.named.name or self.text.partition("@")[0].removeprefix("|").strip()


@dataclass(frozen=True, slots=True)
class RuleDecision:
    """Decision of a rule list.

    Attributes:
        action: the edge that is drawn.
        edges: the edges from which it was chosen, all equally likely; any edges if no rule matches.
        matching: the rules that match, in their order; the first of them acts, with those of its precedence.
    """

    action: int
    edges: tuple[int, ...]
    matching: tuple[Matching, ...]

    @property
    def rule(self) -> int:
        """The number of the first rule that acts, ``NO_RULE`` if none does."""
        return self.matching[0].number if self.matching else NO_RULE

    @property
    def acting(self) -> tuple[Matching, ...]:
        """The rules that act: none, one, or several of equal precedence."""
        return tuple(each for each in self.matching if each.acts)

    @property
    def drawing(self) -> tuple[Matching, ...]:
        """The rules that act and propose the edge that is drawn."""
        return tuple(each for each in self.acting if self.action in each.edges)

    def table(self, noun: str, text: Callable[[int], str]) -> StepTable | None:
        """The rules that match, if any does; the first that drew the edge is marked."""
        if not self.matching:
            return None
        learned = any(each.named.q is not None for each in self.matching)
        rows = []
        for each in self.matching:
            q = ("" if each.named.q is None else each.named.q,) if learned else ()
            chance = 1 / len(self.edges) if each.acts else 0.0
            more = f" and {len(each.edges) - SHOWN} more" if len(each.edges) > SHOWN else ""
            named = ", ".join(map(text, each.edges[:SHOWN])) + more
            rows.append((float(each.number + 1), each.label, *q, chance, named))
        columns = ("rule", "name", *(("Q",) if learned else ()), "chance of each", f"{noun}s")
        return StepTable(columns, tuple(rows), self.matching.index(self.drawing[0]))

    def record(self, noun: str, text: Callable[[int], str]) -> dict[str, object]:
        """The decision for programs to read, its edges as texts."""
        matching = [
            {
                "rule": each.number + 1,
                "name": each.named.name or None,
                "q": each.named.q,
                "acts": each.acts,
                f"{noun}s": list(map(text, each.edges)),
            }
            for each in self.matching
        ]
        rule, edges = next((each.number + 1 for each in self.drawing), None), list(map(text, self.edges))
        return {"rule": rule, f"{noun}s": edges, "chance": 1 / len(edges), "matching": matching}

    def picture(self, state: State, source: Any, title: str) -> "Picture":
        """Picture of the first rule that drew the edge, in the position before it."""
        from gpkit.games.dots_and_boxes.forms.embedding import embedding_picture  # only pictures need it

        number, text = self.drawing[0].number + 1, source.text
        return embedding_picture(source.program, number, state, title=title, text=text, drawn=self.action)


def decide(program: RuleList, state: State, key: int = 0, texts: Sequence[str] = ()) -> RuleDecision:
    """Decision of a list in a position that is not the end.

    Args:
        program: the list.
        state: the position.
        key: of the game, by which an edge is chosen among those proposed.
        texts: the rules as they are written; none for those of a list without a file.
    """
    position, lead = state_graph(state), state.lead(state.current_player)
    counts = signature(position.graph)
    matching: list[Matching] = []
    for group in program.groups():
        acts = not matching
        for number in group:
            named = program.rules[number]
            is_sought = can_reach(counts, kept_signature(named.rule.graph))
            if is_sought and (edges := edges_of_rule(named.rule, position, lead)):
                text = texts[number] if texts else print_named(named)
                matching.append(Matching(number, named, text, edges, acts))
    proposed = sorted({edge for each in matching if each.acts for edge in each.edges})
    found = tuple(proposed) or state.legal_actions()
    return RuleDecision(drawn_edge(found, state, key), found, tuple(matching))
