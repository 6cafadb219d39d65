"""Run one scenario of a pane without Tracepane, and note the lines of what is shown.

Runs as a program of its own, in a fresh interpreter: its standard input is
`{"path": [import roots], "main": [files], "set": {names}, "file": end of the shown file, "lines": [first, last]}`;
its output is what it saw.
It shares no code with the product, so that it can bear witness against it.
"""

import contextlib
import io
import json
import sys
from pathlib import Path


def main():
    """Read the order, run it, write what was seen."""
    order = json.load(sys.stdin)
    sys.path[:0] = order["path"]
    stops, printed = [], io.StringIO()
    names = {"__name__": "__main__", **order["set"]}
    error = None
    with contextlib.redirect_stdout(printed):
        sys.settrace(tracer(order["file"], *order["lines"], stops))
        try:
            for file in order["main"]:
                exec(compile(Path(file).read_text("utf-8"), file, "exec"), names)
        except Exception as raised:
            error = [type(raised).__name__, str(raised)]
        finally:
            sys.settrace(None)
    files = {str(path): path.read_text("utf-8") for path in sorted(Path().rglob("*")) if path.is_file()}
    json.dump({"stops": stops, "output": printed.getvalue(), "error": error, "files": files}, sys.stdout)


def tracer(file, first, last, stops):
    """Return a trace function that notes each line of the functions between two lines, with the variables before it."""

    def see(frame, event, arg):
        if event == "line":
            stops.append(
                [frame.f_lineno, json.loads(json.dumps(dict(frame.f_locals), default=lambda value: repr(type(value))))]
            )
        elif event == "exception":
            stops.append([frame.f_lineno, {"raised": str(arg[1])}])
        return see

    def enter(frame, _event, _arg):
        code = frame.f_code
        shown = code.co_filename.endswith(file) and first <= code.co_firstlineno <= last and code.co_name[0] != "<"
        return see if shown else None

    return enter


if __name__ == "__main__":
    main()
