"""Draws linear programs: their blocks as listings side by side, and arrows for the paths between blocks.

A line that depends on conditions is indented below those conditions. Lines that have no effect are grey, and lines that
the program never reaches are struck out. If there are counts from a traced game, every line shows how often it ran.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.languages.sinking.interpreter import Flow
from gpkit.languages.sinking.text import SinkingSource, dialect_of
from gpkit.playing.trace import Step, executions
from gpkit.show.graph import (
    BLUE,
    FAINT,
    INK,
    LINE,
    ORANGE,
    PALE,
    PAPER,
    TINTS,
    VERMILLION,
    Picture,
    Sample,
    blend,
    game_caption,
    new_graph,
    plain,
    rich,
)
from gpkit.show.pictures import Drawing
from gpkit.show.trees import GUTTERS, State, compared

Remark = Literal["", "has no effect", "never reached"]

INDENT = 3
"""The number of spaces by which a line is indented for each condition that it depends on."""


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line in a picture.

    Attributes:
        word: the instruction; empty for the end of a block.
        depth: the number of conditions directly above it that it depends on.
        remark: a remark on a line without effect.
        leads_to: the number of the block to which a jump or the end of a block leads; −1 for other lines.
        level: the level of the instruction.
        meaning: the meaning of the instruction.
    """

    word: str
    depth: int
    remark: Remark
    leads_to: int
    level: int
    meaning: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A program in a picture.

    Attributes:
        names: the names of the blocks.
        lines: the lines of each block, and then a line for the end of the block if the program reaches it.
        counts: the number of times that each line ran in a traced game; None without a game.
    """

    names: tuple[str, ...]
    lines: tuple[tuple[DrawnLine, ...], ...]
    counts: Mapping[Place, int] | None = None


def listing_of(
    program: LinearProgram,
    header: Mapping[str, str],
    primitives: PrimitiveSet,
    counts: Mapping[Place, int] | None = None,
) -> Listing:
    """The listing of a program in the dialect of its header.

    Raises:
        KeyError: a word of the program is unknown.
        UsageError: the header gives a switch an invalid value.
    """
    flow = Flow(program, dialect_of(header, primitives), primitives)

    def line(place: Place, depth: int) -> DrawnLine:
        word = program.word(place)
        idle: Remark = "has no effect" if place in flow.introns else ""
        known = flow.words.get(word)
        return DrawnLine(
            word,
            depth,
            idle if place in flow.certain[0] else "never reached",
            flow.ways[place][0][0] if word in ("", "Jump") else -1,
            known.level if known else 0,
            known.meaning if known else "the end of the block",
        )

    blocks = []
    for block, lines in enumerate(program.blocks):
        guards = (word in flow.conditions for word in lines)
        depths = [*accumulate(guards, lambda depth, guard: (depth + 1) * guard, initial=0)]
        drawn = (line((block, number), depth) for number, depth in enumerate(depths[:-1]))
        end = line((block, len(lines)), 0)
        blocks.append((*drawn, *[end] * (end.remark != "never reached")))
    return Listing(program.names, tuple(blocks), counts)


def picture(
    program: LinearProgram, header: Mapping[str, str], primitives: PrimitiveSet | None, title: str, text: str
) -> Picture:
    """A picture of all blocks in the dialect of the header."""
    assert primitives is not None, "the meaning of a sinking program depends on its game"
    return _picture(listing_of(program, header, primitives), title, text)


def traced(
    source: SinkingSource,
    primitives: PrimitiveSet | None,
    steps: Sequence[Step],
    name: str,
    place: str,
    until: str,
) -> Picture:
    """A picture of all blocks that shows how often each line ran."""
    assert primitives is not None, "a game was played"
    return _picture(
        listing_of(source.program, source.header, primitives, executions(steps)),
        game_caption(name, place, "how often each line was executed", until),
        source.text,
    )


def _picture(listing: Listing, title: str, text: str) -> Picture:
    nodes = sum(map(len, listing.lines))
    return Picture(title, blocks_dot(listing, caption=title), blocks_text(listing), nodes, text)


def blocks_text(listing: Listing) -> str:
    """A listing as text, with line numbers, instructions, jump targets, counts and remarks."""
    shown = []
    for block, lines in enumerate(listing.lines):
        rows = [listing.names[block]]
        for number, line in enumerate(lines):
            count = f"{listing.counts.get((block, number), 0):>7} " if listing.counts is not None else ""
            mark = f"{number + 1:4}  {'':{INDENT * line.depth}}{line.word}" if line.word else "      "
            if line.leads_to >= 0:
                sign = "\N{RIGHTWARDS ARROW}" if line.word else "\N{ANTICLOCKWISE OPEN CIRCLE ARROW}"
                mark += f"{' ' if line.word else ''}{sign} {listing.names[line.leads_to]}"
            remark = f"  ({line.remark})" if line.remark else ""
            level = "  (level 1)" if line.level else ""
            rows.append(f"{count}{mark}{level}{remark}".rstrip())
        shown.append("\n".join(rows))
    return "\n\n".join(shown) + "\n"


def blocks_dot(listing: Listing, *, caption: str = "") -> str:
    """A listing as DOT text: a table for each block, and arrows for jumps and for ends of blocks."""
    remarks = {line.remark for lines in listing.lines for line in lines if line.word}
    samples = (
        (True, Sample(PAPER, INK, "matters")),
        ("has no effect" in remarks, Sample(PALE, FAINT, "has no effect")),
        ("never reached" in remarks, Sample(PAPER, FAINT, "never reached", dashed=True)),
        (
            any(line.level for lines in listing.lines for line in lines),
            Sample(TINTS[BLUE], BLUE, "beyond the source"),
        ),
    )
    legend = [sample for is_drawn, sample in samples if is_drawn]
    graph = new_graph(caption, legend if len(legend) > 1 else ())
    graph.attr(rankdir="LR", ranksep="0.9")
    graph.attr("edge", arrowhead="normal", arrowsize="0.7")
    most = max(listing.counts.values(), default=0) if listing.counts else 0
    for block, lines in enumerate(listing.lines):
        rows = "".join(_row(listing, block, number, line, most) for number, line in enumerate(lines))
        label = _table(listing.names[block], rows, 2 if listing.counts is None else 3)
        tip = "; ".join(f"{k} {line.word}: {line.meaning}" for k, line in enumerate(lines, 1) if line.word)
        graph.node(f"b{block}", label, shape="plaintext", style="", tooltip=plain(tip))
    for block, lines in enumerate(listing.lines):
        for number, line in enumerate(lines):
            if line.leads_to in (-1, block) or (line.word and line.remark):
                continue
            look = {"color": INK} if line.word else {"color": FAINT, "style": "dashed"}
            forward = line.leads_to > block
            graph.edge(
                f"b{block}:l{number}:e",
                f"b{line.leads_to}:top:{'w' if forward else 'n'}",
                _attributes=look if forward else {**look, "constraint": "false"},
            )
    return str(graph.source)


def _table(title: str, rows: str, columns: int = 1) -> str:
    """An HTML-like label with rows under a title."""
    head = (
        f'<tr><td port="top" colspan="{columns}" align="left" bgcolor="{PALE}"><b>{rich(title)}</b></td></tr>'
    )
    return (
        f'<<table border="1" cellborder="0" cellspacing="0" cellpadding="3" bgcolor="{PAPER}" color="{LINE}">'
        f"{head}{rows}</table>>"
    )


def _row(listing: Listing, block: int, number: int, line: DrawnLine, most: int) -> str:
    colour = FAINT if line.remark or not line.word else BLUE if line.level else INK
    name = rich(line.word or f"back to {listing.names[line.leads_to]}")
    shown = f"<s>{name}</s>" if line.remark == "never reached" else name
    blanks = "&#160;" * (INDENT * line.depth)
    fill = PALE if line.remark == "has no effect" else PAPER
    label = str(number + 1) if line.word else "&#160;"
    cells = [
        f'align="right"><font point-size="10" color="{FAINT}">{label}',
        f'align="left"><font color="{colour}">{blanks}{shown}',
    ]
    if listing.counts is not None:
        times = listing.counts.get((block, number), 0)
        fill = blend(PAPER, TINTS[ORANGE], 0.25 + 0.75 * times / most) if times else PAPER
        cells.append(f'align="right"><font color="{colour}">{times:,}')
    *others, last = (f'bgcolor="{fill}" {cell}</font></td>' for cell in cells)
    return "<tr>" + "".join(f"<td {cell}" for cell in others) + f'<td port="l{number}" {last}</tr>'


Change = tuple[State, str]
"""A line in a comparison of two programs: kept, removed or added."""

_COLOURS: Mapping[State, str] = {"kept": INK, "changed": ORANGE, "removed": VERMILLION, "added": BLUE}


def blocks_diff(parent: LinearProgram, child: LinearProgram) -> list[tuple[str, list[Change]]]:
    """The differences between the lines of two programs: first the child's blocks, and then the blocks that it lost."""
    names = dict.fromkeys((*child.names, *parent.names))
    found = []
    for name in names:
        before = parent.block(name) if name in parent.names else ()
        found.append((name, [*compared(before, child.block(name) if name in child.names else ())]))
    return found


def change(parent: LinearProgram, child: LinearProgram, title: str, text: str) -> Picture:
    """A picture of the lines that the child kept, lost and gained, block by block."""
    changes = blocks_diff(parent, child)
    nodes = sum(len(lines) for _, lines in changes)
    blocks = [
        "\n".join([name, *(f"{GUTTERS[state]}{word}" for state, word in lines)]) for name, lines in changes
    ]
    return Picture(
        title, blocks_diff_dot(parent, child, caption=title), "\n\n".join(blocks) + "\n", nodes, text
    )


def blocks_diff_dot(parent: LinearProgram, child: LinearProgram, *, caption: str = "") -> str:
    """DOT text of the differences between two programs, block by block."""
    changes = blocks_diff(parent, child)
    states = {state for _, lines in changes for state, _ in lines}
    graph = new_graph(
        caption,
        [
            Sample(TINTS.get(colour, PAPER), colour, state, dashed=state == "removed")
            for state, colour in _COLOURS.items()
            if state in states
        ],
    )
    for block, (name, lines) in enumerate(changes):
        rows = "".join(
            f'<tr><td align="left" bgcolor="{TINTS.get(_COLOURS[state], PAPER)}"><font color="{_COLOURS[state]}">'
            f"{f'<s>{rich(word)}</s>' if state == 'removed' else rich(word)}</font></td></tr>"
            for state, word in lines
        )
        graph.node(f"b{block}", _table(name, rows), shape="plaintext", style="")
    return str(graph.source)


DRAWING = Drawing(picture, change, traced)
