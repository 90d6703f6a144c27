"""Follows rule lists in games; each step shows which rules matched, and which of them acted."""

from collections.abc import Iterator
from dataclasses import dataclass

from gpkit.gamekit.game import Deals, Game
from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.view import Overlay
from gpkit.languages.rulegraph.text import print_named
from gpkit.playing.trace import Seated, Step, steps_of

MOST_RULES = 40
"""The maximum number of rules in a list for which a step shows all rules."""


@dataclass(frozen=True)
class RuleStep(Step):
    """One step of a rule list's game; its ``decision`` shows which rules matched and which of them acted."""

    @property
    def listing(self) -> str:
        """The rules, with marks on those that matched and those that acted; empty if the list did not choose an action.

        For a long list, the text contains only the marked rules.
        """
        if self.decision is None:
            return ""
        player = self.seated.followed
        texts = player.source.texts if player.source else list(map(print_named, player.program.rules))
        marks = dict.fromkeys((each.number for each in self.decision.matching), "+")
        marks |= dict.fromkeys((each.number for each in self.decision.drawing), ">")
        shown = range(len(texts)) if len(texts) <= MOST_RULES else sorted(marks)
        lines = [f"{marks.get(k, ' ')} {k + 1:3}  {texts[k]}" for k in shown]
        more = [f"       {len(texts) - len(lines)} other rules do not match here"]
        return "\n".join(lines if len(lines) == len(texts) else [*lines, *more])

    def picture(self, *, is_narrow: bool = False) -> str:
        """A picture of the board after the step, with marks for the actions that the list chose from."""
        others = () if self.decision is None else self.decision.edges
        last = NOBODY if self.action is None else self.action
        overlay = Overlay(best=others, last=last, is_narrow=True)  # the same picture for all widths
        return self.seated.view.board_svg(self.after, self.seated.looks, self.seated.names, overlay)


def steps(game: Game, seated: Seated, deals: Deals, rules: object) -> Iterator[Step]:
    """Yield the beginning of the game, and then a step for every action."""
    return steps_of(game, seated, deals, rules, RuleStep)
