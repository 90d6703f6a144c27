"""``gpkit tournament``: cross table, ratings, cycles; under every way to end.

``gpkit series``: every game, every way to end, and what it prints.
"""

import json

import pytest

from gpkit.core.registry import data_folder

FIELD = ("random", "hold", "simple")
GAMES = ("--games", "2100")


def test_tables_and_verdict(gpkit) -> None:
    outcome = gpkit("tournament", *FIELD, *GAMES)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0].split()[:4] == ["win_share", "of", "against", "1"]
    assert [line.split()[1] for line in lines[1:4]] == list(FIELD)
    assert all(line.count("±") == 2 for line in lines[1:4])
    assert lines[4] == "12,600 games, 0 of them stalled, 0 invalid"
    assert "Elo points" in lines[6]
    assert [line.split()[0] for line in lines[7:10]] == ["simple", "hold", "random"]
    assert lines[10].startswith("ratings predict every cell to within 0.0")
    assert lines[11] == "no cycle: simple beats hold beats random, and each also beats everyone after it"
    assert outcome.err.startswith("sevens: 3 players, seed 0; an even share is 0.333\n")


@pytest.mark.parametrize("players", [2, 7])
@pytest.mark.parametrize(
    ("end", "unit"), [("first", "Elo points"), ("ranks", "Elo points"), ("points", "points a game")]
)
def test_json(end: str, unit: str, players: int, gpkit) -> None:
    outcome = gpkit("tournament", *FIELD, *GAMES, "--json", "--rules", f"end={end}", "--players", players)
    assert outcome.code == 0
    report = json.loads(outcome.out)
    assert report["schema"] == "gpkit/tournament/1"
    assert (report["seed"], report["players"], report["unit"]) == (0, players, unit)
    assert report["programs"] == list(FIELD)
    assert [(r["program"], r["opponent"]) for r in report["results"]] == [
        (a, b) for a in FIELD for b in FIELD if a != b
    ]
    assert [r["program"] for r in report["ratings"]] == ["simple", "hold", "random"]
    for rating in report["ratings"]:
        low, high = rating["ci95"]
        assert low < rating["rating"] < high
    assert report["wins"] == [["hold", "random"], ["simple", "random"], ["simple", "hold"]]
    assert (report["undecided"], report["cycles"]) == ([], [])
    assert report["verdict"].startswith("no cycle: simple beats hold beats random")


def test_folder_of_programs(gpkit) -> None:
    opponents = data_folder("programs") / "sevens" / "opponents"
    report = json.loads(gpkit("tournament", opponents, "--games", "30", "--json").out)
    assert report["programs"] == sorted(str(path) for path in opponents.iterdir())


def test_same_seed_same_report(gpkit) -> None:
    def report(seed: int) -> dict[str, object]:
        values = json.loads(gpkit("tournament", *FIELD, "--games", "90", "--seed", seed, "--json").out)
        del values["seconds"]
        return dict(values)

    assert report(1) == report(1)
    assert report(1)["ratings"] != report(2)["ratings"]


def test_a_league_of_series_where_two_can_meet(gpkit) -> None:
    small = ("--rules", "board=6x6", "--rules", "fleet=3,2")
    found = json.loads(
        gpkit("tournament", "hunt", "counts", "--series", "3", "--games", "12", *small, "--json").out
    )
    assert (found["game"], found["rules"]["mode"]) == ("battleship", "duel")
    assert [result["games"] for result in found["results"]] == [12, 12]
    assert sum(result["mean"] for result in found["results"]) == pytest.approx(1.0)


FEW = ("--games", "2", "--repeat", "3", "--json")


@pytest.mark.parametrize(
    ("players", "metric"),
    [
        (("simple", "random"), "win_share"),
        (("hunt", "random", "--game", "battleship"), "win_share"),
        (("hunt", "wall", "--game", "battleship"), "shots"),
        (("chain", "greedy", "--rules", "board=2x2"), "win_rate"),
        (("knuth", "codemaker"), "guesses"),
    ],
)
def test_every_game_is_played_in_series(players: tuple[str, ...], metric: str, gpkit) -> None:
    done = gpkit("series", *players, *FEW)
    assert done.code == 0, done.err
    report = json.loads(done.out)
    assert (report["schema"], report["seed"]) == ("gpkit/series/1", 0)
    (result,) = report["results"]
    assert (result["first"], result["second"], result["metric"]) == (*players[:2], metric)
    for entry in (result, *result["by_game"]):
        low, high = entry["ci95"]
        assert low <= entry["mean"] <= high
        assert (entry["wins"] is None) == (entry["share"] is None) == (metric in ("shots", "guesses"))
    assert result["games"] == sum(each["games"] for each in result["by_game"])
    assert len(result["by_game"]) == 2


def test_a_player_meets_itself_in_both_seats(gpkit) -> None:
    result = json.loads(gpkit("series", "random", "random", "--game", "battleship", *FEW).out)["results"][0]
    assert result["share"] == 0.5
    assert result["games"] == 12


def test_table(gpkit) -> None:
    done = gpkit("series", "simple", "random", "--games", "30", "--repeat", "2")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].split()[:3] == ["game", "games", "wins"]
    assert [line.split()[0] for line in lines[1:-1]] == [
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "8",
        "11",
        "15",
        "21",
        "30",
        "all",
    ]
    assert lines[-1].startswith("win_share of simple against random; the unit is the deal; 0 games stalled")


def test_same_seed_same_series(gpkit) -> None:
    def report(seed: int) -> dict[str, object]:
        values = json.loads(gpkit("series", "simple", "random", *FEW, "--seed", seed).out)
        del values["seconds"]
        return dict(values)

    assert report(1) == report(1)
    assert report(1)["results"] != report(2)["results"]
