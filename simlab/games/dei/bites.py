"""In which games an arm could make a difference: told from what was in play in the same games of the base.

What an arm changes is found by comparing settings and tables, so nothing depends on how it was written. A
card bites where somebody saw it: on a market, or in the hand of its faction. A rule about a Feat bites where
the Feat was dealt, one about a Drone or Leader where its faction plays, what a seat is given where somebody
sits there, a Mission's values where it lay on the board, a Leader's where its faction plays. All else bites
everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simlab.game import Settings
from simlab.games.dei.effects import DRONE_OF, FEAT_OF, LEADER_OF
from simlab.games.dei.settings import resolve_rules
from simlab.games.dei.vocabulary import DRONES, FEATS, LEADERS, MAX_SEATS, NONE

Rows = np.ndarray[Any, Any]

CARD_FIELDS = ("icon", "n_icons", "card_technology", "card_energy", "card_supplies")
MISSION_FIELDS = ("mission_kind", "on_time_gain", "on_time_per", "late_gain", "late_per")


def may_bite(base: Settings, arm: Settings, schedule: Any, logs: Any) -> Rows:
    """Whether the arm could make a difference, bool (games,): `schedule` and `logs` are the base's."""
    schedule, logs = np.asarray(schedule), np.asarray(logs)  # plain arrays: fields are read by name
    found = np.zeros(len(schedule), bool)
    if dict(base.options) != dict(arm.options):
        return ~found
    for mask in (
        *_rules(base, arm, schedule, logs),
        *_handicaps(base, arm, schedule, logs),
        *_components(base, arm, schedule, logs),
    ):
        found |= mask
    return found


def _everywhere(schedule: Rows) -> Rows:
    return np.ones(len(schedule), bool)


def _plays(schedule: Rows, faction: int) -> Rows:
    return np.asarray((schedule["faction"] == faction).any(1))


def _dealt(logs: Rows, feat: str) -> Rows:
    return np.asarray((logs["feats_dealt"] >> FEATS.index(feat) & 1).any(1))


def _seen(logs: Rows, card: int) -> Rows:
    return np.asarray(logs["revealed_turn"][:, card] != NONE)


def _rules(base: Settings, arm: Settings, schedule: Rows, logs: Rows) -> Iterator[Rows]:
    old, new = resolve_rules(base.rules), resolve_rules(arm.rules)
    drafted = any(
        rules["feats_draft"] for rules in (old, new)
    )  # who drafts looks at Feats before any is dealt
    for name in old:
        if old[name] == new[name]:
            continue
        if name in FEAT_OF and not drafted:
            yield _dealt(logs, FEAT_OF[name])
        elif name in DRONE_OF:
            yield _plays(schedule, DRONES.index(DRONE_OF[name]))
        elif name in LEADER_OF:
            yield _plays(schedule, LEADERS.index(LEADER_OF[name]))
        elif isinstance(old[name], list) and len(old[name]) == MAX_SEATS:
            yield _sits(schedule, [a != b for a, b in zip(old[name], new[name], strict=True)])
        else:
            yield _everywhere(schedule)


def _sits(schedule: Rows, seats: list[bool]) -> Rows:
    """Where somebody sits on the first of the seats for which something changes."""
    return np.asarray(schedule["players"] > seats.index(True))


def _handicaps(base: Settings, arm: Settings, schedule: Rows, logs: Rows) -> Iterator[Rows]:
    for name in sorted({*base.handicaps, *arm.handicaps}):
        old, new = (_by_seat(each.handicaps, name) for each in (base, arm))
        if old == new:
            continue
        changed = _sits(schedule, [a != b for a, b in zip(old, new, strict=True)])
        if name == "banned_cards":
            ids = list(base.pack.card_ids)
            cards = {ids.index(card) for a, b in zip(old, new, strict=True) for card in {*a} ^ {*b}}
            seen = [_seen(logs, card) for card in sorted(cards)]
            changed = changed & np.stack(seen).any(0)
        elif name == "banned_drones":
            drones = {DRONES.index(drone) for a, b in zip(old, new, strict=True) for drone in {*a} ^ {*b}}
            plays = [_plays(schedule, drone) for drone in sorted(drones)]
            changed = changed & np.stack(plays).any(0)
        yield changed


def _by_seat(handicaps: Any, name: str) -> list[Any]:
    given = [value or [] for value in handicaps.get(name, [])]
    return given + [[]] * (MAX_SEATS - len(given))


def _components(base: Settings, arm: Settings, schedule: Rows, logs: Rows) -> Iterator[Rows]:
    leaders = (each.pack.leader_values for each in (base, arm))
    for faction, (before, after) in enumerate(zip(*leaders, strict=True)):
        if before != after:
            yield _plays(schedule, faction)
    old, new = base.pack.table[0], arm.pack.table[0]
    for field in old.dtype.names:
        a, b = np.asarray(old[field]), np.asarray(new[field])
        if (a == b).all():
            continue
        if field not in CARD_FIELDS + MISSION_FIELDS:
            yield _everywhere(schedule)
            continue
        rows = np.flatnonzero((a != b).reshape(len(a), -1).any(1)).tolist()
        for row in rows:
            yield _card_in_play(old, row, schedule, logs) if field in CARD_FIELDS else _lies(logs, row)


def _card_in_play(pack: Any, card: int, schedule: Rows, logs: Rows) -> Rows:
    faction = int(pack["card_faction"][card])
    return _seen(logs, card) if faction == NONE else _plays(schedule, faction)


def _lies(logs: Rows, mission: int) -> Rows:
    return np.asarray((logs["mission"] == mission).any((1, 2)))
