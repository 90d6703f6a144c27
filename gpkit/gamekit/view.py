"""The face of a game, found by its name: how its states and actions are written, drawn and typed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from gpkit.core.registry import game_entry
from gpkit.gamekit.sight import seen_action
from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.words import Words

GRADED = 12
"""Values from which on colours show them."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """Marks on the drawing of a board for who looks at it on a page, and the places where it can be clicked.

    Attributes:
        labels: the names of what can be clicked, by action, or by what can be typed.
        values: of actions to an adviser.
        best: the actions that are advised.
        last: the action that was chosen last, by whomever; ``NOBODY`` where there is none.
        is_narrow: whether the drawing is for a telephone, 390 pixels wide.
        seat: the seat of the player that values actions; None for the one that looks or is to choose.
    """

    labels: Mapping[Any, str] = field(default_factory=dict)
    values: Mapping[Any, float] = field(default_factory=dict)
    best: tuple[int, ...] = ()
    last: int = NOBODY
    is_narrow: bool = False
    seat: int | None = None

    @property
    def is_graded(self) -> bool:
        """Whether there are so many values that colours tell them apart."""
        return len(self.values) >= GRADED


class Board(Protocol):
    """A function that shows a state as text."""

    def __call__(self, state: Any, player: int | None = None, names: Sequence[str] = ()) -> str:
        """The state in lines that end with a line break.

        Args:
            state: the state.
            player: who looks, to whom what is hidden is shown at the end only; None: all is open.
            names: of the players, by seat.
        """


class Drawing(Protocol):
    """A function that shows a state as a picture."""

    def __call__(
        self,
        state: Any,
        player: int | None = None,
        names: Sequence[str] = (),
        overlay: Overlay | None = None,
    ) -> str:
        """The state as an SVG document; the first three arguments are those of ``Board``.

        Args:
            state, player, names: as there.
            overlay: marks and places, drawn for a page; None for a picture that stands alone.
        """


@dataclass(frozen=True, slots=True)
class Spot:
    """A rectangle of a picture: its upper left corner and its size, in the units of the picture's view box."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to fill a part of an action: its text, and the colours that show it; empty for none."""

    text: str
    fill: str = ""
    ink: str = ""


def everywhere(state: Any) -> Collection[int]:
    """The legal actions: of views that place them all."""
    return () if state.is_terminal else tuple(state.legal_actions())


@dataclass(frozen=True, slots=True)
class View:
    """The face of a game: ``VIEW`` of its module ``view``.

    Attributes:
        action_text: (state, action) a legal action as people write it, such as ``C4``.
        parse_action: (state, text) the legal action that whoever is to choose means; it reads ``action_text`` back, and
            raises a UsageError that says why a text is none, and names the nearest one.
        board_text: the state in lines that end with a line break.
        board_svg: the state as an SVG document, with the marks and places of an overlay.
        sensors: (state, action) the sensors of a legal action, by name; empty where the game offers none.
        placed: (state) the legal actions that have a place on the picture; without it none.
        squares: (state) spots of all squares, each under the number of the action on it, legal or not, in any units;
            None for boards without squares, or edges, that stay where they are in every game.
        laid_squares: (state) by seat the squares on which its player has laid something out before the first action;
            None where nothing is laid out.
        action_parts: (state) the choices for every part of an action, such as the pegs of a code; one text of each,
            joined, is what ``parse_action`` reads. Without it, actions are not put together.
        is_asked: (state) whether a program is asked in a state, so that sensors are within their bounds.
        words: what a page says to the player.
    """

    action_text: Callable[[Any, int], str]
    parse_action: Callable[[Any, str], int]
    board_text: Board
    board_svg: Drawing
    sensors: Callable[[Any, int], Mapping[str, float]]
    placed: Callable[[Any], Collection[int]] = lambda state: ()
    squares: Callable[[Any], Mapping[int, Spot]] | None = None
    laid_squares: Callable[[Any], Mapping[int, Collection[int]]] | None = None
    action_parts: Callable[[Any], Sequence[Sequence[Choice]]] = lambda state: ()
    is_asked: Callable[[Any], bool] = lambda state: True
    words: Words = field(default_factory=Words)

    def seen_text(self, state: Any, action: int, player: int) -> str:
        """The text of an action as one player sees it; empty if the player sees nothing."""
        return seen_action(self.action_text, f"a hidden {self.words.noun}", state, action, player)


def view_of(game: str) -> View:
    """The view of a game: ``VIEW`` of the module beside it, or, of a game that is one file, its attribute ``view``.

    Raises:
        UsageError: there is no such game.
    """
    entry = game_entry(game)
    view: View = entry.part("view").VIEW if entry.has_part("view") else entry.load().view
    return view
