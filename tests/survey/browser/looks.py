"""How pages are looked at: by day and night, wide and narrow, and by axe-core."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

LOOKS = {
    "phone": {"viewport": {"width": 360, "height": 740}, "color_scheme": "light"},
    "phone, dark": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    "desktop": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "desktop, dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
}
RULES = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}


def violations(page: Page) -> list[Any]:
    """What axe-core has against a page: rules, and the elements that break them."""
    if page.evaluate("() => !window.axe"):
        page.evaluate(AXE_SCRIPT)
    found: list[Any] = page.evaluate(
        """async (rules) => {
          const { violations, passes } = await axe.run(document, rules);
          if (passes.length < 10) throw new Error("axe-core has looked at next to nothing");
          return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
        }""",
        RULES,
    )
    return found


def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
