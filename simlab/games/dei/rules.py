"""Every number, optional rule and ruling of the core game that an experiment may change.

One row a rule: name, default, least and greatest value, the rule it belongs to and what it means. The
record that the engine reads has one int32 field a row; switches are 0 and 1. *Handicaps* per seat
(bans of cards, Drones and Candy Boosts, void Feats, no Leader skill, grants) stand beside them in the same
record: knock-outs and "what if this seat had one more" need them. So do the Leaders' values that a component
sets, since they take the place of two of the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from simlab.games.dei.vocabulary import MAX_CARDS, MAX_SEATS, N_FACTIONS

Value = int | bool | list[int]


@dataclass(frozen=True)
class Rule:
    """One knob: `default` within `low` … `high`; `length` > 0 makes it a list of that many numbers."""

    name: str
    default: Value
    low: int
    high: int
    source: str
    says: str
    length: int = 0

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off."""
        return isinstance(self.default, bool)


RULES: tuple[Rule, ...] = (
    # the Turn
    Rule("turns", 4, 1, 6, "CORE-030", "Turns of a game; as many Mission columns and mission tokens"),
    Rule("cards_per_phase", 2, 1, 3, "CORE-030", "Action cards a player plays in an Action Phase"),
    # what a player starts with
    Rule("starting_technology", 1, 0, 10, "CORE-014", "Technology on the Pad at the start"),
    Rule("starting_energy", 1, 0, 10, "CORE-014", "Energy Cells on the Pad at the start"),
    Rule("scrappers", 15, 1, 20, "CORE-014", "Scrappers of a faction"),
    Rule("refuges", 3, 0, 5, "CORE-014", "Refuge tokens of a faction"),
    Rule("elevators", 3, 0, 5, "CORE-014", "Elevator tokens of a faction"),
    Rule("bridges", 3, 0, 5, "CORE-014", "Bridge tokens of a faction"),
    Rule(
        "starting_scrappers",
        [2, 3, 4, 5, 6, 7],
        0,
        15,
        "CORE-018",
        "Scrappers deployed at the start, by seat",
        length=MAX_SEATS,
    ),
    # Majority and Outposts
    Rule("cube_limit_per_color", 4, 1, 7, "CORE-024", "cubes of one colour a player can hold"),
    Rule("majority_needs_unit", False, 0, 1, "CORE-021", "a value without a Unit doesn't count"),
    Rule("leader_value", 1, 0, 9, "CORE-090", "what a Leader counts for Majority"),
    Rule("bully_value", 3, 0, 9, "CORE-094", "what Z-13 counts for Majority"),
    Rule("feat_unlock_cubes", 2, 1, 7, "CORE-033", "cubes of a colour that unlock its Feat"),
    # resources
    Rule("resource_limit", 10, 4, 30, "CORE-043", "resources that a Pad can hold"),
    # Drones
    Rule("drone_movement", 2, 0, 5, "CORE-070", "Regions a Drone can move when activated"),
    Rule("masamune_resources", 2, 0, 5, "CORE-071", "resources Masamune collects"),
    Rule("drone_collect_needs_majority", False, 0, 1, "CORE-071", "a Drone's collecting asks for Majority"),
    Rule("simon_scrappers", 2, 0, 5, "CORE-072", "Scrappers Simon places"),
    Rule(
        "place_from_board", False, 0, 1, "CORE-072", "placing may take Scrappers from the board at any time"
    ),
    Rule("fly_scrappers", 2, 1, 5, "CORE-073", "Scrappers Fly takes to Grounds; to a Roof always one"),
    Rule("draco_supplies", 1, 0, 9, "CORE-074", "Supplies the actor gains with Draco"),
    Rule("draco_candy", 1, 0, 3, "CORE-074", "Candy Boosts the actor gains with Draco"),
    # Kill
    Rule("kill_needs_unit", True, 0, 1, "CORE-062", "a Kill asks for an own Unit in the Region"),
    Rule("kill_candy", 1, 0, 3, "CORE-062", "Candy Boosts that a Kill's victim gains"),
    # advanced actions, Candy Boosts and Leaders
    Rule(
        "machinery_collect_technology", 1, 0, 5, "CORE-066", "Technology that a Machinery Collect also gains"
    ),
    Rule("candy_technology", 1, 0, 5, "CORE-081", "Technology that a Technology Boost gives"),
    Rule("seeker_collects", 1, 0, 3, "CORE-092", "more Collects that one in Abraham's Region gives"),
    # Feats
    Rule("bombing_value", 2, 0, 9, "CORE-100", "Majority an own Bridge gives in the Ground under it"),
    Rule("fortress_value", 2, 0, 9, "CORE-101", "Majority an own Refuge gives with Fortress"),
    Rule("trojan_value", 1, 0, 9, "CORE-103", "Majority a Drone gives with Trojan Horses"),
    Rule("caravan_value", 1, 0, 9, "CORE-105", "Majority an own Refuge gives with Caravan"),
    Rule("field_engineer_moves", 2, 0, 5, "CORE-106", "extra Moves after a Bridge or Elevator"),
    Rule("field_engineer_per_build", True, 0, 1, "CORE-106", "for each build, else once an Action Phase"),
    Rule("sky_boots_moves", 1, 0, 5, "CORE-107", "extra Moves after a card with a Move icon"),
    Rule("sky_boots_per_card", True, 0, 1, "CORE-107", "for each card, else once an Action Phase"),
    Rule("remote_drive_movement", 1, 0, 5, "CORE-111", "Regions that Remote Drive adds"),
    Rule("delivery_bot_energy", 1, 0, 5, "CORE-114", "Energy Cells discarded for a Delivery Bot's Buy"),
    Rule("delivery_bot_extra_buy", True, 0, 1, "CORE-114", "its Buy comes beside the phase's own"),
    Rule("low_energy_discount", 1, 0, 5, "CORE-116", "resources a Drone card costs less"),
    Rule("trading_post_supplies", 1, 0, 9, "CORE-117", "Supplies a Buy gives"),
    # final count
    Rule("outpost_supplies", 1, 0, 9, "CORE-038", "Supplies a controlled Outpost at the end"),
    Rule(
        "feat_supplies", [0, 1, 3, 6], 0, 30, "CORE-038", "Supplies for 0, 1, 2, 3 unlocked Feats", length=4
    ),
    Rule("technology_per_supply", 2, 1, 10, "CORE-038", "Technology for one Supply at the end"),
    Rule("energy_per_supply", 1, 1, 10, "CORE-038", "Energy Cells for one Supply at the end"),
    # optional rules
    Rule("no_choices", False, 0, 1, "CORE-130", "one Mission a column"),
    Rule("feats_draft", False, 0, 1, "CORE-131", "Feats are drafted in snake order"),
    Rule("planning", False, 0, 1, "CORE-132", "cards of a phase are committed hidden, all at once"),
    Rule("confrontation", False, 0, 1, "CORE-133", "Missions and final count after all third phases"),
    Rule("rebel", False, 0, 1, "CORE-134", "completing a Mission is optional"),
    # the engine's own bound
    Rule("decision_cap", 5000, 100, 100000, "engine", "decisions after which a game is ended and counted"),
)
BY_NAME = {rule.name: rule for rule in RULES}


@dataclass(frozen=True)
class Handicap:
    """One handicap: a number (or a set of cards or Feats) a seat, 0 or empty by default."""

    name: str
    low: int
    high: int
    says: str


HANDICAPS: tuple[Handicap, ...] = (
    Handicap("leader_off", 0, 1, "its Leader has no skill (still a Unit that counts leader_value)"),
    Handicap("grant_technology", 0, 10, "Technology gained before the first Turn"),
    Handicap("grant_energy", 0, 10, "Energy Cells gained before the first Turn"),
    Handicap("grant_supplies", 0, 100, "Supplies gained before the first Turn"),
    Handicap("grant_candy", 0, 8, "Candy Boosts gained before the first Turn"),
    Handicap("grant_scrappers", 0, 13, "Scrappers deployed at the start beside the usual ones"),
)
# handicaps that are sets of names a seat
HANDICAP_SETS = {
    "banned_cards": "Market cards that it may not buy, by id",
    "void_feats": "Feats that it never unlocks",
    "banned_drones": "Drones that it may not activate",
    "banned_candy": "Candy Boosts that it may not lay, by kind",
}
DENIED_BY = {  # which handicap takes a thing from a seat, by the kind of the thing
    "card": "banned_cards",
    "feat": "void_feats",
    "drone": "banned_drones",
    "candy": "banned_candy",
    "leader": "leader_off",
}


def _fields() -> list[tuple[Any, ...]]:
    fields: list[tuple[Any, ...]] = []
    for rule in RULES:
        fields.append((rule.name, "<i4", (rule.length,)) if rule.length else (rule.name, "<i4"))
    fields += [(handicap.name, "<i4", (MAX_SEATS,)) for handicap in HANDICAPS]
    fields.append(("leader_values", "<i4", (N_FACTIONS,)))  # a component's, else NONE: then the rules'
    fields.append(("void_feats", "<i4", (MAX_SEATS,)))  # a bit a Feat
    fields.append(("banned_drones", "<i4", (MAX_SEATS,)))  # a bit a Drone
    fields.append(("banned_candy", "<i4", (MAX_SEATS,)))  # a bit a kind
    fields.append(("banned_cards", "i1", (MAX_SEATS, MAX_CARDS)))
    return fields


RULES_RECORD = np.dtype(_fields())
