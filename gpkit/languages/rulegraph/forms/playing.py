"""Rule lists in games, step by step: which rules matched, and which of them acted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gpkit.gamekit.game import Game
from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.view import Overlay
from gpkit.languages.rulegraph.printer import print_named
from gpkit.playing.trace import Seated, Step, steps_of


@dataclass(frozen=True)
class RuleStep(Step):
    """One step of a game of a rule list, whose ``decision`` says which rules matched and which of them acted."""

    @property
    def listing(self) -> str:
        """The rules with marks at those that matched and those that acted, if the list was asked."""
        if self.decision is None:
            return ""
        player = self.seated.followed
        texts = player.source.texts if player.source else list(map(print_named, player.program.rules))
        marks = dict.fromkeys((each.number for each in self.decision.matching), "+")
        marks |= dict.fromkeys((each.number for each in self.decision.drawing), ">")
        return "\n".join(f"{marks.get(k, ' ')} {k + 1:3}  {text}" for k, text in enumerate(texts))

    def picture(self, *, is_narrow: bool = False) -> str:
        """The board after the step, with the actions that could have been chosen instead."""
        others = () if self.decision is None else self.decision.edges
        last = NOBODY if self.action is None else self.action
        overlay = Overlay(best=others, last=last, is_narrow=True)  # drawn alike for all widths
        return self.seated.view.board_svg(self.after, self.seated.looks, self.seated.names, overlay)


def steps(game: Game, seated: Seated, deals: Any, rules: Any) -> Iterator[Step]:
    """The beginning of the game, and every action until its end."""
    return steps_of(game, seated, deals, rules, RuleStep)
