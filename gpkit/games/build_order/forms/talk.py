"""A person orders what is built (``gpkit.playing.conversation``)."""

from gpkit.core.wording import YOU
from gpkit.gamekit.players import Player
from gpkit.games.build_order.game import check_players
from gpkit.games.build_order.kernel.things import ACTIONS, MEANINGS
from gpkit.games.build_order.options import goal_text
from gpkit.games.build_order.rules import State
from gpkit.playing.conversation import Conversation

_WIDTH = max(map(len, ACTIONS)) + 2

PAGE = "\n".join(
    [
        *(f"{name:{_WIDTH}} {meaning}" for name, meaning in zip(ACTIONS, MEANINGS, strict=True)),
        f"{'Enter':{_WIDTH}} show the board again",
        f"{'q':{_WIDTH}} give up and leave",
        f"{'?':{_WIDTH}} this page",
        "An order starts in the first tick in which everything it needs is available; until then, time "
        "passes.",
        "On the timeline: # time that an order has taken, - time to go, | now.",
    ]
)


class BuildOrderConversation(Conversation):
    """Conversation at a build order, which the person gives alone."""

    title = "Build order"
    prompt = "order? "
    page = PAGE
    shows_end = False
    has_rivals = False

    def check(self) -> None:
        """Check that nobody else orders.

        Raises:
            UsageError: somebody does.
        """
        check_players((Player(YOU, strategy=YOU), *self.others))

    def setting(self) -> str:
        """The goal, and what there is against it."""
        enemy = "; an enemy is coming" if self.rules.is_attacked else ""
        return f"{goal_text(self.rules.goal)} as early as you can, at most {self.rules.horizon} ticks{enemy}"

    def example(self) -> str:
        """An order."""
        return "Type an order such as drone; "

    def result(self, end: State) -> str:
        """The tick of the goal, or how the game has ended otherwise."""
        (score,) = end.returns()
        if self.rules.is_attacked:
            return "You survived." if score else "You did not survive."
        reached = score <= self.rules.horizon
        return f"Reached at tick {end.tick}." if reached else "You did not reach the goal."


CONVERSATION = BuildOrderConversation
