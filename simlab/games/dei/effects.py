"""What can have no effect in an experiment is refused: rules and handicaps with nothing to act on.

Something has no effect if no game of the experiment could come out otherwise without it: its faction may
not play, its Feat is unlocked by nobody, what it counts isn't there. Every refusal names what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simlab.errors import ExperimentError, NoEffect
from simlab.games.dei.rules import BY_NAME
from simlab.games.dei.vocabulary import CANDIES, DRONES, FACTION_TITLES, FACTIONS, FARM_Z, LEADERS
from simlab.wording import shown

NO_BUILDS = "there are no Bridges and no Elevators to build"
# rule, rules of which one must not be 0 lest it have no effect, what is missing then
NEEDS = (
    ("fortress_value", ("refuges",), "there are no Refuges"),
    ("caravan_value", ("refuges",), "there are no Refuges"),
    ("bombing_value", ("bridges",), "there are no Bridges"),
    ("field_engineer_moves", ("bridges", "elevators"), NO_BUILDS),
    ("field_engineer_per_build", ("bridges", "elevators"), NO_BUILDS),
    ("field_engineer_per_build", ("field_engineer_moves",), "Field Engineer gives no Moves"),
    ("sky_boots_per_card", ("sky_boots_moves",), "Sky Boots give no Moves"),
    ("drone_collect_needs_majority", ("masamune_resources",), "no Drone collects"),
    ("place_from_board", ("simon_scrappers",), "no Drone places Scrappers"),
)
DRONE_OF = {  # rule → the Drone that it is about, which only its faction brings
    "simon_scrappers": "simon",
    "place_from_board": "simon",
    "draco_supplies": "draco",
    "draco_candy": "draco",
    "masamune_resources": "masamune",
    "drone_collect_needs_majority": "masamune",
    "fly_scrappers": "fly",
}
LEADER_OF = {"bully_value": "Z-13", "seeker_collects": "Abraham"}  # rule → the Leader whose skill it is
FEAT_OF = {  # rule → the Feat that it is about
    "bombing_value": "bombing",
    "fortress_value": "fortress",
    "trojan_value": "trojan_horses",
    "caravan_value": "caravan",
    "field_engineer_moves": "field_engineer",
    "field_engineer_per_build": "field_engineer",
    "sky_boots_moves": "sky_boots",
    "sky_boots_per_card": "sky_boots",
    "remote_drive_movement": "remote_drive",
    "delivery_bot_energy": "delivery_bot",
    "delivery_bot_extra_buy": "delivery_bot",
    "low_energy_discount": "low_energy_remote_control",
    "trading_post_supplies": "trading_post",
}
# what gives a Majority value without a Unit: the construction, its value, the Feat (CORE-100, 101, 105)
STANDING = (
    ("bridges", "bombing_value", "bombing"),
    ("refuges", "fortress_value", "fortress"),
    ("refuges", "caravan_value", "caravan"),
)


@dataclass(frozen=True)
class InPlay:
    """An experiment's rules and handicaps, resolved, and who and what may come into its games."""

    rules: Mapping[str, Any]  # all of them
    differences: Mapping[str, Any]  # those that differ from the defaults
    handicaps: Mapping[str, list[Any]]  # by seat
    pack: Any
    players: int  # of the largest table
    factions: tuple[str, ...]

    @property
    def outposts(self) -> int:
        """The most Outposts that one colour has."""
        return int(self.pack.outposts_of_a_colour(self.players))

    @property
    def cubes(self) -> int:
        """The most cubes of one colour that a seat can hold."""
        return min(self.rules["cube_limit_per_color"], self.outposts)

    @property
    def locked(self) -> str:
        """Why no Feat can be unlocked, empty if one can."""
        asked = self.rules["feat_unlock_cubes"]
        if asked <= self.cubes:
            return ""
        return f"no Feat is unlocked (feat_unlock_cubes = {asked}, but nobody holds more than {self.cubes})"

    def void(self, feat: str) -> bool:
        """Whether no seat can unlock this Feat."""
        seats = self.handicaps.get("void_feats", [])
        return bool(seats) and all(feat in feats for feats in seats)

    def leader_rules(self, faction: int) -> set[str]:
        """CORE-090, CORE-094: the rules that say what this faction's Leader counts, on any seat."""
        if faction != FARM_Z:
            return {"leader_value"}
        off = self.handicaps.get("leader_off", [False])
        return {"leader_value" if without else "bully_value" for without in off}

    def absent(self, faction: int) -> str:
        """How messages say that a faction can't play, empty if it can."""
        name = FACTIONS[faction]
        return "" if name in self.factions else f"and factions leaves {shown(name)} out"


def check_effects(made: InPlay) -> None:
    """Raise ExperimentError (key, reason) for the first rule or handicap that can change no game."""
    _check_cubes(made)
    for name, value in made.differences.items():
        reason = _missing(made, name, value)
        if reason:
            raise ExperimentError(f"[rules] {name} has no effect: {reason}")
    for name, by_seat in made.handicaps.items():
        if not any(by_seat):
            raise ExperimentError(f"[handicaps] {name} gives no seat anything, so it has no effect")
    if "void_feats" in made.handicaps and made.locked:
        raise ExperimentError(f"[handicaps] void_feats has no effect: {made.locked}")
    _check_bans(made)
    _check_leaders(made)


def _missing(made: InPlay, name: str, value: Any) -> str:
    """What a rule that differs lacks to have an effect, empty if it may have one."""
    for rule, needed, reason in NEEDS:
        if rule == name and not any(made.rules[other] for other in needed):
            return f"{reason} ({' and '.join(f'{other} = 0' for other in needed)})"
    return (
        _missing_drone(made, name)
        or _missing_leader(made, name)
        or _missing_feat(made, name)
        or _missing_rest(made, name, value)
    )


def _missing_drone(made: InPlay, name: str) -> str:
    if name not in DRONE_OF:
        return ""
    return _absent_drone(made, DRONE_OF[name])


def _comes_with(drone: int) -> str:
    return f"{DRONES[drone].title()} comes with {FACTION_TITLES[drone]} alone"


def _missing_leader(made: InPlay, name: str) -> str:
    if name not in LEADER_OF:
        return ""
    leader = LEADERS.index(LEADER_OF[name])
    if absent := made.absent(leader):
        return f"{LEADERS[leader]} leads {FACTION_TITLES[leader]}, {absent}"
    off = made.handicaps.get("leader_off", [])
    if off and all(off):
        return "leader_off takes every seat's Leader skill"
    counted = name == "bully_value" and made.pack.leader_values[leader] is not None
    return f"pack.factions.{FACTIONS[leader]} says what {LEADERS[leader]} counts" if counted else ""


def _missing_feat(made: InPlay, name: str) -> str:
    if name not in FEAT_OF:
        return ""
    feat = FEAT_OF[name]
    return made.locked or (f"void_feats takes {shown(feat)} from every seat" if made.void(feat) else "")


def _missing_rest(made: InPlay, name: str, value: Any) -> str:
    """Rules whose effect asks for more than one thing of one kind."""
    if name == "majority_needs_unit":
        standing = any(
            made.rules[token] and made.rules[worth] and not made.void(feat) for token, worth, feat in STANDING
        )
        return made.locked or ("" if standing else "nothing counts where no Unit is anyway")
    if name == "sky_boots_per_card" and made.rules["cards_per_phase"] == 1:
        return "a phase has one card (cards_per_phase = 1)"
    if name == "leader_value" and not any(name in made.leader_rules(f) for f in _left_to_the_rules(made)):
        return "pack.factions says what each Leader counts"
    if name == "feat_supplies" and value[0] == _default(name)[0]:
        return made.locked
    return ""


def _default(name: str) -> Any:
    return BY_NAME[name].default


def _check_cubes(made: InPlay) -> None:
    """Numbers of cubes that nobody can reach all mean the same, so only the least of them is taken."""
    name = "cube_limit_per_color"
    limit, most = made.rules[name], made.outposts
    if name in made.differences:
        why = f"no colour has more than {most} Outposts with {made.players} players"
        if min(limit, most) == min(_default(name), most):
            raise ExperimentError(f"[rules] {name} has no effect: {why}")
        if limit > most:
            raise ExperimentError(f"[rules] {name} = {limit} does what {most} does: {why}")
    name = "feat_unlock_cubes"
    asked, never = made.rules[name], made.cubes + 1
    if name in made.differences and asked > never:
        raise ExperimentError(
            f"[rules] {name} = {asked} does what {never} does: nobody holds more than {made.cubes} cubes"
            " of a colour, so no Feat is unlocked"
        )


def _left_to_the_rules(made: InPlay) -> list[int]:
    """The factions that may play and whose Leader's value no component sets."""
    return [
        faction
        for faction, value in enumerate(made.pack.leader_values)
        if value is None and FACTIONS[faction] in made.factions
    ]


def _check_leaders(made: InPlay) -> None:
    """No component that gives a Leader the value that it has by the rules."""
    for faction, value in enumerate(made.pack.leader_values):
        if value is not None and {made.rules[name] for name in made.leader_rules(faction)} == {value}:
            key = f"pack.factions.{FACTIONS[faction]}.leader_value"
            raise NoEffect(f"{key} = {value} has no effect: so it is by the rules")


def _check_bans(made: InPlay) -> None:
    """No ban on what nobody can buy, activate or lay."""
    for name, nobody in (("banned_drones", _absent_drone), ("banned_candy", _absent_candy)):
        for seat, things in enumerate(made.handicaps.get(name, ())):
            for thing in things:
                if why := nobody(made, thing):
                    raise ExperimentError(f"[handicaps] {name} of seat {seat} has no effect: {why}")
    for seat, cards in enumerate(made.handicaps.get("banned_cards", ())):
        for card in cards:
            where = f"[handicaps] banned_cards of seat {seat}: {shown(card)} is"
            if card in made.pack.faction_card_ids:
                raise ExperimentError(f"{where} a Faction card, which nobody buys, so the ban has no effect")
            if card not in made.pack.drone_decks:
                continue
            drone = DRONES.index(made.pack.drone_decks[card])
            if absent := made.absent(drone):
                deck = f"of {DRONES[drone].title()}'s deck"
                raise ExperimentError(
                    f"{where} {deck}; {_comes_with(drone)}, {absent}, so the ban has no effect"
                )


def _absent_drone(made: InPlay, name: str) -> str:
    """Why nobody activates a Drone, empty if somebody may."""
    drone = DRONES.index(name)
    absent = made.absent(drone)
    return f"{_comes_with(drone)}, {absent}" if absent else ""


def _absent_candy(made: InPlay, name: str) -> str:
    """Why nobody lays a Candy Boost of a kind, empty if somebody may."""
    kinds = made.pack.table[0]["candy_kind"][: made.pack.counts["candy"]].tolist()
    return "" if CANDIES.index(name) in kinds else f"the pack has no {shown(name)} Boost"
