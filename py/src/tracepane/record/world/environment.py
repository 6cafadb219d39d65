"""What the program finds around it: variables, directory, arguments, modules. The same in every runtime."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

# PATH and the like would say where the machine keeps its things; nothing here does.
FIXED = {
    "HOME": "{root}/work",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "LOGNAME": "reader",
    "PATH": "/usr/bin:/bin",
    "PYTHONHASHSEED": "0",
    "PYTHONTZPATH": "",
    "PWD": "{root}/work",
    "TERM": "dumb",
    "TMPDIR": "{root}/tmp",
    "TZ": "UTC0",
    "USER": "reader",
}


def settle(root: str, env: Mapping[str, str], argv: Sequence[str]) -> None:
    """Set variables, working directory, import path and arguments. `argv` begins with the program's own path."""
    os.environ.clear()
    os.environ.update({name: value.format(root=root) for name, value in FIXED.items()} | dict(env))
    os.chdir(f"{root}/work")
    os.umask(0o022)
    sys.argv[:] = argv
    sys.orig_argv[:] = ["python3", *argv]
    sys.path[:] = [f"{root}/src", *(entry for entry in sys.path if "tracepane" not in entry and entry)]
    sys.dont_write_bytecode = True
    sys.executable = "/usr/bin/python3"
    for hook in ("excepthook", "displayhook", "unraisablehook", "breakpointhook"):
        setattr(sys, hook, getattr(sys, f"__{hook}__"))
    for name in ("ps1", "ps2", "last_exc", "last_type", "last_value", "last_traceback"):
        if hasattr(sys, name):
            delattr(sys, name)
