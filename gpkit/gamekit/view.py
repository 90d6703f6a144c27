"""The face of a game, found by its name: how its states and actions are written, drawn and typed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

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


@dataclass(frozen=True, slots=True)
class Spot:
    """A rectangle of a picture: its upper left corner and its size, in the units of the picture's view box."""

    x: float
    y: float
    width: float
    height: float


@runtime_checkable
class Placing(Protocol):
    """Further functions of the views whose actions have a place on the picture."""

    def action_spots(self, state: Any, player: int | None = None) -> Mapping[int, Spot]:
        """Spots of legal actions on the picture that ``board_svg`` makes of the same; some may have none."""


@runtime_checkable
class Squared(Protocol):
    """Further functions of the views whose boards have squares, or edges, that stay where they are in every game."""

    def squares(self, state: Any) -> Mapping[int, Spot]:
        """Spots of all squares, each under the number of the action on it, legal or not; in any units."""


@runtime_checkable
class Laying(Protocol):
    """Further functions of the views of games in which something is laid out on squares before the first action."""

    def laid_squares(self, state: Any) -> Mapping[int, Collection[int]]:
        """By seat the squares on which its player has laid something out."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to fill a part of an action: its text, and the colours that show it; empty for none."""

    text: str
    fill: str = ""
    ink: str = ""


@runtime_checkable
class Composing(Protocol):
    """Further functions of the views whose actions are put together of parts, such as the pegs of a code."""

    def action_parts(self, state: Any) -> Sequence[Sequence[Choice]]:
        """The choices for every part; one text of each, joined, is what ``parse_action`` reads."""


def spots_of(view: View, state: Any, player: int | None = None) -> Mapping[int, Spot]:
    """The spots of legal actions on a picture; none where a view places none, and at the end."""
    if state.is_terminal or not isinstance(view, Placing):
        return {}
    return view.action_spots(state, player)


def view_of(game: str) -> View:
    """The view of a game: the module ``view`` beside it, or, of a game that is one file, its attribute ``view``.

    Raises:
        UsageError: there is no such game.
    """
    entry = game_entry(game)
    view: View = entry.part("view") if entry.has_part("view") else entry.load().view
    return view
