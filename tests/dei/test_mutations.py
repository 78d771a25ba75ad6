"""The mutations of the engine that `make rules` runs are in order; what they need to be useful."""

from __future__ import annotations

import re

import pytest

from tests.mutations import catalogue
from tests.mutations.catalogue import Mutation
from tests.mutations.forks import TIMEOUT, run_tasks
from tests.mutations.table import Row, lacking, table

ALL = catalogue.mutations()


@pytest.mark.parametrize("mutation", ALL, ids=lambda mutation: mutation.id)
def test_the_old_text_occurs_once_and_the_mutant_compiles(mutation: Mutation) -> None:
    mutated = mutation.mutated()
    assert mutated != catalogue.source(mutation.file)
    if mutation.module:
        compile(mutated, str(mutation.file), "exec")


def test_ids_are_unique_and_readable() -> None:
    assert len({mutation.id for mutation in ALL}) == len(ALL)
    for mutation in ALL:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", mutation.name), mutation.id
        assert mutation.says.strip(), mutation.id


def test_every_rule_has_a_mutation_or_a_reason_for_none() -> None:
    mutated = {mutation.rule for mutation in ALL}
    exempt = catalogue.exempt("mutation")
    assert mutated - set(catalogue.rules()) == set()
    assert mutated | set(exempt) == set(catalogue.rules())
    assert mutated & set(exempt) == set()
    assert all(reason.strip() for reason in exempt.values())


def test_exempt_from_firing_are_rules_and_mutations_that_exist() -> None:
    known = {mutation.rule for mutation in ALL} | {mutation.id for mutation in ALL}
    assert set(catalogue.exempt("firing")) <= known


def test_some_mutation_of_each_rule_must_fire() -> None:
    exempt = set(catalogue.exempt("firing"))
    must = {mutation.rule for mutation in ALL if mutation.id not in exempt}
    assert must == {mutation.rule for mutation in ALL}


def test_every_mutated_rule_has_a_scenario_or_a_marked_test() -> None:
    scenarios, tests = catalogue.scenarios(), catalogue.marked_tests()
    assert {mutation.rule for mutation in ALL} <= set(scenarios) | set(tests)


@pytest.mark.parametrize(("old", "times"), [("no such text", 0), ("public", "several")])
def test_an_old_text_that_is_not_there_once_is_told(old: str, times: object) -> None:
    wrong = Mutation("CORE-041", "wrong", "moves.py:move", old, "", "nothing")
    with pytest.raises(LookupError, match=r"^CORE-041/wrong: the old text occurs \d+ times in moves.py:move"):
        wrong.mutated()


def test_what_nothing_notices_or_never_fires_is_told() -> None:
    mutation = next(it for it in ALL if it.rule == "CORE-041")
    assert lacking(["CORE-041"], [Row(mutation, "a.toml", 1)]) == []
    assert lacking(["CORE-041"], [Row(mutation, "", 1)])[0].startswith(f"{mutation.id}: no scenario or test")
    assert lacking(["CORE-041"], [Row(mutation, "a.toml", 0)]) == [f"{mutation.id}: fired in no game"]
    assert lacking(["CORE-041"], []) == ["CORE-041: there is no mutation"]
    excused = next(it for it in ALL if it.rule == "CORE-016")
    assert lacking(["CORE-016"], [Row(excused, "a.toml", 0)]) == []
    assert "SURVIVED" in table(["CORE-041"], [Row(mutation, "", 1)])


def test_the_code_that_implements_a_rule_is_found() -> None:
    places = catalogue.implemented()
    assert "kills:list_kills_at" in places["CORE-062"]
    assert "missions:things_counted" in places["CORE-123"]
    assert "turn:new_priority" in places["CORE-037"]


def _double(number: int) -> int:
    return 2 * number


def _stuck() -> None:
    while True:
        pass


def _wrong() -> None:
    raise ValueError("no")


def test_tasks_answer_or_fail_or_run_out_of_time() -> None:
    answers = dict(run_tasks([("double", _double, (21,)), ("wrong", _wrong, ())], 2, 60.0))
    assert answers["double"] == 42
    assert str(answers["wrong"]) == "ValueError: no"
    assert list(run_tasks([("stuck", _stuck, ())], 1, 0.2)) == [("stuck", TIMEOUT)]
