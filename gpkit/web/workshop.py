"""The workshop: a person writes a program beside its findings, completions and picture, saves it, and exports it.

The page evaluates its strength live: on the ladder of its game, alone or against the saved version.

A draft is the text of a program between opening and saving.

Programs play their game's ladder piece by piece, so people see intermediate results.
"""

import asyncio
import difflib
import json
import math
import re
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse

from gpkit.analysis.evaluation import training_in
from gpkit.core.diagnostics import Diagnostic
from gpkit.core.errors import GpkitError, LimitError, RenderError, UsageError
from gpkit.core.files import read_text
from gpkit.core.registry import all_games, game_entry, language_entry, language_of, offers_of
from gpkit.core.statistics import Interval
from gpkit.editing.document import Document, all_findings, quick_fix
from gpkit.editing.reading_aids import Places, colours, comment_mark, completions_at, meaning_at
from gpkit.evolution.config_files import starting_text
from gpkit.export.exported import subject_of
from gpkit.export.registry import LUA
from gpkit.gamekit.forms import Trial
from gpkit.gamekit.game import Game
from gpkit.langkit.language import Language, laid_out
from gpkit.playing.contest import BLOCK, Match, Series, contest, joined
from gpkit.playing.disagreements import disagreements
from gpkit.playing.evaluation import LADDER_SEED, Training, options_text, row_of, trials_of
from gpkit.playing.named import Named, game_for, opponent, pair_up, shipped_file
from gpkit.playing.players import player_of_source
from gpkit.playing.results import ExactResult, Strength, chained, check_exact, compare, expect_match
from gpkit.show.pictures import whole_picture
from gpkit.show.render import render
from gpkit.web.jobs import StoppedError, tell
from gpkit.web.site import Site, in_thread, is_part, page, picture, posts, reads, saved_as, site_of, whole
from gpkit.web.workspace import NEW, ChangedMeanwhileError, free_name, open_below, save_below, with_line_feeds

MOST_IN_NAME = 400
"""The maximum number of characters of a file's name to look at."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The text of a program that somebody is writing.

    Attributes:
        folder: the folder of the site.
        name: the name of the file to save, relative to the folder.
        text: the current text.
        language: the language of the program.
        opened: the name of the opened file; empty for a copy or a new program.
        mark: a mark that identifies the content of that file.
        origin: for a copy, ``GAME/NAME`` of the shipped program; otherwise empty.
    """

    folder: Path
    name: str
    text: str
    language: Language
    opened: str = ""
    mark: str = NEW
    origin: str = ""

    @property
    def document(self) -> Document:
        """The text that findings and completions work on."""
        return Document(self.text, self.language, str(self.folder / self.name))

    def named(self) -> Named:
        """The program in the text.

        Raises:
            SourceError: the text does not parse.
            LimitError: the text is too large.
        """
        return Named(self.name, self.language.parse(self.text, self.name), self.language)

    def saved(self, site: Site) -> tuple[str, str]:
        """The name and text of the version that this draft began with: the file as it is now, or the shipped program.

        Raises:
            UsageError: there is no such version yet, or it cannot be read.
        """
        if self.opened:
            return self.opened, open_below(site.folder, self.opened)[0]
        if self.origin:
            game, _, name = self.origin.partition("/")
            return name, read_text(str(shipped_file(name, game)))
        raise UsageError("there is no saved version to compare with: save first")

    def save(self, site: Site) -> str:
        """Save the text in its file, and return the mark of the file's new content.

        Raises:
            ChangedMeanwhileError: the file has changed since it was opened.
            UsageError: the name points outside the folder.
            CheckpointError: a link is in the way, or the file cannot be written.
            LimitError: the text is too large.
        """
        before = self.mark if self.name == self.opened else NEW
        with site.saving:
            return save_below(site.folder, self.name, self.text, before, self.language.suffix)


def draft_of_file(site: Site, name: str) -> Draft:
    """The draft of a program under the folder; for a champion of a run, the draft of a copy.

    Raises:
        UsageError: there is no such program, or it cannot be read.
        CheckpointError: the program cannot be read.
    """
    below = site.below()
    if name not in below.programs and (path := below.program(name)):  # kept by its run
        return _copy(site, path, path.parent.parent.name)
    text, mark = open_below(site.folder, name)
    return Draft(site.folder, name, text, language_of(name).load(), name, mark)


def _copy(site: Site, path: Path, stem: str, origin: str = "") -> Draft:
    """The draft of a copy of a program; ``origin`` names the game and the program if it is a shipped one."""
    language: Language = language_of(str(path)).load()
    name = free_name(site.folder, stem, language.suffix)
    return Draft(site.folder, name, read_text(str(path)), language, origin=origin)


def draft_of_new(site: Site, game: str, language: str) -> Draft:
    """The draft of a new program; it begins with the template of a language for a game.

    Raises:
        UsageError: there is no such game or language, or they do not go together.
    """
    known: Language = language_entry(language).load()
    text = starting_text(known.name, game_entry(game).name, None)
    stem = re.sub(r"[^\w-]", "_", game).strip("_") or "program"
    return Draft(site.folder, free_name(site.folder, stem, known.suffix), text, known)


def draft_of_form(site: Site, form: Mapping[str, str]) -> Draft:
    """The draft in a form from a page.

    Raises:
        UsageError: the form names no language.
    """
    language: Language = language_entry(form.get("language", "")).load()
    name, opened = (form.get(key, "")[:MOST_IN_NAME] for key in ("name", "opened"))
    text, mark, origin = (form.get(key, "") for key in ("text", "mark", "origin"))
    return Draft(site.folder, name.strip(), with_line_feeds(text), language, opened, mark, origin)


MOST_TOGETHER = 512
"""The number of deals in a part; the first parts are smaller, and slow players play one deal at a time."""


Programs = tuple[tuple[str, str], ...]
"""The names and texts of the programs to evaluate: one program, or two to compare on the same deals."""


@dataclass(slots=True)
class LadderTrial:
    """A trial of the ladder, with the results of the programs so far.

    Attributes:
        game: the game.
        trial: the trial: an opponent and options.
        matches: the match of each program against the opponent.
        rules: the rules of the trial.
        is_slow: whether games take long.
        training: what the first program was trained on; None if unknown.
        is_exact: whether to compute an exact result instead of playing games.
        sets: the parts of each set of deals begun so far; a part holds the games of every program on some deals.
        exact: the exact result of each program.
        played: the number of deals played so far.
    """

    game: Game
    trial: Trial
    matches: Sequence[Match]
    rules: Any
    is_slow: bool
    training: Training | None
    is_exact: bool
    sets: list[list[list[Series]]] = field(default_factory=list)
    exact: list[ExactResult] = field(default_factory=list)
    played: int = 0

    @property
    def deals(self) -> int:
        """The number of deals in a set."""
        return -(-self.trial.games // self.game.seatings(self.rules))

    @property
    def is_whole(self) -> bool:
        """Whether the trial is complete."""
        return bool(self.exact) or self.played >= self.deals * self.trial.sets

    @property
    def patience(self) -> int:
        """The position of the trial's group: quick exact results, fast games, slow exact results, slow games."""
        if self.is_exact:
            return 0 if self.trial.quick else 2
        return 3 if self.is_slow else _TOGETHER

    def play_on(self) -> None:
        """Compute the exact result of every program, or play the next games of each.

        If a program has no exact result, for example because it draws random numbers, later calls play games instead.
        """
        if not self.is_exact:
            self._play()
            return
        with suppress(UsageError):
            for match in self.matches:
                check_exact(self.game, match, self.rules)
            self.exact = [expect_match(self.game, match, self.rules) for match in self.matches]
        self.is_exact = bool(self.exact)

    def _play(self) -> None:
        """Play the next deals: as many as have been played, without crossing the end of a block or a set."""
        number, place = divmod(self.played, self.deals)
        most = 1 if self.is_slow else max(1, min(self.played, MOST_TOGETHER))
        numbers = range(place, min(place + most, self.deals, (place // BLOCK + 1) * BLOCK))
        if not place:
            self.sets.append([])
        self.sets[-1].append(
            contest(self.game, self.matches, rules=self.rules, seed=LADDER_SEED + number, deals=numbers)
        )
        self.played += len(numbers)

    def row(self, number: int) -> dict[str, Any]:
        """The trial's row as JSON values, with this row number; a bound that is not finite is None."""
        metric = self.game.metric(self.rules)
        values: dict[str, Any] = {
            "row": number,
            "against": self.trial.opponent,
            "rules": options_text(self.trial.options),
            "metric": metric.name.replace("_", " "),
            "lower": metric.lower_is_better,
            "share": metric.support == (0.0, 1.0),
            "whole": self.is_whole,
            "known": bool(self.exact) or self.played > 0,
        }
        if not values["known"]:
            return values
        return values | (self._strength() if len(self.matches) == 1 else self._difference())

    def _strengths(self, program: int) -> Sequence[Strength]:
        """The exact result of a program, or its results so far on each set of deals."""
        played = [joined([part[program] for part in parts]).result() for parts in self.sets]
        return self.exact[program : program + 1] or played

    def _strength(self) -> dict[str, Any]:
        results = self._strengths(0)
        seeds = () if self.exact else range(LADDER_SEED, LADDER_SEED + len(results))
        row = row_of(results, self.trial, seeds, self.training)
        return {
            "mean": row.interval.mean,
            **_ends(row.interval, row.is_exact),
            "games": row.games,
            "invalid": row.invalid,
            "exact": row.is_exact,
            "held": row.held_out,
        }

    def _difference(self) -> dict[str, Any]:
        """The difference between two programs, paired by deal."""
        compared = compare(*(chained(self._strengths(program)) for program in (0, 1)))
        return {
            "first": compared.first.interval.mean,
            "second": compared.second.interval.mean,
            "mean": compared.difference.mean,
            **_ends(compared.difference, compared.is_exact),
            "games": compared.first.games,
            "exact": compared.is_exact,
            "verdict": compared.verdict,
        }


_TOGETHER = 1


def measured_of(programs: Sequence[Named]) -> tuple[str, str, Programs]:
    """The game of some programs, their language, and their names and texts.

    Raises:
        UsageError: no game or more than one fits the programs, or they are for different games.
        SourceError: the first program has an error in this game.
    """
    game = game_for(programs, None)
    player_of_source(programs[0].source, game, language=programs[0].language)
    return game.name, programs[0].language.name, tuple((each.spec, each.source.text) for each in programs)


def ladder_of(game: str, language: str, programs: Programs) -> list[LadderTrial]:
    """The trials of the ladder, before any game is played.

    Raises:
        SourceError: a program does not parse, or has an error in the game.
        UsageError: an opponent or the options of a trial are not possible in the game.
    """
    played: Game = game_entry(game).load()
    known = language_entry(language).load()
    sources = [known.parse(text, name) for name, text in programs]
    players = [player_of_source(source, played, language=known) for source in sources]
    training = training_in(sources[0].header, played)
    trials = []
    for trial in trials_of(played):
        other, rules = opponent(trial.opponent, played), played.make_rules(trial.options)
        slow = any(player.is_slow for player in (*players, other))
        matches = [Match(player, (other,)) for player in players]
        trials.append(LadderTrial(played, trial, matches, rules, slow, training, trial.exact))
    return trials


def rows_by_turns(trials: Sequence[LadderTrial]) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows that changed: first all rows, then one row at a time until all are complete.

    Quick trials come first and take turns; slow trials follow one after another.
    """
    turn = -1

    def place(number: int) -> tuple[int, int]:
        """The position of a trial in the queue; fast trials take turns."""
        patience = trials[number].patience
        return patience, (number - turn - 1) % len(trials) if patience == _TOGETHER else number

    yield [trial.row(number) for number, trial in enumerate(trials)]
    while left := [number for number, trial in enumerate(trials) if not trial.is_whole]:
        turn = min(left, key=place)
        trials[turn].play_on()
        yield [trials[turn].row(turn)]


def tell_strength(game: str, language: str, programs: Programs) -> None:
    """Evaluate programs against the whole ladder, and send each row when it changes."""
    for rows in rows_by_turns(ladder_of(game, language, programs)):
        tell(rows)


def _ends(interval: Interval, is_exact: bool) -> dict[str, float | None]:
    """The ends of an interval as JSON values; None if a single deal has no interval, or if they are not finite."""
    ends = {"low": interval.low, "high": interval.high}
    is_known = is_exact or interval.units > 1
    return {name: end if is_known and math.isfinite(end) else None for name, end in ends.items()}


MOST_COMPLETIONS = 300

SIGN_OF_LIFE = 1.0
"""The number of seconds without a row before the server sends a comment, to detect clients that have left."""

MOST_COMPARED = 5_000
"""The maximum number of lines of a text for which changes are shown."""

AROUND = 2
"""The number of lines to show around a change."""

WITHOUT_SCRIPT = ("format", "save", "lua")
"""Actions that have buttons on a page without JavaScript, in addition to ``look``."""


def begin(request: Request) -> Response:
    """The page of a new program, or of a copy of a program that comes with gpkit; 404 if none is named.

    Raises:
        HTTPException: no program is named.
    """
    site, fields = site_of(request), request.query_params
    game, _, language = fields.get("new", "").partition("/")
    if game:
        return _page(draft_of_new(site, game, language))
    if not (name := fields.get("program")):
        raise HTTPException(404, "name a program: the home page lists them")
    game = fields.get("game", "")
    return _page(_copy(site, shipped_file(name, game), name, f"{game}/{name}"))


def show(request: Request) -> Response:
    """The page of a program in the folder; 404 if there is no such program.

    Raises:
        HTTPException: there is no such program.
    """
    site, name = site_of(request), request.path_params["name"]
    if site.below().program(name) is None:
        raise HTTPException(404, "there is no such program in the folder")
    return _page(draft_of_file(site, name))


def act(request: Request, form: QueryParams) -> Response:
    """The response to an action on the program in a form; 404 if there is no such action.

    Without JavaScript, an error shows the page again, with the text and a message.

    Raises:
        GpkitError: the action failed, and a script asked for it.
        HTTPException: there is no such action.
    """
    action = request.path_params["action"]
    if action not in ACTIONS:
        raise HTTPException(404, "there is no such action")
    draft = draft_of_form(site_of(request), form)
    try:
        return ACTIONS[action](request, form, draft)
    except GpkitError as error:
        if is_part(request) or action not in WITHOUT_SCRIPT:
            raise
        return _page(draft, 400, trouble=str(error))


def feed(request: Request, form: QueryParams) -> Response:
    """Play a match, and stream its rows to the first person who asks for it.

    Raises:
        HTTPException: there is no such match, or somebody is already watching it.
    """
    site, name = site_of(request), form.get("match", "")
    with site.matches.lock:
        call = site.awaited.take(name)
        if call is None:
            raise HTTPException(404, "there is no such match, or it is being watched already")
        site.matches.stop()
        match = site.matches.start(name, call)
    events = _events(match.watched(), partial(site.matches.stop, name))
    return StreamingResponse(events, media_type="text/event-stream")


def stop(request: Request, form: QueryParams) -> Response:
    """Stop the match if it is running; the response is empty."""
    site, name = site_of(request), form.get("match", "")
    site.awaited.take(name)
    site.matches.stop(name)
    return Response(status_code=204)


def beginnings() -> list[tuple[str, list[tuple[str, str]]]]:
    """By game, the languages for new programs, each with the form field that requests it."""
    return [
        (entry.name, [(f"{entry.name}/{name}", name) for name in offers_of(entry.name)])
        for entry in all_games()
    ]


def _page(draft: Draft, status: int = 200, **others: object) -> Response:
    """The page of a draft."""
    values: dict[str, Any] = {
        "title": _title(draft),
        "draft": draft,
        "findings": _findings(draft)["findings"],
        "editor": _editor(draft.language),
        "modes": LUA.modes_of(draft.language.name),
        "games": [game for game, found in beginnings() if draft.language.name in {name for _, name in found}],
        "drawn": None,
        "trouble": "",
        "changed": None,
    }
    return page("edit.html", status, **values | others)


def _title(draft: Draft) -> str:
    if draft.opened:
        return f"Edit {draft.opened}"
    return f"Copy of {draft.origin.partition('/')[2]}" if draft.origin else "New program"


def _editor(language: Language) -> str:
    """The colours and the comment mark of a language for the page's script, as JSON."""
    found = [
        [each.pattern, each.scope, {str(number): scope for number, scope in each.groups.items()}]
        for each in colours(language)
    ]
    return json.dumps({"colours": found, "comment": comment_mark(language)})


def _findings(draft: Draft) -> dict[str, Any]:
    """The findings in a draft, with positions in UTF-16 units, and its game."""
    document, places = draft.document, Places(draft.text)
    found = [
        _finding(each, draft, places)
        for each in sorted(all_findings(document).found, key=lambda each: each.span.start)
    ]
    return {"findings": found, "game": document.game or ""}


def _finding(found: Diagnostic, draft: Draft, places: Places) -> dict[str, Any]:
    edit = quick_fix(draft.document, found)
    return {
        "from": places.units(found.span.start),
        "to": places.units(max(found.span.end, found.span.start)),
        "line": found.span.line,
        "column": found.span.column,
        "severity": found.severity,
        "code": found.code,
        "message": found.message + (f"; expected {', '.join(found.expected)}" if found.expected else ""),
        "help": found.help,
        "fix": edit
        and {
            "title": edit.title,
            "from": places.units(edit.span.start),
            "to": places.units(edit.span.end),
            "text": edit.text,
        },
    }


def _look(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The findings for the script; without a script, the page with the findings and the picture."""
    if is_part(request):
        return JSONResponse(_findings(draft))
    try:
        return _page(draft, drawn=_drawn(draft))
    except GpkitError as error:
        return _page(draft, trouble=str(error))


def _complete(request: Request, form: QueryParams, draft: Draft) -> Response:
    """Words that are possible at a position, with their meanings."""
    places = Places(draft.text)
    place = places.place(whole(form.get("place", ""), "the place", 10**7))
    found = [
        {
            "from": places.units(each.replaced.start),
            "label": each.word.name,
            "apply": each.inserted,
            "detail": each.word.role,
            "info": f"{each.word.usage}: {each.word.meaning}" if each.word.meaning else each.word.usage,
        }
        for each in completions_at(draft.document, place)[:MOST_COMPLETIONS]
    ]
    return JSONResponse(found)


def _explain(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The meaning of the name at a position; null if there is none."""
    places = Places(draft.text)
    found = meaning_at(draft.document, places.place(whole(form.get("place", ""), "the place", 10**7)))
    return JSONResponse(
        found
        and {
            "from": places.units(found.span.start),
            "to": places.units(found.span.end),
            "usage": found.word.usage,
            "text": f"{found.word.role}: {found.word.meaning}",
        }
    )


def _draw(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The picture of a program, or the reason why a program without errors has none."""
    try:
        return page("drawn.html", drawn=_drawn(draft))
    except (LimitError, RenderError) as error:
        return page("mistake_part.html", message=str(error))


def _drawn(draft: Draft) -> Markup:
    """The picture of a program.

    Raises:
        GpkitError: the program has errors, or it is too large.
    """
    return picture(render(whole_picture(draft.named()), "svg").decode())


def _format(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The text in canonical layout."""
    text = laid_out(draft.language, draft.text, draft.name)
    return JSONResponse({"text": text}) if is_part(request) else _page(replace(draft, text=text))


def _save(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The saved file's name and mark, or the reason why nothing was saved; without a script, the page with its text."""
    site = site_of(request)
    try:
        mark = draft.save(site)
    except ChangedMeanwhileError as error:
        again = site.below().program(draft.name) is not None
        other = free_name(site.folder, draft.name.removesuffix(draft.language.suffix), draft.language.suffix)
        values = {"message": str(error), "again": again, "name": draft.name, "other": other}
        return (
            page("changed_part.html", 409, **values)
            if is_part(request)
            else _page(draft, 409, changed=values)
        )
    if not is_part(request):
        return RedirectResponse(f"/edit/{quote(draft.name)}", 303)
    return JSONResponse({"name": draft.name, "mark": mark})


def _export(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The program in Lua, for display or as a download."""
    mode = form.get("mode") or next(iter(LUA.modes_of(draft.language.name)), LUA.default_mode)
    subject = subject_of(draft.named(), PurePosixPath(draft.name).stem, None, {}, 0)
    documents = LUA.export(subject, mode)
    if is_part(request):
        return page("listing.html", text=documents[0].text, label=f"{subject.name}.lua")
    headers = saved_as(f"{subject.name}.lua")
    return Response(documents[0].text, media_type="text/plain; charset=utf-8", headers=headers)


def _run(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The name of a new match for the program in a form."""
    return JSONResponse({"match": _begin(site_of(request), draft.named())})


def _compare(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The name of a match between a form's program and its saved version, and the differences between the texts."""
    site = site_of(request)
    name, text = draft.saved(site)
    if text == draft.text:
        raise UsageError(f"nothing has changed since {name}: make a change, then compare")
    match = _begin(site, draft.named(), Named("saved", draft.language.parse(text, name), draft.language))
    return JSONResponse({"match": match, "saved": name, "changes": _changes(text, draft)})


def _differ(request: Request, form: QueryParams, draft: Draft) -> Response:
    """A sentence about the states in which the program decides differently than its saved version.

    It is empty if only the text has changed, or if there is nothing to compare.
    """
    told = ""
    with suppress(GpkitError):
        name, text = draft.saved(site_of(request))
        both = (draft.named(), Named(name, draft.language.parse(text, name), draft.language))
        if both[0].source.program != both[1].source.program:
            mine, others = (
                [each for each in pair_up(named, (), None, {}) if not each[2].opponents[0].is_slow]
                for named in both
            )
            pairs = [(one[2], other[2]) for one, other in zip(mine, others, strict=True)]
            for game, rules, _ in mine[:1]:
                found = disagreements(game, rules, pairs, seed=LADDER_SEED, judging=False)
                told = f"Differs from the saved version in {found.share.mean:.0%} of {found.states} states."
    return Response(told, media_type="text/plain; charset=utf-8")


def _begin(site: Site, *programs: Named) -> str:
    """Prepare a new match and return its name; it is played when somebody watches it, and the previous match stops."""
    call, name = partial(tell_strength, *measured_of(programs)), secrets.token_hex(8)
    site.matches.stop()
    site.awaited.put(name, call)
    return name


def _changes(before: str, draft: Draft) -> list[tuple[str, str]]:
    """The differing lines, with a few lines of context, each with a mark: ``+``, ``-``, a blank, or ``@`` for a gap."""
    old, new = before.splitlines(), draft.text.splitlines()
    if len(old) + len(new) > 2 * MOST_COMPARED:
        return [("@", f"Changes are not shown in texts of more than {MOST_COMPARED} lines.")]
    lines = list(difflib.unified_diff(old, new, n=AROUND, lineterm=""))[2:]
    gap = r".*\+(\d+).*"  # such as @@ -1,4 +3,5 @@
    return [(line[0], re.sub(gap, r"line \1", line) if line[0] == "@" else line[1:]) for line in lines]


async def _events(watched: Iterator[list[dict[str, Any]]], stop: Callable[[], None]) -> AsyncIterator[str]:
    """Server-sent events: changed ``rows``, then ``state`` or ``mistake``; if the viewer leaves, the match stops."""
    try:
        event = "rows"
        while event == "rows":
            asked = asyncio.ensure_future(in_thread(_more, watched))
            while not (await asyncio.wait({asked}, timeout=SIGN_OF_LIFE))[0]:
                yield ": going on\n\n"
            event, data = asked.result()
            yield f"event: {event}\ndata: {json.dumps(data)}\n\n"
    finally:
        threading.Thread(target=stop).start()  # which may wait for the process to end


def _more(watched: Iterator[list[dict[str, Any]]]) -> tuple[str, object]:
    """The next event of a match: its kind and its data."""
    try:
        rows = next(watched, None)
    except StoppedError:
        return "state", "Stopped."
    except GpkitError as error:
        return "mistake", str(error)
    return ("rows", rows) if rows else ("state", "Done")


ACTIONS: Mapping[str, Callable[[Request, QueryParams, Draft], Response]] = {
    "look": _look,
    "complete": _complete,
    "explain": _explain,
    "draw": _draw,
    "format": _format,
    "save": _save,
    "lua": _export,
    "run": _run,
    "compare": _compare,
    "differ": _differ,
}
"""The actions on a page's program, by the last part of their addresses."""

ROUTES = [
    reads("/edit", begin),
    reads("/edit/{name:path}", show),
    posts("/workshop/feed", feed),
    posts("/workshop/stop", stop),
    posts("/workshop/{action}", act),
]
