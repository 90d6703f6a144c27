"""Exported files do nothing but compute, whatever stands in the header, the names and the labels of a program."""

import json

import pytest
from odd_exports import BoxedLua, in_python, odd_subject, same_labels

from gpkit.export.check import check_export
from gpkit.export.lua.hosts import runtime_names
from gpkit.export.lua.rows import row_literal
from gpkit.export.lua.runner import Loaded
from gpkit.export.python import python_text
from gpkit.export.registry import Subject, exporter
from gpkit.export.rows import row_form
from gpkit.languages.arithmetic.parser import parse

SHARES = [
    pytest.param(40, id="some"),
    pytest.param(1_000, id="more", marks=pytest.mark.release),
    pytest.param(10_000, id="all", marks=pytest.mark.slow),
]
"""Programs of ten texts and more each."""

EVIL = """
// target: ', open('gone', 'w'), '
// classes: ["SUMMARY", "b"]
x - 1
"""


def test_a_header_is_not_executed() -> None:
    source = parse(EVIL)
    subject = Subject(source.program, "evil", dict(source.header))
    assert in_python([(python_text(subject), [{"x": 0.0}, {"x": 2.0}])]) == [["SUMMARY", "b"]]
    assert check_export(subject, "python", "module", evaluations=20).is_equal


@pytest.mark.parametrize("count", SHARES)
def test_python_and_lua_do_nothing_but_compute(count: int) -> None:
    hosts = [BoxedLua(name) for name in runtime_names()]
    files, wanted = [], []
    for seed in range(count):
        subject, rows = odd_subject(seed)
        form = row_form(subject)
        assert form is not None
        wanted.append([form.predicted(row) for row in rows])
        files.append((python_text(subject), rows))
        text, literals = exporter("lua").export(subject, "module")[0].text, [*map(row_literal, rows)]
        for host in hosts if count < 100 else [hosts[seed % len(hosts)]]:
            loaded = Loaded(host, text, "module", subject.program)
            assert same_labels([json.loads(each) for each in loaded.predict(literals)], wanted[-1]), (
                seed,
                host.name,
            )
            assert loaded.selftest() == (0, ""), (seed, host.name)
    for seed, (found, labels) in enumerate(zip(in_python(files), wanted, strict=True)):
        assert same_labels(found, labels), (seed, found)
