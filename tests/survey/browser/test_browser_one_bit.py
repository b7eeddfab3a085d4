"""A survey of one bit in a real browser: the answers stay, and one yes or no leaves."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Request, expect

from survey.browser.person import Visit, served_at
from survey.one_bit import SCHEMA, try_it

pytestmark = pytest.mark.slow

WORDS = {
    "en-GB": (
        "Your answers stay on this device",
        "stays on this device",
        "Is the guess right?",
        "Your answers never left this device.",
    ),
    "de-AT": (
        "Ihre Antworten bleiben auf diesem Gerät",
        "bleibt auf diesem Gerät",
        "Stimmt die Vermutung?",
        "Ihre Antworten haben dieses Gerät nie verlassen.",
    ),
}


@pytest.mark.parametrize("locale", WORDS)
def test_answers_stay_on_the_device_and_one_bit_is_sent(
    locale: str, visit: Visit, tmp_path: Path
) -> None:
    lead, badge, asked, kept = WORDS[locale]
    path, model = try_it(tmp_path)
    sent: list[bytes] = []

    def note(request: Request) -> None:
        if request.method == "POST":
            sent.append(request.post_data_buffer or b"")

    with served_at(path) as served:
        wanted = []
        for spring, lake, hair in (
            ("no", "yes", "red"),
            ("yes", "yes", "dark"),
            ("no", "no", "fair"),
        ):
            person = visit(served, locale=locale)
            person.page.on("request", note)
            person.open()
            expect(person.page.locator("main")).to_contain_text(lead)
            person.read()
            expect(person.page.locator("p.lead")).to_contain_text(lead)
            person.next()
            expect(person.page.locator(".badge").first).to_have_text(badge)
            answers = {"spring": spring, "lake": lake, "hair": hair}
            person.answer(answers)
            codes = np.array([[SCHEMA[name].code(answers[name]) for name in model.features]])
            right = int(SCHEMA["spring"].values[model.predict(codes)[0]] == spring)
            wanted.append(str(right))
            rows = person.page.locator("table.report tbody tr")
            expect(rows).to_have_count(1)
            expect(rows).to_contain_text(asked)
            assert f'"report":"{right}"' in person.literal
            same = '"arm":"disguised","device":"page","understood":0'
            assert same in person.literal  # settings, the same for everybody
            receipt = person.send()
            expect(person.page.locator("p.lead")).to_contain_text(kept)
            assert person.kept == {"sent": {"receipt": receipt}}
        assert sorted(person.arrived()) == sorted(wanted)
    # Whatever was answered, as many bytes leave, and none of the answers' words are in them.
    assert {len(body) for body in sent} == {1024 * 2}
    assert len(sent) == len(wanted)
    for body in sent:
        assert not any(
            value.encode() in body for value in ("red", "dark", "fair", "lake", "spring")
        )
