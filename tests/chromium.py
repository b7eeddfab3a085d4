"""The one place that decides which Chromium opens the pages: for the tests, and for `make test`.

The machine's own, else the one that Playwright keeps in the user's home. Run as a program it sees
to it that there is one: Playwright's, or else, for those who may install, the system's package.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

from playwright.sync_api import Browser, Error, sync_playwright

from packages import installed, succeeds
from tiers import heavy

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

REMEDY = "Install the package chromium, or run .venv/bin/python -m playwright install chromium."

QUIET = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@cache
def of_the_machine() -> str | None:
    """Find a browser on the PATH that starts; some systems ship a mere pointer to a shop."""
    for name in NAMES:
        found = shutil.which(name)
        if found and succeeds(found, "--version"):
            return found
    return None


@contextmanager
def chromium() -> Iterator[Browser]:
    """Open it while the block runs; playwright's `Error` if there is none."""
    heavy("Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=of_the_machine(), args=QUIET)
        try:
            yield browser
        finally:
            browser.close()


def starts() -> bool:
    """Whether there is one, and all that it needs."""
    with suppress(Error), chromium():
        return True
    return False


def provide() -> bool:
    """See to it that there is one; without a network if there is one already."""
    if of_the_machine() or starts():
        return True
    print("There is no Chromium here; Playwright fetches its own.")  # noqa: T201
    if succeeds(sys.executable, "-m", "playwright", "install", "chromium") and starts():
        return True
    print("It could not; the package manager installs one.")  # noqa: T201
    if not installed("chromium"):
        return False
    of_the_machine.cache_clear()
    return of_the_machine() is not None


if __name__ == "__main__" and not provide():
    print(f"There is no Chromium, so its tests will be left out. {REMEDY}")  # noqa: T201
    sys.exit(int("CI" in os.environ))
