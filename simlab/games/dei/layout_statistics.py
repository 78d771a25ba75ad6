"""What random layouts of a pack look like: drawn, measured, summed up for a number of players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.errors import PackError
from simlab.games.dei.board import APART_FAILED, FAILURES, make_board, try_layout
from simlab.games.dei.regions import OK
from simlab.games.dei.state import records
from simlab.games.dei.tables import BOARD_RECORD, LINKED

if TYPE_CHECKING:
    from simlab.games.dei.pack import Pack

KEY = 2023  # of the draws: the same boards at every check


@dataclass(frozen=True)
class BoardFigures:
    """One board in figures."""

    regions: int
    links: float  # Linked Regions of a Region, mean over the Regions
    without_link: float  # share of the Regions
    largest: float  # Region, share of the spaces
    reachable: bool  # every Region from the Neutral Refuges, with Bridges and Elevators at all sites
    outpost_regions: float  # Regions with an Outpost, by Outpost
    bridge_sites: int
    elevator_sites: int
    early_reach: float  # Regions within two Moves of a Neutral Refuge without building, mean over them
    refuge_distance: int  # steps between the Neutral Refuges, 0 if they share a Region


@dataclass(frozen=True)
class LayoutStatistics:
    """Many random layouts for a number of players."""

    players: int
    boards: tuple[BoardFigures, ...]  # the Neutral Refuges apart; Regions of any size
    share_adjacent: float  # of all draws: thrown away because the Neutral Refuges were adjacent
    limit: float  # largest Region allowed, share of the spaces

    @property
    def share_too_large(self) -> float:
        """Boards that a game would draw again because a Region is too large."""
        return float(np.mean([board.largest > self.limit for board in self.boards]))

    def mean(self, name: str) -> float:
        """The mean of one figure."""
        return float(np.mean([getattr(board, name) for board in self.boards]))

    def span(self, name: str) -> tuple[float, float]:
        """The least and the greatest value of one figure."""
        values = [getattr(board, name) for board in self.boards]
        return min(values), max(values)


def figures(board: Any) -> BoardFigures:
    """Measure one board record."""
    n = int(board.n_regions)
    linked = (board.relation[:n, :n] & LINKED) > 0
    degrees = linked.sum(axis=1)
    refuges = [int(r) for r in board.refuge_regions[: int(board.n_refuge_regions)]]
    distance = int(board.distance[refuges[0], refuges[1]]) if len(refuges) > 1 else 0
    outposts = board.outpost_region[: int(board.n_outposts)]
    return BoardFigures(
        regions=n,
        links=float(degrees.mean()),
        without_link=float((degrees == 0).mean()),
        largest=float(board.region_size[:n].max() / int(board.n_spaces)),
        reachable=bool(spread(with_sites(board, linked), refuges, n).all()),
        outpost_regions=len(np.unique(outposts)) / max(len(outposts), 1),
        bridge_sites=int(board.n_bridge_sites),
        elevator_sites=int(board.n_elevator_sites),
        early_reach=float(np.mean([spread(linked, [r], 2).sum() - 1 for r in refuges])) if refuges else 0.0,
        refuge_distance=distance,
    )


def with_sites(board: Any, linked: Any) -> Any:
    """The links if a Bridge or an Elevator stood at every site."""
    every = linked.copy()
    for first, second, count in (
        (board.elevator_ground, board.elevator_roof, int(board.n_elevator_sites)),
        (board.bridge_a, board.bridge_b, int(board.n_bridge_sites)),
    ):
        every[first[:count], second[:count]] = True
        every[second[:count], first[:count]] = True
    return every


def spread(linked: Any, starts: list[int], moves: int) -> Any:
    """The Regions reached from `starts` in so many Moves at most."""
    reached = np.zeros(len(linked), bool)
    reached[starts] = True
    for _ in range(moves):
        further = reached | linked[reached].any(axis=0)
        if (further == reached).all():
            break
        reached = further
    return reached


def layout_statistics(pack: Pack, players: int, draws: int) -> LayoutStatistics:
    """Draw random layouts until `draws` have their Neutral Refuges apart."""
    record = records(BOARD_RECORD)
    boards: list[BoardFigures] = []
    adjacent = 0
    while len(boards) < draws:
        code = try_layout(pack.table, record, players, KEY, len(boards) + adjacent)
        if code == APART_FAILED and adjacent < 100 * draws:
            adjacent += 1
            continue
        if code != OK:
            reason = "the Neutral Refuges are never apart" if code == APART_FAILED else FAILURES[code]
            raise PackError(f"pack '{pack.name}', {players} players: {reason}")
        boards.append(figures(record[0]))
    limit = int(pack.table[0].largest_region_percent) / 100
    return LayoutStatistics(players, tuple(boards), adjacent / (adjacent + draws), limit)


def quick_figures(pack: Pack, players: int) -> BoardFigures:
    """The quick layout in figures."""
    return figures(make_board(pack, players, 0, "quick", "quick")[0])
