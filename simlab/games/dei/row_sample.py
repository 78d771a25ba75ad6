"""Other plausible rows of a pack's CSV files, drawn from the ranges of assumed ones."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Mapping

from simlab.errors import PackError
from simlab.games.dei.addresses import Address
from simlab.games.dei.pack_check import dominated
from simlab.games.dei.pack_files import ASSUMED, read_rows, split_range
from simlab.games.dei.pack_rows import (
    CANDY,
    CANDY_COLUMNS,
    CARD_COLUMNS,
    CARDS,
    MISSION_CARDS,
    MISSION_COLUMNS,
    MISSION_NUMBERS,
    NUMBER_COLUMNS,
    PRINTED_MISSIONS,
    SLOT_COLUMNS,
    SLOTS,
    parse_card_icons,
    parse_cards,
    parse_icon_ranges,
)
from simlab.games.dei.vocabulary import FACTIONS, MARKETS

CARD_ATTEMPTS = 1000  # of one card

Cells = dict[str, str]  # one row: column → cell


def cells_of(text: str, name: str, columns: tuple[str, ...], key: str) -> list[Cells]:
    """The rows of a file as plain dicts."""
    return [dict(row.cells) for row in read_rows(text, name, columns, key)]


def written(rows: list[Cells]) -> str:
    """Rows as a CSV text with the columns of the first."""
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def sampled_rows(rows: list[Cells], sample: Callable[[Cells], Cells]) -> list[Cells]:
    """The rows with the cells that `sample` gives for each assumed one."""
    return [row | sample(row) if row["source"] == ASSUMED else row for row in rows]


def sampled_number(row: Cells, column: str, address: Address) -> Cells:
    """One number from the range beside it."""
    low, high = split_range(row[f"{column}_range"], column)
    there = address.at(column)
    return {column: row[column] if there.stays else str(there.between(low, high))}


def sampled_slots(text: str, address: Address) -> str:
    """markets.csv: what each slot asks for; a card gets no dearer while it slides to the right."""

    def sample(row: Cells) -> Cells:
        there = address.at(row["market"], row["slot"])
        return {**sampled_number(row, "cubes", there), **sampled_number(row, "technology", there)}

    rows = sampled_rows(cells_of(text, SLOTS, SLOT_COLUMNS, "market"), sample)
    for market in MARKETS:
        mine = sorted((row for row in rows if row["market"] == market), key=lambda row: int(row["slot"]))
        for column in ("cubes", "technology"):
            asked = [int(row[column]) for row in mine]
            if all(row["source"] == ASSUMED for row in mine) and asked != sorted(asked, reverse=True):
                raise PackError(f"{SLOTS}: slots of {market} ask for more {column} to the right")
    return written(rows)


def sampled_candy(text: str, address: Address) -> str:
    """candy.csv: how many tokens of each kind there are."""
    rows = cells_of(text, CANDY, CANDY_COLUMNS, "kind")
    return written(sampled_rows(rows, lambda row: sampled_number(row, "tokens", address.at(row["kind"]))))


def sampled_missions(text: str, address: Address) -> str:
    """missions.csv: what the second copies are, of different kinds if they can be, with printed values."""
    rows = cells_of(text, MISSION_CARDS, MISSION_COLUMNS, "id")
    titles = {row["kind"]: row["title"] for row in rows}
    names = {row["id"] for row in rows if row["source"] != ASSUMED}
    kinds: set[str] = set()

    def sample(row: Cells) -> Cells:
        there, possible = address.at(row["id"]), row["kind_range"].split()
        others = [other for other in possible if other not in kinds] or possible
        kind = row["kind"] if there.stays else there.pick(others)
        known = (kind, *(f"{kind}_{number}" for number in range(2, len(rows) + 2)))
        name = next(name for name in known if name not in names)
        kinds.add(kind)
        names.add(name)
        numbers = zip(MISSION_NUMBERS, map(str, PRINTED_MISSIONS[kind]), strict=True)
        return {"id": name, "kind": kind, "title": titles.get(kind, kind), **dict(numbers)}

    return written(sampled_rows(rows, sample))


def sampled_cards(text: str, address: Address) -> str:
    """cards.csv: icons, prices and Supplies; a card that another of its market dominates is drawn again."""
    rows = cells_of(text, CARDS, CARD_COLUMNS, "id")
    attempts: Counter[str] = Counter()

    def sample(row: Cells) -> Cells:
        return sampled_card(row, address.at(row["id"], attempts[row["id"]]))

    while True:
        drawn = written(sampled_rows(rows, sample))
        worse = {card.id for card, _ in dominated(parse_cards(drawn))}
        if not worse:
            return drawn
        attempts.update(worse)
        if max(attempts.values()) > CARD_ATTEMPTS:
            raise PackError(f"{CARDS}: card {max(attempts, key=attempts.__getitem__)} is always dominated")


def sampled_card(row: Cells, address: Address) -> Cells:
    """A card's icons and, if it is on sale, its price and Supplies."""
    new = {"icons": sampled_icons(row, address.at("icons"))}
    for column in () if row["deck"] in FACTIONS else NUMBER_COLUMNS:
        new |= sampled_number(row, column, address)
    return new


def sampled_icons(row: Cells, address: Address) -> str:
    """As many of each icon as its range allows, again while a card can't bear them."""
    if address.stays:
        return row["icons"]
    where = f"{CARDS} ({row['id']})"
    ranges = parse_icon_ranges(row["icons_range"], parse_card_icons(row["icons"], where), where)
    reason = PackError()
    for attempt in range(CARD_ATTEMPTS):
        words = icon_words(ranges, address.at(attempt))
        try:
            parse_card_icons(" ".join(words), where)
        except PackError as error:
            reason = error
        else:
            return " ".join(words)
    raise reason


def icon_words(ranges: Mapping[str, tuple[int, int]], address: Address) -> list[str]:
    """The words of one draw, in the order of the ranges; a name with + is how far a Drone moves further."""
    words = []
    for name in dict.fromkeys(key.removesuffix("+") for key in ranges):
        count = address.at(name).between(*ranges.get(name, (1, 1)))
        extra = address.at(name, "+").between(*ranges.get(f"{name}+", (0, 0)))
        icon, slash, per = name.partition("/")
        icon += f"+{extra}" if extra else ""
        words += [icon + (f"*{count}" if count > 1 else "") + slash + per] if count else []
    return words
