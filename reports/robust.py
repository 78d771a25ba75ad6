"""Verdicts on unknown data for people: in what share of packs they hold, what to look up first."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from math import nan
from typing import TYPE_CHECKING

from reports.document import Cell, Column, Figure, Kind, Part, Section, Strip, Strips, Table
from reports.numbers import listed, one
from simlab.stats.equivalence import ABOVE, BALANCED, BELOW, SIDES, UNBALANCED, UNDECIDED, side
from simlab.stats.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from rich.console import Console

    from simlab.robustness.findings import Finding
    from simlab.robustness.robustness import Robustness
    from simlab.robustness.screen import Screen, Screened, Stage
    from simlab.stats.components import Component
    from simlab.stats.screening import Moved

HTML, MARKDOWN, FIGURES = "robust.html", "robust.md", "robust/figures"
POINTS = 100.0
MOST_NAMED = 12  # values in a sentence
BRIEF = 20  # rows of a long table on a terminal
SHARE_WORDS = {BALANCED: "balanced", ABOVE: "too strong", BELOW: "too weak", UNDECIDED: "undecided"}
CHANGE_WORDS = {BALANCED: "within the band", ABOVE: "raised", BELOW: "lowered", UNDECIDED: "undecided"}
VERDICTS_NOTE = (
    "Own pack: the experiment's. Holds: the share of sampled packs with the same verdict, Wilson's 95 % "
    "interval; an undecided pack doesn't count as one. Beside it packs by their verdict, each judged by its "
    "own games, as simlab report judges a run."
)
FIGURE_NOTE = (
    "A dot is a sampled pack, the bar the experiment's own, in colour where it is shown to be outside the "
    "grey band of ±{band:g} points."
)
SPREAD_NOTE = (
    "Mean: over the sampled packs{ways}; its interval is for all plausible packs. The other columns are "
    "standard deviations in points, with 95 % intervals. Simulation: what the games of one pack leave to "
    "chance. Data: between packs, beyond chance."
)
PLAY_NOTE = (
    " Play: between who plays, averaged over packs. Both: what playing otherwise changes in one pack and not "
    "in another."
)
SIDES_NOTE = (
    "Where the win shares of all plausible packs would lie if each were played without end, by mean and data "
    "above, as if they scattered normally. A verdict that too few games leave undecided counts against "
    "Holds, and not against these."
)
SCREEN_NOTE = (
    "Size: mean absolute change when it is moved within its range (Morris' μ*), in points, of what it moves "
    "most; spread (σ): how much that hangs on the other values. By chance: its size there if it did nothing; "
    "the largest of several is a little above that anyway. Other deals: what the same pack does on other "
    "deals, an inert factor. Named: shown to do something; of such names 5 % are false at most, on average."
)


def publish(found: Robustness, screen: Screen | None, console: Console) -> Path:
    """Print it, and write it as Markdown and HTML, with its figures, into the folder; the page's path."""
    from reports import save
    from reports.figures import ink, plots
    from reports.html import page
    from reports.markdown import markdown
    from reports.terminal import show

    composed = sections(found, screen)
    show(composed, console)
    parts = [named for section in composed for named in section.named()]
    pictures = {name: plots.svg(part, name) for name, part in parts if isinstance(part, Figure)}
    folder = found.asked.folder
    for name, svg in pictures.items():
        save(folder / FIGURES / f"{name}.svg", ink.alone(svg))
    save(folder / MARKDOWN, markdown(composed, FIGURES))
    save(folder / HTML, page(composed, pictures))
    return folder / HTML


def sections(found: Robustness, screen: Screen | None) -> list[Section]:
    """The sections, as plain data."""
    made = [
        Section(_title(found), (*_answer(found, screen), _basis(found)), key="answer"),
        Section("Verdicts over packs", _verdicts(found), key="verdicts"),
        Section("What estimates vary by", _spread(found), key="spread"),
    ]
    if len(found.asked.ways) > 1:
        made.append(Section("By who plays", (_by_play(found),), key="play"))
    if screen is not None:
        made.append(Section("What to look up first", _screened(screen), key="screen"))
    return made


def _title(found: Robustness) -> str:
    name = found.asked.experiment.name.replace("_", " ")
    return f"{name[:1].upper()}{name[1:]} over plausible packs"


def _groups(found: Robustness) -> Iterable[tuple[Finding, ...]]:
    """Findings that are judged together."""
    for _, group in groupby(found.findings, lambda each: replace(each.subject, level="")):
        yield tuple(group)


def _heading(found: Robustness, group: Sequence[Finding]) -> str:
    subject = group[0].subject
    players = f", {subject.players} players" if len(found.asked.experiment.players) > 1 else ""
    what = f"What {subject.arm} changes of the win share" if subject.arm else "Win share"
    return f"{what} by {subject.kind}{players}"


def _kind(group: Sequence[Finding]) -> Kind:
    return Kind.GAIN if group[0].subject.arm else Kind.SHARE


def _words(each: Finding) -> dict[str, str]:
    return CHANGE_WORDS if each.subject.arm else SHARE_WORDS


def _who(found: Robustness, each: Finding) -> str:
    """A subject in a sentence: `the 1st seat`, `longer: Ravagers with 3 players`."""
    subject = each.subject
    name = f"the {subject.level} seat" if subject.kind == "seat" else subject.level
    players = f" with {subject.players} players" if len(found.asked.experiment.players) > 1 else ""
    return (f"{subject.arm}: " if subject.arm else "") + name + players


# --- the answer -----------------------------------------------------------------------------------------


def _answer(found: Robustness, screen: Screen | None) -> list[str]:
    said = []
    decided = [_held(each, _who(found, each)) for each in found.findings if each.holds is not None]
    undecided = [_who(found, each) for each in found.findings if each.holds is None]
    if decided:
        packs = f"{len(found.packs)} plausible ones they hold"
        said.append(f"Verdicts with the experiment's pack, and in how many of {packs}: {'; '.join(decided)}.")
    if undecided:
        which = listed(undecided) if decided else "every verdict; more games would settle some"
        said.append(f"Undecided with the experiment's pack: {which}.")
    said += _most_spread(found)
    if screen is not None:
        said.append(_look_up(screen))
    return said


def _held(each: Finding, who: str) -> str:
    """`Ravagers too strong, in 14 (48–85 %), undecided in 5, otherwise in 1`: open is no contradiction."""
    holds = each.holds
    assert holds is not None
    same = round(holds.value * holds.n)
    rest = {"undecided": holds.n - same - each.contradicted, "otherwise": each.contradicted}
    counts = [f"in {same} ({one(Kind.RANGE, holds)})", *(f"{how} in {n}" for how, n in rest.items() if n)]
    return f"{who} {_words(each)[each.answer]}, {', '.join(counts)}"


def _most_spread(found: Robustness) -> list[str]:
    """What unknown data move most, and what they make of it."""
    known = [
        (each, each.parts, each.sides)
        for each in found.findings
        if each.parts and each.sides and each.parts.data.deviation().low > 0
    ]
    if not known:
        return ["Packs are not shown to differ beyond chance; more packs or games may show that they do."]
    most, parts, sides = max(known, key=lambda entry: entry[1].data.variance)
    spread = f"by a standard deviation of {one(Kind.AMOUNT, _points(parts.data))} points"
    chance = f"where the games of one pack leave {POINTS * parts.simulation:.1f} to chance"
    words = _words(most)
    shares = [
        f"{words[where]} in {one(Kind.SHARE, share)}{of}"
        for where, share, of in (
            (ABOVE, sides.above, " of all plausible packs"),
            (BALANCED, sides.within, ""),
            (BELOW, sides.below, ""),
        )
    ]
    made = f"Played without end it would be {listed(shares)}."
    return [f"Unknown data move {_who(found, most)} most: from pack to pack {spread}, {chance}. {made}"]


def _look_up(screen: Screen) -> str:
    named = [each.input.label for each in screen.named]
    if not named:
        return "No single assumed value is shown to matter: more trajectories or games may name some."
    rest = len(named) - MOST_NAMED
    more = f" ({rest} more below)" if rest > 0 else ""
    return f"**Look these up on the box first**: {listed(named[:MOST_NAMED])}{more}."


def _basis(found: Robustness) -> Table:
    experiment, everything = found.asked.experiment, found.everything
    pack = experiment.settings.pack
    assumed = f"{POINTS * pack.share_assumed:.0f} %"
    lost = sum(each.lost for each in everything)
    each = everything[0].played
    rows = (
        ("Games", f"{sum(one.played for one in everything):,}, {each:,} with each pack and who plays it"),
        ("Strategies", _players(found)),
        ("Components", f"pack {pack.name}, version {pack.version}: {assumed} of its values are assumed"),
        ("Sampled packs", f"{len(found.packs)}, those of simlab pack sample --seed {experiment.seed}"),
        ("Band", f"±{experiment.band:g} points"),
        ("Ended irregularly", f"{lost:,}; they count in nothing below" if lost else "none"),
        ("Seed", f"{experiment.seed}, the same deals for all packs"),
        ("Digest", found.digest),
    )
    return Table((Column("Rests on", Kind.TEXT), Column("", Kind.TEXT)), rows)


def _players(found: Robustness) -> str:
    """Who plays, in each way of playing."""
    ways = found.asked.ways
    hint = ", mixed; --by NAME tells one from another" if len(ways) == 1 < len(ways[0].strategies) else ""
    return "; ".join(", ".join(way.strategies) for way in ways) + hint


# --- packs ------------------------------------------------------------------------------------------------


def _verdicts(found: Robustness) -> tuple[Part, ...]:
    parts: list[Part] = []
    for group in _groups(found):
        heading, kind, words = _heading(found, group), _kind(group), _words(group[0])
        parts.append(
            Figure(heading, _strips(group, found.band), FIGURE_NOTE.format(band=POINTS * found.band))
        )
        columns = (
            Column(group[0].subject.kind.capitalize(), Kind.TEXT),
            Column("Own pack", kind),
            Column("Verdict", Kind.VERDICT if kind is Kind.SHARE else Kind.TEXT),
            Column("Holds", Kind.SHARE, "packs"),
            *(Column(words[each].capitalize(), Kind.COUNT) for each in SIDES),
        )
        parts.append(Table(columns, tuple(_verdict_row(each, words) for each in group), heading))
    return (*parts, VERDICTS_NOTE)


def _strips(group: Sequence[Finding], band: float) -> Strips:
    """The estimates of all packs, a row a subject."""
    rows = tuple(
        Strip(
            each.subject.level,
            each.own[0].estimate,
            tuple(judged.estimate for judged in each.packs[0]),
            each.own[0].verdict.kind == UNBALANCED,
        )
        for each in group
    )
    kind = _kind(group)
    axis = "Change, points" if kind is Kind.GAIN else "Win share, %"
    return Strips(rows, kind, axis, group[0].subject.target, band)


def _verdict_row(each: Finding, words: dict[str, str]) -> tuple[Cell, ...]:
    own = each.own[0]
    verdict: Cell = words[each.answer] if each.subject.arm else replace(own.verdict, more=nan)
    counts = [sum(side(judged.verdict) == word for judged in each.packs[0]) for word in SIDES]
    return each.subject.level, own.estimate, verdict, each.holds, *counts


def _spread(found: Robustness) -> tuple[Part, ...]:
    several = len(found.asked.apart) > 1
    names = ("Simulation", "Data", *(("Play", "Both") if several else ()))
    parts: list[Part] = []
    for group in _groups(found):
        columns = (
            Column(group[0].subject.kind.capitalize(), Kind.TEXT),
            Column("Mean", _kind(group), "packs"),
            *(Column(name, Kind.AMOUNT) for name in names),
        )
        rows = tuple(_spread_row(each, several) for each in group)
        parts.append(Table(columns, rows, _heading(found, group)))
    ways = " and who plays" if several else ""
    parts.append(SPREAD_NOTE.format(ways=ways) + (PLAY_NOTE if several else ""))
    return (*parts, *(_sides(found, group) for group in _groups(found)), SIDES_NOTE)


def _sides(found: Robustness, group: Sequence[Finding]) -> Table:
    """Where the win shares of all plausible packs would lie."""
    words = _words(group[0])
    columns = (
        Column(group[0].subject.kind.capitalize(), Kind.TEXT),
        *(Column(words[each].capitalize(), Kind.SHARE, "packs") for each in (BALANCED, ABOVE, BELOW)),
    )
    title = f"{_heading(found, group)}: plausible packs, with endless games"
    return Table(columns, tuple(map(_sides_row, group)), title)


def _spread_row(each: Finding, several: bool) -> tuple[Cell, ...]:
    parts = each.parts
    if parts is None:
        return each.subject.level, *(None,) * (5 if several else 3)
    mine = (parts.data, *((parts.play, parts.both) if several else ()))
    deviations = (None if part is None else _points(part) for part in mine)
    return each.subject.level, parts.mean, POINTS * parts.simulation, *deviations


def _sides_row(each: Finding) -> tuple[Cell, ...]:
    if each.sides is None:
        return each.subject.level, None, None, None
    return each.subject.level, each.sides.within, each.sides.above, each.sides.below


def _points(found: Component) -> Estimate:
    """A standard deviation of shares in points."""
    e = found.deviation()
    return replace(e, value=POINTS * e.value, low=POINTS * e.low, high=POINTS * e.high)


# --- who plays --------------------------------------------------------------------------------------------


def _by_play(found: Robustness) -> Table:
    who = [", ".join(way.strategies) for way in found.asked.ways]
    packs = len(found.packs)
    rows = []
    for each in found.findings:
        cells = []
        for own, there in zip(each.own, each.packs, strict=True):
            mine = side(own.verdict)
            same = sum(side(judged.verdict) == mine for judged in there)
            cells.append(_words(each)[mine] + ("" if mine == UNDECIDED else f" ({same} of {packs})"))
        who_ = _who(found, each)
        rows.append((who_[:1].upper() + who_[1:], *cells))
    note = "The verdict with the experiment's pack, and how many of the sampled packs have the same."
    return Table(
        (Column("", Kind.TEXT), *(Column(name, Kind.TEXT) for name in who)), tuple(rows), "Verdicts", note
    )


# --- screening --------------------------------------------------------------------------------------------


def _screened(screen: Screen) -> tuple[Part, ...]:
    how = "families of them first, then the single values of the families that matter"
    within = f"In {screen.trajectories} trajectories they were moved within their ranges, {how}."
    parts: list[Part] = [f"The pack assumes {screen.values:,} values. {within}"]
    if len(screen.stages) == 1:
        parts.append("No family is shown to matter, so no single value was looked at.")
    parts += [_stage(screen, stage) for stage in reversed(screen.stages)]
    return (*parts, SCREEN_NOTE)


def _stage(screen: Screen, stage: Stage) -> Table:
    single = stage.name == "values"
    columns = (
        Column("File", Kind.TEXT),
        *((Column("Row", Kind.TEXT),) if single else ()),
        Column("Column", Kind.TEXT),
        Column("Size", Kind.AMOUNT),
        *((Column("Spread", Kind.AMOUNT),) if single else ()),
        Column("By chance", Kind.AMOUNT),
        Column("Named", Kind.TEXT),
        Column("Moves most", Kind.TEXT),
    )
    rows = [_screen_row(screen, each, single) for each in stage.inputs]
    deals = ("other deals", *(("",) if single else ()), "", *_sizes(stage.other_deals, single), "", "")
    title = (
        f"{'Single values' if single else 'Families of values'}: {stage.packs:,} packs, {stage.games:,} games"
    )
    return Table(columns, (*rows, deals), title, brief=BRIEF if len(rows) > BRIEF else 0)


def _screen_row(screen: Screen, each: Screened, single: bool) -> tuple[Cell, ...]:
    subject = screen.subjects[each.moved.most]
    moves = f"{subject.arm + ': ' if subject.arm else ''}{subject.level}" + (
        " seat" if subject.kind == "seat" else ""
    )
    file, _, column = each.input.label.partition(" ")
    where = (each.value.file, each.value.row, each.value.column) if single and each.value else (file, column)
    return *where, *_sizes(each.moved, single), "yes" if each.matters else "", moves if each.size else ""


def _sizes(moved: Moved, single: bool) -> tuple[Cell, ...]:
    k = moved.most
    size, spread, floor = (POINTS * float(x[k]) for x in (moved.size, moved.spread, moved.floor))
    return size, *((spread,) if single else ()), floor
