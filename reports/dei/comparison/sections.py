"""A comparison as sections of a report: the answer, then a section an arm, the sweeps, the appendix."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite, isinf, isnan
from typing import TYPE_CHECKING

from reports.dei import header
from reports.dei.basis import ORDINALS, title, titles
from reports.dei.comparison import families as f
from reports.dei.comparison.answer import paragraph, short
from reports.document import Column, Kind, Section, Table
from reports.numbers import one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.dei.comparison.effects import Compared, Comparison, Level, Swept
    from reports.dei.comparison.families import Family
    from reports.document import Cell
    from simlab.stats.dose import Response
    from simlab.stats.intervals import Estimate

MOST_ROWS = 20  # of a table in the appendix
SHAPES = {
    "rising": "rises",
    "falling": "falls",
    "turning": "rises and falls",
    "unshown": "no trend shown",
}
WHENEVER = (
    "±: half of the 95 % confidence sequence of the change, from the same deals played under both, clustered "
    "on blocks: it holds at every look, so wherever the run stopped. All at once: the one that holds "
    "with all that the run was to know. Within the band, stronger, weaker: that one lies inside the band or "
    "outside, with a risk of 5 % over all looks and rows. Undecided: neither; in brackets, about how many "
    "more games of each arm would settle it. Other tables have sequences too; dose and response are as if "
    "the number of games had been fixed."
)
READING = (
    "±: half of the 95 % interval of the change, from the same deals played under both, clustered on blocks. "
    "All at once: the interval that holds for all rows together. Within the band: the 90 % interval of the "
    "change lies inside it (two one-sided tests at 5 %). Stronger, weaker: it is outside, with a risk of 5 % "
    "over all rows. Undecided: neither; in brackets, about how many more games of each arm would settle it."
)


def sections(made: Comparison) -> list[Section]:
    """All of it, in order."""
    return [_head(made), *details(made)]


def details(made: Comparison) -> list[Section]:
    """What stands behind the answer: the sweeps, a section an arm, the appendix."""
    arms: dict[str, list[Compared]] = {}
    for found in made.compared:
        arms.setdefault(found.arm, []).append(found)
    swept = {arm["name"] for arm in made.basis.manifest["arms"] if "sweep" in arm}
    return [
        *_sweeps(made),
        *(_arm(made, name, found) for name, found in arms.items() if name not in swept or len(arms) < 4),
        *_appendix(made, arms),
    ]


# --- the answer ---------------------------------------------------------------------------------------


def _head(made: Comparison) -> Section:
    basis = made.basis
    return Section(basis.name, (*answers(made), header.rests_on(basis, of_each=True), header.ASSUMED))


def answers(made: Comparison) -> list[str]:
    """A paragraph an arm and number of players, and what it was set against."""
    basis = made.basis
    several = len(basis.players) > 1
    said = [paragraph(found, basis.band, several) for found in made.compared]
    base = (
        f"Each arm against {basis.arms[0]}, game by game on the same deals, from the same seats. The band of "
        f"±{100 * basis.band:g} points of win share was declared before."
    )
    return [*said, base]


# --- an arm -------------------------------------------------------------------------------------------


def _arm(made: Comparison, name: str, found: Sequence[Compared]) -> Section:
    parts: list[str | Table] = [f"What differs: {made.basis.differs(name)}."]
    for each in found:
        at = made.basis.at(each.players)
        if each.identical:
            parts.append(f"Not one of {each.pairs:,} games came out otherwise{at}, so every change is 0.")
            continue
        parts += [
            _shares(each, f.FACTIONS, "Faction", f"Win share by faction{at}"),
            _shares(each, f.SEATS, "Seat", f"Win share by seat{at}"),
            _crossed(made, each, f.BOTH, [f"{seat} seat" for seat in ORDINALS[: each.players]], f"seat{at}"),
            *_played(made, each, at),
            _game(each, at),
            *_course(each, at),
            pairing(each),
        ]
    return Section(name, (*parts, READING if made.basis.until is None else WHENEVER))


def _shares(found: Compared, family: str, head: str, title_: str) -> Table:
    judged = not found.noise_alone
    columns = (
        Column(head, Kind.TEXT),
        Column("Base", Kind.LEVEL),
        Column("Arm", Kind.LEVEL),
        Column("Change", Kind.GAIN),
        Column("All at once", Kind.SPAN),
        *((Column("Verdict", Kind.TEXT),) if judged else ()),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (x.label, x.effect.base, x.effect.arm, x.effect.difference, x.together)
        + ((short(verdict),) if judged else ())
        for x, verdict in zip(found.families[family], found.verdicts[family], strict=True)
    )
    return Table(columns, rows, title_)


def _played(made: Comparison, found: Compared, at: str) -> list[Table]:
    """By strategy, where several met, and by faction in the hands of each."""
    if f.PLAYED not in found.families:
        return []
    tables = [_crossed(made, found, f.PLAYED, made.basis.strategies, f"strategy{at}")]
    if f.STRATEGIES not in found.families:
        return tables
    columns = (
        Column("Strategy", Kind.TEXT),
        Column("Base", Kind.LEVEL),
        Column("Arm", Kind.LEVEL),
        Column("Change", Kind.GAIN),
        Column("All at once", Kind.SPAN),
    )
    rows = tuple(
        (x.label, x.effect.base, x.effect.arm, x.effect.difference, x.together)
        for x in found.families[f.STRATEGIES]
    )
    return [Table(columns, rows, f"Win share by strategy{at}"), *tables]


def _crossed(made: Comparison, found: Compared, family: str, heads: Sequence[str], what: str) -> Table:
    """Faction by what stands in the columns."""
    size, cells = len(heads), found.families[family]
    columns = (Column("Faction", Kind.TEXT), *(Column(head, Kind.GAIN) for head in heads))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *(level.effect.difference for level in cells[size * k : size * (k + 1)]))
        for k, name in enumerate(titles(made.basis.factions))
    )
    return Table(columns, rows, f"Change of win share by faction and {what}, points")


def _game(found: Compared, at: str) -> Table:
    columns = (
        Column("A game", Kind.TEXT),
        Column("Base", Kind.AMOUNT),
        Column("Arm", Kind.AMOUNT),
        Column("Change", Kind.CHANGE),
    )
    named = [
        ("Decisions", found.families[f.DECISIONS][0]),
        ("Winner's lead, Supplies", found.families[f.MARGIN][0]),
        *(("Changes of the lead", level) for level in found.families.get(f.LEADS, ())),
        *((f"Supplies of {level.label}", level) for level in found.families[f.SUPPLIES]),
    ]
    rows = tuple((name, x.effect.base, x.effect.arm, x.effect.difference) for name, x in named)
    ties = found.families[f.TIES][0].effect
    note = (
        f"Tied for the most Supplies: {one(Kind.SHARE, ties.base)} of the base's games, "
        f"{one(Kind.SHARE, ties.arm)} of the arm's ({one(Kind.GAIN, ties.difference)} points)."
    )
    return Table(columns, rows, f"Length, spread and Supplies{at}", note)


def _course(found: Compared, at: str) -> list[Table]:
    if f.COURSE not in found.families:
        return []
    columns = (Column("By the end of Turn", Kind.TEXT), Column("Games with other choices", Kind.SHARE))
    rows = tuple((level.label, level.effect.arm) for level in found.families[f.COURSE])
    return [Table(columns, rows, f"When the games part{at}")]


def pairing(found: Compared) -> str:
    """How much playing the same deals saved."""
    levels = [level.effect for level in found.families[f.FACTIONS]]
    reduction = sorted({f"{e.reduction:.1f}" for e in levels if isfinite(e.reduction)}, key=float)
    correlation = [e.correlation for e in levels if not isnan(e.correlation)]
    if not reduction and any(isinf(e.reduction) for e in levels):
        return "The same deals under both: no win share changes from one block to another."
    if not reduction or not correlation:
        return "There are too few blocks to tell what the same deals saved."
    r, times = sum(correlation) / len(correlation), dict.fromkeys((reduction[0], reduction[-1]))
    return (
        f"The same deals under both: the factions' win shares correlate by {r:.2f} on average, and on other "
        f"deals {' to '.join(times)} times as many games would be needed."
    )


# --- sweeps -------------------------------------------------------------------------------------------


def _sweeps(made: Comparison) -> list[Section]:
    found = []
    for swept in made.swept:
        at = made.basis.at(swept.players)
        found.append(Section(f"{swept.name}: {swept.key}{at}", (_doses(swept), _trends(swept))))
    return found


def _doses(swept: Swept) -> Table:
    columns = (
        Column("Value", Kind.TEXT),
        *(Column(name, Kind.GAIN) for name in titles(swept.factions)),
    )
    doses = swept.responses[0].doses
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (f"{dose:g}", *(at_value(response, k) for response in swept.responses))
        for k, dose in enumerate(doses)
    )
    note = "Intervals hold for all values of a faction together. The base has the value whose changes are 0."
    return Table(columns, rows, "Change of win share, points", note)


def at_value(response: Response, k: int) -> Estimate:
    """The change at a value; of the base's it is 0 by definition, whatever was played."""
    found = response.effects[k]
    return found if found.n else replace(found, n=max(each.n for each in response.effects))


def _trends(swept: Swept) -> Table:
    columns = (
        Column("Faction", Kind.TEXT),
        Column("Per unit, points", Kind.GAIN),
        Column("With more of it", Kind.TEXT),
    )
    rows = tuple(
        (title(name), slope, SHAPES[response.shape])
        for name, slope, response in zip(swept.factions, swept.slopes, swept.responses, strict=True)
    )
    return Table(columns, rows, "Trend of the win share")


# --- appendix -----------------------------------------------------------------------------------------


def _appendix(made: Comparison, arms: dict[str, list[Compared]]) -> list[Section]:
    """Feats, Missions and cards whose change is clear of 0, all of a table looked at together."""
    found = []
    for name, compared in arms.items():
        parts: list[str | Table] = []
        for each in compared:
            for family in made.families[each.players]:
                if family.name in f.APPENDIX and not each.identical:
                    parts += _clear(family, each.families[family.name], made.basis.at(each.players))
        if parts:
            found.append(Section(f"{name}: Feats, Missions, cards", tuple(parts)))
    return found


def _clear(family: Family, levels: Sequence[Level], at: str) -> list[str | Table]:
    known = [level for level in levels if level.together.sure]
    clear = [level for level in known if level.together.low > 0 or level.together.high < 0]
    what = f"{family.what[0].upper()}{family.what[1:]}{at}"
    if not clear:
        return [f"{what}: of {len(known)} none changes beyond doubt, all looked at together."]
    clear.sort(key=lambda level: -abs(level.effect.difference.value))
    shares = family.is_share
    columns = (
        Column(family.level, Kind.TEXT),
        Column("Base", Kind.SHARE if shares else Kind.AMOUNT),
        Column("Arm", Kind.SHARE if shares else Kind.AMOUNT),
        Column("Change", Kind.GAIN if shares else Kind.CHANGE),
    )
    rows = tuple((x.label, x.effect.base, x.effect.arm, x.together) for x in clear[:MOST_ROWS])
    note = f"{len(clear)} of {len(known)} change beyond doubt, all looked at together (±: of all at once)."
    if len(clear) > MOST_ROWS:
        note += f" The {MOST_ROWS} that change most are shown; compare.json has all."
    return [Table(columns, rows, what, note)]
