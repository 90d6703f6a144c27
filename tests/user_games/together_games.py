"""Rock-paper-scissors, matching pennies and Goofspiel: the players choose at the same time."""

from dataclasses import dataclass

from gpkit import Metric, game, option, sensor

SIGNS = ("rock", "paper", "scissors")


@dataclass(frozen=True, slots=True)
class State:
    kind: str = "goofspiel"
    cards: int = 4
    chosen: tuple[int, ...] = ()  # secret until both have chosen
    rounds: tuple[tuple[int, int], ...] = ()
    decision = "choose"
    together = True
    action_count = 13

    @property
    def length(self):
        return self.cards if self.kind == "goofspiel" else 1

    @property
    def current_player(self):
        return len(self.chosen)

    @property
    def is_terminal(self):
        return len(self.rounds) == self.length

    def left(self, player):
        """The cards that a player can still bid, from 0."""
        count = {"rps": 3, "pennies": 2}.get(self.kind, self.cards)
        return [card for card in range(count) if card not in [each[player] for each in self.rounds]]

    def legal_actions(self):
        return [] if self.is_terminal else self.left(len(self.chosen))

    def apply(self, action):
        if action not in self.legal_actions():
            raise ValueError(f"{action} cannot be chosen")
        chosen = (*self.chosen, action)
        if len(chosen) < 2:
            return State(self.kind, self.cards, chosen, self.rounds)
        return State(self.kind, self.cards, (), (*self.rounds, chosen))

    def points(self, player):
        """The sum of the prizes that a player has won; the highest prize comes first, and ties win nothing."""
        prizes = range(self.cards, 0, -1)
        return sum(
            prize for prize, bids in zip(prizes, self.rounds, strict=False) if bids[player] > bids[1 - player]
        )

    def returns(self):
        if self.kind == "goofspiel":
            first, second = self.points(0), self.points(1)
            won = float((first > second) - (first < second))
        else:
            first, second = self.rounds[0]
            won = {
                "rps": (0.0, 1.0, -1.0)[(first - second) % 3],
                "pennies": 1.0 if first == second else -1.0,
            }[self.kind]
        return (won, -won)

    def observation(self, player):
        return player, self.chosen[player : player + 1], len(self.chosen), self.rounds

    def action_text(self, action):
        words = {"rps": SIGNS, "pennies": ("heads", "tails")}.get(self.kind)
        return words[action] if words else str(action + 1)

    def hand(self, player):
        mine = [*self.left(player)]
        return [self.action_text(card) for card in mine if card not in self.chosen[player : player + 1]]

    def rows(self):
        bids = {f"player {at + 1}": [self.action_text(each[at]) for each in self.rounds] for at in (0, 1)}
        prize = {"prize": str(self.cards - len(self.rounds))} if self.kind == "goofspiel" else {}
        return {**prize, **bids}


@sensor(0, 12, "the choice")
def card(state, action):
    return action


@sensor(0, 13, "choices that are left")
def left(state):
    return len(state.left(state.current_player))


GAME = game(
    "together",
    State,
    sensors=[card, left],
    options=[
        option("kind", "goofspiel", "what is played", choices=("goofspiel", "rps", "pennies")),
        option("cards", 4, "cards of Goofspiel", low=2, high=13),
    ],
    metric=Metric("won", -1.0, 1.0, total=0.0),
    opponents={"high": "choose: env.card"},
)
