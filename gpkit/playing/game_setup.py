"""A game set up: what a person chooses before it, its rules, and who sits where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpkit.core.codec import Count
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.header import NO_DIALECT
from gpkit.core.registry import shipped_programs
from gpkit.gamekit.game import Game
from gpkit.gamekit.options import Option
from gpkit.playing.conversation import Conversation
from gpkit.playing.named import Named, game_for, read_one, seat
from gpkit.playing.players import Seating
from gpkit.playing.session import advised_by, new_conversation


def seat_all(
    first: str | None,
    opponents: Sequence[str],
    *,
    game: str | None,
    options: Mapping[str, str] = NO_DIALECT,
    language: str | None = None,
    dialect: Mapping[str, str] = NO_DIALECT,
) -> Seating:
    """Read whom a person named, and seat them.

    Args:
        first: the player that is followed; None for a person, who takes one seat.
        opponents: one for all other seats, or one for each in order; none stands for the game's first opponent.
        game: its name, if it is not to be found out from the programs.
        options: the rules that are set, as texts; without ``players``, several opponents say how many play.
        language: of files whose suffix does not say it.
        dialect: of ``--dialect``, for the player that is followed; for the opponents of a person.

    Raises:
        UsageError: something that was named does not exist or does not fit.
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
    """Seat players that were read, as ``seat_all`` does; without a first one, a person takes a seat.

    Raises:
        UsageError: they do not go together.
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
    """The same by rules under which two players meet who both decide, unless other rules are named."""
    if not seating.game.duel or not seating.players[1].decides:
        return seating
    options = {**seating.game.duel, **seating.options}
    return replace(seating, options=options, rules=seating.game.make_rules(options))


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
    seat: Count
    seed: Count
    deal: Count


def opponents_of(game: Game) -> tuple[str, ...]:
    """The names of all who can sit in the other seats."""
    known = (*game.opponents, *shipped_programs(game.name))
    return tuple(dict.fromkeys(known))


def default_rules(game: Game, rules: Any) -> list[tuple[Option, str]]:
    """The options of a game with their texts under these rules."""
    texts = rules.to_options()
    return [(option, texts.get(option.name, next(iter(option.choices), ""))) for option in game.all_options]


def conversation_of(setup: GameSetup, named: Sequence[str]) -> Conversation:
    """The conversation that was wished for.

    Args:
        setup: of the person.
        named: the opponents as they are read: names, and paths of program files.

    Raises:
        UsageError: something that was named does not exist or does not fit.
        SourceError: a program does not parse, or has an error for this game.
    """
    seating = seat_all(None, named, game=setup.game, options=setup.rules)
    return new_conversation(seating.game, seating.options, seating.players, setup.seat)


def adviser_named(
    conversation: Conversation, name: str, dialect: Mapping[str, str] = NO_DIALECT
) -> Conversation:
    """The conversation in which the player of a name, as it is read, gives hints.

    Args:
        conversation: any one.
        name: of a player or of a program file.
        dialect: lines of the header that stand instead of those of the file.

    Raises:
        UsageError: there is none, or it chooses nothing.
        SourceError: its program does not parse, or has an error for this game.
    """
    game = conversation.game
    return advised_by(conversation, seat(read_one(name, None, dialect, game.name), game))
