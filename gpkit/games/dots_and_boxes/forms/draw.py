"""Pictures for ``gpkit draw`` of a rule of a list, a rule in a position, or a position."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.board import read_position
from gpkit.games.dots_and_boxes.classes import CLASS_BOXES, TABLE_EDGES, box_sides, classes, state_of
from gpkit.games.dots_and_boxes.facts import decide
from gpkit.games.dots_and_boxes.forms.embedding import (
    embedding_picture,
    heading_of,
    state_picture,
)
from gpkit.games.dots_and_boxes.rule_lists import propose
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.genomes.graph import Rule, RuleList
from gpkit.languages.rulegraph.forms.draw import rule_picture
from gpkit.languages.rulegraph.text import RuleSource
from gpkit.matching.plan import plan
from gpkit.show.graph import Picture
from gpkit.show.render import render

SAMPLE = 20_000
"""The number of random positions to search if a board has too many classes."""


def file_picture(path: str, form: str) -> bytes:
    """The picture of the position in a file, in a format of ``render``.

    Raises:
        UsageError: the file cannot be read or does not contain a board.
    """
    return render(state_picture(read_position(path), title=Path(path).name), form)


def chosen_picture(source: RuleSource, rule: str | None, board: str | None, title: str, seed: int) -> Picture:
    """The picture of one rule of a list, in a position if ``board`` names one.

    Args:
        source: the parsed file of the list.
        rule: the name or number of the rule, or None for the only rule, or for the rule that acts in a file's position.
        board: the path of a file with a position, or the size of a board.
        title: the title of the file.
        seed: the seed of the random positions on boards with too many classes.

    Raises:
        UsageError: there is no such rule or position, or it is unclear which rule is meant.
    """
    program = source.program
    number = _number(program, rule) if rule is not None else 1 if len(program.rules) == 1 else None
    if board is None:
        assert number is not None, "a rule is named where no board is"
        return rule_picture(
            program,
            number,
            title=heading_of(program, number, title),
            text=source.text,
        )
    if re.fullmatch(r"[0-9]+x[0-9]+", board) and not Path(board).exists():
        rules = DotsAndBoxesRules.from_options({"board": board})
        if number is None:
            raise UsageError(
                f"{title} has {len(program.rules)} rules; choose one with --rule, by name or number"
            )
        state = _found(
            program.rules[number - 1].rule,
            rules,
            heading_of(program, number, title),
            seed,
        )
    else:
        state = read_position(board)
        if state.is_terminal:
            raise UsageError(f"on {board} all sides are drawn, so no rule can act")
        number = number or decide(program, state).rule + 1
        if not number:
            raise UsageError(f"no rule of {title} can act on {board}; with --rule the picture shows why")
    return embedding_picture(program, number, state, title=title, text=source.text)


def _number(program: RuleList, rule: str) -> int:
    """The number of the rule with this name or number."""
    names = {named.name: number for number, named in enumerate(program.rules, 1) if named.name}
    known = {str(number): number for number in range(1, len(program.rules) + 1)} | names
    if rule in known:
        return known[rule]
    fix = suggestion(rule, names) or "rules without names have numbers"
    raise UsageError(f"there is no rule `{rule}` among the {len(program.rules)} rules; {fix}")


def _found(rule: Rule, rules: DotsAndBoxesRules, heading: str, seed: int) -> DotsAndBoxesState:
    """The middle one of the positions in which a rule may act, with owners for the closed boxes.

    Raises:
        UsageError: no position was found.
    """
    if rules.edges <= TABLE_EDGES and rules.boxes <= CLASS_BOXES:
        positions, looked_at = classes(rules).positions[:-1], "any position"
    else:
        rng = stream(seed, "draw positions")
        undrawn = rng.random((SAMPLE, rules.edges)) > rng.random((SAMPLE, 1))
        undrawn[np.arange(SAMPLE), rng.integers(rules.edges, size=SAMPLE)] = True
        bits = np.int64(1) << np.arange(rules.edges, dtype=np.int64)
        positions, looked_at = np.where(undrawn, 0, bits).sum(axis=1), f"any of {SAMPLE:,} random positions"
    closed = sum(((positions & sides) == sides).astype(np.int64) for sides in box_sides(rules))
    searches = plan([rule])
    for lead in sorted(range(-rules.boxes, rules.boxes + 1), key=abs):
        fitting = positions[(closed >= abs(lead)) & ((closed - lead) % 2 == 0)]
        acting = fitting[propose(searches, fitting, rules, lead)[:, 0] != 0]
        if len(acting):
            state = state_of(int(acting[len(acting) // 2]), rules)  # player 0 is to draw
            closed_boxes = [box for box in range(rules.boxes) if not state.undrawn_sides(box)]
            own = (len(closed_boxes) + lead) // 2
            owners = {box: int(k >= own) for k, box in enumerate(closed_boxes)}
            return replace(state, owners=tuple(owners.get(box, NOBODY) for box in range(rules.boxes)))
    raise UsageError(
        f"{heading} cannot act in {looked_at} of {rules.width}x{rules.height}; name a file with a position"
    )
