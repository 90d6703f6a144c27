"""Rules of a program, compared with perfect play: the answer of ``gpkit match``."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from gpkit.api.kinds import PlayerLike
from gpkit.api.programs import Program
from gpkit.api.progress import remark
from gpkit.core.compilation import compilation
from gpkit.core.errors import UsageError
from gpkit.core.tabular import Sheet, Tabular
from gpkit.games.dots_and_boxes.exact import Worth, worth
from gpkit.games.dots_and_boxes.game import GAME, check_classes
from gpkit.games.dots_and_boxes.ladder import searches_of
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.genomes.graph import NamedRule, RuleList
from gpkit.languages.rulegraph.language import LANGUAGE as RULES
from gpkit.languages.rulegraph.printer import print_rule
from gpkit.playing.named import Named, program_file, read_named, seat

COLUMNS = ("rule", "positions", "classes", "acts in", "mean value", "optimal", "regret")

LEAVE_OUT = ("classes", "positions", "mean value")
"""Columns that a narrow terminal goes without, the least important first."""


@dataclass(frozen=True, slots=True)
class Judged(Tabular):
    """The rules of a program, with the worth of each rule by itself over all positions of a board.

    Attributes:
        program: the name of the program.
        board: columns and rows of boxes.
        rules: the rules, in their order.
        worths: the worth of each rule.
    """

    program: str
    board: str
    rules: Sequence[NamedRule]
    worths: Sequence[Worth]

    def __str__(self) -> str:
        """The rules, one in a line, with the share of positions in which the edge of the rule is one of the best."""
        return "\n".join(
            f"{each.name or print_rule(each.rule)}: {_cells(its)[-2] or '-'}"
            for each, its in zip(self.rules, self.worths, strict=True)
        )

    def told(self) -> Iterator[str | Sheet]:
        """The rules as a table."""
        rows = [
            ("| " * each.joined + (each.name or print_rule(each.rule)), *_cells(its))
            for each, its in zip(self.rules, self.worths, strict=True)
        ]
        yield Sheet(COLUMNS, rows, right=COLUMNS[1:], texts=("rule",), leave_out=LEAVE_OUT)

    def to_rows(self) -> list[dict[str, object]]:
        """The rules as JSON values."""
        return [
            {"name": each.name or None, "rule": print_rule(each.rule), "joined": each.joined, **asdict(its)}
            for each, its in zip(self.rules, self.worths, strict=True)
        ]

    def to_json(self) -> dict[str, object]:
        """The answer as JSON values."""
        return {"program": self.program, "board": self.board, "results": self.to_rows()}


def judged(program: PlayerLike, board: str, language: str | None) -> Judged:
    """The rules of a program on a board; ``language`` is needed if the file's suffix does not determine it.

    Raises:
        UsageError: there is no such program or board, the program is no list of rules, or the board is too large.
        SourceError: the program does not parse, or has an error for this game.
    """
    if isinstance(program, Program):
        name, named = program.named.spec, program.named
    else:
        name = os.fspath(program)
        (named,) = read_named([program_file(name, GAME.name)], language)
    listed, rules = _rule_list_of(named).rules, Rules.from_options({"board": board})
    check_classes(rules)
    remark(compilation(game=GAME.name))
    return Judged(name, board, listed, worth(searches_of(seat(named, GAME)), rules))


def _rule_list_of(named: Named) -> RuleList:
    """The rule list of what was named.

    Raises:
        UsageError: it is not a rule list.
    """
    if named.source is None or named.source.program.language != RULES.name:
        raise UsageError(f"{named.spec}: expected a rule list (.rules)")
    rules: RuleList = named.source.program
    return rules


def _cells(its: Worth) -> tuple[str, ...]:
    counts = tuple(f"{count:,}" for count in (its.positions, its.classes, its.acts))
    if its.mean_value is None or its.optimal is None or its.regret is None:
        return (*counts, "", "", "")
    return (*counts, f"{its.mean_value:+.3f}", f"{its.optimal:.1%}", f"{its.regret:.3f}")
