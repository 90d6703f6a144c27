"""Formulas as Python functions."""

from gpkit.export import python as valued
from gpkit.export.statements import Writer, statements
from gpkit.languages.arithmetic.printer import title

MODES = ("module",)
documents, check = valued.documents, valued.check

WRITER = Writer("formula", statements, title)
