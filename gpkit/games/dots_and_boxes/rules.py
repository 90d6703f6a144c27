"""The rules of Dots and Boxes in plain Python: immutable states, one edge at a time; the kernel must agree.

Two players draw edges in turns. Whoever draws the fourth side of a box owns it and draws again, two boxes at once
included. When all edges are drawn, whoever owns more boxes has won.
"""

from dataclasses import dataclass

from gpkit.gamekit.state import NOBODY, check_legal
from gpkit.games.dots_and_boxes.edges import Field, boxes_of_edges, edges_of_box
from gpkit.games.dots_and_boxes.options import Rules

PLAYERS = 2


@dataclass(frozen=True, slots=True)
class State:
    """A position of a game.

    Attributes:
        rules: what is played on: the rules, which say the board, or coins.
        drawn: the edges that are drawn.
        owners: by box the player who closed it, or ``NOBODY``.
        current_player: 0 or 1, who draws next; at the end ``NOBODY``.
    """

    rules: Field
    drawn: frozenset[int]
    owners: tuple[int, ...]
    current_player: int = 0

    decision = "draw"

    @classmethod
    def begin(cls, rules: Field) -> "State":
        """Nothing is drawn; player 0 draws first."""
        return cls(rules, frozenset(), (NOBODY,) * rules.boxes)

    @property
    def board(self) -> Rules:
        """The rules of a position on a board."""
        assert isinstance(self.rules, Rules), "coins are not a board"
        return self.rules

    @property
    def is_terminal(self) -> bool:
        """Whether all edges are drawn."""
        return len(self.drawn) == self.rules.edges

    def legal_actions(self) -> tuple[int, ...]:
        """The edges that are not drawn, ascending."""
        return tuple([edge for edge in range(self.rules.edges) if edge not in self.drawn])

    def undrawn_sides(self, box: int) -> int:
        """Degree of a box: the number of its sides that are not drawn."""
        sides = edges_of_box(box, self.rules)
        return len(sides) - len(self.drawn.intersection(sides))

    def closed_by(self, edge: int) -> tuple[int, ...]:
        """The boxes that drawing this edge would close."""
        return tuple([box for box in boxes_of_edges(self.rules)[edge] if self.undrawn_sides(box) == 1])

    def apply(self, edge: int) -> "State":
        """The position after the current player has drawn this edge.

        Raises:
            ValueError: there is no such edge, or it is drawn.
        """
        if edge in self.drawn or edge not in range(self.rules.edges):
            check_legal(edge, self)
        closed = self.closed_by(edge)
        owners = list(self.owners)
        for box in closed:
            owners[box] = self.current_player
        drawn = self.drawn | {edge}
        player = self.current_player if closed else 1 - self.current_player
        if len(drawn) == self.rules.edges:
            player = NOBODY
        return State(self.rules, drawn, tuple(owners), player)

    def boxes_of(self, player: int) -> int:
        """Number of boxes that a player owns."""
        return self.owners.count(player)

    @property
    def winner(self) -> int | None:
        """Player with more boxes at the end; None for a tie."""
        assert self.is_terminal, "the game is not over"
        lead = self.lead(0)
        return None if lead == 0 else int(lead < 0)

    def lead(self, player: int) -> int:
        """The number of boxes by which a player is ahead, so far or at the end."""
        return self.boxes_of(player) - self.boxes_of(1 - player)

    def returns(self) -> tuple[float, float]:
        """By player 1 for more boxes than the other, ½ for as many, 0 for fewer."""
        lead = self.lead(0)
        share = (lead > 0) + (lead == 0) / 2
        return share, 1.0 - share

    def observation(self, player: int) -> "State":
        """The position: nothing is hidden."""
        return self
