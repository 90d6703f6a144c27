"""``gpkit search``: a search that gets its scores from any other program, in JSON lines."""

import json
import sys
from typing import Any

from gpkit.api.evolving import RunFolder, What
from gpkit.api.kinds import Number, Seed
from gpkit.cli import output
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import EXIT_INTERRUPTED, EXIT_OK, GpkitError, UsageError

SCHEMA = "gpkit/search/1"

LONGEST = 10**7
"""The maximum number of characters in an answer on standard input."""


def search(
    what: What,
    *,
    folder: RunFolder | None = None,
    seed: Seed | None = None,
    generations: Number | None = None,
) -> int:
    """Search with scores from any other program; requests and answers are lines of JSON.

    gpkit writes the programs that need scores to standard output, as `{"ask": [TEXT, ...]}`. Answer with one line on
    standard input, `{"tell": [SCORE, ...]}`, a score for each program in the same order: a number, where higher is
    better, a list of numbers for several objectives, or null for a program that failed. If gpkit cannot use the line,
    it writes `{"error": TEXT}` and asks again. The last line is `{"champion": TEXT, "score": SCORE}`. If standard input
    ends before the last line, the exit code is 4; a run with a folder then continues with the same command.

    Args:
        what: your own problem, a game, the name of a preset, or a configuration.
        folder: the folder of the run; if it already contains a search, gpkit continues that search. Default: the run is
            not stored.
        seed: the seed of all random numbers; the same seed and the same scores give the same result. Default: taken
            from the configuration.
        generations: the number of generations. Default: taken from the configuration.

    Raises:
        UsageError: there is no such problem, or the folder contains another run.
        CheckpointError: the folder is in use, damaged or not writable.
    """
    from gpkit.api import searches

    with searches.search(what, folder=folder, seed=seed, generations=generations) as run:
        while programs := run.ask():
            output.json_line({"schema": SCHEMA, "ask": [str(each) for each in programs]})
            if not (line := sys.stdin.readline(LONGEST)):
                return EXIT_INTERRUPTED
            try:
                run.tell(scores_in(line))
            except GpkitError as error:
                output.json_line({"schema": SCHEMA, "error": str(error)})
        champion, result = run.result
    output.json_line({"schema": SCHEMA, "champion": str(champion), "score": result.score})
    return EXIT_OK


def scores_in(line: str) -> Any:
    """The scores in an answer.

    Raises:
        UsageError: the line is not an answer.
    """
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict) or "tell" not in answer:
        raise UsageError(f'expected a line {{"tell": [SCORE, ...]}}, not {shortened(line.strip())}')
    return answer["tell"]
