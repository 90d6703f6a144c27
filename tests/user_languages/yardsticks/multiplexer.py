"""The Boolean multiplexer (J. Koza, "Genetic Programming", 1992, section 7.4): the data bit that an address names."""

from itertools import product

import numpy as np

import gpkit

GRAMMAR = """
program: bit
bit: "and(" bit "," bit ")" -> both | "or(" bit "," bit ")" -> either | "not(" bit ")" -> inverse
   | "if(" bit "," bit "," bit ")" -> choice | SENSOR
SENSOR: /[ad][0-9]/
%ignore " "
"""
BITS = gpkit.language(
    "bits",
    GRAMMAR,
    into="arithmetic",
    templates={"both": "min({0}, {1})", "either": "max({0}, {1})", "inverse": "1 - {0}"}
    | {"choice": "ifle({0}, 0, {2}, {1})"},
)


def multiplexer(address):
    """The problem with so many address bits: 2 for the 6-multiplexer, 3 for the 11-multiplexer."""
    names = [f"a{k}" for k in range(address)] + [f"d{k}" for k in range(2**address)]
    rows = np.array([*product((0.0, 1.0), repeat=len(names))]).T
    named = dict(zip(names, rows, strict=True))
    place = sum(rows[k].astype(int) << k for k in range(address))
    wanted = rows[address + place, np.arange(rows.shape[1])]
    return gpkit.problem(
        lambda program: float((program(**named) == wanted).sum()), sensors=names, language=BITS
    )


PROBLEM = multiplexer(2)
