"""The ladder of opponents in plain Python. Each opponent returns the edges from which it chooses at random.

The strategy comes from Berlekamp, "The Dots and Boxes Game" (2000): safe edges first, small gifts before large ones,
and the double-deal. A double-deal leaves two boxes to the opponent, who takes them and then has to open the next chain.
``kernel/opponents.py`` is the compiled version.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, reduce

from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.classes import best_of, mask_of, readable_value, table, values_of_edges
from gpkit.games.dots_and_boxes.kernel.opponents import LEFT_CLOSED, LEFT_OPEN
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesState, boxes_of_edges, edges_of_box
from gpkit.vm.keyed import keyed_uniform_readable

Policy = Callable[[DotsAndBoxesState], tuple[int, ...]]
"""A function that returns the edges from which a player chooses, in ascending order, in a position before the end of
the game."""


PERFECT = "optimal"
"""The name of the policy that needs a table of all positions."""


def drawn_edge(edges: tuple[int, ...], state: DotsAndBoxesState, key: int) -> int:
    """The edge that a player draws; the key of the game determines the random choice between equally good edges."""
    return edges[int(keyed_uniform_readable(key, len(state.drawn), 0) * len(edges))]


def captures(state: DotsAndBoxesState) -> tuple[int, ...]:
    """The edges that close a box."""
    return tuple(edge for edge in state.legal_actions() if state.closed_by(edge))


def safe_edges(state: DotsAndBoxesState) -> tuple[int, ...]:
    """The edges that give the opponent no box to take."""
    touching = boxes_of_edges(state.rules)
    return tuple(
        edge for edge in state.legal_actions() if all(state.undrawn_sides(box) > 2 for box in touching[edge])
    )


def gift(state: DotsAndBoxesState, edge: int) -> int:
    """The number of boxes that the opponent can take, one after the other, after an edge that closes none."""
    after = state.apply(edge)
    while takes := captures(after):
        after = after.apply(takes[0])
    return state.owners.count(NOBODY) - after.owners.count(NOBODY)


def smallest_gifts(state: DotsAndBoxesState) -> tuple[int, ...]:
    """The edges that give away as few boxes as possible, in a position where no box can be taken."""
    return best_of({edge: -gift(state, edge) for edge in state.legal_actions()})


@dataclass(frozen=True, slots=True)
class CaptureRun:
    """Boxes that can be taken one after the other.

    Attributes:
        boxes: the boxes, in the order in which they are taken.
        edges: the edges that take the boxes. In an open run, the last edge leads out of the run. In a closed run, one
            edge takes the last two boxes.
    """

    boxes: tuple[int, ...]
    edges: tuple[int, ...]

    @property
    def is_closed(self) -> bool:
        """Whether the run can be taken from both ends: it comes from a loop, or from a chain opened in the middle."""
        return len(self.edges) < len(self.boxes)

    @property
    def starts(self) -> tuple[int, ...]:
        """The edges that take a box of the run."""
        return tuple(sorted({self.edges[0], self.edges[-1]})) if self.is_closed else self.edges[:1]

    def double_deal(self) -> tuple[int, ...]:
        """The edge that leaves the run to the opponent; empty unless the run has two boxes, or four if it is closed."""
        if self.is_closed:
            return self.edges[1:2] if len(self.boxes) == LEFT_CLOSED else ()
        return self.edges[-1:] if len(self.boxes) == LEFT_OPEN else ()


def runs(state: DotsAndBoxesState) -> tuple[CaptureRun, ...]:
    """All runs of a position, with each closed run only once."""
    found = [_run(state, box) for box in range(state.rules.boxes) if state.undrawn_sides(box) == 1]
    return tuple(run for run in found if not run.is_closed or run.boxes[0] < run.boxes[-1])


def _run(state: DotsAndBoxesState, box: int) -> CaptureRun:
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


def pays(state: DotsAndBoxesState, run: CaptureRun) -> bool:
    """Whether it pays to leave the only run, because the rest of the board has only larger gifts and no safe edge."""
    rest = reduce(DotsAndBoxesState.apply, run.edges, state)
    if rest.is_terminal or safe_edges(rest):
        return False
    return min(gift(rest, edge) for edge in rest.legal_actions()) > len(run.boxes)


def greedy(state: DotsAndBoxesState) -> tuple[int, ...]:
    """Take a box if possible, else draw any edge."""
    return captures(state) or state.legal_actions()


def safe(state: DotsAndBoxesState) -> tuple[int, ...]:
    """Take a box if possible, else draw a safe edge, else draw any edge."""
    return captures(state) or safe_edges(state) or state.legal_actions()


def safe_and_small(state: DotsAndBoxesState) -> tuple[int, ...]:
    """Take a box if possible, else draw a safe edge, else give away as few boxes as possible."""
    return captures(state) or safe_edges(state) or smallest_gifts(state)


def chain(state: DotsAndBoxesState) -> tuple[int, ...]:
    """Play like ``safe_and_small``, but leave the last two boxes of the last chain if the rest is worth more."""
    found = runs(state)
    if len(found) == 1 and not found[0].is_closed and found[0].double_deal() and pays(state, found[0]):
        return found[0].double_deal()
    return safe_and_small(state)


def control(state: DotsAndBoxesState) -> tuple[int, ...]:
    """Play like ``chain``, but take the shortest run first, double-deal in loops, and make hard-hearted handouts."""
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


def perfect(state: DotsAndBoxesState) -> tuple[int, ...]:
    """Draw an edge with the greatest margin, found by exhaustive search; feasible only for few undrawn edges."""
    return best_of(values_of_edges(state, partial(readable_value, known={})))


def leads_by_table(state: DotsAndBoxesState) -> dict[int, int]:
    """The final lead of the player to draw after each edge, with perfect play, from a small board's table."""
    known, lead = table(state.board), state.lead(state.current_player)
    values = values_of_edges(state, lambda after: int(known[mask_of(after.drawn)]))
    return {edge: lead + value for edge, value in values.items()}


def perfect_by_table(state: DotsAndBoxesState) -> tuple[int, ...]:
    """The edges with the best final lead, from a small board's table."""
    return best_of(leads_by_table(state))


def chain_and_exact(edges: int) -> Policy:
    """A policy that plays like ``chain`` at first, and perfectly once at most ``edges`` edges are left."""
    return lambda state: perfect(state) if len(state.legal_actions()) <= edges else chain(state)


POLICIES: Mapping[str, Policy] = {
    "random": DotsAndBoxesState.legal_actions,
    "greedy": greedy,
    "safe": safe,
    "safe+min": safe_and_small,
    "chain": chain,
    "control": control,
    "chain+ex8": chain_and_exact(8),
    "chain+ex12": chain_and_exact(12),
    PERFECT: perfect_by_table,
}
"""The ladder, from the weakest policy to the perfect one; ``optimal`` plays on boards of up to 24 edges."""
