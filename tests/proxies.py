"""The proxies that the pages show how to set up: where they are, and how they run for a test.

Run as a program it sees to it that there are some: the system's packages are fetched and unpacked
beside the other tools. Nothing is installed, and nothing is started by being installed.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from absence import leave_out
from tiers import heavy

FETCHED = Path(sys.prefix) / "proxies"

PLACES = (str(FETCHED / "usr/bin"), str(FETCHED / "usr/sbin"), "/usr/sbin", "/usr/local/sbin")
"""Where they are, beside what everybody looks through."""

NAMES = ("nginx", "caddy")


def program(name: str) -> str | None:
    """Find one."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *PLACES]))


@contextmanager
def running(name: str, settings: str, folder: Path) -> Iterator[None]:
    """Run a proxy by the settings that a page shows, with all that it writes in a folder."""
    found = program(name)
    if found is None:
        leave_out(f"the proxy {name}", f"Install the package {name}.")
    heavy(name)
    file = folder / f"{name}.conf"
    file.write_text(_whole(settings, folder) if name == "nginx" else settings)
    words = {
        "nginx": [found, "-e", "stderr", "-p", str(folder), "-c", str(file)],
        "caddy": [found, "run", "--adapter", "caddyfile", "--config", str(file)],
    }[name]
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(
            words, stdout=output, stderr=output, env={**os.environ, **home}, cwd=folder
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def _whole(server: str, folder: Path) -> str:
    """What systems put around the part of nginx's settings that a page shows."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    own = ["daemon off;", "master_process off;", f"pid {folder}/pid;", "events {}"]
    return "\n".join([*own, "http {", paths, server, "}"])


def provide() -> list[str]:
    """Fetch what is missing; what is missing still."""
    missing = [name for name in NAMES if program(name) is None]
    if missing and shutil.which("apt-get"):
        FETCHED.mkdir(exist_ok=True)
        print(f"There is no {' and no '.join(missing)} here; apt-get fetches it.")  # noqa: T201
        if not _succeeds("apt-get", "download", *missing) and os.geteuid() == 0:
            _succeeds("apt-get", "update", "-qq")
            _succeeds("apt-get", "download", *missing)
        for package in FETCHED.glob("*.deb"):
            _succeeds("dpkg", "-x", package.name, ".")
    return [name for name in missing if program(name) is None]


def _succeeds(*words: str) -> bool:
    return subprocess.run(words, capture_output=True, check=False, cwd=FETCHED).returncode == 0


if __name__ == "__main__" and (absent := provide()):
    left_out = f"There is no {' and no '.join(absent)}, so tests with them will be left out."
    print(f"{left_out} Install the packages of these names.")  # noqa: T201
    sys.exit(int("CI" in os.environ))
