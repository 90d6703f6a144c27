"""A person's game on the server: who plays, how far it went, and one action at a time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from threading import Lock
from typing import Any

from gpkit.app.game_setup import GameSetup, adviser_named, conversation_of
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.playing.conversation import LONGEST_WORD, Advice, Conversation, Part
from gpkit.playing.exchange import Exchange
from gpkit.playing.match import deal_of
from gpkit.playing.sitting import Sitting, choose, sit, undo

HINT = "hint"
"""The word for advice, which is shown on the board, too."""


@dataclass
class PlayTable:
    """A game of a person, which goes on as it is asked to; requests to it wait for each other.

    Attributes:
        setup: who plays by which rules.
        named: the opponents, as they are read.
        sitting: the game.
        composed: the parts of the person's last action, where actions are put together.
    """

    setup: GameSetup
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

    @cached_property
    def _advised(self) -> Conversation:
        """The conversation with its usual adviser, which is read once."""
        return replace(self.conversation, adviser=self.conversation.advising())

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

    def again(self) -> "PlayTable | TalkTable":
        """A game on the next deal, with the same players and rules."""
        return seated(replace(self.setup, deal=self.setup.deal + 1), self.named)

    def advice(self, adviser: str = "") -> Advice:
        """Advice on the next action, of the player of a name as it is read, else of the default one; none at the end.

        Raises:
            UsageError: it cannot advise here.
            SourceError: its program does not parse, or has an error for this game.
        """
        asked = adviser_named(self.conversation, adviser) if adviser else self._advised
        with self.lock:
            state = self.sitting.state
            return Advice(()) if state.is_terminal else asked.advice(state, self.sitting.deals)

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


@dataclass
class TalkTable:
    """A person who answers questions: before a game, such as where ships lie, or instead of choosing actions.

    Attributes:
        setup, named: as of ``PlayTable``.
        conversation: players by seat, and what is said.
        exchange: the questions and answers so far.
    """

    setup: GameSetup
    named: tuple[str, ...]
    conversation: Conversation
    exchange: Exchange[Any]
    lock: Lock = field(default_factory=Lock)

    @property
    def turn(self) -> int:
        """Number of the person's answers so far."""
        return len(self.exchange.typed)

    def answer(self, turn: int, text: str) -> "PlayTable | TalkTable":
        """Answer the question of that number, and give the table at which it goes on."""
        with self.lock:
            if turn == self.turn and not self.exchange.is_over:
                self.exchange.answer(text[:LONGEST_WORD])
            return self._onward()

    def _onward(self) -> "PlayTable | TalkTable":
        """The table at which the game begins, once everything is answered that comes before it; else this one."""
        if not (self.conversation.by_actions and self.exchange.is_over and self.exchange.result is not None):
            return self
        setup = self.setup
        sitting = sit(self.conversation, setup.seed, setup.deal, self.exchange.typed)
        return PlayTable(setup, self.named, sitting)

    def again(self) -> "PlayTable | TalkTable":
        """A game on the next deal, with the same players and rules."""
        return seated(replace(self.setup, deal=self.setup.deal + 1), self.named)


def seated(setup: GameSetup, named: tuple[str, ...]) -> PlayTable | TalkTable:
    """A table at which a game begins.

    Raises:
        UsageError: something that was named does not exist or does not fit.
        SourceError: a program has an error for this game.
    """
    conversation = conversation_of(setup, named)
    deals = deal_of(conversation.game, conversation.rules, setup.seed, setup.deal)
    talk: Any = partial(conversation.opening if conversation.by_actions else conversation.play_game, deals)
    return TalkTable(setup, named, conversation, Exchange(talk))._onward()
