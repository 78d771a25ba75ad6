"""The page in Chromium: it says nothing in the console, sorts, tells values, fits a phone and prints."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import chromium, wide  # noqa: F401  a fixture

import reports

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

TABLE = "figure.table:has(figcaption:first-child)"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, written: Callable[..., Path]) -> str:
    folder = tmp_path_factory.mktemp("runs") / "run"
    run = written(folder, blocks=120, irregular=1, full=True, knocked_out=True)
    return reports.write(run).as_uri()


@pytest.fixture
def page(chromium: Chrome, url: str) -> Chrome:  # noqa: F811
    wide(chromium, 1280)
    chromium.get_log("browser")
    chromium.get(url)
    return chromium


def column(page: Chrome, title: str, head: str) -> list[str]:
    """The texts of a column as they stand now."""
    found: list[str] = page.execute_script(
        """const table = [...document.querySelectorAll("figure.table")]
             .find((f) => f.querySelector("figcaption")?.textContent === arguments[0]).querySelector("table");
           const k = [...table.tHead.rows[0].cells].findIndex((c) => c.textContent === arguments[1]);
           return [...table.tBodies[0].rows].map((row) => row.cells[k].textContent);""",
        title,
        head,
    )
    return found


def click(page: Chrome, title: str, head: str, key: str = "") -> str:
    """Click a head, or press a key on it; its `aria-sort` after that."""
    said: str = page.execute_script(
        """const table = [...document.querySelectorAll("figure.table")]
             .find((f) => f.querySelector("figcaption")?.textContent === arguments[0]).querySelector("table");
           const head = [...table.tHead.rows[0].cells].find((c) => c.textContent === arguments[1]);
           if (arguments[2]) head.dispatchEvent(new KeyboardEvent("keydown", { key: arguments[2] }));
           else head.click();
           return head.getAttribute("aria-sort");""",
        title,
        head,
        key,
    )
    return said


def leading(texts: list[str]) -> list[float]:
    return [
        float(re.split(r"[ %(]", text.replace("−", "-").replace(",", ""))[0]) for text in texts if text != "–"
    ]


def test_the_console_is_silent(page: Chrome) -> None:
    for scheme in ("light", "dark"):
        wide(page, 390, scheme)
        page.refresh()
        assert page.get_log("browser") == []


def test_tables_sort(page: Chrome) -> None:
    title, head = "Win share by faction", "Win share"
    before = column(page, title, head)
    assert click(page, title, head) == "descending"
    falling = leading(column(page, title, head))
    assert falling == sorted(leading(before), reverse=True) != leading(before) or falling == leading(before)
    assert click(page, title, head, "Enter") == "ascending"
    assert leading(column(page, title, head)) == sorted(leading(before))
    assert click(page, title, "Faction") == "ascending"
    assert column(page, title, "Faction") == sorted(column(page, title, "Faction"))


def test_what_is_not_there_is_sorted_last_either_way(page: Chrome) -> None:
    title, head = "Cards that were bought", "Win share"
    assert "–" in column(page, title, head)
    for _ in range(2):
        click(page, title, head)
        assert column(page, title, head)[-1] == "–"


def test_differences_sort_by_their_sign(page: Chrome) -> None:
    title, head = "Effect of being dealt a Feat", "Win share"
    click(page, title, head)
    click(page, title, head)
    rising = leading(column(page, title, head))
    assert rising == sorted(rising)
    assert rising[0] < 0 < rising[-1]


@pytest.mark.parametrize(
    ("selector", "told"),
    [
        ("#faction tbody td[title*=interval]", r"% interval .* n = \d+ in \d+ blocks"),
        ("#faction svg g:has(> title)", r": \d+\.\d %, 95 % interval"),
    ],
)
def test_a_value_tells_where_the_pointer_rests(page: Chrome, selector: str, told: str) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.by import By

    found = page.find_element(By.CSS_SELECTOR, selector)
    page.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", found)
    ActionChains(page).move_to_element(found).perform()
    tip = page.find_element(By.CSS_SELECTOR, ".tip")
    assert tip.is_displayed()
    assert re.search(told, tip.text)


@pytest.mark.parametrize("width", [390, 1000, 1280])
def test_nothing_scrolls_sideways_but_wide_tables_in_their_box(page: Chrome, width: int) -> None:
    wide(page, width)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    boxes: list[list[float]] = page.execute_script(
        """return [...document.querySelectorAll(".scroll")]
             .map((b) => [b.getBoundingClientRect().right, b.scrollWidth - b.clientWidth])"""
    )
    assert all(right <= width for right, _ in boxes)
    assert width > 390 or any(hidden > 0 for _, hidden in boxes)


def test_no_text_of_a_figure_is_cut_off_and_no_two_lie_on_each_other(page: Chrome) -> None:
    found: list[list[object]] = page.execute_script(
        """const all = [];
           for (const svg of document.querySelectorAll("svg")) {
             const box = svg.getBoundingClientRect();
             const name = svg.getAttribute("aria-label").slice(0, 40);
             const texts = [...svg.querySelectorAll("text")]
               .map((t) => [t.textContent, t.getBoundingClientRect()]);
             for (const [text, at] of texts)
               if (Math.min(at.left - box.left, box.right - at.right) < -1
                   || Math.min(at.top - box.top, box.bottom - at.bottom) < -1)
                 all.push([name, "cut off", text]);
             texts.forEach(([one, a], n) => texts.slice(n + 1).forEach(([other, b]) => {
               const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
               const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
               if (wide > 2 && high > 5) all.push([name, one, other]);
             }));
           }
           return all;"""
    )
    assert found == []


def test_dark_and_light_differ_and_both_can_be_read(page: Chrome) -> None:
    found = {}
    for scheme in ("light", "dark"):
        wide(page, 1280, scheme)
        found[scheme] = page.execute_script(
            """const style = (x) => getComputedStyle(document.querySelector(x));
               const colour = (x, what) => style(x)[what].match(/\\d+/g).map(Number);
               return [colour("html", "backgroundColor"), colour("main p", "color"),
                       colour("#faction svg text", "fill")]"""
        )
    assert found["light"][0] != found["dark"][0]
    for paper, *inks in found.values():
        assert all(contrast(paper, ink) > 4.5 for ink in inks)


def contrast(one: list[int], other: list[int]) -> float:
    """The ratio of luminances as WCAG 2 defines it."""

    def luminance(colour: list[int]) -> float:
        linear = [
            c / 12.92 if (c := part / 255) <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for part in colour[:3]
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


def printed_pages(page: Chrome) -> int:
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    printed = page.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})
    pdf = base64.b64decode(printed["data"])
    assert pdf.startswith(b"%PDF")
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_it_prints(page: Chrome, tmp_path: Path, written: Callable[..., Path]) -> None:
    with_knock_outs = printed_pages(page)
    page.get(reports.write(written(tmp_path / "run", blocks=120, irregular=1, full=True)).as_uri())
    without = printed_pages(page)
    assert 8 <= without <= 40
    assert 0 < with_knock_outs - without <= 8  # a section more, of a table a kind


def test_a_link_to_a_word_leads_to_its_explanation(page: Chrome) -> None:
    from selenium.webdriver.common.by import By

    link = page.find_element(By.CSS_SELECTOR, "a.word")
    page.execute_script("arguments[0].click()", link)
    target = page.execute_script("return document.querySelector(':target').textContent")
    assert (
        target.lower().startswith(tuple(link.text.lower()[:4].split()))
        or link.text.lower().rstrip("s") in target.lower()
    )
