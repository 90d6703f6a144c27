"""Leduc poker: six cards, one for each player and one for both, two rounds of bets (Southey and others, 2005)."""

from dataclasses import dataclass, replace

from gpkit import CHANCE, NOBODY, Kernel, Metric, fact, game, kernel, sensor

FOLD, CALL, RAISE = range(3)
ANTE, RAISES, MOST_RAISES = 1, (2, 4), 2
CARDS, RANKS = 6, "JQK"
NONE = -1


@dataclass(frozen=True, slots=True)
class State:
    """The cards that were dealt, the chips that are bet, and the actions of both rounds."""

    cards: tuple[int, ...] = ()  # those of the players, then the one of both
    bets: tuple[int, int] = (ANTE, ANTE)
    rounds: tuple[str, ...] = ("",)
    current_player: int = CHANCE
    decision = "bet"
    action_count = 3

    @property
    def is_terminal(self):
        """Whether somebody has folded, or all bets of the second round are equal."""
        return self.rounds[-1].endswith("f") or (len(self.rounds) == 2 and closed(self.rounds[1]))

    def chance_outcomes(self):
        """Every card that is left is as likely as any other."""
        left = [card for card in range(CARDS) if card not in self.cards]
        return [(card, 1 / len(left)) for card in left]

    def legal_actions(self):
        """Fold where there is a bet to meet, call or check, and raise at most twice in a round."""
        if self.is_terminal:
            return []
        fold = [FOLD] if self.bets[0] != self.bets[1] else []
        more = [RAISE] if self.rounds[-1].count("r") < MOST_RAISES else []
        return [*fold, CALL, *more]

    def apply(self, action):
        """The state after a card was dealt, or after a bet."""
        if self.current_player == CHANCE:
            if action in self.cards or not 0 <= action < CARDS:
                raise ValueError(f"card {action} is not in the pack")
            cards = (*self.cards, action)
            return replace(self, cards=cards, current_player=CHANCE if len(cards) == 1 else 0)
        if action not in self.legal_actions():
            raise ValueError(f"{action} is no legal bet")
        player, bets = self.current_player, list(self.bets)
        if action != FOLD:
            bets[player] = max(bets) + (RAISES[len(self.rounds) - 1] if action == RAISE else 0)
        rounds = (*self.rounds[:-1], self.rounds[-1] + "fcr"[action])
        after = replace(self, bets=tuple(bets), rounds=rounds, current_player=1 - player)
        if len(rounds) == 1 and closed(rounds[0]):
            return replace(after, rounds=(*rounds, ""), current_player=CHANCE)
        return after

    def returns(self):
        """The chips that each player has won."""
        if self.rounds[-1].endswith("f"):
            won = [0, 0]
            won[1 - self.current_player] = -self.bets[1 - self.current_player]
            won[self.current_player] = self.bets[1 - self.current_player]
            return (float(won[0]), float(won[1]))
        first, second = strength(self.cards, 0), strength(self.cards, 1)
        chips = float(self.bets[0]) * ((first > second) - (first < second))
        return (chips, -chips)

    def observation(self, player):
        """The own card, the card of both, and all bets."""
        seen = tuple(rank(card) for card in (*self.cards[player : player + 1], *self.cards[2:]))
        return (player, seen, self.rounds, self.current_player)

    def resample(self, rng, player):
        """Another card in the other hand, which the player cannot know: with it gpkit doctor looks for leaks."""
        if len(self.cards) <= 1 - player:
            return self
        seen = self.cards[player : player + 1] + self.cards[2:]
        left = [card for card in range(CARDS) if card not in seen]
        cards = list(self.cards)
        cards[1 - player] = left[int(rng.integers(len(left)))]
        return replace(self, cards=tuple(cards))

    def action_text(self, action):
        """A bet, or the card that is dealt."""
        if self.current_player == CHANCE:
            return f"deal {RANKS[rank(action)]}"
        return ("fold", "call" if self.bets[0] != self.bets[1] else "check", "raise")[action]

    def hand(self, player):
        """The own card."""
        return [RANKS[rank(card)] for card in self.cards[player : player + 1]]

    def rows(self):
        """The card of both, the chips of each player, and the bets of each round in words."""
        said = {"f": "fold", "c": "call", "r": "raise"}
        bets = {f"round {at + 1}": ", ".join(map(said.get, bets)) for at, bets in enumerate(self.rounds)}
        shared = [RANKS[rank(card)] for card in self.cards[2:]]
        return {"for both": shared, "chips": f"{self.bets[0]} and {self.bets[1]}", **bets}


def rank(card):
    """0 for a jack, 1 for a queen, 2 for a king."""
    return card // 2


def closed(bets):
    """Whether a round is over: a call, which is not the first check."""
    return len(bets) > 1 and bets.endswith("c")


def strength(cards, player):
    """What is compared in the end: a pair with the card of both is above everything."""
    return rank(cards[player]) + 3 * (rank(cards[player]) == rank(cards[2]))


@sensor(0, 1, "1 for folding")
def folds(state, action):
    return action == FOLD


@sensor(0, 1, "1 for raising")
def raises(state, action):
    return action == RAISE


@sensor(0, 2, "rank of the own card: 0 jack, 1 queen, 2 king")
def card(state):
    return rank(state.cards[state.current_player])


@sensor(0, 1, "1 if the own card and the card of both are a pair")
def pair(state):
    return len(state.cards) == 3 and rank(state.cards[2]) == rank(state.cards[state.current_player])


@sensor(-1, 2, "rank of the card of both, -1 before it is dealt")
def shared(state):
    return rank(state.cards[2]) if len(state.cards) == 3 else NONE


@sensor(0, 4, "chips to call")
def to_call(state):
    return max(state.bets) - state.bets[state.current_player]


@sensor(2, 26, "chips in the pot")
def pot(state):
    return sum(state.bets)


@fact("chips in the pot after it")
def chips(after):
    return sum(after.bets)


GAME = game(
    "leduc_poker",
    State,
    sensors=[folds, raises, card, pair, shared, to_call, pot],
    facts=[chips],
    metric=Metric("chips", -13.0, 13.0, total=0.0),
    opponents={
        "greedy": "bet: env.raises",
        "careful": "bet: (env.card + env.pair * 3 - 1.5) * (env.raises - env.folds)",
    },
)

# The same over an int64 array: who is to choose, the decision, who folded, the three cards, the chips of both, the
# round, the raises and all bets in it.

PLAYER, DECISION, FOLDED, HANDS, SHARED, BETS, ROUND, RAISED, TAKEN, SIZE = 0, 1, 2, 3, 5, 6, 8, 9, 10, 11


def pack(state):
    """The array of a state."""
    player = NOBODY if state.is_terminal else state.current_player
    folded = 1 - state.current_player if state.rounds[-1].endswith("f") else NOBODY
    cards = [*state.cards, NONE, NONE, NONE][:3]
    bets = state.rounds[-1]
    return [player, 0, folded, *cards, *state.bets, len(state.rounds) - 1, bets.count("r"), len(bets)]


@kernel
def fast_chance(game, actions, weights):
    """Fill in the cards that are left, with their probabilities."""
    found = 0
    for card in range(CARDS):
        if card != game[HANDS] and card != game[HANDS + 1] and card != game[SHARED]:
            actions[found] = card
            found += 1
    for place in range(found):
        weights[place] = 1 / found
    return found


@kernel
def fast_legal(game, actions):
    """Fill in the legal bets."""
    found = 0
    for action in range(3):
        if (action != FOLD or game[BETS] != game[BETS + 1]) and (
            action != RAISE or game[RAISED] < MOST_RAISES
        ):
            actions[found] = action
            found += 1
    return found


@kernel
def fast_deal(game, card):
    """Deal a card."""
    if game[HANDS] == NONE:
        game[HANDS] = card
    elif game[HANDS + 1] == NONE:
        game[HANDS + 1] = card
        game[PLAYER] = 0
    else:
        game[SHARED] = card
        game[PLAYER] = 0


@kernel
def fast_bet(game, action):
    """Take a bet, and begin the second round, or end the game, where it closes one."""
    player = game[PLAYER]
    if action != FOLD:
        game[BETS + player] = max(game[BETS], game[BETS + 1])
    if action == RAISE:
        game[BETS + player] += RAISES[game[ROUND]]
        game[RAISED] += 1
    game[TAKEN] += 1
    game[PLAYER] = 1 - player
    if action == FOLD:
        game[FOLDED] = player
        game[PLAYER] = NOBODY
    elif action == CALL and game[TAKEN] > 1:
        if game[ROUND] == 1:
            game[PLAYER] = NOBODY
        else:
            game[PLAYER] = CHANCE
            game[ROUND] = 1
            game[RAISED] = 0
            game[TAKEN] = 0


@kernel
def fast_apply(game, action):
    """Deal a card, or take a bet."""
    if game[PLAYER] == CHANCE:
        fast_deal(game, action)
    else:
        fast_bet(game, action)


@kernel
def fast_score(game, scores):
    """Fill in the chips that each player has won."""
    if game[FOLDED] != NOBODY:
        chips = float(game[BETS + game[FOLDED]])
        scores[0] = -chips if game[FOLDED] == 0 else chips
    else:
        first = game[HANDS] // 2 + 3 * (game[HANDS] // 2 == game[SHARED] // 2)
        second = game[HANDS + 1] // 2 + 3 * (game[HANDS + 1] // 2 == game[SHARED] // 2)
        scores[0] = 0.0
        if first > second:
            scores[0] = game[BETS]
        elif first < second:
            scores[0] = -game[BETS]
    scores[1] = 0.0 - scores[0]


@kernel
def fast_sense(game, action, values):
    """Fill in the sensors, in their order."""
    own = game[HANDS + game[PLAYER]] // 2
    values[0] = action == FOLD
    values[1] = action == RAISE
    values[2] = own
    values[3] = game[SHARED] != NONE and game[SHARED] // 2 == own
    values[4] = game[SHARED] // 2 if game[SHARED] != NONE else NONE
    values[5] = max(game[BETS], game[BETS + 1]) - game[BETS + game[PLAYER]]
    values[6] = game[BETS] + game[BETS + 1]


GAME = GAME.compiled(Kernel(pack, SIZE, CARDS, fast_legal, fast_apply, fast_score, fast_sense, fast_chance))
