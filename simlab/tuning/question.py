"""Tuning files: what is tuned, against whom, with how many games.

    name = "greedy_tuned"          # of the strategy that comes out, and of the folder
    game = "dei"
    seed = 1
    base = "dei/greedy"            # whose weights are tuned; a compiled strategy that names them
    opponents = ["dei/greedy"]     # who is met from the first game on
    weights = "all"                # or a list of names
    fixed = []                     # those of them that stay as they are
    players = [2, 4]
    pack = "reconstructed"         # or a list: each has the same number of games
    games = 96                     # of a candidate in a generation, for each number of players
    generations = 40
    population = 16                # candidates of a generation; by the number of weights if left out
    sigma = 0.3                    # first step: by about 30 % of a weight
    margin = 0.25                  # what a lead by one standard deviation counts beside a win
    covariance = "diagonal"        # or "full": CMA-ES learns how weights go together
    champion_every = 10            # generations
    champion_share = 0.5           # of the opponents, once there is a champion
    validation_games = 2000        # for each number of players
    report_games = 20000

and `factions`, `[rules]`, `[handicaps]` and the game's own keys as in an experiment file. Every error is an
ExperimentError: one sentence with file, key and reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

from simlab import catalog, values
from simlab import experiment as experiments
from simlab.errors import ExperimentError, UsageError
from simlab.experiment import Experiment
from simlab.game import Game
from simlab.mix import MOST_STRATEGIES, strategies_of
from simlab.strategy import Strategy
from simlab.toml import read_toml
from simlab.wording import did_you_mean, place, shown

REQUIRED = ("name", "game", "seed", "base", "opponents", "players", "games", "generations")
_SHARED = ("name", "game", "seed", "players", "games", "factions", "rules", "handicaps")  # with experiments
_OWN = (
    *(
        "base",
        "opponents",
        "weights",
        "fixed",
        "pack",
        "generations",
        "population",
        "sigma",
        "margin",
        "covariance",
    ),
    *("champion_every", "champion_share", "validation_games", "report_games"),
)
COVARIANCES = ("diagonal", "full")
_MOST_OPPONENTS = MOST_STRATEGIES - 2  # the candidate and a champion play too
_MOST_GAMES = 10**6
_LONGEST_NAME = 40  # as a file of weights may have it


@dataclass(frozen=True)
class Tuning:
    """One tuning, resolved."""

    name: str
    game: Game
    seed: int
    base: Strategy
    opponents: tuple[Strategy, ...]
    tuned: tuple[int, ...]  # which of the base's weights, by place, ascending
    experiments: tuple[Experiment, ...]  # what games are played, one a pack; all else in them is the same
    games: int
    generations: int
    population: int
    sigma: float
    margin: float
    covariance: str
    champion_every: int
    champion_share: float
    validation_games: int
    report_games: int

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players."""
        return self.experiments[0].players

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the weights that are tuned."""
        return tuple(self.base.weight_names[place] for place in self.tuned)

    def search(self) -> dict[str, Any]:
        """What decides how the search goes, beside the rules and packs of its games.

        Not `generations` and `report_games`: with more of them the search goes on from what is there.
        """
        return {
            "seed": self.seed,
            "base": self.base.name,
            "opponents": [strategy.name for strategy in self.opponents],
            "weights": list(self.names),
            "players": list(self.players),
            "games": self.games,
            "population": self.population,
            "sigma": self.sigma,
            "margin": self.margin,
            "covariance": self.covariance,
            "champion_every": self.champion_every,
            "champion_share": self.champion_share,
            "validation_games": self.validation_games,
        }


def load(path: Path, *, seed: int | None = None) -> Tuning:
    """Read a tuning file; `seed` overrides the file's. Loads its strategies. Raises ExperimentError."""
    file = experiments.find(path)
    written = read_toml(file, ExperimentError)
    if seed is not None:
        written["seed"] = seed
    try:
        return resolve(written, file.parent)
    except UsageError as error:
        raise ExperimentError(f"{place(file)}: {error}") from None


def resolve(written: Mapping[str, Any], folder: Path) -> Tuning:
    """A tuning of the keys and values that a file in `folder` may have. Raises UsageError."""
    for key in REQUIRED:
        if key not in written:
            raise ExperimentError(f"{key} is missing")
    game = _game(written)
    base_name = _base(written["base"], game, folder)
    opponents = strategies_of("opponents", written["opponents"], game, folder)
    if len(opponents) > _MOST_OPPONENTS:
        raise ExperimentError(f"opponents names {len(opponents)}, but at most {_MOST_OPPONENTS} can be met")
    _all_compiled("opponents", opponents, game)
    games = values.number("games", written["games"], 1, _MOST_GAMES)
    resolved = _experiments(written, base_name, folder)
    strategy = catalog.strategy(base_name, game.name)
    tuned = _weights(written.get("weights", "all"), written.get("fixed", []), strategy)
    generations = values.number("generations", written["generations"], 1, 10**6)
    return Tuning(
        name=_name(resolved[0].name, base_name),
        game=game,
        seed=resolved[0].seed,
        base=strategy,
        opponents=tuple(catalog.strategy(name, game.name) for name in opponents),
        tuned=tuned,
        experiments=resolved,
        games=games,
        generations=generations,
        population=values.number("population", written.get("population", _population(len(tuned))), 4, 1000),
        sigma=values.decimal("sigma", written.get("sigma", 0.3), 0.001, 2.0),
        margin=values.decimal("margin", written.get("margin", 0.25), 0.0, 10.0),
        covariance=_covariance(written.get("covariance", COVARIANCES[0])),
        champion_every=_champion_every(written.get("champion_every"), generations),
        champion_share=values.decimal("champion_share", written.get("champion_share", 0.5), 0.0, 1.0),
        validation_games=_games("validation_games", written, 2000),
        report_games=_games("report_games", written, 20_000),
    )


def _game(written: Mapping[str, Any]) -> Game:
    """The game, and no key that neither it nor a tuning has."""
    name = values.text("game", written["game"])
    try:
        game = catalog.game(name)
    except UsageError as error:
        raise ExperimentError(f"game: {error}") from None
    known = (*_SHARED, *_OWN, *game.options)
    for key in written:
        if key not in known:
            raise ExperimentError(f"there is no key {shown(key)}{did_you_mean(key, known)}")
    return game


def _name(name: str, base: str) -> str:
    """The second half of what the tuned strategy is called; experiments have judged its signs."""
    if len(name) > _LONGEST_NAME:
        raise ExperimentError(f"name must have at most {_LONGEST_NAME} signs, not {len(name)}")
    if name == base.rpartition("/")[2]:
        raise ExperimentError(f"name is that of the base {shown(base)}, by which results tell them apart")
    return name


def _base(value: Any, game: Game, folder: Path) -> str:
    """The strategy whose weights are tuned; the result refers to it by name, so it is no file."""
    name = values.text("base", value)
    if catalog.strategy_file(name) is not None:
        raise ExperimentError(f"base must be the name of a strategy, not a file ({shown(name)})")
    strategies_of("base", [name], game, folder)
    _all_compiled("base", [name], game)
    return name


def _all_compiled(key: str, names: Any, game: Game) -> None:
    for name in names:
        if not catalog.compiled(name, game.name):
            raise ExperimentError(f"{key}: {shown(name)} is plain Python; tuning plays compiled ones only")


def _experiments(written: Mapping[str, Any], base: str, folder: Path) -> tuple[Experiment, ...]:
    """The games that are played, one experiment a pack."""
    shared = {key: value for key, value in written.items() if key not in _OWN} | {"strategies": [base]}
    if "pack" not in written:
        return (experiments.resolve(shared, folder),)
    packs = written["pack"] if isinstance(written["pack"], list) else [written["pack"]]
    found = tuple(
        experiments.resolve(shared | {"pack": pack}, folder) for pack in values.texts("pack", packs)
    )
    there: dict[str, str] = {}
    for each in found:
        other = there.setdefault(each.settings.pack.hash, each.pack)
        if other != each.pack:
            raise ExperimentError(f"pack names {shown(other)} and {shown(each.pack)}, which are the same one")
    return found


def _weights(value: Any, fixed: Any, base: Strategy) -> tuple[int, ...]:
    """The places of the weights that are tuned: all of them or those named, without those that stay fixed."""
    if not base.weight_names:
        raise ExperimentError(f"base: {shown(base.name)} has no weights with names, so nothing to tune")
    every = tuple(range(len(base.weight_names)))
    tuned = every if value == "all" else _places("weights", value, base)
    if fixed == []:
        return tuned
    stay = _places("fixed", fixed, base)
    for index in stay:
        if index not in tuned:
            name = base.weight_names[index]
            raise ExperimentError(f"fixed: {shown(name)} isn't tuned anyway, so it has no effect")
    if set(stay) == set(tuned):
        raise ExperimentError("fixed names every weight, so there is nothing to tune")
    return tuple(index for index in tuned if index not in stay)


def _places(key: str, value: Any, base: Strategy) -> tuple[int, ...]:
    """The places of weights given by name, ascending."""
    if not isinstance(value, list):
        either = '"all" or a list' if key == "weights" else "a list"
        raise ExperimentError(f"{key} must be {either} of names, not {shown(value)}")
    for name in values.texts(key, value):
        if name not in base.weight_names:
            known = did_you_mean(name, base.weight_names)
            raise ExperimentError(f"{key}: {base.name} has no weight {shown(name)}{known}")
    return tuple(sorted(base.weight_names.index(name) for name in value))


def _population(weights: int) -> int:
    """As many candidates as CMA-ES takes of itself (Hansen 2016, table 1), at least four."""
    return max(4, 4 + int(3 * log(weights)))


def _games(key: str, written: Mapping[str, Any], default: int) -> int:
    return values.number(key, written.get(key, default), 1, 10 * _MOST_GAMES)


def _covariance(value: Any) -> str:
    if value not in COVARIANCES:
        raise ExperimentError(f'covariance must be "diagonal" or "full", not {shown(value)}')
    return str(value)


def _champion_every(value: Any, generations: int) -> int:
    """Every how many generations the mean may become champion; the last one is such a generation."""
    if value is None:
        return max(each for each in range(1, min(10, generations) + 1) if generations % each == 0)
    every = values.number("champion_every", value, 1, 10**6)
    if generations % every:
        raise ExperimentError(
            f"champion_every must divide generations ({generations}), as the last one's mean is judged too,"
            f" but it is {every}"
        )
    return every
