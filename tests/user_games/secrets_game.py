"""Cards with names that are met nowhere else, played open, face down, or known in part: who is shown which?"""

from dataclasses import dataclass, replace

from gpkit import CHANCE, Metric, game, option, sensor

MODES = ("open", "revealed", "secret", "partial")
"""A card that is played is seen at once, once all have played one, never, or only whether it is odd."""

BOARDS = ("none", "text", "squares", "svg")


def name(card):
    """A word that stands for the card."""
    return f"q{card:02}z"


@dataclass(frozen=True, slots=True)
class State:
    """Cards by seat: in hand, played, and how many of the played ones all see."""

    mode: str
    board: str
    counted: bool
    size: int
    hands: tuple[tuple[int, ...], ...]
    played: tuple[tuple[int, ...], ...]
    decision = "play"

    @property
    def deck(self):
        """Number of cards; half of them are never dealt, so that nobody can tell one by counting."""
        return len(self.hands) * self.size * 2

    @property
    def dealing(self):
        """Whether cards are still dealt."""
        return sum(map(len, self.hands)) + sum(map(len, self.played)) < len(self.hands) * self.size

    @property
    def current_player(self):
        """Seats play in turn."""
        return CHANCE if self.dealing else sum(map(len, self.played)) % len(self.hands)

    @property
    def is_terminal(self):
        """Whether all cards are played."""
        return not self.dealing and not any(self.hands)

    def chance_outcomes(self):
        """Any card that is left."""
        left = [card for card in range(self.deck) if not any(card in hand for hand in self.hands)]
        return [(card, 1 / len(left)) for card in left]

    def legal_actions(self):
        """The hand."""
        return [] if self.is_terminal else list(self.hands[self.current_player])

    def apply(self, action):
        """The card is dealt, or played."""
        hands, played = list(self.hands), list(self.played)
        if self.dealing:
            if action not in dict(self.chance_outcomes()):
                raise ValueError(f"{action} is not in the pack")
            seat = next(seat for seat, hand in enumerate(hands) if len(hand) < self.size)
            hands[seat] = tuple(sorted((*hands[seat], action)))
            return replace(self, hands=tuple(hands))
        seat = self.current_player
        if self.is_terminal or action not in hands[seat]:
            raise ValueError(f"{action} is not in the hand")
        hands[seat] = tuple(card for card in hands[seat] if card != action)
        played[seat] = (*played[seat], action)
        return replace(self, hands=tuple(hands), played=tuple(played))

    def returns(self):
        """Odd cards among the first that each has played."""
        return tuple(float(cards[0] % 2) for cards in self.played)

    def seen(self, player):
        """By seat the names of the cards that a player sees on the table."""
        rounds = min(map(len, self.played))
        for seat, cards in enumerate(self.played):
            if self.mode == "open" or seat == player:
                yield tuple(map(name, cards))
            elif self.mode == "revealed":
                hidden = len(cards) - rounds if self.counted else 0
                yield (*map(name, cards[:rounds]), *["down"] * hidden)
            elif self.mode == "partial":
                yield tuple(("even", "odd")[card % 2] for card in cards)
            else:
                yield tuple(["down"] * len(cards) if self.counted else ())

    def observation(self, player):
        """The own hand, and what is seen on the table."""
        return player, tuple(map(name, self.hands[player])), tuple(self.seen(player)), self.dealing

    def action_text(self, action):
        """The name."""
        return name(action)

    def resample(self, rng, player):
        """Other cards where the player does not see them; itself where none of those tried look the same."""
        seen = self.observation(player)
        unseen = [card for card in range(self.deck) if card not in self.hands[player] + self.played[player]]
        for _ in range(50):
            left = [unseen[int(at)] for at in rng.permutation(len(unseen))]
            hands, played = list(self.hands), list(self.played)
            for seat in range(len(hands)):
                if seat != player:
                    hands[seat] = tuple(sorted(left.pop() for _ in hands[seat]))
                    played[seat] = tuple(left.pop() for _ in played[seat])
            other = replace(self, hands=tuple(hands), played=tuple(played))
            if other.observation(player) == seen:
                return other
        return self


def lines(state, player):
    """The board as a player sees it, or all of it."""
    if player is None:
        return f"{state.hands} {state.played}"
    _, hand, seen, _ = state.observation(player)
    return "\n".join([" ".join(hand) or "-", *(" ".join(cards) or "-" for cards in seen)])


class Told(State):
    """With a board as text."""

    __slots__ = ()

    def board_text(self, player):
        """The text."""
        return lines(self, player)


class Placed(Told):
    """With squares, too."""

    __slots__ = ()

    def squares(self):
        """One for each card."""
        return {card: (card % 4, card // 4, 1, 1) for card in range(self.deck)}


class Drawn(Told):
    """With a picture, too."""

    __slots__ = ()

    def board_svg(self, player):
        """The text in a picture."""
        text = lines(self, player).replace("\n", " / ")
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><text>{text}</text></svg>'


def sealed(kind):
    """The class without a method that deals anew."""
    return type(kind)(f"Sealed{kind.__name__}", (kind,), {"__slots__": (), "resample": property(_missing)})


def _missing(state):
    raise AttributeError("resample")


KINDS = dict(zip(BOARDS, (State, Told, Placed, Drawn), strict=True))
SEALED = {board: sealed(kind) for board, kind in KINDS.items()}


def begin(mode, board, counted, size, players, resampled):
    """Nobody has a card."""
    kind = (KINDS if resampled else SEALED)[board]
    return kind(mode, board, counted, size, ((),) * players, ((),) * players)


@sensor(0, 30, "the number of the card")
def card(state, action):
    return action


def low(state):
    """Plays its lowest card."""
    return state.legal_actions()[0]


def sly(state):
    """Plays by what the next player holds, which it cannot know."""
    legal = state.legal_actions()
    return legal[sum(state.hands[(state.current_player + 1) % len(state.hands)]) % len(legal)]


GAME = game(
    "secrets",
    begin,
    sensors=[card],
    players=2,
    metric=Metric("odd", 0.0, 1.0),
    options=[
        option("mode", "open", "what others see of a card", choices=MODES),
        option("board", "none", "what boards there are", choices=BOARDS),
        option("counted", True, "whether hidden cards are counted"),
        option("size", 3, "cards of a hand", low=1, high=4),
        option("players", 2, "players", low=2, high=3),
        option("resampled", True, "whether the state can deal anew"),
    ],
    opponents={"low": low, "lowest": "play: -env.card", "sly": sly},
)
