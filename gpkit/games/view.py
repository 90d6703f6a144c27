"""The face of a game, found by its name: how its states and actions are written, drawn and typed."""

from collections.abc import Sequence
from typing import Any, Protocol

from gpkit.core.registry import game_entry


class View(Protocol):
    """The functions of a game's module ``view``."""

    def action_text(self, state: Any, action: int) -> str:
        """A legal action as people write it, such as ``C4``."""

    def parse_action(self, state: Any, text: str) -> int:
        """The legal action that whoever is to choose means; it reads ``action_text`` back.

        Raises:
            UsageError: it is none; the message says why, and names the nearest one.
        """

    def board_text(self, state: Any, player: int | None = None, names: Sequence[str] = ()) -> str:
        """The state in lines that end with a line break.

        Args:
            state: the state.
            player: who looks, to whom what is hidden is shown at the end only; None: all is open.
            names: of the players, by seat.
        """

    def board_svg(self, state: Any, player: int | None = None, names: Sequence[str] = ()) -> str:
        """The state as an SVG document; arguments as of ``board_text``."""

    def sensors(self, state: Any, action: int) -> dict[str, float]:
        """Sensors of a legal action, by name; empty where the game offers none."""


def view_of(game: str) -> View:
    """The view of a game: the module ``view`` beside it, or, of a game that is one file, its attribute ``view``.

    Raises:
        UsageError: there is no such game.
    """
    entry = game_entry(game)
    view: View = entry.part("view") if entry.has_part("view") else entry.load().view
    return view
