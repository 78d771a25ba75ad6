"""Assumed values of a pack: found by what sampled packs have otherwise, as fine as files can be mixed."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from fake_game import GAME_OF_CHANCE

from simlab.errors import PackError, RunError
from simlab.game import Game
from simlab.robustness.mixtures import mixtures
from simlab.robustness.values import CELL, FILE, ROW, File, values_of

CARDS = "id,price,price_range,icons\nt1,2,0..9,move\nt2,3,0..9,kill\n"
MISSIONS = "id,kind,source\na,outposts,assumed\nb,drones,assumed\n"
TILES = """[[tile]]
id = "2.1"
map = ["AA"]

[[tile]]
id = "2.2"
map = ["bb"]
[tile.range]
patches = "1..2"
"""
HEAD = 'name = "own"\ntitle = "Own"\nlimit = 30\n'


def labels(name: str, own: str, *others: str, grain: str = CELL) -> list[str]:
    return [value.label for value in values_of(File(name, own), [File(name, text) for text in others], grain)]


def test_cells_that_a_sampled_pack_has_otherwise_are_values() -> None:
    other = CARDS.replace("t1,2", "t1,5").replace("kill", "kill move")
    assert labels("cards.csv", CARDS, other) == ["cards.csv t1 price", "cards.csv t2 icons"]
    assert labels("cards.csv", CARDS, other, grain=ROW) == ["cards.csv t1", "cards.csv t2"]
    assert labels("cards.csv", CARDS, other, grain=FILE) == ["cards.csv"]
    assert labels("cards.csv", CARDS, CARDS) == []


def test_numbers_are_in_order_and_words_begin_with_the_own_one() -> None:
    others = [
        CARDS.replace("t1,2", f"t1,{price}").replace("move", word) for price, word in ((10, "a"), (1, "b"))
    ]
    price, icons = values_of(File("cards.csv", CARDS), [File("cards.csv", text) for text in others], CELL)
    assert [next(iter(each.values())) for each in price.variants] == ["1", "2", "10"]
    assert [next(iter(each.values())) for each in icons.variants] == ["move", "a", "b"]
    assert price.at(0) == price.variants[0]
    assert price.at(1) == price.variants[2]
    for low, high in ((0, 2 / 3), (1 / 3, 1)):  # every step of a trajectory changes it
        assert price.at(low) != price.at(high)


def test_a_row_that_may_be_called_otherwise_is_one_value() -> None:
    other = MISSIONS.replace("b,drones", "c,cubes")
    assert labels("missions.csv", MISSIONS, other) == ["missions.csv b"]
    (value,) = values_of(File("missions.csv", MISSIONS), [File("missions.csv", other)], CELL)
    assert File("missions.csv", MISSIONS).with_cells(value.at(1)) == other


def test_tables_and_keys_of_toml_are_values_but_for_what_a_pack_is_called() -> None:
    other = TILES.replace('"bb"', '"cc"')
    assert labels("tiles.toml", TILES, other) == ["tiles.toml 2.2"]
    drawn = HEAD.replace("own", "drawn").replace("30", "40") + "[drawn]\nseed = 1\n"
    assert labels("pack.toml", HEAD, drawn) == ["pack.toml limit"]
    own = File("pack.toml", HEAD)
    assert own.with_cells({("", "limit"): "40"}) == HEAD.replace("30", "40")
    assert File("tiles.toml", TILES).with_cells(File("tiles.toml", other).cells) == other


def test_tables_are_told_apart_however_they_are_written() -> None:
    own = "# by hand\n [[tile]] # first\nplayers = 2\nid = '2.1'\n[[tile]]\nplayers = 2\nid = '2.2'\n"
    assert labels("tiles.toml", own, own.replace("'2.2'", "'2.2'\ndrone = 'A'")) == ["tiles.toml 2 2.2"]
    alike = "[[a]]\nx = 1\n[[a]]\nx = 1\n"
    assert list(File("a.toml", alike).cells) == [("1", ""), ("2", "")]


def test_rows_with_two_words_for_a_name_have_both() -> None:
    markets = "market,slot,cubes\ntactic,1,2\ntactic,2,1\n"
    assert labels("markets.csv", markets, markets.replace("2,1", "2,0")) == ["markets.csv tactic 2 cubes"]


# --- mixing -------------------------------------------------------------------------------------------------


def game(refuses: str) -> Game:
    """A game whose packs can't be read where two Missions are of one kind, if it `refuses` "pairs"."""

    def load_pack(folder: str) -> str:
        file = Path(folder, "missions.csv")
        kinds = [row["kind"] for row in csv.DictReader(io.StringIO(file.read_text(encoding="utf-8")))]
        if refuses == "pairs" and len(set(kinds)) < len(kinds):
            raise PackError("twice")
        return folder

    return replace(GAME_OF_CHANCE, load_pack=load_pack)


def written(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "missions.csv").write_text(text, encoding="utf-8")
    return folder


def test_values_of_which_two_clash_anywhere_go_together(tmp_path: Path) -> None:
    own = written(tmp_path / "own", MISSIONS)
    kinds = [("cubes", "drones"), ("outposts", "cubes"), ("towers", "bases")]
    sampled = [
        written(tmp_path / str(k), MISSIONS.replace("outposts", one).replace("drones", other))
        for k, (one, other) in enumerate(kinds)
    ]
    apart = mixtures(game("nothing"), own, sampled)
    assert [value.label for value in apart.values] == ["missions.csv a kind", "missions.csv b kind"]
    together = mixtures(game("pairs"), own, sampled)
    assert [value.label for value in together.values] == ["missions.csv"]
    texts = {together.texts({0: level})["missions.csv"] for level in (0, 1 / 3, 2 / 3, 1)}
    assert texts == {path.joinpath("missions.csv").read_text(encoding="utf-8") for path in (own, *sampled)}


def test_a_byte_order_mark_is_no_part_of_a_column(tmp_path: Path) -> None:
    own = written(tmp_path / "own", "\ufeff" + MISSIONS)
    other = written(tmp_path / "other", MISSIONS.replace("outposts", "cubes"))
    assert [value.label for value in mixtures(game("nothing"), own, [other]).values] == [
        "missions.csv a kind"
    ]


def test_packs_that_are_all_alike_are_refused(tmp_path: Path) -> None:
    own = written(tmp_path / "own", MISSIONS)
    with pytest.raises(RunError, match="all alike"):
        mixtures(game("nothing"), own, [written(tmp_path / "other", MISSIONS)])
