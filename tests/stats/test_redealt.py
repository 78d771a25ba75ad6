"""The clustered errors of what a Feat does are those that dealing again gives (tests/stats/redealt.py)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import stdtr

from tests.stats.redealt import redealt_p, studentised

BLOCKS, SEATS, FEATS, GAMES = 150, 4, 6, 8
DEALS = 2_999
NEAR = 0.05  # five standard errors of a p near 0.5 with so many deals


def deal(rng: np.random.Generator, effect: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Feats of the seats, games and wins of each (G, S): a block's deal favours some seat in all its games,
    as a map may, and Feat 0 gives whoever has it so much more."""
    feat = rng.random((BLOCKS, FEATS)).argsort(axis=1)[:, :SEATS]
    strength = rng.gamma(1.0, size=(BLOCKS, SEATS)) + 0.02
    chance = strength / strength.sum(1, keepdims=True)
    has = feat == 0
    chance = (1 - effect * has.any(1, keepdims=True)) * chance + effect * has
    return feat, np.full((BLOCKS, SEATS), float(GAMES)), rng.multinomial(GAMES, chance).astype(float)


def clustered_p(statistic: np.ndarray) -> np.ndarray:
    return 2 * stdtr(BLOCKS - 1, -np.abs(statistic))


@pytest.mark.parametrize("effect", [0.0, 0.2])
def test_clustered_p_values_are_those_of_dealing_again(effect: float) -> None:
    rng = np.random.default_rng(int(100 * effect))
    feat, games, wins = deal(rng, effect)
    expected = redealt_p(rng, feat, games, wins, FEATS, DEALS)
    found = clustered_p(studentised(feat, games, wins, FEATS))
    assert np.abs(found - expected).max() < NEAR
    if effect:
        assert found[0] < 0.01
        assert expected[0] < 0.01


def test_games_taken_for_independent_would_claim_too_much() -> None:
    """With eight games a block that favour one seat clustered errors claim in 5 %, those of rows in more."""
    rng = np.random.default_rng(7)
    clustered, by_row = [], []
    for _ in range(150):
        feat, games, wins = deal(rng)
        clustered.append(clustered_p(studentised(feat, games, wins, FEATS)) < 0.05)
        has = feat == 0
        share, rest = wins[has].mean() / GAMES, wins[~has].mean() / GAMES
        error = np.sqrt(share * (1 - share) / games[has].sum() + rest * (1 - rest) / games[~has].sum())
        by_row.append(abs(share - rest) / error > 1.96)
    assert 0.03 < np.mean(clustered) < 0.08
    assert np.mean(by_row) > 0.12
