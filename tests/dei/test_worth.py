"""Worth planted in the engine and found by knock-outs in few games, where what goes with winning misleads."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import simlab
from reports.dei.basis import Basis
from reports.dei.knock_outs.cost import prices
from reports.dei.knock_outs.worth import Row, rows
from simlab.games.dei.pack import PACKS
from simlab.results import open_run
from simlab.stats.paired import PairedMoments, effect

if TYPE_CHECKING:
    from simlab.results import Run
    from simlab.stats.intervals import Estimate

pytestmark = pytest.mark.compiled_only
Play = Callable[..., "Run"]
FEAT, CARD = "trading_post", "draco-2"
PLAYERS = 4


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Plays an experiment of four players, given as TOML below its first keys."""

    def played(tables: str, games: int = 240, by: str = "dei/greedy", pack: str = "reconstructed") -> Run:
        folder = tmp_path / f"run{len(list(tmp_path.iterdir()))}"
        file = folder.with_suffix(".toml")
        keys = {"name": "planted", "game": "dei", "pack": pack}
        text = "".join(f'{key} = "{value}"\n' for key, value in keys.items())
        text += f'seed = 3\ngames = {games}\nplayers = {PLAYERS}\nstrategies = ["{by}"]\n{tables}\n'
        file.write_text(text, encoding="utf-8")
        simlab.run(file, workers=1, out=folder)
        return open_run(folder)

    return played


@pytest.fixture
def free(tmp_path: Path) -> str:
    """The folder of the shipped pack with CARD for nothing."""
    folder = tmp_path / "pack"
    shutil.copytree(PACKS / "reconstructed", folder)
    with (folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        cards = list(csv.DictReader(file))
    (card,) = (card for card in cards if card["id"] == CARD)
    assert (card["technology"], card["energy"]) == ("2", "2")
    card |= {"technology": "0", "technology_range": "0..3", "energy": "0", "energy_range": "0..3"}
    with (folder / "cards.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, cards[0], lineterminator="\n")
        table.writeheader()
        table.writerows(cards)
    return str(folder)


def worth(run: Run, label: str) -> Row:
    (row,) = (row for row in rows(Basis(run), PLAYERS) if row.label == label)
    return row


def on_supplies(row: Row) -> Estimate:
    return row.supplies.users.difference


def test_a_feat_that_gives_twice_as_much_is_worth_as_much_more(play: Play) -> None:
    """Trading Post gives Supplies for each Buy; nothing else rewards Buys, and only one seat has it."""
    taken = f'[knock_outs]\nfeats = ["{FEAT}"]\n[rules]\ntrading_post_supplies = '
    single, double = (play(f"{taken}{supplies}", games=160) for supplies in (2, 4))
    once, twice = (on_supplies(worth(run, "Trading Post")) for run in (single, double))
    assert 0 < once.low < once.high < twice.low
    # 2 more for each Buy of its owner, from the Turn on in which it was unlocked or the one after
    (least, most) = single.sql(
        "SELECT avg(after), avg(since) FROM (SELECT s.game, s.seat, "
        "count(*) FILTER (bought_turn > feat_machinery_turn) AS after, "
        "count(*) FILTER (bought_turn >= feat_machinery_turn) AS since "
        "FROM seats AS s LEFT JOIN market AS m ON m.game = s.game AND bought_by = seat "
        f"WHERE feat_machinery = '{FEAT}' AND feat_machinery_turn IS NOT NULL GROUP BY ALL)"
    ).fetchall()[0]
    room = 3.1 * hypot(once.se, twice.se)
    assert 2 * least - room < twice.value - once.value < 2 * most + room


def test_a_card_for_nothing_is_worth_its_price_more(play: Play, free: str) -> None:
    taken = f'[knock_outs]\ncards = ["{CARD}"]'
    dear, cheap = play(taken), play(taken, pack=free)
    assert prices(Basis(dear), PLAYERS)[CARD] == 4
    assert prices(Basis(cheap), PLAYERS)[CARD] == 0
    before, after = (worth(run, CARD) for run in (dear, cheap))
    assert on_supplies(before).high < on_supplies(after).low
    # the price is 3 Supplies at the final count, and worth more than that while the game lasts
    gained = on_supplies(after).value - on_supplies(before).value
    assert 3 - 3.1 * hypot(on_supplies(before).se, on_supplies(after).se) < gained < 8
    assert before.supplies.seats.difference.high < after.supplies.seats.difference.low


def test_three_supplies_given_to_a_seat_are_three_supplies(play: Play) -> None:
    """The estimator that knock-outs rest on, with an effect that is known to the Supply."""
    run = play("[arms.given]\nhandicaps = { grant_supplies = [3, 0, 0, 0] }", games=160)
    found = run.sql(
        "SELECT b.block, b.seat, sum(b.supplies)::DOUBLE, sum(a.supplies)::DOUBLE, "
        "count(*) FILTER (a.supplies <> b.supplies)::DOUBLE "
        "FROM (SELECT *, game // 2 AS pair FROM seats WHERE arm = 0) AS b "
        "JOIN (SELECT *, game // 2 AS pair FROM seats WHERE arm = 1) AS a USING (pair, seat) "
        "GROUP BY ALL ORDER BY ALL"
    ).fetchnumpy()
    _, seat, base, arm, changed = found.values()
    given, *others = (
        effect(
            PairedMoments.of_blocks(
                np.full((seat == s).sum(), 4.0), base[seat == s], arm[seat == s], changed[seat == s]
            )
        )
        for s in range(PLAYERS)
    )
    assert given.difference.low < 3 < given.difference.high
    assert given.difference.se < 0.5
    assert given.reduction > 5  # on other deals it would take so many times the games
    assert all(abs(other.difference.value) < 3.1 * other.difference.se for other in others)


def test_who_wins_anyway_makes_a_card_look_good_and_the_ban_tells(play: Play) -> None:
    """The 1st seat is given 100 Supplies, so it wins, and 8 Technology, so it buys: no card does it."""
    cards = ("black-01", "black-10")
    run = play(
        "[handicaps]\ngrant_supplies = [100, 0, 0, 0]\ngrant_technology = [8, 0, 0, 0]\n"
        f"[knock_outs]\ncards = {list(cards)}",
        games=240,
        by="dei/uniform",
    )
    for card in cards:
        found = worth(run, card)
        assert found.win.association.low > 0.25  # the naive win rate calls it the best card of all
        assert found.win.users.difference.value == 0
        assert found.win.p == 1
        assert not found.stands_out
        assert found.course.value > 0.9  # though the games are others


def test_a_feat_that_gives_nothing_is_worth_exactly_nothing(play: Play) -> None:
    """A restriction on what can't be used changes no game (Jaffe et al. 2012)."""
    rules = "[rules]\ntrading_post_supplies = 0\nfeat_supplies = [0, 0, 0, 0]\nfeat_unlock_cubes = 1"
    run = play(f'[knock_outs]\nfeats = ["{FEAT}"]\n{rules}', games=240, by="dei/uniform")
    found = worth(run, "Trading Post")
    assert found.win.enough
    for each in (found.win, found.supplies):
        assert each.users.identical
        assert (each.users.difference.low, each.users.difference.high) == (0, 0)
        assert each.p == 1
