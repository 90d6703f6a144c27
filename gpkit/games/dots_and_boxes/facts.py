"""Facts about a step of Dots and Boxes, which draws one edge, and decisions of rule lists, which explain steps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gpkit.gamekit.facts import fact, facts_of
from gpkit.games.dots_and_boxes.board import box_name
from gpkit.games.dots_and_boxes.kernel.boxes import NO_RULE
from gpkit.games.dots_and_boxes.opponents import drawn_edge
from gpkit.games.dots_and_boxes.rule_lists import edges_of_rule, state_graph
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesState
from gpkit.genomes.graph import NamedRule, RuleList
from gpkit.languages.rulegraph.text import RuleSource, print_named
from gpkit.matching.plan import can_reach, kept_signature, signature
from gpkit.playing.decisions import StepTable

if TYPE_CHECKING:
    from gpkit.show.graph import Picture


SHOWN = 6
"""The maximum number of edges that a table lists for a rule."""


@dataclass(frozen=True, slots=True)
class Matching:
    """A rule that matches a position.

    Attributes:
        number: the place of the rule in the list, from 0.
        named: the rule.
        text: the text of the rule in its file.
        edges: the edges that the rule proposes, in ascending order.
        acts: whether no matching rule has a higher precedence.
    """

    number: int
    named: NamedRule
    text: str
    edges: tuple[int, ...]
    acts: bool

    @property
    def title(self) -> str:
        """The rule's name, or its number (from 1) if it has no name."""
        return self.named.name or f"rule {self.number + 1}"

    @property
    def label(self) -> str:
        """The rule's name, or its text without the learned numbers if it has no name."""
        return self.named.name or self.text.partition("@")[0].removeprefix("|").strip()


@dataclass(frozen=True, slots=True)
class RuleDecision:
    """A decision of a rule list.

    Attributes:
        action: the edge to draw.
        edges: the edges from which the list chose, all with the same probability; all legal edges if no rule matches.
        matching: the matching rules in order; the first rule acts, and so do all others with the same precedence.
    """

    action: int
    edges: tuple[int, ...]
    matching: tuple[Matching, ...]

    @property
    def rule(self) -> int:
        """The number of the first rule that acts; ``NO_RULE`` if none does."""
        return self.matching[0].number if self.matching else NO_RULE

    @property
    def acting(self) -> tuple[Matching, ...]:
        """The rules that act: none, one, or several of equal precedence."""
        return tuple(each for each in self.matching if each.acts)

    @property
    def drawing(self) -> tuple[Matching, ...]:
        """The rules that act and propose the chosen edge."""
        return tuple(each for each in self.acting if self.action in each.edges)

    def table(self, noun: str, text: Callable[[int], str]) -> StepTable | None:
        """A table of the matching rules, with a mark at the first rule for the chosen edge; None if no rule matches."""
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
        """The decision as JSON values; ``text`` returns the text of an edge."""
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

    def picture(self, state: DotsAndBoxesState, source: RuleSource, title: str) -> "Picture":
        """A picture of the first rule that proposes the chosen edge, in the position ``state``."""
        from gpkit.games.dots_and_boxes.forms.embedding import embedding_picture  # only pictures need it

        number, text = self.drawing[0].number + 1, source.text
        return embedding_picture(source.program, number, state, title=title, text=text, drawn=self.action)


def decide(
    program: RuleList, state: DotsAndBoxesState, key: int = 0, texts: Sequence[str] = ()
) -> RuleDecision:
    """The decision of a rule list in a position before the end of the game.

    Args:
        program: the rule list.
        state: the position.
        key: the key of the game's random numbers, which determines the choice among the proposed edges.
        texts: the text of each rule in the file of the list; empty if the list has no file.
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
                matching.append(
                    Matching(number, named, texts[number] if texts else print_named(named), edges, acts)
                )
    proposed = sorted({edge for each in matching if each.acts for edge in each.edges})
    found = tuple(proposed) or state.legal_actions()
    return RuleDecision(drawn_edge(found, state, key), found, tuple(matching))


@fact("how many boxes the edge closed")
def closes(before: DotsAndBoxesState, action: int) -> int:
    """The number of boxes that the edge closed."""
    return len(before.closed_by(action))


def _drawing(decision: object) -> Matching | None:
    """The first acting rule that proposed the edge; None if none did."""
    return next(iter(decision.drawing), None) if isinstance(decision, RuleDecision) else None


@fact("the number of the first rule that drew the edge, from 1; 0 if none matched")
def rule(decision: object) -> int | None:
    """The number of the first rule that drew the edge."""
    first = _drawing(decision)
    return first.number + 1 if first else 0 if isinstance(decision, RuleDecision) else None


@fact("the name of this rule, or its text if it has none")
def name(decision: object) -> str | None:
    """The name of the first rule that drew the edge, or its text."""
    first = _drawing(decision)
    return first.label if first else None


@fact("how many rules matched")
def matching(decision: object) -> int | None:
    """The number of rules that matched."""
    return len(decision.matching) if isinstance(decision, RuleDecision) else None


@fact("how many edges the rule list chose from")
def edges(decision: object) -> int | None:
    """The number of edges that a rule list chose from."""
    return len(decision.edges) if isinstance(decision, RuleDecision) else None


@fact("the learned quality of this rule")
def q(decision: object) -> float | None:
    """The learned quality of the first rule that drew the edge."""
    first = _drawing(decision)
    return first.named.q if first else None


@fact("the traced program's boxes minus its opponent's, after the step")
def lead(step: Any) -> int:
    """The lead of the traced program after the step."""
    return int(step.after.lead(step.seated.seat))


@fact("how many edges are left to draw after the step")
def left(after: DotsAndBoxesState) -> int:
    """The number of edges not yet drawn."""
    return after.rules.edges - len(after.drawn)


@fact("the boxes that the edge closed")
def closed(before: DotsAndBoxesState, action: int) -> list[str]:
    """The names of the boxes that the edge closed."""
    return [box_name(box, before.board) for box in before.closed_by(action)]


@fact("the numbers of all drawn edges")
def drawn(after: DotsAndBoxesState) -> list[int]:
    """The numbers of all drawn edges in ascending order."""
    return sorted(after.drawn)


@fact("the seat of each box's owner, −1 for an open box")
def owners(after: DotsAndBoxesState) -> list[int]:
    """The seat of each box's owner; −1 for an open box."""
    return list(after.owners)


FACTS = facts_of(globals())
