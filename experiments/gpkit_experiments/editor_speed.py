"""The time from a keystroke to the findings that answer it, measured by a client of the language server.

`python -m gpkit_experiments.editor_speed experiments/data/editor-speed.json` writes the record. For every language and
size, the client opens a program. At places drawn with the seed, it types a word and deletes it again, character by
character. It sends a keystroke when the previous one is answered; between two words, it waits for the findings of a
complete check. The record contains the elapsed time and the processor time of the server: on a busy machine, the
elapsed time is mostly time spent waiting for a processor.
"""

import asyncio
import itertools
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from editor_client import PATIENCE, Editor

from gpkit.core.registry import LANGUAGES, find

SEED = 18001
SIZES = (500, 1000)
WORDS = 12
"""The number of words that are typed in each program."""

REST = 6.0
"""The number of seconds to wait for the findings of a complete check."""

TYPED = {
    "arithmetic": " + env.rnak",
    "sinking": "\n  Shoott",
    "rulegraph": " => x_0",
    "decision": " env.x 3",
    "execution": "\n do queen",
}
"""The text that is typed: incomplete words that are mistakes, and names that no game has."""


def program(language: str, lines: int) -> str:
    """A program of about this many lines, in canonical layout."""
    half = lines // 2
    if language == "arithmetic":
        sums = ["\n".join(f"  + {k % 7}.5 * max(env.block, {k})" for k in range(half - 2)) for _ in range(2)]
        return f"// game: sevens\nplay: env.rank\n{sums[0]}\nsend: env.rank\n{sums[1]}\n"
    if language == "sinking":
        return "// game: battleship\ntargeting:\n" + "  Target\n  Shoot\n" * half
    if language == "rulegraph":
        pairs = list(itertools.combinations(range(3, 60), 2))[: lines - 1]
        rules = (
            f"r{k}: l_0({one}) n : l_1({two}) n => l_0 - n  @q=0.5 @f={k}"
            for k, (one, two) in enumerate(pairs)
        )
        return "# game: dots_and_boxes\n" + "\n".join(rules) + "\n"
    if language == "decision":
        return f"// game: sevens\nplay: {_nested(half, '')}\nsend: {_nested(half, '')}\n"
    steps = "repeat {}\n  do drone\n  wait env.larvae > 0 max 10\nend\n"
    return "// game: build_order\n" + "".join(steps.format(k % 9 + 1) for k in range(lines // 4))


def _nested(lines: int, indent: str) -> str:
    """A balanced decision tree of about this many lines, in which every branch can be taken."""
    if lines < 3:
        return f"{lines}.{len(indent)}"
    one, other = (lines - 1) // 2, lines - 1 - (lines - 1) // 2
    inner = indent + "  "
    yes, no = _nested(one, inner), _nested(other, inner + " ")
    return (
        f"test env.suit == 1\n{inner}yes: {yes}\n{inner}no: {no}"
        if not indent
        else f"chance 0.{len(indent)}1\n{inner}yes: {yes}\n{inner}no: {no}"
    )


async def measured(editor: Editor, language: str, lines: int) -> dict[str, Any]:
    """Milliseconds from each keystroke to the first findings that answer it, or after a word to all findings."""
    entry = find(LANGUAGES, language, "language")
    text = program(language, lines)
    uri = editor.open(Path(f"/speed-{lines}{entry.suffix}"), text)
    await editor.told(uri)
    rng = np.random.default_rng((SEED, lines))
    ends = [place for place, character in enumerate(text) if character == "\n"][2:]
    keys: list[float] = []
    worked: list[float] = []
    rest = REST
    complete: list[float] = []
    for _ in range(WORDS):
        place = ends[int(rng.integers(len(ends)))]
        word = TYPED[language]
        stages = [word[:k] for k in range(1, len(word) + 1)] + [
            word[:k] for k in range(len(word) - 1, -1, -1)
        ]
        for stage in stages:
            before, sent = _processor_ms(editor), time.perf_counter()
            editor.write(uri, text[:place] + stage + text[place:])
            await _answer(editor, uri)
            keys.append(1000 * (time.perf_counter() - sent))
            worked.append(_processor_ms(editor) - before)
        if rest:
            try:
                await asyncio.wait_for(_answer(editor, uri), rest)
                complete.append(1000 * (time.perf_counter() - sent))
            except TimeoutError:
                rest = 0.0  # what was told at once was complete
    return {
        "language": language,
        "lines": text.count("\n"),
        "keys": len(keys),
        "milliseconds": _spread(keys),
        "processor_milliseconds": _spread(worked),
        "complete_milliseconds": round(statistics.median(complete), 1) if complete else None,
    }


def _processor_ms(editor: Editor) -> float:
    """The milliseconds of processor time that the server's threads have used so far (on Linux)."""
    server = editor.client._server
    assert server is not None
    threads = Path(f"/proc/{server.pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e6


async def _answer(editor: Editor, uri: str) -> None:
    """Wait for findings that belong to the current text."""
    while True:
        params = await asyncio.wait_for(editor.published.get(), PATIENCE)
        if params.uri == uri and params.version == editor.versions[uri]:
            return


def _spread(milliseconds: Sequence[float]) -> dict[str, float]:
    ordered = np.array(sorted(milliseconds))
    return {
        "median": round(float(np.median(ordered)), 1),
        "p95": round(float(np.quantile(ordered, 0.95)), 1),
        "most": round(float(ordered[-1]), 1),
        "under_50": round(float(np.mean(ordered < 50)), 4),
    }


async def main() -> list[dict[str, Any]]:
    """The rows of the record."""
    editor = Editor()
    await editor.start()
    rows = []
    for entry in LANGUAGES:
        for lines in SIZES:
            rows.append(await measured(editor, entry.name, lines))
            sys.stderr.write(f"{rows[-1]}\n")
    await editor.stop()
    return rows


if __name__ == "__main__":
    record = {
        "command": f"python {' '.join(sys.argv)}",
        "seed": SEED,
        "machine": f"{platform.machine()}, Python {platform.python_version()}, {os.cpu_count()} cores",
        "nice": os.nice(0),
        "load_before": [round(each, 1) for each in os.getloadavg()],
        "rows": asyncio.run(main()),
    }
    Path(sys.argv[1]).write_text(json.dumps(record, indent=1) + "\n")
