"""The adaptive player of J. Bridon, Z. Correll, C. Dubler and Z. Gotsch, measured again, part by part."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from gpkit.evolution.problem import Executor
from gpkit_experiments.papers.battleship_adaptive.densities import measure_densities
from gpkit_experiments.papers.battleship_adaptive.duels import measure_duels
from gpkit_experiments.papers.battleship_adaptive.study import Effort, Part, Study
from gpkit_experiments.papers.battleship_adaptive.waves import measure_waves
from gpkit_experiments.papers.paper import Budget, Findings, Row, Watch, ignore

EFFORTS: Mapping[Budget, Effort] = {
    "quick": Effort(fleets=50_000, runs=4, generations=20, deals=2_000, series=2),
    "full": Effort(fleets=1_000_000, runs=20, generations=300, deals=20_000, series=12),
}

PARTS: tuple[Part, ...] = (measure_densities, measure_waves, measure_duels)
"""Parts of the paper in the order of their tables."""

NOTES = (
    "Boards and fleets are classic. The source's random fleets can be whole legal fleets, all alike, or ships laid one "
    "by one, the longest first: both are measured.",
    "The correlation is Σab / √(Σa² Σb²) of a wave and a density less their means, without lag: with it sin t, "
    "sin t + cos 2t and the signal itself have the three values of Figure 5 if the signal is the sum of three "
    "different harmonics of equal amplitude, of which sin t is one and cos 2t is none.",
    "Waves of the first generation have frequencies up to a quarter of the squares. The source's five harmonics of "
    "highest amplitude can be five components of the transform, each with both phases, or five sines and five cosines "
    "that have frequencies of their own: a switch, and both are measured.",
    "Section IV gives neither games nor intervals. Close to 10 % is taken as 5 to 15 points between the shares of who "
    "shoots first and of the other, 70 % to 30 % and almost 90 % as within five points.",
    "Who shoots first wins about 10 % more duels among players that do not sink, 2 to 4 % more among those that do.",
    "A checkerboard alone wins no more than random shots: who does not sink needs nearly all squares, whatever their "
    "order. The source's 70 % to 30 % are met where both sink what they hit.",
    "Sinking logic wins more than the source says if its stacked conditions mean `and`, as its comments have it, and "
    "about as much if a condition skips exactly the next line, as its table of instructions has it.",
    "Whether the player adapts in eleven games or fewer is told by duels with itself without memory, which lays its "
    "fleets by a strategy: on the same deals it plays them with memory and without. A round is won by more than half "
    "of its games; the source names no number below eleven, so rounds of five are told of beside them. With "
    "memory it wins more than nine rounds of ten of either length, without about seven.",
)


@dataclass(frozen=True, slots=True)
class AdaptivePaper:
    """J. Bridon and others, the parts about placement, targeting and whole players."""

    efforts: Mapping[Budget, Effort]
    name: str = "battleship-adaptive"

    def run(self, budget: Budget, seed: int, executor: Executor, watch: Watch = ignore) -> Findings:
        """Measure everything that the source says of densities, waves and whole players."""
        study = Study(self.efforts[budget], seed, executor, watch)
        rows: list[Row] = []
        files: dict[str, str] = {}
        for part in PARTS:
            measured = part(study)
            rows += measured.rows
            files |= measured.files
        return Findings(asdict(study.effort), NOTES, tuple(rows), files)


PAPER = AdaptivePaper(EFFORTS)
