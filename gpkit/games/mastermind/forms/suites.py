"""Trials of Mastermind: the exact means over all secrets of the classic game and of other ones."""

from gpkit.playing.evaluation import Trial

SUITES = (
    Trial("codemaker", exact=True),
    *(
        Trial("codemaker", options, exact=True, quick=True)
        for options in ({"length": "3"}, {"colours": "5"}, {"repeats": "no"})
    ),
    Trial("codemaker", {"variant": "super"}, exact=True),
)
