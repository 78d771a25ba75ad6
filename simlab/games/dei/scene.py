"""D.E.I. on a page: the board as SVG, Pads, markets and Missions as HTML, all of it from facts.

`scene` is what stands throughout a game; whatever a choice may change is an element with `data-part`, and
`parts` has what stands in it at one position. So a page keeps of each step only what is new in it. Who is
who is told by shape and letter too, never by colour alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from simlab.games.dei import scene_board
from simlab.games.dei.drawing import LETTERS
from simlab.games.dei.vocabulary import COLOURS, DRONES
from simlab.story import Facts

NOTHING = "–"
_NUMBERS = ("Supplies", "Technology", "Energy", "Cubes", "Scrappers", "Reserve")
_LISTS = ("Feats", "Candy Boosts", "Hand", "Played", "Recycle Bin", "Built")


def scene(fixed: Facts) -> str:
    """The markup of a game, its parts empty."""
    seats = range(len(fixed["seats"]))
    return "\n".join(
        [
            _scrolled("Board", scene_board.svg(fixed)),
            _key(fixed),
            '<div class="beside">',
            _scrolled("Pads", _table(("", *_NUMBERS), (_number_row(fixed, seat) for seat in seats))),
            *(_pad(fixed, seat) for seat in seats),
            "<h3>Markets</h3>",
            _scrolled("Markets", '<table data-part="markets"></table>'),
            "<h3>Missions</h3>",
            _scrolled("Missions", '<table data-part="missions"></table>'),
            "</div>",
        ]
    )


def parts(fixed: Facts, facts: Facts) -> dict[str, str]:
    """What stands in each part of the scene at a position."""
    found = dict(scene_board.parts(fixed, facts))
    for seat in range(len(fixed["seats"])):
        for name, text in zip(_NUMBERS, _numbers(fixed, facts, seat), strict=True):
            found[_part(seat, name)] = escape(text)
        for name, things in zip(_LISTS, _lists(fixed, facts, seat), strict=True):
            found[_part(seat, name)] = ", ".join(things) or NOTHING
    return found | {"markets": _markets(facts), "missions": _missions(fixed, facts)}


def scores(facts: Facts) -> list[int]:
    """The Supplies of each seat."""
    return [int(pad["supplies"]) for pad in facts["pads"]]


def _part(seat: int, name: str) -> str:
    return f"{name.lower().replace(' ', '-')}-{seat}"


# --- what stands ----------------------------------------------------------------------------------------


def _scrolled(title: str, markup: str) -> str:
    """A box in which what is wider than a phone can be moved."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{title}">{markup}</div>'


def _who(fixed: Facts, seat: int) -> str:
    title = escape(fixed["seats"][seat]["title"])
    return f"{scene_board.badge(fixed, seat)} {title}"


def _number_row(fixed: Facts, seat: int) -> list[str]:
    cells = [f'<td data-part="{_part(seat, name)}"></td>' for name in _NUMBERS]
    return [f'<th scope="row" class="left">{_who(fixed, seat)}</th>', *cells]


def _pad(fixed: Facts, seat: int) -> str:
    rows = [f'<dt>{name}</dt><dd data-part="{_part(seat, name)}"></dd>' for name in _LISTS]
    return f'<h3>{_who(fixed, seat)}</h3>\n<dl class="pad">{"".join(rows)}</dl>'


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _key(fixed: Facts) -> str:
    seats = range(len(fixed["seats"]))
    who = " · ".join(f"{_who(fixed, seat)} ({LETTERS[fixed['seats'][seat]['faction']]})" for seat in seats)
    drones = ", ".join(f"@{name[0].upper()} {name.title()}" for name in DRONES)
    signs = (
        "V3: three Scrappers; L: the Leader; a thick outline: Majority; =6: its value, where Units alone",
        "don’t make it. Thick lines part levels, thin ones are Borders, dashed ones edges of tiles; Roofs",
        "are dotted. •2: two resources, Technology on a Ground, Energy Cells on a Roof. Diamonds: Outposts",
        "(T tactic, L logistic, M machinery), filled where the cube is held, with the holder’s letter.",
        "⌂ Refuge, ↕ Elevator at its Ground, = Bridge at both Roofs; bare: Neutral.",
    )
    return f'<p class="note">{who}. {" ".join(signs)} {drones}.</p>'


# --- what changes -----------------------------------------------------------------------------------------


def _numbers(fixed: Facts, facts: Facts, seat: int) -> list[str]:
    pad = facts["pads"][seat]
    held = Counter(
        outpost["colour"]
        for outpost, holder in zip(fixed["outposts"], facts["cubes"], strict=True)
        if holder == seat
    )
    cubes = " ".join(f"{held[colour]}{colour[0].upper()}" for colour in COLOURS if held[colour])
    numbers = [pad["supplies"], pad["technology"], pad["energy"]]
    units = [sum(facts["scrappers"][seat]), pad["reserve"]]
    return [*map(str, numbers), cubes or NOTHING, *map(str, units)]


def _lists(fixed: Facts, facts: Facts, seat: int) -> list[list[str]]:
    pad, names = facts["pads"][seat], [region["name"] for region in fixed["regions"]]
    return [
        [
            *map(escape, pad["feats"]),
            *(f"<i>{escape(feat)} (face down)</i>" for feat in pad["feats_face_down"]),
        ],
        [f"{n} {escape(kind)}" for kind, n in pad["candy"].items()],
        list(map(escape, pad["hand"])),
        [escape(_played(play)) for play in pad["plays"]],
        list(map(escape, pad["bin"])),
        [
            escape(f"{each['kind']} {'–'.join(names[at] for at in each['regions'][:2])}")
            for each in facts["built"][seat]
        ],
    ]


def _played(play: Facts) -> str:
    down = " face down" if play["face_down"] else ""
    return f"{play['card']}{down}" + (f" with candy {play['candy']}" if play["candy"] else "")


def _markets(facts: Facts) -> str:
    rows = []
    for market, lies in facts["markets"].items():
        slots = "".join(f'<td class="left">{escape(card or NOTHING)}</td>' for card in lies["slots"])
        head = f'<th scope="row" class="left">{escape(market)}</th>'
        rows.append(f"<tr>{head}{slots}<td>{lies['deck']} in the deck</td></tr>")
    return "".join(rows)


def _missions(fixed: Facts, facts: Facts) -> str:
    rows = []
    for column, dealt in enumerate(fixed["missions"]):
        cells = "".join(
            f'<td class="left">{" ".join([escape(mission), *_tokens(fixed, facts, column, row)])}</td>'
            for row, mission in enumerate(dealt)
        )
        if cells:
            rows.append(f'<tr><th scope="row" class="left">Turn {column + 1}</th>{cells}</tr>')
    return "".join(rows)


def _tokens(fixed: Facts, facts: Facts, column: int, row: int) -> Iterator[str]:
    for seat, tokens in enumerate(facts["tokens"]):
        if tokens[column] == row:
            yield scene_board.badge(fixed, seat)
