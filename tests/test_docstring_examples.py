"""The examples in docstrings give what they say."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

import gpkit

PACKAGE = Path(gpkit.__file__).parent
MODULES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in sorted(PACKAGE.rglob("*.py"))
    if re.search("^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
]


pytestmark = pytest.mark.usefixtures("none_named")


LONG = ("gpkit.api.inquiries", "gpkit.api.problems", "gpkit.api.studies", "gpkit.sklearn.estimators")
"""Modules whose examples take longest, which are left to the release tests."""


@pytest.mark.parametrize(
    "module",
    [pytest.param(module, marks=[pytest.mark.release] * (module in LONG)) for module in MODULES],
)
def test_examples(module: str) -> None:
    failed, attempted = doctest.testmod(import_module(module))
    assert attempted > 0
    assert failed == 0
