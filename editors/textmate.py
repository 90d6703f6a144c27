"""TextMate grammars and the extension for VS Code, from the terminals of the languages.

`python editors/textmate.py editors/vscode` writes them; a test says when that is due. A TextMate grammar is a list of
regular expressions (Oniguruma's) with the scopes by which themes colour; it knows no context, so a word of a language
is coloured as such wherever it stands alone.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpkit.core.registry import LANGUAGES
from gpkit.core.wording import VERSION
from gpkit.editing.reading_aids import Colour, colours, comment_mark
from gpkit.langkit.language import Language

CLIENT = "11.0.0"
"""Version of the package vscode-languageclient that the extension asks for."""


def grammar(language: Language) -> dict[str, Any]:
    """The TextMate grammar of a language."""
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": f"gpkit {language.name}",
        "scopeName": f"source.gpkit.{language.name}",
        "patterns": [_pattern(each, f".gpkit.{language.name}") for each in colours(language)],
    }


def _pattern(colour: Colour, suffix: str) -> dict[str, Any]:
    """A colour in the words of TextMate; the names of scopes end in the language."""
    captures = {str(number): {"name": scope + suffix} for number, scope in colour.groups.items()}
    named = {"match": colour.pattern, "name": colour.scope + suffix}
    return {**named, "captures": captures} if captures else named


def configuration(language: Language) -> dict[str, Any]:
    """The comments and brackets of a language, by which editors close and toggle them."""
    return {
        "comments": {"lineComment": comment_mark(language)},
        "brackets": [["(", ")"], ["{", "}"], ["[", "]"]],
    }


def manifest(languages: Mapping[str, Language]) -> dict[str, Any]:
    """The description of the extension."""
    return {
        "name": "gpkit",
        "displayName": "gpkit",
        "description": "Game-playing programs that people can read: colours, findings, completion, renaming, folding",
        "version": VERSION,
        "publisher": "gpkit",
        "license": "MIT",
        "engines": {"vscode": "^1.91.0"},
        "main": "./extension.js",
        "dependencies": {"vscode-languageclient": CLIENT},
        "contributes": {
            "languages": [
                {
                    "id": f"gpkit-{name}",
                    "aliases": [f"gpkit {name}"],
                    "extensions": [language.suffix],
                    "configuration": f"./languages/{name}.json",
                }
                for name, language in languages.items()
            ],
            "grammars": [
                {
                    "language": f"gpkit-{name}",
                    "scopeName": f"source.gpkit.{name}",
                    "path": f"./syntaxes/{name}.tmLanguage.json",
                }
                for name in languages
            ],
            "configuration": {
                "title": "gpkit",
                "properties": {
                    "gpkit.command": {
                        "type": "array",
                        "items": {"type": "string"},
                        "default": ["gpkit", "lsp"],
                        "scope": "machine",
                        "description": "The command that starts the language server.",
                    }
                },
            },
        },
    }


def files() -> dict[str, str]:
    """The generated files of the extension, by path."""
    languages = {entry.name: entry.load() for entry in LANGUAGES}
    written = {
        "package.json": manifest(languages),
        **{f"syntaxes/{name}.tmLanguage.json": grammar(each) for name, each in languages.items()},
        **{f"languages/{name}.json": configuration(each) for name, each in languages.items()},
    }
    return {path: json.dumps(value, indent=2, ensure_ascii=False) + "\n" for path, value in written.items()}


def write(folder: Path) -> None:
    """Write the generated files of the extension below a folder."""
    for name, text in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
