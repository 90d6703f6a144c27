"""From names and program files to agents that a game can seat."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gpkit.core.diagnostics import SourceError, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.registry import LANGUAGES, data_folder, find, language_of, shipped_programs
from gpkit.games.game import Agent, Game

WORLDS = 100
"""Worlds that a player samples that searches, such as ``pimc``, when no number is given."""

MAX_WORLDS = 500_000
"""The most worlds that can be asked for; the counters of their random numbers reach a little further."""


def agent_of_program(
    program: Any, game: Game, name: str, header: Mapping[str, str] = MappingProxyType({})
) -> Agent:
    """The agent that plays a program, in the dialect of its header.

    Raises:
        KeyError: the program lacks a section of the game, or uses a name that the game does not have.
    """
    language = find(LANGUAGES, program.language, "language").load()
    compiled = language.compile(program, header, game.offers[program.language])
    return Agent(name, compiled, placement=header.get("placement", ""))


def agent_of_text(text: str, game: Game, *, filename: str, language: str | None = None) -> Agent:
    """The agent of a program's text.

    Raises:
        SourceError: the text does not parse, or has an error for this game; the first one.
    """
    known = language_of(filename, language).load()
    return agent_of_source(known.parse(text, filename), game, language=known)


def agent_of_source(source: Any, game: Game, *, language: Any) -> Agent:
    """The agent of what a language's ``parse`` returned; its header can say how it lays out what is hidden.

    Raises:
        SourceError: the program has an error for this game; the first one.
        UsageError: the game has no such placement.
    """
    for finding in language.check(source, game.offers):
        if finding.severity == "error":
            raise SourceError(finding, source.text, source.filename)
    placement = source.header.get("placement", "") if game.placements else ""
    if placement and placement not in game.placements:
        raise UsageError(
            f"{source.filename}: there is no placement `{placement}`; {suggestion(placement, game.placements)}"
        )
    compiled = language.compile(source.program, source.header, game.offers[language.name])
    return Agent(source.filename, compiled, placement=placement)


def agent_of_name(spec: str, game: Game) -> Agent:
    """The game's own opponent of a name: ``simple``, with an argument ``pimc:200``, with a placement ``hunt:corner``.

    A placement alone, such as ``uniform``, is an opponent that does nothing else.

    Raises:
        UsageError: there is no such opponent, or its argument is not what it takes.
    """
    name, colon, argument = spec.partition(":")
    if name in game.placements and not colon:
        return Agent(name, placement=name)
    if name in game.opponents and (not colon or argument in game.placements):
        path = opponent_file(name, game)
        found = agent_of_text(path.read_text(encoding="utf-8"), game, filename=str(path))
        return Agent(spec, found.programs, placement=argument)
    if name in game.builtins and (game.builtins[name].policy or not colon):
        if not game.builtins[name].policy:
            return Agent(name, builtin=name)
        if colon and not _is_worlds(argument):
            raise UsageError(
                f"`{spec}`: expected 1 to {MAX_WORLDS} worlds after the colon, such as {name}:200"
            )
        worlds = int(argument) if colon else WORLDS
        policy = agent_of_name(game.builtins[name].policy, game)
        return Agent(f"{name}:{worlds}", policy.programs, builtin=name, argument=worlds)
    if name in game.opponents and game.placements:
        raise UsageError(
            f"`{spec}`: after the colon comes a placement; {suggestion(argument, game.placements)}"
        )
    if name in (*game.opponents, *game.builtins, *game.placements):
        raise UsageError(f"`{spec}`: the opponent {name} takes no argument")
    known = dict.fromkeys((*game.opponents, *game.builtins, *game.placements, *shipped_programs(game.name)))
    raise UsageError(
        f"there is no opponent `{spec}` in {game.name} (a program file would do, too); {suggestion(name, known)}"
    )


def _is_worlds(argument: str) -> bool:
    """Whether a text is a number of worlds that can be asked for."""
    digits = argument.isascii() and argument.isdecimal() and len(argument) <= len(str(MAX_WORLDS))
    return digits and 0 < int(argument) <= MAX_WORLDS


def program_of_name(spec: str, game: Game) -> Any:
    """The program of one of the game's opponents, or of a program file beside them such as ``corrected``.

    Raises:
        UsageError: the game has no such program.
    """
    known = shipped_programs(game.name)
    if spec not in known:
        raise UsageError(f"{game.name} has no program `{spec}`; {suggestion(spec, sorted(known))}")
    path = known[spec]
    return language_of(str(path)).load().parse(path.read_text(encoding="utf-8"), str(path)).program


def opponent_file(name: str, game: Game) -> Path:
    """The program file of one of the game's opponents, among its opponents or beside them."""
    folder = data_folder("programs") / game.name
    return next(path for place in (folder / "opponents", folder) for path in sorted(place.glob(f"{name}.*")))
