"""The rules of Coins."""

from dataclasses import dataclass, replace

from gpkit.gamekit.options import OptionRules, rule
from gpkit.gamekit.state import NOBODY, check_legal


@dataclass(frozen=True, slots=True)
class Rules(OptionRules):
    """The rules of one game."""

    title = "Coins"

    coins: int = rule(12, "the most coins on the table at the start", low=4, high=99)


@dataclass(frozen=True, slots=True)
class State:
    """A moment of the game: the coins that are left, whose turn it is, and who took the last one."""

    rules: Rules
    left: int
    current_player: int = 0
    winner: int = NOBODY
    decision = "take"

    @property
    def is_terminal(self) -> bool:
        """Whether the table is empty."""
        return self.left == 0

    def legal_actions(self) -> tuple[int, ...]:
        """The numbers of coins that can be taken."""
        return tuple(range(1, min(3, self.left) + 1))

    def apply(self, action: int) -> "State":
        """The state after so many coins were taken."""
        check_legal(action, self)
        left, player = self.left - action, self.current_player
        if left:
            return replace(self, left=left, current_player=1 - player)
        return replace(self, left=0, current_player=NOBODY, winner=player)

    def returns(self) -> tuple[float, ...]:
        """By player 1 for the last coin, else 0."""
        return (float(self.winner == 0), float(self.winner == 1))

    def observation(self, player: int) -> "State":
        """Everything: nothing is hidden."""
        return self
