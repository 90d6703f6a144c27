"""A person's game as a text to keep: who played by which rules on which deal, and the person's actions.

The deal follows from its seed, and what the others did from the deal, so that the whole game is had again.
"""

import json
from dataclasses import dataclass, replace

from gpkit.core.codec import print_document, read_document
from gpkit.core.errors import UsageError
from gpkit.gamekit.state import NOBODY
from gpkit.playing.conditions import Vocabulary
from gpkit.playing.conversation import Conversation
from gpkit.playing.game_setup import GameSetup
from gpkit.playing.session import Session, new_session
from gpkit.playing.trace import OPEN, Step, Trace

SCHEMA = "gpkit/game/1"

MOST_ACTIONS = 100_000

EXAMPLES = (("Your next move", "mine == 1"), ("The end", "over == 1"))
"""Conditions about a step of a person's game."""


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
    """A person's game to step through: as the person sees it until it is over, and then with nothing hidden.

    It shows no reasons, but repeats the sentences of the game.
    """
    conversation, is_over, played = session.conversation, session.state.is_terminal, session.played
    looks = None if is_over else conversation.seat
    seated = replace(conversation.seated, facts=OPEN, looks=looks)
    changes = [change for change in session.changes if is_over or played.notices(change)]
    steps = (
        Step(
            number,
            seated,
            change.before,
            change.after,
            None if (action := change.chosen_by(seated.seat)) == NOBODY else action,
            told=change.told,
        )
        for number, change in enumerate(changes)
    )
    return Trace(conversation.names, conversation.seat, Vocabulary(OPEN, examples=EXAMPLES), steps)
