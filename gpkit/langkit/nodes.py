"""Node tables: the kinds of nodes of a language, each with its words, its fields and its branches.

From a row follow the lines that a printer writes of a node, its label in pictures, and its JSON both ways. A table
reaches nodes by a few functions alone, so they may be objects, tuples, or the symbols of a tree in prefix order.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from itertools import islice
from string import Formatter
from typing import Any

from gpkit.core.errors import LimitError, UsageError

INDENT = "  "


@dataclass(frozen=True, eq=False)
class NodeKind:
    """One kind of node.

    Attributes:
        head: how it is written without its branches: words, and its fields in braces; the first word is its name.
        label: how it is labelled in pictures, in the same way.
        make: gives a node of its fields; a class where nodes are objects, by which the table knows them.
        branches: the names of its branches in JSON; one that ends in ``*`` is a list of all of them, and one that is
            its own name an object of all of them by the words before them.
        keys: the names in JSON of fields before which no word stands, where they are others.
        hidden: fields that are not in the head, but in JSON.
        limits: the least and the greatest value of fields that count.
        words: the words before the branches of a node, where they are not the names of the branches.
        text: writes its head, where that of the pattern takes too long.
        count: the number of branches that a list of them has, from the fields.
        before: what stands before these words where they are written.
        closing: the word on the line behind its branches.
    """

    head: str
    label: str
    make: Callable[..., Any] = tuple
    branches: tuple[str, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    words: Callable[[Any], tuple[str, ...]] | None = None
    text: Callable[[Any], str] | None = None
    count: Callable[..., int] | None = None
    before: str = ""
    closing: str = ""

    @cached_property
    def word(self) -> str:
        """Its name: the first word of its head."""
        return self.head.split(" ", 1)[0]

    @cached_property
    def is_named(self) -> bool:
        """Whether its branches are an object in JSON, by the words before them."""
        return self.branches == (self.word,)

    @cached_property
    def own_words(self) -> tuple[str, ...]:
        """The words before the branches of each of its nodes; a lone branch has none."""
        return self.branches if len(self.branches) > 1 else ("",) * len(self.branches)

    @cached_property
    def fields(self) -> dict[str, str]:
        """Its fields by their names in JSON: each has that of the word before it."""
        written = ((words.strip(), name) for words, name, _, _ in Formatter().parse(self.head) if name)
        return {word or self.keys.get(name, name): name for word, name in written} | {
            name: name for name in self.hidden
        }


Line = tuple[int, str, Any]
"""A line of a text: its level, the words of a branch or those that close a node, and a node or None."""

Held = Callable[[Any, Iterator[Any]], Iterable[Iterable[Any]]]
"""Takes a node and the nodes that follow it, and gives the nodes of each of its branches."""


def in_prefix_order(node: Any, rest: Iterator[Any]) -> Iterator[Iterator[Any]]:
    """Give the branches of a node in prefix order: each begins where the one before it ends."""
    while True:
        yield islice(rest, 1)


class NodeTable:
    """The kinds of nodes of a language, and how the parts of a node are reached.

    Attributes:
        texts: the texts of fields and of leaves.
        held: the nodes of each branch of a node.
        make: of a kind, the fields and the nodes of each branch to the nodes that say so.
        name: of a node to the name of its kind, or its class.
        value: of a node and a field.
        beside: whether nodes stand in prefix order, and the words before a branch in the line of its node; else they
            have a line of their own, and branches are sequences.
    """

    def __init__(
        self,
        *kinds: NodeKind,
        texts: "Texts",
        held: Held = in_prefix_order,
        make: Callable[[NodeKind, Sequence[Any], Sequence[Sequence[Any]]], Iterable[Any]],
        name: Callable[[Any], object] = type,
        value: Callable[[Any, str], Any] = getattr,
        beside: bool = False,
    ) -> None:
        self.named = {kind.word: kind for kind in kinds}
        self._kinds: dict[object, NodeKind] = {key: kind for kind in kinds for key in (kind.word, kind.make)}
        self.texts, self.held, self.make = texts, held, make
        self.leaf = NodeKind("leaf", "leaf", text=partial(_leaf, texts))
        self.name, self.value, self.beside = name, value, beside

    def kind(self, node: Any) -> NodeKind:
        """The kind of a node; that of leaves where it is none."""
        return self._kinds.get(self.name(node), self.leaf)

    def head(self, node: Any) -> str:
        """The line of a node, without its branches."""
        kind = self.kind(node)
        return filled(kind.head, node, self.texts, self.value) if kind.text is None else kind.text(node)

    def label(self, node: Any, texts: "Texts") -> str:
        """The label of a node in pictures."""
        kind = self.kind(node)
        return filled(kind.label, node, texts, self.value) if kind is not self.leaf else _leaf(texts, node)

    def words(self, node: Any) -> tuple[str, ...]:
        """The words before the branches of a node; a lone one has none."""
        kind = self.kind(node)
        return kind.words(node) if kind.words is not None else kind.own_words

    def outline(self, nodes: Iterable[Any], level: int = 0) -> Iterator[Line]:
        """The lines of sequences of nodes and of all that they hold."""
        for node in nodes:
            yield level, "", node
            kind = self.kind(node)
            for word, branch in zip(self.words(node), self.held(node, iter(())), strict=True):
                if word:
                    yield level + 1, f"{kind.before}{word}:", None
                yield from self.outline(branch, level + 2 if word else level + 1)
            if kind.closing:
                yield level, kind.closing, None

    def written(self, nodes: Iterable[Any], level: int = 0) -> Iterator[str]:
        """The lines of nodes and of all that they hold as text."""
        if not self.beside:
            for depth, words, node in self.outline(nodes, level):
                yield f"{INDENT * depth}{words}{'' if node is None else self.head(node)}"
            return
        kinds, name, leaf = self._kinds, self.name, self.leaf
        pending = [(INDENT * level, "")]  # indents of the nodes to come, and the words before them
        for node in nodes:
            indent, said = pending.pop()
            kind = kinds.get(name(node), leaf)
            text = self.head(node) if kind.text is None else kind.text(node)
            yield indent + said + text
            if kind is not leaf:
                indent += INDENT
                before = kind.own_words if kind.words is None else kind.words(node)
                pending += [(indent, word + ": ") for word in before[::-1]]

    def json(self, nodes: Iterable[Any], values: Mapping[type, Callable[[Any], Any]]) -> list[Any]:
        """Nodes as objects, and leaves as they are, given what fields of some types are in JSON.

        Raises:
            UsageError: two branches that JSON has by their words have the same.
        """
        rest = iter(nodes)
        return [self._json(node, rest, values) for node in rest]

    def _json(self, node: Any, rest: Iterator[Any], values: Mapping[type, Callable[[Any], Any]]) -> Any:
        kind = self.kind(node)
        if kind is self.leaf:
            return node
        found: dict[str, Any] = {}
        for key, name in kind.fields.items():
            value = self.value(node, name)
            found[key] = values.get(type(value), lambda same: same)(value)
        words, inner = self.words(node), []
        if kind.is_named and len(set(words)) < len(words):
            raise UsageError(f"two branches of a `{kind.word}` have one name; JSON keeps one of them")
        for _, branch in zip(words, self.held(node, rest), strict=False):
            below = [self._json(each, rest, values) for each in branch]
            inner.append(below[0] if self.beside else below)
        if kind.is_named:
            return {kind.word: dict(zip(words, inner, strict=True))}
        if kind.count is not None:
            return found | {kind.branches[0].removesuffix("*"): inner}
        return found | dict(zip(kind.branches, inner, strict=True))


@dataclass(frozen=True, slots=True)
class NodeReader:
    """Nodes of JSON.

    Attributes:
        table: of the language.
        part: the noun for what nodes make up, and ``unlike`` what is said of one that is none.
        deepest: the most levels, and ``deep`` what is said of more.
        fields: by their names the value of what stands in JSON, or None where it cannot be one; a UsageError says more.
        ends: what is said of a branch that goes on behind a node with branches; nothing where it may.
        leaf: the leaf that a value is, or None.
        is_word: whether a text can stand before a branch.
    """

    table: NodeTable
    part: str
    unlike: str
    deepest: int
    deep: str
    fields: Mapping[str, Callable[[Any], Any]]
    ends: str = ""
    leaf: Callable[[Any], Any] = lambda value: None
    is_word: Callable[[str], Any] = bool

    def nodes(self, name: str, value: Any, depth: int = 0) -> list[Any]:
        """The nodes of a part, or of a branch at a depth.

        Raises:
            UsageError: they are not nodes of the table.
            LimitError: they are too deep.
        """
        values = [value] if self.table.beside else value
        if not isinstance(values, list):
            raise self._refusal(name, self.unlike)
        nodes = [node for each in values for node in self._node(name, each, depth)]
        if self.ends and any(any(self.table.words(node)) for node in nodes[:-1]):
            raise self._refusal(name, self.ends)
        return nodes

    def _node(self, name: str, value: Any, depth: int) -> Iterable[Any]:
        if depth > self.deepest:
            raise LimitError(f"the {self.part} `{name}` {self.deep}")
        if (leaf := self.leaf(value)) is not None:
            return [leaf]
        keys = list(value) if isinstance(value, dict) else []
        named = keys if self.table.beside else keys[:1]
        for kind in (kind for word, kind in self.table.named.items() if word in named):
            fields = [self._field(name, kind, key, value.get(key)) for key in kind.fields]
            branches = self._branches(kind, fields, value)
            if None not in fields and branches is not None:
                inner = [self.nodes(name, each, depth + 1) for each in branches]
                return self.table.make(kind, fields, inner)
        raise self._refusal(name, self.unlike)

    def _field(self, part: str, kind: NodeKind, key: str, value: Any) -> Any:
        name = kind.fields[key]
        if name not in kind.limits:
            try:
                return self.fields[name](value)
            except UsageError as error:
                raise self._refusal(part, f": {error}") from None
        least, most = kind.limits[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self._refusal(part, f": `{key}` is a whole number from {least} to {most}")
        return value

    def _branches(self, kind: NodeKind, fields: list[Any], value: Mapping[str, Any]) -> Sequence[Any] | None:
        """The values of the branches; None where they cannot be some. Words before them become a field."""
        if kind.is_named:
            named = value[kind.word]
            if not (isinstance(named, dict) and named and all(map(self.is_word, named))):
                return None
            fields.append(tuple(named))
            return [*named.values()]
        if kind.count is None:
            return [value.get(key) for key in kind.branches]
        found = value.get(kind.branches[0].removesuffix("*"))
        fits = None not in fields and isinstance(found, list) and len(found) == kind.count(*fields)
        return found if fits else None

    def _refusal(self, name: str, said: str) -> UsageError:
        return UsageError(f"the {self.part} `{name}`{'' if said.startswith(':') else ' '}{said}")


Texts = Mapping[str | type, Callable[..., str]]
"""Texts of fields by their names or their types; of all others that of Python."""


def _leaf(texts: Texts, node: object) -> str:
    """A value that is no node of a table, which is written by its type."""
    return texts.get(node.__class__, str)(node)


def filled(pattern: str, node: object, texts: Texts, value_of: Callable[[Any, str], Any] = getattr) -> str:
    """A pattern with the fields of a node in the places of their names; what is behind a colon is told to the text."""
    words, fields = _pieces(pattern)
    get = texts.get
    written: list[object] = []  # "%s" writes what has no text of its own as Python does
    for name, more in fields:
        value = value_of(node, name)
        text = get(name) or get(value.__class__)
        written.append(value if text is None else text(value, more) if more else text(value))
    return words % tuple(written)


@cache
def _pieces(pattern: str) -> tuple[str, tuple[tuple[str, str | None], ...]]:
    """The words of a pattern with ``%s`` for each field, and for each its name and what is behind a colon."""
    pieces = [(words.replace("%", "%%"), name, more) for words, name, more, _ in Formatter().parse(pattern)]
    words = "".join(words + ("%s" if name else "") for words, name, _ in pieces)
    return words, tuple((name, more) for _, name, more in pieces if name)
