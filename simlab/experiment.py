"""Experiment files: parse, resolve, refuse what is unknown or has no effect, freeze.

    name = "factions_4p"
    game = "dei"
    seed = 1
    games = 24000                 # for each number of players, rounded up to whole blocks
    players = 4                   # or [2, 3, 4]
    pack = "reconstructed"        # a name or a folder; may be left out
    strategies = ["dei/greedy"]   # one plays all seats, several are mixed by design
    mixing = "by_design"          # or "mirrored": of several each plays all seats of its games
    also_by = [["dei/planner"]]   # who plays the arms too, a run each, for simlab compare alone
    decision_timeout = 10         # seconds, for strategies in plain Python: what takes longer ends its game
    factions = ["farm_z", …]      # who may play, all if left out
    layout = "random"             # the game's own keys, with defaults
    band = 2                      # points of win share either side of even that count as balanced
    until = "decided"             # stop as soon as that is known; games is then the most (until.py)
    tables = ["games", "seats"]   # the tables that are written, all if left out (recorded.py)
    [rules]                       # differences from the defaults
    [handicaps]                   # by seat
    [knock_outs]                  # what is taken from one seat at a time, game by game: knock_outs.py
    [ladder]                      # for simlab ladder, and for it alone (ladder/keys.py)
    [arms.NAME]                   # variants, compared with all of the above on the same deals: arms.py

Relative paths in it are looked for beside the file first, then from where the command runs. Every error is
an ExperimentError: one sentence with file, key and reason.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from simlab import experiment_keys, knock_outs, mix, recorded, values
from simlab.arms import Arms, Frame, arms_of, settings_by_arm
from simlab.errors import ExperimentError, UsageError
from simlab.game import MAX_SEATS, Game, Settings, Table
from simlab.keys import check_by_seat, tables_of, where_it_belongs
from simlab.ladder.keys import MOST_RATED, LadderKeys, ladder_keys
from simlab.mix import BY_DESIGN, MIRRORED, MIXING, MOST_STRATEGIES, OptionError, there
from simlab.toml import read_toml
from simlab.until import UNTIL, Until, until_of
from simlab.wording import place, plain, shown

KEYS = (
    *("name", "game", "seed", "games", "players", "pack", "strategies", "decision_timeout", "factions"),
    *(MIXING, "also_by", "band", UNTIL, "base", recorded.KEY, "rules", "handicaps", knock_outs.KEY, "arms"),
    "ladder",
)
PURPOSE, LADDER = "purpose", "ladder"  # key of a manifest's experiment that no file may have, and its value
REQUIRED = ("name", "game", "seed", "games", "players", "strategies")
_NOT_ON_A_LADDER = {  # keys, and why
    "arms": "which plays the experiment as it is",
    "band": "which rates strategies and judges no balance",
    UNTIL: "whose contests play all their games",
    recorded.KEY: "whose contests write what it needs",
    MIXING: "whose contests set strategies against others",
}
MOST_GAMES = 10**10
BAND = 2.0  # points of win share
_BANDS = (0.01, 50.0)
_IDENTITY = 1  # version of what `run_hash` covers and of the order of blocks in design.py


@dataclass(frozen=True)
class Experiment:
    """One question, resolved: two files that mean the same games give equal experiments, names apart."""

    name: str
    game: Game
    seed: int
    games: int
    players: tuple[int, ...]
    pack: str
    strategies: tuple[str, ...]
    decision_timeout: float | None  # seconds; None where every strategy is compiled, so that none is timed
    factions: tuple[str, ...]
    settings: Settings  # of the base
    mixing: str = BY_DESIGN  # whether several strategies meet each other
    band: float = BAND
    until: Until | None = None  # when to stop before all games are played
    tables: tuple[str, ...] | None = None  # of the game's, those that are written; None: all
    knock_outs: knock_outs.Wanted = field(default_factory=dict)  # what is taken from a seat, by kind
    arms: Arms = field(default_factory=Arms)
    also_by: tuple[Experiment, ...] = ()  # the same, played by others: what simlab compare sets beside it
    ladder: LadderKeys | None = None  # what simlab ladder is asked; such an experiment isn't a run's
    purpose: str = ""  # LADDER where the games are a contest's, with deals that are the ladder's alone

    @cached_property
    def settings_by_arm(self) -> tuple[Settings, ...]:
        """The settings of each arm by number, arm 0 the base."""
        return tuple(settings_by_arm(self.settings, self.arms))

    @property
    def recorded(self) -> tuple[Table, ...]:
        """The tables that a run writes."""
        names = self.tables or tuple(table.name for table in self.game.tables)
        return recorded.recorded(self.game, names, knock_outs=bool(self.knock_outs))

    @property
    def timeout(self) -> float:
        """Seconds that a decision may take in a worker process."""
        return self.decision_timeout or mix.DECISION_TIMEOUT

    def resolved(self, *, all_rules: bool = False) -> dict[str, Any]:
        """The experiment as a plain dict in fixed order, defaults filled in; itself a valid file."""
        settings = self.settings
        return {
            "name": self.name,
            "game": self.game.name,
            "seed": self.seed,
            "games": self.games,
            "players": list(self.players),
            "pack": self.pack,
            "strategies": list(self.strategies),
            **({} if self.mixing == BY_DESIGN else {MIXING: self.mixing}),
            **({"also_by": [list(other.strategies) for other in self.also_by]} if self.also_by else {}),
            **({} if self.decision_timeout is None else {"decision_timeout": self.decision_timeout}),
            "factions": list(self.factions),
            **settings.options,
            **({"band": self.band} if self.ladder is None else {}),
            **({} if self.until is None else {UNTIL: self.until.written()}),
            **({} if self.tables is None else {recorded.KEY: list(self.tables)}),
            "rules": self._all_rules() if all_rules else dict(settings.rules),
            "handicaps": dict(settings.handicaps),
            **self._knock_outs(),
            **self.arms.resolved(),
            **({PURPOSE: self.purpose} if self.purpose else {}),
            **({} if self.ladder is None else {"ladder": self.ladder.written()}),
        }

    def _knock_outs(self) -> dict[str, Any]:
        if not self.knock_outs:
            return {}
        of = self.game, self.settings, self.players, self.factions
        return {knock_outs.KEY: knock_outs.written_again(self.knock_outs, *of)}

    def _all_rules(self) -> dict[str, Any]:
        rules = self.game.resolve_rules(self.settings.rules)
        for name, value in rules.items():
            if isinstance(value, list) and len(value) == MAX_SEATS:
                rules[name] = value[: max(self.players)]  # by seat: as long as the file may have it
        return rules

    def run_hash(self, strategy_hashes: Sequence[str], signature: str) -> str:
        """A hash of everything that changes play or what is recorded of it.

        Not of the name, of `games` and `until`, of how the pack is called: asking for more games extends the
        same run.
        """
        settings = self.settings
        tables = {table.name: [f"{c.name} {c.dtype}" for c in table.columns] for table in self.recorded}
        identity = [_IDENTITY, self.game.name, self.game.rules_version, signature, self.seed, self.players]
        identity += [self.factions, dict(settings.options), dict(settings.rules), dict(settings.handicaps)]
        identity += [settings.pack.hash, list(strategy_hashes), tables]
        if self.decision_timeout is not None:
            identity.append(self.decision_timeout)
        if self.purpose:
            identity.append(self.purpose)
        if self.mixing != BY_DESIGN:
            identity.append(self.mixing)
        if self.arms.others:
            identity.append(self.arms.identity())
        if self.knock_outs:
            identity.append({kind: list(names) for kind, names in self.knock_outs.items()})
        text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def shipped() -> Path:
    """The folder of the experiments that come with the package."""
    here = Path(__file__).resolve().parent
    inside = here / "experiments"  # in a wheel; beside the package in a checkout
    return inside if inside.is_dir() else here.parent / "experiments"


def load(
    path: str | Path,
    *,
    games: int | None = None,
    seed: int | None = None,
    strategies: Sequence[str] | None = None,
) -> Experiment:
    """Read an experiment file; `games`, `seed` and `strategies` override the file's. Raises ExperimentError.

    Strategies that are files are then looked for from where the command runs.
    """
    file = find(Path(path))
    written = read_toml(file, ExperimentError)
    try:
        return _asked(written, file.parent, {"games": games, "seed": seed}, strategies)
    except OptionError:
        raise
    except UsageError as error:
        raise ExperimentError(f"{place(file)}: {error}") from None


def of_mapping(
    written: Mapping[str, Any], *, games: int | None = None, seed: int | None = None
) -> Experiment:
    """The experiment of a file that would hold this; a key may be a number, a list a tuple, a text a path.

    Relative paths are looked for from where Python runs. Raises ExperimentError.
    """
    return _asked(values.as_in_a_file(written), Path(), {"games": games, "seed": seed})


def _asked(
    written: Mapping[str, Any],
    folder: Path,
    overrides: Mapping[str, Any],
    strategies: Sequence[str] | None = None,
) -> Experiment:
    """The experiment of what was written and of what takes its place. Raises UsageError."""
    if PURPOSE in written:
        raise ExperimentError(
            f"{PURPOSE} is no key of an experiment file: it marks the games of a ladder, whose deals nothing"
            " else is to play"
        )
    instead = {key: value for key, value in overrides.items() if value is not None}
    return resolve({**written, **instead}, folder, strategies)


def find(path: Path) -> Path:
    """The file as named, or the shipped one of that name where there is none."""
    parts = path.parts[1:] if path.parts[:1] == ("experiments",) else path.parts
    inside = shipped().joinpath(*parts)
    return inside if not path.is_absolute() and not there(path) and there(inside) else path


# --- resolving --------------------------------------------------------------------------------------


def resolve(written: Mapping[str, Any], folder: Path, strategies: Sequence[str] | None = None) -> Experiment:
    """An experiment of the keys and values that a file in `folder` may have. Raises UsageError.

    `strategies` are those of the command, which take the place of the file's.
    """
    if strategies:
        written = {**written, "strategies": list(strategies)}
    for key in REQUIRED:
        if key not in written:
            raise ExperimentError(f"{key} is missing{_stands_elsewhere(key, written)}")
    game = experiment_keys.game(written["game"])
    _check_keys(written, game)
    players = experiment_keys.players(written["players"], game)
    pack_name = experiment_keys.pack_name(written.get("pack", game.default_pack), game, folder)
    settings = Settings(
        rules=values.table("rules", written.get("rules", {})),
        options={
            name: experiment_keys.option(name, written, allowed) for name, allowed in game.options.items()
        },
        handicaps=values.table("handicaps", written.get("handicaps", {})),
        pack=experiment_keys.pack(pack_name, game),
    )
    rated = LADDER in written
    _check_beside(written, rated=rated)
    most = MOST_RATED if rated else MOST_STRATEGIES
    named = (
        mix.strategies_of_the_command(strategies, game)
        if strategies
        else mix.strategies_of("strategies", written["strategies"], game, folder, most)
    )
    mixing = written.get(MIXING, BY_DESIGN)
    if MIXING in written:
        mixing = mix.mixing_of(mixing, named, of_the_command=bool(strategies))
    factions = experiment_keys.factions(written.get("factions"), game, players)
    base = game.resolve_settings(settings, players, factions)
    arms = arms_of(written, Frame(game, players, factions, base))
    taken = written.get(knock_outs.KEY)
    return Experiment(
        name=experiment_keys.name(written["name"]),
        game=game,
        seed=values.number("seed", written["seed"], 0, 2**63 - 1),
        games=values.number("games", written["games"], 1, MOST_GAMES),
        players=players,
        pack=pack_name,
        strategies=named,
        decision_timeout=mix.decision_timeout(written.get("decision_timeout"), named, game),
        factions=factions,
        settings=base,
        mixing=mixing,
        band=values.decimal("band", written.get("band", BAND), *_BANDS),
        until=_until(written, game, named, mixing, arms),
        tables=recorded.tables_of(written[recorded.KEY], game) if recorded.KEY in written else None,
        knock_outs={} if taken is None else knock_outs.knock_outs_of(taken, game, base, players, factions),
        arms=arms,
        also_by=() if strategies else _also_by(written, folder, named),
        ladder=ladder_keys(written[LADDER], written["strategies"], named) if rated else None,
        purpose=written.get(PURPOSE, ""),
    )


def _check_beside(written: Mapping[str, Any], *, rated: bool) -> None:
    """Nothing that has no effect on a ladder beside one, and no knock-outs beside arms."""
    for key, why in _NOT_ON_A_LADDER.items():
        if rated and key in written:
            raise ExperimentError(f"{'[arms]' if key == 'arms' else key} has no effect on a ladder, {why}")
    if knock_outs.KEY in written and (rated or "arms" in written):
        beside = "a ladder, which rates strategies" if rated else "[arms]: it is about one set of rules"
        raise ExperimentError(f"[{knock_outs.KEY}] can't stand beside {beside}")


def _until(
    written: Mapping[str, Any], game: Game, strategies: Sequence[str], mixing: str, arms: Arms
) -> Until | None:
    if UNTIL not in written:
        return None
    there, mirrored = bool(arms.others), mixing == MIRRORED
    return until_of(written[UNTIL], game, strategies, arms=there, judged=arms.judged, mirrored=mirrored)


def _also_by(written: Mapping[str, Any], folder: Path, strategies: tuple[str, ...]) -> tuple[Experiment, ...]:
    """The same experiment played by others, a list of strategies each."""
    key = "also_by"
    if key not in written:
        return ()
    if "arms" not in written:
        raise ExperimentError(f"{key} has no effect: it says by whom arms are played too, and there are none")
    lists = written[key]
    if not isinstance(lists, list) or not lists:
        raise ExperimentError(f'{key} must be a list such as [["dei/uniform"]], not {shown(lists)}')
    found: list[Experiment] = []
    for number, names in enumerate(lists):
        alone = isinstance(names, list) and len(names) == 1
        left_out = {key, "decision_timeout", *([MIXING] if alone else [])}
        same = {each: value for each, value in written.items() if each not in left_out}
        try:
            other = resolve({**same, "strategies": names}, folder)
        except UsageError as error:
            raise ExperimentError(f"{key}[{number}]: {error}") from None
        if other.strategies in (strategies, *(each.strategies for each in found)):
            raise ExperimentError(f"{key}[{number}] has no effect: {shown(names)} plays already")
        found.append(other)
    return tuple(found)


def _check_keys(written: Mapping[str, Any], game: Game) -> None:
    """No unknown key above the tables, none in a table that belongs elsewhere; the game checks the rest."""
    known = (*KEYS, PURPOSE, *game.options) if PURPOSE in written else (*KEYS, *game.options)
    tables = tables_of(game)
    elsewhere = {*known, *(key for keys in tables.values() for key in keys)}
    for key in written:
        if key not in known:
            raise ExperimentError(f"there is no key {shown(key)}{where_it_belongs(key, known, tables)}")
    for table, keys in tables.items():
        for key in values.table(table, written.get(table, {})):
            if key not in keys and key in elsewhere:
                belongs = (
                    " here: it belongs above all tables"
                    if key in known
                    else where_it_belongs(key, known, tables)
                )
                raise ExperimentError(f"[{table}] has no key {shown(key)}{belongs}")
    check_by_seat(written.get("handicaps", {}), game)


def _stands_elsewhere(key: str, written: Mapping[str, Any]) -> str:
    """Where a key that is missing may have gone: into a table, or into a misspelling."""
    for table, content in written.items():
        if isinstance(content, dict) and key in content:
            return f" (it stands in [{plain(table, 40)}], but belongs above all tables)"
    near = get_close_matches(key, [other for other in written if other not in KEYS], n=1)
    return f" (there is no key {shown(near[0])})" if near else ""
