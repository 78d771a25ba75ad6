"""Kill: an opponent's Scrapper goes back to its reserve, its owner gains a Candy Boost."""

from __future__ import annotations

from simlab.games.dei.agenda import add
from simlab.games.dei.candy import gain_candy
from simlab.games.dei.choices import KILLING, choice
from simlab.games.dei.majority import units_at
from simlab.jit import inner


@inner
def can_kill_at(public, rules, seat, region):
    """CORE-062: an own Unit in the Region, unless the knob reads the text literally."""
    return rules.kill_needs_unit == 0 or units_at(public, seat, region) > 0


@inner
def list_kills_at(public, rules, seat, op, region, out, n):
    """CORE-062: each opposing faction with a Scrapper in the Region."""
    if not can_kill_at(public, rules, seat, region):
        return n
    for victim in range(int(public.n_seats)):
        if victim != seat and public.scrappers[victim, region] > 0:
            n = add(out, n, choice(KILLING, op, region, victim, 0, 0, 0))
    return n


@inner
def list_kills(public, rules, board, seat, op, out, n):
    """CORE-062: all Kills of one icon."""
    for region in range(int(board.n_regions)):
        n = list_kills_at(public, rules, seat, op, region, out, n)
    return n


@inner
def remove_scrapper(public, log, seat, victim, region):
    """CORE-028, CORE-062, CORE-090: the Scrapper goes to the reserve; a Leader can't be removed."""
    public.scrappers[victim, region] -= 1
    public.reserve[victim] += 1
    log.kills[seat] += 1
    log.losses[victim] += 1


@inner
def kill(public, own, hidden, log, rules, pack, seat, victim, region):
    """CORE-062: remove the Scrapper, then its owner gains a Candy Boost."""
    remove_scrapper(public, log, seat, victim, region)
    gain_candy(public, own, hidden, log, pack, victim, int(rules.kill_candy))
