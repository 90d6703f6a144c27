"""``gpkit play``: a person plays a game against programs, in the terminal. The Python interface has no such function;
``gpkit.play`` lets two programs play each other.
"""

import secrets
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

from gpkit.api.kinds import (
    NO_DIALECT,
    NO_RULES,
    Dialect,
    GameLike,
    Given,
    Kind,
    Language,
    Number,
    Rules,
    Seed,
)
from gpkit.api.progress import refuse, remark
from gpkit.cli.serve import open_pages
from gpkit.cli.shell import PLAIN, command_of
from gpkit.core.errors import EXIT_OK
from gpkit.core.files import STANDARD_INPUT, check_place, write_atomic

if TYPE_CHECKING:
    from gpkit.gamekit.game import Game
    from gpkit.playing.conversation import Conversation, Line
    from gpkit.playing.session import TypedGame


def play(
    game: GameLike,
    *,
    opponents: Annotated[
        Sequence[str], Kind("OPPONENT", completes="opponent", many=True, option="--vs")
    ] = (),
    adviser: Annotated[str, Kind("OPPONENT", completes="opponent")] | None = None,
    rules: Rules = NO_RULES,
    seat: Number = 0,
    seed: Seed | None = None,
    save: Annotated[str, Kind("FILE", completes="file")] | None = None,
    web: bool = False,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> "Iterable[Line]":
    """Play a game yourself against programs. In the game, ? shows help, and q gives up.

    `gpkit list opponents --game GAME` lists the opponents.

    Args:
        game: the game: a name, a file with your own game, or an OpenSpiel game such as openspiel:hex.
        opponents: the player in all other seats; repeat it for one player per seat: a name, a program file, or
            name:argument such as pimc:100. Default: the game's first default opponent.
        adviser: the player that gives hints: a name or a program file. Default: the best shipped program of the game.
        rules: a rule of the game, one of `gpkit list rules`; may be repeated.
        seat: your seat, from 0; the opponents sit after you.
        seed: the same seed gives the same games. Default: a new seed, which is printed.
        save: store the game in this file (.json) for `gpkit trace`; for later games, gpkit adds -2, -3, ... to the name
            of the file.
        web: play in the browser, with `gpkit serve` on this folder.
        dialect: override header lines of opponents, such as target=uniform or dialect=literal; may be repeated.
        language: the language, for files without its suffix.

    Raises:
        UsageError: there is no such game, player, rule or seat, or the options contradict each other.
        SourceError: a program does not parse, or has an error for this game.
    """
    from gpkit.api.games import name_of
    from gpkit.api.players import texts_of
    from gpkit.cli import terminal
    from gpkit.playing.session import adviser_named, new_conversation, seat_all, sessions

    name, texts = name_of(game), texts_of(rules)
    refuse(
        (STANDARD_INPUT in opponents, "standard input is for your moves; opponents must be names or files"),
        (web and (dialect or language), "{dialect} and {language} work in the terminal, but not with {web}"),
        (web and save, "{save} cannot be combined with {web}: download the game from its page"),
        (web and adviser, "{adviser} cannot be combined with {web}: choose the adviser on the page"),
    )
    if web:
        open_pages(Path(), 0, _address(str(name), opponents, texts, seat, seed))
        return ()
    seating = seat_all(None, opponents, game=name, options=texts, language=language, dialect=dialect)
    conversation = new_conversation(seating.game, seating.options, seating.players, seat)
    if adviser is not None:
        conversation = adviser_named(conversation, adviser, dialect)
    _check_saved(save, conversation)
    chosen = _told(seating.game, opponents, seed)
    keep = partial(_kept, conversation, tuple(opponents), chosen, save)
    return sessions(conversation, terminal.typed_lines(), chosen, keep)


def _told(game: "Game", opponents: Sequence[str], seed: int | None) -> int:
    """The seed, by default a new one; it is printed, below the game's levels if no opponent is named."""
    from gpkit.core.registry import shipped_levels
    from gpkit.playing.players import opponent_source

    for each in () if opponents else shipped_levels(game.name):
        remark(f"--vs {each}: {opponent_source(each, game)[0].header.get('title', '')}")
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    remark(f"seed {chosen}")
    return chosen


def _check_saved(save: str | None, conversation: "Conversation") -> None:
    """Check that a game can be stored in this file.

    Raises:
        UsageError: the file exists, cannot be written or has the wrong suffix, or the person chooses no actions.
    """
    from gpkit.playing.session import SUFFIX

    if save is None:
        return
    refuse(
        (not save.endswith(SUFFIX), f"{save}: the name of a game's file ends in {SUFFIX}"),
        (Path(save).exists(), f"{save} exists already; name another file"),
        (not conversation.by_actions, "only games in which you choose actions can be saved"),
    )
    check_place(save)


def _kept(
    conversation: "Conversation",
    opponents: tuple[str, ...],
    seed: int,
    save: str | None,
    deal: int,
    record: "TypedGame",
) -> str:
    """Store a game if requested; return a sentence that explains how to store a game, or how to view the stored one."""
    from gpkit.core.plugins import game_option
    from gpkit.playing.session import GameSetup, transcript_of, written_out

    if save is None:
        return (
            "" if deal else "--save game.json stores a game, and gpkit trace game.json shows it step by step."
        )
    path, game = Path(save), conversation.game.name
    if deal:
        further = (path.with_stem(f"{path.stem}-{number}") for number in count(deal + 1))
        path = next(each for each in further if not each.exists())
    setup = written_out(GameSetup(game, opponents, {}, conversation.seat, seed, deal), conversation)
    write_atomic(path, transcript_of(setup, record.actions, record.opening).to_json())
    return f"Your game is in {path}. Look at it step by step: gpkit trace {path}{game_option(game)}"


def _address(
    game: str, opponents: Sequence[str], rules: Mapping[str, str], seat: int, seed: int | None
) -> str:
    """The address of the page on which the person plays."""
    fields = {"vs": ", ".join(opponents), "seat": str(seat), "seed": "" if seed is None else str(seed)}
    fields |= {f"rule.{name}": text for name, text in rules.items()}
    return f"/play/{game}?{urlencode({key: text for key, text in fields.items() if text})}"


def _show(parts: "Iterable[Line]", given: Given) -> int:
    from gpkit.cli.terminal import converse
    from gpkit.core.streams import Style

    converse(parts, Style(sys.stdout, plain=given["plain"]))
    return EXIT_OK


command = command_of("play", play, {"plain": PLAIN}, _show)
