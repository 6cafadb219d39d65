"""Compile a zip of modules, Pyodide's library or the recorder, to bytecode; the build runs this inside Pyodide.

Stock Pyodide compiles its own .py files at each boot, which is most of the time that a boot takes. The bytecode is made
by the interpreter that will load it. The members are deflated: few hosts compress a .zip on its way, each interpreter
holds the file in its memory, and inflating a module takes a fifth of the time that loading it takes.
"""

import importlib.util
import io
import marshal
import zipfile

DATE = (2020, 1, 1, 0, 0, 0)
UNCHECKED_HASH = (1).to_bytes(4, "little")


def compile_library(source: str, target: str, root: str) -> str:
    """Write the zip `target` from the zip `source`; `root` is where Python will find it. Say what went in."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        names = sorted(name for name in old.namelist() if not name.endswith("/"))
        for name in names:
            new.writestr(*_member(name, old.read(name), root), zipfile.ZIP_DEFLATED, 9)
    return f"{len(names)} files"


def _member(name: str, data: bytes, root: str) -> tuple[zipfile.ZipInfo, bytes]:
    if name.endswith(".py"):
        name, data = f"{name}c", _bytecode(data, f"{root}/{name}")
    info = zipfile.ZipInfo(name, DATE)
    info.external_attr = 0o644 << 16
    return info, data


def _bytecode(source: bytes, filename: str) -> bytes:
    # Hash-based and unchecked: there is no source beside it to compare with, and no time stamp to vary.
    code = compile(source, filename, "exec", dont_inherit=True, optimize=0)
    buffer = io.BytesIO()
    buffer.write(importlib.util.MAGIC_NUMBER + UNCHECKED_HASH + importlib.util.source_hash(source))
    marshal.dump(code, buffer)
    return buffer.getvalue()
