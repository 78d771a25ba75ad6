"""Component packs: what the shipped one holds, and that a broken one is refused in one sentence."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from simlab.errors import PackError, UnknownName
from simlab.games.dei.icons import icon_name, icon_op
from simlab.games.dei.pack import PACKS, load_pack, shipped_packs, with_cards, with_tiles
from simlab.games.dei.pack_check import check_pack, dominates
from simlab.games.dei.pack_files import read_rows, read_toml
from simlab.games.dei.pack_parts import FILES
from simlab.games.dei.pack_rows import CARD_COLUMNS, parse_card
from simlab.games.dei.tiles import parse_tile
from simlab.games.dei.vocabulary import CANDIES, COPY, FACTIONS, MISSION_KINDS, NONE, OPS

SHIPPED = PACKS / "reconstructed"


@pytest.fixture(scope="module")
def pack():
    return load_pack("reconstructed")


@pytest.fixture
def copied(tmp_path):
    """A copy of the shipped pack, to be broken."""
    return shutil.copytree(SHIPPED, tmp_path / "mine")


# --- what the rulebook prints ---


@pytest.mark.rule("CORE-011", "CORE-012", "CORE-014", "CORE-075")
def test_decks_have_their_printed_sizes(pack):
    table = pack.table[0]
    n = int(table.n_cards)
    assert n == len(pack.card_ids) == len(set(pack.card_ids)) == 80
    assert Counter(map(int, table.card_market[:n])) == {NONE: 44, 0: 8, 1: 8, 2: 8, 3: 12}
    assert Counter(map(int, table.card_faction[:n])) == {NONE: 48, 0: 8, 1: 8, 2: 8, 3: 8}
    assert Counter(map(int, table.drone_deck[:n])) == {NONE: 68, 0: 3, 1: 3, 2: 3, 3: 3}
    for faction in range(len(FACTIONS)):
        mine = [k for k in range(n) if int(table.card_faction[k]) == faction]
        assert sum(int(table.is_drone_card[k]) for k in mine) == 1
    assert int(table.is_drone_card.sum()) == 4 + 12
    assert all(int(table.is_drone_card[k]) for k in range(n) if int(table.drone_deck[k]) != NONE)


@pytest.mark.rule("CORE-046")
def test_slots_ask_for_cubes_or_for_technology(pack):
    assert pack.table[0].slot_cubes.tolist() == [[2, 1, 0]] * 3 + [[0, 0, 0]]
    assert pack.table[0].slot_technology.tolist() == [[0, 0, 0]] * 3 + [[1, 0, -1]]


@pytest.mark.rule("CORE-080", "CORE-081")
def test_there_are_sixteen_candy_boosts_two_of_a_kind(pack):
    tokens = pack.table[0].candy_kind[: int(pack.table[0].n_candy)]
    assert Counter(map(int, tokens)) == dict.fromkeys(range(len(CANDIES)), 2)


@pytest.mark.rule(
    "CORE-120", "CORE-121", "CORE-122", "CORE-123", "CORE-124", "CORE-125", "CORE-126", "CORE-127", "CORE-128"
)
def test_missions_have_their_printed_values(pack):
    table = pack.table[0]
    values = {
        "technologies": (1, 1, 2, 3),
        "energy_cells": (2, 1, 3, 2),
        "drone_cards": (2, 1, 1, 1),
        "constructions": (2, 1, 1, 1),
        "scrappers": (3, 3, 2, 3),
        "outposts": (2, 1, 1, 1),
        "garrisons": (2, 1, 1, 1),
        "tactic_outposts": (3, 1, 2, 1),
        "logistic_outposts": (3, 1, 2, 1),
        "machinery_outposts": (3, 1, 2, 1),
    }
    assert set(pack.mission_ids) == set(values) | {"technologies_2", "drone_cards_2"}
    for k, name in enumerate(pack.mission_ids):
        kind = MISSION_KINDS[int(table.mission_kind[k])]
        assert kind == name.removesuffix("_2")
        found = (table.on_time_gain[k], table.on_time_per[k], table.late_gain[k], table.late_per[k])
        assert tuple(map(int, found)) == values[kind]


@pytest.mark.rule("CORE-001", "CORE-003", "CORE-007", "CORE-010")
def test_tiles_bear_their_printed_symbols(pack):
    tiles = pack.parts.tiles
    assert Counter(tile.players for tile in tiles) == {2: 9, 3: 3, 4: 4}
    assert [tile.id for tile in tiles] == [f"2.{k}" for k in range(1, 10)] + ["3.1", "3.2", "3.3"] + [
        f"4.{k}" for k in range(1, 5)
    ]
    assert [tile.players for tile in tiles if tile.refuge != NONE] == [2, 2]
    assert Counter(tile.players for tile in tiles if tile.drone != NONE) == {2: 2, 3: 1, 4: 1}
    assert [tile.id for tile in tiles if tile.bridge[0] != NONE] == ["2.3", "4.3"]
    assert [sum(kinds[k] for tile in tiles for kinds in tile.outposts) for k in range(3)] == [5, 5, 5]


def test_every_icon_is_on_a_card_and_cards_keep_their_bounds(pack):
    table = pack.table[0]
    seen = set()
    for k in range(80):
        icons = [int(code) for code in table.icon[k, : int(table.n_icons[k])]]
        assert 1 <= len(icons) <= 8
        assert sum(icon_op(code) == COPY for code in icons) <= 2
        seen |= {icon_op(code) for code in icons}
        if int(table.card_faction[k]) == NONE:
            assert 1 <= int(table.card_technology[k]) <= 4
            assert 0 <= int(table.card_energy[k]) <= 3
            assert 0 <= int(table.card_supplies[k]) <= 5
        else:
            assert (
                int(table.card_technology[k]) == int(table.card_energy[k]) == int(table.card_supplies[k]) == 0
            )
    assert seen == set(range(len(OPS) - 1))  # all but what only Feats give


# --- the pack as a whole ---


def test_marks_and_counts(pack):
    assert "reconstructed" in shipped_packs()
    assert pack.name == "reconstructed"
    assert 0.5 < pack.share_assumed < 1
    assert pack.counts["cards"] == 80
    assert pack.counts["candy"] == 16
    assert pack.counts["assumed values"] == round(pack.share_assumed * pack.counts["values"])
    printed = {card.source for card in pack.parts.cards} | {tile.source for tile in pack.parts.tiles}
    assert printed == {"assumed"}  # the rulebook prints no card face and no tile


def test_earlier_versions_can_be_played(pack):
    """Figures of a run or a tuning name the version that they rest on; each stays as it was."""
    earlier = load_pack("reconstructed-2")
    assert (earlier.name, earlier.version) == ("reconstructed", 2)
    assert earlier.hash.startswith("f865143461eed57c")
    assert pack.version == 3


def test_assumed_values_lie_in_their_ranges(pack):
    for card in pack.parts.cards:
        for number in (card.technology, card.energy, card.supplies):
            assert number.low <= number.value <= number.high
        assert card.icon_ranges


def test_the_hash_is_the_contents(copied):
    original = load_pack("reconstructed")
    assert load_pack(str(copied)).hash == original.hash
    for name in FILES:
        path = copied / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    windows = load_pack(str(copied))
    assert windows.hash == original.hash
    assert windows.table.tobytes() == original.table.tobytes()
    (copied / "candy.csv").write_text((copied / "candy.csv").read_text().replace("1..3", "1..4", 1))
    assert load_pack(str(copied)).hash != original.hash


def test_the_shipped_pack_satisfies_every_constraint(pack):
    """Few draws here, so that it runs uncompiled; the long tier draws 2,000."""
    problems, lines = check_pack(pack, 4)
    assert problems == []
    text = "\n".join(lines)
    for part in ("80 cards", "2.1 (from 2)", "tactic", "drone:any", "Layouts for 4 players", "drawn again"):
        assert part in text


@pytest.mark.compiled_only
def test_random_layouts_satisfy_the_constraints_in_two_thousand_draws(pack):
    assert check_pack(pack, 2000)[0] == []


def test_an_unknown_pack_is_named_with_those_that_exist():
    with pytest.raises(UnknownName, match=r"no pack is called \"nowhere\" .*shipped: .*reconstructed"):
        load_pack("nowhere")


# --- what a check finds ---


def check_edited(copied, file, pattern, new):
    path = copied / file
    text = path.read_text(encoding="utf-8")
    changed = re.sub(pattern, new, text)
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    return check_pack(load_pack(str(copied)), 1)[0]


def test_a_dominated_card_is_a_problem_unless_it_is_printed(copied):
    worse = r"\1copy,copy*1..1,9,1..9,3,1..4,0,0..3,assumed"
    problems = check_edited(copied, "cards.csv", r"(black-02,Black Market 2,black,).*", worse)
    assert problems == ['cards.csv: card "black-02" is dominated by "black-01" of its own market']
    printed = r"\1copy,,9,,3,,0,,rulebook"
    assert check_edited(copied, "cards.csv", r"(black-02,Black Market 2,black,).*", printed) == []


def test_an_icon_that_no_card_has_is_a_problem(copied):
    problems = check_edited(copied, "cards.csv", r"drone:any\b", "drone:draco")
    assert 'cards.csv: no card has the icon "drone:any"' in problems


def test_more_tokens_than_the_box_holds_are_a_problem(copied):
    text = (copied / "tiles.toml").read_text(encoding="utf-8")
    text = re.sub(r'technology = "[^"]*"', 'technology = "0..99"', text)
    text = re.sub(r"technology = (\{ \w = )\d", r"technology = \g<1>9", text)
    (copied / "tiles.toml").write_text(text, encoding="utf-8")
    problems = check_pack(load_pack(str(copied)), 1)[0]
    assert any(re.search(r"symbols of technology on all tiles, 56 at most", problem) for problem in problems)


def test_dominance_needs_a_strict_gain(pack):
    card = pack.parts.cards[40]
    assert not dominates(card, card)


# --- inline parts ---


def test_the_rows_of_the_documentation_are_cards(pack):
    text = (Path(__file__).parents[2] / "docs" / "packs.md").read_text(encoding="utf-8")
    shown = text.split("<!-- the example is read by a test -->")[1].split("```")[1]
    before, after = (line.strip() for line in shown.strip().splitlines())
    assert before in (SHIPPED / "cards.csv").read_text(encoding="utf-8").splitlines()
    (row,) = read_rows("\n".join([",".join(CARD_COLUMNS), after]), "cards.csv", CARD_COLUMNS, "id")
    card = parse_card(row)
    assert (card.id, card.source, card.icon_ranges) == ("tactic-08", "rulebook", {})


def test_the_example_of_the_documentation_is_a_tile():
    text = (Path(__file__).parents[2] / "docs" / "packs.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (table,) = read_toml(block, "docs")["tile"]
    tile = parse_tile(table, "docs", ranges_needed=True)
    assert tile.id == "2.7"
    assert tile.letters == ("A", "D", "b", "c")
    assert tile.total("technology") == 2
    assert tile.elevator == (3, 1)


def test_inline_cards_replace_by_id_or_come_after(pack):
    new = with_cards(
        pack,
        [
            {"id": "t1", "icons": "move*2 drone:fly", "technology": 1, "supplies": 2, "market": "tactic"},
            {"id": "black-01", "icons": "move"},
        ],
    )
    assert new.card_ids == (*pack.card_ids, "t1")
    table, k = new.table[0], pack.card_ids.index("black-01")
    assert [icon_name(int(code)) for code in table.icon[k, : int(table.n_icons[k])]] == ["move"]
    assert int(table.card_market[k]) == NONE
    assert [int(table.card_market[80]), int(table.card_technology[80]), int(table.card_supplies[80])] == [
        0,
        1,
        2,
    ]
    assert int(table.is_drone_card[80]) == 1
    assert new.hash != pack.hash


def test_inline_tiles_are_all_the_tiles(pack):
    new = with_tiles(pack, [{"id": "x", "map": ["aB", "aB"], "technology": {"a": 2}, "elevator": ["a", "B"]}])
    assert new.tile_ids == ("x",)
    assert new.patch_letters == (("B", "a"),)
    assert int(new.table[0].tile_size) == 2
    assert new.table[0].elevator_patches[0].tolist() == [1, 0]
    assert new.table[0].patch_resources[0, :2].tolist() == [0, 2]
    assert int(new.table[0].grid_rows[2]) == 0
    assert new.card_ids == pack.card_ids


@pytest.mark.parametrize(
    ("tiles", "reason"),
    [
        ([], "game: 0 tiles, 1 to 25 are possible"),
        ([{"id": "x", "map": ["a"]}, {"id": "x", "map": ["a"]}], 'game: tile "x" stands there twice'),
        (
            [{"id": "x", "map": ["a"]}, {"id": "y", "map": ["aa", "aa"]}],
            'game, tile "y": 2 spaces an edge, but tile "x" has 1',
        ),
        ([{"map": ["a"]}], "game: a tile has no id"),
        ([{"id": "x"}], 'game, tile "x": key "map" is missing'),
        (
            [{"id": "x", "map": ["aB", "aB"], "drone": "a"}],
            'game, tile "x": drone names "a", which is not a Roof',
        ),
        (
            [{"id": "x", "map": ["aB", "aB"], "refuge": "B"}],
            'game, tile "x": refuge names "B", which is not a Ground',
        ),
        (
            [{"id": "x", "map": ["aB", "aB"], "energy": {"a": 1}}],
            'game, tile "x": energy names "a", which is not a Roof',
        ),
        (
            [{"id": "x", "map": ["aB", "aB"], "outposts": {"a": "D"}}],
            'game, tile "x": outposts of "a" is "D", not letters',
        ),
        (
            [{"id": "x", "map": ["aB", "aB"], "bridge": ["B"]}],
            'game, tile "x": bridge has ["B"], which is not a pair of letters',
        ),
        (
            [{"id": "x", "map": ["AB", "cc"], "bridge": ["A", "B"]}],
            'game, tile "x": bridge: no straight Bridge over one Ground joins "A" and "B"',
        ),
        (
            [{"id": "x", "map": ["abC", "abC", "abC"], "elevator": ["a", "C"]}],
            'game, tile "x": elevator joins "a" and a Roof',
        ),
        (
            [{"id": "x", "map": ["ab", "cd"], "technology": 3}],
            'game, tile "x": technology is not a table of letters',
        ),
    ],
)
def test_broken_inline_tiles_are_refused(pack, tiles, reason):
    with pytest.raises(PackError) as caught:
        with_tiles(pack, tiles)
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        ({"icons": "move"}, "game: a card has no id"),
        ({"id": "a b", "icons": "move"}, 'game: a card\'s id is "a b", not a word'),
        ({"id": "c", "icons": ["move"]}, 'game, card "c": icons is ["move"], not a text'),
        ({"id": "c", "icons": "move", "title": 16**5000}, 'game, card "c": title is a number of about 6'),
        ({"id": "c", "icons": "move", "energy": 16**5000}, 'game, card "c": energy is a number of about 6'),
        ({"id": "c"}, 'game, card "c": key "icons" is missing'),
        ({"id": "c", "icons": "hop"}, 'game, card "c": unknown icon "hop"; icons read such as move'),
        ({"id": "c", "icons": ""}, 'game, card "c": the card has no icon'),
        ({"id": "c", "icons": "move", "cost": 1}, 'game, card "c": unknown key "cost"'),
        (
            {"id": "c", "icons": "move", "energy": "one"},
            'game, card "c": energy is "one", not a number from 0 to 9',
        ),
        ({"id": "c", "icons": "move", "market": "flea"}, 'game, card "c": deck "flea" is not one of'),
    ],
)
def test_broken_inline_cards_are_refused(pack, card, reason):
    with pytest.raises(PackError) as caught:
        with_cards(pack, [card])
    assert str(caught.value).startswith(reason)
