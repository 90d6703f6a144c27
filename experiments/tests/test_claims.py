"""``CLAIMS.md`` against the records: every claim has rows or a reason, and every row of the papers has its place."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parents[1]
DATA = EXPERIMENTS / "data"
PAGE = (EXPERIMENTS / "CLAIMS.md").read_text(encoding="utf-8")

SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
"""A code span of Markdown; the mark is as many backticks as its text needs."""

REASON = "not tested, because "
CRITERIA = ("fits", "easier: ", "other: ", "cannot fail: ", "none")
NO_CRITERION = "—"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A row of a record, by the name that the page has for it."""

    name: str
    judged: bool


def recorded() -> list[Recorded]:
    """All rows of all papers."""
    found = []
    for path in sorted(DATA.glob("paper-*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        for row in record["rows"]:
            name = f"{record['paper']}: {row['table']} / {row['quantity']}"
            found.append(Recorded(name, row["claim"] is not None))
    return found


ROWS = recorded()
PAPERS = {row.name.partition(": ")[0] for row in ROWS}


def spans(text: str) -> list[str]:
    """The texts of the code spans of a cell; one blank at each end belongs to the marks."""
    return [found.removeprefix(" ").removesuffix(" ") for _, found in SPAN.findall(text)]


def patterns(text: str) -> list[str]:
    """The names of rows that a cell has."""
    return [span for span in spans(text) if span.partition(": ")[0] in PAPERS]


def named(pattern: str) -> list[Recorded]:
    """The rows that a name stands for; ``*`` is any words."""
    expression = ".*".join(map(re.escape, pattern.split("*")))
    return [row for row in ROWS if re.fullmatch(expression, row.name)]


def cells(line: str) -> list[str]:
    """The cells of a line of a table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


@dataclass(frozen=True)
class Claim:
    """A line of a source's table."""

    identifier: str
    place: str
    words: str
    stands: str
    criterion: str

    @cached_property
    def patterns(self) -> list[str]:
        """The rows that stand for it, as named."""
        return patterns(self.stands)

    @property
    def kind(self) -> str:
        """The column in which it counts."""
        if self.patterns:
            return "without a criterion" if self.criterion.startswith("none") else "tested"
        return "not tested"


def sections() -> dict[str, list[list[str]]]:
    """The lines of the tables by heading, without those that head them."""
    parts = re.split(r"^## (.+)$", PAGE, flags=re.M)
    tables = zip(parts[1::2], parts[2::2], strict=True)
    return {head: [cells(line) for line in re.findall(r"^\|.+\|$", text, re.M)[2:]] for head, text in tables}


SECTIONS = sections()
OWN = SECTIONS.pop("Rows of our own")
CLAIMS = {head: [Claim(*line) for line in lines] for head, lines in SECTIONS.items()}
ALL = [claim for claims in CLAIMS.values() for claim in claims]


def names(claims: Sequence[Claim]) -> list[str]:
    """The identifiers of claims."""
    return [claim.identifier for claim in claims]


def test_there_are_five_sources_whose_claims_are_numbered() -> None:
    assert len(CLAIMS) == 5
    for head, claims in CLAIMS.items():
        assert names(claims) == [f"{head[0]}{number:02}" for number in range(1, len(claims) + 1)]
    assert len(set(names(ALL))) == len(ALL) > 200


@pytest.mark.parametrize("claim", ALL, ids=names(ALL))
def test_a_claim_has_a_place_and_rows_or_a_reason(claim: Claim) -> None:
    assert claim.place and claim.words
    has_reason = claim.stands.startswith(REASON) and len(claim.stands) > len(REASON) + 20
    assert bool(claim.patterns) != has_reason
    if has_reason:
        assert claim.criterion == NO_CRITERION
    else:
        assert claim.criterion.startswith(CRITERIA)
        assert set(spans(claim.stands)) == set(claim.patterns), "a name is wrong from its beginning"


@pytest.mark.parametrize(
    "claim", [claim for claim in ALL if claim.kind == "tested"], ids=lambda it: it.identifier
)
def test_a_claim_that_is_tested_has_a_row_that_is_judged(claim: Claim) -> None:
    assert any(row.judged for pattern in claim.patterns for row in named(pattern))


SETTLED = ("M",)
"""Sources of which every criterion asks for what the source says."""


@pytest.mark.parametrize(
    "claim", [claim for claim in ALL if claim.identifier[0] in SETTLED], ids=lambda it: it.identifier
)
def test_a_claim_of_a_settled_source_fits_or_is_not_tested(claim: Claim) -> None:
    assert claim.kind in ("tested", "not tested")
    assert claim.criterion.startswith("fits") or claim.kind == "not tested"


@pytest.mark.parametrize(
    "claim", [claim for claim in ALL if not claim.criterion.startswith("fits")], ids=lambda it: it.identifier
)
def test_a_criterion_that_does_not_fit_says_why_it_stays(claim: Claim) -> None:
    _, _, reason = claim.criterion.partition(": ")
    assert len(reason) > 20 or reason.startswith("as ") or claim.criterion == NO_CRITERION


def test_every_row_that_is_named_exists() -> None:
    assert [pattern for pattern in patterns(PAGE) if not named(pattern)] == []


def test_every_row_of_the_records_has_its_place() -> None:
    own = [pattern for rows, why in OWN for pattern in patterns(rows) if why]
    assert len(own) == len(OWN)
    placed = [*own, *(pattern for claim in ALL for pattern in claim.patterns)]
    there = {row.name for pattern in placed for row in named(pattern)}
    assert [row.name for row in ROWS if row.name not in there] == []


def test_records_that_are_named_exist() -> None:
    files = [span for span in spans(PAGE) if re.fullmatch(r"[\w-]+\.json", span)]
    assert files and [name for name in files if not (DATA / name).is_file()] == []


def test_claims_are_counted() -> None:
    (table,) = re.findall(r"<!-- counts -->\n\n((?:\|.+\|\n)+)", PAGE)
    head, _, *lines = map(cells, table.splitlines())
    kinds = head[2:]
    expected = []
    for source, claims in CLAIMS.items():
        count = Counter(claim.kind for claim in claims)
        expected.append([source[0], str(len(claims)), *(str(count[kind]) for kind in kinds)])
    total = [str(sum(int(line[column]) for line in expected)) for column in range(1, len(head))]
    assert lines == [*expected, ["all", *total]]
