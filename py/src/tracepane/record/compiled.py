"""The recorder's zip as a native child imports it: with its bytecode, or each child would compile it anew."""

from __future__ import annotations

import functools
import subprocess
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

FLAGS = ("-P", "-s", "-S", "-X", "frozen_modules=on")
"""How a native child's Python is started."""

_one_at_a_time = threading.Lock()  # of two folders made at once the cache would keep one, and the other would go

# Beside each source its bytecode, marked as not to be checked against it (PEP 552).
_COMPILE = """
import importlib.util, marshal, sys, zipfile
place, target = sys.argv[1:]
head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
with zipfile.ZipFile(place) as sources, zipfile.ZipFile(target, "w") as compiled:
    for name in sources.namelist():
        source = sources.read(name)
        compiled.writestr(name, source)
        code = compile(source, f"{place}/{name}", "exec", dont_inherit=True)
        compiled.writestr(f"{name}c", head + marshal.dumps(code))
"""


def compiled(python: str, zipped: bytes) -> Path:
    """The path of a zip with these modules and their bytecode for this Python; it stays for as long as this process.

    Where they cannot be compiled, they are there as they came, and the child says why.
    """
    with _one_at_a_time:
        return Path(_folder(python, zipped).name) / "recorder.zip"


@functools.lru_cache(maxsize=4)
def _folder(python: str, zipped: bytes) -> TemporaryDirectory[str]:
    folder = TemporaryDirectory(prefix="tracepane-zip-")
    place, target = Path(folder.name) / "recorder.zip", Path(folder.name) / "compiled.zip"
    place.write_bytes(zipped)
    command = [python, *FLAGS, "-c", _COMPILE, str(place), str(target)]
    if subprocess.run(command, capture_output=True, check=False).returncode == 0:
        target.replace(place)
    return folder
