"""The options of Sevens, one value ``Rules``, and their text form ``KEY=VALUE``.

The game has no fixed rules: families in the Nordic countries play it differently, and the article that started this
(P. Hansson, "Light Introduction to Genetic Programming", GameDev.net, 2013) does not say how it was played there. The
defaults, called ``sjuan-1``, are a reconstruction; each option is a custom that is played somewhere.
"""

from dataclasses import dataclass

from gpkit.gamekit.options import OptionRules, options_of, rule
from gpkit.games.sevens.cards import ACE_HIGH, ACE_LOW, SEVEN, SUIT_LETTERS, Pack

METRICS = {"first": "win_share", "ranks": "rank_score", "points": "points"}
"""The name of the score for each way to end."""


@dataclass(frozen=True, slots=True)
class Rules(OptionRules):
    """The rules of one game; each field is an option of the same name.

    >>> Rules.from_options({"players": "4", "end": "ranks"}).metric
    'rank_score'
    """

    title = "Sevens"

    players: int = rule(3, "the number of players", low=2, high=7)
    ace_high: bool = rule(False, "the ace ranks above the king instead of below the two")
    start: str = rule(
        "7h", "the seven that must open the game, or any", choices=("7h", "7d", "7c", "7s", "any")
    )
    gates: bool = rule(False, "an eight needs the six of its suit on the table, and a five the eight")
    sender: str = rule(
        "previous",
        "who sends a card to a player who cannot play",
        choices=("previous", "next", "all", "none"),
    )
    send_last: bool = rule(False, "a player may send the last card, and is then out of the game")
    send_unplayable_first: bool = rule(False, "the sender must choose an unplayable card if there is one")
    send_first_lap: bool = rule(True, "cards are sent in the first lap, too")
    play_received: bool = rule(False, "a received card is played at once if possible")
    extra_turn: str = rule(
        "none",
        "whoever plays a lowest or highest rank plays again: never, if able, or for a whole turn",
        choices=("none", "may", "must"),
    )
    end: str = rule(
        "first",
        "the first to leave wins, or all play on for ranks, or for points of the cards left",
        choices=("first", "ranks", "points"),
    )
    laps: int = rule(100, "rounds of the table after which the game is a draw", low=1, high=1000)

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


OPTIONS = options_of(Rules)
"""Every option, in the order of the fields of ``Rules``, and of the kernel's array of rules."""
