"""6 nimmt, small: all choose a card at once; the fourth card in a row takes the row's bulls. Few bulls win."""

from dataclasses import dataclass, replace

from gpkit import CHANCE, Metric, game, option, sensor

FULL = 4  # a row of so many cards is taken by the next
DECK = 40
MOST = 4  # players


def bulls(card):
    return 1 + 2 * (card % 5 == 0) + 4 * (card % 11 == 0)


@dataclass(frozen=True, slots=True)
class State:
    players: int
    size: int  # of a hand
    width: int  # rows
    table: tuple[tuple[int, ...], ...] = ()
    hands: tuple[tuple[int, ...], ...] = ()
    chosen: tuple[int, ...] = ()  # secret until everybody has chosen
    taken: tuple[int, ...] = ()
    waiting: tuple[tuple[int, int], ...] = ()  # (card, seat) still to be placed, the lowest first
    last: tuple[int, ...] = ()
    action_count = DECK + 1

    @property
    def dealing(self):
        return len(self.table) < self.width or (
            sum(map(len, self.hands)) < self.players * self.size and not self.taken
        )

    @property
    def current_player(self):
        if self.dealing:
            return CHANCE
        if self.waiting:
            return self.waiting[0][1]
        return len(self.chosen) if not self.is_terminal else 0

    @property
    def decision(self):
        return "row" if self.waiting else "card"

    @property
    def together(self):
        return not self.waiting

    @property
    def is_terminal(self):
        return bool(self.taken) and not self.waiting and not any(self.hands)

    def chance_outcomes(self):
        gone = {card for row in self.table for card in row} | {card for hand in self.hands for card in hand}
        left = [card for card in range(1, DECK + 1) if card not in gone]
        return [(card, 1 / len(left)) for card in left]

    def legal_actions(self):
        if self.dealing:
            return [each for each, _ in self.chance_outcomes()]
        if self.is_terminal:
            return []
        if self.waiting:
            return list(range(self.width))
        return sorted(self.hands[len(self.chosen)])

    def apply(self, action):
        if self.dealing:
            if action not in dict(self.chance_outcomes()):
                raise ValueError(f"card {action} is not in the pack")
            if len(self.table) < self.width:
                return replace(self, table=(*self.table, (action,)))
            hands = list(self.hands) or [()] * self.players
            seat = next(seat for seat, hand in enumerate(hands) if len(hand) < self.size)
            hands[seat] = tuple(sorted((*hands[seat], action)))
            full = all(len(hand) == self.size for hand in hands)
            return replace(self, hands=tuple(hands), taken=(0,) * self.players if full else ())
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal")
        if self.waiting:
            card, seat = self.waiting[0]
            taken = list(self.taken)
            taken[seat] += sum(map(bulls, self.table[action]))
            rows = (*self.table[:action], (card,), *self.table[action + 1 :])
            return replace(self, table=rows, taken=tuple(taken), waiting=self.waiting[1:]).settled()
        seat = len(self.chosen)
        hands = list(self.hands)
        hands[seat] = tuple(card for card in hands[seat] if card != action)
        chosen = (*self.chosen, action)
        after = replace(self, hands=tuple(hands), chosen=chosen)
        if len(chosen) < self.players:
            return after
        waiting = tuple(sorted((card, seat) for seat, card in enumerate(chosen)))
        return replace(after, chosen=(), waiting=waiting, last=chosen).settled()

    def settled(self):
        """Places cards until a player must choose a row."""
        state = self
        while state.waiting:
            card, seat = state.waiting[0]
            fits = [(row[-1], at) for at, row in enumerate(state.table) if row[-1] < card]
            if not fits:
                return state
            at = max(fits)[1]
            rows, taken = list(state.table), list(state.taken)
            if len(rows[at]) == FULL:
                taken[seat] += sum(map(bulls, rows[at]))
                rows[at] = ()
            rows[at] = (*rows[at], card)
            state = replace(state, table=tuple(rows), taken=tuple(taken), waiting=state.waiting[1:])
        return state

    def returns(self):
        return tuple(float(each) for each in self.taken)

    def observation(self, player):
        hand = self.hands[player] if self.hands else ()
        mine = self.chosen[player] if len(self.chosen) > player else 0
        return (player, self.table, hand, mine, len(self.chosen), self.taken, self.waiting, self.last)

    def resample(self, rng, player):
        """Other hands for the others; what was seen stays."""
        if not self.taken or len(self.hands) < self.players:
            return self
        pool = [card for seat, hand in enumerate(self.hands) if seat != player for card in hand]
        pool += [card for seat, card in enumerate(self.chosen) if seat != player]
        pool.sort()
        order = [pool[int(at)] for at in rng.permutation(len(pool))]
        hands, chosen = list(self.hands), list(self.chosen)
        for seat, hand in enumerate(hands):
            if seat != player:
                hands[seat] = tuple(sorted(order[: len(hand)]))
                order = order[len(hand) :]
        for seat in range(len(chosen)):
            if seat != player:
                chosen[seat] = order.pop()
        return replace(self, hands=tuple(hands), chosen=tuple(chosen))

    def action_text(self, action):
        if self.dealing:
            return f"deal {action}"
        return f"row {action + 1}" if self.waiting else str(action)

    def hand(self, player):
        return list(map(str, self.hands[player] if self.hands else ()))

    def rows(self):
        bulls = {"bulls": ", ".join(map(str, self.taken))}
        return {**{f"row {at + 1}": list(map(str, row)) for at, row in enumerate(self.table)}, **bulls}

    def question_text(self):
        return "choose the row that you take" if self.waiting else "choose a card"


def begin(players, size, rows):
    return State(players, size, rows)


def row_for(state, card):
    fits = [(row[-1], at) for at, row in enumerate(state.table) if row[-1] < card]
    return max(fits)[1] if fits else None


@sensor(0, 40, "the card; the last card of the row when a row is taken")
def card(state, action):
    return state.table[action][-1] if state.waiting else action


@sensor(
    0,
    40,
    "difference to the end of the row where the card goes, 40 if it fits nowhere; 0 when a row is taken",
)
def gap(state, action):
    if state.waiting:
        return 0
    at = row_for(state, action)
    return 40 if at is None else action - state.table[at][-1]


@sensor(0, 4, "cards in the row, 0 if the card fits nowhere")
def length(state, action):
    at = action if state.waiting else row_for(state, action)
    return 0 if at is None else len(state.table[at])


@sensor(0, 28, "bulls in the row; the least of all rows if the card fits nowhere")
def cost(state, action):
    at = action if state.waiting else row_for(state, action)
    totals = [sum(map(bulls, row)) for row in state.table]
    return min(totals) if at is None else totals[at]


@sensor(
    0, 39, "cards between the end of the row and the card that nobody has shown and are not in the own hand"
)
def between(state, action):
    at = None if state.waiting else row_for(state, action)
    if at is None:
        return 0
    mine = state.hands[state.current_player]
    seen = {each for row in state.table for each in row} | set(mine)
    return sum(each not in seen for each in range(state.table[at][-1] + 1, action))


@sensor(0, 10, "cards in hand")
def left(state):
    return len(state.hands[state.current_player])


@sensor(0, 1, "1 if the card fits nowhere")
def low(state, action):
    return 0 if state.waiting else row_for(state, action) is None


GAME = game(
    "nimmt",
    begin,
    sensors=[card, gap, length, cost, between, left, low],
    decisions=["card", "row"],
    options=[
        option("players", 3, "players", low=2, high=MOST),
        option("size", 6, "cards in a hand", low=2, high=8),
        option("rows", 3, "rows", low=2, high=4),
    ],
    players=3,
    metric=Metric("bulls", 0.0, 60.0, lower_is_better=True),
    opponents={"close": "card: -env.gap - 10 * env.low\nrow: -env.cost"},
)
