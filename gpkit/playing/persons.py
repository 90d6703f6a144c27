"""Transcripts of persons' games: written where a game was played, read where it is followed."""

from collections.abc import Mapping

from gpkit.core.files import read_text
from gpkit.core.plain_files import check_named
from gpkit.core.wording import YOU
from gpkit.gamekit.players import Player
from gpkit.playing.game_setup import GameSetup, conversation_of
from gpkit.playing.players import Seating
from gpkit.playing.session import Session
from gpkit.playing.transcript import Transcript, action_texts, played_again

SUFFIX = ".json"
"""Suffix of transcripts, including the dot."""


def transcript_of(setup: GameSetup, session: Session) -> Transcript:
    """The transcript of a game that was played with this setup."""
    return Transcript(
        setup.game,
        setup.opponents,
        setup.rules,
        setup.seat,
        setup.seed,
        setup.deal,
        action_texts(session),
        session.typed,
    )


def read_transcript(path: str) -> tuple[Transcript, Session]:
    """The transcript in a file, and its game, played once more.

    Raises:
        UsageError: the file cannot be read or is not a transcript, or its game cannot be had again.
    """
    found = Transcript.from_json(read_text(path), path)
    return found, played_again(conversation_of(found, check_named(found.opponents, where=path)), found)


def seating_of(rules: Mapping[str, str], session: Session) -> Seating:
    """The seating of a person's game with these rules, the person first."""
    conversation = session.conversation
    players = (Player(YOU), *conversation.others)
    return Seating(conversation.game, dict(rules), conversation.rules, players)
