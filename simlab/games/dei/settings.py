"""From the words of an experiment file to the record that the engine reads, with every check on the way.

`resolve_settings` gives the canonical form: only what differs from the defaults, lists by seat exactly as
long as the largest table, handicaps as lists by seat. Two files that mean the same play give the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simlab.errors import ExperimentError
from simlab.game import Settings
from simlab.games.dei.effects import InPlay, check_effects
from simlab.games.dei.rules import BY_NAME, HANDICAP_SETS, HANDICAPS, RULES, RULES_RECORD, Handicap, Rule
from simlab.games.dei.state import records
from simlab.games.dei.vocabulary import CANDIES, DRONES, FEATS, MAX_SEATS, NONE
from simlab.wording import did_you_mean, kind_of, shown

if TYPE_CHECKING:
    import numpy as np

_BY_HANDICAP = {handicap.name: handicap for handicap in HANDICAPS}
_SETS = {  # what a handicap names, and all the names that there are; the others name cards of the pack
    "void_feats": ("Feat", FEATS),
    "banned_drones": ("Drone", DRONES),
    "banned_candy": ("Candy Boost", CANDIES),
}
HANDICAP_NAMES = (*_BY_HANDICAP, *HANDICAP_SETS)


def resolve_rules(rules: Mapping[str, Any]) -> dict[str, Any]:
    """All rules with their values, the defaults filled in; raises ExperimentError (key, reason).

    A list by seat may be shorter than the record: the seats after it keep their defaults.
    """
    for name in rules:
        if name not in BY_NAME:
            known = did_you_mean(name, BY_NAME) or "; simlab list rules names them all"
            raise ExperimentError(f"[rules] has no key {shown(name)}{known}")
    return {rule.name: _rule_value(rule, rules.get(rule.name, rule.default)) for rule in RULES}


def _rule_value(rule: Rule, value: Any) -> Any:
    key = f"[rules] {rule.name}"
    if not rule.length:
        return _checked(key, value, rule.is_switch, rule.low, rule.high)
    assert isinstance(rule.default, list)
    if not isinstance(value, list):
        raise ExperimentError(f"{key} must be a list of whole numbers, not {shown(value)}")
    least = 1 if _by_seat(rule) else rule.length
    if not least <= len(value) <= rule.length:
        span = f"{least} to {rule.length}" if least < rule.length else rule.length
        raise ExperimentError(f"{key} must hold {span} numbers, not {len(value)}")
    items = [_checked(f"{key}[{i}]", item, False, rule.low, rule.high) for i, item in enumerate(value)]
    return items + rule.default[len(items) :]


def _by_seat(rule: Rule) -> bool:
    return rule.length == MAX_SEATS


def _checked(key: str, value: Any, switch: bool, low: int, high: int) -> Any:
    """The value if it is a switch or a number in range; never one for the other."""
    if switch:
        if not isinstance(value, bool):
            raise ExperimentError(f"{key} must be true or false, not {shown(value)}")
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        raise ExperimentError(
            f"{key} must be a whole number from {low} to {high}, not {kind_of(value)} ({shown(value)})"
        )
    if not low <= value <= high:
        raise ExperimentError(f"{key} must be a whole number from {low} to {high}, not {shown(value)}")
    return value


def resolve_handicaps(
    handicaps: Mapping[str, Any], pack: Any, seats: int = MAX_SEATS
) -> dict[str, list[Any]]:
    """Handicaps as one list by seat a name, `seats` long; raises ExperimentError (key, reason).

    Written as a list by seat (seats left out at its end have none) or as a table `{ 0 = …, 2 = … }`.
    """
    resolved: dict[str, list[Any]] = {}
    for name, written in handicaps.items():
        if name not in HANDICAP_NAMES:
            near = did_you_mean(name, HANDICAP_NAMES)
            raise ExperimentError(f"[handicaps] has no key {shown(name)}{near}")
        key = f"[handicaps] {name}"
        by_seat = _seats_of(key, written, seats)
        if name in HANDICAP_SETS:
            what, known = _SETS.get(name, ("card", pack.card_ids))
            values = [_names(f"{key} of seat {s}", by_seat.get(s, []), what, known) for s in range(seats)]
        else:
            values = [_amount(key, _BY_HANDICAP[name], s, by_seat) for s in range(seats)]
        resolved[name] = values
    return resolved


def _seats_of(key: str, written: Any, seats: int) -> dict[int, Any]:
    if isinstance(written, list):
        if len(written) > seats:
            raise ExperimentError(f"{key} names {len(written)} seats, the largest table has {seats}")
        by_seat: dict[int, Any] = dict(enumerate(written))
    elif isinstance(written, dict):
        by_seat = {_seat(key, word, seats): value for word, value in written.items()}
    else:
        raise ExperimentError(f"{key} must be a list by seat or a table of seats, not {shown(written)}")
    if not by_seat:
        raise ExperimentError(f"{key} names no seat, so it has no effect")
    return by_seat


def _seat(key: str, word: str, seats: int) -> int:
    if word not in map(str, range(seats)):  # as a text: "01" would stand for another seat's key
        raise ExperimentError(f"{key} has no seat {shown(word)}; seats are 0 to {seats - 1}")
    return int(word)


def _amount(key: str, handicap: Handicap, seat: int, by_seat: Mapping[int, Any]) -> Any:
    switch = handicap.high == 1
    value = by_seat.get(seat, False if switch else 0)
    return _checked(f"{key} of seat {seat}", value, switch, handicap.low, handicap.high)


def _names(key: str, names: Any, what: str, known: Sequence[str]) -> list[str]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ExperimentError(f"{key} must be a list of names, not {shown(names)}")
    for name in names:
        if name not in known:
            near = did_you_mean(name, known) or f"; ids read such as {shown(known[len(known) // 2])}"
            raise ExperimentError(f"{key}: there is no {what} {shown(name)}{near}")
        if names.count(name) > 1:
            raise ExperimentError(f"{key} names {shown(name)} twice")
    return sorted(names, key=list(known).index)


def resolve_settings(settings: Settings, players: tuple[int, ...], factions: tuple[str, ...]) -> Settings:
    """The settings in canonical form for tables of `players` out of `factions`.

    Raises ExperimentError (key, reason), also for what can have no effect there.
    """
    seats = max(players)
    for rule in filter(_by_seat, RULES):
        _whole_table(rule.name, settings.rules.get(rule.name), seats)
    rules = resolve_rules(settings.rules)
    differences = {}
    for rule in RULES:
        value, default = rules[rule.name], rule.default
        if _by_seat(rule):
            assert isinstance(default, list)
            value, default = value[:seats], default[:seats]
        if value != default:
            differences[rule.name] = value
    handicaps = resolve_handicaps(settings.handicaps, settings.pack, seats)
    check_effects(InPlay(rules, differences, handicaps, settings.pack, seats, factions))
    _starts_possible(settings, rules, handicaps, seats)
    in_order = {name: handicaps[name] for name in HANDICAP_NAMES if name in handicaps}
    return Settings(rules=differences, options=settings.options, handicaps=in_order, pack=settings.pack)


def _whole_table(name: str, value: Any, seats: int) -> None:
    if isinstance(value, list) and len(value) != seats:
        raise ExperimentError(
            f"[rules] {name} must hold {seats} numbers, one a seat of the largest table, not {len(value)}"
        )


def _starts_possible(
    settings: Settings, rules: Mapping[str, Any], handicaps: Mapping[str, list[Any]], seats: int
) -> None:
    """What a seat starts with must exist: Scrappers of its faction, room on its Pad, Candy Boosts."""
    for seat in range(seats):
        granted = {name: by_seat[seat] for name, by_seat in handicaps.items() if by_seat[seat]}
        deployed = rules["starting_scrappers"][seat] + granted.get("grant_scrappers", 0)
        if deployed > rules["scrappers"]:
            key = _first_written(settings, granted, "grant_scrappers", "starting_scrappers", "scrappers")
            raise ExperimentError(
                f"{key}: seat {seat} would deploy {deployed} Scrappers of {rules['scrappers']}"
            )
        grants = ("grant_technology", "grant_energy")
        starts = ("starting_technology", "starting_energy")
        held = sum(rules[name] for name in starts) + sum(granted.get(name, 0) for name in grants)
        if held > rules["resource_limit"]:
            key = _first_written(settings, granted, *grants, *starts, "resource_limit")
            raise ExperimentError(
                f"{key}: seat {seat} would start with {held} resources on a Pad for {rules['resource_limit']}"
            )
    candy, there = sum(handicaps.get("grant_candy", [])), settings.pack.counts["candy"]
    if candy > there:
        raise ExperimentError(f"[handicaps] grant_candy gives {candy} Candy Boosts, but there are {there}")


def _first_written(settings: Settings, granted: Mapping[str, Any], *names: str) -> str:
    """The first of some handicaps and rules that bears on a seat and stands in the file."""
    for name in names:
        if name in granted:
            return f"[handicaps] {name}"
        if name in settings.rules:
            return f"[rules] {name}"
    raise AssertionError(f"the defaults of {names} don't fit together")


def rules_record(rules: Mapping[str, Any], handicaps: Mapping[str, Any], pack: Any) -> np.recarray[Any, Any]:
    """The record of RULES_RECORD, length 1, of resolved rules, handicaps in either form, a pack."""
    record = records(RULES_RECORD)
    for rule in RULES:
        record[rule.name] = rules[rule.name]
    record["leader_values"][0] = [NONE if value is None else value for value in pack.leader_values]
    by_name = resolve_handicaps(handicaps, pack)
    for name, by_seat in by_name.items():
        if name not in HANDICAP_SETS:
            record[name][0] = by_seat
    for name, (_, known) in _SETS.items():
        for seat, things in enumerate(by_name.get(name, ())):
            record[name][0, seat] = sum(1 << known.index(thing) for thing in things)
    for seat, cards in enumerate(by_name.get("banned_cards", ())):
        for card in cards:
            record["banned_cards"][0, seat, list(pack.card_ids).index(card)] = 1
    return record
