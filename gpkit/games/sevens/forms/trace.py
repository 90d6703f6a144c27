"""A game of Sevens step by step: a step is one card, played or sent, with the passes that it leads to.

The rules that are read (``gpkit.games.sevens.rules``) and the interpreter play it, so every number can be shown; it is
the same game that the compiled engine plays on the same deal.
"""

from collections.abc import Iterator, Sequence

from gpkit.core.errors import UsageError
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import NOBODY
from gpkit.games.sevens.board import event_text
from gpkit.games.sevens.cards import SUIT_NAMES, SUITS, suit_of
from gpkit.games.sevens.forms.decisions import explain
from gpkit.games.sevens.game import GAME, Deals
from gpkit.games.sevens.options import Rules
from gpkit.games.sevens.primitives import SENSORS
from gpkit.games.sevens.rules import UNSEEN, Event, State
from gpkit.games.sevens.sensors import sense
from gpkit.playing.actions import ActionView, Decision, steps_of
from gpkit.playing.conditions import Name, Value, Vocabulary
from gpkit.playing.trace import Seated, Step

_NAMES = (
    Name("step", "number", "the number of the step; 0 is the deal"),
    Name("turn", "number", "turns taken before it"),
    Name("lap", "number", "laps completed before it"),
    Name("seat", "number", "seat of the player who chose the card"),
    Name("player", "text", "name of the player who chose the card"),
    Name("mine", "number", "1 if it is the traced program, else 0"),
    Name("action", "text", "what the card was chosen for: play or send"),
    Name("card", "text", "the card, such as '7h' or '10s'"),
    Name("suit_name", "text", "its suit, such as hearts"),
    Name("rank", "number", "its rank: ace 1 (14 where aces are high), jack 11, queen 12, king 13"),
    Name("receiver", "number", "the seat that it was sent to"),
    Name("passes", "number", "how many passes followed"),
    Name("candidates", "number", "number of cards to choose from"),
    Name("forced", "number", "1 if there was only one, else 0"),
    Name("value", "number", "the value of the card, where the traced program decided"),
    Name("margin", "number", "its margin over the next best"),
    Name("over", "number", "1 at the end of the game, else 0"),
    Name("score", "number", "the score of the traced program, at the end"),
)

_WORDS = ("play", "send", *SUIT_NAMES)
_EXAMPLES = (
    ("Its next real choice", "mine and forced == 0"),
    ("It sends a card", "mine and action == send"),
    ("A close choice", "mine and margin < 1"),
)


def check(players: Sequence[Player], rules: Rules, seat: int) -> None:
    """Check that the first player can be followed.

    Raises:
        UsageError: it searches: no formula says why it chooses.
    """
    if players[0].worlds:
        raise UsageError(
            f"{players[0].name} is a search, not a program: trace a program, with this as its opponent"
        )


def vocabulary(rules: Rules) -> Vocabulary:
    """Vocabulary of conditions about a step of Sevens; sensors are those of a card that the traced player chose."""
    hands = (
        Name(f"hand{seat}", "number", f"cards in the hand of seat {seat}") for seat in range(rules.players)
    )
    sensors = (Name(sensor.name, "number", sensor.meaning) for sensor in SENSORS)
    return Vocabulary((*_NAMES, *hands, *sensors), _WORDS, _EXAMPLES)


def steps(seated: Seated, deals: Deals, rules: Rules) -> Iterator[Step]:
    """The deal, and then every card until the end."""

    def choose(state: State) -> tuple[int, Decision | None]:
        seat = state.current_player
        card, decision = explain(seated.players[seat], state, deals)
        return card, decision if seat == seated.seat else None

    return steps_of(seated, GAME.begin([], deals, rules), SevensView, choose)


class SevensView(ActionView):
    """One step: a card, played or sent, with the passes that it leads to."""

    noun = "card"

    @property
    def chosen(self) -> Event:
        """The card that was played or sent."""
        event: Event = self.after.events[0]
        return event

    @property
    def is_forced(self) -> bool:
        """Whether there was no choice."""
        return self.before is not None and len(self.before.legal_actions()) == 1

    def words(self) -> str:
        """Description of the step, in a line."""
        if self.before is None:
            return "the cards are dealt"
        happened = [
            event_text(event, self.after.rules.pack, self.seated.names) for event in self.after.events
        ]
        if self.is_forced and self.is_mine:
            happened[0] += ", its only choice"
        return "; ".join(happened)

    def record(self) -> dict[str, object]:
        """The step for programs to read; cards are written as in ``7h``, players are seats."""
        before, after = self.before or self.after, self.after
        name = after.rules.pack.ascii_name
        return {
            "turn": before.turn,
            "events": [
                {
                    "kind": event.kind,
                    "actor": event.actor,
                    "card": name(event.card) if event.card != UNSEEN else None,
                    "receiver": event.receiver if event.receiver != NOBODY else None,
                }
                for event in after.events
            ],
            "decision": self.decision.record("card", name) if self.decision else None,
            "runs": {
                SUIT_NAMES[suit]: [after.tableau.low[suit], after.tableau.high[suit]]
                for suit in range(SUITS)
                if after.tableau.low[suit]
            },
            "hands": [[name(card) for card in hand] for hand in after.hands],
            "scores": list(after.returns()) if after.is_terminal else None,
        }

    def values(self) -> dict[str, Value]:
        """Values that conditions read of a step, but for its number."""
        before, after = self.before, self.after
        values = super().values()
        values |= {f"hand{player}": float(len(hand)) for player, hand in enumerate(after.hands)}
        if before is None:
            return values
        event, pack = self.chosen, after.rules.pack
        values |= {
            "turn": float(before.turn),
            "lap": float(before.turn // before.rules.players),
            "seat": float(event.actor),
            "action": event.kind,
            "card": pack.ascii_name(event.card),
            "suit_name": SUIT_NAMES[suit_of(event.card)],
            "rank": float(pack.rank(event.card)),
            "receiver": float(event.receiver) if event.receiver != NOBODY else None,
            "passes": float(sum(each.kind == "pass" for each in after.events)),
            "candidates": float(len(before.legal_actions())),
            "forced": float(self.is_forced),
        }
        if self.is_mine:
            values |= sense(before.observation(event.actor), event.card)
        return values
