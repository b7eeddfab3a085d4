"""The shipped file's coin, thrown by Chromium itself, and what an audit says of it."""

from math import log

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page
from scipy.stats import chi2

from deniable.privacy.attack.audit import audited_epsilon
from survey.browser.person import Serve, Visit
from survey.node import MODULE

pytestmark = pytest.mark.slow

DRAWS = 200_000
NEVER = 1e-9
"""Fresh randomness fails a test this rarely where all is well."""

THROW = """async ([module, theta, draws]) => {
  const { apply, read, toss } = await import(module);
  const design = {
    attributes: { it: ["no", "yes"] },
    groups: [{ attributes: ["it"], channel: "related", theta }],
  };
  const devices = read(design);
  return ["no", "yes"].map((it) => {
    let kept = 0;
    for (let n = 0; n < draws; n += 1) kept += apply({ it }, devices, toss(devices)).it === it;
    return kept;
  });
}"""


@pytest.fixture
def page(serve: Serve, visit: Visit) -> Page:
    return visit(serve("related")).open().page


def counts(page: Page, theta: str, module: str = "/respondent.js") -> NDArray[np.int64]:
    """How often [a no, a yes] was reported, for the truths no and yes."""
    no, yes = page.evaluate(THROW, [module, theta, DRAWS])
    return np.array([[no, DRAWS - no], [DRAWS - yes, yes]])


def off(found: NDArray[np.int64], theta: float) -> float:
    """Chi-square of both truths together; two degrees of freedom."""
    expected = DRAWS * np.array([[theta, 1 - theta], [1 - theta, theta]])
    return float(((found - expected) ** 2 / expected).sum())


@pytest.mark.parametrize(("theta", "value"), [("7/10", 0.7), ("2/3", 2 / 3), ("0.95", 0.95)])
def test_the_coin_is_as_fair_as_it_says(page: Page, theta: str, value: float) -> None:
    found = counts(page, theta)
    assert off(found, value) < chi2.isf(NEVER, 2)
    assert audited_epsilon(found[0], found[1], 1 - NEVER) <= log(value / (1 - value))


def test_a_bias_of_two_percent_is_found_out(page: Page) -> None:
    honest = "Number(below(sides, random) < shares[0])"
    text = MODULE.read_text(encoding="utf-8")
    assert text.count(honest) == 1
    # A coin that falls as promised but for one in fifteen of its tails: 0.7 + 0.3/15 = 0.72.
    biased = "Number(below(sides, random) < shares[0] || below(15n, random) === 0n)"
    page.route(
        "**/biased.js",
        lambda route: route.fulfill(
            body=text.replace(honest, biased), content_type="text/javascript"
        ),
    )
    found = counts(page, "7/10", "/biased.js")
    assert off(found, 0.72) < chi2.isf(NEVER, 2)  # the bias is what it is meant to be
    assert off(found, 0.7) > chi2.isf(NEVER, 2)
    assert audited_epsilon(found[0], found[1], 1 - NEVER) > log(7 / 3)
