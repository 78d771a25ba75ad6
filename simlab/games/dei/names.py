"""The names of things on a table: Regions, sites, cards, seats, as people read and write them.

A Region prints as `tile.letter`, the first patch it holds (tile reading order, then letter); any of its
patches is accepted. A seat prints as the faction that sits there. Every parser raises a `UsageError` of
one sentence that names the word that isn't understood.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from simlab.errors import UsageError
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import BRIDGE, COLOURS, CONSTRUCTIONS, ELEVATOR, FACTIONS, NONE, REFUGE
from simlab.wording import did_you_mean


class NotThere(UsageError):
    """The words are understood, but what they name isn't on the table: such a choice can't be legal."""


def number_of(word: str, names: Sequence[str], what: str) -> int:
    """Which of `names` a word is; `what` says what was looked for."""
    if word not in names:
        raise UsageError(f"'{word}' is no {what}{did_you_mean(word, names)}")
    return names.index(word)


class Names:
    """The names that hold in one game: they hang on its pack, its board and who sits where."""

    def __init__(self, position: Position, pack: Any) -> None:
        self.public = position.public[0]
        self.rules = position.rules[0]
        self.board = position.board[0]
        self.pack = pack

    # --- Regions -------------------------------------------------------------------------------
    def patch(self, tile: int, patch: int) -> str:
        """One patch of a tile."""
        return f"{self.pack.tile_ids[tile]}.{self.pack.patch_letters[tile][patch]}"

    @cached_property
    def regions(self) -> list[str]:
        """All Regions by number."""
        firsts = zip(self.board.first_tile, self.board.first_patch, strict=True)
        return [
            self.patch(int(tile), int(patch)) for tile, patch in list(firsts)[: int(self.board.n_regions)]
        ]

    @cached_property
    def _region_of_patch(self) -> dict[str, int]:
        found = {}
        for tile in range(len(self.pack.tile_ids)):
            for patch in range(len(self.pack.patch_letters[tile])):
                if int(self.board.region_of[tile, patch]) != NONE:
                    found[self.patch(tile, patch)] = int(self.board.region_of[tile, patch])
        return found

    def region(self, word: str) -> int:
        """The Region that holds a patch."""
        if word not in self._region_of_patch:
            tile = word.rpartition(".")[0]
            where = (
                f"tile '{tile}' has no such patch" if self._in_play(tile) else f"no tile '{tile}' is in play"
            )
            raise UsageError(f"'{word}' is no Region: {where}")
        return self._region_of_patch[word]

    def _in_play(self, tile: str) -> bool:
        return any(name.rpartition(".")[0] == tile for name in self._region_of_patch)

    @cached_property
    def outposts(self) -> list[str]:
        """All Outposts by number, colour and Region; their order in the game comes first."""
        colours, regions = self.board.outpost_colour, self.board.outpost_region
        return [
            f"{number + 1} {COLOURS[int(colours[number])]} {self.regions[int(regions[number])]}"
            for number in range(self.n_outposts)
        ]

    @property
    def n_outposts(self) -> int:
        """How many Outposts the board has."""
        return int(self.board.n_outposts)

    # --- cards, seats ------------------------------------------------------------------------------
    def card(self, word: str) -> int:
        """The card of that id."""
        if word not in self.pack.card_ids:
            near = did_you_mean(word, self.pack.card_ids)
            raise UsageError(f"'{word}' is no card of pack '{self.pack.name}'{near}")
        return int(self.pack.card_ids.index(word))

    def card_name(self, card: int) -> str:
        """A card's id."""
        return str(self.pack.card_ids[card])

    def seat(self, word: str) -> int:
        """The seat where a faction sits."""
        faction = number_of(word, FACTIONS, "faction")
        seat = int(self.public.seat_of[faction])
        if seat == NONE:
            raise UsageError(f"'{word}' doesn't play in this game")
        return seat

    def seat_name(self, seat: int) -> str:
        """The faction that sits there."""
        return FACTIONS[int(self.public.faction[seat])]

    @property
    def asked(self) -> int:
        """The seat whose choice is asked: that of the frame on top of the agenda."""
        return int(self.public.frame[int(self.public.n_frames) - 1, 1])

    @property
    def drone_at(self) -> str:
        """The Region of the Drone that is being used (the frame on top says which)."""
        drone = int(self.public.frame[int(self.public.n_frames) - 1, 2])
        return self.regions[int(self.public.drone[drone])]

    @property
    def has_odd_unit(self) -> bool:
        """Whether the seat that deploys has an odd Scrapper, and more than one Region for it."""
        seat = self.asked
        units = 1 + int(self.rules.starting_scrappers[seat]) + int(self.rules.grant_scrappers[seat])
        return units > 1 and units % 2 == 1 and int(self.board.n_refuge_regions) > 1

    # --- constructions: a Refuge stands in a Region, the others on a site -------------------------------
    def ends(self, construction: int, at: int) -> list[str]:
        """The Regions where a construction stands: Refuge; Ground, Roof; Roof, Roof, Ground under it."""
        board = self.board
        if construction == REFUGE:
            return [self.regions[at]]
        fields = [board.elevator_ground, board.elevator_roof]
        if construction == BRIDGE:
            fields = [board.bridge_a, board.bridge_b, board.bridge_ground]
        return [self.regions[int(field[at])] for field in fields]

    def site(self, construction: int, ends: Sequence[int]) -> int:
        """The place of a construction by its Regions as `ends` gives them; a Bridge's Roofs in any order."""
        if construction == REFUGE:
            return ends[0]
        if construction == ELEVATOR:
            return self._elevator_site(*ends)
        return self._bridge_site(*ends)

    def _elevator_site(self, ground: int, roof: int) -> int:
        board = self.board
        for site in range(int(board.n_elevator_sites)):
            if int(board.elevator_ground[site]) == ground and int(board.elevator_roof[site]) == roof:
                return site
        raise NotThere(f"no Elevator can stand from {self.regions[ground]} to {self.regions[roof]}")

    def _bridge_site(self, one: int, other: int, ground: int) -> int:
        board = self.board
        for site in range(int(board.n_bridge_sites)):
            ends = {int(board.bridge_a[site]), int(board.bridge_b[site])}
            if ends == {one, other} and int(board.bridge_ground[site]) == ground:
                return site
        names = self.regions
        raise NotThere(f"no Bridge can run from {names[one]} to {names[other]} over {names[ground]}")

    def standing(self, seat: int, construction: int, at: int) -> int:
        """The number of the token of a seat that stands at a place (the lowest, of equal ones)."""
        tokens = [int(place) for place in self.public.built[seat, construction]]
        if at not in tokens:
            where = " ".join(self.ends(construction, at))
            raise NotThere(f"no {CONSTRUCTIONS[construction]} of {self.seat_name(seat)} stands at {where}")
        return tokens.index(at)


JOINTS = {REFUGE: ("at",), ELEVATOR: ("from", "to"), BRIDGE: ("from", "to", "over")}  # words before each end
