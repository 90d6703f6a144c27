"""Pictures and JSON of programs in a user's language: both show Lark's tree."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from lark import Token

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.derivation import PART, Derivation
from gpkit.genomes.tree import FlatTree, Sections

if TYPE_CHECKING:
    from gpkit.export.json import Membership
    from gpkit.export.subject import Subject
    from gpkit.show.pictures import Drawing
    from gpkit.user_languages.declare import Own

MEMBER = "derivation"
"""The key of the program in JSON, the same in all users' languages."""

DEEPEST = 300
"""The maximum number of levels of a tree in JSON."""


def drawing(own: "Own") -> "Drawing":
    """The form ``draw``: pictures with a box for each rule and a rounded box for each word."""
    from gpkit.show.graph import BLUE, GREEN, tinted
    from gpkit.show.pictures import Drawing
    from gpkit.show.trees import FlowAnnotations, FlowStyle, change_picture, flow_chart

    looks = {
        "rule": {"shape": "box"} | tinted(BLUE),
        "word": {"shape": "box", "style": "rounded,filled"} | tinted(GREEN),
    }

    def kind(tree: FlatTree[Any], place: int) -> str:
        return "word" if isinstance(tree.symbols[place], Token) else "rule"

    def text(tree: FlatTree[Any], place: int) -> str:
        return str(tree.symbols[place])

    style = FlowStyle(
        looks=looks,
        kind=kind,
        same=lambda tree, place: f"{kind(tree, place)} {len([*tree.children(place)])}",
        label=text,
        name=text,
        branch=lambda tree, place, number: "",
        meanings=lambda tree, place, primitives: [],
        first=lambda tree: [(0, "")],
        held=lambda tree, place: [(child, "") for child in tree.children(place)],
    )

    def picture(
        program: Derivation, header: Mapping[str, str], primitives: PrimitiveSet | None, title: str, text: str
    ) -> Any:
        return flow_chart(shown(own, program), [FlowAnnotations()], style, None, title, text)

    def change(parent: Derivation, child: Derivation, title: str, text: str) -> Any:
        return change_picture(shown(own, parent), shown(own, child), title, text, style.node_style)

    return Drawing(picture, change)


def shown(own: "Own", program: Derivation) -> Sections[Any]:
    """Lark's tree of a program, as a flat tree of rule names and tokens."""
    symbols, counts, waiting = list[Any](), list[int](), [own.meaning.tree(program)]
    while waiting:
        each = waiting.pop()
        children = [] if isinstance(each, Token) else [child for child in each.children if child is not None]
        symbols.append(each if isinstance(each, Token) else str(each.data))
        counts.append(len(children))
        waiting += children[::-1]
    return Sections((PART,), (FlatTree.from_prefix(symbols, counts),))


def membership(own: "Own") -> "Membership":
    """The form ``json``: the program's text, from which gpkit can read the program, and Lark's tree in nested lists."""
    from gpkit.export.json import Membership

    return Membership(MEMBER, partial(_members, own), partial(_read, own))


def _members(own: "Own", subject: "Subject") -> Mapping[str, Any]:
    tree = shown(own, subject.program).trees[0]
    if tree.depth > DEEPEST:
        raise LimitError(f"the tree is deeper than {DEEPEST} nodes")
    nodes: list[Any] = []
    for place in range(len(tree) - 1, -1, -1):
        symbol, count = tree.symbols[place], len([*tree.children(place)])
        below = [nodes.pop() for _ in range(count)]
        nodes.append(str(symbol) if isinstance(symbol, Token) else [symbol, *below])
    return {MEMBER: {"text": own.grammar.print(subject.program), "tree": nodes[0]}}


def _read(
    own: "Own", value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[Derivation, Mapping[str, str]]:
    member = value.get(MEMBER)
    text = member.get("text") if isinstance(member, dict) else None
    if not isinstance(text, str):
        raise UsageError(f"a program needs `{MEMBER}`, an object with the program's `text`")
    return own.parse(text, "text").program, {}
