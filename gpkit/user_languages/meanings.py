"""The meanings of programs: a function that takes Lark's tree, a Transformer, or a program in another language."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

from lark import Token, Transformer
from lark import Tree as LarkTree

from gpkit.analysis.values import BuiltSource, function_of
from gpkit.core.arrays import Floats
from gpkit.core.diagnostics import SourceError, shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import RANDOM, PrimitiveSet, Sensor
from gpkit.core.registry import language_entry
from gpkit.genomes.derivation import Derivation, Node
from gpkit.genomes.tree import LONE_SECTION, Symbol, Tree, TreeProgram
from gpkit.langkit.grammars import Grammar
from gpkit.langkit.splicing import Numbered, Spliced, Template, Templates, program_of, values_of
from gpkit.playing.named import Named
from gpkit.vm.program import Program

HOLE = "part_of_template_{}"
"""The name that stands for a part in the formula of a template."""

Make = Callable[[list[Any]], Any]
"""A function that computes the value of a node from the values of its parts."""


@dataclass(frozen=True, eq=False)
class Meaning:
    """The meaning of the programs in a language.

    Attributes:
        grammar: the grammar of the programs.
        given: a function that takes Lark's tree, or a Transformer; None if there is neither.
        into: the language into which programs are translated; empty if they are not translated.
        templates: the text of each alternative in that language, by the name of the alternative.
    """

    grammar: Grammar
    given: Any
    into: str
    templates: Mapping[str, str]

    def tree(self, program: Derivation) -> Any:
        """Lark's tree of a program."""
        if (shapes := self._shapes) is None:
            return self.grammar.folded(program, self._trees, lambda token: token)
        found, opened, single, sizes = list[Any](), list[Any](), False, program.sizes
        inside, end = found, len(sizes) + 1
        for place, node in enumerate((*program.symbols, None)):
            while place == end:
                below, was_single = inside, single
                inside, end, single = opened.pop()
                if was_single and len(below) == 1:
                    inside[-1] = below[0]
            if not isinstance(node, int):
                inside.append(node)
            elif shape := shapes[node]:
                below = list[Any]()
                inside.append(LarkTree(shape[0], below))
                if sizes[place] > 1:
                    opened.append((inside, end, single))
                    inside, end, single = below, place + sizes[place], shape[1]
        return found[0]

    @cached_property
    def _shapes(self) -> Sequence[tuple[str, bool] | None] | None:
        """For each alternative, the name of its tree, and whether an only child replaces the tree; None if the children
        always take the place of the tree. If a fixed token stays or a word does not, there are no shapes."""
        found = list[tuple[str, bool] | None]()
        rules: list[Any] = self.grammar.lark.rules
        for rule, pieces in zip(rules, self.grammar.pieces, strict=True):
            name, single = str(rule.origin.name), rule.options.expand1 and not rule.alias
            inner = name.startswith("_")
            stays = [
                rule.options.keep_all_tokens or not (each.is_term and each.filter_out)
                for each in rule.expansion
            ]
            if stays != [each is None for each in pieces]:
                return None
            if inner and (single or name == self.grammar.productions.start):
                return None
            found.append(
                None if inner else (rule.alias or rule.options.template_source or rule.origin.name, single)
            )
        return found

    def function(self, program: Derivation) -> Callable[..., Any]:
        """The function that a program represents.

        Raises:
            UsageError: the language declares no meaning.
        """
        if self.into:
            known = language_entry(self.into).load()
            call = function_of(
                Named("program", BuiltSource(self.written(program), known, {}), known)
            ).resolved()
            return lambda **given: call(given)
        if self.given is None:
            raise UsageError(
                f"programs in {self.grammar.name} have no meaning: declare the language with meaning= or into="
            )
        if not isinstance(self.given, Transformer):
            return partial(self.given, self.tree(program))
        value = self.grammar.folded(program, self._transformed, self._token)
        return value if callable(value) else lambda: value

    def written(self, program: Derivation) -> Any:
        """The translation of a program into another language.

        Raises:
            SourceError: the text is not a program in that language.
        """
        if language_entry(self.into).genome == "tree":
            return _tree(self.grammar.folded(program, self._formulas, self._leaf))
        text = self.grammar.folded(program, self._texts, str)
        return language_entry(self.into).load().parse(text).program

    def code(self, program: Derivation) -> Program | None:
        """The machine program for the value of a program; None if gpkit has to compile its translation.

        The code computes the same values as the compiled translation, but consists of the templates' compiled code.
        """
        return program_of(self._joined, program, lambda: self.written(program).trees[0].reads)

    def rows(self, program: Derivation, given: Mapping[str, Any]) -> Floats | None:
        """The values of a program for arrays; None if gpkit has to compile the program or to convert values.

        Args:
            program: the program.
            given: the values by name; float64 (rows,) each.
        """
        return values_of(self._joined, program, given)

    def _joined(self, program: Derivation, reads: Sequence[str] | None) -> Spliced | None:
        if self.spliced is None:
            return None
        place = program.__dict__.get("place")
        if reads is None and place is not None:  # bred together with others
            found = self._numbered(place[0].table)
            return found and self.spliced.written(found, place[0].words[place[1] : place[2]])
        numbers = {node: node for node in program.symbols if node.__class__ is int}
        return self.spliced.joined(program.symbols, numbers, reads, self._symbol)

    @lru_cache(maxsize=16)  # noqa: B019 - a process has few languages
    def _numbered(self, table: Any) -> Numbered | None:
        """The codes of all nodes in a table."""
        nodes = table.objects.tolist()
        numbers = {node: node for node in nodes if node.__class__ is int}
        return self.spliced.numbered(nodes, numbers, None, self._symbol) if self.spliced else None

    def _symbol(self, leaf: Token) -> object:
        return self._symbols(leaf)[0]

    @lru_cache(maxsize=10_000)  # noqa: B019 - a process has few languages
    def _symbols(self, node: Node) -> tuple[object, ...]:
        """The sensors and constants of a template, or the only symbol of a token; None stands for another symbol."""
        if isinstance(node, int):
            symbols = [each[0] for each in self._formula(node) if not isinstance(each, int) and not each[1]]
        else:
            symbols = [symbol for symbol, _ in self._leaf(node)]
            symbols = symbols if len(symbols) == 1 else [RANDOM]
        return tuple(
            None if each == RANDOM or each.__class__ not in (str, float) else each for each in symbols
        )

    @cached_property
    def spliced(self) -> Templates | None:
        """The compiled templates of all alternatives; None without formulas."""
        if not self.into or language_entry(self.into).genome != "tree":
            return None
        known, found = language_entry(self.into).load(), list[Template]()
        for number, alternative in enumerate(self.grammar.productions.alternatives):
            formula, own = self._formula(number), dict.fromkeys(self._symbols(number))
            operators = [each[0] for each in formula if not isinstance(each, int) and each[1]]
            if not formula or None in own or any(each.__class__ is not str for each in operators):
                return None
            holes = [HOLE.format(place) for place in range(len(alternative.parts))]
            inputs = [*holes, *[each for each in own if isinstance(each, str)]]
            tree = _tree([(holes[each], 0) if isinstance(each, int) else each for each in formula])
            sensors = tuple(Sensor(each, "", -math.inf, math.inf, integer=False) for each in inputs)
            (code,) = known.compile(tree, {}, PrimitiveSet("", (LONE_SECTION,), sensors, ()))
            found.append(Template(len(holes), code))
        return Templates.of(found)

    @cached_property
    def _trees(self) -> Sequence[Make]:
        """For each alternative, the function that makes Lark's tree."""
        return self._lark(self.grammar.trees)

    @cached_property
    def _transformed(self) -> Sequence[Make]:
        """For each alternative, the function that calls the Transformer."""
        builder: Any = self.grammar.lark._parse_tree_builder
        return self._lark(builder.create_callback(self.given))

    def _lark(self, callbacks: Mapping[Any, Make]) -> Sequence[Make]:
        rules = zip(self.grammar.lark.rules, self.grammar.pieces, strict=True)
        return [partial(_called, callbacks[rule], pieces) for rule, pieces in rules]

    def _token(self, token: Token) -> Any:
        """The value of a token; a Transformer may have a function for the token's terminal."""
        function = getattr(self.given, token.type, None)
        return token if function is None else function(token)

    @cached_property
    def _texts(self) -> Sequence[Make]:
        """For each alternative, the function that fills in its template."""
        templates = map(self._template, range(len(self.grammar.pieces)))
        return [lambda below, text=text: text.format(*below) for text in templates]  # type: ignore[misc]

    def name_of(self, number: int) -> str:
        """The name of an alternative, or the name of its rule if the alternative has no name."""
        return str(
            self.grammar.lark.rules[number].alias or self.grammar.productions.alternatives[number].rule
        )

    def check(self) -> None:
        """Check that every template is a formula.

        Raises:
            UsageError: a template is not a formula.
        """
        for number in range(len(self.grammar.pieces)):
            try:
                self._formula(number)
            except SourceError as error:
                text, name = self._template(number), self.name_of(number)
                raise UsageError(
                    f"the template `{text}` of `{name}` is not a program in {self.into}: {error.diagnostic.message}"
                ) from None

    def _template(self, number: int) -> str:
        """The template of an alternative; by default, the alternative's own text."""
        if (name := self.name_of(number)) in self.templates:
            return self.templates[name]
        pieces, places = self.grammar.pieces[number], iter(range(len(self.grammar.pieces[number])))
        shown = [
            f"{{{next(places)}}}" if piece is None else piece.replace("{", "{{").replace("}", "}}")
            for piece in pieces
        ]
        return self.grammar.blank.join(shown)

    @cached_property
    def _formulas(self) -> Sequence[Make]:
        """For each alternative, the function that puts the formulas of its parts into the formula of its template."""
        return [partial(_in_place, self._formula(number)) for number in range(len(self.grammar.pieces))]

    def _formula(self, number: int) -> Sequence["int | Arity"]:
        """The formula of an alternative's template in prefix order, with numbers for its parts."""
        text, parts = self._template(number), self.grammar.productions.alternatives[number].parts
        names = {HOLE.format(place): place for place in range(len(parts))}
        if not text.strip() and not parts:
            return ()
        filled = text.format(*names)
        return [names.get(str(symbol), (symbol, arity)) for symbol, arity in _prefix(self.into, filled)]

    def _leaf(self, token: Token) -> Sequence["Arity"]:
        """The formula of a token."""
        return _prefix(self.into, str(token))


Arity = tuple[Symbol, int]
"""A symbol of a formula, and the number of its operands."""


@lru_cache(maxsize=10_000)
def _prefix(language: str, text: str) -> tuple[Arity, ...]:
    """The symbols of a formula in prefix order.

    Raises:
        SourceError: the text is not a formula.
    """
    (tree,) = language_entry(language).load().parse(text, f"the formula `{text}`").program.trees
    return tuple((symbol, len([*tree.children(k)])) for k, symbol in enumerate(tree.symbols))


def meaning_of(grammar: Grammar, given: Any, into: str | None, templates: Mapping[str, str]) -> Meaning:
    """The meaning of programs, from the arguments of a declaration.

    Raises:
        UsageError: ``given`` is not a meaning, or a template belongs to no alternative or uses parts that its
            alternative lacks.
        SourceError: a template is not a formula.
    """
    if isinstance(given, type) and issubclass(given, Transformer):
        given = given()
    if given is not None and not callable(given) and not isinstance(given, Transformer):
        raise UsageError(
            f"meaning={shortened(repr(given))}: expected a function that takes Lark's tree, or a Transformer"
        )
    if templates and into is None:
        raise UsageError("templates need a language into which programs are translated: add into=")
    found = Meaning(grammar, given, into or "", templates)
    names = {found.name_of(number): number for number in range(len(grammar.pieces))}
    for name, template in templates.items():
        if name not in names:
            raise UsageError(f"the grammar has no alternative `{name}`; {suggestion(name, names)}")
        parts = grammar.productions.alternatives[names[name]].parts
        try:
            template.format(*parts)
        except (IndexError, KeyError, ValueError):
            raise UsageError(
                f"the template `{template}` of `{name}` uses a part that the alternative does not have; `{{0}}` is the "
                f"first of {len(parts)}"
            ) from None
    if into is not None and language_entry(into).genome == "tree":
        found.check()
    return found


def _tree(formula: Sequence[Arity]) -> TreeProgram:
    """The program of a formula in prefix order."""
    tree = Tree.from_prefix([symbol for symbol, _ in formula], [arity for _, arity in formula])
    return TreeProgram((LONE_SECTION,), (tree,))


def _called(callback: Make, pieces: Sequence[Token | None], below: list[Any]) -> Any:
    """The result of Lark's callback for all children; ``pieces`` contains the children that are always the same."""
    if len(below) == len(pieces):
        return callback(below)
    parts = iter(below)
    return callback([next(parts) if piece is None else piece for piece in pieces])


def _in_place(formula: Sequence[int | Arity], below: list[Sequence[Arity]]) -> list[Arity]:
    found = list[Arity]()
    for each in formula:
        if isinstance(each, int):
            found += below[each]
        else:
            found.append(each)
    return found
