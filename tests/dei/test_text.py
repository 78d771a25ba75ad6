"""Choices and positions as words, there and back."""

from __future__ import annotations

import pytest

from simlab import chance, jit
from simlab.errors import UsageError
from simlab.games.dei import choices as ch
from simlab.games.dei import engine
from simlab.games.dei.board import make_board
from simlab.games.dei.facts import HIDDEN_FIELDS, OWN_FIELDS, PUBLIC_FIELDS, built_number
from simlab.games.dei.names import Names
from simlab.games.dei.pack import load_pack
from simlab.games.dei.position_text import position_text, read_position
from simlab.games.dei.position_words import position_words
from simlab.games.dei.sentences import read_choice
from simlab.games.dei.settings import resolve_rules, rules_record
from simlab.games.dei.state import HIDDEN, OWN, PUBLIC, Position
from simlab.games.dei.text import choice_words, parse_choice, words_of
from simlab.games.dei.vocabulary import FEATS, FIELD_ENGINEER, MOVE, NONE
from simlab.games.dei.words import BEGINNINGS, BUILD_LEADS, LEADS, OP_OF_WORDS, OP_WORDS

PACK = load_pack("reconstructed")
VARIANTS = (
    {},
    {"planning": True, "rebel": True, "cards_per_phase": 3},
    {"feats_draft": True, "no_choices": True, "kill_needs_unit": False, "resource_limit": 4},
    {"confrontation": True, "place_from_board": True, "feat_unlock_cubes": 1},
)


def dealt(deal: int, rules: dict | None = None, n_seats: int = 4) -> Position:
    """A game just set up; with every second deal all Feats are unlocked, so that all choices turn up."""
    record = rules_record(resolve_rules(rules or {}), {}, PACK)
    board = make_board(PACK, n_seats, deal)
    position = Position(record, PACK.table, board)
    engine.start(position, deal, list(range(n_seats)))
    if deal % 2:
        for seat in range(n_seats):
            position.public[0].unlocked[seat] = (1 << len(FEATS)) - 1
        engine.settle(position)
    return position


def random_walk(deal: int, rules: dict | None = None, every: int = 7):
    """Positions of a random game."""
    position = dealt(deal, rules)
    for decision in range(5000):
        listed = engine.legal(position)
        if engine.active(position) == NONE or int(position.public[0].ending):
            return
        if decision % every == deal % every:
            yield position, listed
        engine.apply(position, pick(listed, deal, decision))


def pick(listed, deal: int, decision: int) -> int:
    """A kind of choice at random, then one of that kind: rare kinds turn up as often as Moves."""
    kinds = sorted({ch.kind_of(code) for code in listed})
    kind = kinds[chance.draw(deal, chance.NOISE, decision, 0) % len(kinds)]
    alike = [code for code in listed if ch.kind_of(code) == kind]
    return alike[chance.draw(deal, chance.NOISE, decision, 1) % len(alike)]


@pytest.mark.parametrize("deal", range(2 if jit.DISABLED else 32))
def test_every_legal_choice_reads_back_as_itself(deal):
    for position, listed in random_walk(deal, VARIANTS[deal // 2 % 4], every=2):
        names = Names(position, PACK)
        sentences = [words_of(names, code) for code in listed]
        assert len(set(sentences)) == len(sentences)
        assert [read_choice(names, words) for words in sentences] == listed


@pytest.mark.compiled_only
def test_random_games_meet_every_kind_of_choice():
    met = set()
    for deal in range(200):
        for _, listed in random_walk(deal, VARIANTS[deal // 2 % 4], every=1):
            met |= {ch.KINDS[ch.kind_of(code)] for code in listed}
        if met == set(ch.KINDS):
            return
    assert set(ch.KINDS) - met == set()


@pytest.mark.parametrize("deal", range(2 if jit.DISABLED else 8))
def test_a_position_reads_back_byte_by_byte(deal):
    for position, _ in random_walk(deal, VARIANTS[deal // 2], every=43):
        text = position_text(position, PACK)
        again = read_position(text, position.rules, PACK, position.board)
        assert position.same(again)
        assert position_text(again, PACK) == text


def test_whatever_the_records_hold_is_kept():
    position = dealt(3)
    position.public[0].bag[3] = -77
    position.public[0].copied[5, 8, 1] = 99
    position.public[0].frame[9] = [3, -5, 12, 1, 2]
    position.own[5].draft_seen[2] = -1
    position.hidden[0].token_at[23] = 100
    again = read_position(position_text(position, PACK), position.rules, PACK, position.board)
    assert position.same(again)


def test_every_field_of_the_records_has_a_row():
    for dtype, fields in ((PUBLIC, PUBLIC_FIELDS), (OWN, OWN_FIELDS), (HIDDEN, HIDDEN_FIELDS)):
        assert {field.name for field in fields} == set(dtype.names) - {"frame"}  # written as what is asked
        for field in fields:
            assert len(field.axes) == len(dtype[field.name].shape)


def test_a_text_belongs_to_its_board():
    text = position_text(dealt(1), PACK)
    other = dealt(2)
    with pytest.raises(UsageError, match="another board"):
        read_position(text, other.rules, PACK, other.board)


def test_position_words_name_what_lies_there():
    position = dealt(2)
    words = position_words(position, PACK)
    assert "Turn 1, phase 1" in words
    assert "refuge_42" in words


def test_position_words_keep_what_is_hidden():
    position = dealt(2)
    everything, mine = position_words(position, PACK), position_words(position, PACK, seen_by=1)
    assert everything.count("Feats face down") == 4
    assert mine.count("Feats face down") == 1


def test_beginnings_of_sentences_are_one_to_one():
    assert len(BEGINNINGS) == len(LEADS) + len(BUILD_LEADS)
    assert all(OP_OF_WORDS[words] == op for op, words in OP_WORDS.items())


def test_any_patch_of_a_region_is_accepted():
    position = dealt(2)
    names = Names(position, PACK)
    region = max(range(len(names.regions)), key=lambda r: int(position.board[0].region_size[r]))
    patches = [
        names.patch(tile, patch)
        for tile in range(len(PACK.tile_ids))
        for patch in range(len(PACK.patch_letters[tile]))
        if int(position.board[0].region_of[tile, patch]) == region
    ]
    assert len(patches) > 1
    assert {names.region(patch) for patch in patches} == {region}
    assert names.regions[region] in patches


@pytest.mark.parametrize(
    ("words", "word"),
    [
        ("jump from 2.1.a to 2.2.b", "'jump'"),
        ("move 2 from 9.9.a to 2.2.b", "'9.9.a'"),
        ("move from 2.1.a to 2.2.a", "'from'"),
        ("move 2 and 3 from 2.1.a to 2.2.a", "'from'"),
        ("collect 2.1.a", "'2.1.a'"),
        ("collect at", "the end"),
        ("end card now", "'now'"),
        ("play nothing face up", "'nothing'"),
        ("kill nobody at 2.1.a", "'nobody'"),
        ("lay candy sugar", "'sugar'"),
        ("buy refuge-42-1 from tactic slot 4 paying 1 Technology 0 Energy, by Delivery Bot", "slot 4"),
        ("skip everything", "'everything'"),
        ("activate simon +x to 2.1.a", "'+x'"),
        ("activate simon +16 to 2.1.a", "'+16' isn't understood: expected a bonus from +0 to +15"),
        ("activate simon +² to 2.1.a", "'+²'"),
        ("move 1024 from 2.1.a to 2.2.a", "'1024' isn't understood: expected 'the Leader' or a number of"),
        ("move 32 from 2.1.a to 2.2.a", "'32'"),
        ("move 1 and 32 Refuges from 2.1.a to 2.2.a", "'32'"),
        ("move ² from 2.1.a to 2.2.a", "'²'"),
        ("move １ from 2.1.a to 2.2.a", "'１'"),
        ("move -1 from 2.1.a to 2.2.a", "'-1'"),
        (f"move {'9' * 5_000} from 2.1.a to 2.2.a", "isn't understood"),
        (
            "buy refuge-42-1 from tactic slot 1 paying 0 Technology 32 Energy, by Delivery Bot",
            "'32' isn't understood: expected how much is paid from 0 to 31",
        ),
        ("buy refuge-42-1 from tactic slot 0 paying 1 Technology 0 Energy, by Delivery Bot", "'0'"),
        ("gain 32 energy", "'32'"),
        ("declare ² energy per red Outpost", "'²'"),
        ("declare 32 energy per red Outpost", "'32'"),
        ("mission any in column 0", "'0' isn't understood: expected a column from 1 to 6"),
        ("mission any in column 7", "'7'"),
        ("", "the end"),
    ],
)
def test_errors_name_the_word(words, word):
    with pytest.raises(UsageError) as caught:
        parse_choice(dealt(2), PACK, words)
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("most", [15, 31])
def test_the_largest_numbers_stay_in_their_fields(most):
    position = dealt(2)
    names = Names(position, PACK)
    here, there = names.regions[:2]
    code = parse_choice(
        position, PACK, f"move {most} and the Leader and {most} Refuges from {here} to {there}"
    )
    assert code == ch.choice(ch.MOVING, MOVE, 0, 1, most, 1, most)
    buying = f"buy refuge-42-1 from tactic slot 3 paying {most} Technology {most} Energy, by Delivery Bot"
    bought = parse_choice(position, PACK, buying)
    assert divmod(ch.c_of(bought), 32) == (most, most)
    assert choice_words(position, PACK, bought) == buying


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("", "'' is no construction"),
        (" ", "' ' is no construction"),
        ("hut 2.1.a", "'hut' is no construction"),
        ("refuge", "'refuge' doesn't read 'refuge R'"),
    ],
)
def test_a_construction_that_cannot_be_read_is_one_sentence(word, reason):
    with pytest.raises(UsageError, match=reason):
        built_number(Names(dealt(2), PACK), word)


def test_choice_words_of_a_granted_icon():
    position = dealt(2)
    position.public[0].unlocked[0] = 1 << FIELD_ENGINEER
    sentence = choice_words(position, PACK, ch.choice(ch.END_PHASE, 0, 0, 0, 0, 0, 0))
    assert sentence == "end phase"


@pytest.mark.rule("CORE-018")
def test_a_leader_alone_is_deployed_without_a_scrapper() -> None:
    position = dealt(0, {"starting_scrappers": [0, 0]}, 2)
    sentences = [choice_words(position, PACK, code) for code in engine.legal(position)]
    assert len(sentences) == int(position.board[0].n_refuge_regions)
    assert not any("Scrapper" in words for words in sentences)
