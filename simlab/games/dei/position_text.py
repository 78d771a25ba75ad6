"""A whole position as TOML text and back: every fact of every record, by names.

`position_text` writes what differs from the fields' defaults; `read_position` gives records that are
equal byte by byte. The tables (rules, pack, board) aren't part of the text, but the board's tiles and
Outposts are written beside it, and a text is refused on another board.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

from simlab.errors import UsageError
from simlab.games.dei.facts import (
    AXES,
    DRONE,
    HIDDEN_FIELDS,
    NUMBER,
    OWN_FIELDS,
    PUBLIC_FIELDS,
    REGION,
    SEAT_0,
    Field,
    describe,
    understand,
    words_kind,
)
from simlab.games.dei.names import Names
from simlab.games.dei.state import Position
from simlab.games.dei.vocabulary import (
    ASK_DISCARD,
    ASK_DRONE,
    ASK_FLY,
    ASK_REPEAT,
    ASKS,
    MAX_FRAMES,
    MAX_SEATS,
    OPS,
    RESOURCES,
)

ASK = words_kind(ASKS)
# what a frame's first field means, by what is asked
FRAME_KINDS = {
    ASK_REPEAT: words_kind(OPS),
    ASK_DISCARD: words_kind(RESOURCES),
    ASK_DRONE: DRONE,
    ASK_FLY: REGION,
}
RECORDS = {"public": PUBLIC_FIELDS, "hidden": HIDDEN_FIELDS}


# --- writing ---------------------------------------------------------------------------------------------


def position_text(position: Position, pack: Any) -> str:
    """The position as TOML."""
    names = Names(position, pack)
    blocks = [_section("board", board_facts(names))]
    public = _facts(names, position.public[0], PUBLIC_FIELDS) | {"frames": _frames(names)}
    blocks.append(_section("public", public))
    seats = AXES["seat"](names)
    for seat in range(MAX_SEATS):
        facts = _facts(names, position.own[seat], OWN_FIELDS)
        if facts:
            blocks.append(_section(f"own.{_key(_label(seats, seat))}", facts))
    blocks.append(_section("hidden", _facts(names, position.hidden[0], HIDDEN_FIELDS)))
    return "\n".join(blocks)


def board_facts(names: Names) -> dict[str, Any]:
    """The tiles as they lie (`id`, or `id@quarter turns`) and the Outposts: a text belongs to one board."""
    board = names.board
    columns = int(board.columns)
    tiles = []
    for place in range(int(board.rows) * columns):
        turns = int(board.rotation[place])
        tiles.append(names.pack.tile_ids[int(board.tile_at[place])] + (f"@{turns}" if turns else ""))
    rows = [tiles[start : start + columns] for start in range(0, len(tiles), columns)]
    return {"layout": rows, "outposts": names.outposts}


def _facts(names: Names, record: Any, fields: Sequence[Field]) -> dict[str, Any]:
    found = {}
    for field in fields:
        written = _write(names, field, record[field.name], field.axes, ())
        if written is not None:
            found[field.name] = written
    return found


def _write(names: Names, field: Field, values: Any, axes: tuple[str, ...], index: tuple[int, ...]) -> Any:
    """The value or array of values at `index`; None where all of it is at its default."""
    if not axes:
        value = int(values)
        return None if value == field.kind.default else describe(field.kind, names, value, index)
    children = [_write(names, field, values[i], axes[1:], (*index, i)) for i in range(len(values))]
    if axes[0] != "list":
        labels = AXES[axes[0]](names)
        return {_label(labels, i): child for i, child in enumerate(children) if child is not None} or None
    while children and children[-1] is None:
        children.pop()
    blank: Any = [] if axes[1:] else field.kind.default
    return [blank if child is None else child for child in children] or None


def _label(labels: Sequence[str], index: int) -> str:
    return labels[index] if index < len(labels) else f"#{index}"


def _frames(names: Names) -> list[dict[str, Any]]:
    frames = [[int(field) for field in frame] for frame in names.public.frame]
    while frames and not any(frames[-1]):
        frames.pop()
    return [
        {
            "ask": describe(ASK, names, ask, ()),
            "seat": describe(SEAT_0, names, seat, ()),
            "a": describe(FRAME_KINDS.get(ask, NUMBER), names, a, ()),
            "b": b,
            "c": c,
        }
        for ask, seat, a, b, c in frames
    ]


def _section(title: str, facts: dict[str, Any]) -> str:
    flat = [f"{name} = {_inline(value)}" for name, value in facts.items() if not isinstance(value, dict)]
    lines = [f"[{title}]", *flat, ""]
    for name, value in facts.items():
        if isinstance(value, dict):
            lines += [
                f"[{title}.{name}]",
                *(f"{_key(label)} = {_inline(it)}" for label, it in value.items()),
                "",
            ]
    return "\n".join(lines)


def _key(word: str) -> str:
    return word if word.replace("_", "").replace("-", "").isalnum() and word.isascii() else f'"{word}"'


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(name)} = {_inline(it)}" for name, it in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


# --- reading ---------------------------------------------------------------------------------------------


def read_position(text: str, rules: Any, pack: Any, board: Any) -> Position:
    """The position of a text on its tables: `rules` and `board` are record arrays, `pack` a loaded pack."""
    facts = tomllib.loads(text)
    position = Position(rules, pack.table, board)
    names = Names(position, pack)
    if facts.pop("board") != board_facts(names):
        raise UsageError("the position is one of another board")
    frames = facts["public"].pop("frames", [])
    for name, fields in RECORDS.items():
        _fill(names, getattr(position, name)[0], fields, facts[name])
    labels = AXES["seat"](names)
    own = {_number(labels, label): values for label, values in facts.get("own", {}).items()}
    for seat in range(MAX_SEATS):
        _fill(names, position.own[seat], OWN_FIELDS, own.get(seat, {}))
    for number, frame in enumerate(frames[:MAX_FRAMES]):
        _fill_frame(names, names.public.frame[number], frame)
    return position


def _fill(names: Names, record: Any, fields: Sequence[Field], facts: dict[str, Any]) -> None:
    unknown = set(facts) - {field.name for field in fields}
    if unknown:
        raise UsageError(f"a position has no fact '{min(unknown)}'")
    for field in fields:
        record[field.name] = field.kind.default
        if field.name not in facts:
            continue
        if not field.axes:
            record[field.name] = understand(field.kind, names, facts[field.name], ())
            continue
        for index, value in _leaves(names, facts[field.name], field.axes):
            record[field.name][index] = understand(field.kind, names, value, index)


def _leaves(names: Names, value: Any, axes: tuple[str, ...]) -> Iterator[tuple[tuple[int, ...], Any]]:
    if not axes:
        yield (), value
        return
    if axes[0] == "list":
        children = list(enumerate(value))
    else:
        labels = AXES[axes[0]](names)
        children = [(_number(labels, label), child) for label, child in value.items()]
    for i, child in children:
        for index, leaf in _leaves(names, child, axes[1:]):
            yield (i, *index), leaf


def _number(labels: Sequence[str], label: str) -> int:
    if label.startswith("#"):
        return int(label[1:])
    if label not in labels:
        raise UsageError(f"'{label}' isn't in this position")
    return labels.index(label)


def _fill_frame(names: Names, record: Any, frame: dict[str, Any]) -> None:
    ask = understand(ASK, names, frame["ask"], ())
    kind = FRAME_KINDS.get(ask, NUMBER)
    seat = understand(SEAT_0, names, frame["seat"], ())
    record[:] = [ask, seat, understand(kind, names, frame["a"], ()), frame["b"], frame["c"]]
