"""The built browser code that the package carries, and the recorder's zip. Imports nothing of ours.

`_assets/` holds what `make assets` builds: pane.js, pane.css, worker.js, flow.js, pyodide/, stdlib.zip,
recorder.zip and build.json. It is filled in a checkout by the build, and lies ready in a wheel.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent
REQUIRED = ("build.json", "pane.js", "pane.css", "worker.js", "stdlib.zip", "pyodide/pyodide.asm.wasm")

# The recorder never needs the host's half of the package, so its zip gets a parent package of its own.
_PARENT = b'"""The part of Tracepane that runs where the lesson runs."""\n'
_DATE = (2020, 1, 1, 0, 0, 0)


class AssetsError(Exception):
    """The browser code has not been built."""


def directory() -> Path:
    """The folder of the built browser code, its recorder.zip brought up to date with `record/`.

    Raises AssetsError, naming the missing file and the command that builds it.
    """
    folder = PACKAGE / "_assets"
    for name in REQUIRED:
        if not (folder / name).is_file():
            raise AssetsError(f"{folder / name} is missing: the browser code has not been built. Run `make assets`.")
    refresh_recorder(folder)
    return folder


def build() -> dict[str, Any]:
    """The contents of build.json: build, code and recorder digests, pyodide {version, digest}, python."""
    data: dict[str, Any] = json.loads((directory() / "build.json").read_text("utf-8"))
    return data


def recorder_zip() -> bytes:
    """The recorder as one importable zip, the same bytes from the same sources on every machine.

    Members are stored, not deflated: what zlib writes differs from version to version.
    """
    members = {"tracepane/__init__.py": _PARENT}
    for path in (PACKAGE / "record").rglob("*.py"):
        members[f"tracepane/{path.relative_to(PACKAGE).as_posix()}"] = path.read_bytes().replace(b"\r\n", b"\n")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(members):
            archive.writestr(_member(name), members[name])
    return buffer.getvalue()


def recorder_digest() -> str:
    """SHA-256 of recorder_zip(), in hexadecimal: part of the key of every reference."""
    return hashlib.sha256(recorder_zip()).hexdigest()


def stamp(described: dict[str, Any], recorder: bytes) -> dict[str, Any]:
    """`described` (a build.json) with the digests that follow from this recorder.zip."""
    digest = hashlib.sha256(recorder).hexdigest()
    whole = hashlib.sha256(f"{described['code']}\n{digest}".encode()).hexdigest()[:16]
    return {**described, "recorder": digest, "build": whole}


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _DATE)
    info.create_system = 3
    info.external_attr = 0o644 << 16
    return info


def refresh_recorder(folder: Path) -> None:
    """Write recorder.zip and its digests anew when `record/` has changed since; in a wheel it never has.

    The build has put bytecode in the place of the sources: it stays as long as it is theirs.
    """
    fresh, target = recorder_zip(), folder / "recorder.zip"
    described = json.loads((folder / "build.json").read_text("utf-8"))
    stamped = stamp(described, fresh)
    if target.is_file() and described == stamped:
        return
    _replace(target, fresh)
    _replace(folder / "build.json", (json.dumps(stamped, indent=2) + "\n").encode())


def _replace(path: Path, data: bytes) -> None:
    # Several processes may do this at once (pytest-xdist); each sees an old or a new file, never half of one.
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(path)
