"""Shows a game that is followed step by step, in a terminal, on a page or as JSON records.

A page steps through a game with buttons, a slider and the arrow keys.

The page shows the board and the choices at each step.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK
from gpkit.core.layout import Tabular, framed
from gpkit.core.registry import language_entry
from gpkit.core.wording import deal_told
from gpkit.langkit.language import Language
from gpkit.playing.decisions import Evaluation
from gpkit.playing.mistakes import MARKS
from gpkit.playing.players import Seating
from gpkit.playing.trace import Condition, Step, Trace, until
from gpkit.show.page import Markup, Section, folded, inline_svg, listing, page, paragraph, table
from gpkit.show.pictures import drawing

MARK = ">"
"""The first character of a marked line in a listing."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment of a replayed game.

    Attributes:
        svg: the board.
        words: a description of the event.
        more: further details.
        listing: the text of the program with ``MARK`` before the executed line; empty if no line was executed.
        stop: whether the skip button stops at this moment.
    """

    svg: str
    words: str
    more: tuple[Markup, ...] = ()
    listing: str = ""
    stop: bool = False


def replay(frames: Sequence[Frame], *, skip: str = "") -> Markup:
    """A game to step through, forwards and backwards; without scripts, it shows its first moment.

    A board or a listing that several moments share is written only once.

    Args:
        frames: the moments.
        skip: the label of the button that goes to the next frame with ``stop``, such as "next shot"; empty for none.
    """
    if not frames:
        return paragraph("No moves were recorded.")
    definitions, svgs = shared_definitions([frame.svg for frame in frames])
    boards = list(dict.fromkeys(svgs))
    listings = list(dict.fromkeys(frame.listing for frame in frames if frame.listing))

    def shown(kind: str, bodies: Sequence[str]) -> str:
        """Parts of a page, all of which are hidden except for the first."""
        return "".join(
            f'<div class="{kind}"{" hidden" if k else ""}>{body}</div>' for k, body in enumerate(bodies)
        )

    stage = f'<div class="boards">{shown("board", [*map(inline_svg, boards)])}</div>'
    if listings:
        texts = shown("listing", [*map(_listing, listings)])
        stage += f'<div class="listings" tabindex="0" role="region" aria-label="the program">{texts}</div>'
    place = {svg: k for k, svg in enumerate(boards)}
    parts = [
        f'<div class="frame" data-board="{place[svg]}"{_listed(frame, listings)}'
        f"{' data-stop' if frame.stop else ''}{' hidden' if k else ''}>"
        f"<p>{html.escape(frame.words)}</p>{''.join(frame.more)}</div>"
        for k, (svg, frame) in enumerate(zip(svgs, frames, strict=True))
    ]
    return Markup(
        f'<div class="replay">{definitions}{_bar(len(frames), skip)}<div class="stage">{stage}</div>'
        f"{''.join(parts)}</div>"
    )


def _listed(frame: Frame, listings: Sequence[str]) -> str:
    """The HTML attribute that selects a frame's listing, or a short listing without a mark if no line is executed."""
    if not listings:
        return ""
    place = listings.index(frame.listing or min(listings, key=len))
    return f' data-listing="{place}"' + " data-idle" * (not frame.listing)


def _listing(text: str) -> str:
    mark = f'<mark class="line"><i>{html.escape(MARK)}</i>'
    lines = (
        f"{mark}{html.escape(line.removeprefix(MARK))}</mark>"
        if line.startswith(MARK)
        else f'<span class="line">{html.escape(line)}</span>'
        for line in text.splitlines()
    )
    return f"<pre>{''.join(lines)}</pre>"


def _bar(frames: int, skip: str) -> str:
    """The buttons and the slider, hidden until the script that they need shows them."""
    known = [
        ("first", "first move", "|\N{LEFTWARDS ARROW}"),
        ("back", "one move back", "\N{LEFTWARDS ARROW}"),
        ("play", "play or pause", "Play"),
        ("on", "one move forward", "\N{RIGHTWARDS ARROW}"),
        ("last", "last move", "\N{RIGHTWARDS ARROW}|"),
    ]
    if skip:
        known.insert(4, ("stop", skip, skip))
    buttons = "".join(
        f'<button type="button" data-do="{name}" aria-label="{html.escape(label)}">{html.escape(sign)}</button>'
        for name, label, sign in known
    )
    slider = f'<input type="range" aria-label="move" min="0" max="{frames - 1}" value="0">'
    return f'<div class="bar" hidden>{buttons}{slider}<output></output></div>'


def shared_definitions(svgs: Sequence[str]) -> tuple[Markup, list[str]]:
    """The definitions of some SVG documents, each once in an invisible picture, and the documents without them.

    A definition is an element with an id on its own line, between lines ``<defs>`` and ``</defs>``; the same id must
    mean the same in all documents.
    """
    blocks = [block for svg in svgs for block in _DEFINITIONS.findall(svg)[:1]]
    definitions = dict.fromkeys(line for block in blocks for line in block.splitlines())
    rest = [_DEFINITIONS.sub("", svg, count=1) for svg in svgs]
    if not definitions:
        return Markup(""), rest
    lines = "\n".join(definitions)
    return Markup(f'<svg class="hidden" aria-hidden="true"><defs>\n{lines}\n</defs></svg>'), rest


_DEFINITIONS = re.compile(r"^<defs>\n(.*?)\n</defs>\n", re.MULTILINE | re.DOTALL)


STOP = "shot"
"""Replays stop at steps that have a value with this name, for games in which a turn is many lines of a program."""


def skip_of(frames: Sequence[Frame]) -> str:
    """The label of the button that goes to the next stop of a replay; empty if the replay has no stops."""
    return f"next {STOP}" if any(frame.stop for frame in frames) else ""


def frame_of(step: Step, *, formula: bool = False) -> Frame:
    """A frame for a step: its board, its candidates, and, if requested, the formula with the value of every node.

    Programs with lines are shown at every step, with the executed line.
    """
    more: list[Markup] = []
    found = step.table()
    if found is not None:
        rows = [tuple(map(_cell, row)) for row in found.rows]
        heads = found.columns
        if found.chosen >= 0:
            symbols = ("\N{RIGHTWARDS ARROW}" if k == found.chosen else "" for k in range(len(rows)))
            heads, rows = ("", *heads), [(sign, *row) for sign, row in zip(symbols, rows, strict=True)]
        more.append(table(heads, rows, caption=found.note))
    lines = step.listing if step.line is not None else ""
    if formula and not lines and (text := formula_text(step)):
        more.append(
            folded("Every node of the formula" if step.winner else "Where the program was", listing(text))
        )
    words, columns = f"Step {step.number}: {step.words()}", () if found is None else found.columns
    facts = (f"{name} {value}" for name, value in step.own_facts.items() if name not in columns)
    if unsaid := [each for each in facts if each not in words]:
        more.append(folded("Facts", listing("\n".join(unsaid))))
    return Frame(step.picture(), words, tuple(more), lines, bool(step.values.get(STOP)))


def formula_text(step: Step) -> str:
    """The program at a step; empty if the program did not decide in that step.

    A formula becomes a tree with every node's value for the winning candidate. Lines and rules become a listing with
    the executed line or the acting rule.
    """
    return step.listing if step.winner is None else valued_text(step.winner)


def valued_text(evaluation: Evaluation) -> str:
    """The part of a program that was evaluated, with every node's value."""
    return drawing(evaluation.tree.language, lambda each: each.valued_text, "show node values in {}")(
        evaluation
    )


def _cell(cell: str | float) -> str | int | float:
    """A cell for a page; whole numbers have no fraction."""
    return int(cell) if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15 else cell


SCHEMA = "gpkit/trace/1"


@dataclass(frozen=True, slots=True)
class Traced(Tabular):
    """A game of a program, followed step by step.

    Attributes:
        trace: the players by seat, and the steps, which gpkit plays when they are first needed.
        seating: the players and the rules.
        seed, deal: the seed of the deals, and the number of the deal.
        condition: the condition that ends the trace at the first step in which it holds; None to follow the game to its
            end.
        formula: whether the program is shown at every step.
    """

    trace: Trace
    seating: Seating
    seed: int
    deal: int
    condition: Condition | None
    formula: bool = False

    @property
    def name(self) -> str:
        """The name of the player who is followed."""
        return self.trace.names[self.trace.seat]

    @property
    def heading(self) -> str:
        """The players and the deal in a sentence."""
        others = ", ".join(name for seat, name in enumerate(self.trace.names) if seat != self.trace.seat)
        against = f" against {others}" if others else ""
        place = deal_told(self.seed, self.deal)
        return f"{self.seating.game.name}: {self.name} in seat {self.trace.seat}{against}; {place}"

    @property
    def program(self) -> tuple[str, Mapping[str, Any]]:
        """The text of the program, and its parts according to its language; both are empty if no program decides.

        The text comes from the program's file; if the language has dialects, its header shows the switches in use.
        """
        deciding = self.seating.players[0].decider
        if deciding is None:
            return "", {}
        language: Language = language_entry(deciding.program.language).load()
        printed = language.print_program(deciding.program, deciding.header) if language.switches else ""
        return printed or str(deciding.source.text), language.parts(deciding.source)

    def steps(self) -> Iterator[Step]:
        """The steps to show."""
        steps = iter(self.trace.steps)
        return steps if self.condition is None else until(steps, self.condition)

    @property
    def holds(self) -> bool:
        """Whether the condition holds in the last step; true if there is no condition."""
        *_, last = self.steps()
        return self.condition is None or self.condition.holds(last.values)

    @property
    def score_text(self) -> str:
        """The score of the player at the end, in a sentence; empty if the game was not followed to its end."""
        *_, last = self.steps()
        score = last.values.get("score")
        metric = self.seating.game.metric(self.seating.rules).name
        return "" if score is None else f"{metric} of {self.name}: {score:g}"

    @property
    def mistakes_text(self) -> str:
        """The number of mistakes and the largest one, in a sentence; empty if the choices were not judged."""
        costs = [(step.mistake, step) for step in self.steps() if step.mistake is not None]
        marked = [each for each in costs if each[0] >= MARKS[-1][0]]
        if not marked:
            return f"No mistake among {len(costs)} choices of {self.name}" if costs else ""
        _, worst = max(marked, key=itemgetter(0))
        count = f"{len(marked)} mistakes" if len(marked) > 1 else "One mistake"
        place = f"step {worst.number}: {worst.words()}"
        return f"{count} among {len(costs)} choices of {self.name}; the largest in {place}"

    @property
    def exit_code(self) -> int:
        """The exit code of the command: 1 if the condition holds in no step."""
        return EXIT_OK if self.holds else EXIT_FINDINGS

    def __str__(self) -> str:
        """The players, followed by the events, one step per line."""
        return "\n".join([self.heading, *(f"step {step.number}: {step.words()}" for step in self.steps())])

    def to_rows(self) -> list[dict[str, Any]]:
        """The steps as JSON values."""
        return [self.record_of(step) for step in self.steps()]

    def _repr_html_(self) -> str:
        """A page that steps through the game, in a frame."""
        return framed(self.page_of(self.steps()))

    @property
    def record(self) -> dict[str, Any]:
        """The game without its steps, as JSON values."""
        seating = self.seating
        return {
            "schema": SCHEMA,
            "kind": "game",
            "game": seating.game.name,
            "program": seating.players[0].name,
            "players": self.trace.names,
            "seat": self.trace.seat,
            "seed": self.seed,
            "deal": self.deal,
            "rules": seating.options,
            "sections": self.program[1],
        }

    def to_json(self) -> dict[str, Any]:
        """The game with its steps, as JSON values."""
        return {**self.record, "steps": self.to_rows()}

    def record_of(self, step: Step) -> dict[str, Any]:
        """A step as JSON values."""
        record = {
            "schema": SCHEMA,
            "kind": "step",
            "step": step.number,
            "words": step.words(),
        } | step.record()
        return (
            record
            | ({"nodes": _nodes(step)} if self.formula and step.winner else {})
            | {"values": step.values}
        )

    def page_of(self, steps: Iterable[Step]) -> str:
        """The page of the game with these steps, as an HTML document."""
        frames = [frame_of(step, formula=self.formula) for step in steps]
        game = Section("The game", (paragraph(self.heading), replay(frames, skip=skip_of(frames))))
        text, _ = self.program
        program = [Section("The program", (listing(text),))] if text else []
        return page(f"A game of {self.name}", "", [game, *program])


def _nodes(step: Step) -> list[dict[str, object]]:
    """Every node of the winning formula by position, with its value; for a tree, also its kind, and null if skipped."""
    assert step.winner is not None
    values = step.winner.node_values()
    return [
        {
            "node": k,
            "symbol": symbol
            if isinstance(symbol, str | float)
            else getattr(symbol, "word", type(symbol).__name__.lower()),
            "value": values.get(k),
        }
        for k, symbol in enumerate(step.winner.tree.symbols)
    ]
