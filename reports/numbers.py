"""Numbers as a reader sees them: digits that the interval bears out, the same ones down a column.

"–" stands for what is not there. ± is half of the interval; where the interval is lopsided, near 0 or 1,
its ends are given instead. Of an infinite number only a bound is known: ≥ or ≤.
"""

from __future__ import annotations

from math import ceil, floor, inf, isinf, isnan, log10
from typing import TYPE_CHECKING

from reports.document import Cell, Column, Kind, Position, Table
from simlab.stats.equivalence import UNBALANCED, UNDECIDED, Verdict
from simlab.stats.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterable

EMPTY = "–"
NO_INTERVAL = "± ?"  # a single block, or a few that agree: a value, and no way to tell how sure it is
LOPSIDED = 0.2  # of the half-width
SHARES = {
    Kind.SHARE,
    Kind.RANGE,
    Kind.LEVEL,
    Kind.POINTS,
    Kind.GAIN,
    Kind.SPAN,
}  # printed in percent or points
INTERVALS = {Kind.RANGE, Kind.SPAN}  # the same Estimate as in the column before, as an interval
DIFFERENCES = {Kind.GAIN, Kind.SPAN, Kind.CHANGE}  # printed with their sign


def texts(table: Table) -> list[list[str]]:
    """The text of every cell, column by column; all shares of a table have as many decimals, so amounts."""
    cells = [[row[k] for row in table.rows] for k in range(len(table.columns))]
    kinds = [column.kind for column in table.columns]
    shares = _places(
        [c for k, column in zip(kinds, cells, strict=True) if k in SHARES for c in column], Kind.SHARE
    )
    amounts = _places([c for k, column in zip(kinds, cells, strict=True) if k not in SHARES for c in column])
    return [
        [_text(kind, cell, shares if kind in SHARES else amounts) for cell in column]
        for kind, column in zip(kinds, cells, strict=True)
    ]


def one(kind: Kind, cell: Cell) -> str:
    """The text of a number that stands alone, in a sentence."""
    return texts(Table((Column("", kind),), ((cell,),)))[0][0]


def tip(kind: Kind, e: Estimate, of: str = "blocks") -> str:
    """A number with all that is known of it: value, interval, rows and what they are clustered on."""
    if not e.known:
        return "no data"
    unit = " %" if kind in SHARES - DIFFERENCES else " points" if kind in SHARES else ""
    scale = 100.0 if kind in SHARES else 1.0
    places = _places([e], kind)
    signs = kind in DIFFERENCES
    value, low, high = (_plain(scale * x, places, signs) for x in (e.value, e.low, e.high))
    interval = f", {100 * e.level:g} % interval {low} to {high}{unit}" if e.sure else ""
    where = "" if of != "blocks" and e.n == e.clusters else f" in {count(e.clusters)}"
    return f"{value}{unit}{interval}, n = {count(e.n)}{where} {of}"


def short(kind: Kind, e: Estimate) -> str:
    """The value alone, with one decimal: where a figure has no room for more."""
    if not e.known:
        return EMPTY
    unit = " %" if kind in SHARES - DIFFERENCES else ""
    return f"{_plain(100 * e.value if kind in SHARES else e.value, 1, kind in DIFFERENCES)}{unit}"


def sizes(table: Table) -> str:
    """How many rows the numbers of a table rest on, where no column says so."""
    if any(column.kind is Kind.COUNT for column in table.columns):
        return ""
    found = [_estimate_of(cell) for row in table.rows for cell in row]
    ns = sorted({e.n for e in found if e is not None and e.known})
    if not ns:
        return ""
    return f"n = {count(ns[0])}" + (f" to {count(ns[-1])}" if len(ns) > 1 else "") + " for each number."


def _estimate_of(cell: Cell) -> Estimate | None:
    if isinstance(cell, Position):
        return cell.at
    return cell if isinstance(cell, Estimate) else None


def count(n: float) -> str:
    """A count, or "–": 20,000."""
    return EMPTY if isnan(n) else f"{n:,.0f}"


def about(n: float) -> str:
    """A rough count, rounded up to two digits: 12,000."""
    if n < 100:
        return f"{ceil(n):,}"
    unit = 10 ** (floor(log10(n)) - 1)
    return f"{ceil(n / unit - 1e-9) * unit:,}"


def signed(x: float, places: int = 1) -> str:
    """A difference with its sign: +1.3, −0.4, 0.0."""
    rounded = _rounded(x, places)
    return f"{0:.{places}f}" if rounded == 0 else f"{'+' if x > 0 else '−'}{abs(rounded):,.{places}f}"


def listed(words: Iterable[str]) -> str:
    """Words as a sentence lists them: a, b and c."""
    words = list(words)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def word(found: Verdict) -> str:
    """A verdict without a number of games: balanced, too strong, too weak or undecided."""
    if found.kind == UNBALANCED and abs(found.gap) > found.band:
        return "too strong" if found.gap > 0 else "too weak"
    return found.kind


def verdict(found: Verdict) -> str:
    """A verdict in few words, so that a row stays one line."""
    if found.kind != UNDECIDED or isnan(found.more):
        return word(found)
    return f"{UNDECIDED} ({'on the edge' if isinf(found.more) else f'+{about(found.more)}'})"


def _text(kind: Kind, cell: Cell, places: int) -> str:
    if isinstance(cell, Estimate):
        return _estimate(kind, cell, places)
    if isinstance(cell, Position):
        return _position(cell.at)
    if isinstance(cell, Verdict):
        return verdict(cell)
    if isinstance(cell, str):
        return cell
    if cell is None or isnan(cell):
        return EMPTY
    return signed(100 * cell, places) if kind is Kind.POINTS else _number(cell)


def _number(x: float) -> str:
    """A number without interval: whole if it is."""
    return count(x) if x == round(x) else f"{x:,.1f}"


def _estimate(kind: Kind, e: Estimate, places: int) -> str:
    if not e.known:
        return EMPTY
    share = kind in SHARES
    signs = kind in DIFFERENCES
    scale, unit = (100.0 if share else 1.0), (" %" if share and not signs else "")
    if isinf(e.value):
        return f"≥ {_plain(scale * e.low, places)}" if e.value > 0 else f"≤ {_plain(scale * e.high, places)}"
    value, low, high = (_plain(scale * x, places, signs) for x in (e.value, e.low, e.high))
    if kind in INTERVALS:
        return EMPTY if not e.sure else f"{low}–{high}{unit}" if kind is Kind.RANGE else f"{low} to {high}"
    if kind is Kind.LEVEL or not e.sure:
        return f"{value}{unit}" + ("" if kind is Kind.LEVEL else f" {NO_INTERVAL}")
    if _lopsided(e) and not signs:
        return f"{value}{unit} ({low}–{high})"
    return f"{value}{unit} ± {_plain(scale * _half(e), places)}"


def _position(e: Estimate) -> str:
    if not e.known:
        return EMPTY
    if not e.sure:
        return f"{_number(e.value)} {NO_INTERVAL}"
    value, low, high = map(_number, (e.value, e.low, e.high))
    return value if low == high else f"{value} ({low}–{high})"


def _plain(x: float, places: int, signs: bool = False) -> str:
    if isnan(x):
        return EMPTY
    if isinf(x):
        return "∞" if x > 0 else "−∞"
    if signs:
        return signed(x, places)
    rounded = _rounded(x, places)
    return f"{'−' if rounded < 0 else ''}{abs(rounded):,.{places}f}"


def _rounded(x: float, places: int) -> float:
    """Halves go up, whatever the sign, so that a share less its target is the difference beside it."""
    unit: int = 10**places
    return floor(x * unit + 0.5 + 1e-9) / unit


def _half(e: Estimate) -> float:
    return (e.high - e.low) / 2


def _lopsided(e: Estimate) -> bool:
    return abs(e.high + e.low - 2 * e.value) > LOPSIDED * _half(e)


def _places(cells: Iterable[Cell], kind: Kind = Kind.AMOUNT) -> int:
    """Decimals that give the median half-width a digit, two where that is a 1; shares have one or two."""
    scale, least, most = (100.0, 1, 2) if kind in SHARES else (1.0, 0, 3)
    halves = sorted(scale * _half(c) for c in cells if isinstance(c, Estimate) and 0 < _half(c) < inf)
    if not halves:
        return 1
    half = halves[len(halves) // 2]
    size = floor(log10(half))
    wanted = int(half / 10**size < 1.95) - size if kind not in SHARES else int(half < 0.1) + 1
    return min(most, max(least, wanted))
