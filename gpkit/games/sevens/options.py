"""The options of Sevens, one value ``Rules``, and their text form ``KEY=VALUE``.

The game has no fixed rules: families in the Nordic countries play it differently, and the article that started this
(P. Hansson, "Light Introduction to Genetic Programming", GameDev.net, 2013) does not say how it was played there. The
defaults, called ``sjuan-1``, are a reconstruction; each option is a custom that is played somewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from gpkit.gamekit.options import NO, YES, Option, text_of, values_of
from gpkit.games.sevens.cards import ACE_HIGH, ACE_LOW, SEVEN, SUIT_LETTERS, Pack

OPTIONS = (
    Option("players", "the number of players", low=2, high=7),
    Option("ace_high", "the ace ranks above the king instead of below the two", (NO, YES)),
    Option("start", "the seven that must open the game, or any", ("7h", "7d", "7c", "7s", "any")),
    Option("gates", "an eight needs the six of its suit on the table, and a five the eight", (NO, YES)),
    Option("sender", "who sends a card to a player who cannot play", ("previous", "next", "all", "none")),
    Option("send_last", "a player may send the last card, and has then left the game", (NO, YES)),
    Option("send_unplayable_first", "the sender must choose an unplayable card if there is one", (NO, YES)),
    Option("send_first_lap", "cards are sent in the first lap, too", (NO, YES)),
    Option("play_received", "a received card is played at once if possible", (NO, YES)),
    Option(
        "extra_turn",
        "after the lowest or highest rank: nothing, or play on if able, or a whole turn",
        ("none", "may", "must"),
    ),
    Option(
        "end",
        "the first to leave wins, or all play for ranks, or for the points of cards left",
        ("first", "ranks", "points"),
    ),
    Option("laps", "rounds of the table after which the game is a draw", low=1, high=1000),
)
"""Every option, in the order of the fields of ``Rules``."""

METRICS = {"first": "win_share", "ranks": "rank_score", "points": "points"}
"""The name of the score for each way to end."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game; each field is an option of the same name, explained in ``OPTIONS``."""

    players: int = 3
    ace_high: bool = False
    start: str = "7h"
    gates: bool = False
    sender: str = "previous"
    send_last: bool = False
    send_unplayable_first: bool = False
    send_first_lap: bool = True
    play_received: bool = False
    extra_turn: str = "none"
    end: str = "first"
    laps: int = 100

    @property
    def pack(self) -> Pack:
        """The numbering of the cards under these rules."""
        return ACE_HIGH if self.ace_high else ACE_LOW

    @property
    def opening(self) -> int | None:
        """The card that must be played first, or None if any seven will do."""
        return None if self.start == "any" else self.pack.card(SUIT_LETTERS.index(self.start[1]), SEVEN)

    @property
    def metric(self) -> str:
        """The name of the score."""
        return METRICS[self.end]

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> "Rules":
        """The default rules with these options set.

        >>> Rules.from_options({"players": "4", "end": "ranks"}).metric
        'rank_score'

        Raises:
            UsageError: an unknown option or value, or a number out of range; the message names the nearest one.
        """
        return cls(**values_of(options, OPTIONS, "Sevens"))  # type: ignore[arg-type]

    def to_options(self) -> dict[str, str]:
        """Every option as text; ``from_options`` gives the rules back."""
        return {field.name: text_of(getattr(self, field.name)) for field in fields(self)}
