"""Packages of the system that tests need: asked of its package manager by those who may."""

import os
import shutil
import subprocess


def succeeds(*command: str) -> bool:
    """Run a command without a word; whether it is there and does what it should."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def installed(package: str) -> bool:
    """Install a package, by root or by whoever needs no password to be root."""
    allowed = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not shutil.which("apt-get") or not (not allowed or succeeds(*allowed, "true")):
        return False
    words = ("install", "-qq", "-y", "--no-install-recommends", package)
    return succeeds(*allowed, "apt-get", "update", "-qq") and succeeds(*allowed, "apt-get", *words)
