"""``gpkit check --data``: names of columns, words and gaps in programs for a table."""

import json
from pathlib import Path

import pytest

from gpkit import check
from gpkit.core.errors import UsageError


@pytest.mark.parametrize(
    ("text", "suffix", "told"),
    [
        ('"Age (years)" * Sex_is_male + env.log + log_is_empty\n', ".tree", []),
        ('test Sex_is_male <= 0.5 yes: "yes" no: "no"\n', ".decide", []),
        ("2 * Fair\n", ".tree", ["has no column `Fair`", "did you mean `Fare`?"]),
        ("Sex_is_mal\n", ".tree", ["has no column `Sex_is_mal`", "did you mean `Sex_is_male`?"]),
        ('test Fair <= 3 yes: "a" no: 4\n', ".decide", ["has no column `Fair`", "did you mean `Fare`?"]),
    ],
)
def test_names_are_those_of_the_table(gpkit, tmp_path: Path, text: str, suffix: str, told: list[str]) -> None:
    table, mine = tmp_path / "table.csv", tmp_path / f"mine{suffix}"
    table.write_text("Age (years),Sex,Fare,log\n1,male,2,3\n2,female,3,4\n", encoding="utf-8")
    mine.write_text(text, encoding="utf-8")
    found = gpkit("check", mine, "--data", table, "--json")
    findings = json.loads(found.out)["findings"]
    assert found.code == (1 if told else 0), found.out
    assert [each["severity"] for each in findings] == ["error"] * bool(told)
    assert all(part in findings[0]["message"] + findings[0]["help"] for part in told)


@pytest.fixture
def passengers(tmp_path: Path) -> Path:
    """A table with a column of many words, one of two, and one with gaps."""
    table = tmp_path / "passengers.csv"
    rows = [f'{row},"Name {row}",{"fe" * (row % 2)}male,{row if row % 9 else ""}' for row in range(600)]
    table.write_text("\n".join(["Passenger,Name,Sex,Age", *rows, ""]), encoding="utf-8")
    return table


@pytest.mark.parametrize(
    ("text", "message", "fix"),
    [
        ("2 * Agee", "`{}` has no column `Agee`", "did you mean `Age`?"),
        ("env.Agee", "`{}` has no column `env.Agee`", "did you mean `env.Age`?"),
        (
            "unlike",
            "`{}` has no column `unlike`",
            "there are: Passenger, Age, Sex_is_female, Sex_is_male, Age_is_empty",
        ),
        ("2 * Sex - Age", "the column `Sex` holds words", "use `Sex_is_female`, which is 1 or 0"),
        ("env.Sex", "the column `Sex` holds words", "use `Sex_is_female`, which is 1 or 0"),
        ("Name", "the column `Name` holds words", "it has 600 different words, which are not features"),
    ],
)
def test_what_a_fit_would_read_is_offered(gpkit, passengers: Path, text: str, message: str, fix: str) -> None:
    mine = passengers.with_name("mine.tree")
    mine.write_text(f"{text}\n", encoding="utf-8")
    (found,) = json.loads(gpkit("check", mine, "--data", passengers, "--json").out)["findings"]
    assert (found["message"], found["help"]) == (message.format(passengers), fix)
    assert text != "2 * Sex - Age" or f"{message} such as 'male'" in gpkit("predict", mine, passengers).err


def test_what_a_fit_would_not_read_is_known(gpkit, passengers: Path) -> None:
    mine = passengers.with_name("mine.tree")
    mine.write_text('"Name_is_Name 7" + Sex_is_empty\n', encoding="utf-8")
    assert gpkit("check", mine, "--data", passengers).code == 0


def test_a_word_that_needs_quotation_marks_has_them(gpkit, tmp_path: Path) -> None:
    table, mine = tmp_path / "table.csv", tmp_path / "mine.tree"
    table.write_text("Port\nNew York\nNew Haven\n", encoding="utf-8")
    mine.write_text("Port\n", encoding="utf-8")
    assert 'use `"Port_is_New Haven"`, which is 1 or 0' in gpkit("check", mine, "--data", table).out
    table.write_text('Port\n"1,234"\n"2,345"\n', encoding="utf-8")
    told = gpkit("check", mine, "--data", table).out
    assert "write numbers such as `1,234` with digits alone" in told


def test_numbers_are_words_where_a_person_says_so(gpkit, tmp_path: Path) -> None:
    table, mine = tmp_path / "table.csv", tmp_path / "mine.tree"
    table.write_text("class,fare\n1,2\n3,4\n", encoding="utf-8")
    mine.write_text("fare * class_is_3\n", encoding="utf-8")
    assert "has no column `class_is_3`" in gpkit("check", mine, "--data", table).out
    assert gpkit("check", mine, "--data", table, "--words", "class").code == 0
    assert "--words is for the columns" in gpkit("check", mine, "--words", "class").err
    columns = {"class": [1, 3], "fare": [2, 4]}
    assert [each.severity for each in check(mine, data=columns)] == ["error"]
    assert not check(mine, data=columns, words=["class"])
    with pytest.raises(UsageError, match=r"words=\.\.\. is for the columns of a table"):
        check(mine, words=["class"])
    with pytest.raises(UsageError, match=r"data=\.\.\. and game=\.\.\. both define the names"):
        check(mine, data=columns, game="sevens")
    assert (
        "--data and --game both define the names"
        in gpkit("check", mine, "--data", table, "--game", "sevens").err
    )


def test_a_table_or_a_language_that_does_not_fit_is_refused(gpkit, tmp_path: Path) -> None:
    mine, table = tmp_path / "mine.tree", tmp_path / "table.csv"
    mine.write_text("x\n", encoding="utf-8")
    assert gpkit("check", mine, "--data", table).code == 2
    table.write_text("x\n1\n2\n", encoding="utf-8")
    assert gpkit("check", mine, "--data", table).code == 0
    player = gpkit("check", "hunt", "--data", table)
    assert (player.code, "act in a game: --data is for formulas and decision trees" in player.err) == (
        2,
        True,
    )


def test_names_are_listed_once(gpkit, tmp_path: Path) -> None:
    table, mine = tmp_path / "table.csv", tmp_path / "mine.tree"
    table.write_text("a,b\n1,2\n", encoding="utf-8")
    for text, listed in (
        ("zzz", "there are: a, b\n"),
        ("env.aa + a", "did you mean `env.a`?"),
    ):
        mine.write_text(f"{text}\n", encoding="utf-8")
        assert listed in gpkit("check", mine, "--data", table).out
