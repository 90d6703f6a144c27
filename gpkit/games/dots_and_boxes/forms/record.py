"""Positions and games of Dots and Boxes with what a rule list does there: what proves an exported list equal."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import exp
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.core.rng import stream
from gpkit.export.conformance import SCHEMA
from gpkit.export.registry import Subject
from gpkit.gamekit.state import end_of
from gpkit.games.dots_and_boxes.arrays import edges_of, mask_of
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_lists import choose, propose
from gpkit.games.dots_and_boxes.rules import State
from gpkit.genomes.graph import RuleList
from gpkit.matching.plan import Plan, plan_of
from gpkit.vm.keyed import keyed_uniform_readable

LUA = Path(__file__).parents[1] / "lua"
"""The folder of the hand-written Lua."""

NO_RULE = 0
"""Instead of the number of a rule, from 1: none acts."""

BETA, BEST = 10.0, 10
"""By how much quality counts where a rule is drawn by chance, and among how many of the best: sections III and IV of
Knittel, Bossomaier and Snyder (2007)."""


@dataclass(frozen=True, slots=True)
class RecordedPosition:
    """A position and what a list does there; sides count from 1, the horizontal ones row by row, then the vertical.

    Attributes:
        width, height: of the board, in boxes.
        drawn: the sides that are drawn.
        score: boxes of whoever is to draw less those of the other.
        rule: the number of the rule that acts, the first of several, from 1, or ``NO_RULE``.
        moves: the sides among which it chooses, ascending; all undrawn ones where no rule acts.
        key: of the random numbers for ``sampled``: the keyed numbers of ``(key, 1, 0)`` and of ``(key, 2, 0)``.
        sampled: of a learned list the side that is drawn by chance, see ``sample``; None for others.
    """

    width: int
    height: int
    drawn: tuple[int, ...]
    score: int
    rule: int
    moves: tuple[int, ...]
    key: int | None = None
    sampled: int | None = None


@dataclass(frozen=True, slots=True)
class Learned:
    """Learned values of the rules of a list, all of them.

    Attributes:
        qualities: by rule.
        weights: by rule what its chance is in proportion to.
    """

    qualities: tuple[float, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """A game of a list against itself.

    Attributes:
        key: of its random numbers: that of the move ``k``, from 1, is the keyed number of ``(key, k, 0)``.
        width, height: of the board, in boxes.
        sides: every side drawn, in order.
    """

    key: int
    width: int
    height: int
    sides: tuple[int, ...]


def learned_of(program: RuleList) -> Learned | None:
    """Learned values of the rules of a list; None if some of them have none."""
    qualities = [named.q for named in program.rules if named.q is not None]
    if len(qualities) < len(program.rules):
        return None
    top = max(qualities)
    return Learned(tuple(qualities), tuple(exp(BETA * (q - top)) for q in qualities))


def sample(
    learned: Learned, proposed: Sequence[tuple[int, ...]], legal: Sequence[int], uniforms: tuple[float, float]
) -> int:
    """The edge that is drawn by chance: of the best rules that may act one by weight, and one of its edges.

    Args:
        learned: about the rules.
        proposed: by rule its edges, ascending; none where it may not act.
        legal: all undrawn edges, among which is chosen where no rule may act.
        uniforms: two random numbers of [0, 1): for the rule and for the edge.
    """
    acting = [rule for rule, edges in enumerate(proposed) if edges]
    best = sorted(acting, key=lambda rule: (-learned.qualities[rule], rule))[:BEST]
    total = 0.0
    for rule in best:
        total += learned.weights[rule]
    edges: Sequence[int] = proposed[best[-1]] if best else legal
    left = uniforms[0] * total
    for rule in best:
        left -= learned.weights[rule]
        if left < 0.0:
            edges = proposed[rule]
            break
    return edges[int(uniforms[1] * len(edges))]


def recorded_positions(
    subject: Subject, count: int, purpose: str = "positions"
) -> tuple[RecordedPosition, ...]:
    """Recorded actions of a subject's list in random positions of its board."""
    rules, searches = Rules.from_options(subject.rules), plan_of(subject.program)
    states = list(random_positions(rules, count, subject.seed, purpose))
    return record_positions(searches, states, learned_of(subject.program))


def recorded_matches(subject: Subject, count: int, first: int = 1) -> tuple[RecordedMatch, ...]:
    """Games of the list of a subject against itself on its board."""
    rules, searches = Rules.from_options(subject.rules), plan_of(subject.program)
    keys = range(subject.seed * 1_000_000 + first, subject.seed * 1_000_000 + first + count)
    return tuple(record_match(searches, rules, key % (1 << 26)) for key in keys)


def record_positions(
    searches: Plan, states: Sequence[State], learned: Learned | None = None
) -> tuple[RecordedPosition, ...]:
    """Record the actions of a plan's rules in positions of one board that are not the end.

    Args:
        searches: of the rules.
        states: the positions.
        learned: about the rules, if they are to be drawn by chance, too.
    """
    if not states:
        return ()
    rules = states[0].board
    positions = np.array([mask_of(state.drawn) for state in states], dtype=np.int64)
    scores = [state.lead(state.current_player) for state in states]
    leads = sorted(set(scores))
    moves, acting = choose(searches, positions, leads, rules)
    proposed = propose(searches, positions, rules, scores) if learned is not None else moves
    found = []
    for number, (state, score) in enumerate(zip(states, scores, strict=True)):
        here = number, leads.index(score)
        allowed, drawn = sides(edges_of(int(moves[here]))), sides(sorted(state.drawn))
        record = RecordedPosition(rules.width, rules.height, drawn, score, int(acting[here]) + 1, allowed)
        if learned is not None:
            uniforms = (keyed_uniform_readable(number, 1, 0), keyed_uniform_readable(number, 2, 0))
            by_rule = [edges_of(int(mask)) for mask in proposed[number]]
            chosen = sample(learned, by_rule, state.legal_actions(), uniforms)
            record = replace(record, key=number, sampled=chosen + 1)
        found.append(record)
    return tuple(found)


def sides(edges: Iterable[int]) -> tuple[int, ...]:
    """Edges as they are counted in an export."""
    return tuple(edge + 1 for edge in edges)


def record_match(searches: Plan, rules: Rules, key: int) -> RecordedMatch:
    """The game of a list against itself; of equally good sides the random number chooses one."""
    state = State.begin(rules)
    drawn: list[int] = []

    def choose(state: State) -> int:
        moves = record_positions(searches, [state])[0].moves
        drawn.append(moves[int(keyed_uniform_readable(key, len(drawn) + 1, 0) * len(moves))])
        return drawn[-1] - 1

    end_of(state, choose)
    return RecordedMatch(key, rules.width, rules.height, tuple(drawn))


def random_positions(rules: Rules, count: int, seed: int, purpose: str) -> Iterator[State]:
    """Positions of games in which any side is drawn, each of a game of its own."""
    for number in range(count):
        rng = stream(seed, f"export {purpose}", number)
        state = State.begin(rules)
        for edge in rng.permutation(rules.edges)[: rng.integers(rules.edges)]:
            state = state.apply(int(edge))
        yield state


def conformance_lines(
    name: str, program: RuleList, positions: Sequence[RecordedPosition], games: Sequence[RecordedMatch]
) -> str:
    """Positions and games as JSON lines, after a line that says what they are of."""
    lines: list[Mapping[str, Any]] = [
        {
            "schema": SCHEMA,
            "program": name,
            "game": "dots_and_boxes",
            "rules": [named.name for named in program.rules],
        },
        *({"kind": "position", **asdict(position)} for position in positions),
        *({"kind": "game", **asdict(game)} for game in games),
    ]
    known = ({name: value for name, value in line.items() if value is not None} for line in lines)
    return "".join(f"{json.dumps(line)}\n" for line in known)
