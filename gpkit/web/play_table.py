"""A person's game on the server: who plays, how far it went, and one answer or action at a time."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.gamekit.words import Played
from gpkit.playing.contest import contest, finished
from gpkit.playing.conversation import LONGEST_WORD, Advice, Conversation, Line
from gpkit.playing.game_setup import GameSetup, adviser_named, conversation_of
from gpkit.playing.match import Match
from gpkit.playing.session import Session

HINT = "hint"
"""The word for advice, which is shown on the board, too."""


@dataclass
class PlayTable:
    """A game of a person, which goes on as it is asked to; requests to it wait for each other.

    Attributes:
        setup: who plays by which rules.
        named: the opponents, as they are read.
        session: the game.
        gave_up: whether the person gave up.
        is_kept: whether the game goes on after the server has stopped.
        lost: the games that were lost in a row before this one.
    """

    setup: GameSetup
    named: tuple[str, ...]
    session: Session
    gave_up: bool = False
    is_kept: bool = False
    lost: int = 0
    lock: Lock = field(default_factory=Lock)

    @property
    def conversation(self) -> Conversation:
        """The conversation: players by seat, and what is said."""
        return self.session.conversation

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, or was given up."""
        return self.gave_up or self.session.is_over

    @property
    def margin(self) -> float:
        """The margin by which the person has won, below 0 for lost; 0 before the end and in games for one."""
        state = None if self.session.answers else self.session.state
        scores = state.returns() if state is not None and state.is_terminal else ()
        said = self.conversation
        return said.game.metric(said.rules).lead(scores, said.seat) if len(scores) > 1 else 0.0

    @property
    def lost_in_a_row(self) -> int:
        """The games that were lost in a row, with this one."""
        return self.lost + 1 if self.gave_up or self.margin < 0 else 0

    @property
    def played(self) -> Played:
        """The game so far, for the sentences of the page."""
        return self.session.played

    @property
    def turn(self) -> int:
        """Number of the person's answers or choices so far; a request from before the last one changes nothing."""
        return len(self.session.typed if self.session.answers else self.session.actions)

    @cached_property
    def _advised(self) -> Conversation:
        """The conversation with its usual adviser, which is read once."""
        return replace(self.conversation, adviser=self.conversation.advising())

    def answer(self, turn: int, text: str) -> None:
        """Answer the question of that number."""
        with self.lock:
            if self.session.answers and turn == self.turn and not self.is_over:
                self.session.answer(text[:LONGEST_WORD])

    def act(self, turn: int, action: int) -> None:
        """Choose an action, in answer to the choice of that number.

        Raises:
            UsageError: it is not legal.
        """
        with self.lock:
            if turn == self.turn and not self.is_over:
                self.session.choose(action)

    def act_by_text(self, turn: int, text: str) -> None:
        """Choose the action that a text means.

        Raises:
            UsageError: it means none; the message names the nearest one.
        """
        if turn == self.turn and not self.is_over:
            self.act(turn, self.conversation.view.parse_action(self.session.state, text[:200]))

    def undo(self, turn: int) -> None:
        """Take the last action back.

        Raises:
            UsageError: it cannot be.
        """
        with self.lock:
            if turn == self.turn:
                self.session.undo()

    def again(self) -> "PlayTable":
        """A game on the next deal, with the same players and rules."""
        table = seated(replace(self.setup, deal=self.setup.deal + 1), self.named)
        table.lost = self.lost_in_a_row
        return table

    def advice(self, adviser: str = "") -> Advice:
        """Advice on the next action, of the player of a name as it is read, else of the default one; none at the end.

        Raises:
            UsageError: it cannot advise here.
            SourceError: its program does not parse, or has an error for this game.
        """
        asked = adviser_named(self.conversation, adviser) if adviser else self._advised
        with self.lock:
            over = self.is_over
            return Advice(()) if over else asked.advice(self.session.state, self.session.deals)

    def compared(self) -> str:
        """A sentence about the game of the view's rival on the same deal; empty before the end, and against others."""
        said, words = self.conversation, self.conversation.view.words
        if not words.rival or not self.is_over or opponents(self):
            return ""
        player = adviser_named(said, words.rival).adviser
        assert player is not None, "it was named"
        match, deal = Match(player, tuple(said.others)), self.setup.deal
        deals = range(deal, deal + 1)
        running = contest(said.game, [match], rules=said.rules, seed=self.setup.seed, deals=deals)
        return words.compared(words.rival, finished(running).results[0].mean, said.rules)

    def said(self, word: str) -> tuple[Line, ...]:
        """Answer to a word that can be asked.

        Raises:
            UsageError: it cannot.
        """
        commands = self.conversation.commands()
        if word not in commands:
            raise UsageError(f"there is no `{word}` here; {suggestion(word, list(commands))}")
        with self.lock:
            over = self.is_over
            return () if over else tuple(commands[word](self.session.state, self.session.deals))


def opponents(table: PlayTable) -> list[str]:
    """The names of those who play against the person: the others that decide anything."""
    said = table.conversation
    return [each for each, player in zip(said.names_of_others, said.others, strict=True) if player.decides]


def seated(setup: GameSetup, named: tuple[str, ...]) -> PlayTable:
    """A table at which a game begins.

    Raises:
        UsageError: something that was named does not exist or does not fit.
        SourceError: a program has an error for this game.
    """
    return PlayTable(setup, named, Session(conversation_of(setup, named), setup.seed, setup.deal))
