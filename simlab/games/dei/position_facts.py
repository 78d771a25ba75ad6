"""A position as plain data: lists, texts and numbers, by seat, Region, Outpost and market.

`fixed_facts` has what holds throughout a game, `position_facts` what a choice may change. Seats, Regions
and Outposts are numbers (what isn't there is None), all else goes by its name. The words of
`position_words.py` are for reading; these are for drawing and for telling what has changed.
"""

from __future__ import annotations

from typing import Any

from simlab.games.dei.names import Names
from simlab.games.dei.regions import patch_of_space
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import (
    ASKS,
    BIN,
    CANDIES,
    COLOURS,
    CONSTRUCTIONS,
    DRONES,
    ENDINGS,
    FACE_DOWN,
    FACTION_TITLES,
    FACTIONS,
    FEATS,
    HAND,
    LEADERS,
    LEVELS,
    MARKETS,
    N_FEATS,
    NONE,
    SOURCES,
)

Facts = dict[str, Any]


# --- throughout the game ------------------------------------------------------------------------------


def fixed_facts(position: Position, pack: Any) -> Facts:
    """Who sits where, the board and what is printed on it, the Missions dealt."""
    names = Names(position, pack)
    board, public = names.board, names.public
    seats = [int(faction) for faction in public.faction[: int(public.n_seats)]]
    n_outposts = names.n_outposts
    bridges = [patches for patches in _neutral_bridges(names) if NONE not in patches]
    return {
        "seats": [
            {"faction": FACTIONS[faction], "title": FACTION_TITLES[faction], "leader": LEADERS[faction]}
            for faction in seats
        ],
        "turns": int(names.rules.turns),
        "tile_size": int(pack.table[0].tile_size),
        "spaces": spaces(names),
        "regions": [
            {
                "name": name,
                "level": LEVELS[int(board.level[region])],
                "refuges": int(board.neutral_refuges[region]),
                "elevator": bool(board.neutral_elevator[region]),
                "bridge": any(region in pair for pair in bridges),
            }
            for region, name in enumerate(names.regions)
        ],
        "outposts": [
            {"colour": COLOURS[colour], "region": region}
            for colour, region in zip(
                board.outpost_colour[:n_outposts].tolist(),
                board.outpost_region[:n_outposts].tolist(),
                strict=True,
            )
        ],
        "missions": [
            [pack.mission_ids[mission] for mission in column if mission != NONE]
            for column in public.mission.tolist()[: int(names.rules.turns)]
        ],
    }


def spaces(names: Names) -> list[list[int]]:
    """(row, column) of the whole board → the Region there."""
    from simlab.jit import plain  # here: whatever imports it by itself counts as the engine's source

    here, board, table = plain(patch_of_space), names.board, names.pack.table[0]
    size, columns = int(table.tile_size), int(board.columns)
    grid = [[NONE] * columns * size for _ in range(int(board.rows) * size)]
    for place in range(int(board.rows) * columns):
        tile, turned = int(board.tile_at[place]), int(board.rotation[place])
        for row in range(size):
            for column in range(size):
                patch = int(here(table, tile, turned, row, column))
                at = place // columns * size + row, place % columns * size + column
                grid[at[0]][at[1]] = int(board.region_of[tile, patch])
    return grid


def _neutral_bridges(names: Names) -> list[list[int]]:
    """CORE-007: the two Roofs of each Neutral Bridge."""
    board, table = names.board, names.pack.table[0]
    found = []
    for place in range(int(board.rows) * int(board.columns)):
        tile = int(board.tile_at[place])
        patches = [int(patch) for patch in table.bridge_patches[tile]]
        found.append([int(board.region_of[tile, patch]) if patch != NONE else NONE for patch in patches])
    return found


# --- one position ----------------------------------------------------------------------------------------


def position_facts(position: Position, pack: Any) -> Facts:
    """All that can change, hidden things included."""
    names = Names(position, pack)
    public = names.public
    seats, regions = range(int(public.n_seats)), len(names.regions)
    frame = public.frame.tolist()[int(public.n_frames) - 1] if public.n_frames else None
    return {
        "turn": int(public.turn),
        "phase": int(public.phase),
        "ending": ENDINGS[int(public.ending)],
        "asked": None if frame is None else {"seat": frame[1], "what": ASKS[frame[0]]},
        "priority": public.priority.tolist()[: len(seats)],
        "places": position.log[0].place.tolist()[: len(seats)],
        "scrappers": [public.scrappers[seat].tolist()[:regions] for seat in seats],
        "leader": [_number(place) for place in public.leader.tolist()[: len(seats)]],
        "value": [row[: len(seats)] for row in public.value.tolist()[:regions]],
        "holder": [_number(holder) for holder in public.holder.tolist()[:regions]],
        "resources": public.resources.tolist()[:regions],
        "drones": {
            name: int(region)
            for name, region in zip(DRONES, public.drone.tolist(), strict=True)
            if region != NONE
        },
        "cubes": [_number(holder) for holder in public.cube.tolist()[: names.n_outposts]],
        "built": [_built(names, seat) for seat in seats],
        "pads": [_pad(names, position, seat) for seat in seats],
        "markets": {
            market: {"slots": [_card(names, card) for card in slots], "deck": left}
            for market, slots, left in zip(
                MARKETS, public.market.tolist(), public.deck_left.tolist(), strict=True
            )
        },
        "tokens": [
            [_number(row) for row in tokens[: int(names.rules.turns)]]
            for tokens in public.token.tolist()[: len(seats)]
        ],
    }


def _number(value: int) -> int | None:
    return None if value == NONE else value


def _card(names: Names, card: int) -> str | None:
    return None if card == NONE else names.card_name(card)


def _built(names: Names, seat: int) -> list[Facts]:
    """What stands of a seat, and the Regions where: of a Bridge its two Roofs and the Ground under it."""
    return [
        {"kind": CONSTRUCTIONS[kind], "regions": [names.region(end) for end in names.ends(kind, place)]}
        for kind, places in enumerate(names.public.built[seat].tolist())
        for place in places
        if place != NONE
    ]


def _pad(names: Names, position: Position, seat: int) -> Facts:
    public, own, log = names.public, position.own[seat], position.log[0]
    unlocked, dealt = int(public.unlocked[seat]), int(own.feats)
    return {
        "supplies": int(public.supplies[seat]),
        "supplies_from": dict(zip(SOURCES, log.supplies_from[seat].tolist(), strict=True)),
        "technology": int(public.technology[seat]),
        "energy": int(public.energy[seat]),
        "reserve": int(public.reserve[seat]),
        "candy": {kind: n for kind, n in zip(CANDIES, own.candy.tolist(), strict=True) if n},
        "feats": _feats(unlocked),
        "feats_face_down": _feats(dealt & ~unlocked),
        "hand": _cards(names, seat, HAND),
        "plays": [_play(names, seat, play) for play in range(int(public.n_plays[seat]))],
        "bin": _cards(names, seat, BIN),
    }


def _feats(bits: int) -> list[str]:
    return [FEATS[feat] for feat in range(N_FEATS) if bits >> feat & 1]


def _cards(names: Names, seat: int, place: int) -> list[str]:
    public = names.public
    found = zip(names.pack.card_ids, public.card_owner.tolist(), public.card_place.tolist(), strict=False)
    return [name for name, owner, where in found if owner == seat and where == place]


def _play(names: Names, seat: int, play: int) -> Facts:
    public = names.public
    card, candy = int(public.play[seat, play]), int(public.play_candy[seat, play])
    return {
        "card": names.card_name(card),
        "face_down": int(public.card_place[card]) == FACE_DOWN,
        "candy": None if candy == NONE else CANDIES[candy],
    }
