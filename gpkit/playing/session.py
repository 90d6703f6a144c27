"""A person's game, answer by answer and action by action: what the page and transcripts make of a conversation."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.registry import form_of_game
from gpkit.core.wording import YOU, spelled
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.view import view_of
from gpkit.gamekit.words import Played
from gpkit.playing.conversation import Change, Conversation, Dialogue, Line, Mover, Prompt
from gpkit.playing.match import deal_of
from gpkit.playing.players import check_seat, check_seating, names_at_table

LAY_OUT = "r"
"""Answer to who asks a person to lay something out: at random."""


@runtime_checkable
class Talking(Protocol):
    """Conversations of a game with persons, by their class: ``forms.talk`` beside a game that has its own."""

    @property
    def CONVERSATION(self) -> type[Conversation]: ...  # noqa: N802


def new_conversation(
    game: Game, options: Mapping[str, str], opponents: Sequence[Player], seat: int
) -> Conversation:
    """The conversation of a person in a seat, whom the opponents follow.

    Raises:
        UsageError: there is no such seat, or the players cannot play by these rules.
    """
    check_seat(seat, len(opponents) + 1)
    own = form_of_game(Talking, "talk", game.name)
    kind = Conversation if own is None else own.CONVERSATION
    names = [f"{name} (program)" if name == YOU else name for name in names_at_table(opponents)]
    players: list[Player | None] = [None, *opponents]
    seated = [(place - seat) % len(players) for place in range(len(players))]
    found = kind(
        game,
        view_of(game.name),
        kind.rules_of(game, options, opponents),
        seat,
        tuple(players[place] for place in seated),
        tuple([YOU, *names][place] for place in seated),
    )
    found.check()
    check_seating(game, found.rules, seat)
    return found


def advised_by(conversation: Conversation, adviser: Player) -> Conversation:
    """The conversation with another adviser.

    Raises:
        UsageError: the adviser chooses nothing.
    """
    if not adviser.decides:
        raise UsageError(f"{adviser.name} chooses no actions, so it gives no hints")
    return replace(conversation, adviser=adviser)


class Session:
    """A person's game on a deal as far as it went.

    First there may be questions, such as where ships lie; in some seats there is nothing else. Then the person chooses
    actions.

    Attributes:
        conversation: who sits where, and what is said.
        deals: the deal.
        typed: the answers to questions, in order.
        lines: what was said since the last answer.
        prompt: the question that waits for an answer.
        states: in which the person was to choose, the oldest first; the last one is now. Empty as long as it is asked.
        actions: of the person, one between each two states.
        changes: of the game from its beginning to now; the first is the beginning.
        told: what was said since the last action.
    """

    def __init__(self, conversation: Conversation, seed: int, number: int) -> None:
        """Begin the game on the deal of that number, and go on to the first question or choice.

        Raises:
            UsageError: the others cannot be asked for an action.
        """
        self.conversation = conversation
        self.deals = deal_of(conversation.game, conversation.rules, seed, number)
        self.typed: tuple[str, ...] = ()
        self.lines: tuple[Line, ...] = ()
        self.prompt = Prompt("")
        self.states: tuple[Any, ...] = ()
        self.actions: tuple[int, ...] = ()
        self.changes: tuple[Change, ...] = ()
        self.told: tuple[str, ...] = ()
        self._changed: tuple[int, ...] = ()  # by state the number of changes up to it
        self._is_asked = True
        self._move: Mover | None = None
        self._coming: deque[str] = deque()
        begin = conversation.opening if conversation.by_actions else conversation.play_game
        self._dialogue: Dialogue[Any] = begin(self.deals, iter(self._coming.popleft, None))
        self._listen()

    @property
    def state(self) -> Any:
        """The state now: the person is to choose, or the game is over."""
        return self.states[-1]

    @property
    def played(self) -> Played:
        """The game so far, for sentences about it."""
        said = self.conversation
        metric = said.game.metric(said.rules)
        return Played(said.seat, said.names, self.changes, said.view.action_text, metric)

    @property
    def answers(self) -> bool:
        """Whether the person answers questions, and does not choose actions yet or at all."""
        return not self.states

    @property
    def is_over(self) -> bool:
        """Whether the game is over, or the person left it."""
        return not self._is_asked if self.answers else bool(self.state.is_terminal)

    @property
    def can_undo(self) -> bool:
        """Whether the last action can be taken back: nobody else decides anything, and there is one."""
        alone = not any(player.decides for player in self.conversation.others)
        return alone and len(self.states) > 1

    def answer(self, line: str) -> None:
        """Answer the question, and listen as far as the next one or to the person's first choice."""
        assert self.answers and not self.is_over, "nothing is asked any more"
        self.typed += (line,)
        self._coming.append(line)
        self._listen()

    def choose(self, action: int) -> None:
        """Choose an action, and go on to the next choice or to the end.

        Raises:
            UsageError: the action is not legal now.
        """
        if action not in self.state.legal_actions():
            raise UsageError(f"{action} is not a legal action now")
        self._go_on((self.conversation.acted(self.state, action),))
        self.actions += (action,)

    def undo(self) -> None:
        """Go back to before the person's last action.

        Raises:
            UsageError: it cannot be taken back.
        """
        if not self.can_undo:
            raise UsageError("there is nothing to take back: another player has moved since")
        self.states, self.actions, self._changed = self.states[:-1], self.actions[:-1], self._changed[:-1]
        self.changes, self.told = self.changes[: self._changed[-1]], ()

    def _listen(self) -> None:
        """Listen to what is said as far as the next question, and begin the game once all are answered."""
        lines: list[Line] = []
        try:
            while not isinstance(line := next(self._dialogue), Prompt):
                lines.append(line)
            self.prompt = line
        except StopIteration as end:
            self._is_asked = False
            if self.conversation.by_actions and end.value is not None:
                self._move = self.conversation.mover(end.value, self.deals)
                self._go_on((Change(None, end.value),))
        self.lines = tuple(lines)

    def _go_on(self, changes: tuple[Change, ...]) -> None:
        """Go on after a change to the person's next choice or to the end."""
        assert self._move is not None, "the game has begun"
        changes += tuple(self.conversation.onward(self._move, changes[-1].after))
        self.changes += changes
        self.told = tuple(line for change in changes for line in change.told)
        self._changed += (len(self.changes),)
        self.states += (changes[-1].after,)


def new_session(conversation: Conversation, seed: int, number: int, opening: Sequence[str] = ()) -> Session:
    """The game on a deal, as far as the person's first choice.

    Args:
        conversation: who sits where.
        seed, number: of the deal.
        opening: what the person types before the first state; what it does not lay out lies at random.

    Raises:
        UsageError: the person plays otherwise than by actions, or leaves before, or the others cannot be asked for
            an action.
    """
    if not conversation.by_actions:
        raise UsageError("this seat answers questions and chooses no actions, so its game cannot be traced")
    session = Session(conversation, seed, number)
    for line in (*opening, LAY_OUT):
        if session.answers and not session.is_over:
            session.answer(line)
    if session.answers:
        raise UsageError("the game ended before it began")
    return session


def sessions(conversation: Conversation, lines: Iterator[str], seed: int) -> Iterator[Line]:
    """Games of who types on the deals of a seed, one after another, with a tally, until the person has enough."""
    said, games = conversation, list[tuple[float, ...]]()
    name = said.game.name
    title = said.title or (spelled(name) if ":" in name else name.replace("_", " ").capitalize())
    yield f"{title}: {said.setting()}. {said.example()}? for help."
    while True:
        scores = yield from said.play_game(deal_of(said.game, said.rules, seed, len(games)), lines)
        if scores is None:
            return
        games.append(scores)
        if len(games) > 1:
            totals = [sum(column) for column in zip(*games, strict=True)]
            mean = f"{totals[0] / len(games):.4g} on average"
            tally = mean if len(totals) == 1 else said.scores_text(totals)
            yield f"{said.game.metric(said.rules).name} after {len(games)} games: {tally}"
        yield Prompt("another game? [Y/n] ")
        if next(lines, "n").strip().lower() not in ("", "y", "yes"):
            return
