"""``gpkit series``: every game, every way to end, and what it prints."""

import json

import pytest

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
