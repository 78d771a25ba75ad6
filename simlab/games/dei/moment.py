"""One decision as the loops see it: its list, what the log keeps of it, the key of a strategy's chance.

The compiled block loop and the plain one (`live.py`) go through these, so that both leave the same log.
"""

from __future__ import annotations

from simlab import chance
from simlab.games.dei.agenda import asked
from simlab.games.dei.choices import BUY, a_of, kind_of
from simlab.games.dei.legal import list_legal
from simlab.games.dei.missions import note_missions
from simlab.games.dei.modifiers import has_feat
from simlab.games.dei.vocabulary import ASK_CARD, ASK_MISSION, DELIVERY_BOT, N_MARKETS, N_SLOTS, NONE
from simlab.jit import inner


@inner
def list_decision(public, own, log, rules, pack, board, seat, choices):
    """List the choices of the seat to act, note what the log keeps of the list; returns their number."""
    n = list_legal(public, own, rules, pack, board, choices)
    note_list(log, n)
    if asked(public) == ASK_MISSION:
        note_missions(public, log, rules, pack, board, seat)
    if 1 < n <= len(choices):
        note_offers(public, log, seat, choices, n)
    return n


@inner
def moment_key(public, strategy_key, seat):
    """The key of one decision: strategy seed and rotation (`strategy_key`), seat, Turn, phase, card, icon.

    No count of decisions goes in: one choice more or less elsewhere leaves the luck of later cards alone.
    """
    moment = int(public.turn) * 8 + int(public.phase)
    moment = moment * 16 + int(public.n_plays[seat])
    moment = moment * 16 + asked(public)
    moment = moment * 64 + int(public.n_bag)
    moment = moment * 16 + int(public.extra_moves)
    moment = moment * 32 + int(public.frame[int(public.n_frames) - 1, 3])
    moment = moment * 32 + int(public.n_frames)
    return chance.draw(strategy_key, chance.STRATEGY, seat, moment)


@inner
def note_offers(public, log, seat, choices, n):
    """For the market table: which face-up cards a seat could buy at a card decision, which it could pay."""
    if asked(public) != ASK_CARD and not has_feat(public, seat, DELIVERY_BOT):
        return
    if asked(public) == ASK_CARD and public.bought == 0:
        for market in range(N_MARKETS):
            for slot in range(N_SLOTS):
                card = int(public.market[market, slot])
                if card != NONE:
                    log.offered[card] = int(log.offered[card]) | 1 << seat
    for i in range(n):
        if kind_of(int(choices[i])) == BUY:
            card = a_of(int(choices[i]))
            log.affordable[card] = int(log.affordable[card]) | 1 << seat


@inner
def note_list(log, n):
    """Length of one list of choices; decisions count where there is something to choose."""
    log.n_choices += n
    if n > 1:
        log.n_decisions += 1
    log.longest_list = max(log.longest_list, n)


@inner
def note_end(public, log, ending, seat):
    """The log's last lines: how the game ended, Supplies as they stand, the hash that the digest adds up."""
    log.ending = ending
    log.ending_seat = seat
    for other in range(int(public.n_seats)):
        log.final_supplies[other] = public.supplies[other]
        log.feats_unlocked[other] = public.unlocked[other]
        log.game_hash = chance.draw(log.game_hash, chance.GAME, int(public.supplies[other]), other)
    log.game_hash = chance.draw(log.game_hash, chance.GAME, ending, 0)
