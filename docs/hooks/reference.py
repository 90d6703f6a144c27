"""Reference sections of the pages, written from the registries: Markdown texts by name.

A page has the line ``<!-- generated: NAME -->`` where the section stands; nothing of it is in a file.
"""

import ast
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from observed import observed
from own_games import declarations, game_keywords, state_members
from python_reference import python_reference

from gpkit.api.catalogue import KINDS
from gpkit.api.inquiries import explanations
from gpkit.cli.commands import all_commands, gpkit_command
from gpkit.core import registry
from gpkit.core.plugins import Entry
from gpkit.core.registry import GAMES, LANGUAGES, data_folder, find, game_of
from gpkit.evolution.new_text import config_text, fit_text
from gpkit.evolution.presets import shipped_presets
from gpkit.evolution.tables import LANGUAGES as PROGRAMS
from gpkit.export.registry import EXPORTERS
from gpkit.gamekit.game import language_of_alphabet
from gpkit.playing.evaluation import TRAINED, HeldOutTable, Row, options_text
from gpkit_experiments.held_out_tables import table_from_json
from gpkit_experiments.papers.page import page_of

ROOT = Path(__file__).resolve().parents[2]
SUNK = find(GAMES, "battleship", "game")
"""The game that sinking programs play."""


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *([_cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def code(text: object) -> str:
    """A text as code; empty if it is."""
    return f"`{text}`" if str(text) else ""


def words(text: str) -> str:
    """Words with blanks between them, each as code."""
    return " ".join(map(code, text.split()))


def block(text: str, language: str = "") -> str:
    """A fenced block."""
    return f"```{language}\n{text.rstrip()}\n```\n"


def _cell(value: object) -> str:
    """A value in one line; bars in code are no ends of cells."""
    return re.sub(r"(`[^`]*`)|\|", lambda found: found[1] or "&#124;", " ".join(str(value).split()))


def _catalogue(kind: str, entry: Entry, columns: Mapping[str, Callable[[str], str]]) -> str:
    """A table of `gpkit list` for a game, of these columns as they are to be shown; empty if there is nothing."""
    rows = KINDS[kind]((entry,))
    return (
        table(list(columns), [[show(row[name]) for name, show in columns.items()] for row in rows])
        if rows
        else ""
    )


def _by_game(kind: str, columns: Mapping[str, Callable[[str], str]]) -> str:
    found = [(entry.name, _catalogue(kind, entry, columns)) for entry in GAMES]
    return "\n".join(f"## {name}\n\n{text}" for name, text in found if text)


def commands() -> str:
    """Every command: what it does, how it is called, its options."""
    parts = [
        table(["command", "what it does"], [(_link(line.name), line.help) for line in all_commands()]),
        _paragraphs(gpkit_command.help or ""),
    ]
    for line in all_commands():
        command = line.load()
        context = click.Context(command, info_name=f"gpkit {line.name}")
        usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
        options = [each for each in command.get_params(context) if isinstance(each, click.Option)]
        records = filter(None, (option.get_help_record(context) for option in options))
        parts += [
            f"## gpkit {line.name}",
            block(usage),
            _paragraphs(command.help or ""),
            table(["option", "what it does"], [(code(option), meaning) for option, meaning in records]),
        ]
    return "\n\n".join(parts)


def _link(command: str) -> str:
    return f"[`gpkit {command}`](#gpkit-{command})"


def _paragraphs(text: str) -> str:
    """A text of a docstring, its lines joined to paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def games() -> str:
    """Every game of the package: its languages, rules, players and programs; and the examples of games in a file."""
    parts = []
    for entry in GAMES:
        game = entry.load()
        sections = {language: ", ".join(map(code, each.sections)) for language, each in game.offers.items()}
        programs = KINDS["programs"]((entry,))
        parts += [
            f"## {entry.name}",
            f"{entry.title}.",
            "Programs: " + "; ".join(f"{code(name)} with {parts}" for name, parts in sections.items()) + ".",
            "### Rules",
            "Set with `--rules name=value`.",
            _catalogue("rules", entry, {"name": code, "default": code, "values": str, "meaning": str}),
            "### Players",
            _catalogue("opponents", entry, {"name": code, "kind": str, "title": str}),
            "### Programs",
            table(["name", "what it is"], [(code(row["name"]), row["title"]) for row in programs]),
        ]
    return "\n\n".join(parts)


def examples() -> str:
    """The games in a file that come with the package."""
    files = sorted((data_folder("programs") / "games").glob("*.py"))
    return table(["file", "what it is"], [(code(path.name), _docstring(path)) for path in files])


def _docstring(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n")[0]


def languages() -> str:
    """The languages, and which commands take their programs."""
    rows = KINDS["languages"](GAMES)
    names = [(code(row["name"]), code(row["suffix"]), row["title"]) for row in rows]
    abilities = [name for name in rows[0] if name not in ("name", "suffix", "title")]
    able = [(code(f"gpkit {name}"), *(row[name].replace("no", "–") for row in rows)) for name in abilities]
    listed = table(["language", "files", "what it is"], names)
    return f"{listed}\n{table(['command', *(code(row['name']) for row in rows)], able)}"


def sensors() -> str:
    """The sensors of every game."""
    return _by_game("sensors", {"name": code, "meaning": str, "range": str, "shared": str})


def facts() -> str:
    """The facts of a step, by game."""
    return _by_game("facts", {"name": code, "kind": str, "meaning": str})


def operators() -> str:
    """The operators of formulas."""
    return _catalogue("operators", GAMES[0], {"name": code, "written": code, "meaning": str})


def instructions() -> str:
    """By game the instructions of programs, those of the language of sinking programs among them."""
    return _by_game("instructions", {"name": code, "game": str, "level": str, "meaning": str})


def switches() -> str:
    """Switches of instructions: questions that sources leave open, with the values to choose from."""
    return _catalogue(
        "switches", find(GAMES, "battleship", "game"), {"name": code, "values": words, "meaning": str}
    )


def alphabets() -> str:
    """The alphabets of every game, with what evolution can choose from in each."""
    lines = []
    for entry in GAMES:
        for row in KINDS["alphabets"]((entry,)):
            lines.append(f"- {code(row['name'])} of {entry.name}")
            held = [(kind, row[kind]) for kind in ("operators", "sensors", "instructions") if row[kind]]
            lines += [f"    - {kind}: {words(names)}" for kind, names in held]
    return "\n".join(lines)


def presets() -> str:
    """The ready configurations."""
    rows = [
        (code(row["name"]), code(row["command"]), row["game"], row["alphabet"])
        for row in KINDS["presets"](GAMES)
    ]
    return table(["preset", "for", "game", "alphabet"], rows)


def configuration() -> str:
    """A configuration with every key for each game and language, as `gpkit new config` prints it."""
    texts = [(entry.name, config_text(entry.name, None)) for entry in GAMES]
    shown = [text for _, text in texts]
    languages: set[tuple[str, str]] = set()
    for name, config in shipped_presets().items():
        spoken = config.game, language_of_alphabet(game_of(config.game), config.alphabet)
        text = config_text(None, name)
        if spoken not in languages and text not in shown:
            texts.append((f"{config.game}, {spoken[1]}: `--preset {name}`", text))
        languages.add(spoken)
    texts += [(f"a table: `gpkit new fit --preset {name}`", fit_text(name)) for name in PROGRAMS]
    return "\n".join(f"## {name}\n\n{block(text, 'toml')}" for name, text in texts)


def findings() -> str:
    """Every code of a finding with its explanation."""
    texts = sorted(explanations().items(), key=lambda item: item[0][1:])
    return "\n".join(f"## {name}\n\n{_explanation(text)}\n" for name, text in texts)


def _explanation(text: str) -> str:
    """The explanation with its title in bold."""
    title, *parts = text.split("\n\n")
    return "\n\n".join([f"**{title}**" if parts else title, *parts])


def formats() -> str:
    """The formats of exports with their modes, and the languages that are exported in each."""
    parts = []
    for each in EXPORTERS:
        able = {entry.name: each.modes_of(entry.name) for entry in LANGUAGES}
        rows = [
            (code(mode), " ".join(code(name) for name, modes in able.items() if mode in modes), meaning)
            for mode, meaning in each.modes.items()
        ]
        parts += [f"## {each.name}", f"{each.title}.", table(["mode", "languages", "what it is"], rows)]
    return "\n\n".join(parts)


def papers() -> str:
    """The papers: what each says, what was measured here, and the verdict; the pages of ``gpkit paper``."""
    return "\n\n".join(page_of(entry.name) for entry in registry.papers())


def held_out() -> str:
    """The shipped programs side by side on the trials of their games."""
    content = json.loads((ROOT / "experiments" / "data" / "held-out.json").read_text(encoding="utf-8"))
    former = (replace(each, program=f"{each.program} before") for each in _tables(content["former"]))
    found = sorted([*_tables(content["tables"]), *former], key=lambda each: (each.game, each.program))
    parts = []
    for game, tables in groupby(found, key=lambda each: each.game):
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


def _tables(recorded: Sequence[Any]) -> list[HeldOutTable]:
    return [table_from_json(each) for each in recorded]


def _strength(row: Row) -> str:
    """The result of a trial, with its interval if it was played."""
    marks = ("†" if row.part == TRAINED else "") + ("‡" if row.invalid else "")
    mean = f"{row.interval.mean:.4g}{marks}"
    return mean if row.is_exact else f"{mean} ({row.interval.low:.4g} to {row.interval.high:.4g})"


def observations() -> str:
    """Tables of what sensors of one's own are given, by game."""
    parts = []
    for entry in GAMES:
        for number, (title, summary, rows) in enumerate(observed(entry)):
            parts.append(f"#### {title}" if number else f"### {entry.name}: {title}")
            parts += [f"{summary.removesuffix('.')}."] if summary else []
            shown = [(code(name), code(kind), meaning) for name, kind, meaning in rows]
            parts += [table(["name", "type", "meaning"], shown)] if rows else []
    return "\n\n".join(parts)


SECTIONS: Mapping[str, Callable[[], str]] = {
    "commands": commands,
    "games": games,
    "examples": examples,
    "languages": languages,
    "sensors": sensors,
    "facts": facts,
    "observations": observations,
    "operators": operators,
    "instructions": instructions,
    "switches": switches,
    "alphabets": alphabets,
    "presets": presets,
    "configuration": configuration,
    "findings": findings,
    "formats": formats,
    "papers": papers,
    "held_out": held_out,
    "python": python_reference,
    "state_members": state_members,
    "game_keywords": game_keywords,
    "declarations": declarations,
}
"""Functions that write the sections, by the names that pages have for them."""
