"""A rule in a position: where its nodes lie, which side it draws, or why it may not act."""

from collections.abc import Sequence
from itertools import islice

from gpkit.draw.graph import Picture
from gpkit.games.dots_and_boxes.board import board_text, box_name, edge_name
from gpkit.games.dots_and_boxes.forms.position import Found, position_dot
from gpkit.games.dots_and_boxes.rule_lists import edges_of_rule
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.state_graph import StateGraph, state_graph
from gpkit.genomes.graph import Rule, RuleList
from gpkit.genomes.graph_order import canonical
from gpkit.languages.rulegraph.printer import node_name, print_rule
from gpkit.matching.explain import explain, sentence
from gpkit.matching.reference import Embedding, images_under, rule_embeddings

_TRIED = 500
"""Of so many embeddings the first by the numbers of its nodes is drawn."""


def state_picture(state: State, *, title: str) -> Picture:
    """The picture of a position and its graph."""
    return Picture(title, position_dot(state, caption=title), board_text(state), _nodes(state))


def embedding_picture(
    program: RuleList, number: int, state: State, *, title: str, text: str = "", drawn: int | None = None
) -> Picture:
    """The picture of a rule of a list in a position that is not the end.

    Args:
        program: the list.
        number: of the rule, from 1.
        state: the position.
        title: of the picture; what the rule does is added.
        text: the program's own, for pages.
        drawn: the edge that was drawn by this rule, if one was.
    """
    rule = canonical(program.rules[number - 1].rule)
    position, lead = state_graph(state), state.lead(state.current_player)
    heading = heading_of(program, number, title)
    embedding, found = find(rule, position, lead, drawn) or ((), Found())
    if not embedding:
        obstacle = explain(rule, position.graph, lead)
        assert obstacle is not None, "a rule without an embedding has an obstacle"
        said = [f"cannot act: {sentence(obstacle, rule, position.graph, lead)}"]
        dot = position_dot(state, found, caption=f"{heading} {said[0]}")
    else:
        others = [edge_name(edge, state.board) for edge in found.proposed if edge != found.chosen]
        more = f", or {', '.join(others)}" if others else ""
        said = [f"draw {edge_name(found.chosen, state.board)}{more}"]
        for node, there in enumerate(embedding):
            boxes = " ".join(box_name(box, state.board) for box in position.boxes[there])
            said.append(f"{node_name(rule.graph, node)} is {boxes}")
        dot = position_dot(state, found, caption=heading)
    lines = "\n".join([heading, print_rule(rule), *said])
    return Picture(heading, dot, f"{board_text(state)}\n{lines}\n", _nodes(state), text)


def heading_of(program: RuleList, number: int, title: str) -> str:
    """Heading of a rule: after that of its list its number there, from 1, and its name if it has one."""
    shown = f"rule {number} {program.rules[number - 1].name}".rstrip()
    return f"{title}, {shown}" if title else f"R{shown[1:]}"


def find(
    rule: Rule, position: StateGraph, lead: int, drawn: int | None = None
) -> tuple[Embedding, Found] | None:
    """An embedding of a rule and what it says; None if the rule may not act.

    Args:
        rule: of any level.
        position: the position.
        lead: boxes of whoever is to draw less those of the other.
        drawn: an edge that the rule proposes, to find an embedding that does; None for any embedding.
    """

    def edges(embedding: Embedding) -> tuple[int, ...]:
        images = sorted(images_under(rule, embedding, position.graph))
        return tuple(edge for image in images for edge in position.edges_of(image))

    embeddings = rule_embeddings(rule, position.graph, lead)
    embedding = min(
        islice((each for each in embeddings if drawn in (None, *edges(each))), _TRIED), default=None
    )
    if embedding is None:
        return None
    chosen = edges(embedding)[0] if drawn is None else drawn
    numbers = {box: node for node, there in enumerate(embedding) for box in position.boxes[there]}
    proposed = edges_of_rule(rule, position, lead)
    return embedding, Found(numbers, frozenset(_edges(rule, embedding, position, chosen)), chosen, proposed)


def _edges(rule: Rule, embedding: Embedding, position: StateGraph, chosen: int) -> Sequence[int]:
    """The edges that an embedding takes: those of the rule, those inside its chains, and the one to draw."""
    taken = [chosen]

    def take(edges: Sequence[int], count: int) -> None:
        taken.extend(sorted(edges, key=lambda edge: edge != chosen)[:count])

    for low, high, count in rule.graph.links:
        here, there = sorted((embedding[low], embedding[high]))
        at = next(k for k, link in enumerate(position.graph.links) if link[:2] == (here, there))
        take(position.edges[at], count if low != high else len(position.edges[at]))
    for node, there in enumerate(embedding):
        take(position.grounds[there], rule.graph.grounds[node])
        taken += position.paths[there][1:-1]
    return taken


def _nodes(state: State) -> int:
    return (state.board.width + 2) * (state.board.height + 2) * 2
