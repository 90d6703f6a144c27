"""Conversations of ``gpkit play`` without a terminal: who sits down, and what is said while lines are typed."""

from collections.abc import Iterable, Iterator

from gpkit.cli.terminal import table_text
from gpkit.playing.conversation import Conversation, Line
from gpkit.playing.players import Seating
from gpkit.playing.session import advised_by, new_conversation, seat_all, sessions
from gpkit.playing.trace import StepTable


def seating_of(game: str, *opponents: str, **options: str) -> Seating:
    return seat_all(None, opponents, game=game, options=options)


def at_table(seating: Seating, seat: int = 0, *, by_opponent: bool = False) -> Conversation:
    """Who sits down; ``by_opponent`` is whether the first opponent gives hints."""
    table = new_conversation(seating.game, seating.options, seating.players, seat)
    return advised_by(table, seating.players[0]) if by_opponent else table


def heard(parts: Iterable[Line]) -> list[str]:
    """What is said but for prompts; a table belongs to what was said before it."""
    texts: list[str] = []
    for part in parts:
        if isinstance(part, StepTable):
            texts[-1] += f"\n{table_text(part)}"
        elif isinstance(part, str):
            texts.append(part)
    return texts


def said(
    seating: Seating, lines: Iterable[str], *, seed: int = 1, seat: int = 0, by_opponent: bool = False
) -> list[str]:
    """What is said in a session in which these lines are typed."""
    typed: Iterator[str] = iter(lines)
    return heard(sessions(at_table(seating, seat, by_opponent=by_opponent), typed, seed))
