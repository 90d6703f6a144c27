"""Commands of games as functions of Python: their options are its arguments, and what ``--json`` prints is its answer.

``import gpkit`` finds them here by their names, so that a game of another package has them, too.
"""

import inspect
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from typing import Any

import click

from gpkit.cli.commands import COMMANDS, commands_of_games
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import EXIT_INTERRUPTED, UsageError
from gpkit.core.tabular import Tabular

JSON = "json"

INSTEAD = {
    "bench": "it measures this machine and prints: run `gpkit bench`",
    "demo": "it shows the commands of the terminal: run `gpkit demo`",
    "draw": "gpkit.drawing and Program.draw draw",
    "export": "gpkit.exports and Program.export export",
    "lsp": "it talks with editors over its standard input: run `gpkit lsp`",
    "paper": "it prints what was measured: run `gpkit paper`",
    "serve": "it opens pages in a browser: run `gpkit serve`",
}
"""By command that is no function the reason, or the name that does the same."""


class Answer(Mapping[str, Any], Tabular):
    """Answer of a command of a game, by the names that ``--json`` prints; ``to_frame`` has a row for it."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Any:
        """The value of a name."""
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self._values)

    def __len__(self) -> int:
        """The number of names."""
        return len(self._values)

    def __repr__(self) -> str:
        """The values by name."""
        return f"Answer({self._values!r})"

    def to_json(self) -> dict[str, Any]:
        """The values by name."""
        return dict(self._values)


def function_named(name: str) -> Any:
    """The command of a game of that name as a function.

    Raises:
        AttributeError: there is none; the message says why, where it is a command.
    """
    for _, lines in commands_of_games():
        for line in lines:
            if line.name == name:
                function = getattr(import_module(line.module), name, None)
                return function if line.module.endswith(".commands") else _function(name, line.load())
    if name in INSTEAD:
        raise AttributeError(f"gpkit.{name} is a command, and no function of Python: {INSTEAD[name]}")
    raise AttributeError(f"module 'gpkit' has no attribute {name!r}")


def names_of_functions() -> tuple[str, ...]:
    """The names of all commands of games."""
    return tuple(line.name for _, lines in commands_of_games() for line in lines)


def names_of_commands() -> tuple[str, ...]:
    """The names of the commands for all games."""
    return tuple(line.name for line in COMMANDS)


def _function(name: str, command: click.Command) -> Callable[..., Answer]:
    """A command as a function."""
    known = {_word(each): each for each in command.params if JSON not in map(_bare, each.opts)}
    signature = inspect.Signature([_parameter(word, each) for word, each in known.items()])

    def function(*given: Any, **options: Any) -> Answer:
        for word in options:
            if word not in known:
                fix = suggestion(word, known, f"it has {', '.join(known)}")
                raise UsageError(f"{name} has no argument `{word}`; {fix}")
        try:
            bound = signature.bind(*given, **options)
        except TypeError as error:
            raise UsageError(f"{name}{signature}: {error}") from None
        words = [part for word, value in bound.arguments.items() for part in _given(word, known[word], value)]
        return _answer(name, command, words)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = inspect.cleandoc(command.help or "")
    function.__module__ = "gpkit"
    function.__signature__ = signature  # type: ignore[attr-defined]  # for help(), which looks there
    return function


def _answer(name: str, command: click.Command, words: Sequence[str]) -> Answer:
    """The answer of a command line.

    Raises:
        UsageError: an option has a wrong value.
        KeyboardInterrupt: somebody interrupted, and everything is saved.
    """
    printed, noted = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(printed), redirect_stderr(noted):
            code = command.main([*words, "--json"], f"gpkit {name}", standalone_mode=False, obj=tuple(words))
    except click.ClickException as mistake:
        raise UsageError(mistake.format_message()) from None
    if code == EXIT_INTERRUPTED:
        sys.stderr.write(noted.getvalue())
        raise KeyboardInterrupt
    text = printed.getvalue()
    return Answer(json.loads(text) if text.strip() else {})


def _bare(option: str) -> str:
    return option.lstrip("-").replace("-", "_")


def _word(parameter: click.Parameter) -> str:
    """The name of an argument: that of the option, or for what has none its own."""
    named = [_bare(each) for each in parameter.opts if each.startswith("--")]
    return named[0] if named else str(parameter.name)


def _parameter(word: str, parameter: click.Parameter) -> inspect.Parameter:
    is_option = isinstance(parameter, click.Option)
    kind = inspect.Parameter.KEYWORD_ONLY if is_option else inspect.Parameter.POSITIONAL_OR_KEYWORD
    default = inspect.Parameter.empty if parameter.required else None
    return inspect.Parameter(word, kind, default=default)


def _given(word: str, parameter: click.Parameter, value: Any) -> list[str]:
    """The part of a command line that gives an argument.

    Raises:
        UsageError: a switch is neither True nor False.
    """
    if value is None:
        return []
    if isinstance(parameter, click.Option) and parameter.is_flag:
        if not isinstance(value, bool):
            raise UsageError(f"{word}={value!r}: expected True or False")
        return [parameter.opts[0]] * value
    several = [value] if isinstance(value, str) or not isinstance(value, Sequence) else value
    texts = [str(each) for each in several]
    if not isinstance(parameter, click.Option):
        return texts
    return [part for text in texts for part in (parameter.opts[-1], text)]
