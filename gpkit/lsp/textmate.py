"""TextMate grammars and the extension for VS Code, from the terminals of the languages.

`python -m gpkit.lsp.textmate editors/vscode` writes them; a test says when that is due. A TextMate grammar is a list of
regular expressions (Oniguruma's) with the scopes by which themes colour; it knows no context, so a word of a language
is coloured as such wherever it stands alone.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lark.lexer import TerminalDef

import gpkit
from gpkit.core.registry import LANGUAGES
from gpkit.languages.language import Language

HIDDEN = frozenset({"BLANK", "SPACE", "_NEWLINE"})
"""Terminals that show nothing."""

SCOPES: Mapping[str, str] = {
    "COMMENT": "comment.line",
    "NUMBER": "constant.numeric",
    "INT": "constant.numeric",
    "COUNT": "constant.numeric",
    "_ORDINAL": "constant.numeric",
    "STRING": "string.quoted.double",
    "NAME": "variable.other",
    "WORD": "support.function",
    "SECTION": "entity.name.section",
    "HEADING": "entity.name.section",
    "STATE": "keyword.other",
    "BOX": "entity.name.type",
    "ANYTHING": "constant.language",
    "PATTERN_NAME": "entity.name.class",
    "ANNOTATION": "storage.modifier",
    "ARROW": "keyword.operator.arrow",
    "LPAR": "punctuation.parenthesis",
    "RPAR": "punctuation.parenthesis",
    "COMMA": "punctuation.separator",
    "COLON": "punctuation.separator",
    "SEMICOLON": "punctuation.separator",
    "UNDERSCORE": "punctuation.separator",
    "LBRACE": "punctuation.bracket",
    "RBRACE": "punctuation.bracket",
    "LSQB": "punctuation.bracket",
    "RSQB": "punctuation.bracket",
    **dict.fromkeys(("YES", "NO", "ELSE", "FROM", "JOIN", "END", "MAX"), "keyword.control"),
}
"""Scopes of terminals in all languages; other words are ``keyword.control``, other signs ``keyword.operator``."""

OWN_SCOPES: Mapping[tuple[str, str], str] = {
    ("rulegraph", "NAME"): "entity.name.section",
    ("rulegraph", "WORD"): "variable.language",
}
"""Scopes of terminals that mean something else in one language."""

CALLED = "entity.name.function"
"""Scope of a name before a parenthesis, in languages with calls."""

CLIENT = "11.0.0"
"""Version of the package vscode-languageclient that the extension asks for."""


def scope_of(language: str, terminal: TerminalDef) -> str:
    """The scope of a terminal, without the name of the language at its end."""
    known = OWN_SCOPES.get((language, terminal.name)) or SCOPES.get(terminal.name)
    return known or ("keyword.control" if _is_word(terminal) else "keyword.operator")


def _is_word(terminal: TerminalDef) -> bool:
    """Whether a terminal is a word, or one of several."""
    return terminal.pattern.value.replace("|", "").replace("(?:", "").replace(")", "").isalpha()


def terminals(language: Language) -> list[TerminalDef]:
    """The terminals of a language in the order in which they are tried, words before names."""
    assert language.recovery is not None
    frontend: Any = language.recovery.reading.grammar().parser
    ordered = [each for each in frontend.lexer.lexer.root_lexer.terminals if each.name not in HIDDEN]
    return sorted(ordered, key=lambda each: not (each.name == "COMMENT" or _is_word(each)))


def comment_mark(language: Language) -> str:
    """The start of comments in a language."""
    comment = next(each for each in terminals(language) if each.name == "COMMENT")
    return "#" if comment.pattern.value.startswith("#") else "//"


def grammar(language: Language) -> dict[str, Any]:
    """The TextMate grammar of a language."""
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": f"gpkit {language.name}",
        "scopeName": f"source.gpkit.{language.name}",
        "patterns": list(_patterns(language)),
    }


def _patterns(language: Language) -> Iterator[dict[str, Any]]:
    suffix = f".gpkit.{language.name}"
    found = terminals(language)
    yield {
        "match": rf"^[ \t]*({comment_mark(language)})[ \t]*([A-Za-z_][A-Za-z_0-9-]*)[ \t]*:(.*)$",
        "name": f"comment.line{suffix}",
        "captures": {"2": {"name": f"keyword.other{suffix}"}, "3": {"name": f"string.unquoted{suffix}"}},
    }
    calls = any(each.name == "LPAR" for each in found)
    for terminal in found:
        written = terminal.pattern.to_regexp().replace("\\/", "/")
        if _is_word(terminal):
            written = rf"(?<![\w.]){written}(?![\w.])"
        if terminal.name == "NAME" and calls and language.name != "rulegraph":
            yield {"match": rf"{written}(?=[ \t]*\()", "name": CALLED + suffix}
        yield {"match": written, "name": scope_of(language.name, terminal) + suffix}


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
        "description": "Game-playing programs that people can read: colours, findings, completion",
        "version": gpkit.__version__,
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
    written = {"package.json": _json(manifest(languages))}
    for name, language in languages.items():
        written[f"syntaxes/{name}.tmLanguage.json"] = _json(grammar(language))
        written[f"languages/{name}.json"] = _json(configuration(language))
    return written


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def write(folder: Path) -> None:
    """Write the generated files of the extension below a folder."""
    for name, text in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
