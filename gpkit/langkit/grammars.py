"""Supports users' own grammars: parsers, alternatives, the texts of derivations, and errors in grammars.

The Lark grammar is the complete definition. Comments at the ends of lines add information for evolution:
``// weight: 3`` after a named alternative, and ``// words: red green`` or ``// range: -5 5`` after a terminal.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import islice, product
from re import _parser as sre_parse
from types import MappingProxyType, SimpleNamespace
from typing import Any, cast

from lark import Lark, Token
from lark.exceptions import LarkError, UnexpectedInput
from lark.lexer import PatternStr, TerminalDef
from lark.parsers.lalr_analysis import LALR_Analyzer

from gpkit.core.diagnostics import Diagnostic, SourceError, Span, suggestion
from gpkit.core.errors import one_line
from gpkit.core.rng import stream
from gpkit.genomes.derivation import Alternative, Derivation, Leaf, Node, Productions, token_of
from gpkit.langkit.reading import lexed

LONGEST = 50_000
"""The maximum number of characters in a grammar."""

MOST_WORDS = 300
"""The maximum number of words that gpkit derives from the pattern of a terminal."""

WIDTH = 88
"""The maximum width of a line in columns; if the grammar ignores line ends, wider text is broken into several lines."""

TRIALS, TRIAL_SIZE = 30, 40
"""The number and the size of the random derivations that gpkit prints and reads back to test a grammar."""

HEADER = "GPKIT_HEADER"
"""The ignored terminal for the lines ``// key: value`` at the start of a program."""

END = "GPKIT_END"
"""The ignored terminal for line ends at the end of a file."""

_HEADER = (
    rf"{HEADER}.1000: /\A([ \t]*\/\/[^\n]*(\n|\Z))+/"
    + f"\n%ignore {HEADER}\n{END}.-1000: /\\n+\\Z/\n%ignore {END}\n"
)
_NOTE = re.compile(r"^(.*?)//[ \t]*(weight|words|range):[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_NAMED = re.compile(
    r"^[ \t]*(?:%import\b.*?)?(?:->[ \t]*)?\b(_*[A-Z][A-Z_0-9]*)\b[ \t]*(?:\.-?\d+)?[ \t]*(?::|$)"
)
_DEFINED = re.compile(r"^[ \t]*[?!]*(_*[a-z][a-z_0-9]*)\b[^:\n\"/]*:", re.MULTILINE)
_IMPORT = re.compile(r"^\s*%import(?![ \t]+(?:common|unicode|python|lark)\b)", re.MULTILINE)
_START = re.compile(r"^// start: (\w+)$", re.MULTILINE)
_AT_LINE = re.compile(r"line (\d+)(?:,? col(?:umn)? (\d+))?")
_QUOTED = re.compile(r"'(?:_*[A-Za-z]\w*)'|\b_*[A-Za-z]\w*\b")
OF_PROBLEM = ("SENSOR", "ACTION")
"""The terminals whose words are a problem's sensors and actions, unless the grammar lists other words for them."""

INDENT = "  "

NO_COMMENTS: Mapping[int, Sequence[str]] = MappingProxyType({})
"""An empty mapping: no comments between tokens."""

_SAMPLES = ("\n", " ", ";", ",", "\t", "\r\n")


def grammar_error(
    code: str, message: str, text: str, place: int | None, name: str, fix: str = ""
) -> SourceError:
    """The error that rejects a grammar; it shows the line at the given position in the grammar's text."""
    start = place if place is not None else 0
    end = text.find("\n", start)
    found = Diagnostic(code, "error", message, Span.at(text, start, len(text) if end < 0 else end), (), fix)
    return SourceError(found, text, f"the grammar of {name}")


@dataclass(frozen=True, eq=False)
class Grammar:
    """A grammar in a form that is ready for parsing and evolution.

    Attributes:
        text: the text of the grammar.
        lark: the parser; its results are derivations.
        trees: for each rule of the parser, the function that builds Lark's tree for it.
        productions: the alternatives.
        pieces: for each alternative, its fixed tokens, with None in place of each node.
        fixed: the text of each terminal that has only one possible text.
        free: the position in ``text`` of each terminal without words.
    """

    name: str
    text: str
    lark: Lark
    trees: Mapping[Any, Callable[[list[Any]], Any]]
    productions: Productions
    pieces: tuple[tuple[Token | None, ...], ...]
    fixed: Mapping[str, str]
    free: Mapping[str, int]

    def filled(self, words: Mapping[str, Sequence[str]]) -> "Grammar":
        """The grammar with words for the terminals that have none yet.

        Raises:
            SourceError: a terminal has no words, or does not match one of its words.
        """
        terminals = {each.name: each for each in self.lark.terminals}
        leaves = dict(self.productions.leaves)
        for name, place in self.free.items():
            known = terminals.get(name)
            leaf = known and _leaf(known, {}, words.get(name, ()), self.text, self.name)
            if not leaf:
                message = f"the words of `{name}` are unknown, so evolution cannot draw them"
                fix = f"write `// words: x y` or `// range: -5 5` after `{name}`"
                raise grammar_error("E513", message, self.text, place, self.name, fix)
            leaves[name] = leaf
        rules = replace(self.productions, leaves=leaves)
        return replace(self, productions=rules, free={}) if self.free else self

    @cached_property
    def blanks(self) -> str:
        """The white-space characters that the grammar ignores: any of space, line end and tab, in this order."""
        names = frozenset(self.lark.ignore_tokens) - {HEADER, END}
        ignored = [re.compile(each.pattern.to_regexp()) for each in self.lark.terminals if each.name in names]
        return "".join(each for each in " \n\t" if any(pattern.fullmatch(each) for pattern in ignored))

    @property
    def blank(self) -> str:
        """The white space between two tokens; empty if the grammar ignores none."""
        return self.blanks[:1]

    @property
    def breaks(self) -> bool:
        """True if the grammar ignores line ends."""
        return "\n" in self.blanks

    @cached_property
    def certain(self) -> bool:
        """True if there are no conflicts, and a few random derivations are the same after printing and parsing."""
        conf: Any = self.lark.parser
        try:
            LALR_Analyzer(conf.parser.parser_conf, strict=True).compute_lalr()  # type: ignore[no-untyped-call]
        except LarkError:
            return False
        rules = self.productions
        for number in range(TRIALS if not self.free else 0):
            room = 1 + number * TRIAL_SIZE // TRIALS
            nodes = rules.drawn(stream(number, "grammar"), rules.start, room, is_full=number % 2 == 0)
            again = self.parsed(self.text_of(nodes))
            if again is None or again.symbols != tuple(nodes):
                return False
        return True

    def parsed(self, text: str) -> Derivation | None:
        """The derivation of a text; None if the text does not parse."""
        try:
            return self.derivation(self.lark.parse(text))
        except UnexpectedInput:
            return None

    def derivation(self, found: Any) -> Derivation:
        """The derivation that a parse result stands for."""
        nodes: list[Node] = []
        waiting = [found]
        while waiting:
            each = waiting.pop()
            if isinstance(each, Token):
                nodes.append(token_of(each.type, str(each)))
            else:
                nodes.append(each[0])
                waiting.extend(reversed(each[1]))
        return self.productions.derivation(nodes)

    def tokens(self, nodes: Sequence[Node]) -> Iterator[Token]:
        """Yield the tokens of a derivation."""
        open_: list[Iterator[Token | None]] = []
        for node in nodes:
            if isinstance(node, Token):
                yield node
            else:
                open_.append(iter(self.pieces[node]))
            while open_:
                for piece in open_[-1]:
                    if piece is None:
                        break
                    yield piece
                else:
                    open_.pop()
                    continue
                break

    def text_of(self, nodes: Sequence[Node]) -> str:
        """The text of a derivation or of part of one, on a single line unless the grammar needs line ends."""
        return joined(self, list(self.tokens(nodes)))

    def print(self, genome: Derivation, comments: Mapping[int, Sequence[str]] = NO_COMMENTS) -> str:
        """The text of a derivation in canonical layout; long parts are broken up if the grammar ignores line ends.

        Args:
            genome: the derivation.
            comments: for each token number, the comments before that token, each on its own line.
        """
        flat = self.text_of(genome.symbols)
        if not self.breaks or (len(flat) <= WIDTH and not comments):
            return flat
        names = [each.rule for each in self.productions.alternatives]
        make = [partial(_group, self.pieces[k], name.startswith("_")) for k, name in enumerate(names)]
        lines, line, level_of = list[str](), list[Token](), 0
        waiting: list[tuple[Any, int, bool]] = [(self.folded(genome, make, lambda token: token), 0, True)]
        count = 0
        while waiting:
            item, level, starts = waiting.pop()
            if isinstance(item, Token):
                if line and (starts or count in comments):
                    lines.append(INDENT * level_of + joined(self, line))
                    line = []
                level_of = level_of if line else level
                lines += [INDENT * level + comment for comment in comments.get(count, ())]
                line.append(item)
                count += 1
            elif item.width + len(INDENT) * level <= WIDTH and not comments:
                waiting += [(each, level, starts and k == 0) for k, each in enumerate(item.items)][::-1]
            else:
                inner = level + isinstance(item.items[0], Token)
                own = [not isinstance(each, Token) and each.first[0] not in "([{" for each in item.items]
                if sum(own) == own[-1] and len(own) > 1:  # such as `not` or `repeat 3` before the only part
                    inner, own = level, [False] * len(own)
                broken = [
                    (each, inner if own[k] else level, bool(own[k] or own[k - 1]) if k else starts)
                    for k, each in enumerate(item.items)
                ]
                waiting += broken[::-1]
        return "\n".join([*lines, INDENT * level_of + joined(self, line)])

    def folded(
        self, genome: Derivation, make: Sequence[Callable[[list[Any]], Any]], token: Callable[[Token], Any]
    ) -> Any:
        """The value of a derivation, computed from the values of its parts without recursion.

        Args:
            genome: the derivation.
            make: for each alternative, the function that takes the values of its nodes and returns its own value.
            token: returns the value of a token.
        """
        values: list[Any] = []
        alternatives = self.productions.alternatives
        for node in reversed(genome.symbols):
            if isinstance(node, Token):
                values.append(token(node))
                continue
            count = len(alternatives[node].parts)
            below = values[-count:][::-1] if count else []
            if count:
                del values[-count:]
            values.append(make[node](below))
        (value,) = values
        return value

    @lru_cache(maxsize=10_000)  # noqa: B019 - a process has few grammars
    def tight(self, before: Token, after: Token) -> bool:
        """True if two tokens are written without white space between them."""
        brackets = after[0] in ",;:)]}." or before[-1] in "([{."
        if self.blank and not (brackets or (after[0] == "(" and before[-1].isalnum())):
            return False
        try:
            return [*lexed(self.lark, before + after)] == [before, after]
        except UnexpectedInput:
            return False


@dataclass(slots=True)
class _Group:
    """The tokens and groups of a node, and their length on one line."""

    items: list[Any]
    width: int

    @property
    def first(self) -> Token:
        """Its first token."""
        found = self.items[0]
        while isinstance(found, _Group):
            found = found.items[0]
        return cast(Token, found)


def _group(pieces: Sequence[Token | None], is_part: bool, below: list[Any]) -> Any:
    """The group of a node; with ``is_part``, only its items, which become part of the enclosing group."""
    items, rest = list[Any](), iter(below)
    for piece in pieces:
        each = next(rest) if piece is None else piece
        if isinstance(each, list):
            items = items + each if items else each
        else:
            items.append(each)
    if is_part or not items:
        return items
    if len(items) == 1 and isinstance(items[0], _Group):
        return items[0]
    return _Group(items, sum(_width(each) + 1 for each in items))


def _width(item: Any) -> int:
    return len(item) if isinstance(item, Token) else int(item.width)


def joined(grammar: Grammar, tokens: Sequence[Token]) -> str:
    """The text of tokens, with white space between them where it is necessary or customary."""
    pieces = list[str]()
    for place, token in enumerate(tokens):
        ends = bool(pieces) and (pieces[-1].endswith("\n") or token.startswith("\n"))
        if place and token and grammar.blank and not (ends or grammar.tight(tokens[place - 1], token)):
            pieces.append(grammar.blank)
        pieces.append(token)
    return "".join(pieces)


def finite(pattern: str) -> tuple[str, ...]:
    """All strings that a regular expression matches, in order; empty if there are more than ``MOST_WORDS``.

    >>> finite("a|b[0-2]?")
    ('a', 'b', 'b0', 'b1', 'b2')
    """
    try:
        found = [*islice(_texts(sre_parse.parse(pattern)), MOST_WORDS + 1)]
    except (ValueError, OverflowError, RecursionError, re.error):
        return ()
    return tuple(dict.fromkeys(found)) if len(found) <= MOST_WORDS else ()


def _texts(parsed: Any) -> Iterator[str]:
    """Yield the strings that a parsed regular expression matches.

    Raises:
        ValueError: the expression repeats without limit, or has a part that is not text.
    """
    options = [[*islice(_texts_of(str(what).lower(), value), MOST_WORDS + 1)] for what, value in parsed]
    return ("".join(each) for each in product(*options))


def _texts_of(what: str, value: Any) -> Iterator[str]:
    if what == "literal":
        yield chr(value)
    elif what == "in":
        for kind, each in value:
            if (kind := str(kind).lower()) not in ("literal", "range"):
                raise ValueError(kind)
            yield from map(chr, range(each[0], each[1] + 1) if kind == "range" else [each])
    elif what == "branch":
        for branch in value[1]:
            yield from _texts(branch)
    elif what == "subpattern":
        yield from _texts(value[3])
    elif what in ("max_repeat", "min_repeat") and value[1] <= MOST_WORDS:
        once = [*islice(_texts(value[2]), MOST_WORDS + 1)]
        for count in range(value[0], value[1] + 1):
            yield from map("".join, product(*[once] * count))
    else:
        raise ValueError(what)


def read_grammar(text: str, name: str, words: Mapping[str, Sequence[str]] = MappingProxyType({})) -> Grammar:
    """Parse a grammar in Lark's notation.

    Args:
        text: the grammar in Lark's notation. A line ``// start: NAME`` names the start rule; without such a line, the
            start rule is ``program`` or ``start``.
        name: the name of the language.
        words: the words for those terminals for which the grammar lists none.

    Raises:
        SourceError: the grammar is invalid or not LALR; the message shows the line and suggests a fix.
    """
    if len(text) > LONGEST:
        raise grammar_error("E500", f"the grammar is longer than {LONGEST:,} characters", text, None, name)
    if found := _IMPORT.search(text):
        fix = "write its rules here; %import is for common, unicode, python and lark"
        raise grammar_error(
            "E501", "a grammar can import only the grammars that come with Lark", text, found.end(), name, fix
        )
    defined = {each[1]: each.start(1) for each in _DEFINED.finditer(text)}
    start = _START.search(text)
    chosen = start[1] if start else next((each for each in ("program", "start") if each in defined), "")
    if chosen not in defined:
        fix = suggestion(chosen, defined, "") if chosen else "call the rule of whole programs `program`"
        message = f"there is no rule `{chosen}`" if chosen else "there is no rule `program` or `start`"
        raise grammar_error("E502", message, text, None, name, fix)
    try:
        lark = Lark(
            f"{text}\n{_HEADER}",
            parser="lalr",
            lexer="contextual",
            start=chosen,
            maybe_placeholders=False,
            postlex=SimpleNamespace(always_accept=(), process=lambda tokens: tokens),
        )
    except Exception as error:  # whatever Lark makes of what it was not made for
        raise _refusal(error, text, name) from None
    known = _reachable(lark, chosen)
    used = {each.partition("{")[0] for each in known}
    for rule, place in defined.items() if start is None else ():  # else others may begin other texts
        if rule not in used:
            fix = f"use `{rule}` in a rule that `{chosen}` leads to, or delete it"
            raise grammar_error("E503", f"no text uses the rule `{rule}`", text, place, name, fix)
    return _grammar(lark, text, name, chosen, known, _notes(text, name), words)


def _reachable(lark: Lark, start: str) -> set[str]:
    """The rules and terminals that the start rule leads to; Lark also keeps some that it does not lead to."""
    uses: dict[str, list[str]] = {}
    for rule in lark.rules:
        uses.setdefault(rule.origin.name, []).extend(each.name for each in rule.expansion)
    known, waiting = {start}, [start]
    while waiting:
        new = {*uses.get(waiting.pop(), ())} - known
        known |= new
        waiting += new
    return known


_REMEDIES = (
    (
        "Reduce/Reduce",
        "E504",
        "two rules end at the same place, so a text has two meanings: join them, or let them end with different words",
    ),
    (
        "zero-width",
        "E505",
        "a terminal that matches the empty text; write `+` instead of `*`, and make its use optional with `?`",
    ),
    (
        "Rules defined twice",
        "E506",
        "two alternatives are the same; delete one, or take `?` and `*` out of one of them",
    ),
    ("used but not defined", "E507", "define it, or correct its name"),
    ("infinite recursion", "E508", "let the rule begin with something else than itself alone"),
)


def _refusal(error: Exception, text: str, name: str) -> SourceError:
    """The error for Lark's message about a grammar, at the line or the rule that the message names."""
    message = one_line(error) if not isinstance(error, LarkError) else " ".join(str(error).split())
    code, fix = next(((code, fix) for words, code, fix in _REMEDIES if words in message), ("E509", ""))
    place = None
    if at := _AT_LINE.search(message):
        lines = text.split("\n")[: int(at[1]) - 1]
        place = min(sum(len(each) + 1 for each in lines), len(text))
    else:
        names = (each[0].strip("'") for each in _QUOTED.finditer(message))
        starts = (
            re.search(rf"^[ \t]*[?!]*{re.escape(each)}\b[^\n:]*:", text, re.MULTILINE) for each in names
        )
        place = next((each.start() for each in starts if each), None)
    return grammar_error(code, message[:600], text, place, name, fix)


def _notes(text: str, name: str) -> Mapping[tuple[str, str], tuple[str, int]]:
    """The comments for evolution, by kind and name, with their positions.

    Raises:
        SourceError: the line of a comment does not name an alternative or a terminal.
    """
    found = {}
    for note in _NOTE.finditer(text):
        what, kind = note[1], note[2]
        if kind == "weight":
            names = re.findall(r"->[ \t]*(\w+)", what)
            fix = 'name the alternative, as in `| expr "+" expr -> add  // weight: 2`'
        else:
            named = _NAMED.search(what.rstrip()) or re.search(r"(_*[A-Z][A-Z_0-9]*)[ \t]*$", what)
            names, fix = (
                [named[1]] if named else [],
                "write it after the terminal: `NAME: /[a-z]+/  // words: x y`",
            )
        if len(names) != 1:
            raise grammar_error("E510", f"this {kind} is in the wrong place", text, note.start(), name, fix)
        found[kind, names[0]] = note[3], note.start()
    return found


def _leaf(
    each: TerminalDef,
    notes: Mapping[tuple[str, str], tuple[str, int]],
    words: Sequence[str],
    text: str,
    name: str,
) -> Leaf | None:
    """The texts from which evolution chooses for a terminal; None if they are unknown.

    Raises:
        SourceError: the terminal does not match its words or the numbers of its range, or the range is invalid.
    """
    pattern = re.compile(each.pattern.to_regexp())
    if note := notes.get(("range", each.name)):
        try:
            low, high = map(float, note[0].split())
            is_whole = pattern.fullmatch("1.5") is None
            leaf = Leaf(each.name, (), low, high, is_whole)
            written = [str(leaf.number(value)) for value in (low, (low + high) / 2, high)]
        except (ValueError, OverflowError):
            raise grammar_error(
                "E511",
                "a range must be the smallest and the largest number",
                text,
                note[1],
                name,
                "write two numbers, as in `// range: -5 5`",
            ) from None
        bad = next((number for number in written if not pattern.fullmatch(number)), None)
        if not low <= high or not math.isfinite(high - low) or bad is not None:
            message = (
                f"`{each.name}` does not match {bad}"
                if bad
                else "a range must go from the smallest number to the largest"
            )
            fix = "SIGNED_NUMBER of `common` matches numbers with a sign and a point"
            raise grammar_error("E511", message, text, note[1], name, fix)
        return leaf
    note = notes.get(("words", each.name))
    own = () if each.name in OF_PROBLEM else finite(pattern.pattern)
    listed = tuple(note[0].split()) if note else tuple(words) or own
    if each.name.startswith("_") and not listed:
        listed = tuple(sample for sample in _SAMPLES if pattern.fullmatch(sample))[:1]
    bad = next(
        (word for word in listed if not (found := pattern.match(word)) or found.end() < len(word)), None
    )
    if bad is not None:
        raise grammar_error(
            "E512", f"`{each.name}` does not match the word `{bad}`", text, note[1] if note else None, name
        )
    return Leaf(each.name, listed) if listed else None


def _check_ends(rules: Productions, known: Set[str], text: str) -> None:
    """Check that every rule that the start rule can reach ends.

    Raises:
        SourceError: a rule never ends.
    """
    ends = rules.least
    for rule in sorted(known & ends.keys()):
        if ends[rule] == math.inf:
            message, fix = f"the rule `{rule}` never ends", "add an alternative without the rule itself"
            at = re.search(rf"^[ \t]*[?!]*{re.escape(rule)}\b", text, re.MULTILINE)
            raise grammar_error("E508", message, text, at.start() if at else None, rules.language, fix)


def _grammar(
    lark: Lark,
    text: str,
    name: str,
    start: str,
    known: Set[str],
    notes: Mapping[tuple[str, str], tuple[str, int]],
    words: Mapping[str, Sequence[str]],
) -> Grammar:
    """The grammar for a parser; the parser's results become derivations."""
    fixed: dict[str, str] = {}
    leaves: dict[str, Leaf] = {}
    used = {each.name for rule in lark.rules for each in rule.expansion if each.is_term}
    free = dict.fromkeys(used.difference(each.name for each in lark.terminals), 0)
    for each in lark.terminals:
        if each.name not in used:
            continue
        if isinstance(each.pattern, PatternStr):
            fixed[each.name] = each.pattern.value
        elif leaf := _leaf(each, notes, words.get(each.name, ()), text, name):
            leaves[each.name] = leaf
        else:
            at = re.search(rf"\b{re.escape(each.name)}\b", text)
            free[each.name] = at.start() if at else 0
    for kind, named in notes:
        if kind != "weight" and named not in (each.name for each in lark.terminals):
            raise grammar_error("E510", f"there is no terminal `{named}`", text, notes[kind, named][1], name)
    alternatives, pieces, results = [], [], dict[Any, Any]()
    for number, rule in enumerate(lark.rules):
        weight = notes.get(("weight", str(rule.alias)), ("1", 0))
        try:
            share = float(weight[0])
        except ValueError:
            share = -1.0
        if not 0.0 < share < math.inf:
            raise grammar_error(
                "E511", f"a weight must be a number above 0, not `{weight[0]}`", text, weight[1], name
            )
        symbols = [str(each.name) for each in rule.expansion]
        parts = tuple(each for each in symbols if each not in fixed)
        alternatives.append(Alternative(str(rule.origin.name), parts, share))
        pieces.append(tuple(Token(each, fixed[each]) if each in fixed else None for each in symbols))
        places = [place for place, each in enumerate(symbols) if each not in fixed]
        results[rule] = lambda children, number=number, places=places: (number, [children[k] for k in places])
    productions = Productions(name, start, tuple(alternatives), leaves)
    free = {each: place for each, place in free.items() if each in known}
    _check_ends(replace(productions, leaves=leaves | {each: Leaf(each) for each in free}), known, text)
    front: Any = lark.parser
    trees = dict(front.parser.parser_conf.callbacks)
    front.parser.parser.callbacks = results
    return Grammar(name, text, lark, trees, productions, tuple(pieces), fixed, free)
