"""The number of workers that a run can use: recordings of the presets, replayed with up to 1,024 simulated workers.

    python -m gpkit_experiments.many_workers record     record each preset in one process (5 min)
    python -m gpkit_experiments.many_workers check 2    predictions beside 2 real processes (1 or 4: the same)
    python -m gpkit_experiments.many_workers table      print the table of ``results/workers.md``

A recording (``data/workers.json.gz``) holds the first generations of a preset without the refinement of the champion:
for each call of the executor, the CPU time of each item alone and of an empty batch, the coordinator's time before the
call, and the costs of packing, unpacking and answers. For presets that are checked, each time is the smallest of three.
The simulator makes the batches with gpkit's own ``Queue`` and ``Pace``, so it sends what gpkit would send.

Criterion, fixed before the check: the fastest of three real runs, without the calls that compile, is within 10 % of the
prediction for one process, for two processes, and for four processes whose tasks sleep for the recorded times while the
coordinator sleeps for its recorded times. We use the fastest run because other work on the machine only adds time. The
seed is 5801, and the check covers all presets except two that take too long. A run stops gaining at the smallest number
of workers, a power of two, at which doubling the number speeds the run up by less than 10 %.
"""

import gzip
import json
import pickle
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from heapq import heappop, heappush
from pathlib import Path
from statistics import median
from typing import Any

import gpkit
from gpkit.evolution import game_subject
from gpkit.evolution.executors import ProcessPool, executor_for
from gpkit.evolution.guarded import GuardedExecutor, Pace, Queue
from gpkit.evolution.parcels import LOADS, packed

SEED = 5801
PRESETS = {
    "article": (8, 3), "sevens": (1, 3), "decisions": (1, 3), "battleship": (10, 9), "squares": (1, 3),
    "posterior": (1, 3), "bridon": (20, 3), "mastermind": (3, 2), "build_order": (8, 2), "plans": (8, 2),
}  # fmt: skip
"""The presets, each with the number of recorded generations and the number of calls that compile and do not count."""

REPEATS = 3

UNCHECKED = ("battleship", "posterior")
"""The presets that take too long for a check with real processes."""

RECORD = Path(__file__).parents[1] / "data" / "workers.json.gz"
COUNTS = tuple(2**k for k in range(11))


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the executor; all times are in seconds.

    Attributes:
        kind: the kind of work; each kind has a separate pace.
        before: the coordinator's time since the previous call.
        pack: the coordinator's time to pack the function.
        send: the coordinator's time to pack an item, and to read an item's answer.
        unpack: a worker's time to unpack the function.
        receive: a worker's time to unpack an item, and to pack its answer.
        size: the bytes of an item and of its answer.
        empty: the time of an empty batch.
        deals: the first deal and the one after the last, for items that may be divided; empty for other items.
        expected: the time that the coordinator expects for each item.
        seconds: the time of each item without the costs of a batch.
        keys: items with the same key in one batch are computed once.
    """

    kind: str
    before: float
    pack: float
    send: float
    unpack: float
    receive: float
    size: float
    empty: float
    deals: tuple[int, ...]
    expected: list[float]
    seconds: list[float]
    keys: list[int]

    def pieces(self, workers: int) -> list[tuple[int, float, float]]:
        """The key, the expected time and the time of each piece of work for this many workers."""
        shares = [1.0]
        if self.deals:
            first, end = self.deals
            parts = game_subject.portions(first, end, len(self.keys), workers)
            shares = [(b - a) / (end - first) for a, b in parts]
        return [
            (key * len(shares) + part, expected * share, max(0.0, seconds - self.empty) * share)
            for key, expected, seconds in zip(self.keys, self.expected, self.seconds, strict=True)
            for part, share in enumerate(shares)
        ]

    def batch(self, pieces: Sequence[tuple[int, float, float]], away: bool) -> float:
        """The time of a batch, in a worker process or in this process."""
        there = self.unpack + self.receive * len(pieces) if away else 0.0
        return self.empty + sum({key: seconds for key, _, seconds in pieces}.values()) + there


class Recorder:
    """An executor with one worker that records its calls."""

    workers = 1

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._ended = time.thread_time()

    def run(self, function: Any, items: Sequence[Any], seconds: Sequence[float]) -> list[Any]:
        """The results, item by item."""
        before = time.thread_time() - self._ended
        found = [_timed(function, [each]) for each in items]
        empty = min(_timed(function, [])[1] for _ in range(3))
        cargo, pack = _timed(packed, function, False, {})
        unpack = _timed(LOADS, cargo.function)[1]
        content, sent = _timed(pickle.dumps, items)
        answers, dumped = _timed(pickle.dumps, [each for each, _ in found])
        loads = [_timed(LOADS, each)[1] for each in (content, answers)]
        work = getattr(function, "func", function)
        is_game, numbers = work is game_subject._play_in, dict[Any, int]()
        codes = [(is_game and _code(function.args[0], each[0])) or place for place, each in enumerate(items)]
        count = max(1, len(items))
        self.calls.append(
            Call(
                work.__name__,
                before,
                pack,
                (sent + loads[1]) / count,
                unpack,
                (loads[0] + dumped) / count,
                (len(content) + len(answers)) / count,
                empty,
                (*items[0][1:],) if is_game else (),
                [*seconds],
                [each for _, each in found],
                [numbers.setdefault(each, len(numbers)) for each in codes],
            )
        )
        self._ended = time.thread_time()
        return [one for results, _ in found for one in results]


def _code(arena: Any, program: Any) -> Any:
    """Everything that the games of a program depend on; programs with the same code play the same games."""
    return game_subject._compiled(program, arena.game, tuple(arena.header.items()))[1]


def _timed(function: Callable[..., Any], *given: Any) -> tuple[Any, float]:
    began = time.thread_time()
    return function(*given), time.thread_time() - began


def evolved(preset: str, executor: Any) -> None:
    """The first generations of a preset, without refinement."""
    gpkit.evolve(
        preset,
        seed=SEED,
        generations=PRESETS[preset][0],
        workers=lambda: executor,
        settings={"refinement": {"finish": False}},
    )


@dataclass(frozen=True, slots=True)
class Machine:
    """The costs of a batch, apart from its items, in seconds.

    Attributes:
        send: the coordinator's time for a batch.
        latency: the time to reach a worker, and to return.
    """

    send: float
    latency: float


USUAL = Machine(0.00087, 0.00031)
"""A process pool on one core of an EPYC processor, from a measurement by ``measured_machine`` that is not in a record;
the checks measured 1.1 to 1.5 and .9 to 3.2 ms."""


def simulated(calls: Sequence[Call], workers: int, machine: Machine, cost: float = 1.0) -> list[float]:
    """The ends of the calls, in seconds after the start.

    Args:
        calls: the calls of a recording.
        workers: the number of workers.
        machine: the costs of a batch.
        cost: a factor for all times of the coordinator.
    """
    paces: dict[str, Pace] = {}
    clock, ends = 0.0, []
    for call in calls:
        pieces = call.pieces(workers)
        clock += call.before * cost
        if workers == 1:
            clock += call.batch(pieces, False)
        elif pieces:
            clock += call.pack * cost
            queue = Queue([expected for _, expected, _ in pieces], paces.setdefault(call.kind, Pace()))
            free = [(clock, number) for number in range(workers)]
            flight: list[tuple[float, int, range, float]] = []
            while queue or flight:
                while queue and len(flight) <= workers:
                    batch = queue.next(workers)
                    queue.sent(batch)
                    clock += cost * (machine.send + call.send * len(batch))
                    ready, worker = heappop(free)
                    lasts = call.batch(pieces[batch.start : batch.stop], True)
                    end = max(ready, clock + machine.latency) + lasts
                    heappush(free, (end, worker))
                    heappush(flight, (end + machine.latency, worker, batch, lasts))
                end, worker, batch, lasts = heappop(flight)
                clock = max(clock, end)
                queue.pace.add(worker, queue.expected(batch), lasts)
        ends.append(clock)
    return ends


class Stopwatch:
    """An executor that records the times at which its calls end."""

    def __init__(self, executor: Any) -> None:
        self.ends: list[float] = []
        self._executor = executor

    @property
    def workers(self) -> int:
        """The number of workers."""
        return int(self._executor.workers)

    def run(self, *given: Any) -> Any:
        """The results."""
        found = self._executor.run(*given)
        self.ends.append(time.perf_counter())
        return found


@dataclass(frozen=True, slots=True)
class Asleep:
    """A function that sleeps as long as a batch takes."""

    call: Call

    @property
    def func(self) -> str:
        """The kind of work, which has a separate pace."""
        return self.call.kind

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the object without the times of the call's items."""
        return Asleep, (Call(**asdict(self.call) | {"expected": [], "seconds": [], "keys": []}),)

    def __call__(self, pieces: Sequence[tuple[Any, ...]]) -> list[None]:
        """Sleep for a batch."""
        time.sleep(self.call.batch([each[:3] for each in pieces], True))
        return [None] * len(pieces)


def slept(calls: Sequence[Call], workers: int) -> list[float]:
    """The ends of the calls in processes whose tasks sleep."""
    with GuardedExecutor(ProcessPool(workers)) as executor:
        warm = Call("warm", 0, 0, 0, 0, 0, 0, 0.3, (), [], [], [])
        executor.run(Asleep(warm), [(0, 1.0, 0.0)] * 4 * workers, [1.0] * 4 * workers)
        watch = Stopwatch(executor)
        for call in calls:
            time.sleep(call.before + call.pack)
            pieces = call.pieces(workers)
            payload = b"0" * int(call.size)
            watch.run(Asleep(call), [(*each, payload) for each in pieces], [each[1] for each in pieces])
    return watch.ends


ZERO = Call("nothing", 0, 0, 0, 0, 0, 0, 0, (), [], [], [])


def measured_machine(batches: int = 200) -> Machine:
    """The costs of a batch of one empty item, with two processes: the smallest of three measurements."""
    found = []
    with GuardedExecutor(ProcessPool(2)) as executor:
        for _ in range(REPEATS + 1):
            spans, used = [], time.process_time()
            for _ in range(batches):
                began = time.perf_counter()
                executor.run(Asleep(ZERO), [(0, 1.0, 0.0)], [1.0])
                spans.append(time.perf_counter() - began)
            send = (time.process_time() - used) / batches
            found.append(Machine(send, max(0.0, median(spans) - send) / 2))
    return min(found[1:], key=lambda each: each.send)


def recorded(preset: str) -> list[Call]:
    """A new recording of a preset; if the preset is to be checked, each time is the smallest of three."""
    runs = []
    for _ in range(1 if preset in UNCHECKED else REPEATS):
        recorder = Recorder()
        evolved(preset, recorder)
        runs.append(recorder.calls)
    return [Call(**_least([asdict(each) for each in same])) for same in zip(*runs, strict=True)]


def _least(values: Sequence[Any]) -> Any:
    """The smallest of several times, for each entry of a structure that all recordings share."""
    first = values[0]
    if isinstance(first, dict):
        return {key: _least([each[key] for each in values]) for key in first}
    if isinstance(first, list):
        return [_least(each) for each in zip(*values, strict=True)]
    return min(values)


def recordings() -> dict[str, list[Call]]:
    """The recordings by preset."""
    with gzip.open(RECORD, "rt") as file:
        return {preset: [Call(**each) for each in calls] for preset, calls in json.load(file).items()}


def _short(value: Any) -> Any:
    """The value with its numbers rounded to three digits."""
    if isinstance(value, dict):
        return {key: _short(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_short(each) for each in value]
    return float(f"{value:.3g}") if isinstance(value, float) else value


def span(preset: str, ends: Sequence[float]) -> float:
    """The total time of the calls that count."""
    return ends[-1] - ends[PRESETS[preset][1] - 1]


def check(workers: int) -> None:
    """Print the predicted times and the times of real processes, as JSON."""
    machine = measured_machine()
    print(json.dumps(asdict(machine)), flush=True)
    for preset, calls in recordings().items():
        if preset not in UNCHECKED:
            predicted = span(preset, simulated(calls, workers, machine))
            found = _short({"predicted": predicted, "real": _real(preset, calls, workers)})
            print(json.dumps({"preset": preset, "workers": workers, **found}), flush=True)


def _real(preset: str, calls: Sequence[Call], workers: int) -> list[float]:
    """The times of real processes, without a first run in which the processes load compiled code."""
    if workers == 4:
        return [span(preset, slept(calls, workers)) for _ in range(REPEATS)]
    found = []
    with executor_for(workers) as executor:
        for _ in range(REPEATS + 1):
            evolved(preset, watch := Stopwatch(executor))
            found.append(span(preset, watch.ends))
    return found[1:]


def table(machine: Machine = USUAL) -> str:
    """The table of ``results/workers.md``: the gains over one process, by workers and costs of the coordinator."""
    lines = []
    for preset, calls in recordings().items():
        alone = span(preset, simulated(calls, 1, machine))
        gains = {each: alone / span(preset, simulated(calls, each, machine)) for each in COUNTS}
        last = next(each for each in COUNTS if gains.get(2 * each, 0.0) < 1.1 * gains[each])
        cheaper = [
            alone / span(preset, simulated(calls, COUNTS[-1], machine, cost)) for cost in (0.1, 0.01, 0.0)
        ]
        shown = (gains[4], gains[16], gains[last], gains[COUNTS[-1]], *cheaper)
        lines.append(f"| `{preset}` | {last} | " + " | ".join(f"{each:.3g}" for each in shown) + " |")
    return "\n".join(lines)


def main(words: Sequence[str]) -> None:
    """Record, check or print the table."""
    if words == ["record"]:
        found = {preset: [asdict(call) for call in recorded(preset)] for preset in PRESETS}
        with gzip.open(RECORD, "wt") as file:
            json.dump(_short(found), file)
    elif words[0] == "check":
        check(int(words[1]))
    else:
        print(table())


if __name__ == "__main__":
    main(sys.argv[1:])
