"""Games of Dots and Boxes against a person in the terminal (see ``gpkit.playing.conversation``)."""

from collections.abc import Sequence

from gpkit.core.wording import YOU
from gpkit.gamekit.game import Deals
from gpkit.games.dots_and_boxes.board import edge_name
from gpkit.games.dots_and_boxes.classes import TABLE_EDGES
from gpkit.games.dots_and_boxes.exact import considered
from gpkit.games.dots_and_boxes.facts import Matching, decide
from gpkit.games.dots_and_boxes.forms.view import drawing_text
from gpkit.games.dots_and_boxes.opponents import PERFECT, leads_by_table
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesState
from gpkit.playing.conversation import Advice, Change, Conversation, Mover
from gpkit.playing.decisions import explain
from gpkit.playing.players import name_of_adviser

HELP = """\
B2 top   draw that side: a box by column and row, and top, bottom, left or right, or the first letter as in b2t
Enter    show the board again
h        hint: what the adviser would draw
q        give up and leave
?        this page
A closed box shows the letter of its owner: A drew first. The letter in an open box says how many sides are missing:
q 4, t 3, l 2, x 1."""


MOST_NAMED = 6
"""The maximum number of equally good sides to name in a hint."""


class DotsConversation(Conversation):
    """A conversation with a person who plays Dots and Boxes."""

    title = "Dots and Boxes"
    prompt = "side? "
    page = HELP

    @property
    def best(self) -> str:
        """The best adviser: the perfect player if the board is small enough for its table, else the champion."""
        return PERFECT if self.rules.edges <= TABLE_EDGES else "champion"

    def setting(self) -> str:
        """A sentence that names the two players, and the player who draws first."""
        (other,) = self.names_of_others
        return f"{YOU} against {other}; {'you draw' if self.seat == 0 else f'{other} draws'} first"

    def example(self) -> str:
        """An example of a side that the person can type."""
        return "Type a side such as B2 top; "

    def board(self, state: DotsAndBoxesState) -> str:
        """The board and the score, but not the winner, which ``result`` reports."""
        text = super().board(state)
        return f"{text.rpartition(';')[0]}\n" if state.is_terminal else text

    def mover(self, state: DotsAndBoxesState, deals: Deals) -> Mover:
        """A function that makes the opponent's move and names the rule that drew it."""
        (opponent,) = self.others

        def move(state: DotsAndBoxesState) -> Change:
            edge, decision = explain(self.game, opponent, state, deals)
            words = drawing_text(state, edge, self.names[state.current_player])
            reason = _reason(decision.drawing if opponent.is_program else ())
            return Change(state, state.apply(edge), edge, (words + reason,))

        return move

    def advice(self, state: DotsAndBoxesState, deals: Deals) -> Advice:
        """The edge that the adviser would draw, with the rule that draws it, or the person's final lead."""
        adviser = self.advising()
        assert adviser is not None, "a program comes with the game"
        self.game.check([adviser], self.rules)
        found = decide(adviser.program, state) if adviser.is_program else None
        edges = found.edges if found else considered(adviser, state, deals.key(self.seat))
        names = [edge_name(edge, state.board) for edge in edges]
        drawn = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
        if len(names) > MOST_NAMED:
            drawn = f"{names[0]}, or one of {len(names) - 1} other lines that are equally good"
        says = f"{name_of_adviser(adviser)} would draw {drawn}{_reason(found.acting if found else ())}"
        if adviser.strategy != PERFECT:
            return Advice((says,), edges)
        values = leads_by_table(state)
        ends = max(values.values())
        result = f"you will {'win' if ends > 0 else 'lose'} by {abs(ends)}" if ends else "it will be a draw"
        if len(edges) == len(values) > 1:
            says = f"all {len(edges)} lines are equally good"
        return Advice((f"{says}; {result} if nobody makes a mistake",), edges, values)


def _reason(rules: Sequence[Matching]) -> str:
    return f" (by {' and '.join(each.title for each in rules)})" if rules else ""
