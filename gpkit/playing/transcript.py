"""A person's game as a text to keep: who played by which rules on which deal, and the person's actions.

The deal follows from its seed, and what the others did from the deal, so that the whole game is had again.
"""

import json
from dataclasses import dataclass

from gpkit.core.codec import print_document, read_document
from gpkit.core.errors import UsageError
from gpkit.playing.actions import ActionView
from gpkit.playing.conditions import Name, Vocabulary
from gpkit.playing.conversation import Conversation
from gpkit.playing.game_setup import GameSetup
from gpkit.playing.session import Session, new_session
from gpkit.playing.trace import Trace

SCHEMA = "gpkit/game/1"

MOST_ACTIONS = 100_000

VOCABULARY = Vocabulary(
    (
        Name("step", "number", "the number of the step; 0 is the beginning"),
        Name("player", "text", "name of the player who chose"),
        Name("mine", "number", "1 if it is the person, else 0"),
        Name("over", "number", "1 at the end of the game, else 0"),
        Name("score", "number", "the score of the person, at the end"),
    ),
    examples=(("Your next move", "mine == 1"), ("The end", "over == 1")),
)
"""Vocabulary of conditions about a step of a person's game."""


@dataclass(frozen=True, slots=True)
class Transcript(GameSetup):
    """A person's game: its setup, and the person's actions.

    Attributes:
        actions: the actions of the person, as people write them.
        opening: what the person typed before the first of them, such as where ships lie.
    """

    actions: tuple[str, ...]
    opening: tuple[str, ...] = ()

    def to_json(self) -> str:
        """The transcript as a text."""
        return json.dumps(print_document(SCHEMA, self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, content: str, path: str) -> "Transcript":
        """The transcript of a text.

        Raises:
            UsageError: it is none; the message says what is wrong.
        """
        try:
            found = read_document(content.encode(), SCHEMA, cls)
        except ValueError as error:
            raise UsageError(f"{path} is not a transcript of a game: {error}") from error
        if (count := len(found.actions) + len(found.opening)) > MOST_ACTIONS:
            raise UsageError(f"{path} has {count:,} actions; at most {MOST_ACTIONS:,} are read")
        return found


def action_texts(session: Session) -> tuple[str, ...]:
    """The person's actions as people write them."""
    view = session.conversation.view
    pairs = zip(session.states, session.actions, strict=False)
    return tuple(view.action_text(state, action) for state, action in pairs)


def played_again(conversation: Conversation, transcript: Transcript) -> Session:
    """The game of a transcript, by the conversation that it tells of.

    Raises:
        UsageError: an action of it cannot be chosen.
    """
    session = new_session(conversation, transcript.seed, transcript.deal, transcript.opening)
    for number, word in enumerate(transcript.actions, start=1):
        if session.state.is_terminal:
            raise UsageError(f"action {number}, {word}: the game is already over")
        try:
            action = conversation.view.parse_action(session.state, word)
        except UsageError as error:
            raise UsageError(f"action {number}: {error}") from None
        session.choose(action)
    return session


def trace_session(session: Session) -> Trace:
    """A person's game to step through: as the person sees it until it is over, and then with nothing hidden."""
    conversation = session.conversation
    seated = conversation.seated
    is_over, played = session.state.is_terminal, session.played
    looks = None if is_over else seated.seat
    views = (
        PlayedView(
            seated, change.before, change.after, change.chosen_by(seated.seat), None, change.told, looks
        )
        for change in session.changes
        if is_over or played.notices(change)
    )
    steps = (view.step(number) for number, view in enumerate(views))
    return Trace(conversation.names, conversation.seat, VOCABULARY, steps)


@dataclass(frozen=True, slots=True)
class PlayedView(ActionView):
    """One step of a person's game. It shows no reasons, but repeats the sentences of the game.

    Attributes:
        told: the sentences about the step.
        looks: the seat whose view is shown; None shows everything.
    """

    told: tuple[str, ...] = ()
    looks: int | None = None

    def words(self) -> str:
        """Description of the step, in a line."""
        return (
            "the game begins"
            if self.before is None
            else "; ".join(self.told) or f"{self.name}: {self.text}".removesuffix(": ")
        )

    def record(self) -> dict[str, object]:
        """The step for programs to read."""
        return {
            "player": None if self.before is None else self.before.current_player,
            "action": self.text or None,
            "scores": list(self.after.returns()) if self.after.is_terminal else None,
        }
