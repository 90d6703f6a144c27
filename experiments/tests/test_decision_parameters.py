"""``experiments/data/decision-parameters.json`` is of the script and the settings in use, and says what is claimed."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.tables import PopulationSettings
from gpkit.languages.decision.forms.evolution import OPERATORS
from gpkit_experiments import decision_parameters
from gpkit_experiments.papers.sevens import parameters
from gpkit_experiments.papers.sevens.study import Study

RECORDED: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "decision-parameters.json").read_text(encoding="utf-8")
)


def test_the_file_is_of_the_settings_in_use() -> None:
    assert RECORDED["command"] == decision_parameters.COMMAND
    assert RECORDED["seed"] == decision_parameters.SEED
    assert RECORDED["runs"] == decision_parameters.RUNS
    assert RECORDED["generations"] == parameters.GENERATIONS
    assert RECORDED["operators"] == {
        "nodes": parameters.NODES,
        "both": parameters.BOTH,
        "parameters": parameters.PARAMETERS,
    }
    for shares in RECORDED["operators"].values():
        assert abs(sum(shares.values()) - 1.0) < 1e-9
        assert set(shares) <= set(OPERATORS)


def test_rows_are_paired_by_run(monkeypatch) -> None:
    few, config_of = PopulationSettings(size=10), parameters.config_of
    monkeypatch.setattr(parameters, "GENERATIONS", 1)
    monkeypatch.setattr(parameters, "config_of", lambda shares: replace(config_of(shares), population=few))
    effort = replace(decision_parameters.EFFORT, games=60, specimens=2)
    study = Study(effort, 1, SerialExecutor(), lambda text: None)
    both, alone = parameters.parameter_rows(study, 2)
    assert (both.quantity, alone.quantity) == ("both", "parameters alone")
    assert both.measured.units == alone.measured.units == 2
    assert [row["quantity"] for row in RECORDED["rows"]] == ["both", "parameters alone"]
    assert all(row["table"] == parameters.HEADING for row in RECORDED["rows"])
