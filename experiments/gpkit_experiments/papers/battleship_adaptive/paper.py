"""The adaptive player of J. Bridon, Z. Correll, C. Dubler and Z. Gotsch, measured again, part by part."""

from collections.abc import Mapping
from dataclasses import asdict

from gpkit_experiments.papers.battleship_adaptive.duels import measure_duels, measure_first_game
from gpkit_experiments.papers.battleship_adaptive.placement import measure_placement
from gpkit_experiments.papers.battleship_adaptive.recorded import measure_recorded
from gpkit_experiments.papers.battleship_adaptive.study import Effort, Part, Study
from gpkit_experiments.papers.battleship_adaptive.waves import measure_densities, measure_waves
from gpkit_experiments.papers.paper import Budget, Findings, Paper, Row

EFFORTS: Mapping[Budget, Effort] = {
    "quick": Effort(fleets=50_000, runs=4, generations=20, deals=2_000, draws=10, series=2),
    "full": Effort(fleets=1_000_000, runs=10, generations=300, deals=20_000, draws=100, series=8),
}

PARTS: tuple[Part, ...] = (
    measure_densities,
    measure_placement,
    measure_waves,
    measure_duels,
    measure_first_game,
    measure_recorded,
)
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
    "Section IV gives neither games nor intervals. Close to 10% is taken as 5 to 15 points between the shares of who "
    "shoots first and of the other, 70% to 30% and almost 90% as within five points.",
    "Who shoots first wins about 10% more duels among players that do not sink, 2 to 4% more among those that do.",
    "A checkerboard alone wins no more than random shots: who does not sink needs nearly all squares, whatever their "
    "order. The source's 70% to 30% are met where both sink what they hit.",
    "Sinking logic wins more than the source says if its stacked conditions mean `and`, as its comments have it, and "
    "about as much if a condition skips exactly the next line, as its table of instructions has it.",
    "Waves converge if they come nineteen twentieths of the way from the best wave of their first generation to the "
    "best that five Fourier components can have, after 50 generations, or after 300 against random fleets; the source"
    " gives no number. What crossover, mutation and the Fourier components add is the difference from as many "
    "generations without them. Figure 5 fixes the formula of the correlation, for the signal was chosen for it: it "
    "tests nothing.",
    "Fleets by Sequential Monte Carlo are the source's, without our rehearsal. Against each player placement alone "
    "learns from what that player shot at before. The middle of the board are its 6x6 squares.",
    "In its first game the player knows its opponent's placement as little as the agent that samples the belief state "
    "(`mcs`), which says of it that it has to learn first. Of untrained players there are twenty, each with its share "
    "of the fleets; a game that is not finished counts 200 shots, as nearly all games of eighteen of them do.",
    "Rows of series come from records (`adaptive_series`), whose seeds, sizes and criteria were laid down before "
    "they were played, but for two: series against a copy without memory had been recorded when their criterion was "
    "written, and of the fifteen series against hard-coded players ten were named after five had been seen. Waves "
    "are the source's: on a checkerboard of the largest ship left, and with a generation before each shot of every "
    "game but the first; the checkerboard and that generation are told apart. The adaptive player is ours: its "
    "targets are waves and counts, its fleets are rehearsed.",
    "The adaptive player rehearses its fleets against `corrected`, `hunt` and `density`, and its pre-training has the"
    " four placements of the source: players that it never met, and the placement of ships that lie one way alone, "
    "stand apart. `textbook` and `runner-up` are among the programs from which its own were pre-trained. With memory "
    "and without it plays on the same deals; before each game the chance to win is estimated from the shots of either"
    " side at further fleets, as each shoots alone. A round is won by more than half of its games.",
    "Of the 22 cells of memory against hard-coded players 12 hold, each by itself; with Holm's correction 7 do "
    "(`reference-halo` three times, `hunt:wall`, `hunt:lines`, `density:uniform`, `density:lines`), and none fails. Of "
    "the opponents never met, memory is shown to help against `reference-halo` alone: over the nine cells of "
    "`searched`, `textbook` and `runner-up` it adds .009 (-.004 to .021), and in the ten later series .002 (-.014 to "
    ".017). Of the four rows of evolved sinking programs one fails (p = .03); with Holm's correction it does not.",
)


def measure(study: Study) -> Findings:
    """Measure everything that the source says of densities, waves and whole players."""
    rows: list[Row] = []
    files: dict[str, str] = {}
    for part in PARTS:
        measured = part(study)
        rows += measured.rows
        files |= measured.files
    return Findings(asdict(study.effort), NOTES, tuple(rows), files)


PAPER = Paper(EFFORTS, Study, measure)
