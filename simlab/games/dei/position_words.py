"""A position for people: what lies where, a line a thing, as list, replay and prompt print it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from simlab.games.dei.icons import icon_name
from simlab.games.dei.names import Names
from simlab.games.dei.state import Position
from simlab.games.dei.text import group_words, place_words
from simlab.games.dei.vocabulary import (
    ASKS,
    BIN,
    CANDIES,
    COLOURS,
    CONSTRUCTIONS,
    DRONES,
    ENDINGS,
    FACE_DOWN,
    FEATS,
    HAND,
    MARKETS,
    N_CONSTRUCTIONS,
    N_DRONES,
    N_FEATS,
    NONE,
    PLAYING,
    RESOURCES,
)


def position_words(position: Position, pack: Any, seen_by: int | None = None) -> str:
    """The whole position: the Turn, the Regions that hold something, the Pads, markets and Missions.

    With `seen_by` only that seat's face-down Feats and kinds of Candy Boosts are told (CORE-016).
    """
    names = Names(position, pack)
    lines = [_turn_line(names), *_region_lines(names)]
    for seat in range(int(names.public.n_seats)):
        lines += _pad_lines(names, position, seat, seen_by in (None, seat))
    return "\n".join([*lines, *_market_lines(names), *_mission_lines(names)])


def _turn_line(names: Names) -> str:
    public = names.public
    order = ", ".join(names.seat_name(int(seat)) for seat in public.priority[: int(public.n_seats)])
    words = f"Turn {int(public.turn)}, phase {int(public.phase)}; Priority: {order}"
    if int(public.ending) != PLAYING:
        return f"{words}; {ENDINGS[int(public.ending)]}"
    if not int(public.n_frames):
        return words
    ask, seat = (int(field) for field in public.frame[int(public.n_frames) - 1][:2])
    words += f"; {names.seat_name(seat)} to {ASKS[ask]}"
    icons = [icon_name(int(code)) for code in public.bag[: int(public.n_bag)]]
    words += f" of {' '.join(icons)}" if icons else ""
    extra = int(public.extra_moves)
    return words + (f", {extra} extra Move{'s' if extra > 1 else ''} left" if extra else "")


def _region_lines(names: Names) -> list[str]:
    lines = []
    for region, name in enumerate(names.regions):
        things = [*_units(names, region), *_things(names, region)]
        if things:
            lines.append(f"{name}: {', '.join(things)}")
    return lines


def _units(names: Names, region: int) -> Iterable[str]:
    public = names.public
    for seat in range(int(public.n_seats)):
        scrappers, leader = int(public.scrappers[seat, region]), int(public.leader[seat]) == region
        value = int(public.value[region, seat])
        if not (scrappers or leader or value):
            continue
        holds = " Majority" if int(public.holder[region]) == seat else ""
        group = group_words(scrappers, int(leader), 0) or "none"
        yield f"{names.seat_name(seat)} {group} (value {value}{holds})"


def _things(names: Names, region: int) -> Iterable[str]:
    public, board = names.public, names.board
    count = int(public.resources[region])
    if count:
        yield f"{count} {RESOURCES[int(board.level[region])]}"
    for number in range(names.n_outposts):
        if int(board.outpost_region[number]) == region:
            holder = int(public.cube[number])
            tail = "" if holder == NONE else f" held by {names.seat_name(holder)}"
            yield f"{COLOURS[int(board.outpost_colour[number])]} Outpost{tail}"
    for drone in range(N_DRONES):
        if int(public.drone[drone]) == region:
            yield f"Drone {DRONES[drone]}"
    if int(board.neutral_refuges[region]):
        yield "Neutral Refuge"
    if int(board.neutral_elevator[region]):
        yield "Neutral Elevator"


def _pad_lines(names: Names, position: Position, seat: int, known: bool) -> list[str]:
    public = names.public
    supplies, technology, energy = (int(public[key][seat]) for key in ("supplies", "technology", "energy"))
    head = f"{names.seat_name(seat)}: {supplies} Supplies, {technology} Technology, {energy} Energy"
    head += f", {int(public.reserve[seat])} Scrappers in reserve"
    lines = [head]
    built = [
        f"{CONSTRUCTIONS[kind]} {place_words(names, kind, int(place))}"
        for kind in range(N_CONSTRUCTIONS)
        for place in public.built[seat, kind]
        if int(place) != NONE
    ]
    cubes = [f"{int(n)} {colour}" for colour, n in zip(COLOURS, public.cubes[seat], strict=True) if int(n)]
    own, unlocked = position.own[seat], int(public.unlocked[seat])
    candy = [f"{int(public.candy[seat])}"] if int(public.candy[seat]) else []
    if known:
        candy = [f"{int(n)} {kind}" for kind, n in zip(CANDIES, own.candy, strict=True) if int(n)]
    for title, things in (
        ("built", built),
        ("cubes", cubes),
        ("Feats unlocked", _feats(unlocked)),
        ("Feats face down", _feats(int(own.feats) & ~unlocked) if known else []),
        ("Candy Boosts", candy),
        ("hand", _cards(names, seat, HAND)),
        ("played", [_play(names, seat, play) for play in range(int(public.n_plays[seat]))]),
        ("Recycle Bin", _cards(names, seat, BIN)),
    ):
        if things:
            lines.append(f"  {title}: {', '.join(things)}")
    return lines


def _feats(bits: int) -> list[str]:
    return [FEATS[feat] for feat in range(N_FEATS) if bits >> feat & 1]


def _cards(names: Names, seat: int, place: int) -> list[str]:
    public = names.public
    return [
        name
        for card, name in enumerate(names.pack.card_ids)
        if int(public.card_owner[card]) == seat and int(public.card_place[card]) == place
    ]


def _play(names: Names, seat: int, play: int) -> str:
    public = names.public
    card, candy = int(public.play[seat, play]), int(public.play_candy[seat, play])
    down = " face down" if int(public.card_place[card]) == FACE_DOWN else ""
    tail = f" with candy {CANDIES[candy]}" if candy != NONE else ""
    return f"{names.card_name(card)}{down}{tail}"


def _market_lines(names: Names) -> list[str]:
    public = names.public
    lines = []
    for market, word in enumerate(MARKETS):
        slots = [names.card_name(int(card)) if int(card) != NONE else "–" for card in public.market[market]]
        lines.append(f"{word} market: {' | '.join(slots)} ({int(public.deck_left[market])} in the deck)")
    return lines


def _mission_lines(names: Names) -> list[str]:
    public = names.public
    lines = []
    for column, row in enumerate(public.mission):
        missions = [names.pack.mission_ids[int(mission)] for mission in row if int(mission) != NONE]
        if missions:
            used = [
                names.seat_name(s) for s in range(int(public.n_seats)) if int(public.token[s, column]) != NONE
            ]
            tail = f" (tokens: {', '.join(used)})" if used else ""
            lines.append(f"Missions of column {column + 1}: {' | '.join(missions)}{tail}")
    return lines
