"""Valid inputs changed at random: each resolves or is refused in a sentence, nothing else ever comes out."""

from __future__ import annotations

import copy
import datetime as dt
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from input_cases import INPUTS, LONGEST_SENTENCE, names

from simlab.errors import ExperimentError, PackError, ResultsError, SimlabError
from simlab.experiment import load
from simlab.games.dei.definition import GAME
from simlab.games.dei.pack import PACKS, build_pack
from simlab.games.dei.pack_parts import FILES, parse_parts
from simlab.results import MANIFEST, read_manifest, write_manifest
from simlab.toml import dumps

VALID = "experiments/valid"
EXPERIMENTS = [
    tomllib.loads((INPUTS / VALID / f"{name}.toml").read_text(encoding="utf-8-sig")) for name in names(VALID)
]
BYTES = [(INPUTS / VALID / f"{name}.toml").read_bytes() for name in names(VALID)]
PACK = {name: (PACKS / "reconstructed" / name).read_text(encoding="utf-8") for name in FILES}
KEYS = [
    *("name", "game", "seed", "games", "players", "pack", "strategies", "factions", "layout", "outposts"),
    *("rules", "handicaps", "0", "3", "05", ""),
    *(knob.name for knob in GAME.knobs),
    *GAME.handicaps,
]
WORDS = [*GAME.factions, "dei", "dei/greedy", "reconstructed", "quick", "tactic-01", "draco-0", "bombing"]
scalars = st.one_of(
    st.booleans(),
    st.integers(-2, 16),
    st.integers(),
    st.sampled_from([2**63, -(2**63), 10**400]),
    st.floats(),
    st.sampled_from(WORDS),
    st.text(max_size=12),
    st.sampled_from(["\0", "../x", "a" * 300, "a\nb", "\u202e", "x.py", ".py:", "x.py:y", "."]),
    st.dates(),
    st.times(),
    st.datetimes(),
)
keys = st.one_of(st.sampled_from(KEYS), st.text(max_size=6))
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mutations")


# --- TOML, with all that may stand in it ----------------------------------------------------------------


def toml(value: Any) -> str:
    """A value as TOML; unlike simlab's own writer it takes what no resolved file has."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return hex(value) if isinstance(value, int) and value > 10**100 else str(value)


def quoted(text: str) -> str:
    return '"' + "".join(c if c.isalnum() and c.isascii() else f"\\U{ord(c):08X}" for c in text) + '"'


def containers(value: Any) -> list[Any]:
    """Every table and list in a value, itself included."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(found for item in inner for found in containers(item))] if inner or value == {} else []


def mutated(draw: Callable[..., Any], content: dict[str, Any]) -> None:
    """Change, remove or add one thing somewhere in a table."""
    there = draw(st.sampled_from(containers(content)))
    slots = list(there) if isinstance(there, dict) else list(range(len(there)))
    what = draw(st.sampled_from(["change", "remove", "add"]))
    if what == "add" or not slots:
        if isinstance(there, dict):
            there[draw(keys)] = draw(values)
        else:
            there.insert(draw(st.integers(0, len(there))), draw(values))
        return
    slot = draw(st.sampled_from(slots))
    if what == "remove":
        del there[slot]
    else:
        there[slot] = draw(values)


@st.composite
def experiments(draw: Callable[..., Any]) -> str:
    content = copy.deepcopy(draw(st.sampled_from(EXPERIMENTS)))
    for _ in range(draw(st.integers(1, 3))):
        mutated(draw, content)
    return "".join(f"{quoted(key)} = {toml(value)}\n" for key, value in content.items())


# --- bytes ----------------------------------------------------------------------------------------------


@st.composite
def scribbled(draw: Callable[..., Any], originals: st.SearchStrategy[bytes]) -> bytes:
    """Bytes with pieces of them gone, doubled, or replaced by others."""
    content = draw(originals)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.integers(0, 12)))
        put = draw(
            st.one_of(
                st.binary(max_size=6),
                st.sampled_from([b"", b"\n", b"\r", b'"', b"[", b"=", b",", b"..", b"\xef\xbb\xbf", b"-1"]),
                st.just(content[start:end] * 2),
            )
        )
        content = content[:start] + put + content[end:]
    return content


def is_a_sentence(error: SimlabError, begins: object = "") -> None:
    message = str(error)
    assert message.startswith(str(begins))
    assert message.isprintable()
    assert len(message) <= LONGEST_SENTENCE


def resolves_or_is_refused(file: Path) -> None:
    try:
        experiment = load(file)
    except ExperimentError as error:
        is_a_sentence(error, file)
        return
    resolved = experiment.resolved()
    file.write_text(dumps(resolved), encoding="utf-8")
    assert load(file).resolved() == resolved


@settings(max_examples=250)
@given(text=experiments())
def test_an_experiment_with_other_values(place: Path, text: str) -> None:
    (place / "e.toml").write_text(text, encoding="utf-8")
    assert tomllib.loads(text)
    resolves_or_is_refused(place / "e.toml")


@settings(max_examples=200)
@given(content=scribbled(st.sampled_from(BYTES)))
def test_an_experiment_with_other_bytes(place: Path, content: bytes) -> None:
    (place / "e.toml").write_bytes(content)
    resolves_or_is_refused(place / "e.toml")


@settings(max_examples=250)
@given(data=st.data(), name=st.sampled_from(FILES))
def test_a_pack_with_other_bytes(data: st.DataObject, name: str) -> None:
    content = data.draw(scribbled(st.just(PACK[name].encode()))).decode(errors="ignore")
    try:
        pack = build_pack(parse_parts(PACK | {name: content}), Path())
    except PackError as error:
        is_a_sentence(error)
        return
    assert pack.counts["tiles"] == 16


@settings(max_examples=150)
@given(data=st.data())
def test_a_manifest_with_other_bytes(place: Path, data: st.DataObject) -> None:
    written = write_manifest(place, {"format": 1, "name": "x", "parts": {"000000": {"games": "0" * 64}}})
    content = data.draw(scribbled(st.just((place / MANIFEST).read_bytes())))
    (place / MANIFEST).write_bytes(content)
    try:
        manifest = read_manifest(place)
    except ResultsError as error:
        is_a_sentence(error)
        return
    assert manifest == json.loads(content)
    assert manifest == written
