"""A person's game: its setup, the person's answers and actions, and the transcript that stores them.

The setup defines the rules and the seats. A session runs a conversation for web pages and transcripts. A transcript
records the players, the rules, the deal, and the person's actions. The seed determines the deal, and the deal
determines the other players' actions, so the complete game can be replayed.
"""

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gpkit.core.codec import Count, print_document, read_document
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT, read_text
from gpkit.core.header import NO_DIALECT
from gpkit.core.plain_files import check_named
from gpkit.core.registry import shipped_levels, shipped_programs
from gpkit.core.wording import YOU, spelled
from gpkit.gamekit.facts import OPEN
from gpkit.gamekit.game import Game
from gpkit.gamekit.options import Option
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.view import Played, View
from gpkit.playing.contest import deal_of
from gpkit.playing.conversation import Change, Conversation, Dialogue, Line, Mover, Prompt
from gpkit.playing.named import Named, game_for, read_one, seat
from gpkit.playing.players import Seating, check_seat, check_seating, names_at_table
from gpkit.playing.trace import Step, Trace, Vocabulary


def new_conversation(
    game: Game, options: Mapping[str, str], opponents: Sequence[Player], seat: int
) -> Conversation:
    """A conversation with a person in this seat; the opponents take the following seats in order.

    Raises:
        UsageError: there is no such seat, or the players cannot play under these rules.
    """
    check_seat(seat, len(opponents) + 1)
    kind = game.forms.conversation() or Conversation
    names = [f"{name} (program)" if name == YOU else name for name in names_at_table(opponents)]
    players: list[Player | None] = [None, *opponents]
    seated = [(place - seat) % len(players) for place in range(len(players))]
    found = kind(
        game,
        game.view,
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
        UsageError: the adviser does not choose actions.
    """
    if not adviser.decides:
        raise UsageError(f"{adviser.name} does not choose actions, so it cannot give hints")
    return replace(conversation, adviser=adviser)


class Session:
    """A person's game on a deal, up to the current state.

    The game may begin with questions, for example about the positions of ships; in some seats, the person only answers
    questions. Then the person chooses actions.

    Attributes:
        conversation: provides the seats and the texts.
        deals: the deal.
        typed: the answers to questions, in order.
        lines: the text that was shown since the last answer.
        prompt: the question that the person must answer next.
        states: the states in which the person had a choice, oldest first; the last state is the current one. Empty
            during questions.
        actions: the person's actions; each one leads to the next state in ``states``.
        changes: the changes to the game so far; the first change is the beginning of the game.
        told: the text that was shown since the last action.
    """

    def __init__(self, conversation: Conversation, seed: int, number: int) -> None:
        """Begin a game on the deal with this number, and continue to the first question or choice.

        Raises:
            UsageError: the game has no ``choose``.
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
        self._changed: tuple[int, ...] = ()  # for each state, the number of changes up to it
        self._is_asked = True
        self._move: Mover | None = None
        self._coming: deque[str] = deque()
        begin = conversation.opening if conversation.by_actions else conversation.play_game
        self._dialogue: Dialogue[Any] = begin(self.deals, iter(self._coming.popleft, None))
        self._listen()

    @property
    def state(self) -> Any:
        """The current state, in which the person must choose or the game is over."""
        return self.states[-1]

    @property
    def played(self) -> Played:
        """The game so far, for sentences that describe it."""
        said = self.conversation
        metric = said.game.metric(said.rules)
        return Played(said.seat, said.names, self.changes, said.view.action_text, metric)

    @property
    def answers(self) -> bool:
        """Whether the person answers questions, because the game has not begun or the seat does not choose actions."""
        return not self.states

    @property
    def is_over(self) -> bool:
        """Whether the game is over or the person has left it."""
        return not self._is_asked if self.answers else bool(self.state.is_terminal)

    @property
    def can_undo(self) -> bool:
        """Whether the person can take back the last action, which requires that no other player chooses actions."""
        alone = not any(player.decides for player in self.conversation.others)
        return alone and len(self.states) > 1

    def answer(self, line: str) -> None:
        """Answer the question, and continue to the next question or to the person's first choice."""
        assert self.answers and not self.is_over, "nothing is asked any more"
        self.typed += (line,)
        self._coming.append(line)
        self._listen()

    def choose(self, action: int) -> None:
        """Choose an action, and continue to the next choice or to the end.

        Raises:
            UsageError: the action is not legal now.
        """
        if action not in self.state.legal_actions():
            raise UsageError(f"{action} is not a legal action now")
        self._go_on((self.conversation.acted(self.state, action),))
        self.actions += (action,)

    def undo(self) -> None:
        """Go back to the state before the person's last action.

        Raises:
            UsageError: the action cannot be taken back.
        """
        if not self.can_undo:
            raise UsageError(
                "nothing can be taken back: there is no action yet, or another player has moved since"
            )
        self.states, self.actions, self._changed = self.states[:-1], self.actions[:-1], self._changed[:-1]
        self.changes, self.told = self.changes[: self._changed[-1]], ()

    def _listen(self) -> None:
        """Collect the text up to the next question, and begin the game after the last answer."""
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
        """Continue from a change to the person's next choice or to the end."""
        assert self._move is not None, "the game has begun"
        changes += tuple(self.conversation.onward(self._move, changes[-1].after))
        self.changes += changes
        self.told = tuple(line for change in changes for line in change.told)
        self._changed += (len(self.changes),)
        self.states += (changes[-1].after,)


def new_session(conversation: Conversation, seed: int, number: int, opening: Sequence[str] = ()) -> Session:
    """Begin a game on a deal, and continue to the person's first choice.

    Args:
        conversation: the conversation with its seats.
        seed, number: the seed and the number of the deal.
        opening: the person's answers before the first state; pieces that these answers do not place are placed at
            random.

    Raises:
        UsageError: this seat does not choose actions, the person leaves before the first choice, or the game has no
            ``choose``.
    """
    if not conversation.by_actions:
        raise UsageError(
            "this seat only answers questions and does not choose actions, so its game cannot be traced"
        )
    session = Session(conversation, seed, number)
    # The last three answers place the remaining pieces at random and begin the game.
    for line in (*opening, "", "r", ""):
        if session.answers and not session.is_over:
            session.answer(line)
    if session.answers:
        raise UsageError("the game ended before the first choice")
    return session


@dataclass(slots=True)
class TypedGame:
    """The lines that a person has typed in a game, for a transcript.

    Attributes:
        typed: all lines so far.
        opening: the lines before the first state.
        actions: the actions, in the form that people type.
    """

    typed: list[str] = field(default_factory=list)
    opening: tuple[str, ...] = ()
    actions: list[str] = field(default_factory=list)

    def heard(self, lines: Iterator[str]) -> Iterator[str]:
        """Yield the lines, and store each line."""
        for line in lines:
            self.typed.append(line.rstrip("\n"))
            yield line

    def kept(self, dialogue: Dialogue[Any], view: View) -> Dialogue[Any]:
        """A game's dialogue without its changes, which are stored as the opening and the actions."""
        while True:
            try:
                part = next(dialogue)
            except StopIteration as end:
                return end.value
            if not isinstance(part, Change):
                yield part
            elif part.before is None:
                self.opening = tuple(self.typed)
            else:
                self.actions.append(view.action_text(part.before, part.action))


def sessions(
    conversation: Conversation,
    lines: Iterator[str],
    seed: int,
    keep: Callable[[int, TypedGame], str] = lambda deal, record: "",
) -> Iterator[Line]:
    """Play a person's games on the deals of a seed, one after another, with a running score.

    ``keep`` receives the number and the record of each game in which the person made a choice, and returns a line to
    show.
    """
    said, games = conversation, list[tuple[float, ...]]()
    name = said.game.name
    title = said.title or (spelled(name) if ":" in name else name.replace("_", " ").capitalize())
    yield f"{title}: {said.setting()}. {said.example()}? shows the rules and what to type."
    while True:
        deals, record = deal_of(said.game, said.rules, seed, len(games)), TypedGame()
        scores = yield from record.kept(said.play_game(deals, record.heard(lines)), said.view)
        if record.actions and (line := keep(len(games), record)):
            yield line
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


def seat_all(
    first: str | None,
    opponents: Sequence[str],
    *,
    game: str | None,
    options: Mapping[str, str] = NO_DIALECT,
    language: str | None = None,
    dialect: Mapping[str, str] = NO_DIALECT,
) -> Seating:
    """Read the players that a user named, and assign them to seats.

    Args:
        first: the followed player; None for a person, who takes one seat.
        opponents: one opponent for all other seats, or one for each seat in order; by default, the game's first
            opponent.
        game: the name of the game; None to derive it from the programs.
        options: the rules that the user set, as strings; without ``players``, the number of opponents determines the
            number of players.
        language: the language of files whose suffix does not determine it.
        dialect: the header lines from ``--dialect``, for the followed player, or for the opponents of a person.

    Raises:
        UsageError: a player, the game or a rule does not exist, or they are incompatible.
        SourceError: a program does not parse, or has an error for this game.
    """
    specs = [*([first] if first is not None else []), *opponents]
    if specs.count(STANDARD_INPUT) > 1:
        raise UsageError("standard input can be read only once: name files for the others")
    if dialect and not specs:
        raise UsageError("--dialect is for program files; name one as the opponent with --vs")
    named = [
        read_one(spec, language, dialect if first is None or k == 0 else {}, game)
        for k, spec in enumerate(specs)
    ]
    split = len(specs) - len(opponents)
    return seat_named(*named[:split], opponents=named[split:], game=game, options=options)


def seat_named(
    *first: Named,
    opponents: Sequence[Named],
    game: str | None,
    options: Mapping[str, str] = NO_DIALECT,
) -> Seating:
    """Assign players that are already read to seats, as in ``seat_all``; without a first player, a person takes a seat.

    Raises:
        UsageError: the players, the game and the rules are incompatible.
        SourceError: a program has an error for this game.
    """
    meant = game_for([*first, *opponents], game)
    options = dict(options)
    if len(opponents) > 1 and any(option.name == "players" for option in meant.all_options):
        options.setdefault("players", str(len(opponents) + 1))
    known_rules = meant.make_rules(options)
    others = list(opponents) or [Named(meant.rivals(known_rules)[0])]
    seats = meant.players(known_rules) - 1
    if len(others) not in (1, seats):
        wanted = (
            "1 seat: name one" if seats == 1 else f"{seats} seats: name one for all of them, or one for each"
        )
        raise UsageError(f"{len(others)} opponents for {wanted}")
    filled = others * seats if len(others) == 1 else others
    seated = [seat(each, meant) for each in (*first, *filled)]
    return Seating(meant, options, known_rules, tuple(seated))


def meeting(seating: Seating) -> Seating:
    """The seating with the game's duel rules if the opponent chooses actions; the user's rules take precedence."""
    if not seating.game.duel or not seating.players[1].decides:
        return seating
    options = {**seating.game.duel, **seating.options}
    return replace(seating, options=options, rules=seating.game.make_rules(options))


@dataclass(frozen=True, slots=True)
class GameSetup:
    """The setup of a person's game.

    Attributes:
        game: the name of the game.
        opponents: the names of the opponents; by default, the game's first opponent.
        rules: the rules by option, as strings; all other options have their default values.
        seat: the person's seat.
        seed: the seed of the deals.
        deal: the number of the deal to play.
    """

    game: str
    opponents: tuple[str, ...]
    rules: Mapping[str, str]
    seat: Count
    seed: Count
    deal: Count


def opponents_of(game: Game) -> tuple[str, ...]:
    """The names of all players that can take the other seats."""
    return tuple(dict.fromkeys((*shipped_levels(game.name), *game.opponents, *shipped_programs(game.name))))


def default_rules(game: Game, rules: Any) -> list[tuple[Option, str]]:
    """The options of a game, each with its value under these rules, as text."""
    texts = rules.to_options()
    return [(option, texts.get(option.name, next(iter(option.choices), ""))) for option in game.all_options]


def conversation_of(setup: GameSetup, named: Sequence[str]) -> Conversation:
    """The conversation for a setup.

    Args:
        setup: the person's setup.
        named: the names of the opponents, or paths of program files.

    Raises:
        UsageError: a player, the game or a rule does not exist, or they are incompatible.
        SourceError: a program does not parse, or has an error for this game.
    """
    seating = seat_all(None, named, game=setup.game, options=setup.rules)
    return new_conversation(seating.game, seating.options, seating.players, setup.seat)


def adviser_named(
    conversation: Conversation, name: str, dialect: Mapping[str, str] = NO_DIALECT
) -> Conversation:
    """The conversation with another adviser, given by name.

    Args:
        conversation: any conversation.
        name: the name of a player or of a program file.
        dialect: header lines that replace those of the file.

    Raises:
        UsageError: the adviser does not exist or does not choose actions.
        SourceError: its program does not parse, or has an error for this game.
    """
    game = conversation.game
    return advised_by(conversation, seat(read_one(name, None, dialect, game.name), game))


SCHEMA = "gpkit/game/1"

MOST_ACTIONS = 100_000

EXAMPLES = (("Your next move", "mine == 1"), ("The end", "over == 1"))
"""Conditions that users can search for in a person's game, each with a short label."""


@dataclass(frozen=True, slots=True)
class Transcript(GameSetup):
    """A person's game: its setup, and the person's actions.

    Attributes:
        actions: the person's actions, in the form that people type.
        opening: the lines that the person typed before the first action, such as the positions of ships.
    """

    actions: tuple[str, ...]
    opening: tuple[str, ...] = ()

    def to_json(self) -> str:
        """The transcript as text."""
        return json.dumps(print_document(SCHEMA, self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, content: str, path: str) -> "Transcript":
        """Read a transcript from its text.

        Raises:
            UsageError: the text is not a transcript; the message gives the reason.
        """
        try:
            found = read_document(content.encode(), SCHEMA, cls)
        except ValueError as error:
            raise UsageError(f"{path} is not a transcript of a game: {error}") from error
        if (count := len(found.actions) + len(found.opening)) > MOST_ACTIONS:
            raise UsageError(f"{path} has {count:,} actions; at most {MOST_ACTIONS:,} are allowed")
        return found


def action_texts(session: Session) -> tuple[str, ...]:
    """The person's actions, in the form that people type."""
    view = session.conversation.view
    pairs = zip(session.states, session.actions, strict=False)
    return tuple(view.action_text(state, action) for state, action in pairs)


def played_again(conversation: Conversation, transcript: Transcript) -> Session:
    """Replay the game of a transcript in this conversation.

    Raises:
        UsageError: an action of the transcript is not possible.
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
    """A person's game as a trace; until the game ends, the trace shows only the person's view.

    The trace includes the sentences that the person saw, but no reasons for actions.
    """
    conversation, is_over, played = session.conversation, session.state.is_terminal, session.played
    seated = replace(conversation.seated, facts=OPEN, looks=None if is_over else conversation.seat)
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


SUFFIX = ".json"
"""The suffix of transcripts, including the dot."""


def written_out(setup: GameSetup, conversation: Conversation) -> GameSetup:
    """The setup with all opponents and rules written out, so later changes to the defaults do not affect the game."""
    return replace(
        setup,
        opponents=tuple(setup.opponents or conversation.game.rivals(conversation.rules)[:1]),
        rules=dict(conversation.rules.to_options()),
    )


def transcript_of(setup: GameSetup, actions: Sequence[str], opening: Sequence[str]) -> Transcript:
    """The transcript of a game with this setup, made from the texts of its actions and opening."""
    return Transcript(
        setup.game,
        setup.opponents,
        setup.rules,
        setup.seat,
        setup.seed,
        setup.deal,
        tuple(actions),
        tuple(opening),
    )


def read_transcript(path: str) -> tuple[Transcript, Session]:
    """Read a transcript from a file, and replay its game.

    Raises:
        UsageError: the file cannot be read or is not a transcript, or its game cannot be replayed.
    """
    found = Transcript.from_json(read_text(path), path)
    return found, played_again(conversation_of(found, check_named(found.opponents, where=path)), found)


def seating_of(rules: Mapping[str, str], session: Session) -> Seating:
    """The seating of a person's game with these rules, beginning with the person."""
    conversation = session.conversation
    players = (Player(YOU), *conversation.others)
    return Seating(conversation.game, dict(rules), conversation.rules, players)
