"""Defines node tables, which list a language's kinds of nodes with their words, fields and branches; lays out nodes.

A row of the table determines how a node is printed, labelled in pictures, and written to and read from JSON. A table
accesses nodes only through a few functions, so nodes may be objects, tuples, or the symbols of a tree in prefix order.

The layout keeps all comments, but moves a comment inside a line to the end of that line. The layout replaces several
blank lines with one. The layout changes no tokens, so the program stays the same.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from string import Formatter
from typing import Any, Generic, TypeVar

from lark import Token

from gpkit.core.errors import LimitError, UsageError
from gpkit.langkit.formulas import heading, spaced
from gpkit.langkit.operators import Row, prefix_writer

INDENT = "  "

Node = TypeVar("Node")


@dataclass(frozen=True, eq=False)
class NodeKind:
    """A kind of node.

    Attributes:
        head: the pattern of its text without branches: words, and fields in braces; the first word is the name of the
            kind.
        label: the pattern of its label in pictures, in the same form.
        make: returns a node with these fields; if nodes are objects, it is their class, which also identifies the kind.
        branches: the names of its branches in JSON. A name that ends in ``*`` stands for a list of all branches. The
            kind's own name stands for an object that maps the word before each branch to the branch.
        keys: the JSON names of fields that are not in the head, and of fields without a word before them whose JSON
            names differ from their own names.
        limits: for each whole-number field, its smallest and its largest value.
        words: returns the words before the branches of a node, if these differ from the names of the branches.
        text: a function that writes the head, for kinds where filling in the pattern would be too slow.
        before: the text to write before each of these words.
        closing: the word on the line below the node's branches.
    """

    head: str
    label: str
    make: Callable[..., Any] = tuple
    branches: tuple[str, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    words: Callable[[Any], tuple[str, ...]] | None = None
    text: Callable[[Any], str] | None = None
    before: str = ""
    closing: str = ""

    @cached_property
    def word(self) -> str:
        """The name of the kind: the first word of its head."""
        return self.head.split(" ", 1)[0]

    @cached_property
    def is_named(self) -> bool:
        """True if the branches are stored in a JSON object, with the words before them as keys."""
        return self.branches == (self.word,)

    @cached_property
    def listed(self) -> str:
        """The JSON name of the list of all branches; empty if there is no such list."""
        return "".join(name[:-1] for name in self.branches if name.endswith("*"))

    @cached_property
    def own_words(self) -> tuple[str, ...]:
        """The words before the branches of its nodes; a single branch has no word."""
        return self.branches if len(self.branches) > 1 else ("",) * len(self.branches)

    @cached_property
    def fields(self) -> dict[str, str]:
        """The fields by JSON name, which is the word before the field, its name in ``keys``, or else its own name."""
        written = ((words.strip(), name) for words, name, _, _ in Formatter().parse(self.head) if name)
        return {word or self.keys.get(name, name): name for word, name in written} | {
            key: name for name, key in self.keys.items()
        }


Line = tuple[int, str, Node | None]
"""An output line: its level; the word that names a branch or closes a node; and a node, or None."""

Held = Callable[[Any, Iterator[Any]], Iterable[Iterable[Any]]]
"""A function that takes a node and the nodes after it, and returns the nodes of each of its branches."""


def in_prefix_order(node: object, rest: Iterator[Node]) -> Iterator[Iterator[Node]]:
    """Yield the branches of a node in prefix order: each begins where the previous one ends."""
    while True:
        yield islice(rest, 1)


class NodeTable(Generic[Node]):
    """The kinds of nodes of a language, and the functions that access nodes.

    Attributes:
        texts: writes fields and leaves.
        held: returns the nodes of each branch of a node.
        make: takes (kind, fields, branches) and returns the nodes that represent a node of this kind with these fields
            and branches.
        name: returns the name of a node's kind, or its class.
        value: takes (node, field) and returns the value of the field.
        beside: whether nodes are in prefix order and each branch is one node, written on the line of the word
            before it. Otherwise, branches are sequences, and each word has its own line.
        text: writes nodes in prefix order.
    """

    def __init__(
        self,
        *kinds: NodeKind,
        texts: "Texts",
        held: Held = in_prefix_order,
        make: Callable[[NodeKind, Sequence[object], Sequence[Sequence[Node]]], Iterable[Node]],
        name: Callable[[Node], object] = type,
        value: Callable[[Node, str], object] = getattr,
        beside: bool = False,
    ) -> None:
        self.named = {kind.word: kind for kind in kinds}
        self._kinds: dict[object, NodeKind] = {key: kind for kind in kinds for key in (kind.word, kind.make)}
        self._heads: dict[object, Callable[[Node], str]] = {
            key: kind.text or filler(kind.head, texts, value) for key, kind in self._kinds.items()
        }
        self.texts, self.held, self.make = texts, held, make
        self.leaf = NodeKind("leaf", "leaf")
        self.name, self.value, self.beside = name, value, beside
        self.text = prefix_writer(name, self._row, 0)

    def kind(self, node: Node) -> NodeKind:
        """The kind of a node; a leaf has the kind ``leaf``."""
        return self._kinds.get(self.name(node), self.leaf)

    def head(self, node: Node) -> str:
        """The line of a node, without its branches."""
        return self._heads.get(self.name(node), self._leaf)(node)

    def _leaf(self, node: Node) -> str:
        """The text of a leaf, from the text function for its type."""
        return self.texts.get(type(node), str)(node)

    def label(self, node: Node, texts: "Texts") -> str:
        """The label of a node in pictures."""
        kind = self.kind(node)
        return (
            texts.get(type(node), str)(node)
            if kind is self.leaf
            else filler(kind.label, texts, self.value)(node)
        )

    def words(self, node: Node) -> tuple[str, ...]:
        """The words before the branches of a node; a single branch has no word."""
        kind = self.kind(node)
        return kind.words(node) if kind.words is not None else kind.own_words

    def outline(self, nodes: Iterable[Node], level: int = 0) -> list[Line[Node]]:
        """The lines of a sequence of nodes, including all their branches."""
        lines: list[Line[Node]] = []
        for node in nodes:
            lines.append((level, "", node))
            kind = self.kind(node)
            if not kind.branches:
                continue
            for word, branch in zip(self.words(node), self.held(node, iter(())), strict=True):
                lines += [(level + 1, f"{kind.before}{word}:", None)] if word else []
                lines += self.outline(branch, level + 2 if word else level + 1)
            lines += [(level, kind.closing, None)] if kind.closing else []
        return lines

    def written(self, nodes: Iterable[Node], level: int = 0) -> list[str]:
        """The lines of nodes and of their branches, as strings."""
        return [
            f"{INDENT * depth}{words}{'' if node is None else self.head(node)}"
            for depth, words, node in self.outline(nodes, level)
        ]

    def _row(self, name: object, level: int) -> Row[Node]:
        """Functions that write the nodes of one kind at one level, in prefix order, with their branches indented."""
        inner, indent = level + 1, "\n" + INDENT * (level + 1)
        if name not in self._kinds:
            return self.texts.get(name, str) if isinstance(name, type) else self._leaf, None, ""
        head, words = self._heads[name], self._kinds[name].words
        if words is not None:
            return head, lambda node: [(inner, f"{indent}{word}: ") for word in words(node)[::-1]], ""
        slots = [(inner, f"{indent}{word}: ") for word in self._kinds[name].own_words[::-1]]
        return head, lambda node: slots, ""

    def json(self, nodes: Iterable[Node], values: "Values") -> list[object]:
        """The JSON values of nodes: a node becomes an object, and a leaf is unchanged; ``values`` converts field types.

        Raises:
            UsageError: two branches have the same word, and JSON would keep only one of them.
        """
        rest = iter(nodes)
        return [self._json(node, rest, values) for node in rest]

    def _json(self, node: Node, rest: Iterator[Node], values: "Values") -> object:
        kind = self.kind(node)
        if kind is self.leaf:
            return node
        found: dict[str, object] = {}
        for key, name in kind.fields.items():
            value = self.value(node, name)
            found[key] = values[type(value)](value) if type(value) in values else value
        words, inner = self.words(node), list[object]()
        if kind.is_named and len(set(words)) < len(words):
            raise UsageError(
                f"two branches of a `{kind.word}` have the same name; JSON would keep only one of them"
            )
        for _, branch in zip(words, self.held(node, rest), strict=False):
            below = [self._json(each, rest, values) for each in branch]
            inner.append(below[0] if self.beside else below)
        return (
            {kind.word: dict(zip(words, inner, strict=True))}
            if kind.is_named
            else found | {kind.listed: inner}
            if kind.listed
            else found | dict(zip(kind.branches, inner, strict=True))
        )


Values = Mapping[type, Callable[[Any], object]]
"""Functions that convert fields to JSON values, by type; other values stay as they are."""


@dataclass(frozen=True, slots=True)
class NodeReader(Generic[Node]):
    """A reader of nodes from JSON.

    Attributes:
        table: the node table of the language.
        part: the word that messages use for a part of a program, such as ``tree``.
        unlike: the message for a value that is not a part.
        deepest: the maximum number of levels.
        deep: the message for a part with more levels.
        fields: by name, functions that convert a field's JSON value; they return None for an invalid value, or
            raise a UsageError with a better message.
        ends: the message for nodes that follow a node with branches; empty if they may follow.
        leaf: returns the leaf that a JSON value stands for, or None.
        is_word: returns whether a string can be the word before a branch.
    """

    table: NodeTable[Node]
    part: str
    unlike: str
    deepest: int
    deep: str
    fields: Mapping[str, Callable[[object], object]]
    ends: str = ""
    leaf: Callable[[object], Node | None] = lambda value: None
    is_word: Callable[[str], object] = bool

    def nodes(self, name: str, value: object, depth: int = 0) -> list[Node]:
        """The nodes of a part, or of a branch at this depth.

        Raises:
            UsageError: the value does not consist of nodes of the table.
            LimitError: there are too many levels.
        """
        values = [value] if self.table.beside else value
        if not isinstance(values, list):
            raise self._refusal(name, self.unlike)
        nodes = [node for each in values for node in self._node(name, each, depth)]
        if self.ends and any(any(self.table.words(node)) for node in nodes[:-1]):
            raise self._refusal(name, self.ends)
        return nodes

    def _node(self, name: str, value: object, depth: int) -> Iterable[Node]:
        if depth > self.deepest:
            raise LimitError(f"the {self.part} `{name}` {self.deep}")
        if (leaf := self.leaf(value)) is not None:
            return [leaf]
        if not isinstance(value, dict):
            raise self._refusal(name, self.unlike)
        named = list(value)[: None if self.table.beside else 1]
        for kind in (kind for word, kind in self.table.named.items() if word in named):
            fields = [self._field(name, kind, key, value.get(key)) for key in kind.fields]
            branches = self._branches(kind, fields, value)
            if None not in fields and branches is not None:
                return self.table.make(kind, fields, [self.nodes(name, each, depth + 1) for each in branches])
        raise self._refusal(name, self.unlike)

    def _field(self, part: str, kind: NodeKind, key: str, value: object) -> object:
        name = kind.fields[key]
        if name not in kind.limits:
            try:
                return self.fields[name](value)
            except UsageError as error:
                raise self._refusal(part, f": {error}") from None
        least, most = kind.limits[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self._refusal(part, f": `{key}` must be a whole number from {least} to {most}")
        return value

    def _branches(
        self, kind: NodeKind, fields: list[object], value: Mapping[str, object]
    ) -> Sequence[object] | None:
        """The JSON values of the branches, or None if invalid; adds the words of named branches to ``fields``."""
        if kind.is_named:
            named = value[kind.word]
            if not (isinstance(named, dict) and named and all(map(self.is_word, named))):
                return None
            fields.append(tuple(named))
            return [*named.values()]
        if not kind.listed:
            return [value.get(key) for key in kind.branches]
        found = value.get(kind.listed)
        if None in fields or not isinstance(found, list):
            return None
        (node,) = self.table.make(kind, fields, ())
        return found if len(found) == len(self.table.words(node)) else None

    def _refusal(self, name: str, said: str) -> UsageError:
        return UsageError(f"the {self.part} `{name}`{'' if said.startswith(':') else ' '}{said}")


Texts = Mapping[str | type, Callable[..., str]]
"""Functions that write fields as text, by field name or type; other fields are written with ``str``."""


def filler(
    pattern: str, texts: Texts, value_of: Callable[[Any, str], object] = getattr
) -> Callable[[Any], str]:
    """A function that fills in a pattern with a node's fields; text functions also get the words after its colon."""
    words, fields = _pieces(pattern)
    get = texts.get

    def text(node: object) -> str:
        written: list[object] = []  # "%s" writes what has no text of its own as Python does
        for name, more in fields:
            value = value_of(node, name)
            told = get(name) or get(value.__class__)
            written.append(value if told is None else told(value, more) if more else told(value))
        return words % tuple(written)

    return text


@cache
def _pieces(pattern: str) -> tuple[str, tuple[tuple[str, str | None], ...]]:
    """The words of a pattern with ``%s`` for each field; and the name of each field, with the words after its colon."""
    pieces = [(words.replace("%", "%%"), name, more) for words, name, more, _ in Formatter().parse(pattern)]
    words = "".join(words + ("%s" if name else "") for words, name, _ in pieces)
    return words, tuple((name, more) for _, name, more in pieces if name)


def commented(text: str, mark: str, code: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    """Yield the code and the comment of each line of a text; ``code`` holds the code by line number."""
    for number, line in enumerate(text.split("\n"), start=1):
        _, found, said = line.partition(mark)
        yield code.get(number, ""), (found + said).rstrip()


@dataclass(slots=True)
class _Line:
    """An output line: just a comment, or words followed by comments."""

    level: int = 0
    text: str = ""
    comments: list[str] = field(default_factory=list)
    blank: bool = False  # whether an empty line comes before it


@dataclass(slots=True)
class _Frame:
    """A node that encloses the current line.

    Attributes:
        level: the level of its line.
        last: the terminal that begins its last branch or closes it; empty inside that branch.
        inside: the number of levels by which the lines of a branch are indented below the node.
    """

    level: int
    last: str
    inside: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The canonical layout of a language.

    Attributes:
        begins: the terminals that begin a line.
        branches: the terminals in ``begins`` that begin a branch.
        frames: for the terminal of each node with branches, the terminal that begins its last branch or closes it, and
            the number of levels by which the lines of a branch are indented below the node.
        headings: the terminals of the headings of parts.
        closing: the terminal of the word that closes nodes.
        is_apart: the style of a language whose parts have headings. If set, an empty line precedes each part, and its
            lines are indented; all comments inside a line move to its end; and comments at the end of the text are
            indented like the line above. Otherwise, only the first comment inside a line moves to its end.
    """

    begins: Set[str]
    branches: Set[str]
    frames: Mapping[str, tuple[str, int]]
    headings: Set[str]
    closing: str = ""
    is_apart: bool = False

    def text(self, tokens: Iterable[Token]) -> str:
        """The canonical layout of a program's tokens; formatting the result again changes nothing."""
        shown: list[str] = []
        for line in self._lines(tokens):
            if line.blank and shown:
                shown.append("")
            comment = " ".join(line.comments)
            between = "  " if line.text and comment else ""
            shown.append(f"{INDENT * line.level}{line.text}{between}{comment}")
        return "\n".join(shown) + "\n"

    def _lines(self, tokens: Iterable[Token]) -> list[_Line]:
        """The output lines; comments come before the line that they belong to."""
        done: list[_Line] = []
        held: list[_Line] = []  # comments after which the line may go on
        line: _Line | None = None
        frames: list[_Frame] = []
        ends = 0  # line ends since the last token or comment
        for token, gap in spaced(tokens):
            kind = token.type
            if kind == "BLANK":
                ends += token.count("\n")
                continue
            if kind == "COMMENT":
                if line is not None and not ends and (self.is_apart or not line.comments):
                    line.comments.append(token.rstrip())
                else:
                    held.append(_Line(comments=[token.rstrip()], blank=ends > 1))
            elif line is None or kind in self.begins:
                line = _Line(self._level(kind, frames), _word(token), blank=ends > 1)
                done += self._together(held, line, is_part=self.is_apart and kind in self.headings)
                held = []
            else:
                line.text += gap + _word(token)
                while held and (self.is_apart or not line.comments):
                    line.comments += held.pop(0).comments
            if line is not None and kind in self.frames:
                frames.append(_Frame(line.level, *self.frames[kind]))
            ends = 0
        return done + self._together(held, _Line(level=line.level if line and self.is_apart else 0))[:-1]

    def _together(self, comments: list[_Line], line: _Line, *, is_part: bool = False) -> list[_Line]:
        """The comments before a line, moved to its level, and the line itself; a part gets an empty line above."""
        found = [*comments, line]
        for comment in comments:
            comment.level = line.level
        if is_part:
            place = len(comments)
            while place and not found[place].blank:
                place -= 1
            found[place].blank = True
        return found

    def _level(self, kind: str, frames: list[_Frame]) -> int:
        """The level of a line that begins with this terminal; updates the enclosing frames."""
        if kind in self.headings:
            frames[:] = [_Frame(-1, "", 2)] if self.is_apart and kind != "FUNCTION" else []
            return 0
        if kind not in self.branches and kind != self.closing:
            return frames[-1].level + frames[-1].inside if frames else 0
        while not frames[-1].last:
            frames.pop()
        frame = frames[-1]
        if kind == self.closing:
            frames.pop()
            return frame.level
        if kind == frame.last:
            frame.last = ""
        return frame.level + 1


def _word(token: Token) -> str:
    """The text of a token; a word with a colon is written without spaces before the colon."""
    if token.type == "FUNCTION":
        return heading(token)
    if len(token) > 1 and token.endswith(":"):
        return " ".join(token[:-1].split()) + ":"
    return str(token)
