"""Chromium without a window, for tests of pages: Debian's packages chromium and chromium-driver."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

MISSING = "no Chromium to look at pages with: `make browser` installs it"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chrome]:
    """A browser; tests are skipped where there is none, or fail if SIMLAB_BROWSER is `required`."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        if os.environ.get("SIMLAB_BROWSER") == "required":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    from selenium.webdriver import Chrome
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = browser
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has none for root
    for argument in (
        "--headless=new",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--hide-scrollbars",
        *sandbox,
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = Chrome(options=options, service=Service(driver))
    yield opened
    opened.quit()


def wide(chromium: Chrome, width: int, scheme: str = "light") -> None:
    """Make the page so many CSS pixels wide, light or dark."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
