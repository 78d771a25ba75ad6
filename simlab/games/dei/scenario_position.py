"""A position set up by hand: `[position]` of a scenario file. What isn't given is empty or at its default."""

from __future__ import annotations

from typing import Any

from simlab.errors import ScenarioError
from simlab.games.dei.facts import HIDDEN_FIELDS, OWN_FIELDS, PUBLIC_FIELDS, built_number
from simlab.games.dei.names import Names, number_of
from simlab.games.dei.scenario_keys import Keys, at, numbers, ranged, texts, typed
from simlab.games.dei.scenario_pads import blank_cards, fill_markets, fill_pads
from simlab.games.dei.scenario_table import Table
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import (
    COLOURS,
    DRONES,
    FEATS,
    MAX_OUTPOSTS,
    MISSION_KINDS,
    NONE,
)

MAX_RESOURCES = 100  # in one Region
MAX_EXTRA_MOVES = 20
N_PHASES = 3
N_ROWS = 2  # of Missions

USED = {
    "buy": "bought",
    "delivery_bot": "bot_used",
    "alternative_energy": "swap_used",
    "abraham": "seeker_used",
    "sky_boots": "boots_used",
    "field_engineer": "engineer_used",
}
USED_WHAT = "use that comes once a phase"


def blank_position(table: Table) -> Position:
    """An empty board in Turn 1, phase 1: every Unit and token in its reserve."""
    position = Position(table.rules, table.pack.table, table.board)
    for record, fields in ((position.public, PUBLIC_FIELDS), (position.own, OWN_FIELDS)):
        for field in fields:
            record[field.name] = field.kind.default
    for field in HIDDEN_FIELDS:
        position.hidden[field.name] = field.kind.default
    public = position.public[0]
    n_seats = len(table.players)
    public.n_seats = n_seats
    public.turn = public.phase = 1
    for seat, faction in enumerate(table.players):
        public.faction[seat] = faction
        public.seat_of[faction] = seat
        public.priority[seat] = seat
        public.reserve[seat] = table.rules[0].scrappers
    public.cards_left = table.rules[0].cards_per_phase
    blank_cards(position, table.pack)
    return position


def fill_position(position: Position, table: Table, written: dict[str, Any], dealt: bool) -> int:
    """Set the facts of `[position]`; returns the seat whose phase it is.

    With `dealt` the position is one of a real setup, and only what is written changes.
    """
    keys = Keys(written, "position")
    names = Names(position, table.pack)
    _fill_board(keys, names)
    _fill_constructions(keys, names, table.rules[0])
    _fill_feats(keys, names, position)
    fill_pads(keys, names, position, dealt)
    fill_markets(keys, names, position)
    _fill_missions(keys, names)
    seat = _fill_turn(keys, names)
    keys.done()
    return seat


def _fill_board(keys: Keys, names: Names) -> None:
    public = names.public
    if keys.has("outposts"):
        _fill_outposts(keys, names)
    for word, regions, where in keys.rows("scrappers"):
        with at(where):
            seat = names.seat(word)
            for name, number in typed(regions, dict, where).items():
                region = names.region(name)
                there = ranged(number, 0, int(names.rules.scrappers), f"{where}.{name}")
                if there > int(public.reserve[seat]):
                    raise ScenarioError(f"{where}: more Scrappers than the faction has")
                public.scrappers[seat, region] += there
                public.reserve[seat] -= there
    for word, name, where in keys.rows("leader"):
        with at(where):
            public.leader[names.seat(word)] = names.region(typed(name, str, where))
    named: dict[int, str] = {}
    for name, number, where in keys.rows("resources"):
        with at(where):
            region = names.region(name)
        if region in named:
            raise ScenarioError(f"{where}: this Region is named already, as {named[region]}")
        named[region] = name
        public.resources[region] = ranged(number, 0, MAX_RESOURCES, where)
    for word, name, where in keys.rows("drones"):
        with at(where):
            public.drone[number_of(word, DRONES, "Drone")] = names.region(typed(name, str, where))


def _fill_outposts(keys: Keys, names: Names) -> None:
    """The Outposts of the board in their order: tile reading order, then patch, then letter (the colour)."""
    board = names.board
    found = []
    for name, colours, where in keys.rows("outposts"):
        with at(where):
            region = names.region(name)
            tile, _, patch = name.rpartition(".")
            place = [int(it) for it in board.tile_at].index(names.pack.tile_ids.index(tile))
            for colour in texts(colours, where):
                found.append((place, patch, number_of(colour, COLOURS, "Outpost colour"), region))
    if len(found) > MAX_OUTPOSTS:
        raise ScenarioError(f"position.outposts: more than {MAX_OUTPOSTS} Outposts")
    board.n_outposts = len(found)
    for outpost, (*_, kind, region) in enumerate(sorted(found)):
        board.outpost_region[outpost] = region
        board.outpost_colour[outpost] = board.outpost_letter[outpost] = kind


def _fill_constructions(keys: Keys, names: Names, rules: Any) -> None:
    public = names.public
    for word, built, where in keys.rows("built"):
        with at(where):
            seat = names.seat(word)
            for text in texts(built, where):
                construction, stands = built_number(names, text)
                there = int(rules[("refuges", "elevators", "bridges")[construction]])
                tokens = [int(token) for token in public.built[seat, construction]][:there]
                if NONE not in tokens:
                    raise ScenarioError(f"{where}: more constructions than there are tokens")
                public.built[seat, construction, tokens.index(NONE)] = stands


def _fill_feats(keys: Keys, names: Names, position: Position) -> None:
    for word, feats, where in keys.rows("feats"):
        inside = Keys(feats, where)
        with at(where):
            seat = names.seat(word)
            unlocked = _feat_bits(texts(inside.take("unlocked", list, []), f"{where}.unlocked"))
            held = _feat_bits(texts(inside.take("held", list, []), f"{where}.held"))
        names.public.unlocked[seat] = unlocked
        position.own[seat].feats = unlocked | held
        inside.done()


def _feat_bits(feats: list[str]) -> int:
    return sum(1 << number_of(feat, FEATS, "Feat") for feat in feats)


def _fill_missions(keys: Keys, names: Names) -> None:
    public, pack = names.public, names.pack
    laid: list[int] = []
    columns = int(names.rules.turns)
    written = keys.take("missions", list, [])
    if len(written) > columns:
        raise ScenarioError(f"position.missions: a game of {columns} Turns has {columns} columns")
    for column, rows in enumerate(written):
        where = f"position.missions[{column + 1}]"
        if len(typed(rows, list, where)) > N_ROWS:
            raise ScenarioError(f"{where}: a column has {N_ROWS} rows")
        for row, word in enumerate(texts(rows, where)):
            mission = _mission(pack, word, laid, where)
            laid.append(mission)
            public.mission[column, row] = mission
    for word, tokens, where in keys.rows("tokens"):
        with at(where):
            seat = names.seat(word)
        for column in numbers(tokens, 1, columns, where):
            public.token[seat, column - 1] = 0


def _mission(pack: Any, word: str, laid: list[int], where: str) -> int:
    """A Mission card by id, or by kind: the first card of it that doesn't lie there yet."""
    if word in pack.mission_ids:
        return int(pack.mission_ids.index(word))
    with at(where):
        kind = number_of(word, MISSION_KINDS, "kind of Mission")
    for mission in range(len(pack.mission_ids)):
        if int(pack.table[0].mission_kind[mission]) == kind and mission not in laid:
            return mission
    raise ScenarioError(f"{where}: the pack has no further Mission '{word}'")


def _fill_turn(keys: Keys, names: Names) -> int:
    public = names.public
    public.turn = keys.number("turn", 1, int(names.rules.turns), int(public.turn))
    public.phase = keys.number("phase", 1, N_PHASES, int(public.phase))
    cards = int(names.rules.cards_per_phase)
    public.cards_left = keys.number("cards_left", 1, cards, int(public.cards_left))
    public.extra_moves = keys.number("extra_moves", 0, MAX_EXTRA_MOVES, int(public.extra_moves))
    for word in texts(keys.take("used", list, []), "position.used"):
        with at("position.used"):
            number_of(word, tuple(USED), USED_WHAT)
        public[USED[word]] = 1
    order = texts(keys.take("priority", list, []), "position.priority")
    with at("position.priority"):
        seats = [names.seat(word) for word in order]
        if seats and sorted(seats) != list(range(int(public.n_seats))):
            raise ScenarioError("position.priority: each faction of the game is named once")
        for place, seat in enumerate(seats):
            public.priority[place] = seat
    active = keys.take("active", str, "")
    with at("position.active"):
        seat = names.seat(active) if active else int(public.priority[int(public.place)])
    public.place = [int(it) for it in public.priority].index(seat)
    return seat
