"""Programs for data in Lua: functions that predict rows, whose cells have the names of columns."""

from collections.abc import Iterator

from gpkit.data.features import Label
from gpkit.data.table import EMPTY, SINCE
from gpkit.export.lua.functions import Inputs
from gpkit.export.lua.layout import field_of, key, quoted, runtime, table
from gpkit.export.rows import Cell, Row, RowForm

ROW = (
    "---@param row table<string, any> cells by the names of columns; nil, NaN and texts such as NA are empty"
)


def literal(value: Label | None) -> str:
    """A label or a cell in Lua."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    return "nil" if value is None else "0 / 0" if value != value else repr(value)


def row_texts(form: RowForm) -> Iterator[str]:
    """The parts of a module by which it predicts rows."""
    names = form.subject.program.names
    yield "\n".join(table("local EMPTY = ", [f"{key(text)} = true" for text in sorted(EMPTY)]))
    yield runtime("rows")
    inputs = Inputs.of(form.subject.program)
    items = [f"{key(inputs.field(cell.name))} = {_read(cell)}" for cell in form.cells]
    lines = ["-- The numbers that the program reads of a row."]
    lines += [f"-- {quoted(column)} is a number: {SINCE}." for column in form.dates]
    lines += ["local function features(row)"]
    body = table("\treturn ", items) if form.cells else ["\treturn {}"]
    yield "\n".join([*lines, *(body if "row" in " ".join(body) else ["\tlocal _ = row", *body]), "end"])
    plain = "".join(c if c.isprintable() else " " for c in form.summary)
    summary = " ".join(plain.replace("\\", "").split())
    if form.facts.labels:
        yield "\n".join(table("M.CLASSES = ", [*map(literal, form.facts.labels)]))
    if form.facts.labels and not form.leaves:
        yield "\n".join(table("local SECTIONS = ", [field_of("M", name) for name in names]))
        yield runtime("classes").replace("SUMMARY", summary)
        return
    found = f"{field_of('M', names[0])}(features(row))"
    if any(repr(leaf) != repr(label) for leaf, label in form.named.items()):
        pairs = [f"[{literal(leaf)}] = {literal(label)}" for leaf, label in form.named.items()]
        yield "\n".join(table("local LABELS = ", pairs))
        found = f"LABELS[{found}]"
    head = [f"--- {summary}", ROW, "---@return any", "function M.predict(row)"]
    yield "\n".join([*head, f"\treturn {found}", "end"])


def _read(cell: Cell) -> str:
    """The expression of the number that a program reads of a row."""
    if cell.is_never:
        return "0.0"
    if cell.word is not None:
        return f"cell_is_word({field_of('row', cell.column)}, {quoted(cell.word)})"
    if cell.is_gap:
        return f"cell_is_empty({field_of('row', cell.column)}) and 1.0 or 0.0"
    return f"cell_number(row, {quoted(cell.column)}, {literal(cell.fill)})"


def row_literal(row: Row) -> str:
    """A row in Lua, without its empty cells."""
    cells = [f"[{quoted(column)}] = {literal(cell)}" for column, cell in row.items() if cell is not None]
    return f"{{ {', '.join(cells)} }}"
