"""Drawn packs: what is printed stays, what is assumed keeps to its range, a seed gives the same bytes."""

from __future__ import annotations

import csv
import io
import shutil
from contextlib import suppress
from itertools import chain
from pathlib import Path

import pytest

from simlab import experiment, runs
from simlab.errors import PackError, UsageError
from simlab.games.dei.addresses import Address
from simlab.games.dei.definition import GAME
from simlab.games.dei.pack import PACKS, load_pack
from simlab.games.dei.pack_check import check_pack, dominated
from simlab.games.dei.pack_parts import Drawn, list_of_tables, read_tiles
from simlab.games.dei.pack_rows import parse_cards, parse_missions, parse_slots
from simlab.games.dei.row_sample import (
    sampled_candy,
    sampled_card,
    sampled_cards,
    sampled_missions,
    sampled_slots,
)
from simlab.games.dei.tile_sample import sampled_layouts, sampled_tiles, tile_text
from simlab.packs import sample, write

SHIPPED = PACKS / "reconstructed"
SEED = 11
HERE = Address(("a", "b"))


def text_of(name: str) -> str:
    return (SHIPPED / name).read_text(encoding="utf-8")


def rows_of(text: str) -> dict[str, dict[str, str]]:
    return {row["id"]: row for row in csv.DictReader(io.StringIO(text))}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The folders of two drawn packs."""
    return list(sample(GAME, load_pack("reconstructed"), SEED, 2, tmp_path_factory.mktemp("packs")))


# --- addresses ---


def test_a_value_depends_on_its_address_alone() -> None:
    assert HERE.at("x").below(1000) == HERE.at("x").below(1000) == Address(("a", "b", "x")).below(1000)
    assert HERE.at("x", "y").below(10**9) != HERE.at("xy").below(10**9)
    assert HERE.at(1).words == HERE.at("1").words
    found = [HERE.at(k).between(2, 4) for k in range(3000)]
    assert set(found) == {2, 3, 4}
    assert all(abs(found.count(value) - 1000) < 100 for value in (2, 3, 4))


def test_a_shuffle_keeps_the_order_of_the_others_when_one_comes() -> None:
    words = [f"2.{k}" for k in range(1, 10)]
    order = HERE.shuffled(words)
    assert sorted(order) == words
    assert order != words
    assert [word for word in HERE.shuffled([*words, "3.1"]) if word != "3.1"] == order


# --- rows ---


def test_a_card_is_drawn_for_itself_whatever_stands_beside_it() -> None:
    text = text_of("cards.csv")
    header, *lines = text.splitlines()
    turned = sampled_cards("\n".join([header, *reversed(lines)]), HERE)
    assert rows_of(turned) == rows_of(sampled_cards(text, HERE))
    changed = text.replace("Tactic Market 8", "Another title").replace("fly-0,", "fly-new,")
    before, after = rows_of(sampled_cards(text, HERE)), rows_of(sampled_cards(changed, HERE))
    assert {name for name in before if after.get(name) != before[name]} <= {
        "tactic-08", *(name for name in before if name.startswith("fly-"))
    }  # fmt: skip


def test_every_value_of_a_range_is_drawn() -> None:
    row = rows_of(text_of("cards.csv"))["draco-2"]
    many = [sampled_card(row, HERE.at(k)) for k in range(200)]
    assert {card["technology"] for card in many} == {"1", "2", "3"}
    assert {card["energy"] for card in many} == {"1", "2", "3"}
    assert {card["supplies"] for card in many} == {"2", "3", "4", "5"}
    words = {word for card in many for word in card["icons"].split()}
    assert words == {
        "drone:draco+1",
        "drone:draco+2",
        "drone:draco+3",
        "kill",
        "kill*2",
        "collect",
        "collect*2",
    }


def test_amounts_and_icons_once_for_each_outpost_are_drawn() -> None:
    cards = rows_of(text_of("cards.csv"))
    many = {sampled_card(cards["logistic-08"], HERE.at(k))["icons"].split()[0] for k in range(60)}
    assert many == {"technology/logistic", "technology*2/logistic"}


def test_no_drawn_card_is_dominated_and_faction_cards_have_no_price() -> None:
    for k in range(5):
        cards = parse_cards(sampled_cards(text_of("cards.csv"), HERE.at(k)))
        assert not dominated(cards)
        assert all(
            card.technology.value == card.supplies.value == 0 for card in cards if card.is_faction_card
        )


def test_slots_get_no_dearer_to_the_right() -> None:
    """A draw that doesn't hold to it is refused, and another one taken."""
    seen = set()
    for k in range(40):
        with suppress(PackError):
            slots = parse_slots(sampled_slots(text_of("markets.csv"), HERE.at(k)))
            for market in range(4):
                mine = sorted((slot.slot, slot.cubes.value) for slot in slots if slot.market == market)
                seen.add(tuple(cubes for _, cubes in mine))
    assert all(asked == tuple(sorted(asked, reverse=True)) for asked in seen)
    assert len(seen) > 4


def test_second_missions_are_of_two_kinds_with_printed_values() -> None:
    kinds = set()
    for k in range(60):
        missions = parse_missions(sampled_missions(text_of("missions.csv"), HERE.at(k)))
        first, second = (mission for mission in missions if mission.source == "assumed")
        printed = {mission.kind: mission.values for mission in missions if mission.source == "rulebook"}
        assert first.kind != second.kind
        assert first.values == printed[first.kind]
        kinds |= {first.kind, second.kind}
    assert kinds == set(range(10))


def test_candy_is_drawn_within_its_ranges() -> None:
    rows = list(csv.DictReader(io.StringIO(sampled_candy(text_of("candy.csv"), HERE))))
    assert {row["tokens_range"] for row in rows} == {"1..3"}
    assert all(1 <= int(row["tokens"]) <= 3 for row in rows)


def test_what_is_printed_stays() -> None:
    text = text_of("cards.csv").splitlines()
    name = text[40].partition(",")[0]
    cells = dict(zip(text[0].split(","), text[40].split(","), strict=True))
    cells |= {key: "" for key in cells if key.endswith("_range")} | {"source": "rulebook"}
    text[40] = ",".join(cells.values())
    for k in range(5):
        assert rows_of(sampled_cards("\n".join(text), HERE.at(k)))[name] == cells


def test_about_as_many_values_stay_as_asked() -> None:
    old = rows_of(text_of("cards.csv"))
    columns = ("technology", "energy", "supplies")
    numbers = [(name, column) for name in old for column in columns if old[name][column]]
    kept, by_chance = (
        sum(rows[name][column] == old[name][column] for name, column in numbers) / len(numbers)
        for rows in (rows_of(sampled_cards(text_of("cards.csv"), Address(("a", "b"), k))) for k in (80, 0))
    )
    assert 0.8 < kept < 0.97
    assert 0.2 < by_chance < 0.5
    tables = list_of_tables(text_of("tiles.toml"), "tiles.toml", "tile")
    assert list_of_tables(sampled_tiles(text_of("tiles.toml"), Address((), 100)), "", "tile") == tables


# --- tiles ---


def test_tiles_keep_their_ranges_and_most_maps_change() -> None:
    text = text_of("tiles.toml")
    old = {table["id"]: table for table in list_of_tables(text, "tiles.toml", "tile")}
    drawn = list_of_tables(sampled_tiles(text, HERE), "tiles.toml", "tile")
    read_tiles(sampled_tiles(text, HERE))  # every value is within its range, or this fails
    assert [table["range"] for table in drawn] == [table["range"] for table in old.values()]
    assert sum(table["map"] != old[table["id"]]["map"] for table in drawn) > 10
    for table in drawn:
        before, after = ("".join(t.get("outposts", {}).values()) for t in (old[table["id"]], table))
        assert sorted(before) == sorted(after)


def test_a_printed_tile_stays() -> None:
    tables = list_of_tables(text_of("tiles.toml"), "tiles.toml", "tile")
    printed = {key: value for key, value in tables[0].items() if key != "range"} | {"source": "rulebook"}
    text = "\n".join(map(tile_text, [printed, *tables[1:]]))
    drawn = list_of_tables(sampled_tiles(text, HERE), "tiles.toml", "tile")
    assert drawn[0] == printed
    assert drawn[1] != tables[1]


def test_layouts_are_drawn_in_another_order() -> None:
    text = text_of("layouts.toml")
    for old, new in zip(
        list_of_tables(text, "layouts.toml", "layout"),
        list_of_tables(sampled_layouts(text, HERE), "layouts.toml", "layout"),
        strict=True,
    ):
        assert old["grid"] != new["grid"]
        assert sorted(chain(*old["grid"])) == sorted(chain(*new["grid"]))


# --- whole packs ---


@pytest.mark.compiled_only
def test_the_same_seed_gives_the_same_bytes_and_another_number_others(drawn: list[Path]) -> None:
    texts, others = ({file.name: file.read_text(encoding="utf-8") for file in f.iterdir()} for f in drawn)
    assert GAME.sample_pack(load_pack("reconstructed"), SEED, 0, 0) == (drawn[0].name, texts)
    assert {name for name in texts if texts[name] == others[name]} <= {"feats.csv", "markets.csv"}


@pytest.mark.compiled_only
def test_a_drawn_pack_holds_every_constraint_and_says_where_it_is_from(drawn: list[Path]) -> None:
    shipped = load_pack("reconstructed")
    for index, folder in enumerate(drawn):
        pack = load_pack(str(folder))
        assert pack.name == folder.name == f"reconstructed-{SEED}-{index}"
        assert pack.parts.drawn == Drawn("reconstructed", shipped.hash[:16], SEED, index, 0)
        problems, lines = check_pack(pack, 2000)
        assert not problems
        assert f"drawn from reconstructed ({shipped.hash[:12]}), seed {SEED}, number {index}" in lines
        assert abs(pack.share_assumed - shipped.share_assumed) < 0.02
        for one, other in zip(shipped.parts.cards, pack.parts.cards, strict=True):
            assert (one.id, one.deck, one.source, one.icon_ranges) == (
                other.id, other.deck, other.source, other.icon_ranges
            )  # fmt: skip
    assert shipped.parts.drawn is None


@pytest.mark.compiled_only
def test_random_games_with_drawn_packs_end(drawn: list[Path], tmp_path: Path) -> None:
    for folder in drawn:
        file = tmp_path / f"{folder.name}.toml"
        file.write_text(
            f'name = "drawn"\ngame = "dei"\nseed = 1\ngames = 240\nplayers = [2, 3, 4]\npack = "{folder}"\n'
            'strategies = ["dei/uniform", "dei/greedy"]\n',
            encoding="utf-8",
        )
        manifest = runs.play(runs.plan(experiment.load(file), tmp_path / folder.name), 1, quiet=True)
        assert manifest["counts"]["endings"] == {"finished": 720}


def test_a_pack_that_breaks_a_constraint_itself_is_refused(tmp_path: Path) -> None:
    folder = shutil.copytree(SHIPPED, tmp_path / "mine")
    file = folder / "candy.csv"
    file.write_text(file.read_text(encoding="utf-8").replace("2,1..3", "2,2..2", 7), encoding="utf-8")
    pack = load_pack(str(folder))
    file.write_text(file.read_text(encoding="utf-8").replace("2,1..3", "3,3..3"), encoding="utf-8")
    with pytest.raises(PackError, match=r"1000 draws .* at last: candy.csv: 17 tokens instead of 16"):
        GAME.sample_pack(pack, 1, 0, 0)


# --- on disk ---


def test_a_folder_that_holds_the_pack_is_left_and_another_one_refused(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "one"
    write(folder, {"pack.toml": "a\n"})
    before = folder.stat().st_mtime_ns
    write(folder, {"pack.toml": "a\n"})
    assert folder.stat().st_mtime_ns == before
    for other in ({"pack.toml": "b\n"}, {"pack.toml": "a\n", "cards.csv": ""}, {}):
        with pytest.raises(UsageError, match="is there already and holds something else"):
            write(folder, other)
    assert [path.name for path in folder.parent.iterdir()] == ["one"]
    assert (folder / "pack.toml").read_text() == "a\n"


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "one", {"pack.toml": "a\n", "no/such/folder": "b\n"})
    assert not list(tmp_path.iterdir())
