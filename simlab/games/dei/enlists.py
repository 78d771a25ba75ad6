"""Enlist: a Scrapper from the reserve to a Refuge, and its coloured forms."""

from __future__ import annotations

from simlab.games.dei.agenda import add
from simlab.games.dei.choices import DEPLOYMENT, choice
from simlab.games.dei.majority import units_at
from simlab.games.dei.modifiers import refuges_at
from simlab.games.dei.vocabulary import MACHINERY_ENLIST, TACTIC_ENLIST
from simlab.jit import inner


@inner
def can_enlist_at(public, rules, board, seat, op, region):
    """CORE-040, CORE-052, CORE-064: an own or Neutral Refuge; a Tactic Enlist also where an own Unit is."""
    if board.neutral_refuges[region] > 0 or refuges_at(public, rules, seat, region) > 0:
        return True
    return op == TACTIC_ENLIST and units_at(public, seat, region) > 0


@inner
def list_enlist_at(public, board, seat, op, region, source, out, n):
    """CORE-066: a Machinery Enlist may also put a resource there."""
    n = add(out, n, choice(DEPLOYMENT, op, region, source, 0, 0, 0))
    if op == MACHINERY_ENLIST:
        n = add(out, n, choice(DEPLOYMENT, op, region, source, 1, 0, 0))
    return n


@inner
def list_enlists(public, rules, board, seat, op, out, n):
    """CORE-040: from the reserve; with an empty reserve a Scrapper deployed elsewhere."""
    for region in range(int(board.n_regions)):
        if not can_enlist_at(public, rules, board, seat, op, region):
            continue
        if public.reserve[seat] > 0:
            n = list_enlist_at(public, board, seat, op, region, 0, out, n)
            continue
        for source in range(int(board.n_regions)):
            if source != region and public.scrappers[seat, source] > 0:
                n = list_enlist_at(public, board, seat, op, region, source + 1, out, n)
    return n


@inner
def bring_scrapper(public, seat, region, source):
    """CORE-028, CORE-040, CORE-072: one Scrapper to a Region, from the reserve (0) or Region source - 1."""
    if source == 0:
        public.reserve[seat] -= 1
    else:
        public.scrappers[seat, source - 1] -= 1
    public.scrappers[seat, region] += 1


@inner
def enlist(public, log, board, seat, region, source, with_resource):
    """CORE-040, CORE-066: the Scrapper, then the resource of the Region's level if wanted."""
    bring_scrapper(public, seat, region, source)
    log.enlisted[seat] += 1
    if with_resource != 0:
        put_resource(public, log, board, region)


@inner
def put_resource(public, log, board, region):
    """CORE-066, CORE-115: a resource from the Common Reserve: Technology on Grounds, Energy on Roofs."""
    public.resources[region] += 1
    log.placed_from_reserve[int(board.level[region])] += 1
