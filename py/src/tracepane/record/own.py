"""The builtins as they were before the program ran. A program may replace any of them; the recorder's stay its own.

A module of the recorder takes them with `globals()["__builtins__"] = BUILTINS` before it defines a function: a function
keeps the builtins that its module had when it was defined.
"""

from __future__ import annotations

import builtins

BUILTINS = dict(vars(builtins))
FOLDER = __file__.rpartition("own.py")[0]  # a `.pyc` in a browser; the files of all code of ours lie below it
