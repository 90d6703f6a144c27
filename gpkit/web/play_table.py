"""A person's game on the server: who plays, how far it went, and one action at a time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from typing import Any

from gpkit.app.offered import Wishes, begin
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.playing.conversation import Advice, Conversation, Part
from gpkit.playing.sitting import Sitting, choose, undo

HINT = "hint"
"""The word for advice, which is shown on the board, too."""


@dataclass
class PlayTable:
    """A game of a person, which goes on as it is asked to; requests to it wait for each other.

    Attributes:
        wishes: who plays by which rules.
        named: the opponents, as they are read.
        sitting: the game.
        composed: the parts of the person's last action, where actions are put together.
    """

    wishes: Wishes
    named: tuple[str, ...]
    sitting: Sitting
    composed: tuple[str, ...] = ()
    lock: Lock = field(default_factory=Lock)

    @property
    def conversation(self) -> Conversation:
        """The conversation: players by seat, and what is said."""
        return self.sitting.conversation

    @property
    def turn(self) -> int:
        """Number of the person's choices so far; a request that was made before the last one changes nothing."""
        return len(self.sitting.actions)

    @cached_property
    def commands(self) -> Mapping[str, Callable[[Any, Any], Any]]:
        """The longest word for everything that can be asked beside playing."""
        words: dict[Any, str] = {}
        for word, answer in self.conversation.commands().items():
            words[answer] = max(words.get(answer, ""), word, key=len)
        return {word: answer for answer, word in words.items()}

    def act(self, turn: int, action: int) -> None:
        """Choose an action, in answer to the choice of that number.

        Raises:
            UsageError: it is not legal.
        """
        with self.lock:
            if turn == self.turn and not self.sitting.state.is_terminal:
                self.sitting = choose(self.sitting, action)

    def act_by_text(self, turn: int, text: str) -> None:
        """Choose the action that a text means.

        Raises:
            UsageError: it means none; the message names the nearest one.
        """
        if turn == self.turn and not self.sitting.state.is_terminal:
            self.act(turn, self.conversation.view.parse_action(self.sitting.state, text[:200]))

    def undo(self, turn: int) -> None:
        """Take the last action back.

        Raises:
            UsageError: it cannot be.
        """
        with self.lock:
            if turn == self.turn:
                self.sitting = undo(self.sitting)

    def again(self) -> "PlayTable":
        """A game on the next deal, with the same players and rules."""
        wishes = replace(self.wishes, deal=self.wishes.deal + 1)
        return PlayTable(wishes, self.named, begin(wishes, self.named))

    def advice(self) -> Advice:
        """Advice on the next action; none at the end."""
        with self.lock:
            state = self.sitting.state
            return Advice(()) if state.is_terminal else self.conversation.advice(state, self.sitting.deals)

    def said(self, word: str) -> tuple[Part, ...]:
        """Answer to a word that can be asked.

        Raises:
            UsageError: it cannot.
        """
        if word not in self.commands:
            raise UsageError(f"there is no `{word}` here; {suggestion(word, list(self.commands))}")
        with self.lock:
            state = self.sitting.state
            return () if state.is_terminal else tuple(self.commands[word](state, self.sitting.deals))


def seated(wishes: Wishes, named: tuple[str, ...]) -> PlayTable:
    """A table at which a game begins.

    Raises:
        UsageError: something that was named does not exist or does not fit.
        SourceError: a program has an error for this game.
    """
    return PlayTable(wishes, named, begin(wishes, named))
