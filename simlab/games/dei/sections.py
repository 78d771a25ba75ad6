"""Parts of the table for who plays at the prompt: the board, Pads, own cards, markets, Missions, in lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from simlab.games.dei import drawing
from simlab.story import Facts, Line

if TYPE_CHECKING:
    from simlab.games.dei.view import View
    from simlab.games.dei.view_things import Card, Mission, Slot

SECTIONS = {
    "board": "the map",
    "pads": "what each faction holds",
    "hand": "your cards, Feats and Candy Boosts",
    "markets": "the cards for sale, with price and icons",
    "missions": "the Missions, what they give, who has done them",
    "key": "what the signs of the map mean",
}


def section(name: str, fixed: Facts, facts: Facts, view: View, width: int) -> list[Line]:
    """One of SECTIONS, as the seat of the view sees it."""
    drawn: dict[str, Callable[[], list[Line]]] = {
        "board": lambda: drawing.board(fixed, facts, width),
        "pads": lambda: drawing.pads(fixed, facts, width),
        "hand": lambda: _hand(view),
        "markets": lambda: _markets(view, width),
        "missions": lambda: _missions(fixed, view),
        "key": lambda: drawing.key(fixed),
    }
    return drawn[name]()


def _hand(view: View) -> list[Line]:
    lines = drawing.aligned([_card(card) for card in view.hand], left=(0, 1, 2)) if view.hand else []
    feats = [f"{feat}{'' if unlocked else ' (face down)'}" for feat, unlocked in view.feats.items()]
    candy = [f"{n} {kind}" for kind, n in view.candy.items()]
    for title, things in (
        ("played", [card.id for card in view.me.played]),
        ("Recycle Bin", [card.id for card in view.me.bin]),
        ("committed", [card.id for card in view.committed]),
        ("Feats", feats),
        ("Candy Boosts", candy),
    ):
        if things:
            lines.append([(f"{title}: ", "dim"), (", ".join(things), "")])
    return lines


def _card(card: Card) -> list[Line]:
    supplies = f"{card.supplies} Supplies at the end" if card.supplies else ""
    return [[(card.id, "strong")], [(" ".join(card.icons), "")], [(supplies, "dim")]]


def _markets(view: View, width: int) -> list[Line]:
    slots = [slot for slots in view.markets.values() for slot in slots if slot.card is not None]
    left = ", ".join(f"{n} {market}" for market, n in view.decks.items())
    lines = drawing.aligned([_slot(slot) for slot in slots], left=(0, 1, 2, 3)) if slots else []
    if any(sum(len(text) for text, _ in line) > width for line in lines):
        heads = drawing.aligned([_slot(slot)[:-1] for slot in slots], left=(0, 1, 2))
        lines = [line for slot, head in zip(slots, heads, strict=True) for line in (head, _indented(slot))]
    return [*lines, [("left in the decks: ", "dim"), (left, "")]]


def _indented(slot: Slot) -> Line:
    return [("    ", ""), *_slot(slot)[-1]]


def _slot(slot: Slot) -> list[Line]:
    assert slot.card is not None
    price = f"{slot.technology} Technology {slot.energy} Energy"
    price += f", {slot.cubes} cube{'s' if slot.cubes > 1 else ''}" if slot.cubes else ""
    price += f", gives {slot.gives} Technology" if slot.gives else ""
    worth = f"  {slot.card.supplies} Supplies" if slot.card.supplies else ""
    return [
        [(f"{slot.market} {slot.number}", drawing.COLOUR_STYLES.get(slot.market, "strong"))],
        [(slot.card.id, "strong")],
        [(price, "")],
        [(" ".join(slot.card.icons), ""), (worth, "dim")],
    ]


def _missions(fixed: Facts, view: View) -> list[Line]:
    rows = [_mission(fixed, mission) for column in view.missions for mission in column]
    return drawing.aligned(rows, left=(0, 1, 2, 3)) if rows else []


def _mission(fixed: Facts, mission: Mission) -> list[Line]:
    gives = f"{_gain(mission.on_time_gain, mission.on_time_per)} on time,"
    gives += f" {_gain(mission.late_gain, mission.late_per)} late"
    done = [drawing.letter(fixed, seat) for seat in mission.done_by]
    return [
        [(f"Turn {mission.column}", "dim")],
        [(mission.id, "strong")],
        [(gives, "")],
        _joined(done),
    ]


def _gain(gain: int, per: int) -> str:
    return f"{gain} per {per}" if per > 1 else f"{gain} each"


def _joined(spans: Iterable[tuple[str, str]]) -> Line:
    found = list(spans)
    return [("done by ", "dim"), *_between(found)] if found else [("", "")]


def _between(spans: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for number, span in enumerate(spans):
        if number:
            yield " ", ""
        yield span
