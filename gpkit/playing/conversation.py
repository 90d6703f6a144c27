"""Conversations in which a person plays a game; they do not require a terminal.

A conversation yields all prompts and texts in order, and reveals only information that the person may have. All games
use the class ``Conversation`` or a subclass. A game's form ``conversation`` is such a subclass, and overrides the parts
that differ for this game.

A person can also step through a trace, forwards and backwards, by typing commands.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.layout import T
from gpkit.core.plugins import typed_name
from gpkit.core.wording import YOU, rule_in
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import ObservableState, is_same_round, is_together
from gpkit.gamekit.view import Move, Played, View, title, worlds
from gpkit.playing.contest import deal_of
from gpkit.playing.decisions import Decision, StepTable, choose, explain
from gpkit.playing.players import default_adviser, name_of_adviser
from gpkit.playing.trace import CachedSteps, Seated, Step, Vocabulary, read_condition

DEFAULT_PAGE = """\
Type one of the actions that are listed below the board.
Enter    show the board again
h        hint: what an adviser would choose, and why
q        give up and leave
?        this page"""

GIVING_UP = "You gave up; the game does not count."

MOST_LISTED = 30
"""The maximum number of legal actions that a prompt lists, if the game does not describe how to type them."""

LONGEST_WORD = 80
"""The maximum number of characters in a person's answer; further characters are ignored."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The clickable answers to a prompt.

    Attributes:
        task: the question, in a sentence.
        picture: the picture, an SVG document with clickable places.
        words: the label of each button, by the word that the person could type instead.
        pictures: SVG documents for some of the buttons.
        line: a line of help that is shown in place of the text until the first answer.
    """

    task: str
    picture: str
    words: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    line: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt for a line of input.

    Attributes:
        text: the prompt.
        answers: a function that returns the clickable answers; None if there are none.
    """

    text: str
    answers: Callable[[], Answers] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Change(Move):
    """A change of state in a person's game; ``told`` is the text that describes the change."""

    told: tuple[str, ...] = ()


Line = str | Prompt | StepTable | Change
"""One item of a conversation: lines of text, a table, the prompt for the next input, or a change to record."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on the action that a person should take.

    Attributes:
        parts: the advice as lines.
        actions: the recommended actions, one of which the adviser picks at random; empty without an adviser.
        values: the value that the adviser gives each action; empty if the adviser gives no values.
        decision: the reasons for these values, if a program provides them.
    """

    parts: tuple[Line, ...]
    actions: tuple[int, ...] = ()
    values: Mapping[int, float] = field(default_factory=dict)
    decision: Decision | None = None


Dialogue = Generator[Line, None, T]
"""A generator of the lines of a conversation; it returns the conversation's result, or None if the person leaves."""

Mover = Callable[[Any], Change]
"""A function that makes a move for another player in a state in which this player must choose."""


def ask(
    question: str,
    page: str,
    lines: Iterator[str],
    *,
    farewell: str = GIVING_UP,
    answers: Callable[[], Answers] | None = None,
) -> Dialogue[str | None]:
    """Ask until the person's answer is not a request for help; return it stripped, or None if the person leaves.

    Args:
        question: the prompt.
        page: the help page.
        lines: the lines that the person types.
        farewell: the text to show if the person gives up.
        answers: a function that returns the clickable answers.
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
    """A conversation with a person who plays a game.

    Attributes:
        game: the game.
        view: the view of the game.
        rules: the rules.
        seat: the person's seat.
        players: the players, by seat; None represents the person.
        names: the names of the players, by seat.
        adviser: the player that gives hints; None for the default adviser.
    """

    game: Game
    view: View
    rules: Any
    seat: int
    players: tuple[Player | None, ...]
    names: tuple[str, ...]
    adviser: Player | None = None

    title = ""
    """The display name of the game; if empty, the name in the registry is shown."""

    prompt = ""
    """The prompt for the person; if empty, it is the name of the decision, below a list of the legal actions."""

    page = DEFAULT_PAGE
    """The help page."""

    would = "choose"
    """The verb in an adviser's advice, before the action."""

    plays_forced = False
    """Whether the game plays a person's only legal action without asking."""

    shows_board = True
    """Whether the board is shown before each choice of the person without a request."""

    shows_end = True
    """Whether the final board is shown at the end of the game."""

    has_rivals = True
    """Whether the players in the other seats can choose actions, rather than only place hidden pieces."""

    by_actions = True
    """Whether the person plays only by choosing actions."""

    # Games override these members.

    @property
    def best(self) -> str:
        """The name of the preferred adviser: a program or another player; ignored if it does not come with the game."""
        return "champion"

    @classmethod
    def rules_of(cls, game: Game, options: Mapping[str, str], opponents: Sequence[Player]) -> Any:
        """The chosen rules."""
        return game.make_rules(options)

    def check(self) -> None:
        """Check that these players can play under these rules.

        Raises:
            UsageError: they cannot.
        """
        self.game.check((Player(YOU, strategy=YOU), *self.others), self.rules)

    def setting(self) -> str:
        """The list of players for the greeting."""
        names = [f"{YOU} in seat {self.seat}", *self.names_of_others]
        if self.game.is_of_states:
            first = self.game.begin(self.seated.players, deal_of(self.game, self.rules, 0, 0), self.rules)
            sides = [self.view.words.side(first, each, self.seat) for each in range(len(self.names))]
            shapes = self._following(sides)
            names = [f"{name} {shape}".rstrip() for name, shape in zip(names, shapes, strict=True)]
            names[0] = names[0] if not shapes[0] else f"{YOU} play {shapes[0]} in seat {self.seat}"
        return f"{names[0]}, with {', '.join(names[1:])}"

    @property
    def help(self) -> str:
        """The rules of the game, followed by the help page."""
        rules = self.view.words.rules or rule_in(self.game.title, self.game.name)
        return "\n\n".join(filter(None, (rules, self.page)))

    def example(self) -> str:
        """An example of an answer that the person can type, for the greeting."""
        return ""

    def opening(self, deals: Any, lines: Iterator[str]) -> Dialogue[Any]:
        """The first state of the game on the first deal."""
        yield from ()
        return self.game.begin(self.seated.players, deals, self.rules)

    def mover(self, state: Any, deals: Any) -> Mover:
        """The function that makes the other players' moves, in a game that begins in this state.

        Raises:
            UsageError: the game has no ``choose``.
        """

        def move(state: Any) -> Change:
            player = self.players[state.current_player]
            assert player is not None, "it is not the person's turn"
            action = choose(self.game, player, state, deals)
            after = state.apply(action)
            return Change(state, after, action, tuple(self.moved(state, action, after)))

        return move

    def moved(self, before: Any, action: int, after: Any) -> Iterable[str]:
        """Remarks about another player's action; none in a simultaneous decision (see ``revealed``)."""
        if is_together(before):
            return ()
        if told := self.told(before, after):
            return told
        see = self.view.action_text if after.is_terminal else partial(self.view.seen_text, player=self.seat)
        return [f"{self.names[before.current_player]}: {said}" for said in [see(before, action)] if said]

    def revealed(self, changes: Sequence[Change]) -> Iterator[str]:
        """Remarks about the other players' actions in a simultaneous decision, after all players have chosen."""
        actions = [change.action for change in changes]
        for place, (before, action) in enumerate((change.before, change.action) for change in changes):
            if before.current_player != self.seat:
                said = (
                    self.view.action_text(before, action)
                    if changes[-1].after.is_terminal
                    else self.view.seen_text(before, action, self.seat, actions[place + 1 :])
                )
                yield from [f"{self.names[before.current_player]}: {said}"] if said else []

    def question(self, state: Any) -> str:
        """The prompt."""
        return self.prompt or f"{state.decision}? "

    def board(self, state: Any) -> str:
        """The board, reduced to the parts that the person may see."""
        return self.view.board_text(state, self.seat, self.names)

    def task(self, state: Any) -> str:
        """The description of the person's choice, shown below the board."""
        if self.prompt:
            return ""
        legal = state.legal_actions()
        texts = [self.view.action_text(state, action) for action in legal[:MOST_LISTED]]
        return f"legal: {', '.join(texts)}{', ...' if len(legal) > MOST_LISTED else ''}"

    def screen(self, state: Any) -> str:
        """The screen before the person's choice, which the person can ask to see again."""
        task = self.task(state)
        return f"\n{self.board(state)}" + (f"\n{task}" if task else "")

    def advising(self) -> Player | None:
        """The chosen adviser, or the default adviser; None if there is none."""
        return self.adviser or default_adviser(self.best, self.others, self.game)

    def advice(self, state: Any, deals: Any) -> Advice:
        """Advice from a player that takes the person's seat and knows no more than the person."""
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
        told: tuple[Line, ...] = (f"{says} {text(action)}:", decision.table(self.view.words.candidate, text))
        if not isinstance(decision, Decision):
            return Advice(told, (decision.action,), decision.values)
        told += (f"`gpkit list sensors --game {typed_name(self.game.name)}` explains the columns.",)
        return Advice(told, (decision.action,), decision.values, decision)

    def hint(self, state: ObservableState, deals: object) -> Iterable[Line]:
        """A hint: the advice as lines."""
        return self.advice(state, deals).parts

    def commands(self) -> Mapping[str, Callable[[Any, Any], Iterable[Line]]]:
        """Functions of (state, deals) that respond to commands that the person types instead of an action."""
        return {"h": self.hint, "hint": self.hint}

    def farewell(self, state: Any) -> str:
        """The closing message for a person who gives up."""
        return GIVING_UP

    def told(self, before: Any, after: Any) -> Iterable[str]:
        """Remarks about the action that the person has taken."""
        return tuple(self.view.words.told(Move(before, after), self.names, self.seat))

    def result(self, end: Any) -> str:
        """The result of the game as a sentence; for one-player games, the same sentence as on the web page."""
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

    def ending(self, end: ObservableState) -> str:
        """The final board and the result."""
        return f"\n{self.board(end)}\n{self.result(end)}" if self.shows_end else self.result(end)

    def play_game(self, deals: Any, lines: Iterator[str]) -> Dialogue[tuple[float, ...] | None]:
        """Play the game on the first deal, and return each player's score."""
        state = yield from self.opening(deals, lines)
        return None if state is None else (yield from self.play_from(state, deals, lines))

    # All games share these members.

    @property
    def seated(self) -> Seated:
        """The players in seat order; the person is a player without a placement."""
        players = tuple(Player(YOU) if player is None else player for player in self.players)
        return Seated(self.view, players, self.names, self.seat)

    @property
    def others(self) -> list[Player]:
        """The other players, in turn order after the person."""
        return [player for player in self._following(self.players) if player is not None]

    @property
    def names_of_others(self) -> list[str]:
        """The names of the other players."""
        return self._following(self.names)[1:]

    def _following(self, by_seat: Sequence[T]) -> list[T]:
        return [*by_seat[self.seat :], *by_seat[: self.seat]]

    def play_from(
        self, state: ObservableState, deals: object, lines: Iterator[str]
    ) -> Dialogue[tuple[float, ...] | None]:
        """Play a game from its first state; yield the start and the person's actions as changes, for sessions."""
        move, together = self.mover(state, deals), list[Change]()

        def told(change: Change) -> Iterator[str]:
            yield from change.told
            if is_together(change.before):
                together.append(change)
                if not is_same_round(change.before, change.after):
                    yield from self.revealed(together)
                    together.clear()

        yield Change(None, state)
        while True:
            for change in self.onward(move, state):
                yield from told(change)
                state = change.after
            if state.is_terminal:
                break
            action = yield from self._chosen(state, deals, lines)
            if action is None:
                return None
            change = self.acted(state, action)
            yield change
            yield from told(change)
            state = change.after
        yield self.ending(state)
        return state.returns()

    def onward(self, move: Mover, state: ObservableState) -> Iterator[Change]:
        """The changes until the person has a choice or the game ends, for use in both the terminal and web pages."""
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

    def acted(self, before: ObservableState, action: int) -> Change:
        """The change that the person's action makes."""
        after = before.apply(action)
        return Change(before, after, action, tuple(self.told(before, after)))

    def _chosen(self, state: ObservableState, deals: object, lines: Iterator[str]) -> Dialogue[int | None]:
        """The action that the person chooses."""
        commands = self.commands()
        if self.shows_board:
            yield self.screen(state)
        while True:
            word = yield from ask(self.question(state), self.help, lines, farewell=self.farewell(state))
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
        """The names of the players with their scores."""
        return ", ".join(f"{name} {score:g}" for name, score in zip(self.names, scores, strict=True))


HELP = """\
n or Enter  the next step          p       the step before
j N         step number N          u EXPR  the next step where EXPR holds
v           the names that EXPR can use and their values in this step
f           every node's value, where the program decided
q           quit                   ?       this page
An example of EXPR: mine and candidates > 2 and rank == 7"""


def walk(
    steps: CachedSteps,
    vocabulary: Vocabulary,
    lines: Iterator[str],
    *,
    first: int,
    show: Callable[[Step], str],
    formula: Callable[[Step], str],
) -> Iterator[Line]:
    """Step through a trace with typed commands, beginning at step number ``first``, which must exist.

    ``show`` returns the text of a step. ``formula`` returns the values of all nodes as text; it is empty if the program
    did not decide.
    """
    step = steps.get(first)
    assert step is not None
    yield show(step)
    while True:
        yield Prompt(f"step {step.number} (? for help) ")
        word, _, rest = (next(lines, None) or "q").strip().partition(" ")
        rest = rest.strip()
        if word in ("q", "quit"):
            return
        found: Step | None = None
        if word in ("", "n"):
            found, said = steps.get(step.number + 1), "this is the last step"
        elif word == "p":
            found, said = steps.get(step.number - 1), "this is the first step"
        elif word == "j":
            found, said = _jumped(steps, rest)
        elif word == "u":
            found, said = _found(steps, vocabulary, step.number + 1, rest)
        elif word == "v":
            said = values_text(step, vocabulary)
        elif word == "f":
            said = formula(step) or "the program made no decision in this step"
        else:
            said = HELP if word == "?" else f"`{word[:40]}` is not a command; ? shows them all"
        step = step if found is None else found
        yield said if found is None else show(step)


def values_text(step: Step, vocabulary: Vocabulary) -> str:
    """A line for every name in the vocabulary, with its value in a step (``-`` if it has none) and its meaning."""
    width = max(len(name.name) for name in vocabulary.names)
    lines = []
    for name in vocabulary.names:
        value = step.values.get(name.name)
        shown = "-" if value is None else repr(value) if isinstance(value, str) else f"{value:.6g}"
        lines.append(f"{name.name:{width}}  {shown:>8}  {name.meaning}")
    return "\n".join(lines)


def _jumped(steps: CachedSteps, rest: str) -> tuple[Step | None, str]:
    """The step with the typed number and an empty message, or None and the reason why there is no such step."""
    if not (rest.isascii() and rest.isdigit()):
        return None, "j needs a step number, such as j 12"
    found = steps.get(int(rest[:9]))
    return found, "" if found else f"there is no step {rest[:40]}; the last one is {steps.last}"


def _found(steps: CachedSteps, vocabulary: Vocabulary, first: int, rest: str) -> tuple[Step | None, str]:
    """The next step that meets the typed condition, or None; and the message for the case that there is none."""
    try:
        return steps.find(read_condition(rest, vocabulary), first), f"{rest} holds in no later step"
    except GpkitError as error:
        return None, str(error)
