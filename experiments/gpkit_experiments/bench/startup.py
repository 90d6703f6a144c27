"""Start-up time: whole processes, with kernels still to be compiled and with kernels compiled before."""

from gpkit_experiments.bench.measure import Outcome, Session, Target, measured

RUN = ("run", "simple", "--game", "sevens", "--games", "3000")
HELP = ("--help",)

CACHED_RUN = Target("at most", required=3.0)


def measure(session: Session) -> Outcome:
    """Time `gpkit run` with an empty and with a filled folder of kernels, and `gpkit --help`, in turn."""
    rounds = 1 if session.quick else 3
    if session.quick:
        session.launch(RUN, cold=False)  # compiles, if nobody has
    cold: list[tuple[float, float]] = []
    cached: list[tuple[float, float]] = []
    page: list[tuple[float, float]] = []
    for number in range(rounds):
        session.watch(f"startup: round {number + 1} of {rounds}")
        if not session.quick:
            cold.append(session.launch(RUN, cold=True))
        cached.append(session.launch(RUN, cold=False))
        page.append(session.launch(HELP, cold=False))
    measures = [
        measured("cached_run", "run, kernels cached, elapsed", "s", [w for w, _ in cached], CACHED_RUN),
        measured("cached_run_cpu", "run, kernels cached, CPU", "s", [c for _, c in cached]),
        measured("help", "help, elapsed", "s", [w for w, _ in page]),
        measured("help_cpu", "help, CPU", "s", [c for _, c in page]),
    ]
    if cold:
        compiling = [c - d for (_, c), (_, d) in zip(cold, cached, strict=True)]
        measures += [
            measured("cold_run", "run, nothing compiled yet, elapsed", "s", [w for w, _ in cold]),
            measured("cold_run_cpu", "run, nothing compiled yet, CPU", "s", [c for _, c in cold]),
            measured("compiling_cpu", "compiling the kernels of Sevens, CPU", "s", compiling),
        ]
    task = f"processes from start to end: run is `gpkit {' '.join(RUN)}`, help is `gpkit {' '.join(HELP)}`"
    return Outcome(task, tuple(measures))
