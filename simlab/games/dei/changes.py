"""What a choice brought about, told from the facts of the positions before and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from simlab.games.dei.vocabulary import MARKETS, SOURCES
from simlab.story import Event, Facts

CLEAN_UP, FINAL_COUNT, END_OF_PHASE = "Clean-up", "Final count", "End of phase"

# how Supplies come, and what that is part of
SOURCE_WORDS = {
    "missions_on_time": ("a Mission on time", ""),
    "missions_late": ("a late Mission", ""),
    "card_icons": ("a card's icon", ""),
    "draco": ("Draco", ""),
    "trading_post": ("Trading Post", ""),
    "outposts": ("Outposts", FINAL_COUNT),
    "feats": ("Feats", FINAL_COUNT),
    "technology": ("Technology", FINAL_COUNT),
    "energy": ("Energy Cells", FINAL_COUNT),
    "market_cards": ("Market cards", FINAL_COUNT),
    "grant": ("a grant", ""),
}
assert tuple(SOURCE_WORDS) == SOURCES
RESOURCE_WORDS = {"technology": "Technology", "energy": "Energy"}


def changes(fixed: Facts, before: Facts, after: Facts, actor: int) -> list[Event]:
    """All that happened, in the rulebook's order: the choice's own, end of phase, final count, Clean-up."""
    seats = range(len(fixed["seats"]))
    events = [event for seat in seats for event in _pads(before, after, seat)]
    events += [event for seat in seats if seat != actor for event in _losses(fixed, before, after, seat)]
    events += [*_control(fixed, before, after), *_markets(before, after)]
    events += [*_unlocked(before, after), *_clean_up(fixed, before, after)]
    order = ("", END_OF_PHASE, FINAL_COUNT, CLEAN_UP)
    return sorted(events, key=lambda event: order.index(event.under))


def _pads(before: Facts, after: Facts, seat: int) -> Iterator[Event]:
    """Supplies by where they come from, resources, Candy Boosts."""
    old, new = before["pads"][seat], after["pads"][seat]
    held = old["supplies"]
    for source, (words, under) in SOURCE_WORDS.items():
        gained = new["supplies_from"][source] - old["supplies_from"][source]
        if gained:
            held += gained
            things = "Supply" if gained == 1 else "Supplies"
            yield Event(f"{gained:+d} {things} from {words}" + ("" if under else f" ({held})"), seat, under)
    for resource, words in RESOURCE_WORDS.items():
        if change := new[resource] - old[resource]:
            yield Event(f"{_signed(change)} {words} ({new[resource]})", seat)
    for kind, change in _changed(old["candy"], new["candy"]):
        if change > 0:
            yield Event(f"{change:+d} Candy Boost{'s' if change > 1 else ''} ({kind})", seat)


def _signed(change: int) -> str:
    return f"{change:+d}".replace("-", "−")


def _changed(old: dict[str, int], new: dict[str, int]) -> Iterator[tuple[str, int]]:
    for key in dict.fromkeys([*old, *new]):
        if change := new.get(key, 0) - old.get(key, 0):
            yield key, change


def _losses(fixed: Facts, before: Facts, after: Facts, seat: int) -> Iterator[Event]:
    """Scrappers that a seat lost by what another one did."""
    for region, (old, new) in enumerate(
        zip(before["scrappers"][seat], after["scrappers"][seat], strict=True)
    ):
        if new < old:
            yield Event(
                f"loses {old - new} Scrapper{'s' if old - new > 1 else ''} in {_name(fixed, region)}", seat
            )


def _name(fixed: Facts, region: int) -> str:
    return str(fixed["regions"][region]["name"])


def _who(fixed: Facts, seat: int | None) -> str:
    return "nobody" if seat is None else str(fixed["seats"][seat]["faction"])


def _control(fixed: Facts, before: Facts, after: Facts) -> Iterator[Event]:
    """Majorities that changed, with the cubes that went the same way; then other cubes."""
    moved = [
        (outpost["region"], old, new, outpost["colour"])
        for outpost, old, new in zip(fixed["outposts"], before["cubes"], after["cubes"], strict=True)
        if old != new
    ]
    for region, (old, new) in enumerate(zip(before["holder"], after["holder"], strict=True)):
        if old == new:
            continue
        along = [cube for cube in moved if cube[:3] == (region, old, new)]
        moved = [cube for cube in moved if cube not in along]
        tail = f" with its {_cubes([cube[3] for cube in along])}" if along else ""
        yield Event(f"Majority in {_name(fixed, region)}{tail}: {_who(fixed, old)} → {_who(fixed, new)}")
    for region, old, new, colour in moved:
        yield Event(f"{colour} cube of {_name(fixed, region)}: {_who(fixed, old)} → {_who(fixed, new)}")


def _cubes(colours: Sequence[str]) -> str:
    counted = [f"{n} {colour}" if n > 1 else colour for colour, n in Counter(colours).items()]
    return f"{' and '.join(counted)} cube{'s' if len(colours) > 1 else ''}"


def _markets(before: Facts, after: Facts) -> Iterator[Event]:
    for market in MARKETS:
        old, new = before["markets"][market], after["markets"][market]
        if old != new:
            slots = " | ".join(card or "–" for card in new["slots"])
            yield Event(f"{market} market: {slots} ({new['deck']} in the deck)")


def _unlocked(before: Facts, after: Facts) -> Iterator[Event]:
    for seat, (old, new) in enumerate(zip(before["pads"], after["pads"], strict=True)):
        for feat in new["feats"]:
            if feat not in old["feats"]:
                yield Event(f"unlocks {feat}", seat, END_OF_PHASE)


def _clean_up(fixed: Facts, before: Facts, after: Facts) -> Iterator[Event]:
    if after["turn"] == before["turn"]:
        return
    for seat, (old, new) in enumerate(zip(before["pads"], after["pads"], strict=True)):
        binned = [card for card in new["bin"] if card not in old["bin"]]
        if binned:
            yield Event(f"bins {' and '.join(binned)}", seat, CLEAN_UP)
    order: list[Any] = [_who(fixed, seat) for seat in after["priority"]]
    yield Event(f"Priority: {', '.join(order)}", under=CLEAN_UP)
