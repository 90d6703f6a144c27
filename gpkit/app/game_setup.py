"""Choices that a person has before a game: opponents, rules, seats; and who sits down then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from gpkit.app.named import seat
from gpkit.app.seating import check_seat, read_one, seat_all
from gpkit.core.registry import shipped_programs
from gpkit.gamekit.game import Game
from gpkit.gamekit.options import Option
from gpkit.playing.conversation import Conversation
from gpkit.playing.sitting_down import advised_by, sit_down


@dataclass(frozen=True, slots=True)
class GameSetup:
    """Setup of a game that a person asks for.

    Attributes:
        game: its name.
        opponents: as they are named; none stands for the game's first opponent.
        rules: by option, as texts; those that are not named are as usual.
        seat: of the person.
        seed: of the deals.
        deal: number of the deal.
    """

    game: str
    opponents: tuple[str, ...]
    rules: Mapping[str, str]
    seat: int
    seed: int
    deal: int = 0


def opponents_of(game: Game) -> tuple[str, ...]:
    """The names of all who can sit in the other seats."""
    known = (*game.opponents, *game.builtins, *game.placements, *shipped_programs(game.name))
    return tuple(dict.fromkeys(known))


def default_rules(game: Game, rules: Any) -> list[tuple[Option, str]]:
    """The options of a game with their texts under these rules."""
    texts = rules.to_options()
    return [(option, texts.get(option.name, next(iter(option.choices), ""))) for option in game.options]


def conversation_of(setup: GameSetup, named: Sequence[str]) -> Conversation:
    """The conversation that was wished for.

    Args:
        setup: of the person.
        named: the opponents as they are read: names, and paths of program files.

    Raises:
        UsageError: something that was named does not exist or does not fit.
        SourceError: a program does not parse, or has an error for this game.
    """
    seating = seat_all(
        None,
        named,
        game=setup.game,
        language=None,
        players=None,
        rules=[f"{name}={value}" for name, value in setup.rules.items()],
    )
    check_seat(setup.seat, len(seating.players) + 1)
    return sit_down(seating.game, seating.options, seating.players, setup.seat)


def adviser_named(
    conversation: Conversation, name: str, dialect: Mapping[str, str] = MappingProxyType({})
) -> Conversation:
    """The conversation in which the player of a name, as it is read, gives hints.

    Args:
        conversation: any one.
        name: of a player or of a program file.
        dialect: lines of the header that stand in place of those of the file.

    Raises:
        UsageError: there is none, or it chooses nothing.
        SourceError: its program does not parse, or has an error for this game.
    """
    game = conversation.game
    return advised_by(conversation, seat(read_one(name, None, dialect, game.name), game))
