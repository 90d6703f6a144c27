"""Conversations in which a person gives all build orders; see ``gpkit.playing.conversation``."""

from gpkit.games.build_order.kernel.things import ACTIONS, MEANINGS
from gpkit.games.build_order.rules import goal_text
from gpkit.playing.conversation import Conversation

PAGE = "\n".join(
    [
        *(f"{name:15} {meaning}" for name, meaning in zip(ACTIONS, MEANINGS, strict=True)),
        "Enter           show the board again",
        "h               hint: what a program would order, and why",
        "q               give up and leave",
        "?               this page",
        "An order starts in the first tick in which everything it needs is available; until then, time "
        "passes.",
        "On the timeline: # time that an order has taken, - time to go, | now.",
    ]
)


class BuildOrderConversation(Conversation):
    """A conversation with a person who gives all orders."""

    prompt = "order? "
    page = PAGE
    shows_end = False
    has_rivals = False

    def setting(self) -> str:
        """A description of the goal and the time limit, with a warning if an enemy is coming."""
        enemy = "; an enemy is coming" if self.rules.is_attacked else ""
        return f"{goal_text(self.rules.goal)} as early as you can, at most {self.rules.horizon} ticks{enemy}"

    def example(self) -> str:
        """An example of an order that the person can type."""
        return "Type an order such as drone; "
