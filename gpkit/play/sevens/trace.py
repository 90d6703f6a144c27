"""A game of Sevens step by step: a step is one card, played or sent, with the passes that it leads to.

The rules that are read (``gpkit.games.sevens.rules``) and the interpreter play it, so every number can be shown; it is
the same game that the compiled engine plays on the same deal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gpkit.core.errors import UsageError
from gpkit.games.players import Player, SearchPlayer, by_program
from gpkit.games.sevens.board import board_text, event_text
from gpkit.games.sevens.cards import SUIT_NAMES, SUITS, suit_of
from gpkit.games.sevens.game import Deals
from gpkit.games.sevens.options import Rules
from gpkit.games.sevens.picture import board_svg
from gpkit.games.sevens.primitives import SENSORS
from gpkit.games.sevens.rules import UNSEEN, Event, State, deal
from gpkit.games.sevens.sensors import sense
from gpkit.games.state import NOBODY
from gpkit.play.conditions import Name, Value, Vocabulary
from gpkit.play.players import names_at_table
from gpkit.play.sevens.decisions import Decision, decide, decision_table, table_chooser
from gpkit.play.trace import Step, Table, Trace

_NAMES = (
    Name("step", "number", "the number of the step; 0 is the deal"),
    Name("turn", "number", "turns taken before it"),
    Name("lap", "number", "laps completed before it"),
    Name("seat", "number", "who chose the card, by seat"),
    Name("player", "text", "who chose the card, by name"),
    Name("mine", "number", "1 if that is the traced program, else 0"),
    Name("action", "text", "what the card was chosen for: play or send"),
    Name("card", "text", "the card, such as '7h' or '10s'"),
    Name("suit_name", "text", "its suit, such as hearts"),
    Name("rank", "number", "its rank: ace 1 (14 where aces are high), jack 11, queen 12, king 13"),
    Name("receiver", "number", "the seat that it was sent to"),
    Name("passes", "number", "how many passes followed"),
    Name("candidates", "number", "how many cards could be chosen"),
    Name("forced", "number", "1 if there was only one, else 0"),
    Name("value", "number", "the value of the card, where the traced program was asked"),
    Name("margin", "number", "how far that is above the next best"),
    Name("over", "number", "1 at the end of the game, else 0"),
    Name("score", "number", "the score of the traced program, at the end"),
)

_WORDS = ("play", "send", *SUIT_NAMES)


def trace_game(players: Sequence[Player], deals: Deals, rules: Rules, *, seat: int = 0) -> Trace:
    """The first deal's game with every decision of the first player, who sits in ``seat``; the others follow it.

    Raises:
        UsageError: the first player searches: no formula says why it chooses.
    """
    if isinstance(players[0], SearchPlayer):
        raise UsageError(
            f"{players[0].name} is a search, not a program: trace a program, with this as its opponent"
        )
    assert len(players) == rules.players, "one player for each seat"
    seated = [*players[-seat:], *players[:-seat]] if seat else list(players)
    names = names_at_table(seated)
    return Trace(names, seat, vocabulary(rules), _steps(seated, names, deals, rules, seat))


def vocabulary(rules: Rules) -> Vocabulary:
    """Vocabulary of conditions about a step of Sevens; sensors are those of a card that the traced player chose."""
    hands = (
        Name(f"hand{seat}", "number", f"cards in the hand of seat {seat}") for seat in range(rules.players)
    )
    sensors = (Name(sensor.name, "number", sensor.meaning) for sensor in SENSORS)
    return Vocabulary((*_NAMES, *hands, *sensors), _WORDS)


def _steps(
    seated: Sequence[Player], names: tuple[str, ...], deals: Deals, rules: Rules, seat: int
) -> Iterator[Step]:
    """The deal, and then every card until the end."""
    key = int(deals.keys[0])
    state = deal([int(card) for card in deals.decks[0]], rules)
    choose = table_chooser(seated, key)
    yield _step(0, SevensView(names, seat, None, state))
    number, traced = 0, by_program(seated[seat])
    while not state.is_terminal:
        before, number = state, number + 1
        legal = before.legal_actions()
        decision = None
        if len(legal) > 1 and before.current_player == seat:
            decision = decide(before, traced.program, key)
            state = before.apply(decision.card)
        else:
            state = before.apply(legal[0] if len(legal) == 1 else choose(before))
        yield _step(number, SevensView(names, seat, before, state, decision))


def _step(number: int, view: "SevensView") -> Step:
    decision = view.decision
    return Step(
        number,
        {"step": float(number), **_values(view)},
        view,
        decision.evaluations if decision else (),
        decision.chosen if decision else -1,
    )


@dataclass(frozen=True, slots=True)
class SevensView:
    """One step: the states ``before`` (None for the deal) and ``after`` it, and what the traced program decided.

    ``names`` are the players by seat, ``seat`` is that of the traced one.
    """

    names: tuple[str, ...]
    seat: int
    before: State | None
    after: State
    decision: Decision | None = None

    @property
    def chosen(self) -> Event:
        """The card that was played or sent."""
        return self.after.events[0]

    @property
    def is_forced(self) -> bool:
        """Whether there was no choice."""
        return self.before is not None and len(self.before.legal_actions()) == 1

    def words(self) -> str:
        """Description of the step, in a line."""
        if self.before is None:
            return "the cards are dealt"
        happened = [event_text(event, self.after.rules.pack, self.names) for event in self.after.events]
        if self.is_forced and self.chosen.actor == self.seat:
            happened[0] += ", its only choice"
        return "; ".join(happened)

    def table(self) -> Table | None:
        """The candidates of the traced program with their values and the sensors that it read."""
        return decision_table(self.decision, self.after.rules.pack) if self.decision else None

    def board(self) -> str:
        """The board after the step, every hand open."""
        return board_text(self.after, names=self.names)

    def picture(self) -> str:
        """The board after the step as an SVG document, every hand open."""
        return board_svg(self.after, names=self.names)

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
            "decision": self._decision_record(),
            "runs": {
                SUIT_NAMES[suit]: [after.table.low[suit], after.table.high[suit]]
                for suit in range(SUITS)
                if after.table.low[suit]
            },
            "hands": [[name(card) for card in hand] for hand in after.hands],
            "scores": list(after.returns()) if after.is_terminal else None,
        }

    def _decision_record(self) -> dict[str, object] | None:
        decision, name = self.decision, self.after.rules.pack.ascii_name
        if decision is None:
            return None
        candidates = [
            {"card": name(card), "value": each.value, "sensors": each.sensors}
            for card, each in zip(decision.cards, decision.evaluations, strict=True)
        ]
        section = decision.evaluations[0].section
        return {"section": section, "chosen": name(decision.card), "candidates": candidates}


def _values(view: SevensView) -> dict[str, Value]:
    """Values that conditions read of a step, but for its number."""
    before, after, seat = view.before, view.after, view.seat
    values: dict[str, Value] = {f"hand{player}": float(len(hand)) for player, hand in enumerate(after.hands)}
    values["over"] = float(after.is_terminal)
    if after.is_terminal:
        values["score"] = after.returns()[seat]
    if before is None:
        return values
    event, pack = view.chosen, after.rules.pack
    values |= {
        "turn": float(before.turn),
        "lap": float(before.turn // before.rules.players),
        "seat": float(event.actor),
        "player": view.names[event.actor],
        "mine": float(event.actor == seat),
        "action": event.kind,
        "card": pack.ascii_name(event.card),
        "suit_name": SUIT_NAMES[suit_of(event.card)],
        "rank": float(pack.rank(event.card)),
        "receiver": float(event.receiver) if event.receiver != NOBODY else None,
        "passes": float(sum(each.kind == "pass" for each in after.events)),
        "candidates": float(len(before.legal_actions())),
        "forced": float(view.is_forced),
    }
    if event.actor == seat:
        values |= sense(before.observation(seat), event.card)
    if view.decision is not None:
        values["value"] = view.decision.evaluations[view.decision.chosen].value
        values["margin"] = view.decision.margin
    return values
