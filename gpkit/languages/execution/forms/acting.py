"""Plans outside games: the actions that one asks for, one after another."""

from collections.abc import Callable, Iterator

from gpkit.genomes.plan import Do, PlanProgram, downward
from gpkit.languages.execution.interpreter import interpret


def actions(program: PlanProgram, sense: Callable[[str], float], draw: Callable[[], float]) -> Iterator[str]:
    """The actions of a plan; whoever asks for the next one has done the one before. Where it waits, they are empty."""
    for executed in interpret(downward(program), sense, draw):
        if isinstance(executed.step, Do):
            yield executed.step.action
        elif executed.asks:
            yield ""
