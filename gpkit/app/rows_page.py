"""The page of a run on rows: its champion, how well it classifies, and where it comes from."""

from collections.abc import Iterator

from gpkit.app.ancestors import descent_row, drawn_ancestors
from gpkit.app.findings import bloat_of, language_of_run, unit_of_size
from gpkit.app.rows_runs import RowsFindings
from gpkit.app.run_curves import diversity_panels, size_panels, strength_panels, to_the_end
from gpkit.app.run_page import COPIES, drawn_changes, svg_of
from gpkit.core.files import read_text
from gpkit.core.settings import print_config
from gpkit.core.version import VERSION
from gpkit.core.wording import counted
from gpkit.draw.curves import Champion, Curves
from gpkit.draw.lineage import lineage_dot
from gpkit.draw.programs import picture_of
from gpkit.draw.report import Report, Strength
from gpkit.evolution.run_context import ACCURACY
from gpkit.export.registry import exporter
from gpkit.export.request import Subject


def rows_report(findings: RowsFindings) -> Report:
    """The page of a run on rows.

    Raises:
        RenderError: no renderer is installed.
    """
    history, program = findings.history, findings.program
    ancestors = drawn_ancestors(findings.ancestry)
    descents, language = findings.ancestry.descents(), language_of_run(history)
    return Report(
        title="An evolved decision tree",
        lead=_lead(findings),
        unit=ACCURACY.name,
        facts=tuple(_facts(findings)),
        config=print_config(findings.config),
        curves=_curves(findings),
        size=unit_of_size(history),
        strengths=tuple(
            Strength(r.rows, r.interval.mean, r.interval.low, r.interval.high, r.interval.units)
            for r in findings.strengths
        ),
        heads=("on", "rows"),
        remark="Evolution has not seen the held-out rows; intervals take the row as the unit.",
        picture=svg_of(picture_of(program, {}, None, title="").dot),
        program=read_text(str(history.champion_file)),
        ancestors=ancestors,
        lineage=svg_of(lineage_dot(ancestors)) if len(ancestors) > 1 else "",
        descent=f"The champion has {counted(findings.ancestry.count, 'ancestor')}.",
        descent_rows=tuple(descent_row(descent, language) for descent in descents)
        if len(descents) > 1
        else (),
        changes=tuple(drawn_changes(descents, language)),
        copies=tuple(_copies(findings)),
        footer=f"gpkit {VERSION}",
    )


def _lead(findings: RowsFindings) -> str:
    history, config = findings.history, findings.config
    generations = counted(history.generations[-1].generation, "generation")
    going = "" if history.reason else " so far; the run has not ended"
    count = len(findings.program.trees[0].leaves)
    reached = ", ".join(f"{r.interval.mean:.3f} on {r.rows}" for r in findings.strengths)
    return (
        f"{generations} of {config.population.size} programs{going}. The champion names `{config.data.target}` of the "
        f"rows of {config.data.file} by {count} leaves. Accuracy: {reached}."
    )


def _facts(findings: RowsFindings) -> Iterator[tuple[str, str]]:
    config, cost = findings.config, bloat_of(findings.history)
    total = sum(config.operators.values())
    yield "rows", f"{config.data.file}, class {config.data.target}"
    yield "held out", f"{config.data.held_out:.0%} of the rows of each class"
    yield "seed", str(config.seed)
    yield "stopped", f"after {findings.history.reason}" if findings.history.reason else "not yet"
    yield "scheme", f"{config.scheme.name}, {config.selection.name} selection"
    yield "operators", ", ".join(f"{name} {share / total:.1%}" for name, share in config.operators.items())
    less = f", less {cost.penalty:g} for every node above {cost.free}" if cost.penalty else ""
    yield "fitness", f"accuracy on the rows learned from{less}"
    yield "made with", ", ".join(f"{k} {v}" for k, v in findings.history.description.versions.items())


def _curves(findings: RowsFindings) -> tuple[Curves, ...]:
    """The course of the run; one generation has none."""
    history = findings.history
    if len(history.generations) < 2:
        return ()
    intervals = [result.interval for result in findings.course]
    champions = [
        Champion(milestone.generation, each.mean, each.low, each.high)
        for milestone, each in zip(history.milestones, intervals, strict=True)
    ]
    name = f"champion on {findings.course[0].rows}, 95 % interval"
    strength = strength_panels(history, to_the_end(champions, history), champion=name)
    return (*strength, *size_panels(history), *diversity_panels(history))


def _copies(findings: RowsFindings) -> Iterator[tuple[str, str]]:
    subject = Subject(findings.program, "champion", {}, primitives=None, rules={})
    for heading, name, modes in COPIES:
        able = exporter(name).modes_of(subject.program.language)
        for mode in (mode for mode in modes if mode in able):
            yield heading, exporter(name).export(subject, mode)[0].text
