"""Types of the arguments and results of gpkit's functions, in addition to the types in ``gpkit`` itself.

These types are useful in annotations and with ``help``. Each type is imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpkit.analysis.ratings import Order as Order
    from gpkit.analysis.ratings import Rating as Rating
    from gpkit.analysis.ratings import Ratings as Ratings
    from gpkit.analysis.studies import Outcome as Outcome
    from gpkit.analysis.studies import Pairing as Pairing
    from gpkit.analysis.studies import StudyRow as StudyRow
    from gpkit.analysis.studies import Yardstick as Yardstick
    from gpkit.api.findings import Checked as Checked
    from gpkit.api.findings import Formatted as Formatted
    from gpkit.api.findings import FormattedFile as FormattedFile
    from gpkit.api.health import Installation as Installation
    from gpkit.api.inquiries import Listing as Listing
    from gpkit.core.check_report import CheckReport as CheckReport
    from gpkit.core.check_report import CheckRow as CheckRow
    from gpkit.core.errors import GuestError as GuestError
    from gpkit.core.errors import UsageError as UsageError
    from gpkit.core.layout import Sheet as Sheet
    from gpkit.core.plugins import Place as Place
    from gpkit.core.primitives import Alphabet as Alphabet
    from gpkit.core.primitives import PrimitiveSet as PrimitiveSet
    from gpkit.core.primitives import Sensor as Sensor
    from gpkit.core.statistics import Interval as Interval
    from gpkit.data.metrics import Difference as Difference
    from gpkit.data.metrics import Measure as Measure
    from gpkit.evolution.config import BloatSettings as BloatSettings
    from gpkit.evolution.config import Config as Config
    from gpkit.evolution.config import FitnessSettings as FitnessSettings
    from gpkit.evolution.config import FitSettings as FitSettings
    from gpkit.evolution.config import FrontSettings as FrontSettings
    from gpkit.evolution.config import GuideSettings as GuideSettings
    from gpkit.evolution.config import IslandsSettings as IslandsSettings
    from gpkit.evolution.config import LimitsSettings as LimitsSettings
    from gpkit.evolution.config import PopulationSettings as PopulationSettings
    from gpkit.evolution.config import ProblemSettings as ProblemSettings
    from gpkit.evolution.config import RaceSettings as RaceSettings
    from gpkit.evolution.config import RefinementSettings as RefinementSettings
    from gpkit.evolution.config import SchemeSettings as SchemeSettings
    from gpkit.evolution.config import SelectionSettings as SelectionSettings
    from gpkit.evolution.config import StopSettings as StopSettings
    from gpkit.evolution.problem import Origin as Origin
    from gpkit.evolution.search import Champion as Champion
    from gpkit.evolution.search import Summary as Summary
    from gpkit.export.exported import Exports as Exports
    from gpkit.gamekit.facts import Fact as Fact
    from gpkit.gamekit.forms import GameForms as GameForms
    from gpkit.gamekit.forms import Trial as Trial
    from gpkit.gamekit.game import Deals as Deals
    from gpkit.gamekit.game import Exact as Exact
    from gpkit.gamekit.game import Expected as Expected
    from gpkit.gamekit.game import Memory as Memory
    from gpkit.gamekit.game import Number as Number
    from gpkit.gamekit.game import Scores as Scores
    from gpkit.gamekit.options import Option as Option
    from gpkit.gamekit.options import OptionRules as OptionRules
    from gpkit.gamekit.sensors import Encoding as Encoding
    from gpkit.gamekit.sensors import SensorFunction as SensorFunction
    from gpkit.gamekit.view import View as View
    from gpkit.playing.contest import SeriesTally as SeriesTally
    from gpkit.playing.contest import Tournament as Tournament
    from gpkit.playing.decisions import StepTable as StepTable
    from gpkit.playing.evaluation import Row as Row
    from gpkit.playing.evaluation import Training as Training
    from gpkit.playing.evaluation import TrainingSetup as TrainingSetup
    from gpkit.playing.trace import Step as Step
    from gpkit.playing.trace import Trace as Trace
    from gpkit.show.fit_findings import Constant as Constant
    from gpkit.show.fit_findings import Miss as Miss
    from gpkit.user_games.contract.findings import Breach as Breach

_HOMES = {
    name: module
    for module, names in {
        "gpkit.analysis.ratings": "Order Rating Ratings",
        "gpkit.analysis.studies": "Outcome Pairing StudyRow Yardstick",
        "gpkit.api.findings": "Checked Formatted FormattedFile",
        "gpkit.api.health": "Installation",
        "gpkit.api.inquiries": "Listing",
        "gpkit.core.check_report": "CheckReport CheckRow",
        "gpkit.core.errors": "GuestError UsageError",
        "gpkit.core.layout": "Sheet",
        "gpkit.core.plugins": "Place",
        "gpkit.core.primitives": "Alphabet PrimitiveSet Sensor",
        "gpkit.core.statistics": "Interval",
        "gpkit.data.metrics": "Difference Measure",
        "gpkit.evolution.problem": "Origin",
        "gpkit.evolution.search": "Champion Summary",
        "gpkit.evolution.config": (
            "BloatSettings Config FitSettings FitnessSettings FrontSettings GuideSettings IslandsSettings"
            " LimitsSettings PopulationSettings ProblemSettings RaceSettings RefinementSettings"
            " SchemeSettings SelectionSettings StopSettings"
        ),
        "gpkit.export.exported": "Exports",
        "gpkit.gamekit.facts": "Fact",
        "gpkit.gamekit.forms": "GameForms Trial",
        "gpkit.gamekit.game": "Deals Exact Expected Memory Number Scores",
        "gpkit.gamekit.options": "Option OptionRules",
        "gpkit.gamekit.sensors": "Encoding SensorFunction",
        "gpkit.gamekit.view": "View",
        "gpkit.playing.contest": "SeriesTally Tournament",
        "gpkit.playing.decisions": "StepTable",
        "gpkit.playing.evaluation": "Row Training TrainingSetup",
        "gpkit.playing.trace": "Step Trace",
        "gpkit.show.fit_findings": "Constant Miss",
        "gpkit.user_games.contract.findings": "Breach",
    }.items()
    for name in names.split()
}
"""The name of the module that defines each type."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> Any:
    return __all__
