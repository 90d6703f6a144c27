"""Draws decision trees: tests as diamonds, chances as circles, leaves as boxes, dead branches in grey."""

from collections.abc import Mapping, Sequence

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import DecisionProgram, DecisionTree, Switch
from gpkit.genomes.tree import sensors_of
from gpkit.languages.decision.simplify import unreached
from gpkit.languages.decision.text import NODES, DecisionSource
from gpkit.playing.decisions import Evaluation
from gpkit.playing.trace import Step, coverage
from gpkit.show.graph import BLUE, GREEN, PURPLE, Picture, game_caption, tinted
from gpkit.show.pictures import Drawing
from gpkit.show.trees import LABELS, FlowAnnotations, FlowStyle, change_picture, flow_chart

_LOOKS: Mapping[str, dict[str, str]] = {
    "test": {"shape": "diamond", "margin": "0.02,0.02"} | tinted(BLUE),
    "switch": {"shape": "diamond", "margin": "0.02,0.02"} | tinted(BLUE),
    "chance": {"shape": "circle", "margin": "0.02"} | tinted(PURPLE),
    "leaf": {"shape": "box"} | tinted(GREEN),
}


def picture(
    program: DecisionProgram,
    header: Mapping[str, str],
    primitives: PrimitiveSet | None,
    title: str,
    text: str,
) -> Picture:
    """A picture of all trees; branches that no inputs reach are grey."""
    annotations = [FlowAnnotations(_dead(tree, primitives)) for tree in program.trees]
    return flow_chart(program, annotations, STYLE, primitives, title, text)


def change(parent: DecisionProgram, child: DecisionProgram, title: str, text: str) -> Picture:
    """A picture that shows what changed between two programs."""
    return change_picture(parent, child, title, text, STYLE.node_style)


def traced(
    source: DecisionSource,
    primitives: PrimitiveSet | None,
    steps: Sequence[Step],
    name: str,
    place: str,
    until: str,
) -> Picture:
    """A picture of all trees; nodes that the game did not visit for any candidate are grey."""
    program, found = source.program, coverage(steps)
    annotations = []
    for section, tree in program.parts.items():
        visited, values = found.get(section, (frozenset(), {}))
        annotations.append(FlowAnnotations(_dead(tree, primitives), dict.fromkeys(visited, 1), values))
    title = game_caption(name, place, "what the game visited", until)
    return flow_chart(program, annotations, STYLE, primitives, title, source.text)


def valued_text(evaluation: Evaluation) -> str:
    """An evaluation as text: the tree with the values that its nodes tested."""
    values = evaluation.node_values()
    annotations = FlowAnnotations(visited=dict.fromkeys(values, 1), values=values)
    return "\n".join([evaluation.section, *STYLE.lines(evaluation.tree, annotations)])


def _dead(tree: DecisionTree, primitives: PrimitiveSet | None) -> frozenset[int]:
    return unreached(tree, primitives.sensors if primitives else ())


def _kind(tree: DecisionTree, position: int) -> str:
    return NODES.kind(tree.symbols[position]).word


def _branch(tree: DecisionTree, position: int, branch: int) -> str:
    return NODES.words(tree.symbols[position])[branch].removesuffix(".0")


def _meanings(tree: DecisionTree, position: int, primitives: PrimitiveSet) -> list[str]:
    """The meanings of the sensors that a node reads."""
    node = tree.symbols[position]
    names = sensors_of(node.feature) if isinstance(node, Comparison | Switch) else ()
    return [sensor.meaning for sensor in map(primitives.sensor, names) if sensor]


STYLE = FlowStyle(
    looks=_LOOKS,
    kind=_kind,
    same=lambda tree, position: f"{_kind(tree, position)} {len([*tree.children(position)])}",
    label=lambda tree, position: NODES.label(tree.symbols[position], LABELS),
    name=lambda tree, position: NODES.head(tree.symbols[position]),
    branch=_branch,
    meanings=_meanings,
    first=lambda tree: [(0, "")],
    held=lambda tree, position: [
        (child, _branch(tree, position, number)) for number, child in enumerate(tree.children(position))
    ],
)
"""The style of decision trees in flow charts; switches with different numbers of intervals count as different kinds."""


DRAWING = Drawing(picture, change, traced, valued_text)
