"""Node tables: the kinds of nodes of a language, each with its words, its fields and its branches.

From a row follow the line that a printer writes of a node, its label in pictures, and its JSON both ways.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from string import Formatter
from typing import Any


@dataclass(frozen=True, slots=True)
class NodeKind:
    """One kind of node.

    Attributes:
        make: the class of its nodes.
        head: how it is written without its branches: words, and its fields in braces; the first word is its name.
        label: how it is labelled in pictures, in the same way.
        branches: the names of its branches in JSON; one that ends in ``*`` is a list of all of them.
        keys: the names in JSON of fields before which no word stands, where they are others.
        hidden: fields that are not in the head, but in JSON.
        limits: the least and the greatest value of fields that count.
    """

    make: Callable[..., Any]
    head: str
    label: str
    branches: tuple[str, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def word(self) -> str:
        """Its name: the first word of its head."""
        return self.head.split(" ", 1)[0]

    @property
    def fields(self) -> dict[str, str]:
        """Its fields by their names in JSON: each has that of the word before it."""
        written = ((words.strip(), name) for words, name, _, _ in Formatter().parse(self.head) if name)
        return {word or self.keys.get(name, name): name for word, name in written} | {
            name: name for name in self.hidden
        }

    def json(self, node: Any, value: Callable[[Any], Any], branches: Iterable[Any]) -> dict[str, Any]:
        """A node as an object, given what its fields and its branches are in JSON."""
        found = {key: value(getattr(node, name)) for key, name in self.fields.items()}
        if self.branches[:1] and self.branches[0].endswith("*"):
            return found | {self.branches[0][:-1]: list(branches)}
        return found | dict(zip(self.branches, branches, strict=True))


class NodeTable:
    """The kinds of nodes of a language."""

    def __init__(self, *kinds: NodeKind) -> None:
        self.named = {kind.word: kind for kind in kinds}
        self._kinds = {kind.make: kind for kind in kinds}

    def __iter__(self) -> Iterator[NodeKind]:
        return iter(self._kinds.values())

    def kind(self, node: object) -> NodeKind:
        """The kind of a node."""
        return self._kinds[type(node)]

    def head(self, node: object, texts: "Texts") -> str:
        """The line of a node, without its branches."""
        return filled(self.kind(node).head, node, texts)

    def label(self, node: object, texts: "Texts") -> str:
        """The label of a node in pictures."""
        return filled(self.kind(node).label, node, texts)


Texts = Mapping[str | type, Callable[..., str]]
"""Texts of fields by their names or their types; of all others that of Python."""


def filled(pattern: str, node: object, texts: Texts) -> str:
    """A pattern with the fields of a node in the places of their names; what is behind a colon is told to the text."""
    words, fields = _pieces(pattern)
    get = texts.get
    written: list[object] = []  # "%s" writes what has no text of its own as Python does
    for name, more in fields:
        value = getattr(node, name)
        text = get(name) or get(value.__class__)
        written.append(value if text is None else text(value, more) if more else text(value))
    return words % tuple(written)


@cache
def _pieces(pattern: str) -> tuple[str, tuple[tuple[str, str | None], ...]]:
    """The words of a pattern with ``%s`` for each field, and for each its name and what is behind a colon."""
    pieces = [(words.replace("%", "%%"), name, more) for words, name, more, _ in Formatter().parse(pattern)]
    words = "".join(words + ("%s" if name else "") for words, name, _ in pieces)
    return words, tuple((name, more) for _, name, more in pieces if name)
