"""Whole games in words, a line a choice, as `tests/golden/playthroughs` keeps them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simlab import experiment as experiments
from simlab import match, runs
from simlab.chronicle import Chronicle, Step
from simlab.story import Facts

FOLDER = Path(__file__).resolve().parents[1] / "golden/playthroughs"

# one a number of players, played well; one an optional rule, shorter and at random, which reaches more of it
CASES: dict[str, dict[str, Any]] = {
    "2_players": {"players": 2, "strategies": ["dei/greedy"]},
    "3_players": {"players": 3, "strategies": ["dei/greedy", "dei/uniform"]},
    "4_players": {"players": 4, "strategies": ["dei/greedy"]},
    "no_choices": {"players": 2, "rules": {"no_choices": True}},
    "feats_draft": {"players": 3, "rules": {"feats_draft": True}},
    "planning": {"players": 2, "rules": {"planning": True}},
    "confrontation": {"players": 3, "rules": {"confrontation": True}},
    "rebel": {"players": 2, "rules": {"rebel": True}},
    "starting_scrappers": {"players": 2, "rules": {"starting_scrappers": [6, 1]}},
}
SHORT = {"strategies": ["dei/uniform"], "rules": {"turns": 2}}


def experiment_of(case: str) -> dict[str, Any]:
    """The experiment whose first game it is."""
    own = CASES[case]
    rules = {**SHORT["rules"], **own["rules"]} if "rules" in own else {}
    common = {"name": case, "game": "dei", "seed": 1, "games": 1}
    return common | {"strategies": SHORT["strategies"]} | own | {"rules": rules}


def told(case: str) -> str:
    """The game in words."""
    plan = runs.plan(experiments.resolve(experiment_of(case), Path()))
    row = plan.design.row_of(0)[0]
    game, strategies = plan.experiment.game, match.seated(plan.strategies, row)
    live = game.open(plan.experiment.settings, row)
    teller = game.teller(live)
    names = [str(seat["faction"]) for seat in teller.fixed["seats"]]
    rules = ", ".join(f"{name} = {value}" for name, value in experiment_of(case)["rules"].items())
    lines = [f"# {case}: {len(names)} players, seed 1, {rules or 'core rules'}"]
    for name, strategy, dealt in zip(names, strategies, teller.dealt(), strict=True):
        lines.append(f"# {name} ({strategy.name}): {dealt}")
    lines += ["", *(f"# {line}" for line in teller.position().splitlines()), ""]
    steps: list[Step] = []
    chronicle = Chronicle(live, teller, steps.append)
    match.play(live, strategies, chronicle.watch, after=chronicle.after)
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        lines += [_line(step, names), *(f"  {line}" for line in _parts(step, names))]
        if following is None or following.moment.turn != step.moment.turn:
            lines += ["", f"# after Turn {step.moment.turn}: {_standing(step.facts, names)}", ""]
    result = ["".join(text for text, _ in line).rstrip() for line in teller.result(steps[-1].facts)]
    return "\n".join([*lines, *result]) + "\n"


def _line(step: Step, names: list[str]) -> str:
    moment = f"{step.moment.turn}.{step.moment.phase}"
    note = f" [{step.words.note}]" if step.words.note else ""
    events = "; ".join(event.told(names, step.seat) for event in step.events if not event.under)
    what = f"{moment} {names[step.seat]}: {step.words.sentence}{note} (of {step.n})"
    return f"{what} → {events}" if events else what


def _parts(step: Step, names: list[str]) -> list[str]:
    """What else followed: the end of the phase, the final count, the Clean-up."""
    return [f"{event.under}: {event.told(names)}" for event in step.events if event.under]


def _standing(facts: Facts, names: list[str]) -> str:
    pads = zip(names, facts["pads"], strict=True)
    return ", ".join(
        f"{name} {pad['supplies']} Supplies {pad['technology']} Technology {pad['energy']} Energy"
        for name, pad in pads
    )
