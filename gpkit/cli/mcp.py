"""``gpkit mcp``: typed commands as tools for assistants, over the Model Context Protocol.

Clients send programs as text, and the server answers in JSON. The person who starts the server chooses the seed, the
limits and the games, so a client cannot look for a lucky seed and cannot make gpkit open a file.
"""

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_origin

from gpkit.api import inquiries
from gpkit.api.exports import exports
from gpkit.api.kinds import Count, Seconds, Seed, Within
from gpkit.api.matches import GAMES, compare, run, trace
from gpkit.cli.serve import BroughtGames
from gpkit.cli.shell import docstring_of, kind_of, parts_of
from gpkit.core.check_report import GAMES as CHECKED_GAMES
from gpkit.core.codec import plain
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.plugins import Entry
from gpkit.core.registry import LANGUAGES, all_games, data_folder, offering, shipped_programs
from gpkit.core.timeouts import TimeUp, limited
from gpkit.core.wording import VERSION, install_command

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from gpkit.api.programs import Program

COMMANDS: Mapping[str, tuple[Callable[..., Any], str, Mapping[str, object]]] = {
    "list": (inquiries.list, "kind game", {}),
    "sensors": (inquiries.list, "game", {"kind": "sensors"}),
    "new": (inquiries.new, "what game", {}),
    "check": (inquiries.check, "text game language strict", {}),
    "explain": (inquiries.explain, "code", {}),
    "run": (run, "programs opponents game rules games exact ladder language", {}),
    "compare": (compare, "first second opponents game rules games exact language", {}),
    "trace": (trace, "program opponents game rules seat deal until formula language", {}),
    "export": (exports, "programs to mode check grid game rules language", {"games": CHECKED_GAMES}),
}
"""For each tool: its command, the parameters that a client may set, and the values of other parameters."""

PLAYERS = ("program", "programs", "opponents", "first", "second")
"""The parameters whose values are programs."""

HELP = """Programs are texts in little languages; they read sensors of a game and nothing else.
Write a program as its text, or name a player or a shipped program of the game, such as random or champion.
Call sensors for the names that a program may read, and new for a program to start from. Then check your text, run it,
compare it with a better one, and look at a game with trace. Scores come with 95% intervals."""

NAME = re.compile(r"([a-z][\w-]*)(?::([\w+-]+))?")
"""The name of a player with its argument, such as ``champion`` or ``pimc:100``."""

MOST_SEARCH = 1_000
"""The largest argument of a player; it is limited because a call cannot interrupt a compiled search."""

TEXT = "The text of a program, or the name of a player or of a shipped program, such as random or champion."
"""The description of a parameter whose value is a program."""


def mcp(
    *, seed: Seed = 0, most_games: Count = GAMES, seconds: Seconds = 60.0, games: BroughtGames = ()
) -> None:
    """Serve tools for assistants: check, run, compare, trace and export programs that they write.

    A client starts this command and talks to it over standard input and output. It sends programs as text. The tools
    open no files, and every call uses the same seed, so nobody can look for a lucky one.

    Args:
        seed: the seed of all random numbers, the same in every call.
        most_games: the maximum number of games in a match, and the default number for a call.
        seconds: the maximum number of seconds for a call.
        games: your own game, or an OpenSpiel game such as openspiel:hex, in addition to gpkit's; may be repeated.

    Raises:
        UsageError: the package for the protocol is not installed.
    """
    try:
        tool_server(seed, most_games, seconds).run()
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "mcp":
            raise
        raise UsageError(f"`gpkit mcp` needs the package mcp: {install_command('mcp')}") from None


def tool_server(seed: int, most_games: int, seconds: float) -> "MCPServer[Any]":
    """A server with one tool for each command, and a guide for each language."""
    from mcp.server import MCPServer
    from mcp.server.mcpserver.resources import FunctionResource

    server = MCPServer("gpkit", instructions=HELP, version=VERSION, log_level="ERROR")
    for name, (command, given, values) in COMMANDS.items():
        tool = tool_of(
            name, command, given.split(), {"seed": seed, "games": most_games, **values}, most_games, seconds
        )
        server.add_tool(tool, name, description=docstring_of(command)[0], structured_output=False)
    for entry in LANGUAGES:
        server.add_resource(
            FunctionResource.from_function(
                partial(guide_of, entry), f"gpkit://guides/{entry.name}", entry.name, description=entry.title
            )
        )
    return server


def guide_of(language: Entry) -> str:
    """The grammar of a language, the grammars that it imports, and for each game a program that shows its names."""
    folder = data_folder("grammars")
    grammar = (folder / f"{language.name}.lark").read_text("utf-8")
    imported = (folder / f"{name}.lark" for name in re.findall(r"%import \.(\w+)", grammar))
    grammars = [grammar, *(each.read_text("utf-8") for each in imported)]
    starts = [inquiries.new(language.name, game=game) for game in offering(language.name)]
    return "\n\n".join([f"{language.title}; its files end in {language.suffix}", *grammars, *starts])


def tool_of(
    name: str,
    command: Callable[..., object],
    given: Sequence[str],
    settings: Mapping[str, object],
    most_games: int,
    seconds: float,
) -> Callable[..., str]:
    """A function for a command that takes JSON values.

    Args:
        name: the name of the tool.
        command: a command of ``gpkit.api``.
        given: the names of the parameters that a client may set.
        settings: values of other parameters, and the number of games if a client sets none.
        most_games: the maximum number of games.
        seconds: the maximum number of seconds for a call.
    """
    from mcp.server.mcpserver.exceptions import ToolError

    known = inspect.signature(inspect.unwrap(command)).parameters
    fixed = {key: value for key, value in settings.items() if key in known}

    def tool(**arguments: object) -> str:
        try:
            with limited(seconds):
                said = {key: value for key, value in arguments.items() if value is not None}
                return answer_of(name, command, {**fixed, **programs_of_call(said)})
        except TimeUp:
            raise ToolError(f"{name} took longer than {seconds:g} seconds: ask for fewer games") from None
        except GpkitError as error:
            raise ToolError(str(error)) from None

    meanings = docstring_of(command)[1]
    parameters = [
        inspect.Parameter(
            each.name,
            each.KEYWORD_ONLY,
            default=None if each.default is not each.empty else each.empty,
            annotation=json_type(each, TEXT if each.name in PLAYERS else meanings[each.name], most_games),
        )
        for each in map(known.__getitem__, given)
    ]
    tool.__signature__ = inspect.Signature(parameters, return_annotation=str)  # type: ignore[attr-defined]
    return tool


def json_type(parameter: inspect.Parameter, meaning: str, most_games: int) -> Any:
    """The type of a parameter in JSON, with its bounds and its meaning."""
    from pydantic import Field

    of, *more = parts_of(parameter.annotation)
    bounds = next((each for each in more if isinstance(each, Within)), Within(-(2**31), 2**31))
    kind = kind_of(parameter)
    typed: Any = of if of in (int, float, bool) or get_origin(of) is Literal else str
    if kind.many:
        typed = dict[str, str | int | float | bool] if parameter.name == "rules" else list[str]
    high = most_games if parameter.name == "games" else bounds.high
    low, high = (bounds.low, high) if typed in (int, float) else (None, None)
    is_optional = parameter.default is not parameter.empty
    return Annotated[typed | None if is_optional else typed, Field(description=meaning, ge=low, le=high)]


def programs_of_call(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a command: the text of a program becomes a program, and names of games and players are checked.

    Raises:
        UsageError: there is no such game.
        SourceError: a program does not parse, or it has an error for its game.
    """
    read, game, language = dict(given), given.get("game"), given.get("language")
    if game is not None and game not in (names := [each.name for each in all_games()]):
        raise UsageError(f"there is no game `{game}`; {suggestion(game, names)}")
    for name in (each for each in PLAYERS if each in given):
        value = given[name]
        if isinstance(value, str):
            read[name] = player_of_text(value, game, language, name)
        else:
            numbered = (f"{name.removesuffix('s')} {place + 1}" for place in range(len(value)))
            read[name] = [
                player_of_text(text, game, language, each) for text, each in zip(value, numbered, strict=True)
            ]
    return read


def player_of_text(text: str, game: str | None, language: str | None, name: str) -> "Program | str":
    """A program from its text, or the name of a player or of a shipped program.

    Raises:
        SourceError: the text does not parse, or it has an error for its game.
        UsageError: the language is unknown.
    """
    from gpkit.api.programs import parse
    from gpkit.langkit.checking import text_and_language

    if found := NAME.fullmatch(text):
        player, argument = found.groups()
        games = [each for each in all_games() if game in (None, each.name)]
        if any(player in {*shipped_programs(each.name), *each.load().opponents} for each in games):
            if argument and argument.isdigit() and int(argument) > MOST_SEARCH:
                raise UsageError(f"`{text}` searches for too long: expected at most {player}:{MOST_SEARCH}")
            return text
    if language is None:
        language = text_and_language(name, None, game, text)[1].name
    return parse(text, language=language, game=game, name=name)


def answer_of(name: str, command: Callable[..., Any], arguments: Mapping[str, Any]) -> str:
    """The result of a command as JSON."""
    answer = command(**arguments)
    if isinstance(answer, str):
        return answer
    more = {"text": answer.text} if name == "export" else {}
    document = {"schema": f"gpkit/{answer.schema or name}/1", **answer.document(), **more}
    if name == "list":
        document["items"] = [{key: row[key] for key in row if key != "path"} for row in answer]
    return json.dumps(plain(document))
