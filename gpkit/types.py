"""Types of what functions of gpkit take and give, beside those that ``import gpkit`` has itself.

They are there for annotations and for ``help``; each is imported when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpkit.analysis.ratings import Order as Order
    from gpkit.analysis.ratings import Rating as Rating
    from gpkit.analysis.ratings import Ratings as Ratings
    from gpkit.api.findings import Checked as Checked
    from gpkit.api.findings import Formatted as Formatted
    from gpkit.api.findings import FormattedFile as FormattedFile
    from gpkit.api.health import Installation as Installation
    from gpkit.api.inquiries import Listing as Listing
    from gpkit.core.check_report import CheckReport as CheckReport
    from gpkit.core.check_report import CheckRow as CheckRow
    from gpkit.core.errors import GuestError as GuestError
    from gpkit.core.errors import UsageError as UsageError
    from gpkit.core.plugins import Place as Place
    from gpkit.core.primitives import Alphabet as Alphabet
    from gpkit.core.primitives import PrimitiveSet as PrimitiveSet
    from gpkit.core.primitives import Sensor as Sensor
    from gpkit.core.statistics import Interval as Interval
    from gpkit.core.tabular import Sheet as Sheet
    from gpkit.data.metrics import Difference as Difference
    from gpkit.data.metrics import Measure as Measure
    from gpkit.evolution.config import Config as Config
    from gpkit.evolution.individual import Origin as Origin
    from gpkit.evolution.search import Champion as Champion
    from gpkit.evolution.summary import Summary as Summary
    from gpkit.evolution.tables import BloatSettings as BloatSettings
    from gpkit.evolution.tables import FitnessSettings as FitnessSettings
    from gpkit.evolution.tables import FitSettings as FitSettings
    from gpkit.evolution.tables import FrontSettings as FrontSettings
    from gpkit.evolution.tables import GuideSettings as GuideSettings
    from gpkit.evolution.tables import IslandsSettings as IslandsSettings
    from gpkit.evolution.tables import LimitsSettings as LimitsSettings
    from gpkit.evolution.tables import PopulationSettings as PopulationSettings
    from gpkit.evolution.tables import ProblemSettings as ProblemSettings
    from gpkit.evolution.tables import RaceSettings as RaceSettings
    from gpkit.evolution.tables import RefinementSettings as RefinementSettings
    from gpkit.evolution.tables import SchemeSettings as SchemeSettings
    from gpkit.evolution.tables import SelectionSettings as SelectionSettings
    from gpkit.evolution.tables import StopSettings as StopSettings
    from gpkit.export.exported import Exports as Exports
    from gpkit.gamekit.deals import Deals as Deals
    from gpkit.gamekit.encoding import Encoding as Encoding
    from gpkit.gamekit.facts import Fact as Fact
    from gpkit.gamekit.game import Exact as Exact
    from gpkit.gamekit.game import Expected as Expected
    from gpkit.gamekit.game import Memory as Memory
    from gpkit.gamekit.game import Number as Number
    from gpkit.gamekit.game import Scores as Scores
    from gpkit.gamekit.options import Option as Option
    from gpkit.gamekit.options import OptionRules as OptionRules
    from gpkit.gamekit.sensors import SensorFunction as SensorFunction
    from gpkit.gamekit.view import View as View
    from gpkit.playing.decisions import StepTable as StepTable
    from gpkit.playing.evaluation import Ground as Ground
    from gpkit.playing.evaluation import Row as Row
    from gpkit.playing.evaluation import Training as Training
    from gpkit.playing.evaluation import Trial as Trial
    from gpkit.playing.series import SeriesTally as SeriesTally
    from gpkit.playing.tournament import Tournament as Tournament
    from gpkit.playing.trace import Step as Step
    from gpkit.playing.trace import Trace as Trace
    from gpkit.reports.fits import Miss as Miss
    from gpkit.user_games.contract.findings import Breach as Breach

HOMES = {
    "Alphabet": "gpkit.core.primitives",
    "BloatSettings": "gpkit.evolution.tables",
    "Breach": "gpkit.user_games.contract.findings",
    "Champion": "gpkit.evolution.search",
    "Checked": "gpkit.api.findings",
    "CheckReport": "gpkit.core.check_report",
    "CheckRow": "gpkit.core.check_report",
    "Config": "gpkit.evolution.config",
    "Deals": "gpkit.gamekit.deals",
    "Difference": "gpkit.data.metrics",
    "Encoding": "gpkit.gamekit.encoding",
    "Exact": "gpkit.gamekit.game",
    "Expected": "gpkit.gamekit.game",
    "Exports": "gpkit.export.exported",
    "Fact": "gpkit.gamekit.facts",
    "FitnessSettings": "gpkit.evolution.tables",
    "FitSettings": "gpkit.evolution.tables",
    "Formatted": "gpkit.api.findings",
    "FormattedFile": "gpkit.api.findings",
    "FrontSettings": "gpkit.evolution.tables",
    "Ground": "gpkit.playing.evaluation",
    "GuestError": "gpkit.core.errors",
    "GuideSettings": "gpkit.evolution.tables",
    "Installation": "gpkit.api.health",
    "Interval": "gpkit.core.statistics",
    "IslandsSettings": "gpkit.evolution.tables",
    "LimitsSettings": "gpkit.evolution.tables",
    "Listing": "gpkit.api.inquiries",
    "Measure": "gpkit.data.metrics",
    "Memory": "gpkit.gamekit.game",
    "Miss": "gpkit.reports.fits",
    "Number": "gpkit.gamekit.game",
    "Option": "gpkit.gamekit.options",
    "OptionRules": "gpkit.gamekit.options",
    "Order": "gpkit.analysis.ratings",
    "Origin": "gpkit.evolution.individual",
    "Place": "gpkit.core.plugins",
    "PopulationSettings": "gpkit.evolution.tables",
    "PrimitiveSet": "gpkit.core.primitives",
    "ProblemSettings": "gpkit.evolution.tables",
    "RaceSettings": "gpkit.evolution.tables",
    "Rating": "gpkit.analysis.ratings",
    "Ratings": "gpkit.analysis.ratings",
    "RefinementSettings": "gpkit.evolution.tables",
    "Row": "gpkit.playing.evaluation",
    "SchemeSettings": "gpkit.evolution.tables",
    "Scores": "gpkit.gamekit.game",
    "SelectionSettings": "gpkit.evolution.tables",
    "Sensor": "gpkit.core.primitives",
    "SensorFunction": "gpkit.gamekit.sensors",
    "SeriesTally": "gpkit.playing.series",
    "Sheet": "gpkit.core.tabular",
    "Step": "gpkit.playing.trace",
    "StepTable": "gpkit.playing.decisions",
    "StopSettings": "gpkit.evolution.tables",
    "Summary": "gpkit.evolution.summary",
    "Tournament": "gpkit.playing.tournament",
    "Trace": "gpkit.playing.trace",
    "Training": "gpkit.playing.evaluation",
    "Trial": "gpkit.playing.evaluation",
    "UsageError": "gpkit.core.errors",
    "View": "gpkit.gamekit.view",
}
"""The module of each name."""

__all__ = [
    "Alphabet",
    "BloatSettings",
    "Breach",
    "Champion",
    "CheckReport",
    "CheckRow",
    "Checked",
    "Config",
    "Deals",
    "Difference",
    "Encoding",
    "Exact",
    "Expected",
    "Exports",
    "Fact",
    "FitSettings",
    "FitnessSettings",
    "Formatted",
    "FormattedFile",
    "FrontSettings",
    "Ground",
    "GuestError",
    "GuideSettings",
    "Installation",
    "Interval",
    "IslandsSettings",
    "LimitsSettings",
    "Listing",
    "Measure",
    "Memory",
    "Miss",
    "Number",
    "Option",
    "OptionRules",
    "Order",
    "Origin",
    "Place",
    "PopulationSettings",
    "PrimitiveSet",
    "ProblemSettings",
    "RaceSettings",
    "Rating",
    "Ratings",
    "RefinementSettings",
    "Row",
    "SchemeSettings",
    "Scores",
    "SelectionSettings",
    "Sensor",
    "SensorFunction",
    "SeriesTally",
    "Sheet",
    "Step",
    "StepTable",
    "StopSettings",
    "Summary",
    "Tournament",
    "Trace",
    "Training",
    "Trial",
    "UsageError",
    "View",
]


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(HOMES[name]), name)


def __dir__() -> Any:
    return __all__
