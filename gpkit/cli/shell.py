"""Shell commands, made from typed functions: from their signatures, docstrings and results.

A keyword-only parameter becomes an option of the same name. Any other parameter becomes an argument, unless its kind
names an option. Only the shell has ``--json``, ``--out`` and the options that come with a kind.
"""

import inspect
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import starmap
from operator import ne
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import click
from click.shell_completion import CompletionItem

from gpkit.api.arguments import fitting, wanted
from gpkit.api.kinds import Given, Kind, Within
from gpkit.api.progress import Shell, shown_by
from gpkit.cli import output
from gpkit.core import plugins, registry
from gpkit.core.errors import EXIT_INTERRUPTED, EXIT_OK, GpkitError, UsageError
from gpkit.core.files import write_atomic
from gpkit.core.layout import Exact, Lines, Note, Sheet

THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d*)?")
"""A pattern for a number with commas between groups of three digits."""

COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}
"""The colour of a finding, by its first word."""

OUT = Kind("FILE", completes="file", option="-o --out", help="Output file, which must not exist yet.")
JSON = Kind(option="--json", help="Print JSON with a `schema` key.")
PLAIN = Kind(
    option="--ascii",
    help="Use letters for suits and lines; this is automatic where the output's encoding lacks the symbols.",
)


class Declared(click.Command):
    """A command that is made from a typed function."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The options of the command, each with the first sentence of its help."""
        found = super().shell_complete(ctx, incomplete)
        for each in found:
            each.help = (each.help or "").partition(".")[0]
        return found


def command_of(
    name: str,
    function: Callable[..., Any],
    ways: Mapping[str, Kind] | None = None,
    show: Callable[[Any, Given], int] | None = None,
) -> Declared:
    """Make a command with this name from a typed function.

    Args:
        name: the name of the command.
        function: a function with type annotations and a docstring.
        ways: options that only the shell has, by the names under which ``show`` receives them; by default, ``--out`` if
            the function returns text, none if it returns an exit code or nothing, otherwise ``--json``.
        show: a function that shows the result and returns the exit code; it also receives the values of the parameters
            and of the shell's own options. By default, the shell prints text or writes it to a file, and prints the
            sentences and tables of any other result.
    """
    text, meanings = docstring_of(function)
    signature = inspect.signature(function)
    known = {each.name: each for each in signature.parameters.values() if kind_of(each).in_shell}
    beside = {key: value for each in known.values() for key, value in kind_of(each).beside.items()}
    names = {key: name_in_shell(each) for key, each in known.items()}
    ways = ways or {int: {}, None: {}, str: {"out": OUT}}.get(signature.return_annotation, {"as_json": JSON})
    made: list[click.Parameter] = []
    for each in known.values():
        made += [_parameter(each, meanings[each.name]), *starmap(_option, kind_of(each).beside.items())]
    made += [*starmap(_option, ways.items()), *_primitives(map(kind_of, known.values()))]

    def run(**given: Any) -> int:
        began, original = (
            time.perf_counter(),
            inspect.unwrap(function),
        )  # its values are checked here, as in Python
        for key, each in {**ways, **beside}.items():
            if each.read is not None and (key in ways or given[key] is not None):
                given[key] = each.read(given[key], given)
        for key in sorted(known, key=partial(ne, "game")):  # on which others depend
            given[key] = _value(known[key], given, partial(wanted, original))
        try:
            line, start = click.get_current_context().obj or ((), began)
            with shown_by(Shell(output.note, time.perf_counter, names, line, began - start)):
                answer = original(**{key: given[key] for key in known})
                if show is not None:
                    return show(answer, given)
                if answer is None or isinstance(answer, int):
                    return int(answer or EXIT_OK)
                if isinstance(answer, str):
                    return _write(answer, given.get("out"))
                more: dict[str, object] = {"seconds": time.perf_counter() - began} if answer.is_timed else {}
                more |= {key: given[key] for key in ("seed", "rules") if key in known and more}
                return tell_answer(name, answer, more, as_json=given["as_json"] or answer.form == "json")
        except KeyboardInterrupt as stop:
            if not str(stop):
                raise
            output.note(str(stop))
            return EXIT_INTERRUPTED

    arguments = [f"{names[key]}: {meanings[key]}" for key in known if not names[key].startswith("-")]
    return Declared(name, params=made, callback=run, help="\n\n".join([text, *arguments]))


def tell_answer(name: str, answer: Any, more: Mapping[str, object], *, as_json: bool) -> int:
    """Print a result, as JSON with the keys of ``more`` or as sentences and tables, and return its exit code."""
    if as_json:
        output.json_object(f"gpkit/{answer.schema or name}/1", **{**more, **answer.document()})
    else:
        for part in answer.told():
            match part:
                case Sheet():
                    output.table(*part)
                case GpkitError():
                    output.failure(part)
                case Exact():
                    output.verbatim(part)
                case Lines() if (word := part.partition("[")[0]) in COLOURS:
                    output.say(output.colour(word, COLOURS[word], sys.stdout) + part.removeprefix(word))
                case Lines():
                    output.say(part)
                case Note():
                    output.note(part)
                case _:
                    output.tell(part)
    return int(max([answer.exit_code, *(each.exit_code for each in answer.failures)]))


def _write(text: str, out: str | None) -> int:
    """Print text, or write it to a file."""
    if out is None:
        click.echo(text, nl=False)
        return EXIT_OK
    if Path(out).exists():
        raise UsageError(f"{out} exists already; name another file")
    write_atomic(out, text)
    output.note(f"wrote {out}")
    return EXIT_OK


def docstring_of(function: Callable[..., object]) -> tuple[str, dict[str, str]]:
    """The help of a command and of each parameter, up to the first sentence that begins with ``In Python``."""
    text, _, rest = (inspect.getdoc(function) or "").replace("``", "`").partition("\n\nArgs:\n")
    meanings = dict.fromkeys(inspect.signature(function).parameters, "")
    for names, meaning in re.findall(r"^    (\w[\w, ]*): ((?:.|\n(?=        |\n))*)", rest, re.M):
        told = " ".join(meaning.split()).partition(" In Python")[0]
        meanings |= dict.fromkeys(names.split(", "), told[:1].upper() + told[1:])
    return "\n\n".join(each for each in text.split("\n\n") if not each.startswith(">>>")), meanings


def parts_of(annotation: object) -> Iterator[Any]:
    """The type in an annotation, other than None, and then the values that ``Annotated`` adds to the type."""
    if get_origin(annotation) in (Union, UnionType):
        annotation = next(each for each in get_args(annotation) if each is not type(None))
    if get_origin(annotation) is Annotated:
        yield from parts_of(get_args(annotation)[0])
        yield from get_args(annotation)[1:]
    else:
        yield annotation


def kind_of(parameter: inspect.Parameter) -> Kind:
    """The outermost kind of a parameter; an empty kind if the parameter has none."""
    return [Kind(), *(each for each in parts_of(parameter.annotation) if isinstance(each, Kind))][-1]


def name_in_shell(parameter: inspect.Parameter) -> str:
    """The name of a parameter in the shell: the name of its option, or the metavar of its argument."""
    kind = kind_of(parameter)
    return (
        kind.option.rpartition(" ")[2] or f"--{parameter.name.replace('_', '-')}"
        if kind.option or parameter.kind is parameter.KEYWORD_ONLY
        else kind.metavar or parameter.name.upper()
    )


def _option(key: str, kind: Kind) -> click.Option:
    """An option that only the shell has."""
    return click.Option(
        [*kind.option.split(), key],
        metavar=kind.metavar or None,
        multiple=kind.many,
        is_flag=not kind.metavar or None,
        help=kind.help,
        shell_complete=partial(_completed, kind.completes, ()),
    )


def _primitives(kinds: Iterable[Kind]) -> Iterator[click.Option]:
    """The option that names files of Python functions, which gpkit imports before it reads programs."""

    def imported(_context: click.Context, _parameter: click.Parameter, files: Sequence[str]) -> None:
        for file in files:
            plugins.imported_file(file)

    if any(each.completes in ("program", "opponent") for each in kinds):
        yield click.Option(
            ["--primitives"],
            metavar="FILE.py",
            multiple=True,
            is_eager=True,
            expose_value=False,
            callback=imported,
            help="A file with Python functions (gpkit.primitive) that the programs call.",
            shell_complete=partial(_completed, "file", ()),
        )


def _completed(
    by: str, choices: Sequence[str], context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The completions of a value, from a completer of ``gpkit.cli.completion`` or from the given choices."""
    from gpkit.cli.completion import values

    return values(by, choices, context, incomplete)


def _parameter(parameter: inspect.Parameter, meaning: str) -> click.Parameter:
    """The option or the argument for a parameter."""
    of, *more = parts_of(parameter.annotation)
    kind, name, is_needed = kind_of(parameter), name_in_shell(parameter), parameter.default is parameter.empty
    choices = get_args(of) if get_origin(of) is Literal else ()
    completer = partial(_completed, kind.completes, choices)
    if not name.startswith("-"):
        shown = name if is_needed or kind.many else f"[{name}]"
        count, is_needed = (-1, False) if kind.many else (1, is_needed)
        return click.Argument(
            [parameter.name], nargs=count, required=is_needed, metavar=shown, shell_complete=completer
        )
    told = [str(each).removeprefix("of ") for each in more if isinstance(each, Within)]
    if isinstance(default := parameter.default, int | float | str) and default != "" and of is not bool:
        told.insert(0, f"default: {default if isinstance(default, str) else format(default, ',')}")
    told += [", ".join(each.name for each in getattr(registry, kind.known))] if kind.known else []
    listed, number = f"[{'|'.join(choices)}]" if choices else "", "N" if of in (int, float) else ""
    return click.Option(
        [*(kind.option.split() or [name]), parameter.name],
        is_flag=of is bool or None,
        multiple=kind.many,
        metavar=kind.metavar or listed or number or None,
        help=meaning + (f"  [{'; '.join(told)}]" if told else ""),
        shell_complete=completer,
    )


def _value(parameter: inspect.Parameter, given: Mapping[str, Any], of_name: Callable[[str], Any]) -> Any:
    """The value of a parameter, read from the command line.

    Raises:
        UsageError: the text does not fit the parameter's kind.
    """
    text, kind = given[parameter.name], kind_of(parameter)
    of, *_ = parts_of(parameter.annotation)
    is_told = text not in (None, ()) or parameter.default is parameter.empty
    if of is bool or not (is_told or any(map(given.get, kind.beside))):
        return text if of is bool else parameter.default
    value = text if kind.read is None else kind.read(text, given)
    if of in (int, float):
        plain = (text.replace(",", "") if THOUSANDS.fullmatch(text) else text).lower()
        with suppress(ValueError, OverflowError):
            number = float(plain) if of is float or "e" in plain else int(plain)
            value = int(number) if of is int and number == int(number) else number
    name = name_in_shell(parameter)
    label = partial(str, f"{name} {text}" if name.startswith("-") else f"`{text}`")
    return value if kind.many else fitting(value, of_name(parameter.name), label)
