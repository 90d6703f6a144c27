"""Exports programs that predict rows of data as C: a structure for the rows, and functions that predict them."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Any

from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.wording import is_unicode
from gpkit.data.features import Label, label_name
from gpkit.data.table import EMPTY, SINCE, is_number, number_text
from gpkit.export.c_notation import comment, literal, member_names, quoted
from gpkit.export.rows import Cell, Row, RowForm
from gpkit.export.statements import functions_in

_FEATURES = Template("""
/* The numbers that the program reads of a row; 0 if one of them is missing. */
static int gp_features(const struct row *row, double in[])
{
$lines
    return 1;
}
""")

_NUMBER = Template("""
double predict(const struct row *row)
{
    double in[$width];
    return gp_features(row, in) ? $section(in) : NAN;
}
""")

_NAME = Template("""
int predict(const struct row *row)
{
    double in[$width];
    int k = 0;
    gp_features(row, in);
    while (strcmp(classes[k], $section(in)) != 0) {
        k++;
    }
    return k;
}
""")

_NUMBERED = Template("""
int predict(const struct row *row)
{
    static const double numbers[] = {$numbers};
    double in[$width], found;
    int k = 0;
    gp_features(row, in);
    found = $section(in);
    while (numbers[k] != found) {
        k++;
    }
    return k;
}
""")

_ODDS = Template("""
/* The log odds of the classes: of the second of two classes, or of each of several against all others. */
static int gp_odds(const struct row *row, double odds[])
{
    double in[$width];
    int k;
    if (!gp_features(row, in)) {
        return 0;
    }
$lines
    for (k = 0; k < $count; k++) {
        odds[k] = odds[k] > 700.0 ? 700.0 : odds[k] < -700.0 ? -700.0 : odds[k] == odds[k] ? odds[k] : 0.0;
    }
    return 1;
}
""")

_SECOND = """
int predict(const struct row *row)
{
    double odds[1];
    return gp_odds(row, odds) ? odds[0] > 0.0 : -1;
}

void probabilities(const struct row *row, double shares[2])
{
    if (!gp_odds(row, shares)) {
        shares[0] = shares[1] = NAN;
        return;
    }
    shares[1] = 0.5 * (1.0 + tanh(0.5 * shares[0]));
    shares[0] = 1.0 - shares[1];
}
"""

_LIKELIEST = Template("""
int predict(const struct row *row)
{
    double odds[$count];
    int k, best = 0;
    if (!gp_odds(row, odds)) {
        return -1;
    }
    for (k = 1; k < $count; k++) {
        best = odds[k] > odds[best] ? k : best;
    }
    return best;
}

void probabilities(const struct row *row, double shares[$count])
{
    double total = 0.0;
    int k, is_known = gp_odds(row, shares);
    for (k = 0; k < $count; k++) {
        shares[k] = is_known ? 0.5 * (1.0 + tanh(0.5 * shares[k])) : NAN;
        total += shares[k];
    }
    for (k = 0; k < $count; k++) {
        shares[k] = total == 0.0 ? 1.0 / $count : shares[k] / total;
    }
}
""")


@dataclass(frozen=True)
class CRows:
    """The C functions of a program that predicts rows.

    Attributes:
        form: the form of the rows; the sections of its program have the same names as their C functions.
    """

    form: RowForm

    def __post_init__(self) -> None:
        """Check that C can express the program's inputs and outputs.

        Raises:
            UsageError: a string has characters that a C string cannot contain, or a leaf is not one of the classes.
        """
        form = self.form
        words = (word for known in form.texts.values() for word in known)
        for text in (*self.classes, *words, *(cell.name for cell in form.cells)):
            if "\0" in text or not is_unicode(text):
                raise UsageError(
                    f"{form.subject.name}: a C string cannot contain {shortened(ascii(text))}: remove its invalid "
                    "characters from the first lines of the program"
                )
        for leaf in map(label_name, form.leaves):
            if form.outcomes and leaf not in self.classes:
                raise UsageError(
                    f"{form.subject.name}: its leaf `{leaf}` is not one of the classes {', '.join(self.classes)}; "
                    f"{suggestion(leaf, self.classes)}"
                )

    @cached_property
    def members(self) -> dict[str, str]:
        """The names of the structure's members, by column."""
        return member_names(self.form.columns)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes in order, as tables write them; empty if the program predicts numbers."""
        return tuple(map(label_name, self.form.outcomes))

    @property
    def has_odds(self) -> bool:
        """True if the program computes log odds for classes."""
        return bool(self.classes) and not self.form.leaves

    @property
    def result(self) -> str:
        """The C type of a prediction."""
        return "int" if self.classes else "double"

    @property
    def declarations(self) -> str:
        """The declarations for callers of the functions, with an include guard."""
        count, needed = len(self.classes), self.form.needed
        gap = f" It is {'-1' if count else 'NAN'} if {' or '.join(needed)} is empty." if needed else ""
        what = self.form.subject.header.get("target", "value")
        says = f"The {what} of a row{', as its place in classes' * bool(count)}"
        nan = " All are NAN if predict is -1." if needed else ""
        shares = f"The probability of each class for a row, in the order of classes.{nan}"
        declared = {
            f"extern const char *const classes[{count}];": ", ".join(map(quoted, self.classes)),
            f"{self.result} predict(const struct row *row);": f"{says}.{gap}",
            f"void probabilities(const struct row *row, double shares[{count}]);": shares * self.has_odds,
        }
        lines = ("\n".join([*comment(text), line]) for line, text in declared.items() if text)
        text = "\n\n".join([self._structure(), *lines])
        guard = f"GPKIT_{sha256(text.encode()).hexdigest()[:8].upper()}_H"
        opened = '#ifdef __cplusplus\nextern "C" {\n#endif'
        closed = "#ifdef __cplusplus\n}\n#endif"
        return f"#ifndef {guard}\n#define {guard}\n\n{opened}\n\n{text}\n\n{closed}\n\n#endif"

    def _structure(self) -> str:
        empty = 'NAN or, of words, NULL; texts such as "" and "NA" are empty, too. Words are UTF-8.'
        says = f"A row of the table. An empty cell is {empty if self.form.texts else 'NAN.'}"
        lines = [*(comment(says) if self.members else []), "struct row {"]
        for column, cells in self.form.columns.items():
            says, words = column, self.form.texts.get(column)
            fills = [cell.fill for cell in cells if cell.fill is not None and cell.fill == cell.fill]
            if any(cell.is_date for cell in cells):
                says += f"; {SINCE}"
            if words:
                says += f": {', '.join(map(quoted, words))}"
            elif fills:
                says += f"; an empty cell counts as {number_text(fills[0])}"
            elif column in self.form.needed:
                says += "; must not be empty"
            kind = "double " if words is None else "const char *"
            lines += [f"    {line}" for line in comment(says, 4)]
            lines += [f"    {kind}{self.members[column]};"]
        if not self.members:
            lines.append("    char nothing; /* is read of a row */")
        return "\n".join([*lines, "};"])

    @property
    def functions(self) -> list[str]:
        """The parts of the file that define the functions for predicting rows."""
        form, names = self.form, self.form.subject.program.names
        words: dict[str, Any] = {"width": max(1, len(form.cells)), "section": names[0], "count": len(names)}
        parts = [_FEATURES.substitute(lines="\n".join(f"    {line}" for line in self._features()))]
        if self.classes:
            places = "\n".join(f"    {quoted(name)}," for name in self.classes)
            parts.insert(0, f"const char *const classes[{len(self.classes)}] = {{\n{places}\n}};")
        if self.has_odds:
            odds = "\n".join(f"    odds[{k}] = {self._call(k)};" for k in range(len(names)))
            parts.append(_ODDS.substitute(words, lines=odds))
            parts.append(_SECOND if len(names) == 1 else _LIKELIEST.substitute(words))
        elif not self.classes:
            parts.append(_NUMBER.substitute(words))
        elif isinstance(form.leaves[0], str):
            parts.append(_NAME.substitute(words))
        else:
            numbers = {label_name(leaf): leaf for leaf in form.leaves}
            each = ", ".join(literal(float(numbers.get(name, "nan"))) for name in self.classes)
            parts.append(_NUMBERED.substitute(words, numbers=each))
        parts = [part.strip("\n") for part in parts]
        return [*_helpers_of("\n".join(parts)), *parts]

    def _features(self) -> Iterator[str]:
        """Yield the statements that compute the program's numbers from a row."""
        if self.form.needed:
            cells = [f"row->{self.members[column]}" for column in self.form.needed]
            yield f"if ({' || '.join(f'{cell} != {cell}' for cell in cells)}) {{"
            yield "    return 0;"
            yield "}"
        used = [f"in[{place}] = {self._read(cell)};" for place, cell in enumerate(self.form.cells)]
        yield from () if used else ["(void)in;"]
        yield from () if any("row->" in line for line in used) else ["(void)row;"]
        yield from used

    def _read(self, cell: Cell) -> str:
        """The expression for a number that the program reads from a row."""
        if cell.column in self.form.texts:
            patterns = {"word": "gp_is_word({cell}, {word})", "gap": "gp_is_empty({cell})"}
        else:
            word = f"{{cell}} == {literal(float(cell.word))}" if cell.word and is_number(cell.word) else "0.0"
            is_filled = cell.fill is not None and cell.fill == cell.fill  # the fill replaces gaps
            number = "gp_number({cell}, {fill})" if is_filled else "{cell}"
            patterns = {"word": word, "gap": "{cell} != {cell}", "date": number, "number": number}
        found = f"row->{self.members[cell.column]}"
        return cell.read(patterns, quoted, literal(cell.fill or 0.0), found)

    def _call(self, section: int) -> str:
        """The call of a section's function, with its inputs taken from the array ``in``."""
        program, names = self.form.subject.program, [cell.name for cell in self.form.cells]
        places = [names.index(name) for name in program.trees[section].reads]
        if places == [*range(len(places))]:
            return f"{program.names[section]}(in)"
        read = ", ".join(f"in[{place}]" for place in places)
        return f"{program.names[section]}((const double[]){{{read}}})"

    def initializer(self, row: Row) -> str:
        """A row as an initializer of the structure."""
        cells = []
        for column in self.members:
            cell = row[column]
            if column in self.form.texts:
                cells.append("NULL" if cell is None else quoted(str(cell)))
            else:
                cells.append(literal(math.nan if cell is None else float(cell)))
        return f"{{{', '.join(cells) or '0'}}}"

    def line(self, row: Row) -> str:
        """A row as a line of input for the program: tab-separated cells with backslash escapes."""
        cells = []
        for column in self.members:
            text = "" if row[column] is None else str(row[column])
            cells.append(
                text.translate({ord("\\"): r"\\", ord("\t"): r"\t", ord("\n"): r"\n", ord("\r"): r"\r"})
            )
        return "\t".join(cells) + "\n"

    @property
    def readers(self) -> Iterator[str]:
        """Yield the statements that read a row from a line."""
        for column, member in self.members.items():
            cell = "next_cell(&rest)"
            yield f"row.{member} = {cell if column in self.form.texts else f'number_in({cell})'};"

    def answer(self, text: str) -> str:
        """The JSON text of the prediction in a line of the program's output."""
        if not self.classes:
            return json.dumps(float(text))
        outcomes: Sequence[Label | None] = (*self.form.outcomes, None)  # for -1
        return json.dumps(outcomes[int(text)])


def _helpers_of(text: str) -> list[str]:
    """The hand-written functions that a piece of C code calls, directly or indirectly."""
    found: list[str] = []
    for name, function in reversed(_helpers().items()):
        if f"{name}(" in text:
            found.insert(0, function)
            text += function
    return found


@cache
def _helpers() -> dict[str, str]:
    """The hand-written functions by name; each one comes after the functions that it calls."""
    text = (Path(__file__).parent / "c_rows.c").read_text(encoding="utf-8")
    return functions_in(text.replace("EMPTY", ", ".join(map(quoted, sorted(EMPTY)))))
