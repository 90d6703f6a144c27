"""The ladder of opponents, in plain Python: each says among which edges it chooses, all of them equally likely.

What strategy knows of the game is from Berlekamp, "The Dots and Boxes Game" (2000): safe edges first, small gifts
before large ones, and the double-deal, which leaves two boxes to the other player, who takes them and then has to open
the next chain. ``kernel/opponents.py`` is the compiled twin.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, reduce

from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.arrays import mask_of
from gpkit.games.dots_and_boxes.classes import best_of, readable_value, table, values_of_edges
from gpkit.games.dots_and_boxes.edges import boxes_of_edges, edges_of_box
from gpkit.games.dots_and_boxes.kernel.opponents import LEFT_CLOSED, LEFT_OPEN
from gpkit.games.dots_and_boxes.rules import State
from gpkit.vm.keyed import keyed_uniform_readable

Policy = Callable[[State], tuple[int, ...]]
"""The edges among which a player chooses, ascending, in a position that is not the end."""


PERFECT = "optimal"
"""The policy that needs a table of all positions."""


def drawn_edge(edges: tuple[int, ...], state: State, key: int) -> int:
    """The edge that a player draws, chosen at random from equally good ones by the key of the game."""
    return edges[int(keyed_uniform_readable(key, len(state.drawn), 0) * len(edges))]


def captures(state: State) -> tuple[int, ...]:
    """The edges that close a box."""
    return tuple(edge for edge in state.legal_actions() if state.closed_by(edge))


def safe_edges(state: State) -> tuple[int, ...]:
    """The edges after which none of their boxes can be taken."""
    touching = boxes_of_edges(state.rules)
    return tuple(
        edge for edge in state.legal_actions() if all(state.undrawn_sides(box) > 2 for box in touching[edge])
    )


def gift(state: State, edge: int) -> int:
    """Number of boxes that the other player can take, one after another, when this edge is drawn and closes none."""
    after = state.apply(edge)
    while takes := captures(after):
        after = after.apply(takes[0])
    return state.owners.count(NOBODY) - after.owners.count(NOBODY)


def smallest_gifts(state: State) -> tuple[int, ...]:
    """The edges that give away as few boxes as possible, where nothing can be taken."""
    return best_of({edge: -gift(state, edge) for edge in state.legal_actions()})


@dataclass(frozen=True, slots=True)
class CaptureRun:
    """Boxes that can be taken one after the other.

    Attributes:
        boxes: in the order in which they are taken.
        edges: the edge that takes each of them; of an open run the last one leads out of it, in a closed one the
            last two boxes are taken with one edge.
    """

    boxes: tuple[int, ...]
    edges: tuple[int, ...]

    @property
    def is_closed(self) -> bool:
        """Whether the run can be taken from both ends: what is left of a loop, or of a chain opened inside."""
        return len(self.edges) < len(self.boxes)

    @property
    def starts(self) -> tuple[int, ...]:
        """The edges that take a box of the run."""
        return tuple(sorted({self.edges[0], self.edges[-1]})) if self.is_closed else self.edges[:1]

    def double_deal(self) -> tuple[int, ...]:
        """The edge that leaves the run to the other player; none unless two boxes, of a closed run four, remain."""
        if self.is_closed:
            return self.edges[1:2] if len(self.boxes) == LEFT_CLOSED else ()
        return self.edges[-1:] if len(self.boxes) == LEFT_OPEN else ()


def runs(state: State) -> tuple[CaptureRun, ...]:
    """All runs of a position; a closed one once."""
    found = [_run(state, box) for box in range(state.rules.boxes) if state.undrawn_sides(box) == 1]
    return tuple(run for run in found if not run.is_closed or run.boxes[0] < run.boxes[-1])


def _run(state: State, box: int) -> CaptureRun:
    boxes: list[int] = [box]
    edges: list[int] = []
    while here := [
        s for s in edges_of_box(boxes[-1], state.rules) if s not in state.drawn and s not in edges
    ]:
        edges += here
        across = [each for each in boxes_of_edges(state.rules)[here[0]] if each != boxes[-1]]
        if not across or state.undrawn_sides(across[0]) > 2:
            break
        boxes += across
    return CaptureRun(tuple(boxes), tuple(edges))


def pays(state: State, run: CaptureRun) -> bool:
    """Whether to leave the only run of a position: the rest of the board has no safe edge and only larger gifts."""
    rest = reduce(State.apply, run.edges, state)
    if rest.is_terminal or safe_edges(rest):
        return False
    return min(gift(rest, edge) for edge in rest.legal_actions()) > len(run.boxes)


def greedy(state: State) -> tuple[int, ...]:
    """Take a box if there is one, else draw anything."""
    return captures(state) or state.legal_actions()


def safe(state: State) -> tuple[int, ...]:
    """Take a box, else draw a safe edge, else anything."""
    return captures(state) or safe_edges(state) or state.legal_actions()


def safe_and_small(state: State) -> tuple[int, ...]:
    """Take a box, else draw a safe edge, else give away as little as possible."""
    return captures(state) or safe_edges(state) or smallest_gifts(state)


def chain(state: State) -> tuple[int, ...]:
    """As ``safe_and_small``, but leave the last two boxes of the last chain where the rest brings more."""
    found = runs(state)
    if len(found) == 1 and not found[0].is_closed and found[0].double_deal() and pays(state, found[0]):
        return found[0].double_deal()
    return safe_and_small(state)


def control(state: State) -> tuple[int, ...]:
    """As ``chain``, and more careful: shortest run first, double-deals in loops, hard-hearted gifts of two boxes."""
    found = runs(state)
    if len(found) == 1 and found[0].double_deal() and pays(state, found[0]):
        return found[0].double_deal()
    if found:
        shortest = min(len(run.boxes) for run in found)
        return tuple(sorted({edge for run in found if len(run.boxes) == shortest for edge in run.starts}))
    touching, gifts = boxes_of_edges(state.rules), safe_edges(state) or smallest_gifts(state)
    between = tuple(  # of gifts of two boxes the edge between them leaves the other player no double-deal
        edge
        for edge in gifts
        if len(touching[edge]) == 2
        and all(state.undrawn_sides(box) == 2 for box in touching[edge])
        and gift(state, edge) == LEFT_OPEN
    )
    return between or gifts


def perfect(state: State) -> tuple[int, ...]:
    """Whatever brings the greatest margin, found by trying everything: for few edges."""
    return best_of(values_of_edges(state, partial(readable_value, known={})))


def leads_by_table(state: State) -> dict[int, int]:
    """The final lead of whoever draws each edge, if both then play perfectly, from a small board's table."""
    known, lead = table(state.board), state.lead(state.current_player)
    values = values_of_edges(state, lambda after: int(known[mask_of(after.drawn)]))
    return {edge: lead + value for edge, value in values.items()}


def perfect_by_table(state: State) -> tuple[int, ...]:
    """The edges with the best final lead, from a small board's table."""
    return best_of(leads_by_table(state))


def chain_and_exact(edges: int) -> Policy:
    """As ``chain``, and perfect when at most so many edges are left."""
    return lambda state: perfect(state) if len(state.legal_actions()) <= edges else chain(state)


POLICIES: Mapping[str, Policy] = {
    "random": State.legal_actions,
    "greedy": greedy,
    "safe": safe,
    "safe+min": safe_and_small,
    "chain": chain,
    "control": control,
    "chain+ex8": chain_and_exact(8),
    "chain+ex12": chain_and_exact(12),
    PERFECT: perfect_by_table,
}
"""The ladder, from the weakest to the perfect one; ``optimal`` plays on boards of up to 24 edges."""
