"""A game followed step by step, which a terminal, a page or JSON records can show."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK
from gpkit.core.registry import language_entry
from gpkit.core.tabular import Tabular, framed
from gpkit.draw.frames import frame_of, skip_of
from gpkit.draw.page import Section, listing, page, paragraph
from gpkit.draw.replay import replay
from gpkit.langkit.language import Language
from gpkit.playing.conditions import Condition
from gpkit.playing.players import Seating
from gpkit.playing.trace import Step, Trace, until

SCHEMA = "gpkit/trace/1"


@dataclass(frozen=True, slots=True)
class Traced(Tabular):
    """Game of a program, followed step by step.

    Attributes:
        trace: the players by seat, and the steps, which gpkit plays when they are first asked for.
        seating: who plays by which rules.
        seed, deal: the seed of the deals, and the number of the deal.
        condition: the last step is the first one where it holds; None to follow the game to its end.
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
        """Name of the player who is followed."""
        return self.trace.names[self.trace.seat]

    @property
    def heading(self) -> str:
        """The players and the deal in a sentence."""
        others = ", ".join(name for seat, name in enumerate(self.trace.names) if seat != self.trace.seat)
        against = f" against {others}" if others else ""
        return (
            f"{self.seating.game.name}: {self.name} in seat {self.trace.seat}{against}; "
            f"seed {self.seed}, deal {self.deal}"
        )

    @property
    def program(self) -> tuple[str, Mapping[str, Any]]:
        """The text of the program, and its parts according to its language; both are empty if no program decides.

        The text is that of its file; if the language has dialects, its header shows the switches in use.
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
        """Whether the condition holds in the last step; without one it does."""
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
    def exit_code(self) -> int:
        """The exit code of the command: 1 if the condition holds in no step."""
        return EXIT_OK if self.holds else EXIT_FINDINGS

    def __str__(self) -> str:
        """The players, and then what happened, a step in a line."""
        steps = (f"step {step.number}: {step.words()}" for step in self.steps())
        return "\n".join([self.heading, *steps])

    def to_rows(self) -> list[dict[str, Any]]:
        """The steps as JSON values."""
        return [self.record_of(step) for step in self.steps()]

    def _repr_html_(self) -> str:
        """The page of the game, to step through, in a frame."""
        return framed(self.page_of(self.steps()))

    @property
    def record(self) -> dict[str, Any]:
        """The game as JSON values, without its steps."""
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

    def record_of(self, step: Step) -> dict[str, Any]:
        """A step as JSON values."""
        record = {"schema": SCHEMA, "kind": "step", "step": step.number, "words": step.words()}
        nodes = {"nodes": _nodes(step)} if self.formula and step.winner else {}
        return {**record, **step.record(), **nodes, "values": step.values}

    def page_of(self, steps: Iterable[Step]) -> str:
        """The page of the game with these steps, as a document of HTML."""
        frames = [frame_of(step, formula=self.formula) for step in steps]
        game = Section("The game", (paragraph(self.heading), replay(frames, skip=skip_of(frames))))
        text, _ = self.program
        program = [Section("The program", (listing(text),))] if text else []
        return page(f"A game of {self.name}", "", [game, *program])


def _nodes(step: Step) -> list[dict[str, object]]:
    """Every node of the winner's formula by position, with its value; of a tree the kind of node, null if passed by."""
    assert step.winner is not None
    values = step.winner.node_values()
    symbols = step.winner.tree.symbols
    return [
        {
            "node": k,
            "symbol": symbol
            if isinstance(symbol, str | float)
            else getattr(symbol, "word", type(symbol).__name__.lower()),
            "value": values.get(k),
        }
        for k, symbol in enumerate(symbols)
    ]
