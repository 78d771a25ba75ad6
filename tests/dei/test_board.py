"""The board against hand-drawn tiles and against the constraints on layouts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from simlab import chance
from simlab.errors import PackError, ScenarioError
from simlab.games.dei.board import FAILURES, board_from_tiles, colour_letters, draw_board, make_board
from simlab.games.dei.pack import build_pack, load_pack, with_tiles
from simlab.games.dei.pack_files import Ranged
from simlab.games.dei.regions import TOO_MANY_NEAR, TOO_MANY_REGIONS, UNREACHABLE
from simlab.games.dei.state import records
from simlab.games.dei.tables import ADJACENT, BOARD_RECORD, LINKED
from simlab.games.dei.vocabulary import GROUND, NONE, ROOF

PLAYERS = (2, 3, 4)
DRAWS = 5  # boards a test: few, for the sake of uncompiled runs


@pytest.fixture(scope="module")
def pack():
    return load_pack("reconstructed")


class Drawn:
    """A hand-drawn board whose Regions are called by the names of their patches: tile.letter."""

    def __init__(self, pack, tiles, layout, rotations=None):
        tables = [tile if isinstance(tile, dict) else {"id": tile[0], "map": tile[1]} for tile in tiles]
        self.pack = with_tiles(pack, tables)
        self.board = board_from_tiles(self.pack, layout, rotations)[0]
        self.n = int(self.board.n_regions)

    def region(self, name):
        tile, letter = name.split(".")
        t = self.pack.tile_ids.index(tile)
        return int(self.board.region_of[t, self.pack.patch_letters[t].index(letter)])

    def name(self, region):
        t, patch = int(self.board.first_tile[region]), int(self.board.first_patch[region])
        return f"{self.pack.tile_ids[t]}.{self.pack.patch_letters[t][patch]}"

    def names(self):
        return [self.name(r) for r in range(self.n)]

    def related(self, bit):
        found = np.argwhere(np.triu(self.board.relation[: self.n, : self.n] & bit))
        return {f"{self.name(a)} {self.name(b)}" for a, b in found}

    def bridges(self):
        rows = zip(self.board.bridge_a, self.board.bridge_b, self.board.bridge_ground, strict=True)
        sites = [tuple(map(int, row)) for row in rows][: int(self.board.n_bridge_sites)]
        assert sites == sorted(set(sites))
        return [f"{self.name(a)} {self.name(b)} over {self.name(g)}" for a, b, g in sites]

    def elevators(self):
        n = int(self.board.n_elevator_sites)
        pairs = list(
            zip(map(int, self.board.elevator_ground[:n]), map(int, self.board.elevator_roof[:n]), strict=True)
        )
        assert pairs == sorted(set(pairs))
        return [f"{self.name(g)} {self.name(r)}" for g, r in pairs]


@pytest.fixture
def two_tiles(pack):
    """Two tiles side by side, b running on from x to y:

    aab|Aab
    ccb|bbb
    ccA|cCC
    """
    return Drawn(pack, [("x", ["aab", "ccb", "ccA"]), ("y", ["Aab", "bbb", "cCC"])], [["x", "y"]])


# --- CORE-001 … CORE-003: layouts ---


@pytest.mark.rule("CORE-001")
@pytest.mark.parametrize(
    ("players", "rows", "columns", "last"), [(2, 3, 3, "2.9"), (3, 3, 4, "3.3"), (4, 4, 4, "4.4")]
)
def test_each_number_of_players_has_its_grid_and_its_tiles(pack, players, rows, columns, last):
    for layout in ("random", "quick"):
        board = make_board(pack, players, 5, layout)[0]
        assert (int(board.rows), int(board.columns), int(board.n_tiles)) == (rows, columns, rows * columns)
        ids = sorted(pack.tile_ids[t] for t in board.tile_at[: rows * columns])
        assert ids == [name for name in pack.tile_ids if name <= last]
        assert (board.tile_at[rows * columns :] == NONE).all()
        assert int(board.n_spaces) == rows * columns * 16 == int(board.region_size.sum())


@pytest.mark.rule("CORE-002")
@pytest.mark.parametrize("players", PLAYERS)
def test_quick_layout_is_fixed_and_unturned(pack, players):
    layout = next(layout for layout in pack.parts.layouts if layout.players == players)
    board = make_board(pack, players, 1, "quick")[0]
    names = [name for row in layout.grid for name in row]
    assert [pack.tile_ids[t] for t in board.tile_at[: len(names)]] == names
    assert not board.rotation.any()
    assert (
        make_board(pack, players, 1, "quick", "quick").tobytes()
        == make_board(pack, players, 2, "quick", "quick").tobytes()
    )


@pytest.mark.rule("CORE-002")
def test_a_random_layout_depends_on_its_key_alone(pack):
    used = records(BOARD_RECORD)
    for key in (1, 2, 3):
        first = make_board(pack, 4, key)
        assert make_board(pack, 4, key).tobytes() == first.tobytes()
        assert draw_board(pack.table, used, 4, key, 0, 0) == 0  # a record that held another board
        assert used.tobytes() == first.tobytes()
    assert make_board(pack, 4, 1).tobytes() != make_board(pack, 4, 2).tobytes()


@pytest.mark.rule("CORE-002")
def test_places_and_rotations_differ_from_draw_to_draw(pack):
    boards = [make_board(pack, 2, key)[0] for key in range(DRAWS)]
    assert len({tuple(map(int, board.tile_at[:9])) for board in boards}) == DRAWS
    assert {int(turn) for board in boards for turn in board.rotation[:9]} == {0, 1, 2, 3}


@pytest.mark.rule("CORE-002")
def test_tiles_lie_in_the_order_of_what_is_drawn_for_each(pack):
    """So every order is as likely as any other, and the draw that counts is the one that is noted."""
    for key in range(DRAWS):
        board = make_board(pack, 4, key)[0]
        attempt, tiles = int(board.layout_draws) - 1, [int(tile) for tile in board.tile_at[:16]]
        assert tiles == sorted(tiles, key=lambda tile: chance.draw(key, chance.LAYOUT, attempt, tile))


@pytest.mark.rule("CORE-002")
@pytest.mark.compiled_only
def test_places_and_rotations_are_drawn_evenly(pack):
    places, turns, n = Counter(), Counter(), 3000
    for key in range(n):
        board = make_board(pack, 3, key)[0]
        places[int(np.flatnonzero(board.tile_at == 4)[0])] += 1
        turns.update(map(int, board.rotation[:12]))
    assert min(places.values()) > n / 12 * 0.7  # layouts thrown away leave places a little uneven
    assert len(places) == 12
    assert all(abs(turns[turn] / (12 * n) - 1 / 4) < 0.01 for turn in range(4))


@pytest.mark.rule("CORE-002")
@pytest.mark.parametrize(
    ("turn", "joined"), [(0, ["x.b", "y.e"]), (1, ["x.b", "y.g"]), (2, ["x.c", "y.e"]), (3, ["x.c", "y.g"])]
)
def test_rotation_turns_a_tile_clockwise(pack, turn, joined):
    """x is Ab/cD; turned: cA/Db, Dc/bA, bD/Ac; its right edge meets y's Grounds e above g."""
    drawn = Drawn(pack, [("x", ["Ab", "cD"]), ("y", ["eF", "gF"])], [["x", "y"]], [[turn, 0]])
    assert drawn.region(joined[0]) == drawn.region(joined[1])
    assert drawn.n == 6


@pytest.mark.rule("CORE-003")
@pytest.mark.parametrize("players", PLAYERS)
def test_neutral_refuges_lie_apart_and_drone_symbols_match_players(pack, players):
    redrawn = 0
    for key in range(4 * DRAWS):
        board = make_board(pack, players, key)[0]
        columns = int(board.columns)
        tiles = board.tile_at[: int(board.n_tiles)]
        a, b = (
            divmod(int(place), columns) for place in np.flatnonzero(pack.table[0].refuge_patch[tiles] != NONE)
        )
        assert abs(a[0] - b[0]) + abs(a[1] - b[1]) > 1
        assert int((board.drone_tiles != NONE).sum()) == players
        redrawn += int(board.layout_draws) > 1
    assert redrawn > 0


@pytest.mark.rule("CORE-003")
def test_layouts_with_too_large_a_region_are_drawn_again(pack):
    strict = build_pack(replace(pack.parts, largest_region_percent=Ranged(9, 9, 9)), pack.folder)
    loose = build_pack(replace(pack.parts, largest_region_percent=Ranged(100, 100, 100)), pack.folder)
    redrawn = 0
    for key in range(DRAWS):
        board, other = make_board(strict, 4, key)[0], make_board(loose, 4, key)[0]
        assert int(board.region_size.max()) * 100 <= 9 * int(board.n_spaces)
        assert int(board.layout_draws) >= int(other.layout_draws)
        redrawn += int(board.layout_draws) > int(other.layout_draws)
    assert redrawn > 0


def test_a_pack_without_allowed_layouts_is_refused(pack):
    strict = build_pack(replace(pack.parts, largest_region_percent=Ranged(1, 1, 1)), pack.folder)
    with pytest.raises(
        PackError, match=r"^pack 'reconstructed', 2 players: none of 127 random layouts keeps"
    ):
        make_board(strict, 2, 1)


@pytest.mark.parametrize("players", [1, 5, 6])
def test_a_number_of_players_without_a_grid_is_refused(pack, players):
    with pytest.raises(PackError, match="has no grid"):
        make_board(pack, players, 1)


# --- CORE-004 … CORE-006: Regions ---


@pytest.mark.rule("CORE-004")
def test_a_region_runs_on_over_a_tile_edge_and_takes_its_first_patch_as_name(two_tiles):
    assert two_tiles.names() == ["x.A", "x.a", "x.b", "x.c", "y.A", "y.C", "y.a", "y.c"]
    assert two_tiles.region("y.b") == two_tiles.region("x.b")
    assert [int(n) for n in two_tiles.board.region_size[:8]] == [1, 2, 6, 4, 1, 2, 1, 1]
    assert [int(n) for n in two_tiles.board.level[:8]] == [
        ROOF,
        GROUND,
        GROUND,
        GROUND,
        ROOF,
        ROOF,
        GROUND,
        GROUND,
    ]


@pytest.mark.rule("CORE-004")
def test_a_border_divides_within_a_tile_and_never_over_its_edge(pack):
    """Both patches of x touch y's a: all three are one Region, though a Border lies between x.a and x.b."""
    drawn = Drawn(pack, [("x", ["ac", "bC"]), ("y", ["aa", "aa"])], [["y", "x"]])
    assert drawn.region("x.a") == drawn.region("x.b") == drawn.region("y.a")
    assert drawn.region("x.c") != drawn.region("x.a")
    assert drawn.names() == ["y.a", "x.C", "x.c"]


@pytest.mark.rule("CORE-005")
def test_adjacent_regions_share_an_edge_and_are_linked_on_one_level(two_tiles):
    linked = {"x.a x.b", "x.a x.c", "x.b x.c", "x.b y.a", "x.b y.c"}
    levels = {"x.A x.b", "x.A x.c", "x.A y.c", "x.b y.A", "x.b y.C", "y.A y.a", "y.C y.c"}
    assert two_tiles.related(LINKED) == linked
    assert two_tiles.related(ADJACENT) == linked | levels
    relation = two_tiles.board.relation
    assert (relation == relation.T).all()
    assert not relation.diagonal().any()


@pytest.mark.rule("CORE-005")
def test_a_corner_is_no_contact_and_adjacent_roofs_are_linked(pack):
    drawn = Drawn(pack, [("x", ["AB", "cD"])], [["x"]])
    assert drawn.related(LINKED) == {"x.A x.B", "x.B x.D"}
    assert drawn.related(ADJACENT) == {"x.A x.B", "x.B x.D", "x.A x.c", "x.D x.c"}
    assert int(drawn.board.relation[drawn.region("x.A"), drawn.region("x.D")]) == 0


@pytest.mark.rule("CORE-006")
def test_drones_count_steps_over_adjacent_regions_whatever_the_level(two_tiles):
    steps = [int(n) for n in two_tiles.board.distance[two_tiles.region("x.a"), : two_tiles.n]]
    assert dict(zip(two_tiles.names(), steps, strict=True)) == {
        "x.A": 2, "x.a": 0, "x.b": 1, "x.c": 1, "y.A": 2, "y.C": 2, "y.a": 2, "y.c": 2,
    }  # fmt: skip
    assert (two_tiles.board.distance[two_tiles.n :] == UNREACHABLE).all()


@pytest.mark.rule("CORE-006", "CORE-007")
def test_neutral_bridges_and_elevators_link_for_everybody_but_carry_no_drone(pack):
    tile = {"id": "x", "map": ["AbbC", "dddd", "efff", "EEEE"], "bridge": ["A", "C"], "elevator": ["e", "E"]}
    drawn = Drawn(pack, [tile], [["x"]])
    assert {"x.A x.C", "x.E x.e"} <= drawn.related(LINKED)
    assert "x.A x.C" not in drawn.related(ADJACENT)
    assert int(drawn.board.distance[drawn.region("x.A"), drawn.region("x.C")]) == 2
    assert np.flatnonzero(drawn.board.neutral_elevator).tolist() == [drawn.region("x.e")]
    near = drawn.board.near[drawn.region("x.A"), : int(drawn.board.n_near[drawn.region("x.A")])]
    assert [drawn.name(int(r)) for r in near] == ["x.C", "x.b", "x.d"]


@pytest.mark.rule("CORE-007")
def test_neutral_bridges_lie_on_two_tiles_and_link_their_roofs(pack):
    board = make_board(pack, 4, 3)[0]
    bearing = [k for k, pair in enumerate(pack.table[0].bridge_patches) if pair[0] != NONE]
    assert [pack.tile_ids[k] for k in bearing] == ["2.3", "4.3"]
    for k in bearing:
        a, b = (int(board.region_of[k, patch]) for patch in pack.table[0].bridge_patches[k])
        assert int(board.level[a]) == int(board.level[b]) == ROOF
        assert a == b or int(board.relation[a, b]) & LINKED


# --- CORE-008 … CORE-010: symbols ---


@pytest.mark.rule("CORE-008")
def test_drone_symbols_are_roofs_and_listed_by_place(pack):
    board = make_board(pack, 4, 9)[0]
    places = [int(place) for place in board.drone_tiles if place != NONE]
    assert places == sorted(places)
    for place in places:
        tile = int(board.tile_at[place])
        region = int(board.region_of[tile, int(pack.table[0].drone_patch[tile])])
        assert int(board.level[region]) == ROOF


@pytest.mark.rule("CORE-009")
def test_regions_start_with_the_resources_of_all_their_patches(pack):
    x = {"id": "x", "map": ["ab", "Ab"], "technology": {"b": 2, "a": 1}, "energy": {"A": 1}}
    y = {"id": "y", "map": ["cC", "cC"], "technology": {"c": 1}, "energy": {"C": 3}}
    drawn = Drawn(pack, [x, y], [["x", "y"]])
    there = {drawn.name(r): int(drawn.board.starting_resources[r]) for r in range(drawn.n)}
    assert there == {"x.A": 1, "x.a": 1, "x.b": 3, "y.C": 3}


@pytest.mark.rule("CORE-010")
def test_quick_outposts_have_the_colour_of_their_letter(pack):
    x = {"id": "x", "map": ["ab", "Ab"], "outposts": {"b": "C", "A": "BA"}}
    y = {"id": "y", "map": ["cC", "cC"], "outposts": {"c": "A"}}
    board = Drawn(pack, [x, y], [["x", "y"]]).board
    rows = zip(board.outpost_region, board.outpost_letter, board.outpost_colour, strict=True)
    assert [tuple(map(int, row)) for row in rows][: int(board.n_outposts)] == [
        (0, 0, 0),
        (0, 1, 1),
        (2, 2, 2),
        (2, 0, 0),
    ]


@pytest.mark.rule("CORE-010")
@pytest.mark.parametrize(("players", "each"), [(2, 3), (3, 4), (4, 5)])
def test_advanced_outposts_are_a_bijection_of_letters_to_colours(pack, players, each):
    for key in range(2):
        board = make_board(pack, players, key, "quick")[0]
        n = int(board.n_outposts)
        pairs = {
            (int(a), int(b)) for a, b in zip(board.outpost_letter[:n], board.outpost_colour[:n], strict=True)
        }
        assert len(pairs) == 3
        assert any(letter != colour for letter, colour in pairs)
        assert Counter(map(int, board.outpost_colour[:n])) == {0: each, 1: each, 2: each}


@pytest.mark.rule("CORE-010")
def test_every_bijection_of_letters_to_colours_comes_up_equally_often():
    seen, colours = Counter(), np.empty(3, np.int64)
    for key in range(1200):
        colour_letters(key, 0, colours)
        seen[tuple(map(int, colours))] += 1
    assert set(seen) == set(permutations(range(3)))
    assert all(150 < times < 250 for times in seen.values())


# --- CORE-049, CORE-050: places for constructions ---


@pytest.mark.rule("CORE-049")
def test_a_bridge_runs_straight_over_one_ground_between_two_roofs(pack):
    """Row 1 runs over b alone, row 2 over two Grounds, the first column from A over f to G."""
    drawn = Drawn(pack, [("x", ["AbbC", "AdeC", "ffff", "GhIf"])], [["x"]])
    assert drawn.bridges() == ["x.A x.C over x.b", "x.A x.G over x.f", "x.G x.I over x.h"]


@pytest.mark.rule("CORE-049")
def test_runs_with_equal_roofs_and_ground_are_one_place(pack):
    assert Drawn(pack, [("x", ["AbC", "AbC", "AbC"])], [["x"]]).bridges() == ["x.A x.C over x.b"]


@pytest.mark.rule("CORE-049")
def test_a_bridge_stays_on_its_tile(pack):
    drawn = Drawn(pack, [("x", ["Ab", "Ab"]), ("y", ["cD", "cD"])], [["x", "y"]])
    assert drawn.region("x.b") == drawn.region("y.c")
    assert drawn.bridges() == []


@pytest.mark.rule("CORE-049")
def test_grounds_joined_by_another_tile_are_one_ground(pack):
    """d and e are one Region through y, and the two runs of x stand over it."""
    x, y = ("x", ["AdeC", "AffC", "AffC", "gggg"]), ("y", ["hhhh", "hhhh", "hhhh", "hhhh"])
    assert Drawn(pack, [x], [["x"]]).bridges() == ["x.A x.C over x.f"]
    assert Drawn(pack, [y, x], [["y"], ["x"]]).bridges() == ["x.A x.C over y.h", "x.A x.C over x.f"]


@pytest.mark.rule("CORE-049")
def test_a_roof_that_is_one_region_with_the_other_needs_no_bridge(pack):
    x, y = ("x", ["AbC", "AbC", "ddd"]), ("y", ["eee", "eee", "FFF"])
    assert Drawn(pack, [y, x], [["y"], ["x"]]).bridges() == []


@pytest.mark.rule("CORE-050")
def test_elevators_join_adjacent_levels_over_a_tile_edge_too(two_tiles):
    assert two_tiles.elevators() == [
        "x.b x.A",
        "x.b y.A",
        "x.b y.C",
        "x.c x.A",
        "y.a y.A",
        "y.c x.A",
        "y.c y.C",
    ]


# --- whole boards ---


@pytest.mark.rule("CORE-004", "CORE-005", "CORE-006")
@pytest.mark.parametrize("players", PLAYERS)
def test_derived_fields_agree_with_each_other(pack, players):
    for key in range(DRAWS):
        board = make_board(pack, players, key)[0]
        n = int(board.n_regions)
        relation = board.relation[:n, :n].astype(int)
        assert (relation == relation.T).all()
        for r in range(n):
            near = board.near[r, : int(board.n_near[r])].tolist()
            assert near == np.flatnonzero(relation[r]).tolist()
            assert (board.near[r, len(near) :] == NONE).all()
        distance = np.where(np.eye(n, dtype=bool), 0, np.where(relation & ADJACENT, 1, 1000))
        for k in range(n):
            distance = np.minimum(distance, distance[:, [k]] + distance[[k], :])
        assert (distance == board.distance[:n, :n]).all()
        same_level = np.equal.outer(board.level[:n], board.level[:n])
        assert ((relation & LINKED > 0) >= (same_level & (relation & ADJACENT > 0))).all()
        assert int(board.neutral_refuges.sum()) == 2
        assert sorted(np.flatnonzero(board.neutral_refuges)) == [r for r in board.refuge_regions if r != NONE]


@pytest.mark.compiled_only
def test_compiled_and_plain_code_derive_equal_boards(pack):
    code = (
        "import hashlib\n"
        "from simlab.games.dei.board import make_board\n"
        "from simlab.games.dei.pack import load_pack\n"
        "pack = load_pack('reconstructed')\n"
        "boards = [make_board(pack, n, 77, how) for n in (2, 3, 4) for how in ('random', 'quick')]\n"
        "print(hashlib.sha256(b''.join(board.tobytes() for board in boards)).hexdigest())\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    printed: list[str] = []
    exec(code, {"print": printed.append})
    assert printed == [plain.stdout.strip()]


@pytest.mark.parametrize(
    ("layout", "reason"),
    [
        ([], "rows of equal length"),
        ([["x", "y"], ["x"]], "rows of equal length"),
        ([["x", "z"]], "unknown tile 'z'"),
        ([["x", "x"]], "a tile lies twice"),
    ],
)
def test_a_layout_given_by_hand_is_checked(pack, layout, reason):
    mine = with_tiles(pack, [{"id": "x", "map": ["a"]}, {"id": "y", "map": ["a"]}])
    with pytest.raises(ScenarioError, match=reason):
        board_from_tiles(mine, layout)
    with pytest.raises(ScenarioError, match="rotations need a number from 0 to 3"):
        board_from_tiles(mine, [["x", "y"]], [[0, 4]])


def test_a_board_that_does_not_fit_the_records_is_refused(pack):
    checkers = ["AbCd", "eFgH", "IjKl", "mNoP"]  # 16 Regions a tile, none runs on
    mine = with_tiles(pack, [{"id": f"t{k}", "map": checkers} for k in range(9)])
    with pytest.raises(ScenarioError, match=FAILURES[TOO_MANY_REGIONS]):
        board_from_tiles(mine, [[f"t{3 * r + c}" for c in range(3)] for r in range(3)])
    comb = [
        "BcDe",
        "BcDe",
        "BcDe",
        "aaaa",
    ]  # one Ground along the whole row, four Regions above it on each tile
    mine = with_tiles(pack, [{"id": f"t{k}", "map": comb} for k in range(15)])
    with pytest.raises(ScenarioError, match=FAILURES[TOO_MANY_NEAR]):
        board_from_tiles(mine, [[f"t{k}" for k in range(15)]])
