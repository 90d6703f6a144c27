"""Declarations of users' languages: a grammar and a meaning become a language that works like gpkit's languages."""

import hashlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from lark import Transformer
from lark.lexer import TerminalDef

from gpkit.core.codec import print_json
from gpkit.core.diagnostics import Diagnostic, Span
from gpkit.core.errors import GpkitError, GuestError, UsageError, one_line
from gpkit.core.files import read_text
from gpkit.core.header import print_header, read_header
from gpkit.core.plugins import (
    RECORDED,
    SESSION,
    blamed,
    digest_of,
    here,
    imported_file,
    is_named,
    keep_language,
    shown_path,
)
from gpkit.core.primitives import Offers, PrimitiveSet
from gpkit.core.registry import language_entry
from gpkit.core.rng import stream
from gpkit.evolution.parts import source_digest
from gpkit.genomes.derivation import PART, Derivation
from gpkit.langkit.findings import finding
from gpkit.langkit.grammars import HEADER, OF_PROBLEM, Grammar, read_grammar
from gpkit.langkit.language import Language
from gpkit.langkit.naming import Naming, Word
from gpkit.langkit.reading import Reading, Source, exceed, told_in, unexpected_token
from gpkit.langkit.recovery import Recovery
from gpkit.user_languages import forms
from gpkit.user_languages.meanings import Meaning, meaning_of

SMALL = 8
"""The maximum number of nodes by which a template's program may be larger than the smallest program."""

MOST_TRIES = 500
"""The maximum number of programs that simplification tries."""

MOST_NODES = 100_000
"""The maximum number of nodes in a program that gpkit reads."""


@dataclass(frozen=True, slots=True)
class OwnLanguage(Language):
    """A language that a user declared; it is pickled as its declaration, or as the file that contains the declaration.

    Attributes:
        given: the arguments of the declaration.
        file: the absolute path of the file with the declaration; empty in an interactive session.
    """

    given: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""

    @property
    def grammar(self) -> str:
        """The text of the language's grammar."""
        return str(self.given["grammar"])

    @property
    def sha256(self) -> str:
        """The SHA-256 of the language's file and grammar, or of its grammar and the source of its functions."""
        texts = {
            key: source_digest(each) if callable(each) or isinstance(each, Transformer) else str(each)
            for key, each in self.given.items()
        }
        if self.file:
            texts = {"file": digest_of(self.file), "grammar": self.grammar}
        return hashlib.sha256(print_json(texts, sort_keys=True).encode()).hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the declaration."""
        if self.file:
            return language_of_file, (self.file, shown_path(self.file), self.name)
        return _declared, (dict(self.given),)


def _declared(given: Mapping[str, Any]) -> Language:
    return language(**given)


def language_of_file(path: str, written: str, name: str) -> Language:
    """Import a file, and return the language with this name that the file declares.

    Raises:
        GuestError: the file cannot be imported.
        UsageError: the file declares no such language.
    """
    imported_file(path)
    here.written[path] = written
    found: Language = language_entry(name).load()
    return found


def language(
    name: str,
    grammar: str,
    *,
    meaning: Callable[..., Any] | Transformer[Any, Any] | type | None = None,
    into: str | None = None,
    templates: Mapping[str, str] | None = None,
    words: Mapping[str, str | Sequence[str]] | None = None,
    check: Callable[[Any], str | None] | None = None,
    cases: Sequence[Any] = (),
    start: str = "",
    title: str = "",
) -> Language:
    r"""Declare your own language: a Lark grammar, and the meaning of its rules. Programs in the language evolve like
    all other programs.

    >>> import gpkit
    >>> turtle = gpkit.language("turtle", '''
    ... program: step+
    ... step: "go" -> go | "turn" -> turn | "twice" step -> twice
    ... %ignore " "
    ... ''', meaning=lambda tree: [*tree.find_data("go")])
    >>> program = gpkit.parse("go twice  turn go", language="turtle")
    >>> program.print(), len(program())
    ('go twice turn go', 2)

    Args:
        name: the name of the language: lower-case letters, digits and ``_``.
        grammar: the grammar in Lark's notation, or the path of a ``.lark`` file. The start rule is ``program`` or
            ``start``. Comments in the grammar add information for evolution: ``// weight: 3`` after a named
            alternative, and ``// words: x y`` or ``// range: -5 5`` after a terminal.
        meaning: a function that takes Lark's tree and the arguments of ``program(...)``; or a Lark Transformer whose
            result is the program's value or a function that takes the arguments of ``program(...)``.
        into: instead of a meaning, the gpkit language into which programs are translated, such as ``arithmetic``. The
            programs then run as fast as programs in that language, and can be exported in the same ways.
        templates: for ``into``, the text of each alternative by its name, with ``{0}`` for its first part, such as
            ``{"add": "{0} + {1}"}``. The default is the alternative's own text.
        words: the words of terminals, if the grammar does not list them. A terminal ``SENSOR`` or ``ACTION`` gets the
            sensors or actions of a problem.
        check: a function that takes Lark's tree and returns a description of the program's error, or None. Evolution
            draws a new child if a child has an error.
        cases: arguments of ``program(...)``, each a mapping, for which a simplified program must return the same
            results.
        start: the name of the start rule, if it is not ``program`` or ``start``.
        title: a short description of the language.

    Raises:
        SourceError: the grammar is invalid; the message shows the line and suggests a fix.
        UsageError: the arguments contradict each other, or a template is not a program.
        GuestError: the name is not valid, or is already taken.
    """
    given = {key: value for key, value in locals().items() if value is not None and key != "start"}
    caller = sys._getframe(1)
    path = caller.f_code.co_filename
    file = path if is_named(path) else ""
    if "\n" not in grammar and grammar.endswith(".lark"):
        given["grammar"] = grammar = read_text(str(Path(Path(file).parent / grammar if file else grammar)))
    if start:
        given["grammar"] = grammar = f"{grammar}\n// start: {start}\n"
    if meaning is not None and (into or templates):
        raise UsageError("a language has either a meaning or a translation into another language, not both")
    listed = {
        each: tuple(said.split() if isinstance(said, str) else said) for each, said in (words or {}).items()
    }
    read = read_grammar(grammar, name, listed)
    own = Own(name, read, meaning_of(read, meaning, into, templates or {}), check, tuple(cases))
    found, title = (
        own.language(given, file),
        title or f"a language of {shown_path(file) if file else SESSION}",
    )
    keep_language(found, title, file or SESSION, __name__, caller.f_globals.get("__name__", ""))
    return found


def recorded(name: str, grammar: str) -> None:
    """Register a language from the grammar in a run folder; a declared language with the same name replaces it.

    Raises:
        SourceError: the grammar is invalid.
    """
    read = read_grammar(grammar, name)
    own = Own(name, read, meaning_of(read, None, None, {}), None, ())
    found = own.language({"name": name, "grammar": grammar}, "")
    keep_language(found, f"a language of {RECORDED}", RECORDED, __name__, "")


@dataclass(frozen=True, eq=False)
class Own:
    """The capabilities of a user's language, derived from its grammar and its meaning.

    Attributes:
        name: its name.
        grammar: its grammar.
        meaning: the functions that programs stand for, and the translations of programs.
        finding: a function that returns a description of the error in a tree, or None.
        cases: the arguments for which a simplified program must return the same results.
    """

    name: str
    grammar: Grammar
    meaning: Meaning
    finding: Callable[[Any], str | None] | None
    cases: tuple[Mapping[str, Any], ...]

    def language(self, given: Mapping[str, Any], file: str) -> "OwnLanguage":
        """The language as an object that gpkit registers."""
        into = self.meaning.into
        return OwnLanguage(
            name=self.name,
            suffix=self.suffix,
            parse=self.parse,
            print_program=self.print_program,
            format_source=self.format_source,
            check=self.check,
            compile=self.compile,
            template=self.template,
            parts=lambda source: {PART: self.grammar.print(source.program)},
            simplify=self.simplified if self.cases else None,
            recovery=Recovery(reading=self.reading, local=frozenset(), heading=re.compile("(?!)")),
            naming=Naming(lambda tokens: (), lambda primitives: self.words, {}),
            like=into,
            evolution=self.evolution,
            draw=lambda: forms.drawing(self),
            json=lambda: forms.membership(self),
            meaning=None if into else self.meaning.function,
            into=self.meaning.written if into else None,
            code=self.meaning.code if into else None,
            rows=self.meaning.rows if into else None,
            given=given,
            file=file,
        )

    @property
    def suffix(self) -> str:
        """The suffix of program files."""
        return f".{self.name}"

    @cached_property
    def reading(self) -> Reading:
        """The parser and its error messages."""
        friendly = {each.name: self._friendly(each) for each in self.grammar.lark.terminals}
        return Reading(
            name=self.name,
            guard=iter,
            too_long="E522",
            broken="E520",
            stray="E521",
            hints={},
            friendly=friendly,
            unexpected=unexpected_token("E520", "program", friendly, lambda terminal, accepted: ""),
            lark=self.grammar.lark,
        )

    def _friendly(self, terminal: TerminalDef) -> str:
        leaf = self.grammar.productions.leaves.get(terminal.name)
        if terminal.name in self.grammar.fixed:
            shown = self.grammar.fixed[terminal.name]
            return f"`{shown}`" if shown.isprintable() else terminal.name.strip("_").lower()
        if leaf is not None and len(leaf.words) in range(1, 4):
            return " or ".join(f"`{word}`" for word in leaf.words)
        return terminal.name.strip("_").lower().replace("_", " ")

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words of the grammar, for completion."""
        fixed = [each for each in self.grammar.fixed.values() if each.isalpha()]
        leaves = [word for leaf in self.grammar.productions.leaves.values() for word in leaf.words]
        return tuple(Word(each, "keyword", each, "") for each in dict.fromkeys([*fixed, *leaves]))

    def parse(self, text: str, filename: str = "<text>") -> Source[Derivation]:
        """The program that a text contains.

        Raises:
            SourceError: the text breaks the grammar.
            LimitError: the program is too large.
        """
        with told_in(text, filename):
            program = self.grammar.derivation(self.reading.read(text))
            if len(program) > MOST_NODES:
                raise exceed("E524", f"the program has more than {MOST_NODES:,} nodes", Span.at(text, 0, 0))
        return Source(program, read_header(text), text, filename)

    def print_program(self, program: Derivation, header: Mapping[str, str] | None = None) -> str:
        """The text of a program file."""
        return "\n".join([*print_header(header or {}), self.grammar.print(program), ""])

    def format_source(self, source: Source[Derivation]) -> str:
        """The text in canonical layout, with its comments; unchanged if the layout has no place for a comment."""
        head, comments, count = "", dict[int, list[str]](), 0
        ignored = self.grammar.lark.ignore_tokens
        for token in self.reading.tokens(source.text):
            if token.type == HEADER:
                head += f"{token.strip()}\n"
            elif token.type not in ignored:
                count += 1
            elif token.strip():
                comments.setdefault(count, []).append(token.strip())
        if comments and (not self.grammar.breaks or count in comments):
            return source.text
        body = self.grammar.print(source.program, comments)
        return f"{head}{body}" if body.endswith("\n") else f"{head}{body}\n"

    def check(self, source: Source[Derivation], offers: Offers | None) -> tuple[Diagnostic, ...]:
        """The findings in a program: the result of the language's ``check`` function, or errors in the translation."""
        whole = Span.at(source.text, 0, len(source.text))
        if said := self.said(source.program):
            return (finding("E523", said, whole),)
        if self.meaning.into:
            try:
                program = self.meaning.written(source.program)
            except GpkitError as error:
                return (finding("E525", one_line(error), whole),)
            known = language_entry(self.meaning.into).load()
            found = known.check(known.parse(known.print_program(program, source.header)), offers)
            return tuple(replace(each, span=whole) for each in found if each.severity == "error")
        return ()

    def said(self, program: Derivation) -> str:
        """The error that the language's ``check`` function finds in a program; empty if there is none.

        Raises:
            GuestError: the function raises an error.
        """
        if self.finding is None:
            return ""
        try:
            return self.finding(self.meaning.tree(program)) or ""
        except Exception as error:
            raise blamed(error) or GuestError(f"check of {self.name}: {one_line(error)}") from error

    def compile(
        self, program: Derivation, header: Mapping[str, str], primitives: PrimitiveSet
    ) -> tuple[Any, ...]:
        """The machine programs compiled from the translation of a program.

        Raises:
            UsageError: the language is not translated into another one.
        """
        if not self.meaning.into:
            raise UsageError(f"programs in {self.name} cannot be compiled: declare the language with into=")
        known = language_entry(self.meaning.into).load()
        return tuple(known.compile(self.meaning.written(program), header, primitives))

    def template(self, primitives: PrimitiveSet | None) -> str:
        """A small program."""
        rules = self.filled(primitives).productions
        room = int(rules.least[rules.start]) + SMALL
        nodes = rules.drawn(stream(0, "template"), rules.start, room, is_full=True)
        return self.print_program(rules.derivation(nodes), {"game": primitives.game} if primitives else None)

    def filled(self, primitives: PrimitiveSet | None) -> Grammar:
        """The grammar with the sensors and actions of a game or problem as words.

        Raises:
            SourceError: a terminal has no words.
        """
        given = () if primitives is None else (primitives.sensor_names, primitives.actions)
        return self.grammar.filled(dict(zip(OF_PROBLEM, given, strict=False)))

    def evolution(self) -> Any:
        """The form ``evolution``."""
        from gpkit.user_languages.evolution import (
            DEFAULTS,
            DerivationEvolution,
            DerivationRepresentation,
            operators_of,
        )

        space = DerivationRepresentation(
            self.grammar,
            DEFAULTS,
            operators_of(self.name),
            self.suffix,
            self.print_program,
            lambda text: self.parse(text).program,
            None if self.finding is None else self.said,
            self.simplified if self.cases else lambda genome: genome,
        )
        return DerivationEvolution(space, self.filled)

    def simplified(self, program: Derivation, *_: object) -> Derivation:
        """A program with the same results in all cases, made by replacing parts with smaller ones of the same rules."""
        rules, wanted = self.grammar.productions, self._results(program)
        tries, place = MOST_TRIES, 0
        while place < len(program) and tries:
            symbol, part = rules.symbol(program.symbols[place]), program.part(place)
            inner = [
                program.part(k)
                for k in range(place + 1, place + len(part))
                if rules.symbol(program.symbols[k]) == symbol
            ]
            shortest = rules.drawn(stream(0, "simplify"), symbol, 1, is_full=False)
            for nodes in sorted([*inner, tuple(shortest)], key=len):
                child, tries = rules.replaced(program, place, tuple(nodes)).genome, tries - 1
                if len(nodes) < len(part) and self._results(child) == wanted:
                    program, place = child, -1
                    break
                if not tries:
                    break
            place += 1
        return program

    def _results(self, program: Derivation) -> list[object]:
        """The result of a program in each case, or the name of the error that the program raises."""
        found: list[object] = []
        for case in self.cases:
            try:
                found.append(repr(self.meaning.function(program)(**case)))
            except Exception as error:  # of other people's code, and the same for the same program
                found.append(type(error).__name__)
        return found
