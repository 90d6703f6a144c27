"""Digests of what gpkit prints and writes: taken before and after a move that changes no behaviour, and compared.

    .venv/bin/python tests/house/digests.py record before.json --texts before
    .venv/bin/python tests/house/digests.py record after.json --texts after --checkout ../moved
    .venv/bin/python tests/house/digests.py compare before.json after.json || diff -r before after

`record` runs the lines of `digest_commands.py` (`list` prints them): all commands on all shipped programs where they
make sense, a run of each preset, and mistakes; but for demo, paper, `list papers`, the plain doctor, completion, bench,
and the servers (serve, lsp), of which there is the help alone.

Each line runs in a process of its own, forked from one that has loaded gpkit and its kernels, in a folder of its own
with the programs and a few small files. Steps joined by `&&` follow each other there; what follows `<<<` is typed. The
digest of a step is the SHA-256 of its exit code, both streams and the files that it wrote, changed or removed; of a
database its SQL counts. What `evolve` and `learn` leave has a digest for each file, too: state, champions, genealogy,
events.

Masked are times, games a second, folders, versions, and the dotted names of modules. No line of progress comes, as the
clock of the command line stands still. All else must be equal, whatever PYTHONHASHSEED is. Two lines run at a time; one
that takes longer than --limit seconds counts as that, so compile the kernels first (a first `record` does).
"""

import argparse
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from digest_commands import TYPED, WARMING, commands, write_inputs

CHECKOUT = Path(__file__).resolve().parents[2]
JOBS = 2
SCRATCH = "gpkit-digests-"

MASKS = (
    (r"(?m)^compiling .*\n", ""),
    (r'"(\w*seconds|games_per_second)": [-+.\de]+', r'"\1": <number>'),
    (r"[\d.,]+ (games a second|games/s)", r"<number> \1"),
    (r'\b(gpkit|python|numpy|numba)("?:?) ("?)v?\d+(?:\.\d+)+\w*', r"\1\2 \3<version>"),
    (r"\bgpkit(?:\.[a-z_]\w*){2,}", "<module>"),
)
"""Patterns and what stands instead of what they match; folders and columns of games/s are masked in `masked`."""

Main = Callable[[Sequence[str]], int]


def masked(text: str, places: Mapping[str, str]) -> str:
    """The text without what differs from run to run; ``places`` are patterns of folders and their names here."""
    for pattern, name in (*places.items(), *MASKS):
        text = re.sub(pattern, name, text)
    lines, timed = [], False
    for line in text.split("\n"):
        timed = line.endswith("  games/s") or (timed and line != "")
        lines.append(re.sub(r" +\S+$", "", line) if timed else line)
    return "\n".join(lines)


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of all files below a folder."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def shown(folder: Path, name: str, found: bytes, places: Mapping[str, str]) -> str:
    """A file as text: a database as its SQL, what is not a text as its SHA-256."""
    if name.endswith(".db"):
        with closing(sqlite3.connect(f"file:{folder / name}?mode=ro", uri=True)) as database:
            return "\n".join(database.iterdump())
    try:
        return masked(found.decode(), places)
    except UnicodeDecodeError:
        return f"SHA-256 {hashlib.sha256(found).hexdigest()}"


def steps_of(main: Main, line: str, folder: Path, places: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Run the steps of a line in its folder, the current one: the name of each, its exit code, streams and files."""
    streams = folder.with_suffix(".streams")
    streams.mkdir()
    command, _, typed = line.partition(TYPED)
    (streams / "in").write_text(typed.replace("; ", "\n") + "\n")
    steps = command.split(" && ")
    for count, step in enumerate(steps, 1):
        before = contents(folder)
        sys.argv = ["gpkit", *shlex.split(step)]  # is kept in run.json
        with connected(streams):
            code = main(sys.argv[1:])
        name = line if count == len(steps) else " && ".join(steps[:count])
        told = [f"exit code {code}\n--- out", masked((streams / "out").read_text(errors="replace"), places)]
        told += ["--- err", masked((streams / "err").read_text(errors="replace"), places)]
        after = contents(folder)
        for file in sorted(before.keys() | after.keys()):
            if before.get(file) != after.get(file):
                text = shown(folder, file, after[file], places) if file in after else "removed"
                told.append(f"--- file {file}\n{text}")
                if step.startswith(("evolve", "learn")):
                    yield f"{name} :: {file}", text
        yield name, "\n".join(told)


@contextmanager
def connected(streams: Path) -> Iterator[None]:
    """Let the standard streams be the files `in`, `out` and `err` of a folder."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(number) for number in range(3)]
    for number, name in enumerate(("in", "out", "err")):
        opened = os.open(streams / name, os.O_RDWR | os.O_CREAT | (os.O_TRUNC if number else 0))
        os.dup2(opened, number)
        os.close(opened)
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, fd in enumerate(kept):
            os.dup2(fd, number)
            os.close(fd)


def stand_still() -> None:
    """Let no time pass for gpkit but that which it measures: lines of progress and limits of time hang on it."""
    real = time.monotonic

    def monotonic() -> float:
        return 0.0 if sys._getframe(1).f_globals["__name__"].startswith("gpkit.") else real()

    time.monotonic = monotonic


def prepared(checkout: Path, base: Path) -> Main:
    """The entry of the command line of a checkout, its kernels loaded; its programs and small files are in a folder."""
    for name in [each for each in os.environ if each.startswith(("GPKIT_", "_GPKIT"))]:
        del os.environ[name]
    os.environ |= {"NO_COLOR": "1", "COLUMNS": "100", "PYTHONPATH": str(checkout)}
    sys.path.insert(0, str(checkout))
    from gpkit.cli.main import main

    shutil.copytree(checkout / "programs", base / "inputs" / "programs")
    write_inputs(base / "inputs", checkout)
    stand_still()
    shutil.copytree(base / "inputs", base / "warm")
    (base / "warm.streams").mkdir()
    (base / "warm.streams" / "in").touch()
    os.chdir(base / "warm")
    for line in WARMING:
        with connected(base / "warm.streams"):
            code = main(shlex.split(line))
        if code:
            tell(f"`gpkit {line}` ended with {code}")
    return main


def started(main: Main, line: str, folder: Path, checkout: Path) -> int:
    """The process that runs a line, and leaves what it found in a file beside the folder."""
    if process := os.fork():
        return process
    os.setsid()
    code = 1
    try:
        shutil.copytree(folder.parent / "inputs", folder)
        os.chdir(folder)
        places = {re.escape(str(folder)): "<here>", re.escape(str(checkout)): "<checkout>"}
        found = dict(steps_of(main, line, folder, places))
        folder.with_suffix(".json").write_text(json.dumps(found))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def all_texts(main: Main, lines: Sequence[str], base: Path, checkout: Path, limit: float) -> dict[str, str]:
    """What all lines give, masked, by the names of their steps and files."""
    waiting, running, texts = deque(enumerate(lines)), {}, {}
    while waiting or running:
        while waiting and len(running) < JOBS:
            number, line = waiting.popleft()
            folder = base / f"{number:04}"
            running[started(main, line, folder, checkout)] = line, folder, time.perf_counter()
        process, status = os.waitpid(-1, os.WNOHANG)
        if process == 0:
            for late, (_, _, begun) in running.items():
                if time.perf_counter() - begun > limit:
                    os.killpg(late, signal.SIGKILL)
            time.sleep(0.01)
            continue
        line, folder, begun = running.pop(process)
        kept = folder.with_suffix(".json")
        if status == 0:
            texts |= json.loads(kept.read_text())
        else:
            texts[line] = "took too long" if time.perf_counter() - begun > limit else "the process died"
            tell(f"{texts[line]}: {line}")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(folder.with_suffix(".streams"), ignore_errors=True)
    return texts


def record(options: argparse.Namespace) -> int:
    """Write the digests of a checkout; 1 if a line came to no end."""
    checkout, target = options.checkout.resolve(), options.to.resolve()
    kept = options.texts and options.texts.resolve()
    lines = [line for line in commands(checkout) if options.only in line]
    with tempfile.TemporaryDirectory(prefix=SCRATCH) as scratch:
        base, home = Path(scratch).resolve(), Path.cwd()
        texts = all_texts(prepared(checkout, base), lines, base, checkout, options.limit)
        os.chdir(home)
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in sorted(texts.items())}
    target.write_text(json.dumps(digests, indent=0) + "\n")
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            short = re.sub(r"\W+", "-", name)[:120] + hashlib.sha256(name.encode()).hexdigest()[:8]
            (kept / short).write_text(f"{name}\n{text}")
    used = sum(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime for who in (0, -1))
    lost = sum(text in ("took too long", "the process died") for text in texts.values())
    tell(f"{len(digests)} digests of {len(lines)} lines in {used:.0f} s of CPU; {lost} came to no end")
    return int(lost > 0)


def compare(options: argparse.Namespace) -> int:
    """Tell what two files of digests do not share; 1 if there is anything."""
    first, second = (json.loads(path.read_text()) for path in (options.first, options.second))
    names = sorted(first.keys() | second.keys())
    differing = [name for name in names if first.get(name) != second.get(name)]
    for name in differing:
        tell(f"{'differs' if name in first and name in second else 'is not in both'}: {name}")
    tell(f"{len(differing)} of {len(names)} differ")
    return int(bool(differing))


def show(_: argparse.Namespace) -> int:
    """Tell the lines."""
    tell("\n".join(commands(CHECKOUT)))
    return 0


def tell(text: str) -> None:
    """Write a line."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = parser.add_subparsers(required=True)
    part = parts.add_parser("record", help="run all lines and write their digests")
    part.add_argument("to", type=Path)
    part.add_argument("--texts", type=Path, help="a folder for the masked texts")
    part.add_argument("--checkout", type=Path, default=CHECKOUT, help="of which gpkit is run")
    part.add_argument("--only", default="", help="lines that hold this text")
    part.add_argument("--limit", type=float, default=120.0, help="seconds for a line")
    part.set_defaults(does=record)
    part = parts.add_parser("compare", help="tell what differs; exit code 1 if anything does")
    part.add_argument("first", type=Path)
    part.add_argument("second", type=Path)
    part.set_defaults(does=compare)
    part = parts.add_parser("list", help="print the lines")
    part.set_defaults(does=show)
    options = parser.parse_args()
    code: int = options.does(options)
    return code


if __name__ == "__main__":
    sys.exit(main())
