"""A person plays a game: who says what, in the order of being said, while the person types; it knows no terminal.

The conversation is the same for all games and shows what the person may know and no more. What is special to a game
is in ``forms.talk`` of its folder, whose ``CONVERSATION`` is a ``Conversation`` that says otherwise where it must.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.tabular import T
from gpkit.core.wording import YOU
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.sight import worlds
from gpkit.gamekit.view import View
from gpkit.gamekit.words import Move, Played, title
from gpkit.playing.decisions import Decision, StepTable, choose, explain
from gpkit.playing.players import default_adviser, name_of_adviser
from gpkit.playing.trace import Seated

DEFAULT_PAGE = """\
Type one of the actions that are listed below the board.
Enter    show the board again
q        give up and leave
?        this page"""

GIVING_UP = "You gave up; the game does not count."

MOST_LISTED = 30
"""Legal actions that are listed where the game does not say how they are typed."""

LONGEST_WORD = 80
"""Characters of what a person answers; the rest is ignored."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to a prompt that can be clicked.

    Attributes:
        task: what is asked, in a sentence.
        picture: an SVG document, with its places.
        words: by what is typed for it, what a button says.
        pictures: of some of these, SVG documents that the buttons show, too.
        line: of help, instead of what is said before the first answer.
    """

    task: str
    picture: str
    words: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    line: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Prompt before the place where a person types.

    Attributes:
        text: the prompt.
        answers: makes those that can be clicked instead; None where there are none.
    """

    text: str
    answers: Callable[[], Answers] | None = field(default=None, compare=False)


Line = str | Prompt | StepTable
"""Line of a conversation: lines of text, a table, or the prompt for the next line that is read."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on an action.

    Attributes:
        parts: the advice as it is said.
        actions: what would be chosen; of several, one at random; none where nobody gives advice.
        values: what actions are worth to the adviser, where it values them.
        decision: how these values come about, where a program says it.
    """

    parts: tuple[Line, ...]
    actions: tuple[int, ...] = ()
    values: Mapping[int, float] = field(default_factory=dict)
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class Change(Move):
    """A change of the state of a person's game, and ``told``, what was said of it."""

    told: tuple[str, ...] = ()


Dialogue = Generator[Line, None, T]
"""Lines of a conversation, and what comes of it; None if the person leaves."""

Mover = Callable[[Any], Change]
"""Move of another player from a state in which it is to choose."""


def ask(
    question: str,
    page: str,
    lines: Iterator[str],
    *,
    farewell: str = GIVING_UP,
    answers: Callable[[], Answers] | None = None,
) -> Dialogue[str | None]:
    """Ask for the next line that does not call for help, without blanks around it; None if the person leaves.

    Args:
        question: the prompt.
        page: what is shown to who calls for help.
        lines: what is typed.
        farewell: what is said to who gives up.
        answers: makes those that can be clicked.
    """
    while True:
        yield Prompt(question, answers)
        line = next(lines, None)
        if line is None:
            yield "End of input: the game is left unfinished."
            return None
        symbols = (sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in line.strip())
        typed = "".join(symbols)[:LONGEST_WORD]
        if typed.lower() in ("q", "quit"):
            yield farewell
            return None
        if typed.lower() not in ("?", "help"):
            return typed
        yield page


@dataclass(frozen=True, slots=True)
class Conversation:
    """A person at a game, and what is said there.

    Attributes:
        game: the game.
        view: its view.
        rules: the rules.
        seat: the person's.
        players: by seat; None is the person.
        names: by seat.
        adviser: who gives hints; None for the default one.
    """

    game: Game
    view: View
    rules: Any
    seat: int
    players: tuple[Player | None, ...]
    names: tuple[str, ...]
    adviser: Player | None = None

    title = ""
    """Name of the game for people; empty for the one in the registry."""

    prompt = ""
    """Prompt for the person; empty for the name of the decision, below a list of the legal actions."""

    page = DEFAULT_PAGE
    """Help page."""

    would = "choose"
    """Verb of an adviser, before an action."""

    plays_forced = False
    """Whether a single legal action of the person is applied unasked."""

    shows_board = True
    """Whether the board is shown unasked before the person chooses."""

    shows_end = True
    """Whether the last board is shown at the end."""

    has_rivals = True
    """Whether others than those who lay something out can sit in the other seats."""

    by_actions = True
    """Whether the person plays by choosing actions, and not otherwise."""

    # What a game says otherwise.

    @property
    def best(self) -> str:
        """The name of who gives hints: a program or another player, where it comes with the game."""
        return "champion"

    @classmethod
    def rules_of(cls, game: Game, options: Mapping[str, str], opponents: Sequence[Player]) -> Any:
        """The rules that were chosen."""
        return game.make_rules(options)

    def check(self) -> None:
        """Check that these players can play by these rules.

        Raises:
            UsageError: they cannot.
        """
        self.game.check((Player(YOU, strategy=YOU), *self.others), self.rules)

    def setting(self) -> str:
        """Players, in the greeting."""
        return f"{YOU} in seat {self.seat}, with {', '.join(self.names_of_others)}"

    def example(self) -> str:
        """Example of what can be typed, in the greeting."""
        return ""

    def opening(self, deals: Any, lines: Iterator[str]) -> Dialogue[Any]:
        """The first state of the first deal's game."""
        yield from ()
        return self.game.begin(self.seated.players, deals, self.rules)

    def mover(self, state: Any, deals: Any) -> Mover:
        """Mover of the other players in the game that begins so.

        Raises:
            UsageError: the game cannot be asked for one action.
        """

        def move(state: Any) -> Change:
            player = self.players[state.current_player]
            assert player is not None, "it is not the person's turn"
            action = choose(self.game, player, state, deals)
            after = state.apply(action)
            return Change(state, after, action, tuple(self.moved(state, action, after)))

        return move

    def moved(self, before: Any, action: int, after: Any) -> Iterable[str]:
        """Remarks on an action of another player."""
        if told := self.told(before, after):
            return told
        see = self.view.action_text if after.is_terminal else partial(self.view.seen_text, player=self.seat)
        return [f"{self.names[before.current_player]}: {said}" for said in [see(before, action)] if said]

    def question(self, state: Any) -> str:
        """The prompt."""
        return self.prompt or f"{state.decision}? "

    def board(self, state: Any) -> str:
        """The board as the person may see it."""
        return self.view.board_text(state, self.seat, self.names)

    def task(self, state: Any) -> str:
        """Task of the person, shown below the board: what is to be chosen."""
        if self.prompt:
            return ""
        legal = state.legal_actions()
        texts = [self.view.action_text(state, action) for action in legal[:MOST_LISTED]]
        return f"legal: {', '.join(texts)}{', ...' if len(legal) > MOST_LISTED else ''}"

    def screen(self, state: Any) -> str:
        """Screen before the person chooses, shown again on demand."""
        task = self.task(state)
        return f"\n{self.board(state)}" + (f"\n{task}" if task else "")

    def advising(self) -> Player | None:
        """The adviser that was chosen, else the default one; None where there is none."""
        return self.adviser or default_adviser(self.best, self.others, self.game)

    def advice(self, state: Any, deals: Any) -> Advice:
        """Advice of a player in the person's place, which is told no more than the person knows."""
        adviser = self.advising()
        if adviser is None:
            return Advice(("there are no hints in this game",))
        says, text = f"{name_of_adviser(adviser)} would {self.would}", partial(self.view.action_text, state)
        other = next(worlds(state, self.seat), state) if self.game.is_of_states else state
        try:
            action, decision = explain(self.game, adviser, other, deals)
        except UsageError as mistake:
            return Advice((str(mistake),))
        if decision is None:
            return Advice((f"{says} {text(action)}",), (action,))
        return advised(decision, (f"{says} {text(action)}:", decision.table(self.view.words.candidate, text)))

    def hint(self, state: Any, deals: Any) -> Iterable[Line]:
        """Hint: the advice as it is said."""
        return self.advice(state, deals).parts

    def commands(self) -> Mapping[str, Callable[[Any, Any], Iterable[Line]]]:
        """By the words that can be typed instead of an action what answers them, given the state and the deals."""
        return {"h": self.hint, "hint": self.hint}

    def farewell(self, state: Any) -> str:
        """Farewell to a person who gives up."""
        return GIVING_UP

    def told(self, before: Any, after: Any) -> Iterable[str]:
        """Remarks on the person's own action."""
        return tuple(self.view.words.told(Move(before, after), self.names, self.seat))

    def result(self, end: Any) -> str:
        """The result of the game as a sentence; in games for one player, the sentence of the page."""
        scores, metric = end.returns(), self.game.metric(self.rules)
        if len(scores) == 1:
            played = Played(self.seat, self.names, [Move(None, end)], self.view.action_text, metric)
            result, more = self.view.words.ending(played)
            return f"{result}. {more}".rstrip()
        winners = metric.best(scores)
        if len(winners) > 1:
            names = " and ".join(title(self.names[seat]) for seat in winners)
            return "A tie." if len(winners) == len(scores) else f"{names} share the win."
        return "You have won!" if winners[0] == self.seat else f"{self.names[winners[0]]} has won."

    def ending(self, end: Any) -> str:
        """Ending: the last board and the result."""
        return f"\n{self.board(end)}\n{self.result(end)}" if self.shows_end else self.result(end)

    def play_game(self, deals: Any, lines: Iterator[str]) -> Dialogue[tuple[float, ...] | None]:
        """The first deal's game; its returns."""
        state = yield from self.opening(deals, lines)
        return None if state is None else (yield from self.play_from(state, deals, lines))

    # What is the same for all.

    @property
    def seated(self) -> Seated:
        """The seating, in which the person is a player that lays nothing out."""
        players = tuple(Player(YOU) if player is None else player for player in self.players)
        return Seated(self.view, players, self.names, self.seat)

    @property
    def others(self) -> list[Player]:
        """The other players, in the order in which they follow the person."""
        return [player for player in self._following(self.players) if player is not None]

    @property
    def names_of_others(self) -> list[str]:
        """Their names."""
        return self._following(self.names)[1:]

    def _following(self, by_seat: Sequence[T]) -> list[T]:
        return [*by_seat[self.seat :], *by_seat[: self.seat]]

    def play_from(self, state: Any, deals: Any, lines: Iterator[str]) -> Dialogue[tuple[float, ...] | None]:
        """A game from its first state on; its returns."""
        move = self.mover(state, deals)
        while True:
            for change in self.onward(move, state):
                yield from change.told
                state = change.after
            if state.is_terminal:
                break
            action = yield from self._chosen(state, deals, lines)
            if action is None:
                return None
            change = self.acted(state, action)
            yield from change.told
            state = change.after
        yield self.ending(state)
        scores: tuple[float, ...] = state.returns()
        return scores

    def onward(self, move: Mover, state: Any) -> Iterator[Change]:
        """Changes from a state until the person has a choice, or to the end; both the terminal and pages go on so."""
        while not state.is_terminal:
            legal = state.legal_actions()
            if state.current_player != self.seat:
                change = move(state)
            elif self.plays_forced and len(legal) == 1:
                change = self.acted(state, legal[0])
            else:
                return
            yield change
            state = change.after

    def acted(self, before: Any, action: int) -> Change:
        """The change that an action of the person makes."""
        after = before.apply(action)
        return Change(before, after, action, tuple(self.told(before, after)))

    def _chosen(self, state: Any, deals: Any, lines: Iterator[str]) -> Dialogue[int | None]:
        """The action that the person chooses."""
        commands = self.commands()
        if self.shows_board:
            yield self.screen(state)
        while True:
            word = yield from ask(self.question(state), self.page, lines, farewell=self.farewell(state))
            if word is None:
                return None
            if word == "":
                yield self.screen(state)
            elif word.lower() in commands:
                yield from commands[word.lower()](state, deals)
            else:
                try:
                    return self.view.parse_action(state, word)
                except UsageError as mistake:
                    yield str(mistake)

    def scores_text(self, scores: Sequence[float]) -> str:
        """The names with their scores."""
        return ", ".join(f"{name} {score:g}" for name, score in zip(self.names, scores, strict=True))


def advised(decision: Any, parts: tuple[Line, ...]) -> Advice:
    """The advice that follows from the values of a decision."""
    known = decision if isinstance(decision, Decision) else None
    return Advice(parts, (decision.action,), decision.values, known)
