"""A person plays Dots and Boxes (``gpkit.playing.conversation``)."""

from collections.abc import Sequence

from gpkit.core.wording import YOU
from gpkit.gamekit.deals import Deals
from gpkit.games.dots_and_boxes.board import edge_name
from gpkit.games.dots_and_boxes.classes import TABLE_EDGES
from gpkit.games.dots_and_boxes.decisions import Matching, decide
from gpkit.games.dots_and_boxes.ladder import considered
from gpkit.games.dots_and_boxes.opponents import PERFECT, leads_by_table
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.view import drawing_text
from gpkit.playing.conversation import Advice, Change, Conversation, Mover
from gpkit.playing.decisions import explain
from gpkit.playing.players import name_of_adviser

HELP = """\
B2 top   draw that side: a box by column and row, and top, bottom, left or right, or the first letter as in b2t
Enter    show the board again
h        hint: what the adviser would draw
q        give up and leave
?        this page
Whoever draws the fourth side of a box owns it and draws again. A closed box shows its owner's letter, A for the player
who drew first; an open one how many sides are undrawn: q 4, t 3, l 2, x 1."""


class DotsConversation(Conversation):
    """Conversation at a board of Dots and Boxes."""

    title = "Dots and Boxes"
    prompt = "side? "
    page = HELP

    @property
    def best(self) -> str:
        """The perfect player, where the board is small enough for its table."""
        return PERFECT if self.rules.edges <= TABLE_EDGES else "champion"

    def setting(self) -> str:
        """Players, and the one who draws first."""
        (other,) = self.names_of_others
        return f"{YOU} against {other}; {'you draw' if self.seat == 0 else f'{other} draws'} first"

    def example(self) -> str:
        """A side."""
        return "Type a side such as B2 top; "

    def mover(self, state: State, deals: Deals) -> Mover:
        """The opponent draws, and says by which rule."""
        (opponent,) = self.others

        def move(state: State) -> Change:
            edge, decision = explain(self.game, opponent, state, deals)
            words = drawing_text(state, edge, self.names[state.current_player])
            reason = _reason(decision.drawing if opponent.is_program else ())
            return Change(state, state.apply(edge), edge, (words + reason,))

        return move

    def advice(self, state: State, deals: Deals) -> Advice:
        """The edge that the adviser would draw, and by which rule or how many boxes the person ends ahead with it."""
        adviser = self.advising()
        assert adviser is not None, "a program comes with the game"
        self.game.check([adviser], self.rules)
        found = decide(adviser.program, state) if adviser.is_program else None
        edges = found.edges if found else considered(adviser, state, deals.key(self.seat))
        one, names = "one of " if len(edges) > 1 else "", ", ".join(edge_name(e, state.board) for e in edges)
        says = f"{name_of_adviser(adviser)} would draw {one}{names}{_reason(found.acting if found else ())}"
        if adviser.strategy != PERFECT:
            return Advice((says,), edges)
        values = leads_by_table(state)
        ends = max(values.values())
        result = f"you {'win' if ends > 0 else 'lose'} by {abs(ends)}" if ends else "a draw"
        return Advice((f"{says}: {result}",), edges, values)


def _reason(rules: Sequence[Matching]) -> str:
    return f" (by {' and '.join(each.title for each in rules)})" if rules else ""


CONVERSATION = DotsConversation
