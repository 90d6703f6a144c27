"""A person lays out a fleet, ship by ship, by typing or by clicks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from gpkit.core.errors import UsageError
from gpkit.games.battleship.board import TOWARDS, grid_text, placement_of_name, square_name
from gpkit.games.battleship.fleets import Placements
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.picture import laying_svg
from gpkit.games.battleship.rules import Board
from gpkit.playing.conversation import Answers, Dialogue, ask

LAYING = """\
C4       place the next ship from C4, to the right unless it was turned
C4 h     place the next ship from C4 to the right
C4 v     place the next ship from C4 down
t        turn the next ship
b        take the last ship back
c        clear the board
r        place the whole fleet at random, as does Enter before the first ship
Enter    show the ships placed so far
q        give up and leave
?        this page
On the board: a digit is a ship of that length, + one of 10 or more. With all ships placed, you take turns shooting."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A fleet that is being laid out.

    Attributes:
        rules: the rules.
        ships: the placements of those that lie.
        direction: of the next one, a key of ``TOWARDS``.
    """

    rules: Rules
    ships: Placements = ()
    direction: str = "h"

    @property
    def length(self) -> int:
        """Length of the next ship."""
        return self.rules.fleet[len(self.ships)]

    def placement(self, word: str) -> int:
        """The placement of the next ship that a word means.

        Raises:
            UsageError: it means none, or the ship cannot lie there.
        """
        text = word if word[1:][-1:].lower() in TOWARDS else f"{word} {self.direction}"
        return placement_of_name(text, self.ships, self.rules)

    def after(self, word: str) -> "Laid":
        """The fleet after what was typed.

        Raises:
            UsageError: it is neither a command nor a place where the next ship can lie.
        """
        if word.lower() == "t":
            return replace(self, direction="v" if self.direction == "h" else "h")
        ships = {"": self.ships, "b": self.ships[:-1], "c": ()}.get(word.lower())
        return replace(self, ships=(*self.ships, self.placement(word)) if ships is None else ships)

    def board(self) -> Board:
        """The ships that lie."""
        return Board.of(self.ships, replace(self.rules, fleet=self.rules.fleet[: len(self.ships)]))

    def answers(self) -> Answers:
        """The squares from which the next ship can lie, and what else can be done."""
        towards = f", {TOWARDS[self.direction]}" if self.length > 1 else ""
        words = {
            **({"t": "Turn"} if towards else {}),
            "r": "Random fleet",
            **({"b": "Take back", "c": "Clear"} if self.ships else {}),
        }
        ghosts = {
            square_name(square, self.rules): self._ghost(square) for square in range(self.rules.squares)
        }
        line = "Choose its first square." if self.ships else "Choose its first square, or a random fleet."
        return Answers(
            f"Place the ship of {self.length}{towards}",
            laying_svg(self.board(), self.rules, ghosts),
            words,
            line=line,
        )

    def _ghost(self, square: int) -> tuple[int, int, str]:
        """The first and the last square of the next ship from this one, as far as the board goes; and why it cannot."""
        rules, (y, x) = self.rules, divmod(square, self.rules.width)
        step, room = (1, rules.width - x) if self.direction == "h" else (rules.width, rules.height - y)
        last = square + step * (min(self.length, room) - 1)
        try:
            self.placement(square_name(square, rules))
        except UsageError as why:
            return square, last, str(why).partition(";")[0]
        return square, last, ""


def lay_out(drawn: Placements, rules: Rules, lines: Iterator[str]) -> Dialogue[Placements | None]:
    """The person's own fleet, ship by ship, or the one that was ``drawn``; None if the person leaves."""
    yield (
        f"Your fleet: {', '.join(map(str, rules.fleet))}. Enter places it at random, and A1 h or A1 v places the ship "
        f"of {rules.fleet[0]}."
    )
    laid = Laid(rules)
    while len(laid.ships) < len(rules.fleet):
        word = yield from ask(f"ship of {laid.length}? ", LAYING, lines, answers=partial(Laid.answers, laid))
        if word is None:
            return None
        if word.lower() == "r" or not (word or laid.ships):
            return drawn
        try:
            laid = laid.after(word)
        except UsageError as mistake:
            yield str(mistake)
            continue
        if word.lower() == "t":
            yield f"The next ship points {TOWARDS[laid.direction]}."
        elif len(laid.ships) < len(rules.fleet):
            yield f"\n{grid_text(laid.board(), reveal=True)}"
    return laid.ships
