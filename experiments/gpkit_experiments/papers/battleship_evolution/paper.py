"""Limits of the sinking language: whether one changed line improves a program, over all that one line can change."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from gpkit.core.registry import game_of
from gpkit.evolution.problem import Executor
from gpkit.gamekit.game import Game
from gpkit.playing.players import program_of_name
from gpkit_experiments.papers.battleship_evolution.neighbourhood import Contest, Neighbourhood, search
from gpkit_experiments.papers.paper import Budget, Findings, Paper, Row, Study, Watch, below

GAME: Game = game_of("battleship")

PROGRAMS = ("corrected", "champion", "searched")
ALPHABETS = ("bridon", "level-1")

ENOUGH = 0.25
"""Shots that a changed line must save to count as an improvement: a quarter of one."""

TABLE = "One changed line, shots that the best of all neighbours takes less"


@dataclass(frozen=True, slots=True)
class Effort:
    """Effort of measuring.

    Attributes:
        stages: boards on which all neighbours race, stage by stage.
        finalists: neighbours that meet on ``games`` boards.
        games: boards of the last races, and as many others of the measurement.
    """

    stages: tuple[int, ...]
    finalists: int
    games: int


EFFORTS: Mapping[Budget, Effort] = {
    "quick": Effort(stages=(20, 200), finalists=5, games=2_000),
    "full": Effort(stages=(50, 400, 3_000), finalists=50, games=40_000),
}

NOTES = (
    "Boards are classic and uniform over legal fleets.",
    "A line that is deleted, inserted or replaced by another word is one change. Neighbours race: whoever takes "
    "clearly more shots than the program (three standard errors, paired by board) stops; the best that are left meet "
    "on other boards, and the best of those is measured on further ones, 40,000 at a full budget, which tell "
    "differences of .1 shots.",
    "The source expects a larger set of instructions to be an optimisation. A row of `level-1`, the larger set, holds "
    "where no single changed line of it saves a quarter of a shot: that speaks against the source, and says nothing of "
    "its cost, nor of what evolution makes of the larger set.",
    "What single parts of the preset `battleship` are worth, and further instructions, is not compared: four runs "
    "each, two with instructions, left differences of up to 16 shots open.",
)


def row_of(name: str, alphabet: str, found: Neighbourhood) -> Row:
    """The row of a neighbourhood: a program is at the limit of the language if no neighbour saves enough."""
    quantity = f"{name}, {alphabet}: {found.count:,} neighbours"
    return Row(TABLE, quantity, found.gain, "boards", claim=below(ENOUGH))


def neighbourhoods(effort: Effort, seed: int, executor: Executor, watch: Watch) -> Iterator[tuple[Row, str]]:
    """The row of each program and alphabet, and in words the best of all neighbours."""
    contest = Contest(effort.stages, seed, effort.finalists, effort.games)
    for name in PROGRAMS:
        program = program_of_name(name, GAME)
        for alphabet in ALPHABETS:
            watch(f"around {name} in {alphabet}")
            found = search(program, alphabet, contest, executor, watch)
            lines = " | ".join(" ".join(block) for block in found.best.blocks)
            said = (
                f"One changed line of {name} in {alphabet}: {found.distinct:,} of {found.count:,} neighbours take "
                f"other steps and were not clearly worse at first; the best is {lines}."
            )
            yield row_of(name, alphabet, found), said


def measure(study: Study[Effort]) -> Findings:
    """Search the neighbourhoods."""
    rows, said = zip(*neighbourhoods(study.effort, study.seed, study.executor, study.watch), strict=True)
    settings = {**asdict(study.effort), "stages": list(study.effort.stages)}
    return Findings(settings, (*NOTES, *said), rows)


PAPER = Paper(EFFORTS, Study, measure)
