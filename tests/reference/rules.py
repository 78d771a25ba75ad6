"""The knobs of the rules: names, defaults and meanings as `simlab list rules` prints them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rules:
    """What an experiment may change. The comment behind a knob is the rule that it belongs to."""

    turns: int = 4  # CORE-030
    cards_per_phase: int = 2  # CORE-030
    starting_technology: int = 1  # CORE-014
    starting_energy: int = 1  # CORE-014
    scrappers: int = 15  # CORE-014
    refuges: int = 3  # CORE-014
    elevators: int = 3  # CORE-014
    bridges: int = 3  # CORE-014
    starting_scrappers: tuple[int, ...] = (2, 3, 4, 5, 6, 7)  # CORE-018, by seat
    cube_limit_per_color: int = 4  # CORE-024
    majority_needs_unit: bool = False  # CORE-021
    leader_value: int = 1  # CORE-090
    bully_value: int = 3  # CORE-094
    feat_unlock_cubes: int = 2  # CORE-033
    resource_limit: int = 10  # CORE-043
    drone_movement: int = 2  # CORE-070
    masamune_resources: int = 2  # CORE-071
    drone_collect_needs_majority: bool = False  # CORE-071
    simon_scrappers: int = 2  # CORE-072
    place_from_board: bool = False  # CORE-072
    fly_scrappers: int = 2  # CORE-073
    draco_supplies: int = 1  # CORE-074
    draco_candy: int = 1  # CORE-074
    kill_needs_unit: bool = True  # CORE-062
    kill_candy: int = 1  # CORE-062
    machinery_collect_technology: int = 1  # CORE-066
    candy_technology: int = 1  # CORE-081
    seeker_collects: int = 1  # CORE-092
    bombing_value: int = 2  # CORE-100
    fortress_value: int = 2  # CORE-101
    trojan_value: int = 1  # CORE-103
    caravan_value: int = 1  # CORE-105
    field_engineer_moves: int = 2  # CORE-106
    field_engineer_per_build: bool = True  # CORE-106
    sky_boots_moves: int = 1  # CORE-107
    sky_boots_per_card: bool = True  # CORE-107
    remote_drive_movement: int = 1  # CORE-111
    delivery_bot_energy: int = 1  # CORE-114
    delivery_bot_extra_buy: bool = True  # CORE-114
    low_energy_discount: int = 1  # CORE-116
    trading_post_supplies: int = 1  # CORE-117
    outpost_supplies: int = 1  # CORE-038
    feat_supplies: tuple[int, ...] = (0, 1, 3, 6)  # CORE-038, by number of unlocked Feats
    technology_per_supply: int = 2  # CORE-038
    energy_per_supply: int = 1  # CORE-038
    no_choices: bool = False  # CORE-130
    feats_draft: bool = False  # CORE-131
    planning: bool = False  # CORE-132
    confrontation: bool = False  # CORE-133
    rebel: bool = False  # CORE-134
    decision_cap: int = 5000  # a guard of the engine, of no use here: a game of the rulebook ends by itself
