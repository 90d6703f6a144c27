"""Trials of Dots and Boxes: learners train on ``chain`` and ``chain+ex12`` on 3x3 boxes, the rest is held out."""

from gpkit.playing.evaluation import Trial

SUITES = (
    *(
        Trial(name, exact=True, quick=True)
        for name in ("chain", "chain+ex12", "control", "greedy", "safe+min", "optimal")
    ),
    Trial("mcts:1000", games=40),
    Trial("chain", {"board": "4x3"}),
    Trial("chain", {"board": "4x4"}),
    Trial("chain", {"board": "5x5"}, games=2_000),
)
