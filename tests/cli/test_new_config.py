"""``gpkit new config``: every key of the tables and no other, its default, its range; and the file can be used."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import pytest

from gpkit.core import plugins
from gpkit.core.codec import Range
from gpkit.core.registry import GAMES, game_of
from gpkit.core.settings import attributes_of, template, to_data, to_toml
from gpkit.evolution import subjects as evolving
from gpkit.evolution.config import LANGUAGES, all_presets, shipped_presets
from gpkit.evolution.subjects import config_from_data
from gpkit.gamekit.options import option_of, value_of
from gpkit.games.dots_and_boxes import learning as learning
from gpkit.games.dots_and_boxes.learning import PRESETS as LEARNED

NAMES = [*shipped_presets(), *LEARNED]


def parsed(text: str, name: str) -> Any:
    """The configuration that the text of a preset says."""
    if name in shipped_presets():
        return evolving.parse_config(text, shipped_presets())
    return learning.parse_learner_config(text, LEARNED)


def preset(name: str) -> Any:
    """The configuration of that name."""
    return shipped_presets()[name] if name in shipped_presets() else LEARNED[name]


def uncommented(text: str) -> str:
    """The text with every key that is commented out."""
    return re.sub(r"^#(?=\w+ = )", "", text, flags=re.MULTILINE)


def tables(kind: type[Any]) -> Iterator[type[Any]]:
    """A table and those in it."""
    yield kind
    for hint in get_type_hints(kind).values():
        if is_dataclass(hint):
            yield from tables(hint)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_the_text_is_the_preset_with_and_without_its_comments(gpkit, name: str) -> None:
    shown = gpkit("new", "config", "--preset", name)
    assert shown.code == 0, shown.err
    assert parsed(shown.out, name) == preset(name)
    whole = uncommented(shown.out)
    assert parsed(whole, name) == preset(name)
    assert parsed(whole.replace(f'preset = "{name}"\n', ""), name) == preset(name)


@pytest.mark.parametrize("programs", LANGUAGES)
def test_the_text_of_a_fit_is_the_preset_with_and_without_its_comments(gpkit, programs: str) -> None:
    shown = gpkit("new", "fit", "--preset", programs).out
    named = {"file": "DATA.csv", "target": "COLUMN", "programs": programs}
    for text in (shown, uncommented(shown)):
        assert config_from_data(tomllib.loads(text)) == config_from_data({"fit": named})
    assert max(map(len, shown.splitlines())) <= 120


@pytest.mark.parametrize("name", NAMES)
def test_it_holds_every_key_of_the_tables_and_no_other(gpkit, name: str) -> None:
    data = tomllib.loads(uncommented(gpkit("new", "config", "--preset", name).out))
    assert data.pop("preset") == name
    assert data == to_data(preset(name))
    assert _shape(data) == _shape(to_data(preset(name)))


def _shape(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _shape(value) if isinstance(value, Mapping) else None for key, value in data.items()}


@pytest.mark.parametrize("name", ["sevens", "ours"])
def test_every_key_is_explained_with_what_it_may_be(gpkit, name: str) -> None:
    lines = gpkit("new", "config", "--preset", name).out.splitlines()
    keys = [k for k, line in enumerate(lines) if re.match(r"#\w+ = ", line)]
    assert len(keys) > 25
    for k in keys:
        assert re.search(r'  # (true|a |")', lines[k]), lines[k]
        assert lines[k - 1].startswith("# "), lines[k]
    whole = "\n".join(lines)
    for kind in tables(type(preset(name))):
        hints = get_type_hints(kind, include_extras=True)
        nested = {key for key, hint in hints.items() if is_dataclass(hint)}
        assert set(attributes_of(kind)) == {field.name for field in fields(kind)} - nested
        for hint in hints.values():
            if get_origin(hint) is Literal:
                assert all(f'"{word}"' in whole for word in get_args(hint))


@dataclass(frozen=True, slots=True, kw_only=True)
class Small:
    """A table.

    Attributes:
        count, total: how many
            there are.
        share: of them.
        limit: of all.
    """

    count: Annotated[int, Range(2, 10_000_000)] = 5
    total: Annotated[int, Range(1)] = 6
    share: Annotated[float, Range(1e-6, 1.0)] = 0.5
    limit: Annotated[int, Range(0, 3)] | None = None


def test_a_range_is_told_exactly() -> None:
    assert template(Small(), notes={"share": "a note"}).splitlines() == [
        "",
        "# how many there are",
        "#count = 5  # a whole number, 2 to 10,000,000",
        "",
        "# how many there are",
        "#total = 6  # a whole number, at least 1",
        "",
        "# of them",
        "# a note",
        "#share = 0.5  # a number, 1e-06 to 1",
        "",
        "# of all",
        "#limit = false  # a whole number, 0 to 3, or false",
    ]


@pytest.mark.parametrize("game", [entry.name for entry in GAMES])
def test_every_game_has_one(gpkit, game: str) -> None:
    shown = gpkit("new", "config", "--game", game)
    assert shown.code == 0
    assert f'preset = "{"ours" if game == "dots_and_boxes" else game}"' in shown.out


@pytest.fixture
def own_game(gpkit, none_named: None, tmp_path: Path) -> Path:
    """The file of a game of one's own, as ``gpkit new game`` writes it."""
    path = tmp_path / "nim.py"
    assert gpkit("new", "game", "-o", path).code == 0
    return path


def test_rules_that_are_numbers_are_written_as_numbers(gpkit, own_game: Path) -> None:
    data = tomllib.loads(gpkit("new", "config", "--game", own_game).out)
    options = game_of("nim").all_options
    for name, value in data["rules"].items():
        assert value == value_of(option_of(name, options, "nim"), str(value))
    assert evolving.parse_config(to_toml(data), all_presets()) == all_presets()["nim"]


def test_a_game_of_ones_own_implies_its_preset(own_game: Path) -> None:
    plugins.game_file(str(own_game))
    config = evolving.parse_config('game = "nim"\nseed = 3', all_presets())
    assert config == replace(all_presets()["nim"], seed=3)


def test_it_can_be_evolved_and_learned_by(gpkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for game in ("sevens", "dots_and_boxes"):
        assert gpkit("new", "config", "--game", game, "-o", f"{game}.toml").code == 0
    text = Path("sevens.toml").read_text()
    for line, other in (
        ("#size = 1000", "size = 4"),
        ("#elites = 6", "elites = 1"),
        ("#deals = ", "deals = 2 #"),
        ("#rounds = 8", "rounds = 1"),
        ("#validation_deals = 3000", "validation_deals = 10"),
    ):
        assert line in text
        text = text.replace(line, other)
    Path("sevens.toml").write_text(text)
    assert gpkit("evolve", "sevens.toml", "--generations", "1", "--out", "run").code == 0
    assert learning.parse_learner_config(Path("dots_and_boxes.toml").read_text(), LEARNED) == LEARNED["ours"]


def test_a_problem_of_ones_own_evolves_and_names_every_setting(gpkit, tmp_path: Path) -> None:
    path = tmp_path / "curve.py"
    assert gpkit("new", "problem", "-o", path).code == 0
    evolved = gpkit("evolve", path, "--generations", "2", "--out", tmp_path / "run")
    assert evolved.code == 0
    assert "// problem: score" in evolved.out
    settings = path.read_text().partition("# All settings")[2].partition("\n")[2]
    lines = [line.removeprefix("#").strip() for line in settings.splitlines()]
    data = tomllib.loads("\n".join(line for line in lines if re.match(r"\w+ = |\[", line)))
    assert config_from_data(data) == config_from_data({"problem": {}})
    assert data.keys() == to_data(config_from_data({"problem": {}})).keys()
