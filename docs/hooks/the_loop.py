"""The functions of the evolution loop, quoted without docstrings, and without types and defaults of parameters."""

import inspect
from functools import partial

from gpkit.evolution import loop


def quoted(name: str) -> str:
    """A function of the loop as a Python code block."""
    function = getattr(loop, name)
    body = inspect.getsource(function).split('"""', 2)[2]
    return f"```python\ndef {name}({', '.join(inspect.signature(function).parameters)}):{body}```\n"


SECTIONS = {name: partial(quoted, name) for name in ("run_search", "advance", "next_generation")}
"""The functions, in the order of the file."""
