"""Generated reference sections, as Markdown texts by name, from the registries.

The line ``<!-- generated: name -->`` in a page marks the place of a section; no file contains the section's text.
"""

import ast
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path

import click
from observed import observed
from own_games import declarations, game_keywords, state_members
from python_reference import python_reference
from the_loop import SECTIONS as LOOP

from gpkit.api.catalogue import KINDS
from gpkit.api.inquiries import explanations
from gpkit.cli.commands import all_commands, gpkit_command
from gpkit.core import registry
from gpkit.core.plugins import Entry
from gpkit.core.registry import GAMES, LANGUAGES, data_folder, find, game_of
from gpkit.evolution.config import LANGUAGES as PROGRAMS
from gpkit.evolution.config import shipped_presets
from gpkit.evolution.config_files import config_text, fit_text
from gpkit.export.registry import EXPORTERS
from gpkit.gamekit.game import language_of_alphabet
from gpkit.playing.evaluation import TRAINED, Row, options_text
from gpkit_experiments.held_out_tables import table_from_json
from gpkit_experiments.papers.page import page_of

ROOT = Path(__file__).resolve().parents[2]


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *([_cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def code(text: object) -> str:
    """A text as inline code, or an empty text if it is empty."""
    return f"`{text}`" if str(text) else ""


def words(text: str) -> str:
    """The words of a text, each as inline code."""
    return " ".join(map(code, text.split()))


def block(text: str, language: str = "") -> str:
    """A fenced block."""
    return f"```{language}\n{text.rstrip()}\n```\n"


def _cell(value: object) -> str:
    """A value on one line, with bars outside code escaped because they would end the table cell."""
    return re.sub(r"(`[^`]*`)|\|", lambda found: found[1] or "&#124;", " ".join(str(value).split()))


def _catalogue(kind: str, games: Sequence[Entry], columns: Mapping[str, Callable[[str], str]]) -> str:
    """The table of `gpkit list` for some games, or an empty text without rows; ``columns`` formats each column."""
    rows = KINDS[kind](games)
    return (
        table(list(columns), [[show(row[name]) for name, show in columns.items()] for row in rows])
        if rows
        else ""
    )


def _by_game(kind: str, columns: Mapping[str, Callable[[str], str]]) -> str:
    return "\n".join(
        f"## {entry.name}\n\n{text}" for entry in GAMES if (text := _catalogue(kind, [entry], columns))
    )


def commands() -> str:
    """Every command with its description, its usage and its options."""
    rows = [(f"[`gpkit {line.name}`](#gpkit-{line.name})", line.help) for line in all_commands()]
    parts = [table(["command", "what it does"], rows), _paragraphs(gpkit_command.help or "")]
    for line in all_commands():
        command = line.load()
        context = click.Context(command, info_name=f"gpkit {line.name}")
        options = [each for each in command.get_params(context) if isinstance(each, click.Option)]
        records = filter(None, (option.get_help_record(context) for option in options))
        parts += [
            f"## gpkit {line.name}",
            block(" ".join([context.command_path, *command.collect_usage_pieces(context)])),
            _paragraphs(command.help or ""),
            table(["option", "what it does"], [(code(option), meaning) for option, meaning in records]),
        ]
    return "\n\n".join(parts)


def _paragraphs(text: str) -> str:
    """A docstring with the lines of each paragraph joined."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def games() -> str:
    """Every game of the package, with its languages, rules, players and programs."""
    parts = []
    for entry in GAMES:
        sections = (
            (code(name), ", ".join(map(code, each.sections))) for name, each in entry.load().offers.items()
        )
        parts += [
            f"## {entry.name}",
            f"{entry.title}.",
            "Programs: " + "; ".join(map(" with ".join, sections)) + ".",
            "### Rules",
            "Set with `--rules name=value`.",
            _catalogue("rules", [entry], {"name": code, "default": code, "values": str, "meaning": str}),
            "### Players",
            _catalogue("opponents", [entry], {"name": code, "kind": str, "title": str}),
            "### Programs",
            _catalogue("programs", [entry], {"name": code, "title": str}),
        ]
    return "\n\n".join(parts)


def examples() -> str:
    """The single-file games that come with the package."""
    docstrings = (
        (path.name, ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")
        for path in sorted((data_folder("programs") / "games").glob("*.py"))
    )
    return table(["file", "what it is"], [(code(name), text.split("\n")[0]) for name, text in docstrings])


def languages() -> str:
    """The languages, and the commands that take their programs."""
    rows = KINDS["languages"](GAMES)
    abilities = [name for name in rows[0] if name not in ("name", "suffix", "title")]
    able = [(code(f"gpkit {name}"), *(row[name].replace("no", "–") for row in rows)) for name in abilities]
    return "\n".join(
        [
            _catalogue("languages", GAMES, {"name": code, "suffix": code, "title": str}),
            table(["command", *(code(row["name"]) for row in rows)], able),
        ]
    )


def facts() -> str:
    """The facts of a step: first the facts that all games share, and then each game's own facts."""
    rows = [(row["game"], (code(row["name"]), row["kind"], row["meaning"])) for row in KINDS["facts"](GAMES)]
    return "\n".join(
        f"## {game.replace('any', 'Every game')}\n\n"
        + table(["name", "kind", "meaning"], [row for _, row in found])
        for game, found in groupby(rows, key=itemgetter(0))
    )


def alphabets() -> str:
    """The alphabets of every game, with the operators, sensors and instructions in each."""
    lines = []
    for row in KINDS["alphabets"](GAMES):
        held = [kind for kind in ("operators", "sensors", "instructions") if row[kind]]
        lines += [
            f"- {code(row['name'])} of {row['game']}",
            *(f"    - {kind}: {words(row[kind])}" for kind in held),
        ]
    return "\n".join(lines)


def configuration() -> str:
    """For each game and language, a configuration with every key, as `gpkit new config` prints it."""
    firsts: dict[tuple[str, str], str] = {}
    for name, config in shipped_presets().items():
        firsts.setdefault((config.game, language_of_alphabet(game_of(config.game), config.alphabet)), name)
    texts = {config_text(entry.name, None): entry.name for entry in GAMES}
    for (game, language), name in firsts.items():
        texts.setdefault(config_text(None, name), f"{game}, {language}: `--preset {name}`")
    texts |= {fit_text(name): f"a table: `gpkit new fit --preset {name}`" for name in PROGRAMS}
    return "\n".join(f"## {name}\n\n{block(text, 'toml')}" for text, name in texts.items())


def findings() -> str:
    """Every finding code with its explanation."""
    return "\n".join(
        f"## {name}\n\n{_explanation(text)}\n"
        for name, text in sorted(explanations().items(), key=lambda item: item[0][1:])
    )


def _explanation(text: str) -> str:
    """The explanation of a finding, with its title in bold."""
    title, *parts = text.split("\n\n")
    return "\n\n".join([f"**{title}**" if parts else title, *parts])


def formats() -> str:
    """The export formats with their modes, and the languages that each mode supports."""
    parts = []
    for each in EXPORTERS:
        able = {entry.name: each.modes_of(entry.name) for entry in LANGUAGES}
        rows = [
            (code(mode), " ".join(code(name) for name, modes in able.items() if mode in modes), meaning)
            for mode, meaning in each.modes.items()
        ]
        parts += [f"## {each.name}", f"{each.title}.", table(["mode", "languages", "what it is"], rows)]
    return "\n\n".join(parts)


def held_out() -> str:
    """A comparison of the shipped programs on the held-out trials of their games."""
    content = json.loads((ROOT / "experiments" / "data" / "held-out.json").read_text(encoding="utf-8"))
    former = (
        replace(table_from_json(each), program=f"{each['program']} before") for each in content["former"]
    )
    found = [*map(table_from_json, content["tables"]), *former]
    parts = []
    for game, tables in groupby(sorted(found, key=attrgetter("game", "program")), key=attrgetter("game")):
        programs = list(tables)
        metrics = ", ".join(dict.fromkeys(row.metric for each in programs for row in each.rows))
        rows = [
            (code(row[0].trial.opponent), words(options_text(row[0].trial.options)), *map(_strength, row))
            for row in zip(*(each.rows for each in programs), strict=True)
        ]
        parts += [
            f"### {game}",
            f"In {metrics}.",
            table(["against", "rules", *(code(each.program) for each in programs)], rows),
        ]
    return "\n\n".join(parts)


def _strength(row: Row) -> str:
    """The result of a trial, with its interval if it was played."""
    marks = ("†" if row.part == TRAINED else "") + ("‡" if row.invalid else "")
    mean = f"{row.interval.mean:.4g}{marks}"
    return mean if row.is_exact else f"{mean} ({row.interval.low:.4g} to {row.interval.high:.4g})"


def observations() -> str:
    """Tables of the observations that custom sensors receive, by game."""
    parts = []
    for entry in GAMES:
        for number, (title, summary, rows) in enumerate(observed(entry)):
            shown = [(code(name), code(kind), meaning) for name, kind, meaning in rows]
            parts += [
                f"#### {title}" if number else f"### {entry.name}: {title}",
                f"{summary.removesuffix('.')}." if summary else "",
                table(["name", "type", "meaning"], shown) if rows else "",
            ]
    return "\n\n".join(filter(None, parts))


SECTIONS: Mapping[str, Callable[[], str]] = {
    "commands": commands,
    "games": games,
    "examples": examples,
    "languages": languages,
    "sensors": partial(_by_game, "sensors", {"name": code, "meaning": str, "range": str, "shared": str}),
    "facts": facts,
    "observations": observations,
    "operators": partial(_catalogue, "operators", GAMES, {"name": code, "written": code, "meaning": str}),
    "instructions": partial(
        _by_game, "instructions", {"name": code, "game": str, "level": str, "meaning": str}
    ),
    "switches": partial(
        _catalogue,
        "switches",
        [find(GAMES, "battleship", "game")],
        {"name": code, "values": words, "meaning": str},
    ),
    "alphabets": alphabets,
    "presets": partial(
        _catalogue, "presets", GAMES, {"name": code, "command": code, "game": str, "alphabet": str}
    ),
    "configuration": configuration,
    "findings": findings,
    "formats": formats,
    "papers": lambda: "\n\n".join(page_of(entry.name) for entry in registry.papers()),
    "held_out": held_out,
    "python": python_reference,
    "state_members": state_members,
    "game_keywords": game_keywords,
    "declarations": declarations,
    **LOOP,
}
"""The functions that write the sections, by the names that pages use."""
