"""House rules on components: only what they say changes, and the rest keeps its place."""

from __future__ import annotations

import numpy as np
import pytest

from simlab.errors import NoEffect, PackError
from simlab.games.dei.icons import icon_name
from simlab.games.dei.pack import load_pack
from simlab.games.dei.patches import PATCHED, check_in_play, patch_pack
from simlab.games.dei.settings import resolve_rules, rules_record
from simlab.games.dei.vocabulary import BLACK, NONE

PACK = load_pack("reconstructed")
PATCHES = {
    "a price": {"cards": {"tactic-03": {"technology": 2}}},
    "icons": {"cards": {"ravagers-4": {"icons": "enlist move"}}},
    "a slot": {"markets": {"tactic": {"1": {"cubes": 1}}}},
    "a Mission": {"missions": {"outposts": {"on_time_gain": 3}}},
    "Candy Boosts": {"candy": {"enlist": {"tokens": 1}, "move": {"tokens": 3}}},
    "cards taken out": {"remove": ["black-07", "fly-0"]},
    "a Leader's value": {"factions": {"farm_z": {"leader_value": 2}}},
}
FIELDS = {  # of the table, that each of them changes
    "a price": {"card_technology"},
    "icons": {"icon"},
    "a slot": {"slot_cubes"},
    "a Mission": {"on_time_gain"},
    "Candy Boosts": {"candy_kind"},
    "cards taken out": {"card_market", "drone_deck"},
    "a Leader's value": set(),  # it stands beside the rules that say it otherwise
}


def changed(patched) -> dict[str, list[tuple[int, ...]]]:
    """The fields of the table that differ, and where."""
    old, new = PACK.table[0], patched.table[0]
    found = {}
    for name in old.dtype.names:
        where = np.argwhere(np.asarray(old[name]) != np.asarray(new[name]))
        if len(where):
            found[name] = [tuple(place) for place in where.tolist()]
    return found


@pytest.mark.parametrize("name", PATCHES)
def test_a_patch_changes_what_it_says_alone(name):
    patched, canonical = patch_pack(PACK, PATCHES[name])
    assert set(changed(patched)) == FIELDS[name]
    assert patched.hash != PACK.hash
    assert (patched.card_ids, patched.mission_ids) == (PACK.card_ids, PACK.mission_ids)
    assert patched.share_assumed == PACK.share_assumed
    assert patch_pack(PACK, canonical)[0].hash == patched.hash


def test_a_price_is_another_one_in_one_place():
    patched, _ = patch_pack(PACK, PATCHES["a price"])
    card = PACK.card_ids.index("tactic-03")
    assert changed(patched) == {"card_technology": [(card,)]}
    assert patched.table[0]["card_technology"][card] == 2
    assert patched.parts.cards[card].source == PATCHED
    assert PACK.parts.cards[card].source != PATCHED


def test_a_removed_card_keeps_its_row_and_lies_in_no_deck():
    patched, canonical = patch_pack(PACK, {"remove": ["fly-0", "black-07"]})
    black, fly = (PACK.card_ids.index(card) for card in ("black-07", "fly-0"))
    assert canonical == {"remove": [card for card in PACK.card_ids if card in ("black-07", "fly-0")]}
    assert changed(patched) == {"card_market": [(black,)], "drone_deck": [(fly,)]}
    assert PACK.table[0]["card_market"][black] == BLACK
    assert patched.table[0]["card_market"][black] == patched.table[0]["drone_deck"][fly] == NONE


def test_a_leaders_value_lands_beside_the_rules_and_nothing_else_does():
    patched, _ = patch_pack(PACK, PATCHES["a Leader's value"])
    assert (PACK.leader_values, patched.leader_values) == ((None,) * 4, (None, 2, None, None))
    old, new = (rules_record(resolve_rules({}), {}, pack) for pack in (PACK, patched))
    assert old["leader_values"].tolist() == [[NONE] * 4]
    assert new["leader_values"].tolist() == [[NONE, 2, NONE, NONE]]
    old["leader_values"] = new["leader_values"]
    assert old.tobytes() == new.tobytes()


def test_icons_are_those_written():
    patched, _ = patch_pack(PACK, PATCHES["icons"])
    card = PACK.card_ids.index("ravagers-4")
    count = int(patched.table[0]["n_icons"][card])
    assert [icon_name(int(code)) for code in patched.table[0]["icon"][card, :count]] == ["enlist", "move"]


def test_the_order_of_words_does_not_matter():
    one = {"candy": {"enlist": {"tokens": 1}, "move": {"tokens": 3}}, "remove": ["black-07", "fly-0"]}
    other = {"remove": ["fly-0", "black-07"], "candy": {"move": {"tokens": 3}, "enlist": {"tokens": 1}}}
    assert patch_pack(PACK, one)[0].hash == patch_pack(PACK, other)[0].hash


@pytest.mark.parametrize(
    ("patch", "factions", "fits"),
    [
        (PATCHES["icons"], ("ravagers", "auxilia"), True),
        (PATCHES["icons"], ("farm_z", "auxilia"), False),
        ({"remove": ["fly-0"]}, ("ravagers", "auxilia"), True),
        ({"remove": ["fly-0"]}, ("ravagers", "farm_z"), False),
        (PATCHES["a price"], ("ravagers", "farm_z"), True),
        (PATCHES["a Leader's value"], ("ravagers", "farm_z"), True),
        (PATCHES["a Leader's value"], ("ravagers", "auxilia"), False),
    ],
)
def test_what_comes_into_no_game_can_have_no_effect(patch, factions, fits):
    patched, _ = patch_pack(PACK, patch)
    if fits:
        check_in_play(patched, factions)
    else:
        with pytest.raises(NoEffect, match=r"comes with .* alone|leaves \"farm_z\" out"):
            check_in_play(patched, factions)


@pytest.mark.parametrize("patch", [{"cards": {"tactic-03": {"technology": 99}}}, {"remove": ["nothing"]}])
def test_what_cannot_be_is_refused(patch):
    with pytest.raises(PackError):
        patch_pack(PACK, patch)
