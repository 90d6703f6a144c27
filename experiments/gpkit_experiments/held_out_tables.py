"""Shipped programs on the held-out tables of their games, as ``experiments/data/held-out.json`` records them.

``python -m gpkit_experiments.held_out_tables GAME PROGRAM...`` measures shipped programs and replaces their tables in
the file; ``python -m gpkit_experiments.held_out_tables`` measures every program in the file again (half an hour).
"""

import json
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from gpkit.analysis.evaluation import ladder
from gpkit.core.codec import Count, as_list, as_table, codec
from gpkit.core.registry import game_of, language_of, shipped_programs
from gpkit.core.statistics import Interval
from gpkit.gamekit.forms import Trial
from gpkit.gamekit.game import Game
from gpkit.playing.evaluation import HeldOutTable, Row, UnseenPart, read_training
from gpkit.playing.players import player_of_text
from gpkit_experiments.papers.units import read_record

SEED = 172_001
"""The seed of the first set of deals of every trial, fixed before any of the deals was played."""

FILE = Path(__file__).parents[1] / "data" / "held-out.json"


def measured(game_name: str, name: str) -> HeldOutTable:
    """The table of a shipped program."""
    game: Game = game_of(game_name)
    path = shipped_programs(game_name)[name]
    language = language_of(str(path)).name
    player = player_of_text(path.read_text(encoding="utf-8"), game, filename=name, language=language)
    return ladder(game, player, seed=SEED)


def table_from_json(data: Any) -> HeldOutTable:
    """The table whose ``to_json`` returns this data.

    Raises:
        ValueError: the data is not such a table; the message says what was expected.
    """
    trained = _of(str | None, data, "trained")
    return HeldOutTable(
        _of(str, data, "program"),
        _of(str, data, "game"),
        None if trained is None else read_training(trained),
        tuple(_row_from_json(row) for row in as_list(data.get("rows"))),
    )


def _row_from_json(data: Any) -> Row:
    seeds, mean = _of(tuple[Count, ...], data, "seeds"), _of(float, data, "mean")
    low, high = _of(tuple[float, float] | None, data, "ci95") or (mean, mean)
    trial = Trial(
        _of(str, data, "opponent"),
        _of(Mapping[str, str], data, "rules"),
        games=_of(Count, data, "games_of_set"),
        sets=len(seeds),
        exact=not seeds,
    )
    return Row(
        trial,
        seeds,
        _of(tuple[UnseenPart, ...] | None, data, "held_out"),
        _of(str, data, "metric"),
        Interval(mean, low, high, _of(Count, data, "deals")),
        _of(tuple[float, ...], data, "sets"),
        games=_of(Count, data, "games"),
        stalled=_of(Count, data, "stalled"),
        invalid=_of(Count, data, "invalid"),
        different_games=_of(Count | None, data, "different_games"),
    )


def _of(hint: Any, data: Any, name: str) -> Any:
    """A value of that type in an object; a missing value counts as null."""
    return codec(hint).read(as_table(data).get(name))


def digest_of(game_name: str, name: str) -> str:
    """The SHA-256 of a program as gpkit prints it, without its header."""
    path = shipped_programs(game_name)[name]
    language = language_of(str(path)).load()
    program = language.parse(path.read_text(encoding="utf-8"), str(path)).program
    return sha256(language.print_program(program).encode()).hexdigest()


def recorded() -> dict[str, Any]:
    """The content of the data file."""
    return read_record(FILE)


def tables() -> Mapping[tuple[str, str], HeldOutTable]:
    """The recorded tables, by game and program."""
    found = map(table_from_json, recorded()["tables"])
    return {(table.game, table.program): table for table in found}


def written(content: Mapping[str, Any]) -> str:
    """The text of the data file, with a line for each row."""
    lists = {key: content[key] for key in ("tables", "former")}
    head = json.dumps({key: value for key, value in content.items() if key not in lists})[:-1]
    parts = [f'"{key}": [\n' + ",\n".join(map(_table_text, found)) + "\n]" for key, found in lists.items()]
    return ", ".join([head, *parts]) + "}\n"


def _table_text(table: Mapping[str, Any]) -> str:
    head = json.dumps({key: value for key, value in table.items() if key != "rows"})[:-1]
    rows = ",\n  ".join(json.dumps(row) for row in table["rows"])
    return f' {head}, "rows": [\n  {rows}\n ]}}'


def record(game: str, name: str) -> None:
    """Measure a program and put its table into the data file.

    If another program had this name before, its table moves to the tables of former programs, one for each name.
    """
    found = {**measured(game, name).to_json(), "sha256": digest_of(game, name)}
    before = recorded()
    others = [each for each in before["tables"] if _key(each) != (game, name)]
    replaced = [
        each for each in before["tables"] if _key(each) == (game, name) and each["sha256"] != found["sha256"]
    ]
    former = [each for each in before["former"] if not replaced or _key(each) != (game, name)]
    content = {
        "schema": "gpkit/held-out/1",
        "command": "python -m gpkit_experiments.held_out_tables",
        "seed": SEED,
        "tables": sorted([*others, found], key=_key),
        "former": sorted([*former, *replaced], key=_key),
    }
    FILE.write_text(written(content), encoding="utf-8")


def _key(table: Mapping[str, Any]) -> tuple[str, str]:
    return table["game"], table["program"]


def main(arguments: Sequence[str]) -> None:
    """Measure the named programs, or all programs in the file."""
    named = [(arguments[0], name) for name in arguments[1:]] if arguments else list(tables())
    for game, name in named:
        record(game, name)


if __name__ == "__main__":
    main(sys.argv[1:])
