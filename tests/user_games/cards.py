"""Kuhn poker: three cards, one each; whoever bets more, or holds the higher card, wins."""

from dataclasses import dataclass, replace

from gpkit import CHANCE, Metric, game, sensor

PASS, BET = 0, 1
NAMES = "JQK"


@dataclass(frozen=True, slots=True)
class State:
    """The cards that are dealt, and what was said."""

    cards: tuple[int, ...] = ()
    said: tuple[int, ...] = ()
    decision = "say"

    @property
    def current_player(self):
        """Chance deals; then the players speak in turns."""
        return CHANCE if len(self.cards) < 2 else len(self.said) % 2

    @property
    def is_terminal(self):
        """Whether both have passed, or one has answered a bet."""
        return self.said in ((PASS, PASS), (BET, PASS), (BET, BET), (PASS, BET, PASS), (PASS, BET, BET))

    def legal_actions(self):
        """Pass or bet; or the cards that are left."""
        if self.is_terminal:
            return []
        return [card for card in range(3) if card not in self.cards] if len(self.cards) < 2 else [PASS, BET]

    def chance_outcomes(self):
        """Every card that is left is equally likely."""
        left = self.legal_actions()
        return [(card, 1 / len(left)) for card in left]

    def apply(self, action):
        """The state after a card was dealt, or a player spoke."""
        if action not in self.legal_actions():
            raise ValueError(f"{action} cannot be said now")
        if len(self.cards) < 2:
            return replace(self, cards=(*self.cards, action))
        return replace(self, said=(*self.said, action))

    def returns(self):
        """The stakes that each player wins."""
        stake = 2.0 if self.said[-2:] == (BET, BET) else 1.0
        folded = self.said[-2:] == (BET, PASS)
        first = len(self.said) % 2 == 1 if folded else self.cards[0] > self.cards[1]
        return (stake, -stake) if first else (-stake, stake)

    def observation(self, player):
        """The own card, and what was said."""
        return self.cards[player : player + 1], len(self.cards), self.said

    def resample(self, rng, player):
        """Another card in the other hand."""
        if len(self.cards) < 2:
            return self
        left = [card for card in range(3) if card != self.cards[player]]
        other = left[int(rng.integers(2))]
        return replace(self, cards=(self.cards[0], other) if player == 0 else (other, self.cards[1]))

    def action_text(self, action):
        """A word."""
        return NAMES[action] if len(self.cards) < 2 else ("pass", "bet")[action]

    def parse_action(self, text):
        """The action of a word."""
        return ["pass", "bet"].index(text.lower())

    def board_text(self, player):
        """The cards that are seen, and what was said."""
        seen = "".join(NAMES[card] if player in (None, seat) else "?" for seat, card in enumerate(self.cards))
        return f"cards {seen}\nsaid {self.said}"


@sensor(0, 2, "rank of the own card")
def card(state):
    return state.cards[state.current_player]


@sensor(0, 1, "1 if the opponent has bet")
def bet(state):
    return int(state.said[-1:] == (BET,))


@sensor(0.0, 1.0, "share of the stakes that a bet puts in")
def risk(state, action):
    return action / 2


def bold(state):
    """Bets whenever it can."""
    return state.legal_actions()[-1]


GAME = game(
    "cards",
    State,
    sensors=[card, bet, risk],
    metric=Metric("stakes", -2.0, 2.0, total=0.0),
    opponents={"bold": bold},
)
