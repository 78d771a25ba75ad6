"""The table of `make rules`, and what it lacks."""

from __future__ import annotations

from dataclasses import dataclass

from tests.mutations import catalogue
from tests.mutations.catalogue import Mutation
from tests.mutations.games import GAMES

HEAD = f"""\
Rules of D.E.I.: for each rule where the code names it, how many scenario files and marked tests it has, and its
mutations: the engine with one clause switched off or inverted, the first scenario or test of the rule that notices,
and in how many of {GAMES} stress games it *fired*: somewhere in the game, from the position that the engine had come
to, the mutant lists other choices or comes to another position.
"""
LONGEST = 3  # places in the code that are named


@dataclass(frozen=True)
class Row:
    """One mutation, what kills it (empty if nothing does), in how many games it fired."""

    mutation: Mutation
    killed: str
    fired: int


def table(rules: list[str], rows: list[Row]) -> str:
    """A block a rule: its line, then a line a mutation."""
    places, scenarios, tests = catalogue.implemented(), catalogue.scenarios(), catalogue.marked_tests()
    no_mutation, no_firing = catalogue.exempt("mutation"), catalogue.exempt("firing")
    lines = [HEAD]
    for rule in rules:
        where = places[rule]
        shown = ", ".join(where[:LONGEST]) + (f" and {len(where) - LONGEST} more" if len(where) > LONGEST else "")
        counts = f"{len(scenarios[rule])} scenarios, {sum(tests[rule].values())} tests"
        lines.append(f"{rule}  {shown or 'no function'}; {counts}")
        if rule in no_mutation:
            lines.append(f"    no mutation: {no_mutation[rule]}")
        for row in rows:
            if row.mutation.rule == rule:
                excused = row.fired == 0 and no_firing.get(row.mutation.id, no_firing.get(rule))
                fired = f"no game: {excused}" if excused else f"{row.fired} games"
                lines.append(f"    {row.mutation.name:40} {row.killed or 'SURVIVED':62} {fired}")
    n_killed = sum(bool(row.killed) for row in rows)
    lines.append(f"\n{len(rows)} mutations, {n_killed} noticed; {len(rules)} rules")
    return "\n".join(lines)


def lacking(rules: list[str], rows: list[Row]) -> list[str]:
    """A sentence for each mutation that nothing notices and each one that fired in no game, unless exempt."""
    no_mutation, no_firing = catalogue.exempt("mutation"), catalogue.exempt("firing")
    complaints = []
    for rule in rules:
        if rule not in no_mutation and not any(row.mutation.rule == rule for row in rows):
            complaints.append(f"{rule}: there is no mutation")
    for row in rows:
        name = row.mutation.id
        if not row.killed:
            complaints.append(f"{name}: no scenario or test marked {row.mutation.rule} fails ({row.mutation.says})")
        excused = name in no_firing or row.mutation.rule in no_firing
        if not row.fired and not excused:
            complaints.append(f"{name}: fired in no game")
    return complaints
