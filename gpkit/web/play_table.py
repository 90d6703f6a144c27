"""A person's game on the server: its players and its progress, by one answer or action at a time.

Games are saved under the folder, so people can continue them after a restart of the server. Each saved game is a
transcript with three additional values. Anybody may have written the files, so the server treats their names and rules
like those in an address, with the same limits, and skips files that do not contain a saved game.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from operator import itemgetter
from pathlib import Path
from threading import Lock
from typing import Annotated

from gpkit.core.codec import Range, print_document, read_document
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.plain_files import held, make_folder, read_plain, remove_plain, write_plain
from gpkit.core.registry import game_of
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import ObservableState
from gpkit.gamekit.uct import MCTS, PIMC
from gpkit.gamekit.view import Played
from gpkit.playing.contest import Match, contest
from gpkit.playing.conversation import LONGEST_WORD, Advice, Conversation, Line
from gpkit.playing.mistakes import MARKS, judge_of, judged, worths
from gpkit.playing.session import (
    SCHEMA,
    SUFFIX,
    GameSetup,
    Session,
    Transcript,
    action_texts,
    adviser_named,
    conversation_of,
    trace_session,
    transcript_of,
)
from gpkit.playing.trace import Step, trace_game
from gpkit.web.site import MOST_NAMES, MOST_TABLES, Site, player_named

WORLDS = 500
"""The number of games in which a search evaluates a choice of the person."""

HINT = "hint"
"""The command that asks for advice; the board also shows the advice."""


@dataclass
class PlayTable:
    """A person's game, which advances on request; requests to the same game run one at a time.

    Attributes:
        setup: the players and the rules.
        named: the opponents: names, or paths of files.
        session: the game.
        gave_up: whether the person gave up.
        is_kept: whether the game can continue after a restart of the server.
        lost: the number of games in a row that the person lost before this one.
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
        """The conversation: the players by seat, and the game's messages."""
        return self.session.conversation

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, or was given up."""
        return self.gave_up or self.session.is_over

    @property
    def margin(self) -> float:
        """The margin by which the person won, negative for a loss; 0 before the end and in games for one player."""
        state = None if self.session.answers else self.session.state
        scores = state.returns() if state is not None and state.is_terminal else ()
        said = self.conversation
        return said.game.metric(said.rules).lead(scores, said.seat) if len(scores) > 1 else 0.0

    @property
    def lost_in_a_row(self) -> int:
        """The number of games in a row that the person has lost, including this one."""
        return self.lost + 1 if self.gave_up or self.margin < 0 else 0

    @property
    def played(self) -> Played:
        """The game up to now, for the sentences on the page."""
        return self.session.played

    @property
    def turn(self) -> int:
        """The number of the person's answers or choices so far; a request with a lower number changes nothing."""
        return len(self.session.typed if self.session.answers else self.session.actions)

    @cached_property
    def _advised(self) -> Conversation:
        """The conversation with the default adviser, which gpkit loads only once."""
        return replace(self.conversation, adviser=self.conversation.advising())

    def answer(self, turn: int, text: str) -> None:
        """Answer the question with this number."""
        with self.lock:
            if self.session.answers and turn == self.turn and not self.is_over:
                self.session.answer(text[:LONGEST_WORD])

    def act(self, turn: int, action: int) -> None:
        """Choose an action, in answer to the choice with this number.

        Raises:
            UsageError: the action is not legal.
        """
        with self.lock:
            if turn == self.turn and not self.is_over:
                self.session.choose(action)

    def act_by_text(self, turn: int, text: str) -> None:
        """Choose the action that a string names.

        Raises:
            UsageError: the string names no action; the message names the nearest action.
        """
        if turn == self.turn and not self.is_over:
            self.act(turn, self.conversation.view.parse_action(self.session.state, text[:200]))

    def undo(self, turn: int) -> None:
        """Take back the last action.

        Raises:
            UsageError: the action cannot be taken back.
        """
        with self.lock:
            if turn == self.turn:
                self.session.undo()

    def reorder(self, turn: int, place: int, to: int) -> None:
        """Move one of the person's earlier actions to another place among them, and play the game again.

        Raises:
            UsageError: actions can no longer be taken back, there is no such place, or this order is impossible.
        """
        waits, other = self.conversation.view.words.waits, seated(self.setup, self.named)
        with self.lock:
            places = [k for k, action in enumerate(self.session.actions) if action not in waits]
            if (
                turn != self.turn
                or self.is_over
                or not self.session.can_undo
                or max(place, to) >= len(places)
            ):
                raise UsageError("nothing can be moved here now")
            texts = [*action_texts(self.session)]
            texts.insert(places[to], texts.pop(places[place]))
            for text in texts:
                other.act_by_text(other.turn, text)
            self.session = other.session

    def again(self) -> "PlayTable":
        """A new game on the next deal, with the same players and rules."""
        table = seated(replace(self.setup, deal=self.setup.deal + 1), self.named)
        table.lost = self.lost_in_a_row
        return table

    def advice(self, adviser: str = "") -> Advice:
        """Advice on the next action from the named player, or from the default adviser; empty at the end of the game.

        Raises:
            UsageError: the player cannot advise here.
            SourceError: its program does not parse, or has an error for this game.
        """
        asked = adviser_named(self.conversation, adviser) if adviser else self._advised
        with self.lock:
            return Advice(()) if self.is_over else self._valued(asked, self.session.state)

    def hindsight(self, state: ObservableState) -> Advice:
        """The default adviser's advice in an earlier state of the game."""
        with self.lock:
            return self._valued(self._advised, state)

    def _valued(self, asked: Conversation, state: ObservableState) -> Advice:
        """The advice in a state; a search also gives each action a value, and advises the action with the highest."""
        advice, legal, search = asked.advice(state, self.session.deals), state.legal_actions(), asked.adviser
        if search is None or search.strategy not in (MCTS, PIMC) or advice.values or len(legal) < 2:
            return advice
        found = worths(asked.game, search, state, legal, self.session.deals, asked.rules)
        values = {action: float(round(100 * value)) for action, value in found.items()}
        best = tuple(action for action in legal if values[action] == max(values.values()))
        return replace(advice, values=values, actions=best)

    @cached_property
    def rival(self) -> tuple[str, float]:
        """The best rival of a person who plays alone, and its result on this deal; an empty name if there is none."""
        said, deal = self.conversation, self.setup.deal
        results = {}
        for name in () if opponents(self) else said.view.words.rivals:
            match = Match(self._named(name), tuple(said.others))
            deals = range(deal, deal + 1)
            (played,) = contest(said.game, [match], rules=said.rules, seed=self.setup.seed, deals=deals)
            results[name] = played.result().mean
        direction = said.game.metric(said.rules).direction
        best = max(results, key=lambda name: direction * results[name], default="")
        return best, results.get(best, 0.0)

    @cached_property
    def ghost(self) -> tuple[str, ObservableState] | None:
        """The best rival and the end of its game, if boards show that game beside the person's; otherwise None."""
        said = self.conversation
        if not (said.view.words.has_ghost and self.rival[0]):
            return None
        players = self._named(self.rival[0]), *said.others
        *_, last = trace_game(said.game.name, players, self.session.deals, said.rules).steps
        return self.rival[0], last.after

    def _named(self, name: str) -> Player:
        """The player with this name."""
        player = adviser_named(self.conversation, name).adviser
        assert player is not None, "it was named"
        return player

    def compared(self) -> str:
        """A sentence that compares the game with the best rival's game on this deal; empty before the game ends."""
        said = self.conversation
        if not self.is_over or not self.rival[0]:
            return ""
        return said.view.words.compared(*self.rival, said.rules)

    @cached_property
    def mistake(self) -> tuple[float, Step | None]:
        """The largest cost of a choice in a finished game, as judged by a search, and its step; the step is None if no
        choice cost much.

        The search evaluates each choice, and the alternative that the search prefers, in ``WORLDS`` new games,
        as in ``gpkit trace --mistakes``.
        """
        said = self.conversation
        judge = judge_of(said.game, said.rules, WORLDS, exact=False)
        if judge is None or not opponents(self) or self.gave_up:
            return 0.0, None
        steps = judged(
            iter(trace_session(self.session).steps), said.game, judge, self.session.deals, said.rules
        )
        cost, costliest = max(((step.mistake or 0.0, step) for step in steps), key=itemgetter(0))
        return cost, costliest if cost >= MARKS[1][0] else None

    def said(self, word: str) -> tuple[Line, ...]:
        """The reply to a command word such as ``hint``.

        Raises:
            UsageError: the word is not available here.
        """
        commands = self.conversation.commands()
        if word not in commands:
            raise UsageError(f"there is no `{word}` here; {suggestion(word, list(commands))}")
        with self.lock:
            return () if self.is_over else tuple(commands[word](self.session.state, self.session.deals))


def opponents(table: PlayTable) -> list[str]:
    """The names of the person's opponents: the other players that make decisions."""
    said = table.conversation
    return [each for each, player in zip(said.names_of_others, said.others, strict=True) if player.decides]


def seated(setup: GameSetup, named: tuple[str, ...]) -> PlayTable:
    """A table with a new game.

    Raises:
        UsageError: a player or a rule does not exist or does not fit the game.
        SourceError: a program has an error for this game.
    """
    return PlayTable(setup, named, Session(conversation_of(setup, named), setup.seed, setup.deal))


SAVED = ".gpkit-games"
"""The name of the folder of saved games."""

MOST_SAVED = 100
"""The maximum number of saved games."""

MOST_BYTES = 64_000
"""The maximum number of bytes of a saved game; longer games are not saved."""

_NAME = re.compile(r"[A-Za-z0-9_-]{12}")
"""The pattern for names of games in addresses."""


OVER, WON, LOST = 1, 2, 3
"""The outcomes of a saved game that is over: neither of the other two, a win of the person, and a loss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedGame(Transcript):
    """A transcript with the other players and the state of the game.

    Attributes:
        against: the names of the opponents.
        gave_up: 1 if the person gave up.
        over: 0 if the game is not over, otherwise ``OVER``, ``WON`` or ``LOST``.
    """

    against: tuple[str, ...]
    gave_up: Annotated[int, Range(0, 1)]
    over: Annotated[int, Range(0, LOST)]


def save_game(site: Site, name: str, table: PlayTable) -> None:
    """Save a game in its current state; if there are too many saved games, delete the oldest."""
    site.tables.put(name, table)
    saved = SavedGame(
        **asdict(transcript_of(table.setup, action_texts(table.session), table.session.typed)),
        against=tuple(opponents(table)),
        gave_up=int(table.gave_up),
        over=table.is_over * (LOST if table.lost_in_a_row else WON if table.margin > 0 else OVER),
    )
    content = json.dumps(print_document(SCHEMA, saved), ensure_ascii=False).encode()
    folder = site.folder / SAVED
    table.is_kept = False
    with suppress(GpkitError, OSError), site.saving:
        if len(content) <= MOST_BYTES:
            make_folder(folder)
            with held(folder) as at:
                write_plain(folder / f"{name}{SUFFIX}", content, at=at)
                for old in _latest(folder)[MOST_SAVED:]:
                    remove_plain(old, at=at)
            table.is_kept = True


def _latest(folder: Path) -> list[Path]:
    """The files of games, latest first."""
    found = [path for path in folder.glob(f"*{SUFFIX}") if _NAME.fullmatch(path.stem)]
    return sorted(found, key=lambda path: -path.lstat().st_mtime_ns)


def _read(path: Path) -> SavedGame:
    """The game in a file.

    Raises:
        GpkitError, ValueError: the file does not contain a game.
    """
    return read_document(read_plain(path, MOST_BYTES), SCHEMA, SavedGame)


def going_on(site: Site) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The games that are not over, latest first: the identifier, the game played, and the other players of each."""
    seen = set[str]()
    for name, table in site.tables.latest():
        seen.add(name)
        if not table.is_over:
            yield name, table.setup.game, tuple(opponents(table))
    with suppress(OSError):
        for path in _latest(site.folder / SAVED)[:MOST_TABLES]:
            with suppress(GpkitError, ValueError):
                found = _read(path)
                game_of(found.game)
                if path.stem not in seen and not found.over:
                    yield path.stem, found.game, tuple(name[:80] for name in found.against[:MOST_NAMES])


def ended(site: Site) -> Iterator[SavedGame]:
    """The saved games that are over, latest first."""
    with suppress(OSError):
        for path in _latest(site.folder / SAVED)[:MOST_SAVED]:
            with suppress(GpkitError, ValueError):
                if (found := _read(path)).over:
                    yield found


_DAY = re.compile(r"(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")


def day_of(setup: GameSetup | SavedGame) -> str:
    """The day whose deal a game plays, such as 2026-12-01; its seed is 20261201. Empty for other deals."""
    day = _DAY.fullmatch(str(setup.seed))
    return "" if day is None or setup.deal or setup.rules else "-".join(day.groups())


def table_named(site: Site, name: str) -> PlayTable | None:
    """The game with this name, replayed from its file if necessary; None if it does not exist."""
    table = site.tables.get(name)
    if table is None and _NAME.fullmatch(name):
        with suppress(GpkitError, ValueError):
            table = site.reread.made(name, partial(_again, site, site.folder / SAVED / f"{name}{SUFFIX}"))
    return table


def _again(site: Site, path: Path) -> PlayTable:
    """The game in a file, replayed to its current state.

    Raises:
        GpkitError, ValueError: the game cannot be replayed.
    """
    found = _read(path)
    setup = GameSetup(found.game, found.opponents, found.rules, found.seat, found.seed, found.deal)
    if len(setup.opponents) > MOST_NAMES or max(setup.seat, setup.deal, setup.seed) > 10**15:
        raise UsageError(f"{path.name} is not a game started on a page")
    game = game_of(setup.game)
    table = seated(setup, tuple(player_named(name, site, game) for name in setup.opponents))
    for word in found.opening:
        table.answer(table.turn, word)
    if found.actions and table.session.answers:
        table.answer(table.turn, "")  # a random fleet that began at once, as in files of earlier versions
    for word in found.actions:
        table.act_by_text(table.turn, word)
    table.gave_up, table.is_kept = bool(found.gave_up) and not table.is_over, True
    return table
