"""An option is one edit: a parameter of the public function with its line, which every surface follows."""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest

import gpkit as package
from gpkit.api import evolving
from gpkit.cli.commands import all_commands
from gpkit.core.errors import UsageError

sys.path.append(str(Path(__file__).parents[2] / "docs" / "hooks"))  # as MkDocs does

BEFORE = '    resume: bool = False,\n    workers: WorkersLike = 1,\n) -> "Fitted":'
DECLARED = "    steps: Annotated[int, Within(0, 1000)] | None = None,\n"
LINE_BEFORE = "        choose: how to choose the program"
LINE = "        steps: the most steps in which constants are fitted.\n"

TABLE = {"x": [k / 4 for k in range(20)], "y": [k * k / 16 + 1 for k in range(20)]}


@pytest.fixture
def edited(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The module of ``gpkit.fit``, whose function has one more parameter, the key ``steps`` of [fit]."""
    source = inspect.getsource(evolving)
    assert source.count(BEFORE) == source.count(LINE_BEFORE) == 1
    source = source.replace(BEFORE, DECLARED + BEFORE).replace(LINE_BEFORE, LINE + LINE_BEFORE)
    module = ModuleType(evolving.__name__)
    exec(compile(source, str(evolving.__file__), "exec"), vars(module))  # noqa: S102
    monkeypatch.setitem(sys.modules, evolving.__name__, module)
    forget()
    yield
    forget()


def forget() -> None:
    """Let gpkit look its functions up again: it keeps them once they are there."""
    for name, home in package._HOMES.items():
        if home == evolving.__name__:
            vars(package).pop(name, None)


@pytest.mark.usefixtures("edited")
def test_the_shell_has_it(gpkit, tmp_path: Path) -> None:
    shown = " ".join(gpkit("fit", "--help").out.split())
    assert "--steps N The most steps in which constants are fitted. [from 0 to 1,000]" in shown
    (tmp_path / "rows.csv").write_text("x,y\n" + "".join(f"{k},{k * k}\n" for k in range(20)))
    small = ("fit", tmp_path / "rows.csv", "--target", "y", "--generations", 0, "--population", 5)
    assert gpkit(*small, "--steps", 3, "--out", tmp_path / "run").code == 0
    assert '"steps": 3' in (tmp_path / "run" / "run.json").read_text()
    wrong = gpkit(*small, "--steps", "many", "--out", tmp_path / "other")
    assert (wrong.code, wrong.err) == (2, "error: --steps many: expected a whole number from 0 to 1,000\n")


@pytest.mark.usefixtures("edited")
def test_python_has_it() -> None:
    small = {"operators": "+ *", "generations": 0, "population": 5}
    found = package.fit(TABLE, "y", steps=3, **small)  # type: ignore[call-arg, arg-type]
    settings = found.run.config.fit
    assert settings is not None
    assert settings.steps == 3
    with pytest.raises(UsageError, match="steps=-1: expected a whole number from 0 to 1,000"):
        package.fit(TABLE, "y", steps=-1)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"fit has no argument `step`; did you mean `steps`\?"):
        package.fit(TABLE, "y", step=3)  # type: ignore[call-arg]


@pytest.mark.usefixtures("edited")
def test_completion_and_the_reference_have_it() -> None:
    import python_reference
    import reference

    line = next(each for each in all_commands() if each.name == "fit")
    command = line.load()
    (known,) = command.shell_complete(click.Context(command), "--steps")
    assert (known.value, known.help) == ("--steps", "The most steps in which constants are fitted")
    assert "| `--steps N` | The most steps in which constants are fitted." in reference.commands()
    assert "- `steps`: the most steps in which constants are fitted." in python_reference.python_reference()
