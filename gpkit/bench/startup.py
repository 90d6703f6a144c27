"""How long a person waits: whole processes, with kernels still to be compiled and with kernels compiled before."""

from gpkit.bench.measure import Measure, Session, Target, measured

RUN = ("run", "simple", "--game", "sevens", "--games", "3000")
HELP = ("--help",)

CACHED_RUN = Target("at most", required=3.0)


def measure(session: Session) -> list[Measure]:
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
    command = f"`gpkit {' '.join(RUN)}`"
    measures = [
        measured(
            "cached_run", f"{command}, kernels cached, elapsed", "s", [w for w, _ in cached], CACHED_RUN
        ),
        measured("cached_run_cpu", f"{command}, kernels cached, CPU", "s", [c for _, c in cached]),
        measured("help", "`gpkit --help`, elapsed", "s", [w for w, _ in page]),
        measured("help_cpu", "`gpkit --help`, CPU", "s", [c for _, c in page]),
    ]
    if cold:
        measures += [
            measured("cold_run", f"{command}, nothing compiled yet, elapsed", "s", [w for w, _ in cold]),
            measured("cold_run_cpu", f"{command}, nothing compiled yet, CPU", "s", [c for _, c in cold]),
        ]
    return measures
