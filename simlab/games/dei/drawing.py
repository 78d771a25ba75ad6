"""D.E.I. drawn: the board with its signs, the Pads, markets and Missions, the final count.

All of it from the facts of `position_facts.py`; the lines are spans of text and style, for any printer.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from simlab.games.dei.changes import SOURCE_WORDS
from simlab.games.dei.map_drawing import MORE, Map, cell_width
from simlab.games.dei.vocabulary import COLOURS, DRONES, FACTIONS, LEVELS, ROOF
from simlab.story import Facts, Line, Span

LETTERS = dict(zip(FACTIONS, "RZVA", strict=True))  # Refuge 42, Farm-Z, raVagers, Auxilia
COLOUR_STYLES = dict(zip(COLOURS, ("red", "blue", "green"), strict=True))  # CORE-010
BRIDGE, ELEVATOR, REFUGE = "=", "↕", "⌂"
_NO_BREAK = "\0"  # stands for a blank where no line may end


# --- signs ----------------------------------------------------------------------------------------------


def letter(fixed: Facts, seat: int) -> Span:
    """The sign of a faction, in the style of its seat."""
    return LETTERS[fixed["seats"][seat]["faction"]], f"seat{seat}"


def signs_of(fixed: Facts, facts: Facts, region: int) -> list[Line]:
    """What lies in a Region, Units first."""
    signs = [
        *_units(fixed, facts, region),
        *_outposts(fixed, facts, region),
        *_resources(facts, region),
        *_drones(facts, region),
        *_constructions(fixed, facts, region),
    ]
    return [[(fixed["regions"][region]["name"], "strong" if signs else "dim")], *signs]


def _units(fixed: Facts, facts: Facts, region: int) -> Iterator[Line]:
    for seat in range(len(fixed["seats"])):
        scrappers = facts["scrappers"][seat][region]
        leader = facts["leader"][seat] == region
        value = facts["value"][region][seat]
        if not (scrappers or leader or value):
            continue
        text, style = letter(fixed, seat)
        text += (f"{scrappers}" if scrappers else "") + ("L" if leader else "")
        text += f"={value}" if value != scrappers + leader else ""
        yield [(text + ("*" if facts["holder"][region] == seat else ""), style)]


def _outposts(fixed: Facts, facts: Facts, region: int) -> Iterator[Line]:
    for outpost, holder in zip(fixed["outposts"], facts["cubes"], strict=True):
        if outpost["region"] == region:
            colour = outpost["colour"]
            sign = "◇" if holder is None else "◆"
            yield [(sign + colour[0].upper(), COLOUR_STYLES[colour])]


def _resources(facts: Facts, region: int) -> Iterator[Line]:
    if count := facts["resources"][region]:
        yield [(f"•{count}", "strong")]


def _drones(facts: Facts, region: int) -> Iterator[Line]:
    for drone, place in facts["drones"].items():
        if place == region:
            yield [(f"@{drone[0].upper()}", "strong")]


def _constructions(fixed: Facts, facts: Facts, region: int) -> Iterator[Line]:
    """Neutral ones bare, others with their faction; an Elevator at its Ground, a Bridge at both Roofs."""
    here = fixed["regions"][region]
    neutral = ((REFUGE, here["refuges"]), (ELEVATOR, here["elevator"]), (BRIDGE, here["bridge"]))
    for sign, there in neutral:
        if there:
            yield [(sign, "")]
    for seat in range(len(fixed["seats"])):
        standing = Counter(
            sign
            for built in facts["built"][seat]
            for sign, places in (places_of(built["kind"], built["regions"]),)
            if region in places
        )
        text, style = letter(fixed, seat)
        for sign, count in standing.items():
            yield [(f"{sign}{text}{count if count > 1 else ''}", style)]


def places_of(kind: str, regions: Sequence[int]) -> tuple[str, Sequence[int]]:
    """The sign of a construction and the Regions that show it."""
    if kind == "refuge":
        return REFUGE, regions
    return (ELEVATOR, regions[:1]) if kind == "elevator" else (BRIDGE, regions[:2])


# --- a position -----------------------------------------------------------------------------------------


def position(fixed: Facts, facts: Facts, width: int) -> list[Line]:
    """Map, Pads, markets, Missions."""
    lines = [*board(fixed, facts, width), [], *pads(fixed, facts, width), []]
    return [*lines, *markets(facts), *missions(fixed, facts)]


def board(fixed: Facts, facts: Facts, width: int) -> list[Line]:
    """The map, and below it the Regions whose signs have no room in it."""
    roofs = [region["level"] == LEVELS[ROOF] for region in fixed["regions"]]
    drawn = Map(fixed["spaces"], roofs, cell_width(len(fixed["spaces"][0]), width))
    crowded = []
    for region in range(len(roofs)):
        signs = signs_of(fixed, facts, region)
        if not drawn.write(region, signs):
            crowded.append(signs)
    return [*drawn.lines(), *(_spaced(signs) for signs in crowded)]


def _spaced(signs: Sequence[Line]) -> Line:
    return [span for n, sign in enumerate(signs) for span in ([(" ", "")] if n else []) + sign]


def pads(fixed: Facts, facts: Facts, width: int) -> list[Line]:
    """A line a seat in Priority order, then what has no column: the Feats too where they are too wide."""
    lines = aligned(_pad_rows(fixed, facts), left=(0, 9))
    wide = max(map(_width, lines)) > width
    if wide:
        lines = aligned([row[:-1] for row in _pad_rows(fixed, facts)], left=(0,))
    for seat in facts["priority"]:
        lines += _pad_rest(fixed, facts, seat, width, feats=wide)
    return lines


def _pad_rows(fixed: Facts, facts: Facts) -> list[list[Line]]:
    heads = ("Supplies", "Technology", "Energy", "Cubes", "Scrappers", "Reserve", "Hand", "Bin", "Feats")
    rows: list[list[Line]] = [[[("", "")], *([(head, "dim")] for head in heads)]]
    for seat in facts["priority"]:
        pad = facts["pads"][seat]
        numbers = (pad["supplies"], pad["technology"], pad["energy"])
        units = (sum(facts["scrappers"][seat]), pad["reserve"], len(pad["hand"]), len(pad["bin"]))
        rows.append(
            [
                [letter(fixed, seat), (f" {fixed['seats'][seat]['title']}", f"seat{seat}")],
                *([(str(number), "")] for number in numbers),
                _cubes(fixed, facts, seat),
                *([(str(number), "")] for number in units),
                _feats(pad),
            ]
        )
    return rows


def _cubes(fixed: Facts, facts: Facts, seat: int) -> Line:
    held = Counter(
        outpost["colour"]
        for outpost, holder in zip(fixed["outposts"], facts["cubes"], strict=True)
        if holder == seat
    )
    spans = [
        (f"{held[colour]}{colour[0].upper()}", COLOUR_STYLES[colour]) for colour in COLOURS if held[colour]
    ]
    return _spaced([[span] for span in spans]) or [("–", "dim")]


def _feats(pad: Facts) -> Line:
    spans = [(feat, "strong") for feat in pad["feats"]] + [
        (f"({feat})", "dim") for feat in pad["feats_face_down"]
    ]
    return _spaced([[span] for span in spans])


def _pad_rest(fixed: Facts, facts: Facts, seat: int, width: int, *, feats: bool) -> Iterator[Line]:
    pad, names = facts["pads"][seat], [region["name"] for region in fixed["regions"]]
    candy = [f"{n} {kind}" if n > 1 else kind for kind, n in pad["candy"].items()]
    built = [
        f"{each['kind']} {'–'.join(names[at] for at in each['regions'][:2])}" for each in facts["built"][seat]
    ]
    played = [_played(play) for play in pad["plays"]]
    known = [text for text, _ in _feats(pad) if text != " "] if feats else []
    for title, things in (("Feats", known), ("Candy Boosts", candy), ("built", built), ("played", played)):
        whole = ", ".join(thing.replace(" ", _NO_BREAK) for thing in things)
        for n, line in enumerate(textwrap.wrap(whole, width - len(title) - 5, break_on_hyphens=False)):
            begun = f"  {title}: " if n == 0 else " " * (len(title) + 4)
            yield [letter(fixed, seat), (begun, "dim"), (line.replace(_NO_BREAK, " "), "")]


def _played(play: Facts) -> str:
    down = " face down" if play["face_down"] else ""
    return f"{play['card']}{down}{' with candy ' + play['candy'] if play['candy'] else ''}"


def markets(facts: Facts) -> list[Line]:
    """A line a market: its slots, the deck."""
    rows: list[list[Line]] = []
    for market, lies in facts["markets"].items():
        slots = [[(card or "–", "")] for card in lies["slots"]]
        rows.append(
            [
                [(f"{market} market", COLOUR_STYLES.get(market, "strong"))],
                *slots,
                [(f"({lies['deck']} in the deck)", "dim")],
            ]
        )
    return aligned(rows, left=range(len(rows[0])))


def missions(fixed: Facts, facts: Facts) -> list[Line]:
    """A line: each column's Missions, and whose tokens lie on them."""
    lines = []
    for column, dealt in enumerate(fixed["missions"]):
        if not dealt:
            continue
        line: Line = [(f"Missions {column + 1}", "dim")]
        for row, mission in enumerate(dealt):
            line += [("  " if row == 0 else " | ", ""), (mission, "")]
            line += [
                span
                for seat, tokens in enumerate(facts["tokens"])
                if tokens[column] == row
                for span in ((" ", ""), letter(fixed, seat))
            ]
        lines.append(line)
    return lines


def key(fixed: Facts) -> list[Line]:
    """What the signs mean."""
    factions: Line = []
    for seat, who in enumerate(fixed["seats"]):
        factions += [letter(fixed, seat), (f" {who['title']}  ", "")]
    drones = "  ".join(f"@{name[0].upper()} {name.title()}" for name in DRONES)
    texts = (
        "3 three Scrappers  L the Leader  * with Majority  =6 its value, where Units alone don't make it",
        "heavy line: another level  light line: a Border  dotted: Roof",
        "•2 resources: Technology on a Ground, Energy Cells on a Roof  ◇T ◇L ◇M Outposts  ◆T cube held",
        f"{REFUGE} Refuge  {ELEVATOR} Elevator, at its Ground  {BRIDGE} Bridge, at both Roofs; bare: Neutral",
        f"{drones}  {MORE} the rest stands below the map",
    )
    return [factions, *([(text, "dim")] for text in texts)]


# --- the end --------------------------------------------------------------------------------------------


def final_count(fixed: Facts, facts: Facts) -> list[Line]:
    """Supplies by where they came from, the winner first."""
    order = sorted(range(len(fixed["seats"])), key=lambda seat: facts["places"][seat])
    sources = [
        source for source in SOURCE_WORDS if any(pad["supplies_from"][source] for pad in facts["pads"])
    ]
    first, second = (facts["pads"][seat]["supplies"] for seat in order[:2])
    winner = (fixed["seats"][order[0]]["title"], f"seat{order[0]}")
    how = f", {first - second} Supplies ahead" if first > second else ", by Priority (CORE-039)"
    head: list[Line] = [
        [("", "")],
        *([(f"{fixed['seats'][seat]['title']}", f"seat{seat}")] for seat in order),
    ]
    rows = [head]
    for source in sources:
        words = source.replace("_", " ")
        counts = [facts["pads"][seat]["supplies_from"][source] for seat in order]
        rows.append([[(words, "")], *([(str(count), "" if count else "dim")] for count in counts)])
    rows.append(
        [[("Supplies", "strong")], *([(str(facts["pads"][seat]["supplies"]), "strong")] for seat in order)]
    )
    rows.append([[("place", "dim")], *([(str(facts["places"][seat]), "")] for seat in order)])
    return [[("The winner is ", ""), winner, (how, "")], [], *aligned(rows, left=(0,))]


def aligned(rows: Sequence[Sequence[Line]], left: Sequence[int]) -> list[Line]:
    """Rows of cells as lines: columns two spaces apart, flush right but for those in `left`."""
    widths = [max(_width(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        line: Line = []
        for n, (cell, width) in enumerate(zip(row, widths, strict=True)):
            padding = (" " * (width - _width(cell)), "")
            line += [("  " if n else "", ""), *([*cell, padding] if n in left else [padding, *cell])]
        lines.append([span for span in line if span[0]])
    return lines


def _width(cell: Line) -> int:
    return sum(len(text) for text, _ in cell)
