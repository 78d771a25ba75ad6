"""The board of a page: an SVG of spaces with a group for each Region, in which its signs stand.

Lengths are in units of the SVG. Signs flow through a Region's spaces in reading order, smaller where many
lie there, so each finds room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from simlab.games.dei.drawing import BRIDGE, ELEVATOR, LETTERS, REFUGE, places_of
from simlab.games.dei.ground_plan import GroundPlan
from simlab.games.dei.vocabulary import LEVELS, ROOF
from simlab.story import Facts

SPACE = 56  # side of a space
NAME = 14  # height of the line that a Region's name stands in
MARGIN = 3
SIZES = (22, 17, 13, 10, 7)  # of signs, the largest first
SHAPES = (  # by seat, in a square from -1 to 1
    "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z",
    "M-.9-.9H.9V.9H-.9Z",
    "M-.6-.95H.6L1.1 0L.6.95H-.6L-1.1 0Z",
    "M0-1.15L1.1-.3L.7.95H-.7L-1.1-.3Z",
)
DIAMOND = "M0-1.15L1.15 0L0 1.15L-1.15 0Z"
DOTS = (
    '<pattern id="roof" width="8" height="8" patternUnits="userSpaceOnUse">'
    '<circle cx="2" cy="2" r="1"/></pattern>'
)
PILL = "M-1-.7H1V.7H-1Z"


@dataclass(frozen=True)
class Sign:
    """What stands for a thing: an outline, its text and classes, and what is said of it."""

    shape: str
    classes: str
    text: str
    says: str


def badge(fixed: Facts, seat: int) -> str:
    """The sign of a seat beside its name."""
    letter = LETTERS[fixed["seats"][seat]["faction"]]
    drawn = _drawn(Sign(SHAPES[seat], f"seat{seat}", letter, ""), 0, 0, 20)
    return f'<svg class="badge" viewBox="-12 -12 24 24" aria-hidden="true">{drawn}</svg>'


# --- what stands ----------------------------------------------------------------------------------------


def _plan(fixed: Facts) -> GroundPlan:
    roofs = [region["level"] == LEVELS[ROOF] for region in fixed["regions"]]
    return GroundPlan(fixed["spaces"], roofs, fixed["tile_size"], SPACE)


def svg(fixed: Facts) -> str:
    """The board without what lies on it."""
    plan, regions = _plan(fixed), range(len(fixed["regions"]))
    box = f'viewBox="{-MARGIN} {-MARGIN} {plan.width + 2 * MARGIN} {plan.height + 2 * MARGIN}"'
    parts = [
        f'<svg class="board" {box} role="img" aria-label="The board">',
        f"<defs>{DOTS}</defs>",
        *(_area(plan, region) for region in regions),
        *(f'<path class="{kind}" d="{path}"/>' for kind, path in plan.edges().items()),
        *(_name(fixed, plan, region) for region in regions),
        *(f'<g data-part="region-{region}"></g>' for region in regions),
        "</svg>",
    ]
    return "\n".join(parts)


def _area(plan: GroundPlan, region: int) -> str:
    path, roof = plan.area(region), plan.roofs[region]
    dots = f'<path d="{path}" fill="url(#roof)"/>' if roof else ""
    return f'<path class="{"roof" if roof else "ground"}" d="{path}"/>{dots}'


def _name(fixed: Facts, plan: GroundPlan, region: int) -> str:
    row, column = plan.spaces_of(region)[0]
    x, y = column * SPACE + 5, row * SPACE + NAME - 2
    return f'<text class="name" x="{x}" y="{y}">{escape(fixed["regions"][region]["name"])}</text>'


# --- what lies there --------------------------------------------------------------------------------------


def parts(fixed: Facts, facts: Facts) -> Iterator[tuple[str, str]]:
    """By group of the board, the signs in it."""
    plan = _plan(fixed)
    for region in range(len(fixed["regions"])):
        signs = [
            *_units(fixed, facts, region),
            *_outposts(fixed, facts, region),
            *_resources(facts, region),
            *_drones(facts, region),
            *_constructions(fixed, facts, region),
        ]
        yield f"region-{region}", _placed(signs, plan.spaces_of(region))


def _placed(signs: list[Sign], spaces: list[tuple[int, int]]) -> str:
    """Signs in the largest size that has room for all."""
    for size in SIZES:
        places = list(_places(spaces, size))
        if len(places) >= len(signs):
            break
    return "".join(_drawn(sign, x, y, size) for sign, (x, y) in zip(signs, places, strict=False))


def _places(spaces: list[tuple[int, int]], size: int) -> Iterator[tuple[float, float]]:
    """Centres for signs of a size, with the Region's name left free."""
    across = (SPACE - 4) // size
    for number, (row, column) in enumerate(spaces):
        top = NAME if number == 0 else 2
        for down in range((SPACE - top - 1) // size):
            for along in range(across):
                yield column * SPACE + 3 + size * (along + 0.5), row * SPACE + top + size * (down + 0.5)


def _drawn(sign: Sign, x: float, y: float, size: int) -> str:
    title = f"<title>{escape(sign.says)}</title>" if sign.says else ""
    font = round(size * (0.5 if len(sign.text) <= 2 else 0.4), 1)
    return (
        f'<g class="sign {sign.classes}" transform="translate({x:g} {y:g})">{title}'
        f'<path d="{sign.shape}" transform="scale({round(size * 0.43, 2):g})"/>'
        f'<text font-size="{font:g}" y="{round(font * 0.35, 1):g}">{escape(sign.text)}</text></g>'
    )


def _units(fixed: Facts, facts: Facts, region: int) -> Iterator[Sign]:
    for seat, who in enumerate(fixed["seats"]):
        scrappers, leader = facts["scrappers"][seat][region], facts["leader"][seat] == region
        value = facts["value"][region][seat]
        if not (scrappers or leader or value):
            continue
        holds = facts["holder"][region] == seat
        units = [f"{scrappers} Scrapper{'s' if scrappers > 1 else ''}"] if scrappers else []
        units += ["the Leader"] if leader else []
        says = f"{who['title']}: {' and '.join(units) or 'no Units'}, value {value}"
        says += ", Majority" if holds else ""
        letter, classes = LETTERS[who["faction"]], f"seat{seat}{' holds' if holds else ''}"
        if scrappers:
            yield Sign(SHAPES[seat], classes, f"{letter}{scrappers}", says)
        if leader:
            yield Sign(SHAPES[seat], classes, f"{letter}L", says)
        if value != scrappers + leader:
            yield Sign(SHAPES[seat], classes, f"{letter}={value}", says)


def _outposts(fixed: Facts, facts: Facts, region: int) -> Iterator[Sign]:
    for outpost, holder in zip(fixed["outposts"], facts["cubes"], strict=True):
        if outpost["region"] != region:
            continue
        letter, colour = outpost["colour"][0].upper(), outpost["colour"]
        if holder is None:
            yield Sign(DIAMOND, f"outpost {colour}", letter, f"{colour} Outpost, its cube held by nobody")
        else:
            who = fixed["seats"][holder]
            says = f"{colour} Outpost, its cube held by {who['title']}"
            yield Sign(DIAMOND, f"outpost {colour} held", letter + LETTERS[who["faction"]], says)


def _resources(facts: Facts, region: int) -> Iterator[Sign]:
    if count := facts["resources"][region]:
        yield Sign(PILL, "plain", f"•{count}", f"{count} resource{'s' if count > 1 else ''}")


def _drones(facts: Facts, region: int) -> Iterator[Sign]:
    for drone, place in facts["drones"].items():
        if place == region:
            yield Sign(PILL, "drone", f"@{drone[0].upper()}", f"Drone {drone.title()}")


def _constructions(fixed: Facts, facts: Facts, region: int) -> Iterator[Sign]:
    here = fixed["regions"][region]
    for sign, key in ((REFUGE, "refuges"), (ELEVATOR, "elevator"), (BRIDGE, "bridge")):
        if here[key]:
            yield Sign(PILL, "plain", sign, f"Neutral {key.removesuffix('s').title()}")
    for seat, who in enumerate(fixed["seats"]):
        standing = Counter(
            (sign, built["kind"])
            for built in facts["built"][seat]
            for sign, places in (places_of(built["kind"], built["regions"]),)
            if region in places
        )
        for (sign, kind), count in standing.items():
            text = f"{sign}{LETTERS[who['faction']]}{count if count > 1 else ''}"
            yield Sign(PILL, f"built seat{seat}", text, f"{kind.title()} of {who['title']}")
