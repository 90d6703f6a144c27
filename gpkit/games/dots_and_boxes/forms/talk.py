"""A person plays Dots and Boxes (``gpkit.playing.conversation``)."""

from collections.abc import Sequence

from gpkit.core.wording import YOU
from gpkit.gamekit.deals import Deals
from gpkit.games.dots_and_boxes.arrays import mask_of
from gpkit.games.dots_and_boxes.board import edge_name
from gpkit.games.dots_and_boxes.classes import TABLE_EDGES, table, value_of_edge
from gpkit.games.dots_and_boxes.forms.decisions import Matching, choice, drawing_text, explain
from gpkit.games.dots_and_boxes.ladder import PERFECT, check_board
from gpkit.games.dots_and_boxes.rules import State
from gpkit.playing.conversation import Advice, Change, Conversation, Mover
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

    def check(self) -> None:
        """Check that the opponent can play on this board.

        Raises:
            UsageError: it cannot.
        """
        check_board(self.others[0], self.rules)

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
            edge, decision = explain(opponent, state, deals)
            words = drawing_text(state, edge, self.names[state.current_player])
            return Change(state, state.apply(edge), edge, (words + _reason(decision.proposing(edge)),))

        return move

    def advice(self, state: State, deals: Deals) -> Advice:
        """The edge that the adviser would draw, and by which rule or how many boxes the person ends ahead with it."""
        adviser = self.advising()
        assert adviser is not None, "a program comes with the game"
        check_board(adviser, self.rules)
        decision = choice(adviser, state, int(deals.keys[0]))
        edges = ", ".join(edge_name(edge, state.board) for edge in decision.edges)
        one = "one of " if len(decision.edges) > 1 else ""
        message = f"{name_of_adviser(adviser)} would draw {one}{edges}{_reason(decision.acting)}"
        if adviser.strategy != PERFECT:
            return Advice((message,), decision.edges)
        known, lead = table(state.board), state.lead(self.seat)
        values = {
            edge: lead + value_of_edge(state, edge, lambda after: int(known[mask_of(after.drawn)]))
            for edge in state.legal_actions()
        }
        ends = max(values.values())
        result = f"you {'win' if ends > 0 else 'lose'} by {abs(ends)}" if ends else "a draw"
        return Advice((f"{message}: {result}",), decision.edges, values)


def _reason(rules: Sequence[Matching]) -> str:
    return f" (by {' and '.join(each.title for each in rules)})" if rules else ""


CONVERSATION = DotsConversation
