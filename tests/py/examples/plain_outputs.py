"""Run scenarios plainly, one after the other, and tell what each printed.

Its standard input is a list of `{"path": [import roots], "main": [files], "set": {names}}`, its output a list of texts.
"""

import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path


def main():
    """Run all of them, each with its names in a folder of its own."""
    orders = json.load(sys.stdin)
    sys.path[:0] = dict.fromkeys(root for order in orders for root in order["path"])
    json.dump([output(order) for order in orders], sys.stdout)


def output(order):
    """What one scenario prints; with the error if it ends in one."""
    printed = io.StringIO()
    names = {"__name__": "__main__", **order["set"]}
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
        os.chdir(folder)
        try:
            for file in order["main"]:
                exec(compile(Path(file).read_text("utf-8"), file, "exec"), names)
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
        os.chdir(Path(__file__).parent)
    return printed.getvalue()


if __name__ == "__main__":
    main()
