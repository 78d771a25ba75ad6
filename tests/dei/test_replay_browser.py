"""The page of a replay in Chromium: the slider moves it, the console is silent, it fits, it prints."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest
from browser import chromium, wide  # noqa: F401  a fixture

from simlab import replay
from simlab.replay_page import ReplayPage

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

QUESTION = """
name = "short"
game = "dei"
seed = 2
games = 24
players = 4
strategies = ["dei/uniform"]
[rules]
turns = 1
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("page")
    (folder / "short.toml").write_text(QUESTION, encoding="utf-8")
    page = ReplayPage(replay.Replay(replay.find(folder / "short.toml", game=3))).text()
    (folder / "game.html").write_text(page, encoding="utf-8")
    return (folder / "game.html").as_uri()


@pytest.fixture
def page(chromium: Chrome, url: str) -> Chrome:  # noqa: F811
    wide(chromium, 1280)
    chromium.get_log("browser")
    chromium.get("about:blank")
    chromium.get(url)
    return chromium


def state(page: Chrome) -> dict[str, Any]:
    found: dict[str, Any] = page.execute_script(
        """const text = (id) => document.getElementById(id).textContent;
           const slider = document.getElementById("step");
           return {count: text("count"), told: text("told"), slider: Number(slider.value),
                   last: Number(slider.max), scene: document.getElementById("scene").innerHTML,
                   moment: document.getElementById("moment").selectedOptions[0].textContent}"""
    )
    return found


def test_the_slider_keys_and_buttons_move_the_game(page: Chrome) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    start = state(page)
    assert (start["slider"], start["told"]) == (0, "The position at the start.")
    page.execute_script(
        """const slider = document.getElementById("step"); slider.value = 40;
           slider.dispatchEvent(new Event("input"))"""
    )
    moved = state(page)
    row = page.execute_script("return document.getElementById('s40').cells[1].textContent")
    assert (moved["count"], moved["told"]) == (f"40 of {start['last']}", row)
    assert moved["scene"] != start["scene"]
    page.find_element(By.ID, "next").click()
    assert state(page)["slider"] == 41
    page.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_LEFT)
    page.find_element(By.ID, "previous").click()
    assert state(page)["slider"] == 39
    page.find_element(By.TAG_NAME, "body").send_keys(Keys.END)
    assert (state(page)["slider"], state(page)["moment"]) == (start["last"], "the end")
    page.find_element(By.TAG_NAME, "body").send_keys(Keys.HOME)
    assert state(page) == start
    select = page.find_element(By.ID, "moment")
    select.find_elements(By.TAG_NAME, "option")[2].click()
    assert state(page)["moment"].startswith("Turn 1, phase 2")
    page.execute_script("document.querySelector('#s12 a').click()")
    assert state(page)["slider"] == 12
    assert page.get_log("browser") == []


@pytest.mark.parametrize("width", [390, 700, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_says_nothing_in_the_console(page: Chrome, width: int, scheme: str) -> None:
    wide(page, width, scheme)
    page.refresh()
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    assert page.get_log("browser") == []


def test_it_prints(page: Chrome) -> None:
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    pdf = base64.b64decode(page.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 20_000
