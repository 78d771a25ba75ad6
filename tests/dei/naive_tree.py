"""Decision trees counted a second time, from the rulebook's words alone: nothing of the engine is used.

It knows one card's icons (move, collect, enlist, kill, technology, build:refuge, build:elevator), Leaders
without skill, no Feats, no Drones, and only what a card's end leaves out: it is for the files of
`tests/golden/trees` that say `naive = true`. A place is a set of spaces; positions are plain tuples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any


def turned(tile: list[str], quarters: int) -> list[str]:
    """A tile after clockwise quarter turns."""
    for _ in range(quarters):
        tile = ["".join(row[column] for row in reversed(tile)) for column in range(len(tile))]
    return tile


class Ground:
    """The board: Regions found by spreading from space to space, and which of them touch."""

    def __init__(self, game: dict[str, Any]) -> None:
        self.spaces: dict[tuple[int, int], tuple[str, str]] = {}  # space → tile, letter
        self.refuges: set[str] = set()  # Regions with a Neutral Refuge
        maps = {tile["id"]: tile for tile in game["tile"]}
        for row, names in enumerate(game["layout"]):
            for column, name in enumerate(names):
                self._lay(maps, name, row, column)
        self.region: dict[tuple[str, str], str] = {}  # tile, letter → the Region's name
        for patch in dict.fromkeys(self.spaces.values()):
            if patch not in self.region:
                self._spread(patch)
        self.refuges = {self.region[tuple(name.split("."))] for name in self.refuges}  # type: ignore[index]
        self.touching = {
            (self.region[self.spaces[at]], self.region[self.spaces[beside]])
            for at in self.spaces
            for beside in self._beside(at)
            if self.region[self.spaces[at]] != self.region[self.spaces[beside]]
        }

    def _lay(self, maps: dict[str, Any], name: str, row: int, column: int) -> None:
        tile, _, quarters = name.partition("@")
        lines = turned(maps[tile]["map"], int(quarters or 0))
        size = len(lines)
        for y, x in product(range(size), repeat=2):
            self.spaces[row * size + y, column * size + x] = tile, lines[y][x]
        if "refuge" in maps[tile]:
            self.refuges.add(f"{tile}.{maps[tile]['refuge']}")

    def _beside(self, at: tuple[int, int]) -> Iterator[tuple[int, int]]:
        for step in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            there = at[0] + step[0], at[1] + step[1]
            if there in self.spaces:
                yield there

    def _spread(self, first: tuple[str, str]) -> None:
        """CORE-004: one level, not divided by a Border, on across the edges of tiles."""
        found, waiting = {first}, [first]
        while waiting:
            patch = waiting.pop()
            for at in [at for at, there in self.spaces.items() if there == patch]:
                for beside in self._beside(at):
                    other = self.spaces[beside]
                    if (
                        other[0] != patch[0]
                        and other[1].isupper() == patch[1].isupper()
                        and other not in found
                    ):
                        found.add(other)
                        waiting.append(other)
        for patch in found:
            self.region[patch] = ".".join(first)

    def is_roof(self, region: str) -> bool:
        """Upper case letters are Roofs."""
        return region.rpartition(".")[2].isupper()

    def linked(self, one: str, other: str) -> bool:
        """CORE-005: adjacent on the same level."""
        return (one, other) in self.touching and self.is_roof(one) == self.is_roof(other)


@dataclass(frozen=True)
class State:
    """What one card of one player can change; `scrappers[seat][Region]`."""

    icons: tuple[str, ...]
    scrappers: tuple[dict[str, int], ...]
    leaders: tuple[str | None, ...]
    resources: dict[str, int]
    reserve: int
    held: int  # resources on the own Pad
    refuges: int = 3  # tokens left
    elevators: frozenset[tuple[str, str]] = field(default_factory=frozenset)

    def units(self, seat: int, region: str) -> int:
        return self.scrappers[seat].get(region, 0) + (self.leaders[seat] == region)

    def has_majority(self, seat: int, region: str) -> bool:
        """CORE-020."""
        others = [self.units(other, region) for other in range(len(self.scrappers)) if other != seat]
        return self.units(seat, region) > max(others)

    def with_scrappers(self, seat: int, changes: dict[str, int]) -> State:
        own = Counter(self.scrappers[seat])
        own.update(changes)
        scrappers = tuple(dict(own) if at == seat else each for at, each in enumerate(self.scrappers))
        return replace(self, scrappers=scrappers)

    def without(self, icon: str) -> State:
        left = list(self.icons)
        left.remove(icon)
        return replace(self, icons=tuple(left))


class Tree:
    """All sequences of choices with one card of the player in seat `me`."""

    def __init__(self, written: dict[str, Any]) -> None:
        self.ground = Ground(written["game"])
        game, position = written["game"], written["position"]
        players = game["players"]
        self.me = 0
        self.regions = sorted(set(self.ground.region.values()))
        (card,) = position["pad"][players[0]]["hand"]
        (icons,) = (each["icons"] for each in game["card"] if each["id"] == card)
        named = self._named
        scrappers = tuple(
            {named(at): n for at, n in position.get("scrappers", {}).get(player, {}).items()}
            for player in players
        )
        leaders = tuple(
            named(position["leader"][player]) if player in position.get("leader", {}) else None
            for player in players
        )
        resources = {named(at): n for at, n in position.get("resources", {}).items()}
        self.start = State(
            tuple(self._icons(icons)), scrappers, leaders, resources, 15 - sum(scrappers[0].values()), 0
        )

    def _named(self, word: str) -> str:
        tile, _, letter = word.rpartition(".")
        return self.ground.region[tile, letter]

    def _icons(self, text: str) -> Iterator[str]:
        for word in text.split():
            icon, _, times = word.partition("*")
            yield from [icon] * int(times or 1)

    def counts(self, depth: int) -> list[int]:
        """How many sequences of 1 … depth choices there are; the first choice plays the card."""
        level, found = [self.start], [1]
        while len(found) < depth:
            following = [list(self.choices(state)) for state in level]
            found.append(sum(len(each) + 1 for each in following))  # + 1: the card is ended
            level = [state for each in following for state in each]
        return found

    def choices(self, state: State) -> Iterator[State]:
        """What each choice but the card's end leads to: one entry a choice, equal positions kept apart."""
        rules = {
            "move": self.moves,
            "collect": self.collects,
            "enlist": self.enlists,
            "kill": self.kills,
            "technology": self.gains,
            "build:refuge": self.refuges,
            "build:elevator": self.elevators,
        }
        for icon in sorted(set(state.icons)):
            yield from rules[icon](state.without(icon))

    def moves(self, state: State) -> Iterator[State]:
        """CORE-041: any own Units of a Region to a Linked one where Majority holds once they are there."""
        for start, end in product(self.regions, repeat=2):
            over = {(start, end), (end, start)} & state.elevators
            if not (self.ground.linked(start, end) or over):
                continue
            for group in range(state.scrappers[self.me].get(start, 0) + 1):
                for leader in (False, True)[: 1 + (state.leaders[self.me] == start)]:
                    if not group and not leader:
                        continue
                    moved = state.with_scrappers(self.me, {start: -group, end: group})
                    if leader:
                        moved = replace(moved, leaders=(end, *moved.leaders[1:]))
                    if moved.has_majority(self.me, end):
                        yield moved

    def collects(self, state: State) -> Iterator[State]:
        """CORE-042: a resource of a Region with Majority."""
        for region in self.regions:
            if state.resources.get(region, 0) and state.has_majority(self.me, region):
                left = {**state.resources, region: state.resources[region] - 1}
                yield replace(state, resources=left, held=state.held + 1)

    def enlists(self, state: State) -> Iterator[State]:
        """CORE-040: from the reserve to a Region with a Neutral Refuge (none of its own is built here)."""
        assert state.reserve > 0
        for region in sorted(self.ground.refuges):
            yield replace(state.with_scrappers(self.me, {region: 1}), reserve=state.reserve - 1)

    def kills(self, state: State) -> Iterator[State]:
        """CORE-062: a Scrapper of an opponent where an own Unit is."""
        for region in self.regions:
            if not state.units(self.me, region):
                continue
            for victim in range(1, len(state.scrappers)):
                if state.scrappers[victim].get(region, 0):
                    yield state.with_scrappers(victim, {region: -1})

    def gains(self, state: State) -> Iterator[State]:
        """CORE-061."""
        yield replace(state, held=state.held + 1)

    def refuges(self, state: State) -> Iterator[State]:
        """CORE-048: where an own Unit is."""
        assert state.refuges > 0
        for region in self.regions:
            if state.units(self.me, region):
                yield replace(state, refuges=state.refuges - 1)

    def elevators(self, state: State) -> Iterator[State]:
        """CORE-050: a Ground and an adjacent Roof, an own Unit in either."""
        for ground, roof in product(self.regions, repeat=2):
            touches = (ground, roof) in self.ground.touching
            if self.ground.is_roof(ground) or not self.ground.is_roof(roof) or not touches:
                continue
            if state.units(self.me, ground) or state.units(self.me, roof):
                yield replace(state, elevators=state.elevators | {(ground, roof)})
