"""Players of a game, which are made from names and program files, and their short names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_entry, language_entry, language_of, shipped_programs
from gpkit.gamekit.game import Builtin, Game
from gpkit.gamekit.players import Player, strategy_player
from gpkit.langkit.language import Language, check_source
from gpkit.playing.decisions import valuing

WORLDS = 100
"""The default number of worlds that a search player, such as ``pimc``, samples."""

MAX_WORLDS = 500_000
"""The maximum number of worlds; the counters for their random numbers allow slightly more."""

LONGEST_NAME = 24


@dataclass(frozen=True, slots=True)
class Seating:
    """A game with its rules and players, in order; a single opponent fills all other seats."""

    game: Game
    options: dict[str, str]
    rules: Any
    players: tuple[Player, ...]


def check_seat(seat: int, seats: int) -> int:
    """Check that a seat exists, and return it.

    Raises:
        UsageError: there is no such seat.
    """
    if seat >= seats:
        raise UsageError(f"--seat {seat}: there are {seats} seats, 0 to {seats - 1}")
    return seat


def check_seating(game: Game, rules: object, seat: int) -> None:
    """Check that programs and people can take this seat.

    Raises:
        UsageError: programs and people can take only other seats.
    """
    if seat >= (seats := game.seatings(rules)):
        others = "seat 0 plays" if seats == 1 else f"seats 0 to {seats - 1} play"
        raise UsageError(f"--seat {seat}: in {game.name} only {others}")


def player_of_program(
    program: Any, game: Game, name: str, header: Mapping[str, str] = MappingProxyType({})
) -> Player:
    """A player for a program without a file, in the dialect that the program's header sets.

    Raises:
        KeyError: the program lacks a section of the game, or uses a name that the game does not have.
    """
    language = language_entry(program.language).load()
    compiled = language.compile(program, header, game.offers[program.language])
    return Player(name, compiled, header.get("placement", ""), program, dict(header))


def player_of_text(text: str, game: Game, *, filename: str, language: str | None = None) -> Player:
    """The player for the text of a program.

    Raises:
        SourceError: the text does not parse, or has an error for this game; only the first error is raised.
    """
    known = language_of(filename, language).load()
    return player_of_source(known.parse(text, filename), game, language=known)


def player_of_source(source: Any, game: Game, *, language: Language) -> Player:
    """The player for a parsed program; its header can set how the player places hidden pieces.

    Raises:
        SourceError: the program has an error for this game; only the first error is raised.
        UsageError: the game has no such placement.
    """
    if language.name not in game.offers:
        raise UsageError(
            f"{game.name} does not take programs in {language.name}, only in {' or '.join(game.offers)}"
        )
    check_source(language, source, game.offers)
    placement = source.header.get("placement", "") if game.placements else ""
    if placement and placement not in game.placements:
        raise UsageError(
            f"{source.filename}: there is no placement `{placement}`; {suggestion(placement, game.placements)}"
        )
    compiled = language.compile(source.program, source.header, game.offers[language.name])
    return Player(source.filename, compiled, placement, source.program, source.header, source)


def player_of_name(spec: str, game: Game) -> Player:
    """The opponent with a name such as ``simple``, ``pimc:200`` (with a number) or ``hunt:corner`` (with a placement).

    A placement alone, such as ``uniform``, is an opponent that only places hidden pieces.

    Raises:
        UsageError: there is no such opponent, or the opponent does not accept this argument.
    """
    name, colon, argument = spec.partition(":")
    if name in game.placements and not colon:
        return Player(name, placement=name)
    found = game.opponents.get(name)
    builtin = found if isinstance(found, Builtin) and found.decides else None
    searches = builtin is not None and builtin.searches
    is_program = isinstance(found, str) or (builtin is not None and builtin.remembers)
    if searches or (is_program and (not colon or argument in game.placements)):
        source, language = opponent_source(name if builtin is None else builtin.policy, game)
        player = player_of_source(source, game, language=language)
        if builtin is None:
            return replace(player, name=spec, placement=argument)
        if searches:
            worlds = _number(spec, argument, MAX_WORLDS, "worlds", f"{name}:200") if colon else WORLDS
            return Player(f"{name}:{worlds}", strategy=name, worlds=worlds, policy=player, is_slow=True)
        place, slow = argument or player.placement, builtin.is_slow
        player = replace(player, placement=place)
        return Player(spec, (), place, strategy=name, policy=player, remembers=True, is_slow=slow)
    if builtin is not None and not builtin.policy and (not colon or builtin.number or builtin.places):
        return _strategy(spec, builtin, game)
    if game.placements and is_program:
        raise UsageError(
            f"`{spec}`: expected a placement after the colon; {suggestion(argument, game.placements)}"
        )
    if name in game.opponents:
        raise UsageError(f"`{spec}`: the opponent {name} takes no argument")
    known = dict.fromkeys((*game.opponents, *shipped_programs(game.name)))
    raise UsageError(
        f"there is no opponent `{spec}` in {game.name} (or give a program file); {suggestion(name, known)}"
    )


def _strategy(spec: str, strategy: Builtin, game: Game) -> Player:
    """The player for a strategy, given by its name and, after colons, its number and placement if it accepts them.

    Raises:
        UsageError: a part after a colon is neither a number nor a placement.
    """
    name, *arguments = spec.split(":")
    taken = strategy.number
    number = taken.default if taken else 0
    if taken and arguments and arguments[0] not in game.placements:
        example = taken.default or taken.most
        number = _number(spec, arguments.pop(0), taken.most, taken.unit, f"{name}:{example}")
    placement = arguments.pop(0) if arguments and strategy.places else ""
    if arguments:
        raise UsageError(f"`{spec}`: unexpected text after `{spec[: -len(arguments[0]) - 1]}`")
    if placement and placement not in game.placements:
        raise UsageError(
            f"`{spec}`: expected a placement after the colon; {suggestion(placement, game.placements)}"
        )
    shown = [name, *([str(number)] if number else []), *([placement] if placement else [])]
    return strategy_player(":".join(shown), number, placement, strategy.is_slow)


def _number(spec: str, digits: str, most: int, unit: str, example: str) -> int:
    """The number that follows the colon, such as the number of worlds.

    Raises:
        UsageError: the text is not a permitted number.
    """
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= len(str(most))
    if not (is_number and 0 < int(digits) <= most):
        raise UsageError(f"`{spec}`: expected 1 to {most} {unit} after the colon, such as {example}")
    return int(digits)


def opponent_source(name: str, game: Game) -> tuple[Any, Any]:
    """The parsed program of one of the game's opponents, and its language.

    The game declares the program as text, or includes it as a program file with this name.
    """
    if isinstance(text := game.opponents.get(name), str) and text:
        language = language_entry(next(iter(game.offers))).load()
        origin = game_entry(game.name).origin or game.name
        return language.parse(text, f"opponent {name} of {origin}"), language
    path = shipped_programs(game.name)[name]
    language = language_of(str(path)).load()
    return language.parse(path.read_text(encoding="utf-8"), str(path)), language


def program_of_name(spec: str, game: Game) -> Any:
    """The program of one of the game's opponents, or of another shipped file such as ``corrected``.

    Raises:
        UsageError: the game has no such program.
    """
    known = shipped_programs(game.name)
    if spec not in known:
        raise UsageError(f"{game.name} has no program `{spec}`; {suggestion(spec, sorted(known))}")
    return opponent_source(spec, game)[0].program


def shipped_players(game: Game) -> Iterator[Player]:
    """The programs that come with a game, as players."""
    return (shipped_player(name, game) for name in shipped_programs(game.name))


def shipped_player(name: str, game: Game) -> Player:
    """The shipped program with this name, as a player."""
    path = shipped_programs(game.name)[name]
    return _player_of_shipped_text(path.read_text(encoding="utf-8"), game, filename=path.name)


_player_of_shipped_text = lru_cache(maxsize=8)(player_of_text)
"""A cached ``player_of_text`` for programs that come with a game, because every hint needs a program."""


def names_at_table(players: Sequence[Player]) -> tuple[str, ...]:
    """Unique short names: file names without folder and suffix, numbered if they clash."""
    plain = [_short(player.name) for player in players]
    return tuple(
        f"{name} {plain[: k + 1].count(name)}" if plain.count(name) > 1 else name
        for k, name in enumerate(plain)
    )


def _short(name: str) -> str:
    stem = "program" if name == "-" else PurePath(name).stem
    shown = "".join(c if c.isprintable() else "?" for c in stem)
    return shown if len(shown) <= LONGEST_NAME else f"{shown[: LONGEST_NAME - 1]}…"


# Advisers: the default one, and its name.


def default_adviser(best: str, others: Sequence[Player], game: Game) -> Player | None:
    """The shipped player called ``best``; otherwise the first program that can explain its decisions, or a search.

    Args:
        best: the name of the best player.
        others: the other players, which take precedence over the programs that come with the game.
        game: the game.
    """
    if best in shipped_programs(game.name):
        return shipped_player(best, game)
    if best in game.builtins:
        return player_of_name(best, game)
    found = filter(None, (each.decider for each in chain(others, shipped_players(game))))
    searches = (player_of_name(name, game) for name, each in game.builtins.items() if each.number is not None)
    return next(filter(explains, found), None) or next(searches, None)


def default_name(best: str, others: Sequence[Player], game: Game) -> str:
    """The name of the default adviser, found without reading the program ``best``; empty if there is none."""
    if best in shipped_programs(game.name):
        return best
    found = default_adviser(best, others, game)
    if found is None:
        return ""
    return found.name.partition(":")[0] if found.strategy else name_of_adviser(found)


def explains(player: Player) -> bool:
    """Whether a player is a program that scores actions and draws no random numbers."""
    deciding = player.decider
    if deciding is not player or deciding is None or not valuing(deciding.program.language):
        return False
    return not any(tree.draws for tree in deciding.program.trees)


def name_of_adviser(player: Player) -> str:
    """The name of an adviser; for a file, its name without folder or suffix."""
    return PurePath(player.name).stem
