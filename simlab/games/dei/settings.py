"""From the words of an experiment file to the record that the engine reads, with every check on the way.

`resolve_settings` gives the canonical form: only what differs from the defaults, lists by seat exactly as
long as the largest table, handicaps as lists by seat. Two files that mean the same play give the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from simlab.errors import ExperimentError
from simlab.game import Settings
from simlab.games.dei.rules import BY_NAME, HANDICAPS, RULES, RULES_RECORD, Handicap, Rule
from simlab.games.dei.state import records
from simlab.games.dei.vocabulary import FEATS, MAX_SEATS
from simlab.wording import did_you_mean, kind_of, shown

if TYPE_CHECKING:
    import numpy as np

_SETS = ("banned_cards", "void_feats")
_BY_HANDICAP = {handicap.name: handicap for handicap in HANDICAPS}
HANDICAP_NAMES = (*_BY_HANDICAP, *_SETS)


def resolve_rules(rules: Mapping[str, Any]) -> dict[str, Any]:
    """All rules with their values, the defaults filled in; raises ExperimentError (key, reason).

    A list by seat may be shorter than the record: the seats after it keep their defaults.
    """
    for name in rules:
        if name not in BY_NAME:
            raise ExperimentError(f'[rules] has no key "{name}"{did_you_mean(name, BY_NAME)}')
    return {rule.name: _rule_value(rule, rules.get(rule.name, rule.default)) for rule in RULES}


def _rule_value(rule: Rule, value: Any) -> Any:
    key = f"[rules] {rule.name}"
    if not rule.length:
        return _checked(key, value, rule.is_switch, rule.low, rule.high)
    assert isinstance(rule.default, list)
    if not isinstance(value, list):
        raise ExperimentError(f"{key} must be a list of whole numbers, not {shown(value)}")
    if len(value) > rule.length or not value:
        raise ExperimentError(f"{key} must hold 1 to {rule.length} numbers, not {len(value)}")
    if len(value) < rule.length and not _by_seat(rule):
        raise ExperimentError(f"{key} must hold {rule.length} numbers, not {len(value)}")
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
            raise ExperimentError(f'[handicaps] has no key "{name}"{did_you_mean(name, HANDICAP_NAMES)}')
        key = f"[handicaps] {name}"
        by_seat = _seats_of(key, written, seats)
        if name in _SETS:
            known = FEATS if name == "void_feats" else pack.card_ids
            values = [_names(f"{key} of seat {s}", by_seat.get(s, []), known) for s in range(seats)]
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
    if not (word.isascii() and word.isdigit()) or int(word) >= seats:
        raise ExperimentError(f"{key} has no seat {shown(word)}; seats are 0 to {seats - 1}")
    return int(word)


def _amount(key: str, handicap: Handicap, seat: int, by_seat: Mapping[int, Any]) -> Any:
    switch = handicap.high == 1
    value = by_seat.get(seat, False if switch else 0)
    return _checked(f"{key} of seat {seat}", value, switch, handicap.low, handicap.high)


def _names(key: str, names: Any, known: Any) -> list[str]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ExperimentError(f"{key} must be a list of names, not {shown(names)}")
    for name in names:
        if name not in known:
            raise ExperimentError(f'{key}: there is no "{name}"{did_you_mean(name, known)}')
        if names.count(name) > 1:
            raise ExperimentError(f'{key} names "{name}" twice')
    return sorted(names, key=list(known).index)


def resolve_settings(settings: Settings, players: tuple[int, ...]) -> Settings:
    """The settings in canonical form for tables of `players`; raises ExperimentError (key, reason)."""
    seats = max(players)
    rules = resolve_rules(settings.rules)
    differences = {}
    for rule in RULES:
        value = rules[rule.name]
        default = rule.default
        if _by_seat(rule) and rule.name in settings.rules:
            assert isinstance(default, list)
            _whole_table(rule.name, len(settings.rules[rule.name]), seats)
            value, default = value[:seats], default[:seats]
        if value != default:
            differences[rule.name] = value
    handicaps = resolve_handicaps(settings.handicaps, settings.pack, seats)
    _starts_possible(rules, handicaps, seats)
    in_order = {name: handicaps[name] for name in HANDICAP_NAMES if any(handicaps.get(name, ()))}
    return Settings(rules=differences, options=settings.options, handicaps=in_order, pack=settings.pack)


def _whole_table(name: str, length: int, seats: int) -> None:
    if length != seats:
        raise ExperimentError(
            f"[rules] {name} must hold {seats} numbers, one a seat of the largest table, not {length}"
        )


def _starts_possible(rules: Mapping[str, Any], handicaps: Mapping[str, list[Any]], seats: int) -> None:
    """What a seat starts with must exist: Scrappers of its faction, room on its Pad."""
    nothing = [0] * seats
    for seat in range(seats):
        deployed = rules["starting_scrappers"][seat] + handicaps.get("grant_scrappers", nothing)[seat]
        if deployed > rules["scrappers"]:
            raise ExperimentError(
                f"[rules] starting_scrappers: seat {seat} would deploy {deployed} Scrappers"
                f" of {rules['scrappers']}"
            )
        granted = sum(handicaps.get(f"grant_{kind}", nothing)[seat] for kind in ("technology", "energy"))
        held = rules["starting_technology"] + rules["starting_energy"] + granted
        if held > rules["resource_limit"]:
            raise ExperimentError(
                f"[rules] resource_limit: seat {seat} would start with {held} resources"
                f" on a Pad for {rules['resource_limit']}"
            )


def rules_record(rules: Mapping[str, Any], handicaps: Mapping[str, Any], pack: Any) -> np.recarray[Any, Any]:
    """The record of RULES_RECORD, length 1, of resolved rules and of handicaps in either form."""
    record = records(RULES_RECORD)
    for rule in RULES:
        record[rule.name] = rules[rule.name]
    by_name = resolve_handicaps(handicaps, pack)
    for name, by_seat in by_name.items():
        if name not in _SETS:
            record[name][0] = by_seat
    for seat, feats in enumerate(by_name.get("void_feats", ())):
        record["void_feats"][0, seat] = sum(1 << FEATS.index(feat) for feat in feats)
    for seat, cards in enumerate(by_name.get("banned_cards", ())):
        for card in cards:
            record["banned_cards"][0, seat, list(pack.card_ids).index(card)] = 1
    return record
