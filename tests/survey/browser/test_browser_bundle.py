"""The shipped files: built from their sources, pinned by hash, of one mind with Python."""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Route

from absence import leave_out
from deniable.survey.protocol import Submission, read_receipt, receipt_id, write_receipt
from survey.browser.person import Serve
from survey.node import MODULE, browser, node

ROOT = Path(__file__).parents[3]
SHIPPED = MODULE.parent
WORDS = SHIPPED.parent / "words"
PAGE = Path("docs/reference/bundle.md")
TYPES = Path("web/src/texts/texts.ts")


def integrity(name: str) -> str:
    digest = hashlib.sha384((SHIPPED / name).read_bytes()).digest()
    return f"sha384-{base64.b64encode(digest).decode()}"


# --- Built and pinned ----------------------------------------------------------------------------


@pytest.mark.slow
def test_building_again_gives_the_same_bytes(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        leave_out("the page is built by npm, which is missing", "Put npm 9 or newer on the PATH.")
    clone, browser_folder = tmp_path / "clone", SHIPPED.relative_to(ROOT)
    shutil.copytree(ROOT / "web", clone / "web", ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(SHIPPED, clone / browser_folder)
    shutil.copytree(WORDS, clone / WORDS.relative_to(ROOT))
    (clone / browser_folder / "respondent.js").unlink()
    (clone / browser_folder / "channels.json").unlink()
    (clone / PAGE).parent.mkdir(parents=True)
    environment = {**os.environ, "PATH": f"{Path(node()).parent}{os.pathsep}{os.environ['PATH']}"}
    # What npm has fetched once, it has; so a second run needs no network.
    for words in (["ci", "--prefer-offline", "--no-audit", "--no-fund"], ["run", "build"]):
        done = subprocess.run(
            [npm, *words],
            cwd=clone / "web",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    shipped = [browser_folder / name for name in ("respondent.js", "index.html", "channels.json")]
    for path in (*shipped, PAGE, TYPES):
        assert (clone / path).read_bytes() == (ROOT / path).read_bytes(), (
            f"{path} is not what web/ gives: run make web."
        )


def test_the_page_and_the_docs_name_the_hashes_of_what_is_shipped() -> None:
    html = (SHIPPED / "index.html").read_text(encoding="utf-8")
    docs = (ROOT / PAGE).read_text(encoding="utf-8")
    for name in ("respondent.js", "style.css"):
        assert re.search(rf'="{name}"\s+integrity="{re.escape(integrity(name))}"', html)
    for name in ("respondent.js", "style.css", "index.html"):
        assert f"`{integrity(name)}`" in docs


@pytest.mark.slow
def test_a_browser_refuses_a_file_with_another_hash(serve: Serve, chromium: Browser) -> None:
    def change(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=f"{response.text()}\n// changed")

    with chromium.new_context() as context:
        page = context.new_page()
        page.route("**/respondent.js", change)
        with page.expect_console_message(lambda said: "integrity" in said.text):
            page.goto(serve("related").url)
        assert page.locator("h1").count() == 0


def test_nothing_is_loaded_from_elsewhere_and_nothing_stands_inline() -> None:
    html = (SHIPPED / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|//\w|<style|style=|\son\w+=|javascript:|data:", html)
    assert re.findall(r"<script[^>]*>([^<]*)</script>", html) == [""]
    css = (SHIPPED / "style.css").read_text(encoding="utf-8")
    assert not re.search(r"url\(|@import|https?:", css)


def test_versions_are_exact_and_no_file_names_an_address() -> None:
    package = json.loads((ROOT / "web/package.json").read_text(encoding="utf-8"))
    versions = package["devDependencies"].values()
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)
    ignored = {"node_modules"}
    files = [p for p in (ROOT / "web").rglob("*") if p.is_file() and not ignored & set(p.parts)]
    for path in files:
        text = path.read_text(encoding="utf-8").replace("omit-lockfile-registry-resolved", "")
        assert "registry" not in text, path


def test_the_lockfile_pins_every_package_by_its_hash_and_names_no_address() -> None:
    lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert len(packages) > 20  # esbuild's and TypeScript's, for every machine
    for name, package in packages.items():
        assert name.startswith("node_modules/")
        assert re.fullmatch(r"\d+\.\d+\.\d+", package["version"])
        assert package["integrity"].startswith("sha512-")
        assert "resolved" not in package
    without_hashes = re.sub(r'"integrity": "[^"]*"', "", json.dumps(lock))
    assert not re.search(r"//|\w\.(com|org|net|io|dev)\b", without_hashes)


def test_the_page_holds_no_library() -> None:
    package = json.loads((ROOT / "web/package.json").read_text(encoding="utf-8"))
    assert "dependencies" not in package
    text = MODULE.read_text(encoding="utf-8")
    sources = re.findall(r"^// (\S+\.(?:ts|js))$", text, flags=re.MULTILINE)
    assert len(sources) > 20
    assert all(re.fullmatch(r"src/[\w/]+\.ts|respondent\.js", source) for source in sources)


def test_the_module_can_be_loaded_without_a_page(tmp_path: Path) -> None:
    module = tmp_path / "respondent.mjs"  # Node takes a .js file for a script
    module.write_bytes(MODULE.read_bytes())
    code = f"import({json.dumps(module.as_uri())}).then((all) => console.log(Object.keys(all)+''))"
    loaded = subprocess.run([node(), "--eval", code], capture_output=True, text=True, check=True)
    names = loaded.stdout.strip().split(",")
    assert {"read", "toss", "apply", "disguise", "keptCoins", "throwCoins"} <= set(names)
    assert loaded.stderr == ""


# --- The same as Python's ------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 5, 1024, 1025])
@pytest.mark.parametrize("token", ["", "A-_z" * 144])
def test_bodies_are_written_as_python_writes_them(length: int, token: str) -> None:
    parts = {
        "survey": "0f" * 32,
        "id": "ab" * 16,
        "token": token,
        "arm": "direct",
        "device": "own",
        "understood": 1,
        "report": "z" * length,
    }
    written = browser("encode", given=[parts])
    assert written.encode("ascii") == Submission(**parts).encode()  # type: ignore[arg-type]


def test_receipts_are_written_read_and_named_as_in_python() -> None:
    generator = np.random.default_rng(1)
    for receipt in [bytes(10), b"\xff" * 10, *(generator.bytes(10) for _ in range(50))]:
        written = browser("writeReceipt", given=[{"bytes": receipt.hex()}])
        assert written == write_receipt(receipt)
        for copied in (written, written.lower().replace("-", " "), written.replace("0", "O")):
            assert browser("readReceipt", given=[copied]) == {"bytes": receipt.hex()}
            assert read_receipt(copied) == receipt
        assert browser("receiptId", given=[{"bytes": receipt.hex()}]) == receipt_id(receipt)
    for wrong in ("", "K7QF", "K7QF-2M0P-X4TD-9RWU", "K7QF-2M0P-X4TD-9RWB0"):
        assert browser("readReceipt", given=[wrong]) is None
