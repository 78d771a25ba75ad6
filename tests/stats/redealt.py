"""The oracle for effects of what was dealt: deal again, as chance might have, and see how much was luck.

Under the claim that a Feat does nothing to anybody the games would have ended as they did with any other
deal. So dealing Feats anew to the seats of each block, without replacement, gives the distribution of the
studentised effect exactly, whatever else makes blocks or seats alike.

Source: Fisher 1935, "The Design of Experiments"; Chung and Romano 2013, "Exact and asymptotically robust
permutation tests", for studentising.
"""

from __future__ import annotations

import numpy as np

from simlab.stats.differences import against_rest


def studentised(feat: np.ndarray, games: np.ndarray, totals: np.ndarray, feats: int) -> np.ndarray:
    """Effect over its clustered error by Feat (K): feat (G, S) dealt to seats of blocks, with their games and
    totals (G, S)."""
    dealt = feat[:, :, None] == np.arange(feats)
    own_n, own_t = ((values[:, :, None] * dealt).sum(1) for values in (games, totals))
    rest_n, rest_t = (all_of.sum(1, keepdims=True) - own for all_of, own in ((games, own_n), (totals, own_t)))
    effects, _ = against_rest(own_n, own_t, rest_n, rest_t)
    return np.array([effect.value / effect.se for effect in effects])


def redealt_p(
    rng: np.random.Generator,
    feat: np.ndarray,
    games: np.ndarray,
    totals: np.ndarray,
    feats: int,
    draws: int = 999,
) -> np.ndarray:
    """Two-sided p by Feat (K): the share of deals, this one included, with an effect as clear."""
    seen = np.abs(studentised(feat, games, totals, feats))
    as_clear = np.ones(feats)
    for _ in range(draws):
        deal = rng.random((len(feat), feats)).argsort(axis=1)[:, : feat.shape[1]]
        as_clear += np.abs(studentised(deal, games, totals, feats)) >= seen
    return as_clear / (draws + 1)
