"""The recorders of others: pinned in pyproject.toml, each installed for CPython 3.14 into a folder of its own."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.work import ROOT

FOLDER = ROOT / "build" / "bench" / "peers"


class Peer(NamedTuple):
    """One of them. `folder` is None where pip could not install it; `reason` is then what pip said.

    `pure` is whether it, and all that it needs, is Python only, so that it runs in Pyodide.
    """

    name: str
    version: str
    folder: Path | None
    reason: str
    pure: bool


def pins() -> list[str]:
    """The requirements of the extra `bench`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found: list[str] = project["optional-dependencies"]["bench"]
    return found


def install(python: str, requirement: str, folder: Path = FOLDER, options: Sequence[str] = ()) -> Peer:
    """Install one, with what it needs, for `python`; what is there already is kept. `options`: more of pip's."""
    name, version = requirement.split("==")
    target = folder / requirement
    if not (target / ".installed").exists():
        shutil.rmtree(target, ignore_errors=True)
        failed = _pip(python, [*options, requirement], target)
        if failed:
            return Peer(_plain(name), version, None, failed, False)
        (target / ".installed").touch()
    return Peer(_plain(name), version, target, "", not any(target.rglob("*.so")))


def _pip(python: str, wanted: list[str], target: Path) -> str:
    """What pip says against it, or nothing. The pip of this Python works for the other, which may have none."""
    options = ["--quiet", "--no-input", "--disable-pip-version-check", "--target", str(target)]
    command = [sys.executable, "-W", "ignore", "-m", "pip", "--python", python, "install", *options, *wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return _reason(done.stderr) if done.returncode else ""


def _reason(said: str) -> str:
    """The first of the errors that pip names, without addresses."""
    errors = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.startswith("ERROR: ")]
    return re.sub(r"https?://\S+", "", "".join(errors[:1])) or f"pip failed: {said.strip()[-200:]}"


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")
