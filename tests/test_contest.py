"""Contests: every strategy in every faction's place and every seat of a deal, on deals of their own."""

from __future__ import annotations

import numpy as np
import pytest

from simlab import chance, contest
from simlab.contest import contest_of, pack_seed
from simlab.design import design_of


def games_of(players: int, blocks: int, seed: int = 1, factions: int = 4) -> np.ndarray:
    made = contest_of(seed, (players,), range(factions), [6_000] * players)
    return np.concatenate([made.schedule(part) for part in made.parts(blocks * players**2)])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_a_block_each_strategy_has_each_faction_in_each_seat_once(players: int) -> None:
    games = games_of(players, 40)
    assert len(games) == 40 * players**2
    assert games["game"].tolist() == list(range(len(games)))
    for block in range(40):
        own = games[games["block"] == block]
        assert len(set(own["deal_key"])) == 1
        assert len(set(own["strategy_key"])) == players**2
        seat = np.tile(np.arange(players), len(own))
        triples = set(
            zip(own["strategy"][:, :players].flat, own["faction"][:, :players].flat, seat, strict=True)
        )
        assert len(triples) == players**3
        assert (np.sort(own["strategy"][:, :players], axis=1) == np.arange(players)).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_after_a_replicate_every_neighbour_of_strategies_and_factions_was_there_equally_often(
    players: int,
) -> None:
    made = contest_of(1, (players,), range(4), [6_000] * players)
    games = games_of(players, made.replicate(players) // players**2)
    who = games["strategy"][:, :players] * 10 + games["faction"][:, :players]
    pairs = np.stack([who.ravel(), np.roll(who, -1, axis=1).ravel()], axis=1)
    assert len(set(np.unique(pairs, axis=0, return_counts=True)[1])) == 1


def test_a_longer_contest_begins_with_the_shorter_one_and_a_row_is_found_alone() -> None:
    assert (games_of(3, 7) == games_of(3, 20)[:63]).all()
    made = contest_of(1, (3,), range(4), [6_000] * 3)
    assert made.row_of(50)[0] == games_of(3, 20)[50]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_run_has_a_deal_of_a_contest(players: int) -> None:
    keys = set(games_of(players, 300)["deal_key"]) | set(games_of(players, 300)["strategy_key"])
    made = design_of(1, (players,), range(4), [6_000])
    run = np.concatenate([made.schedule(part) for part in made.parts(1_200)])
    assert not keys & (set(run["deal_key"]) | set(run["strategy_key"]))


def test_purposes_are_those_of_chance_and_no_others() -> None:
    ours = {"LADDER_DEAL": contest._DEAL, "LADDER_STRATEGY": contest._STRATEGY, "LADDER_PACK": contest._PACK}
    assert {name: getattr(chance, name) for name in ours} == ours
    purposes = [
        value for name, value in vars(chance).items() if name.isupper() and name != "MASK" and name[0] != "_"
    ]
    assert len(set(purposes)) == len(purposes)


def test_packs_of_a_ladder_have_a_seed_of_their_own() -> None:
    assert pack_seed(1) != pack_seed(2)
    assert 0 <= pack_seed(1) < 2**63
