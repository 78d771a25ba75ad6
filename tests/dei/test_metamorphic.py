"""Ways to one game: replays, redraws, defaults written out, a pack's rows in another order."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlab import match
from simlab.errors import ExperimentError
from simlab.games.dei import engine
from simlab.games.dei.definition import GAME
from simlab.games.dei.pack import PACKS, Pack, build_pack
from simlab.games.dei.pack_files import read_text
from simlab.games.dei.pack_parts import FILES, parse_parts
from simlab.games.dei.pack_rows import CARDS
from simlab.games.dei.rules import HANDICAP_SETS, HANDICAPS, RULES
from simlab.games.dei.vocabulary import FACTIONS, MAX_SEATS
from simlab.strategy import Strategy
from strategies.dei import greedy, uniform
from tests.dei.drawn_games import KEYS, Components, Drawn, decisions, examples, games, other_examples, played
from tests.dei.randomly import PACK
from tests.dei.relabelled import Relabelling, play_alike, rows_of

# --- replays ------------------------------------------------------------------------------------------


def scripted(codes: list[int]) -> Strategy:
    """A strategy that makes these choices, whoever is asked."""
    script = iter(codes)

    def choose(
        public: Any, own: Any, rules: Any, pack: Any, board: Any, choices: Any, n: int, *rest: Any
    ) -> int:
        return list(choices[:n]).index(next(script))

    return Strategy("dei/scripted", "what is written down", choose, compiled=False)


def hold_replay(drawn: Drawn, choosers: list[int], key: int) -> None:
    """The choices of any strategies, made again by another under another key: the same records and log."""
    players = len(drawn.factions)
    first, codes, asked = drawn.deal(), [], []

    def watch(seat: int, code: int) -> None:
        codes.append(code)
        if first.n > 1:
            asked.append(code)

    strategies = [(uniform.STRATEGY, greedy.STRATEGY)[k] for k in choosers[:players]]
    assert match.play(first, strategies, watch) is None
    again = replace(drawn, luck=key).deal()
    assert match.play(again, [scripted(asked)] * players) is None
    assert again.log.tobytes() == first.log.tobytes()
    assert again.position.same(first.position)
    bare = drawn.deal().position
    for code in codes:
        engine.apply(bare, code)
    assert bare.same(first.position)


REPLAYS = (games(), st.lists(st.integers(0, 1), min_size=4, max_size=4), KEYS)


@examples(compiled=25, plain=2)
@given(*REPLAYS)
def test_the_same_choices_give_the_same_game_whoever_makes_them(
    drawn: Drawn, choosers: list[int], key: int
) -> None:
    hold_replay(drawn, choosers, key)


@pytest.mark.slow
@pytest.mark.compiled_only
@other_examples(500)
@given(*REPLAYS)
def test_the_same_choices_give_the_same_game_in_many_games(
    drawn: Drawn, choosers: list[int], key: int
) -> None:
    hold_replay(drawn, choosers, key)


# --- what a seat can't know ---------------------------------------------------------------------------


def hold_redraws(drawn: Drawn, key: int) -> None:
    """Whatever the hidden part is, the seat to act sees the same and may do the same."""
    live = drawn.deal()
    for number, choices, _ in decisions(drawn, live):
        seat, twin = live.active, live.position.copy()
        engine.redraw_hidden(twin, seat, key ^ number)
        assert engine.legal(twin) == choices
        assert twin.public.tobytes() == live.position.public.tobytes()
        assert twin.own[seat : seat + 1].tobytes() == live.position.own[seat : seat + 1].tobytes()
        assert engine.broken_laws(twin) == []


@pytest.mark.compiled_only
@examples(compiled=25, plain=1)
@given(games(), KEYS)
def test_a_redraw_never_changes_what_may_be_done(drawn: Drawn, key: int) -> None:
    hold_redraws(drawn, key)


@pytest.mark.slow
@pytest.mark.compiled_only
@other_examples(500)
@given(games(), KEYS)
def test_a_redraw_never_changes_what_may_be_done_in_many_games(drawn: Drawn, key: int) -> None:
    hold_redraws(drawn, key)


# --- settings -----------------------------------------------------------------------------------------


def defaults(drawn: Drawn) -> dict[str, Any]:
    """Every rule that the game leaves alone, at its default."""
    players = len(drawn.factions)
    values = {
        rule.name: rule.default[:players]
        if isinstance(rule.default, list) and rule.length == MAX_SEATS
        else rule.default
        for rule in RULES
    }
    return {name: value for name, value in values.items() if name not in drawn.rules}


def nothing(drawn: Drawn) -> dict[str, list[Any]]:
    """Every handicap that the game leaves alone, giving nobody anything."""
    zeros: dict[str, Any] = {handicap.name: False if handicap.high == 1 else 0 for handicap in HANDICAPS}
    zeros |= {name: [] for name in HANDICAP_SETS}
    by_seat = {name: [zero] * len(drawn.factions) for name, zero in zeros.items()}
    return {name: value for name, value in by_seat.items() if name not in drawn.handicaps}


def hold_settings(drawn: Drawn, luck: random.Random) -> None:
    """Defaults written out change nothing, and the canonical form of what is written plays the same game."""
    live = drawn.deal()
    codes = played(drawn, live)
    words = defaults(drawn) | drawn.rules
    rules = {name: words[name] for name in luck.sample(sorted(words), len(words))}
    more = drawn.deal(rules=rules, handicaps=drawn.handicaps | nothing(drawn))
    assert played(drawn, more) == codes
    assert more.log.tobytes() == live.log.tobytes()
    names, players = tuple(FACTIONS[faction] for faction in sorted(drawn.factions)), (len(drawn.factions),)
    try:
        settings = GAME.resolve_settings(drawn.settings(), players, names)
    except ExperimentError:  # something in it has no effect
        return
    assert GAME.resolve_settings(drawn.settings(rules=rules), players, names) == settings
    canonical = drawn.deal(rules=settings.rules, handicaps=settings.handicaps)
    assert played(drawn, canonical) == codes
    assert canonical.log.tobytes() == live.log.tobytes()


@examples(compiled=25, plain=2)
@given(games(), st.randoms(use_true_random=False))
def test_defaults_written_out_change_nothing(drawn: Drawn, luck: random.Random) -> None:
    hold_settings(drawn, luck)


@pytest.mark.slow
@pytest.mark.compiled_only
@other_examples(500)
@given(games(), st.randoms(use_true_random=False))
def test_defaults_written_out_change_nothing_in_many_games(drawn: Drawn, luck: random.Random) -> None:
    hold_settings(drawn, luck)


# --- the order of a pack's rows (docs/packs.md) -------------------------------------------------------


def entries(name: str, text: str) -> tuple[str, list[str]]:
    """What a file begins with, and its rows or tables."""
    if name.endswith(".csv"):
        header, *rows = text.splitlines(keepends=True)
        return header, rows
    head, *tables = re.split(r"^(?=\[\[)", text, flags=re.MULTILINE)
    return head, tables


def reordered(name: str, luck: random.Random, only: tuple[str, ...] = ("",)) -> Pack:
    """The shipped pack with those entries of a file that have a word of `only` in another order."""
    texts = {file: read_text(PACKS / "reconstructed", file) for file in FILES}
    head, rows = entries(name, texts[name])
    free = [k for k, row in enumerate(rows) if any(word in row for word in only)]
    for k, row in zip(free, luck.sample([rows[k] for k in free], len(free)), strict=True):
        rows[k] = row
    texts[name] = head + "".join(rows)
    return build_pack(parse_parts(texts), PACK.folder)


@pytest.mark.parametrize("name", ["markets.csv", "candy.csv", "feats.csv", "layouts.toml"])
def test_rows_that_may_stand_in_any_order(name: str) -> None:
    """They are found by what they say: not a byte of the engine's table changes."""
    packs = [reordered(name, random.Random(seed)) for seed in range(6)]
    assert len({pack.hash for pack in packs}) > 1
    assert {pack.table.tobytes() for pack in packs} == {PACK.table.tobytes()}


MATTERS = [
    ("missions.csv", ("",)),
    ("tiles.toml", ("",)),
    *((CARDS, (f",{deck},",)) for deck in ("tactic", "fly")),
]


@pytest.mark.compiled_only
@pytest.mark.parametrize(("name", "only"), MATTERS)
def test_rows_whose_order_is_part_of_the_deal(name: str, only: tuple[str, ...]) -> None:
    """Chance is addressed by their number: in another order, the same key deals another game."""
    pack = reordered(name, random.Random(1), only)
    deals = [
        Drawn((0, 1, 2, 3), {}, {}, Components(), "random", "quick", key, False, key) for key in range(8)
    ]
    assert any(described(drawn, pack) != described(drawn, PACK) for drawn in deals)


def described(drawn: Drawn, pack: Pack) -> Any:
    """Which tiles, Missions and cards lie where, by their names."""
    position = drawn.deal(pack=pack).position
    board, public = position.board[0], position.public[0]
    tiles = [
        (pack.tile_ids[tile], int(turn))
        for tile, turn in zip(board.tile_at, board.rotation, strict=True)
        if tile >= 0
    ]
    missions = [pack.mission_ids[card] for card in public.mission.ravel() if card >= 0]
    return tiles, missions, [pack.card_ids[card] for card in public.market.ravel()]


@examples(compiled=15, plain=1)
@given(games(shipped=True), st.randoms(use_true_random=False))
def test_faction_cards_may_stand_in_any_order(drawn: Drawn, luck: random.Random) -> None:
    """No chance is addressed by them, so the game is the same but for the numbers of its choices."""
    pack = reordered(CARDS, luck, tuple(f",{faction}," for faction in FACTIONS))
    numbers = {k: pack.card_ids.index(name) for k, name in enumerate(PACK.card_ids)}
    one, other = drawn.deal(), drawn.deal(pack=pack)
    play_alike(one, other, Relabelling({}, numbers), drawn.luck)
    assert rows_of(drawn, one, drawn.factions) == rows_of(drawn, other, drawn.factions)
