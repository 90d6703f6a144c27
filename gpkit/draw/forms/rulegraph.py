"""Lists of rules as pictures: a frame with the graph of each rule, or one rule on the board."""

from collections.abc import Mapping, Sequence
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.draw.match import match_picture
from gpkit.draw.picture import Picture
from gpkit.draw.rules import rules_diff_picture, rules_picture
from gpkit.genomes.graph import RuleList
from gpkit.play.dots_and_boxes.trace import DotsView
from gpkit.play.trace import Step


def picture(
    program: RuleList, header: Mapping[str, str], primitives: PrimitiveSet | None, *, title: str, text: str
) -> Picture:
    """All rules in their order."""
    return rules_picture(program, title=title, text=text)


def change(parent: RuleList, child: RuleList, *, title: str, text: str) -> Picture:
    """The rules that were kept, removed and added."""
    return rules_diff_picture(parent, child, title=title, text=text)


def traced(
    source: Any, primitives: PrimitiveSet | None, steps: Sequence[Step], *, name: str, place: str, until: str
) -> Picture:
    """The last string that a rule of the list has drawn, on the board.

    Raises:
        UsageError: no rule drew any.
    """
    views = ((step.number, step.view) for step in reversed(steps))
    for number, view in views:
        if isinstance(view, DotsView) and view.before and view.drawing:
            return match_picture(
                source.program,
                view.drawing[0].number + 1,
                view.before,
                title=f"{name} (A), {place}, step {number}",
                text=source.text,
                drawn=view.string,
            )
    raise UsageError(f"no rule of {source.filename} has drawn anything in these {len(steps)} steps")
