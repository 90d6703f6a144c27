"""Results in notebooks: tables and programs as HTML that runs nothing, data frames, a bar, and short mistakes."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from own_use import GAME, SMALL

import gpkit
from gpkit.core.errors import UsageError, interrupted
from gpkit.core.layout import MOST_SHOWN, html_table

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def results() -> list[Any]:
    """A result of each kind."""
    _, run = gpkit.evolve(GAME, generations=1, settings=SMALL)
    sevens = {"game": "sevens", "games": 6}
    return [
        run,
        gpkit.play("simple", "random", **sevens),
        gpkit.run("simple", ["random", "champion"], **sevens),
        gpkit.compare("simple", "champion", "random", **sevens),
        gpkit.tournament(["simple", "random"], **sevens),
        gpkit.series("hunt", "random", game="battleship", games=2, repeat=2),
        gpkit.trace("simple", "random", game="sevens", until="step > 1"),
        gpkit.list("games"),
        gpkit.doctor(),
        gpkit.parse("play: env.depth\nsend: 0", game="sevens").check(),
    ]


def test_results_are_tables_and_frames(results: list[Any]) -> None:
    pandas = pytest.importorskip("pandas")
    for each in results:
        frame = each.to_frame()
        assert isinstance(frame, pandas.DataFrame)
        assert len(frame) == len(each.to_rows()) > 0
        assert str(each)
        assert each._repr_html_().startswith(("<table>", "<iframe"))


def test_frames_without_pandas_are_explained(monkeypatch: pytest.MonkeyPatch, results: list[Any]) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="to_frame needs pandas: pip install pandas"):
        results[0].to_frame()


def test_texts_are_escaped() -> None:
    program = gpkit.parse(f"x // {HOSTILE}", name=HOSTILE)
    for html in (
        program._repr_html_(),
        html_table([{HOSTILE: HOSTILE, "a": [HOSTILE], "b": {HOSTILE: 1}}], HOSTILE),
    ):
        assert "<script" not in html
        assert "&lt;script" in html
    many = html_table([{"a": 1}] * (MOST_SHOWN + 1))
    assert many.count("<tr>") == MOST_SHOWN + 1
    assert f"The first {MOST_SHOWN} of {MOST_SHOWN + 1} rows" in many


class Notebook:
    """As IPython in a notebook: what is displayed, and what that is updated to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shown: list[str] = []
        python, display = ModuleType("IPython"), ModuleType("IPython.display")
        vars(python)["get_ipython"] = lambda: SimpleNamespace(kernel=self)
        vars(display)["display"] = self.display
        monkeypatch.setitem(sys.modules, "IPython", python)
        monkeypatch.setitem(sys.modules, "IPython.display", display)

    def display(self, content: dict[str, str], **options: bool) -> "Notebook":
        assert options == {"raw": True, "display_id": True}
        self.shown.append(content["text/html"])
        return self

    def update(self, content: dict[str, str], raw: bool) -> None:
        assert raw
        self.shown.append(content["text/html"])


def test_notebooks_show_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = Notebook(monkeypatch)
    gpkit.play("simple", "random", game="sevens", games=3000)
    assert notebook.shown[0].startswith('<progress max="100" value="')
    assert "3,000 games, 100%" in notebook.shown[-2]
    assert notebook.shown[-1] == ""
    notebook.shown.clear()
    gpkit.evolve(GAME, generations=2, settings=SMALL)
    assert [each.partition(">")[0][-4:] for each in notebook.shown[:-1]] == ['="0"', '"50"', '100"']
    notebook.shown.clear()
    with gpkit.progress(False):
        gpkit.play("simple", "random", game="sevens", games=30)
    assert notebook.shown == []


def test_elsewhere_progress_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    gpkit.play("simple", "random", game="sevens", games=30)
    assert capsys.readouterr() == ("", "")
    with gpkit.progress():
        gpkit.play("simple", "random", game="sevens", games=30)
    assert capsys.readouterr() == ("", "30 games, 100%\n")


def test_mistakes_are_short_in_notebooks() -> None:
    with pytest.raises(gpkit.GpkitError) as raised:
        gpkit.load("champoin", game="sevens")
    lines = raised.value._render_traceback_()
    assert lines == [f"UsageError: {raised.value}"]
    assert "did you mean `champion`?" in lines[0]


def test_an_interrupt_is_short_in_notebooks() -> None:
    error = interrupted("the run was interrupted")
    assert getattr(error, "_render_traceback_")() == ["KeyboardInterrupt: the run was interrupted"]  # noqa: B009
