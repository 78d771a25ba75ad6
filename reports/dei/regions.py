"""Where does the game happen? Moves, Majority and collection by Region, drawn on the board or its tiles."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.dei import examples, tallies
from reports.dei.basis import LEVEL, title, titles
from reports.dei.printed import Part, parts_of, sheets, signs
from reports.document import Area, Cell, Column, Figure, Kind, Map, Section, Table
from reports.document import Part as SectionPart
from reports.numbers import short
from simlab.stats.intervals import Estimate, Moments, mean, share

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reports.dei.basis import Basis

    Found = dict[str, np.ndarray[Any, Any]]  # sums (G, parts)
    Groups = list[tuple[tuple[str, str], list[int]]]  # labels of a row, the parts in it

BRIEF = 12  # rows of the table of Regions on the terminal
AMOUNTS = ("moves_into", "moves_out", "collected")  # of a game
TRAFFIC = list(zip(("Moves into", "Moves out", "Collected"), AMOUNTS, strict=True))
TILES = (
    "Layouts are drawn at random, so a Region is never the same twice. What stays is what is printed: each "
    "part of a tile has the numbers of the Regions that it lay in."
)
BOARD = "All games have this board."
FIGURES = (
    ("Moves into a Region", "moves_into", "Moves into it, a game"),
    ("Moves out of a Region", "moves_out", "Moves out of it, a game"),
    ("Resources collected from a Region", "collected", "resources collected there, a game"),
)
SIGNS = (
    "Dots: Roof. Thick lines part levels, thin ones are Borders. Printed, where there is room to say so: •2 "
    "resources, ◇ Outpost, ⌂ Neutral Refuge, @ Drone."
)
HELD = (
    "The number: at the end of how many of 100 Turns somebody had Majority; the bar: who. "
    "Turns of games in which a faction doesn't play count for it too."
)
READING = (
    "Moves, collected: a game. Majority: of the Turns, those at whose end somebody, or that faction, had "
    "it. A Region that several parts of tiles make up counts in each of their rows."
)


def build(basis: Basis) -> Section | None:
    """Maps and tables a player count; nothing where the run kept no Regions."""
    if not basis.has("regions"):
        return None
    quick = basis.experiment.get("layout") == "quick"
    parts: list[SectionPart] = [BOARD if quick else TILES]
    findings = []
    for players in basis.players:
        known = parts_of(basis, players)
        found = _sums(basis, players, known)
        if not known or not found["games"].any():
            continue
        findings.append(_finding(known, found))
        parts += [
            *_maps(basis, known, found, players, quick=quick),
            *_tables(basis, known, found, players),
            *examples.of_regions(basis, _busiest(known, found), players),
        ]
    return Section("Map", (*parts, READING), basis.headline(findings)) if findings else None


def _sums(basis: Basis, players: int, known: Sequence[Part]) -> Found:
    """By cluster and part: games, Turns, Moves, what is collected, Turns with Majority by faction and all."""
    held = [f"held_{faction}" for faction in basis.factions]
    sums = ", ".join(f"sum({name}) AS {name}" for name in ("games", "turns", *AMOUNTS, *held))
    query = (
        "SELECT tile || '.' || letter AS part, * EXCLUDE (tile, letter) FROM "
        f"(SELECT {basis.group} AS cluster, tile, letter, {sums} FROM regions WHERE players = {players} "
        "GROUP BY ALL)"
    )
    levels = {"part": [part.name for part in known]}
    found = dict(tallies.grid(basis.run, query, levels, basis.clusters(players)).sums)
    return found | {"held": np.sum([found[name] for name in held], axis=0)}


def _estimate(found: Found, name: str, at: Any) -> Estimate:
    """A number of the parts `at`, an index or several: of a game or, of Majority, a share of the Turns."""
    of = "games" if name in AMOUNTS else "turns"
    rows, totals = (found[key][:, at].reshape(len(found[key]), -1).sum(1) for key in (of, name))
    moments = Moments.of_blocks(rows, totals)
    return mean(moments, LEVEL) if name in AMOUNTS else share(moments, LEVEL)


# --- drawn ------------------------------------------------------------------------------------------------


def _maps(
    basis: Basis, known: Sequence[Part], found: Found, players: int, *, quick: bool
) -> list[SectionPart]:
    at = basis.at(players)
    factions = [f"held_{faction}" for faction in basis.factions]

    def drawn(heading: str, kind: Kind, axis: str, area: Callable[[int], Area], note: str) -> Figure:
        size = max(part.size for part in known)
        series = tuple(titles(basis.factions)) if kind is Kind.SHARE else ()
        return Figure(heading + at, Map(sheets(known, area, quick=quick), size, kind, axis, series), note)

    def counted(name: str) -> Callable[[int], Area]:
        return lambda k: _area(known[k], _estimate(found, name, k))

    def held(k: int) -> Area:
        shares = tuple(_estimate(found, name, k) for name in factions)
        return _area(known[k], _estimate(found, "held", k), shares)

    figures = [
        drawn(heading, Kind.AMOUNT, axis, counted(name), f"{axis[0].upper()}{axis[1:]}. {SIGNS}")
        for heading, name, axis in FIGURES
    ]
    return [*figures, drawn("Who has Majority in a Region", Kind.SHARE, "Turns with Majority, %", held, HELD)]


def _area(part: Part, at: Estimate, shares: tuple[Estimate, ...] = ()) -> Area:
    return Area(part.name, part.roof, at, shares, signs([part]))


# --- in figures -------------------------------------------------------------------------------------------


def _tables(basis: Basis, known: Sequence[Part], found: Found, players: int) -> list[Table]:
    """Moves and Majority by part of a tile, the busiest first, then means by tile and by what is printed."""
    by_tile, by_kind = (
        _grouped([label(part) for part in known]) for label in (attrgetter("tile"), attrgetter("kind"))
    )
    parts = [((known[k].name, known[k].says), [k]) for k in _by_traffic(known, found)]
    return [
        *_pair(basis, found, parts, ("part of a tile", "Part", "Printed"), players, BRIEF),
        *_pair(basis, found, by_tile, ("tile", "Tile", "Parts"), players),
        *_pair(basis, found, by_kind, ("what is printed", "Printed", "Parts"), players),
    ]


def _grouped(labels: Sequence[str]) -> Groups:
    """The parts with the same label, and how many they are."""
    groups: dict[str, list[int]] = {}
    for k, label in enumerate(labels):
        groups.setdefault(label, []).append(k)
    return [((label, str(len(at))), at) for label, at in sorted(groups.items())]


def _pair(
    basis: Basis, found: Found, groups: Groups, words: tuple[str, str, str], players: int, brief: int = 0
) -> list[Table]:
    """Two tables that stay narrow: traffic and Majority, a row a group of parts, its mean over them."""
    by, *heads = words
    held = [(title(faction), f"held_{faction}") for faction in basis.factions]
    made = []
    for heading, names, kind in (
        ("Moves and resources", TRAFFIC, Kind.AMOUNT),
        ("Majority", [("Anybody", "held"), *held], Kind.SHARE),
    ):
        columns = (*(Column(head, Kind.TEXT) for head in heads), *(Column(name, kind) for name, _ in names))
        rows: list[tuple[Cell, ...]] = [
            (*labels, *(_estimate(found, name, at) for _, name in names)) for labels, at in groups
        ]
        note = "The mean of the parts." if "Parts" in heads else ""
        made.append(Table(columns, tuple(rows), f"{heading} by {by}{basis.at(players)}", note, brief))
    return made


def _traffic(found: Found, k: int) -> float:
    games = found["games"][:, k].sum()
    return float(found["moves_into"][:, k].sum() / games) if games else 0.0


def _by_traffic(known: Sequence[Part], found: Found) -> list[int]:
    return sorted(range(len(known)), key=lambda k: -_traffic(found, k))


def _busiest(known: Sequence[Part], found: Found) -> Part:
    return known[_by_traffic(known, found)[0]]


def _finding(known: Sequence[Part], found: Found) -> str:
    most, *_, least = _by_traffic(known, found)
    often, seldom = (short(Kind.AMOUNT, _estimate(found, "moves_into", k)) for k in (most, least))
    return (
        f"most Moves end in the Region that shows {known[most].name}, {often} a game, fewest at "
        f"{known[least].name}, {seldom}"
    )
