"""The table of `make rules`, and what it lacks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tests.mutations import catalogue
from tests.mutations.catalogue import Mutation
from tests.mutations.games import ENOUGH, GAMES

HEAD = f"""\
Rules of D.E.I.: for each rule where the code names it, how many scenario files and marked tests it has,
and its mutations: the engine with one clause switched off or inverted; the first scenario or test of the
rule that notices; and in how many of {GAMES} stress games (counted up to {ENOUGH}) it fired: from a position
that the engine came to in the game, the mutant lists other choices or comes to another position.
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
    no_mutation = catalogue.exempt("mutation")
    lines = [HEAD]
    for rule in rules:
        lines.append(_line_of_rule(rule))
        lines += [f"    no mutation: {no_mutation[rule]}"] if rule in no_mutation else []
        lines += [_line_of_mutation(row) for row in rows if row.mutation.rule == rule]
    noticed = sum(bool(row.killed) for row in rows)
    return "\n".join([*lines, f"\n{len(rules)} rules, {len(rows)} mutations, {noticed} of them noticed"])


_implemented = cache(catalogue.implemented)
_scenarios = cache(catalogue.scenarios)
_marked_tests = cache(catalogue.marked_tests)


def _line_of_rule(rule: str) -> str:
    where = _implemented()[rule]
    shown = ", ".join(where[:LONGEST]) or "no function"
    more = f" and {len(where) - LONGEST} more" if len(where) > LONGEST else ""
    scenarios, tests = len(_scenarios()[rule]), sum(_marked_tests()[rule].values())
    return f"{rule}  {shown}{more}; scenario files: {scenarios}, tests: {tests}"


def _line_of_mutation(row: Row) -> str:
    excuse = excuse_of(row.mutation)
    fired = f"not counted: {excuse}" if excuse else f"games: {row.fired}"
    return f"    {row.mutation.name:40} {row.killed or 'SURVIVED':62} {fired}"


def excuse_of(mutation: Mutation) -> str:
    """Why a mutation need not fire, empty if it must."""
    reasons = catalogue.exempt("firing")
    return reasons.get(mutation.id, reasons.get(mutation.rule, ""))


def lacking(rules: list[str], rows: list[Row]) -> list[str]:
    """A sentence for each rule without a mutation, each mutation that nothing notices or that never fired."""
    mutated = {row.mutation.rule for row in rows} | set(catalogue.exempt("mutation"))
    complaints = [f"{rule}: there is no mutation" for rule in rules if rule not in mutated]
    for row in rows:
        name, rule, says = row.mutation.id, row.mutation.rule, row.mutation.says
        if not row.killed:
            complaints.append(f"{name}: no scenario or test marked {rule} fails if {says}")
        if not row.fired and not excuse_of(row.mutation):
            complaints.append(f"{name}: fired in no game")
    return complaints
