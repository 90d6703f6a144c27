"""Programs for data in Python: the functions that predict rows, whose cells are given by column name."""

from string import Template
from typing import Any

from gpkit.data.table import EMPTY, NUMBER
from gpkit.export.python_notation import ascii_quoted, in_docstring
from gpkit.export.rows import Cell, RowForm

_ROWS = Template('''
NUMBER = re.compile("$number")


def cell_is_empty(cell):
    """Whether a cell is empty: None, NaN, or a text such as NA."""
    return cell is None or cell != cell or (isinstance(cell, str) and cell.strip() in EMPTY)


def cell_is_word(cell, word):
    """1.0 if the cell is this word, or a number equal to it; otherwise 0.0."""
    if isinstance(cell, (int, float)) and not isinstance(cell, bool):
        return float(NUMBER.fullmatch(word) is not None and float(word) == cell)
    return float(str(cell).strip() == word)


def number_of(cell):
    """The number in a cell, which is a finite number or a text of digits."""
    if isinstance(cell, str) and not NUMBER.fullmatch(cell.strip()):
        raise ValueError(cell)
    number = float(cell)
    if number - number != 0.0:
        raise ValueError(cell)
    return number


def cell_number(row, column, fill):
    """The number in a cell, or the value for an empty cell."""
    cell = row[column]
    if cell_is_empty(cell):
        if fill is None:
            raise ValueError(f"the column {column} is empty, and the formula has no value for gaps")
        return fill
    try:
        return number_of(cell)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"the column {column} is {cell!r}, where a finite number is needed") from None

$days
def features(row):
    """The numbers that the program reads of a row, by name."""
    return $cells
''')

_DAYS = '''
DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?")
LAST = 2932896.9999999995  # of the year 9999


def days_of(cell):
    """The days since 1970-01-01 for a number of days, an ISO text, a date or a datetime without a zone."""
    text = cell.isoformat() if hasattr(cell, "isoformat") else cell
    if not isinstance(text, str) or not DATE.fullmatch(text.strip()):
        return number_of(text)
    text = text.strip()
    time = datetime.datetime.fromisoformat(text[:19])
    seconds = (time.hour * 60 + time.minute) * 60 + time.second
    return min(time.toordinal() - 719163 + (seconds * 10**9 + int(text[20:].ljust(9, "0"))) / 86400000000000, LAST)


def cell_days(row, column, fill):
    """The days since 1970-01-01 for a cell, or the value for an empty cell."""
    cell = row[column]
    if cell_is_empty(cell):
        return cell_number(row, column, fill)
    try:
        return days_of(cell)
    except (OverflowError, TypeError, ValueError):
        needed = "a date such as 2024-05-31, without a zone, or a number of days is needed"
        raise ValueError(f"the column {column} is {cell!r}, where {needed}") from None

'''

_CLASSES = Template('''
def odds_of(row):
    """The log odds of the classes: of the second of two classes, or of each of several against all others."""
    env = features(row)
    values = [section(env, None) for section in SECTIONS.values()]
    return [min(max(value, -700.0), 700.0) if value == value else 0.0 for value in values]


def probabilities(row):
    """The probability of each class for a row: a list in the order of CLASSES."""
    each = [0.5 * (1.0 + math.tanh(0.5 * odds)) for odds in odds_of(row)]
    if len(each) == 1:
        return [1.0 - each[0], each[0]]
    total = sum(each)
    return [share / total if total else 1.0 / len(each) for share in each]


def predict(row):
    """$summary

    A row is a dict of cells by column name; None, NaN and texts such as NA are empty.
    """
    odds = odds_of(row)
    return CLASSES[odds[0] > 0.0 if len(odds) == 1 else odds.index(max(odds))]
''')

_NUMBERS = Template('''
def predict(row):
    """$summary

    A row is a dict of cells by column name; None, NaN and texts such as NA are empty.
    """
    found = $section(features(row), None)
    return $found
''')


def rows_text(form: RowForm, section: str) -> str:
    """The part of a Python file that predicts rows.

    Args:
        form: the form of the rows.
        section: the function of the first section.
    """
    items = ",\n        ".join(f"{ascii_quoted(cell.name)}: {_read(cell)}" for cell in form.cells)
    lists: dict[str, Any] = {"EMPTY": sorted(EMPTY), "CLASSES": [*form.facts.labels]}
    constants = "\n".join(f"{name} = {value!r}" for name, value in lists.items() if value)
    cells = f"{{\n        {items},\n    }}" if items else "{}"
    days = _DAYS if form.dates else ""
    summary = in_docstring(" ".join(form.summary.replace("\\", "").replace('"', "'").split()))
    if form.leaves or not form.facts.labels:
        named = {leaf: label for leaf, label in form.named.items() if repr(leaf) != repr(label)}
        found = f"{named!r}.get(found, found)" if named else "found"
        predict = _NUMBERS.substitute(summary=summary, section=section, found=found)
    else:
        predict = _CLASSES.substitute(summary=summary)
    rows = _ROWS.substitute(number=NUMBER.pattern, days=days, cells=cells)
    return "\n".join([f"\n{constants}\n", rows, predict])


def _read(cell: Cell) -> str:
    """The expression of the number that a program reads of a row."""
    column = ascii_quoted(cell.column)
    if cell.is_never:
        return "0.0"
    if cell.word is not None:
        return f"cell_is_word(row[{column}], {ascii_quoted(cell.word)})"
    if cell.is_gap:
        return f"float(cell_is_empty(row[{column}]))"
    read = "cell_days" if cell.is_date else "cell_number"
    return f"{read}(row, {column}, {'math.nan' if cell.fill != cell.fill else repr(cell.fill)})"
