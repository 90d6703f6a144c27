"""The forms of a game: its view for users, and the parts that exports, tables, conversations and learners need."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpkit.core.registry import LEARNED, Lazy, absent

if TYPE_CHECKING:
    from gpkit.export.conformance import Recorder
    from gpkit.gamekit.sensors import Encoding
    from gpkit.gamekit.view import View
    from gpkit.playing.contest import Series
    from gpkit.playing.conversation import Conversation
    from gpkit.show.graph import Picture
    from gpkit.show.report import RunReport


GAMES = 4_000
"""The number of games in a set of deals, for games that declare no trials."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One row of a held-out table: an opponent, rules, and either deals to play or an exact result.

    Attributes:
        opponent: the name of the player in all other seats.
        options: the rules that differ from the defaults, as strings by name.
        games: the number of games in each set of deals, rounded up to complete deals.
        sets: the number of disjoint sets of deals; their seeds are consecutive.
        exact: whether the result is computed exactly; if the program draws random numbers, games are played instead.
        quick: whether the trial is fast enough to be played at the end of every run.
    """

    opponent: str
    options: Mapping[str, str] = field(default_factory=dict)
    games: int = GAMES
    sets: int = 5
    exact: bool = False
    quick: bool = False


@dataclass(frozen=True, slots=True)
class DemoRun:
    """The part of the demo that shows one game.

    Attributes:
        program: the shipped program whose game the demo follows.
        trace: the options of the command ``trace``; ``{}`` stands for the output folder.
        find: the command that finds a player, without its output folder.
        champion: the path of the player in that folder.
        compared: the programs to compare; empty means all shipped programs.
    """

    program: str
    find: str
    champion: str
    trace: str = "--html {}/game.html"
    compared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Learning:
    """The learning configurations of a game in ``LEARNED``; they are available before the game is loaded.

    Attributes:
        game: the name of the game.
        presets: the predefined configurations, by name.
        best: the preset that produces the strongest player.
        notes: descriptions of the possible values of configuration keys.
    """

    game: str
    presets: Mapping[str, object]
    best: str
    notes: Mapping[str, str]

    def command(self, what: str) -> str:
        """The command that learns the game with a preset or a configuration file."""
        return f"gpkit learn {self.game} {what}"


def learning_of(game: str) -> Learning:
    """The learning configurations of a game in ``LEARNED``, from ``LEARNING`` in the game's module ``learning``."""
    found: Learning = LEARNED[game].part("learning").LEARNING
    return found


@dataclass(frozen=True, slots=True)
class Work:
    """Functions that describe the folders that a game's learner writes.

    Attributes:
        game: the name of the game.
        report: a function of (folder, opponents, deal) that returns findings about a folder, and a page with the
            findings and a game on this deal.
        shown: a function of (folder) that returns the values for ``learner_part.html``.
    """

    game: str
    report: "Callable[[Path, Sequence[str], int], tuple[Any, RunReport]]"
    shown: Callable[[Path], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class GameForms:
    """The forms of a game.

    Each field except the demos is a function that imports its form when called; mypy checks the form against the
    framework's type.

    Attributes:
        view: the view that shows the game to users.
        encoding: the encoding of a player's knowledge as numbers.
        suites: the trials (opponents and rules) of held-out tables.
        conversation: the class of conversations with a human player.
        demo: the part of ``gpkit demo --full`` that shows the game.
        short_demo: the content of ``gpkit demo``, for the default game.
        recorder: records complete games played by formulas or trees, for exports.
        player_recorder: records games for exports of programs that are complete players of this game; the language of
            these programs declares the class.
        file_picture: a function of (path, format) that draws a file of the game that is not a program, in a format of
            ``gpkit draw``.
        chosen_picture: a function of (source, rule, position, title, seed) that draws one rule of a parsed list, or a
            position.
        kept_series: plays a series, and stores a player's memory in a folder.
        work: describes the folders of the game's learner.
    """

    view: "Lazy[View]" = absent
    encoding: "Lazy[Encoding]" = absent
    suites: Lazy[tuple[Trial, ...]] = absent
    conversation: "Lazy[type[Conversation]]" = absent
    demo: DemoRun | None = None
    short_demo: DemoRun | None = None
    recorder: "Lazy[Recorder]" = absent
    player_recorder: Lazy[object] = absent
    file_picture: Lazy[Callable[[str, str], bytes]] = absent
    chosen_picture: "Lazy[Callable[[Any, str | None, str | None, str, int], Picture]]" = absent
    kept_series: "Lazy[Callable[..., Series]]" = absent
    work: Lazy[Work] = absent


NO_FORMS = GameForms()
