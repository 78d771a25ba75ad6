"""What holds in every game there can be: any pack, rules, handicaps, line-up and choices."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given

from simlab import jit
from simlab.errors import ExperimentError
from simlab.game import Settings
from simlab.games.dei import engine
from simlab.games.dei import live as plain_game
from simlab.games.dei.definition import GAME
from simlab.games.dei.live import LiveGame
from simlab.games.dei.names import Names
from simlab.games.dei.record import tables_of
from simlab.games.dei.sentences import read_choice
from simlab.games.dei.signature import rows
from simlab.games.dei.text import words_of
from simlab.games.dei.vocabulary import (
    DECISION_CAP,
    FACTIONS,
    FINISHED,
    FROM_MISSION_LATE,
    FROM_MISSION_ON_TIME,
    LIST_OVERFLOW,
    MAX_CHOICES,
    NONE,
    PLAYING,
)
from tests.dei.drawn_games import Drawn, decisions, examples, games, other_examples

EVERY = 24  # decisions of which the whole list is tried
LAWS_EVERY = 12 if jit.DISABLED else 1  # uncompiled, each check is slow
MOST_WORDS = 40  # choices of a list that are put in words and read back


def play_soundly(drawn: Drawn) -> LiveGame:
    """Play a game and hold it to everything that its positions must satisfy."""
    live = drawn.deal()
    for number, choices, code in decisions(drawn, live):
        assert len(set(choices)) == len(choices) == live.n
        assert live.position.public[0].extra_moves >= 0
        if number % LAWS_EVERY == 0:
            assert engine.broken_laws(live.position) == []
        if number % EVERY == drawn.luck % EVERY:
            try_all(live, choices)
            read_back(live, choices, drawn.luck + number)
        assert code in choices
    assert engine.broken_laws(live.position) == []
    return live


def try_all(live: LiveGame, choices: list[int]) -> None:
    """Every choice that is listed can be made, changes something and leaves a sound position."""
    for code in choices[:: len(choices) // 8 + 1] if jit.DISABLED else choices:
        twin = live.position.copy()
        ending = engine.apply(twin, code)
        assert not twin.same(live.position)
        assert engine.broken_laws(twin) == []
        assert (ending == PLAYING) == bool(engine.legal(twin)) or ending == DECISION_CAP


def read_back(live: LiveGame, choices: list[int], luck: int) -> None:
    """Each choice has a sentence of its own that means it."""
    names = Names(live.position, live.pack)
    some = random.Random(luck).sample(choices, min(MOST_WORDS, len(choices)))
    words = [words_of(names, code) for code in some]
    assert [read_choice(names, sentence) for sentence in words] == some
    assert len(set(words)) == len(words)


def check_end(drawn: Drawn, live: LiveGame) -> None:
    """The game ended for a reason that holds."""
    public, ending = live.position.public[0], int(live.position.log[0].ending)
    cap = int(live.position.rules[0].decision_cap)
    assert (ending == DECISION_CAP) == (public.decisions >= cap and ending != FINISHED)
    assert (ending == LIST_OVERFLOW) == (live.n > MAX_CHOICES)
    assert ending in (FINISHED, DECISION_CAP, LIST_OVERFLOW)
    if ending == FINISHED:
        assert public.turn == live.position.rules[0].turns


def check_books(drawn: Drawn, live: LiveGame) -> None:
    """What the log keeps adds up, and its tables say the same."""
    log, players = live.position.log[0], len(drawn.factions)
    for seat in range(players):
        sources = log.supplies_from[seat]
        assert sources.sum() == log.final_supplies[seat]
        missions = sources[FROM_MISSION_ON_TIME] + sources[FROM_MISSION_LATE]
        assert log.mission_supplies[seat].sum() == missions
        assert log.buys[seat] == (log.bought_by == seat).sum()
        assert log.feats_unlocked[seat] & ~live.position.own[seat].feats == 0
    assert log.kills.sum() == log.losses.sum()
    if log.ending == FINISHED:
        assert sorted(log.place[:players]) == list(range(1, players + 1))
        best = [int(log.final_supplies[seat]) for seat in range(players) if log.place[seat] == 1]
        assert best == [log.final_supplies[:players].max()]
    seats = tables_of(drawn.row(), live.log, live.pack, ["chance"])["seats"].to_pylist()
    assert [row["supplies"] for row in seats] == log.final_supplies[:players].tolist()
    assert [row["faction"] for row in seats] == [FACTIONS[faction] for faction in drawn.factions]


def hold_all(drawn: Drawn) -> None:
    live = play_soundly(drawn)
    check_end(drawn, live)
    check_books(drawn, live)


@examples(compiled=60, plain=3)
@given(games())
def test_any_game_is_sound_to_its_end(drawn: Drawn) -> None:
    hold_all(drawn)


@pytest.mark.slow
@pytest.mark.compiled_only
@other_examples(1500)
@given(games())
def test_any_other_game_is_sound_to_its_end(drawn: Drawn) -> None:
    hold_all(drawn)


def resolved(drawn: Drawn, settings: Settings) -> Settings:
    names = tuple(FACTIONS[faction] for faction in sorted(drawn.factions))
    return GAME.resolve_settings(settings, (len(drawn.factions),), names)


@examples(compiled=60, plain=20)
@given(games())
def test_drawn_settings_are_refused_only_as_without_effect(drawn: Drawn) -> None:
    """They are possible; and what is accepted keeps its canonical form."""
    settings, refusal = drawn.settings(), ""
    try:
        settings = resolved(drawn, settings)
    except ExperimentError as error:
        refusal = str(error)
    else:
        assert resolved(drawn, settings) == settings
    assert not refusal or "has no effect" in refusal or " does what " in refusal


@pytest.mark.parametrize("room", [0, 3])
def test_a_list_too_long_for_its_room_ends_the_game(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its length is counted to the end, nothing is written behind it, and the game says why it ended."""
    settings, row, _ = next(rows())
    game = LiveGame(settings, row)
    full = game.look()
    short = np.full(room + 4, NONE, np.int64)
    p = game.position
    n = engine.legal_kernel(p.public, p.own, p.rules, p.pack, p.board, short[:room])
    assert n == len(full)
    assert short[:room].tolist() == full[:room]
    assert (short[room:] == NONE).all()
    monkeypatch.setattr(plain_game, "MAX_CHOICES", len(full) - 1)
    game.look()
    assert (game.ending, int(game.log[0].ending)) == (LIST_OVERFLOW, LIST_OVERFLOW)
