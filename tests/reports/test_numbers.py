"""How numbers read: digits that the interval bears out, signs, empty cells."""

from __future__ import annotations

from math import inf, nan

import pytest

from reports.document import Column, Kind, Position, Table
from reports.numbers import about, listed, one, signed, texts
from simlab.stats.equivalence import BALANCED, UNBALANCED, UNDECIDED, Verdict
from simlab.stats.intervals import EMPTY, Estimate


def estimate(value: float, half: float, n: int = 100, clusters: int = 25) -> Estimate:
    return Estimate(value, half / 2, value - half, value + half, n, clusters, 0.95)


@pytest.mark.parametrize(
    ("kind", "cell", "text"),
    [
        (Kind.SHARE, estimate(0.2534, 0.0041), "25.3 % ± 0.4"),
        (Kind.SHARE, estimate(0.2534, 0.00041), "25.34 % ± 0.04"),
        (Kind.SHARE, estimate(0.25, 0.2), "25.0 % ± 20.0"),
        (Kind.SHARE, Estimate(0.01, 0.005, 0.004, 0.023, 100, 25, 0.95), "1.0 % (0.4–2.3)"),
        (Kind.SHARE, EMPTY, "–"),
        (Kind.SHARE, Estimate(0.25, nan, nan, nan, 4, 1, 0.95), "25.0 % ± ?"),
        (Kind.RANGE, estimate(0.2534, 0.0041), "24.9–25.8 %"),
        (Kind.RANGE, Estimate(0.25, nan, nan, nan, 4, 1, 0.95), "–"),
        (Kind.AMOUNT, estimate(47.3141, 0.21), "47.3 ± 0.2"),
        (Kind.AMOUNT, estimate(47.3141, 0.12), "47.31 ± 0.12"),
        (Kind.AMOUNT, estimate(-1234.5, 30), "−1,234 ± 30"),
        (Kind.AMOUNT, estimate(40, 0), "40.0 ± 0.0"),
        (Kind.AMOUNT, Position(estimate(47, 1)), "47 (46–48)"),
        (Kind.AMOUNT, Position(estimate(47, 0)), "47"),
        (Kind.AMOUNT, Position(EMPTY), "–"),
        (Kind.AMOUNT, Position(Estimate(47, nan, nan, nan, 4, 1, 0.95)), "47 ± ?"),
        (Kind.AMOUNT, Estimate(inf, nan, 203.4, inf, 9, 9, 0.95), "≥ 203.4"),
        (Kind.AMOUNT, Estimate(-inf, nan, -inf, -203.4, 9, 9, 0.95), "≤ −203.4"),
        (Kind.AMOUNT, Estimate(inf, nan, -inf, inf, 9, 9, 0.95), "≥ −∞"),
        (Kind.AMOUNT, 12.0, "12"),
        (Kind.AMOUNT, nan, "–"),
        (Kind.POINTS, 0.0132, "+1.3"),
        (Kind.POINTS, -0.0132, "−1.3"),
        (Kind.POINTS, -0.0001, "0.0"),
        (Kind.COUNT, 20_000, "20,000"),
        (Kind.TEXT, "word", "word"),
        (Kind.TEXT, None, "–"),
        (Kind.VERDICT, Verdict(BALANCED, 0.001, 0.02, 0.01, 0), "balanced"),
        (Kind.VERDICT, Verdict(UNBALANCED, 0.04, 0.02, 0.01, 0), "too strong"),
        (Kind.VERDICT, Verdict(UNBALANCED, -0.04, 0.02, 0.01, 0), "too weak"),
        (Kind.VERDICT, Verdict(UNDECIDED, 0.01, 0.02, 0.2, 12_345), "undecided (+13,000)"),
        (Kind.VERDICT, Verdict(UNDECIDED, 0.02, 0.02, 0.2, inf), "undecided (on the edge)"),
        (Kind.VERDICT, Verdict(UNDECIDED, 0.02, 0.02, nan, nan), "undecided"),
    ],
)
def test_one_number(kind: Kind, cell: object, text: str) -> None:
    assert one(kind, cell) == text  # type: ignore[arg-type]


def test_a_table_has_one_number_of_decimals_for_its_shares_and_one_for_its_amounts() -> None:
    columns = (Column("share", Kind.SHARE), Column("amount", Kind.AMOUNT), Column("gap", Kind.POINTS))
    rows = (
        (estimate(0.25, 0.0004), estimate(3.21, 0.3), 0.0),
        (estimate(0.31, 0.0005), estimate(3.14, 0.2), 0.06),
        (estimate(0.35, 0.03), EMPTY, None),
    )
    assert texts(Table(columns, rows)) == [
        ["25.00 % ± 0.04", "31.00 % ± 0.05", "35.00 % ± 3.00"],
        ["3.2 ± 0.3", "3.1 ± 0.2", "–"],
        ["0.00", "+6.00", "–"],
    ]


@pytest.mark.parametrize(
    ("n", "text"),
    [(3.2, "4"), (99, "99"), (101, "110"), (12_000, "12,000"), (12_001, "13,000"), (999_999, "1,000,000")],
)
def test_rough_counts_are_rounded_up_to_two_digits(n: float, text: str) -> None:
    assert about(n) == text


def test_signs_and_lists() -> None:
    assert [signed(x) for x in (1.26, -1.26, 0.0, -0.04)] == ["+1.3", "−1.3", "0.0", "0.0"]
    assert [signed(100 * x) for x in (0.2545 - 0.25, 0.2285 - 0.25)] == [
        "+0.5",
        "−2.1",
    ]  # beside 25.5 and 22.9
    assert [one(Kind.SHARE, estimate(x, 0.01)) for x in (0.2545, 0.2285)] == ["25.5 % ± 1.0", "22.9 % ± 1.0"]
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
