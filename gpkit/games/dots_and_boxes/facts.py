"""Facts of a step of Dots and Boxes: a step is one edge, with the rules that matched when it was chosen."""

from typing import Any

from gpkit.gamekit.facts import fact, facts_of
from gpkit.games.dots_and_boxes.board import box_name, edge_name
from gpkit.games.dots_and_boxes.decisions import Matching, RuleDecision
from gpkit.games.dots_and_boxes.rules import State


@fact("the edge, such as 'B2 top'")
def edge(before: State, action: int) -> str:
    """The name of the edge."""
    return edge_name(action, before.board)


@fact("how many boxes it closed")
def closes(before: State, action: int) -> int:
    """The number of boxes that the edge closed."""
    return len(before.closed_by(action))


def _drawing(decision: object) -> Matching | None:
    """The first rule that drew the edge; None if none did."""
    return next(iter(decision.drawing), None) if isinstance(decision, RuleDecision) else None


@fact("the rule that drew it, the first of several, from 1; 0 if none matched")
def rule(decision: object) -> int | None:
    """The number of the rule."""
    first = _drawing(decision)
    return first.number + 1 if first else 0 if isinstance(decision, RuleDecision) else None


@fact("its name, or its text if it has none")
def name(decision: object) -> str | None:
    """The name of the rule."""
    first = _drawing(decision)
    return first.label if first else None


@fact("how many rules matched")
def matching(decision: object) -> int | None:
    """The number of rules that matched."""
    return len(decision.matching) if isinstance(decision, RuleDecision) else None


@fact("number of edges to choose from")
def candidates(decision: object) -> int | None:
    """The number of edges among which a rule list chose."""
    return len(decision.edges) if isinstance(decision, RuleDecision) else None


@fact("what was learned for the rule that drew it")
def q(decision: object) -> float | None:
    """The learned value of the rule."""
    first = _drawing(decision)
    return first.named.q if first else None


@fact("boxes of the traced program less those of the other, after it")
def lead(step: Any) -> int:
    """The lead of the traced program."""
    return int(step.after.lead(step.seated.seat))


@fact("edges left to draw after it")
def left(after: State) -> int:
    """The number of edges that are not drawn."""
    return after.rules.edges - len(after.drawn)


@fact("the boxes that it closed")
def closed(before: State, action: int) -> list[str]:
    """The names of the boxes."""
    return [box_name(box, before.board) for box in before.closed_by(action)]


@fact("the edges that are drawn")
def drawn(after: State) -> list[int]:
    """The numbers of the edges."""
    return sorted(after.drawn)


@fact("the owner of each box")
def owners(after: State) -> list[int]:
    """The seats of the owners, −1 for an open box."""
    return list(after.owners)


FACTS = facts_of(globals())
