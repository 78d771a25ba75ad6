"""From an experiment to its blocks: who sits where, played how, with which chance.

A *block* is one deal under all P rotations of one line-up, so within it every faction (with its strategy)
sits in every seat once. A *cell* is a line-up in one circular order; there are C(F, P) · (P − 1)! of them,
and block i takes cell i mod K of a fixed order in which any prefix has the factions nearly equally often.

Several strategies are mixed by design. A faction keeps its strategy through a block. With S strategies the
S^P ways to give them to the P places of a cell are taken in turn: place j has strategy (a + d_j) mod S,
d_0 = 0, a = q + c at the q-th visit of cell c, and the same d for S visits and S neighbouring cells. So
after S blocks each place had each strategy once, after S visits of a cell each of its factions had, and
after S^P visits each way was there once. One strategy plays all seats.

With several numbers of players, blocks come in *cycles* that hold equally many games of each (the least
common multiple), so a prefix is balanced there too. `games` is rounded up to whole cycles, which for one
number of players are blocks. Four-player games are the same ones whether or not others are played beside.

With several arms a block is played under each of them, on the same deal, from the same seats and with the
same noise of the strategies, unless an arm has another `noise` than the base, which has 0: then its
strategies draw from other keys. Of the game that is number g of one arm's, arm k of A has number g · A + k.

A *part* is whole cycles: what one worker plays and one file holds. Early parts are short, so that small
runs keep all workers busy; later ones are as long as the slowest strategy allows. Their bounds depend on
the experiment alone, so parts can be played anywhere, in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import ceil, comb, factorial, lcm
from typing import Any

import numpy as np

from simlab.game import SCHEDULE
from simlab.strategy import PART_GAMES

_U = np.uint64
_SHORT = ((16, 20), (16, 4))  # so many parts of 1/20, then 1/4 of the full length

# purposes of keys, as in chance.py (importing that would import the compiler)
_GAME, _STRATEGY, _NOISE = 13, 10, 11


def draw(key: Any, purpose: int, a: Any, b: Any) -> np.ndarray[Any, Any]:
    """`chance.draw` for whole arrays, without compiling; a test holds the two together."""
    state = np.zeros(np.broadcast(key, a, b).shape, _U)
    for value in (key, purpose, a, b):
        state = _mixed(state, np.asarray(value, np.int64).astype(_U))
    return (state >> _U(1)).astype(np.int64)


def _mixed(state: np.ndarray[Any, Any], value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    with np.errstate(over="ignore"):
        z = (state ^ value) + _U(0x9E3779B97F4A7C15)
        z = (z ^ (z >> _U(30))) * _U(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> _U(27))) * _U(0x94D049BB133111EB)
        mixed: np.ndarray[Any, Any] = z ^ (z >> _U(31))
        return mixed


@cache
def cells(factions: int, players: int) -> np.ndarray[Any, Any]:
    """(cell, place) → faction, in an order whose every prefix is nearly balanced.

    Greedy: of the cells not yet taken, the next one has the factions that came least often, then the
    neighbours (who sits after whom) that came least often; ties go to the first in dictionary order.
    """
    orders = [
        (line_up[0], *rest)
        for line_up in combinations(range(factions), players)
        for rest in permutations(line_up[1:])
    ]
    left = np.array(orders, np.int8)
    after = np.roll(left, -1, axis=1)
    seen, follows = np.zeros(factions, int), np.zeros((factions, factions), int)
    ordered = []
    for _ in orders:
        unevenness = (2 * seen[left] + 1).sum(1), (2 * follows[left, after] + 1).sum(1)
        best = np.lexsort((unevenness[1], unevenness[0]))[0]
        ordered.append(left[best])
        seen[left[best]] += 1
        follows[left[best], after[best]] += 1
        left, after = np.delete(left, best, axis=0), np.delete(after, best, axis=0)
    return np.array(ordered, np.int8)


@dataclass(frozen=True)
class Part:
    """Cycles `first` … `last` − 1 of a run: what one worker plays."""

    number: int
    first: int
    last: int
    games: int
    full: int  # games of a part of this number that isn't cut short by the end of the run


@dataclass(frozen=True)
class Design:
    """The order of all games of an experiment, without end: a prefix of it is a run."""

    seed: int
    players: tuple[int, ...]
    factions: tuple[int, ...]  # who may play, as the game numbers them
    strategies: int
    games_per_part: int = PART_GAMES  # the least of what the strategies allow
    noise: tuple[int, ...] = (0,)  # of each arm, each of which plays every block; 0 is the base's

    @property
    def arms(self) -> int:
        """How many variants play every block, the base among them."""
        return len(self.noise)

    @property
    def cycle_games(self) -> int:
        """Games of one cycle for each number of players."""
        return lcm(*self.players)

    @property
    def games_in_cycle(self) -> int:
        """Games of one cycle, all numbers of players and arms together."""
        return self.cycle_games * len(self.players) * self.arms

    @property
    def blocks_in_cycle(self) -> int:
        """Blocks of one cycle, all numbers of players together."""
        return sum(self.cycle_games // players for players in self.players)

    def cycles(self, games: int) -> int:
        """How many cycles hold at least `games` games of each number of players."""
        return ceil(games / self.cycle_games)

    def replicate(self, players: int) -> int:
        """Games after which line-ups, orders and strategies are balanced exactly."""
        cells_ = comb(len(self.factions), players) * factorial(players - 1)
        return int(cells_ * players * self.strategies**players)

    def part_cycles(self, number: int) -> int:
        """The length of a part that isn't cut short by the end of the run, in cycles."""
        most, before = self.games_per_part, 0
        for count, fraction in _SHORT:
            before += count
            if number < before:
                return max(1, most // fraction // self.games_in_cycle)
        return max(1, most // self.games_in_cycle)

    def parts(self, games: int) -> list[Part]:
        """The parts of a run of `games` games for each number of players; the last may be cut short."""
        wanted, first = self.cycles(games), 0
        parts: list[Part] = []
        while first < wanted:
            length = self.part_cycles(len(parts))
            last = min(first + length, wanted)
            size = self.games_in_cycle
            parts.append(Part(len(parts), first, last, (last - first) * size, length * size))
            first = last
        return parts

    def schedule(self, part: Part) -> np.ndarray[Any, Any]:
        """The games of a part: an array of SCHEDULE, arm after arm, each of them block by block."""
        groups = [self._games_of(players, part.first, part.last) for players in self.players]
        base = np.concatenate(groups)
        base = base[np.argsort(base["block"], kind="stable")]
        base["game"] = part.first * self.games_in_cycle + self.arms * np.arange(len(base))
        schedule = np.tile(base, self.arms)
        schedule["arm"] = np.repeat(np.arange(self.arms), len(base))
        schedule["game"] += schedule["arm"]
        noise = np.repeat(self.noise, len(base))
        other = noise > 0
        schedule["strategy_key"][other] = draw(schedule["strategy_key"][other], _NOISE, noise[other], 0)
        return schedule

    def row_of(self, game: int) -> np.ndarray[Any, Any]:
        """One game by its number: an array of SCHEDULE, length 1."""
        size, cycle = self.games_in_cycle, game // self.games_in_cycle
        schedule = self.schedule(Part(0, cycle, cycle + 1, size, size))
        row: np.ndarray[Any, Any] = schedule[schedule["game"] == game]
        return row

    def _games_of(self, players: int, first: int, last: int) -> np.ndarray[Any, Any]:
        """All games with that many players of some cycles, in order."""
        per_cycle = self.cycle_games // players
        own = np.arange(first * per_cycle, last * per_cycle)  # blocks with that many players, from 0
        games = np.zeros(len(own) * players, SCHEDULE)
        deal = np.repeat(own, players)
        rotation = np.tile(np.arange(players), len(own))
        games["block"] = np.repeat(self._block_number(own, players), players)
        games["deal_key"] = draw(self.seed, _GAME, players, deal)
        strategy_key = draw(self.seed, _STRATEGY, players, deal)
        games["strategy_key"] = draw(strategy_key, _STRATEGY, rotation, 0)
        games["rotation"], games["players"] = rotation, players
        seats = np.arange(players)
        place = (seats + rotation[:, None]) % players  # (game, seat) → place in the cell's circular order
        given = {"faction": self._line_ups(own, players), "strategy": self._mix(own, players)}
        for field, by_place in given.items():
            by_game = np.repeat(by_place, players, axis=0)
            games[field] = -1
            games[field][:, :players] = np.take_along_axis(by_game, place, axis=1)
        return games

    def _block_number(self, own: np.ndarray[Any, Any], players: int) -> np.ndarray[Any, Any]:
        per_cycle = self.cycle_games // players
        fewer = sum(self.cycle_games // other for other in self.players if other < players)
        cycle, place = np.divmod(own, per_cycle)
        number: np.ndarray[Any, Any] = cycle * self.blocks_in_cycle + fewer + place
        return number

    def _line_ups(self, own: np.ndarray[Any, Any], players: int) -> np.ndarray[Any, Any]:
        """(block, place) → faction."""
        table = cells(len(self.factions), players)
        factions: np.ndarray[Any, Any] = np.array(self.factions, np.int8)[table[own % len(table)]]
        return factions

    def _mix(self, own: np.ndarray[Any, Any], players: int) -> np.ndarray[Any, Any]:
        """(block, place) → strategy."""
        s = self.strategies
        visit, cell = np.divmod(own, len(cells(len(self.factions), players)))
        ways = s ** (players - 1)
        way = (visit // s + cell // s * _stride(ways)) % ways
        digits = way[:, None] // s ** np.arange(players - 1) % s
        places = np.concatenate([np.zeros((len(own), 1), int), digits], axis=1)
        mixed: np.ndarray[Any, Any] = ((visit + cell)[:, None] + places) % s
        return mixed


def _stride(ways: int) -> int:
    """A step that spreads the cells over all ways: near the golden section, prime to their number."""
    step = max(1, round(ways * 0.618))
    while np.gcd(step, ways) != 1:
        step += 1
    return step


def design_of(
    seed: int,
    players: Sequence[int],
    factions: Sequence[int],
    games_per_part: Sequence[int],
    noise: Sequence[int] = (0,),
) -> Design:
    """The design of an experiment; one entry of `games_per_part` a strategy, one of `noise` an arm."""
    least = min(games_per_part)
    return Design(seed, tuple(sorted(players)), tuple(factions), len(games_per_part), least, tuple(noise))
