"""A game of Dots and Boxes step by step: a step is one edge, with the rules that matched when it was chosen.

The readable rules play it; it is the same game that the compiled engine plays on the same deal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.draw.graph import Picture
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.players import Player
from gpkit.gamekit.view import Overlay
from gpkit.games.dots_and_boxes.board import box_name, edge_name
from gpkit.games.dots_and_boxes.forms.decisions import Decision, Matching, drawing_text, explain
from gpkit.games.dots_and_boxes.game import GAME
from gpkit.games.dots_and_boxes.ladder import check_board
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.picture import board_svg
from gpkit.games.dots_and_boxes.rules import State
from gpkit.languages.rulegraph.printer import print_named
from gpkit.playing.actions import ActionView, steps_of
from gpkit.playing.conditions import Name, Value, Vocabulary
from gpkit.playing.trace import Seated, Step, StepTable

VOCABULARY = Vocabulary(
    (
        Name("step", "number", "the number of the step; 0 is the empty board"),
        Name("seat", "number", "seat of the player who drew: 0 drew first"),
        Name("player", "text", "name of the player who drew"),
        Name("mine", "number", "1 if it is the traced program, else 0"),
        Name("edge", "text", "the edge, such as 'B2 top'"),
        Name("closes", "number", "how many boxes it closed"),
        Name("rule", "number", "the rule that drew it, the first of several, from 1; 0 if none matched"),
        Name("name", "text", "its name, or its text if it has none"),
        Name("matching", "number", "how many rules matched"),
        Name("candidates", "number", "number of edges to choose from"),
        Name("q", "number", "what was learned for the rule that drew it"),
        Name("lead", "number", "boxes of the traced program less those of the other, after it"),
        Name("left", "number", "edges left to draw after it"),
        Name("over", "number", "1 at the end of the game, else 0"),
        Name("score", "number", "the score of the traced program, at the end"),
    ),
    examples=(
        ("Next capture", "closes > 0"),
        ("Its next capture", "mine and closes > 0"),
        ("No rule matched", "mine and rule == 0"),
    ),
)
"""Vocabulary of conditions about a step of Dots and Boxes."""

SHOWN = 6
"""Edges of a rule that a table names."""


def check(players: Sequence[Player], rules: Rules, seat: int) -> None:
    """Check that the first player is a rule list, and that all can play on this board.

    Raises:
        UsageError: it is not; or a perfect player on a board that is too large for it.
    """
    if not players[0].is_program:
        name = players[0].name
        raise UsageError(f"{name} is not a rule list: trace a program, with this as its opponent")
    for player in players:
        check_board(player, rules)


def vocabulary(rules: Rules) -> Vocabulary:
    """``VOCABULARY``, on any board."""
    return VOCABULARY


def steps(seated: Seated, deals: Deals, rules: Rules) -> Iterator[Step]:
    """The empty board, and then every edge until the end."""

    def choose(state: State) -> tuple[int, Decision]:
        return explain(seated.players[state.current_player], state, deals)

    view = partial(DotsView, texts=texts_of(seated.followed))
    return steps_of(seated, GAME.begin([], deals, rules), view, choose)


def texts_of(player: Player) -> tuple[str, ...]:
    """The rules of a player as they are written; those without a file in canonical form."""
    if player.source is None:
        return tuple(print_named(named) for named in player.program.rules)
    texts: tuple[str, ...] = player.source.texts
    return texts


@dataclass(frozen=True, slots=True)
class DotsView(ActionView):
    """One step: an edge that was drawn.

    Attributes:
        texts: the rules of the traced program, as they are written.
    """

    texts: tuple[str, ...] = ()

    @property
    def closed(self) -> tuple[int, ...]:
        """The boxes that the edge closed."""
        return () if self.before is None else self.before.closed_by(self.action)

    @property
    def drawing(self) -> tuple[Matching, ...]:
        """The rules of the traced program that acted and proposed the edge; none if it did not draw by a rule."""
        return self.decision.proposing(self.action) if self.is_mine and self.decision is not None else ()

    def acting_picture(self, source: Any, title: str) -> Picture | None:
        """Picture of the rule of the list that drew the edge, in the position before; None if none did."""
        if self.before is None or not self.drawing:
            return None
        from gpkit.games.dots_and_boxes.forms.embedding import embedding_picture  # only pictures need it

        number = self.drawing[0].number + 1
        return embedding_picture(
            source.program, number, self.before, title=title, text=source.text, drawn=self.action
        )

    def label(self, matching: Matching) -> str:
        """The name of a rule, or its text without what was learned if it has none."""
        return matching.named.name or self.texts[matching.number].partition("@")[0].removeprefix("|").strip()

    def words(self) -> str:
        """Description of the step, in a line."""
        if self.before is None or self.decision is None:
            return "the board is empty"
        words = drawing_text(self.before, self.action, self.seated.names[self.before.current_player])
        if self.is_mine:
            titles = " and ".join(each.title for each in self.drawing)
            words += f", by {titles}" if titles else ", as no rule matches"
        return words

    def table(self) -> StepTable | None:
        """The rules that matched when the traced program was asked; the first that drew the edge is marked."""
        if not self.is_mine or self.decision is None or not self.decision.matching:
            return None
        learned = any(each.named.q is not None for each in self.decision.matching)
        rows = []
        for each in self.decision.matching:
            q = ("" if each.named.q is None else each.named.q,) if learned else ()
            chance = 1 / len(self.decision.edges) if each.acts else 0.0
            rows.append((float(each.number + 1), self.label(each), *q, chance, self._named(each.edges)))
        columns = ("rule", "name", *(("Q",) if learned else ()), "chance of each", "edges")
        return StepTable(columns, tuple(rows), self.decision.matching.index(self.drawing[0]))

    def _named(self, edges: Sequence[int]) -> str:
        shown = [edge_name(edge, self.after.rules) for edge in edges[:SHOWN]]
        more = len(edges) - len(shown)
        return ", ".join(shown) + (f" and {more} more" if more else "")

    def listing(self) -> str:
        """The rules with marks at those that matched and drew the edge, if the traced program was asked."""
        if not self.is_mine or self.decision is None:
            return ""
        matching = {each.number for each in self.decision.matching}
        drawing = {each.number for each in self.drawing}
        symbols = [">" if k in drawing else "+" if k in matching else " " for k in range(len(self.texts))]
        return "\n".join(
            f"{sign} {k:3}  {text}" for k, (sign, text) in enumerate(zip(symbols, self.texts, strict=True), 1)
        )

    def picture(self, *, is_narrow: bool = False) -> str:
        """The board after the step as an SVG document, with the edges that could have been drawn instead."""
        del is_narrow  # lines without names are drawn alike for both
        others = self.decision.edges if self.decision is not None and self.is_mine else ()
        return board_svg(
            self.after,
            names=self.seated.names,
            overlay=Overlay(best=others, last=self.action, is_narrow=True),
        )

    def record(self) -> dict[str, object]:
        """The step for programs to read; edges are written as in ``B2 top``, players are seats."""
        rules = self.after.rules
        return {
            "player": None if self.before is None else self.before.current_player,
            "edge": None if self.before is None else edge_name(self.action, rules),
            "closes": [box_name(box, rules) for box in self.closed],
            "decision": self._decision_record(),
            "drawn": sorted(self.after.drawn),
            "owners": list(self.after.owners),
            "scores": [self.after.lead(0), self.after.lead(1)] if self.after.is_terminal else None,
        }

    def _decision_record(self) -> dict[str, object] | None:
        if not self.is_mine or self.decision is None:
            return None
        rules = self.after.rules
        return {
            "rule": self.drawing[0].number + 1 if self.drawing else None,
            "edges": [edge_name(edge, rules) for edge in self.decision.edges],
            "chance": 1 / len(self.decision.edges),
            "matching": [
                {
                    "rule": each.number + 1,
                    "name": each.named.name or None,
                    "q": each.named.q,
                    "acts": each.acts,
                    "edges": [edge_name(edge, rules) for edge in each.edges],
                }
                for each in self.decision.matching
            ],
        }

    def values(self) -> dict[str, Value]:
        """Values that conditions read of a step, but for its number."""
        before, after = self.before, self.after
        values: dict[str, Value] = {
            "lead": float(after.lead(self.seated.seat)),
            "left": float(after.rules.edges - len(after.drawn)),
            "over": float(after.is_terminal),
        }
        if after.is_terminal:
            values["score"] = after.returns()[self.seated.seat]
        if before is None or self.decision is None:
            return values
        values |= {
            "seat": float(before.current_player),
            "player": self.seated.names[before.current_player],
            "mine": float(self.is_mine),
            "edge": edge_name(self.action, after.rules),
            "closes": float(len(self.closed)),
        }
        if self.is_mine:
            values |= {
                "rule": 0.0,
                "matching": float(len(self.decision.matching)),
                "candidates": float(len(self.decision.edges)),
            }
            for first in self.drawing[:1]:
                values |= {"rule": float(first.number + 1), "name": self.label(first), "q": first.named.q}
        return values
