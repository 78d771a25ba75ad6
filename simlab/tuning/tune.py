"""Tuning from the first generation to the report: generations, champions, and what of it is kept.

Nothing on deals of the search is ever told as a result: candidates are picked by them, so the best look
better than they are. Champions are picked on validation deals, new ones each time, and the report is on deals
that nothing was picked by.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from simlab.errors import RunError
from simlab.folder import claimed, in_words
from simlab.progress import progress
from simlab.runs import Stopped
from simlab.stats.intervals import Estimate
from simlab.strategy import Strategy
from simlab.threads import Pace
from simlab.tuning.contest import Contest
from simlab.tuning.deals import Deals, deal, games_of
from simlab.tuning.league import League
from simlab.tuning.numbers import Numbers
from simlab.tuning.plan import Plan
from simlab.tuning.question import Tuning
from simlab.tuning.result import Champion, Report, weights_file
from simlab.tuning.search import Search
from simlab.tuning.store import CHAMPIONS, GENERATIONS, Store
from simlab.wording import place

SURE = 1.28  # standard errors by which a champion has to be better: 90 % confidence, one-sided


@dataclass(frozen=True)
class Tuned:
    """What came out: the file of weights, the champion in it and its report."""

    file: Path
    champion: Champion
    report: Report


def tune(plan: Plan, workers: int, say: Callable[[str], None], *, quiet: bool = False) -> Tuned:
    """Play what is missing of a tuning; `say` hears how far it is, without figures of seen deals.

    Raises RunError where no champion was found or the folder is another's.
    """
    try:
        with claimed(plan.folder) as still_there:
            store = Store(plan.folder)
            store.open(plan.identity())
            return _Tuner(plan, store, workers, say, still_there).run(quiet)
    except OSError as error:
        raise RunError(in_words(plan.folder, error)) from error
    except KeyboardInterrupt:
        raise Stopped(f"stopped; the same command goes on from what is in {place(plan.folder)}") from None


@dataclass
class _Tuner:
    """A tuning that is going on."""

    plan: Plan
    store: Store
    workers: int
    say: Callable[[str], None]
    still_there: Callable[[], None]
    stage: str = ""
    contest: Contest = field(init=False)
    league: League = field(init=False)
    champion: Champion = field(init=False)

    def __post_init__(self) -> None:
        self.league = League(self.tuning.opponents, self.tuning.champion_share)
        self.champion = Champion(self.tuning.base, 0, {})

    @property
    def tuning(self) -> Tuning:
        return self.plan.tuning

    def run(self, quiet: bool) -> Tuned:
        counted = _Games(self.tuning)
        search, numbers = Search(self.tuning), Numbers(self.tuning.base, self.tuning.tuned)
        held = counted.held(self.store, self.tuning)
        with progress(counted.all, held, quiet, lambda: self.stage) as advance:
            self.contest = Contest(self.tuning.game, self.workers, Pace(counted.all - held), advance)
            for number in range(self.tuning.generations):
                self.stage = f"generation {number + 1} of {self.tuning.generations}"
                self._generation(number, search, numbers)
                if (number + 1) % self.tuning.champion_every == 0:
                    self.stage = f"validation after generation {number + 1}"
                    self._judge(number + 1, search.mean, numbers)
            if self.champion.generation == 0:
                raise RunError(
                    f"no mean of the search beat {self.tuning.base.name} on validation deals: no weights are"
                    " written; try more games or generations"
                )
            self.stage = "report"
            report = self._report()
        text = weights_file(self.plan, self.champion, report, counted.search)
        self.still_there()
        return Tuned(self.store.write_result(self.tuning.name, text), self.champion, report)

    def _deal(self, purpose: str, number: int, games: int) -> tuple[Deals, ...]:
        return deal(self.tuning, purpose, number, games, self.league.proportions)

    def _generation(self, number: int, search: Search, numbers: Numbers) -> None:
        """Play a generation, or take it from the folder, and tell the search."""
        asked = search.ask()
        found = self.store.read(GENERATIONS, number)
        if found is None:
            played = self.contest.play(
                [numbers.strategy(weights) for weights in asked],
                self.league.members,
                self._deal("search", number, self.tuning.games),
            )
            fitness = played.fitness(self.tuning.margin).tolist()
            found = {"weights": self._tuned_of(asked), "fitness": fitness, "irregular": played.irregular}
            self.still_there()
            self.store.write(GENERATIONS, number, found)
        else:
            self._hold_against(found, self._tuned_of(asked), f"{GENERATIONS} {number}")
        search.tell(found["fitness"])

    def _judge(self, number: int, weights: tuple[int, ...], numbers: Numbers) -> None:
        """Make the mean of the search champion if it does better than the present one on validation deals."""
        found = self.store.read(CHAMPIONS, number)
        strategy = numbers.strategy(weights)
        if found is None:
            found = {"weights": self._tuned_of([weights])} | self._validation(number, strategy)
            self.still_there()
            self.store.write(CHAMPIONS, number, found)
        else:
            self._hold_against(found, self._tuned_of([weights]), f"{CHAMPIONS} {number}")
        validation = found["validation"]
        if validation["gain"] > SURE * validation["se"]:
            self.champion = Champion(strategy, number, validation)
            self.league.join(strategy)
            self.say(f"generation {number}: a new champion")
        else:
            self.say(f"generation {number}: no new champion")

    def _validation(self, number: int, strategy: Strategy) -> dict[str, Any]:
        """How a strategy and the present champion do against the league, on the same deals."""
        deals = self._deal("validation", number, self.tuning.validation_games)
        played = self.contest.play([strategy, self.champion.strategy], self.league.members, deals)
        gain, se = _mean_of(played.differences(0, 1))
        share, _ = _mean_of(played.shares(0))
        return {"validation": {"win_share": share, "gain": gain, "se": se}, "irregular": played.irregular}

    def _report(self) -> Report:
        """One tuned seat against untuned ones; other deals if the search went on after an earlier report."""
        number = self.tuning.generations // self.tuning.champion_every
        deals = deal(self.tuning, f"report {number}", 0, self.tuning.report_games, (1.0,))
        played = self.contest.play([self.champion.strategy], [self.tuning.base], deals)
        return Report(played.shares(), played.irregular)

    def _tuned_of(self, weights: list[tuple[int, ...]]) -> list[list[int]]:
        return [[each[place] for place in self.tuning.tuned] for each in weights]

    def _hold_against(self, found: dict[str, Any], here: list[list[int]], what: str) -> None:
        """Raise RunError where a search comes to other candidates than are written there."""
        if found.get("weights") != here:
            raise RunError(
                f"{place(self.plan.folder)}: {what} holds other candidates than the search comes to on this"
                " machine; choose another --out"
            )


def _mean_of(found: dict[int, Estimate]) -> tuple[float, float]:
    """The mean over the numbers of players, and its standard error: they share no games."""
    variance = sum(each.se**2 for each in found.values())
    return sum(each.value for each in found.values()) / len(found), sqrt(variance) / len(found)


class _Games:
    """How many games a tuning plays."""

    def __init__(self, tuning: Tuning) -> None:
        self.generation = tuning.population * games_of(tuning, tuning.games)
        self.validation = 2 * games_of(tuning, tuning.validation_games)
        judged = tuning.generations // tuning.champion_every
        self.search = tuning.generations * self.generation + judged * self.validation
        self.all = self.search + games_of(tuning, tuning.report_games)

    def held(self, store: Store, tuning: Tuning) -> int:
        """Those that needn't be played any more."""
        generations = sum(store.has(GENERATIONS, number) for number in range(tuning.generations))
        judged = range(tuning.champion_every, tuning.generations + 1, tuning.champion_every)
        champions = sum(store.has(CHAMPIONS, number) for number in judged)
        return generations * self.generation + champions * self.validation
