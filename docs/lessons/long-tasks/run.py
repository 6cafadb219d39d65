"""Run one scenario of these pages with plain Python, without a browser and without recording.

python3 -I -B docs/lessons/long-tasks/run.py                 lists the panes and their scenarios
python3 -I -B docs/lessons/long-tasks/run.py store full      runs one of them in an empty temporary folder
"""

import ast
import os
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BOOK = HERE.parents[1] / "book" / "v2"
PANE = re.compile(r"^(\w+):$")
SCENARIO = re.compile(r'^    (\w+): \{label: \{en: "(.*?)", zh: .*\}, set: (\{.*\})\}$')


def scenarios():
    """Return for each pane its scenarios: name, label and the names that are set, as the panes' files have them."""
    found, pane = {}, None
    for file in sorted(HERE.glob("*.yml")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if opened := PANE.match(line):
                pane = found.setdefault(opened[1], {})
            elif scenario := SCENARIO.match(line):
                pane[scenario[1]] = (scenario[2], values(scenario[3]))
    return found


def values(text):
    """Read a mapping on one line: numbers, null, texts without quotation marks, lists of them."""
    quoted = re.sub(r"(?<![\w.-])([A-Za-z][\w ]*?)(?=\s*[:,\]}])", r"'\1'", text)
    return ast.literal_eval(quoted.replace("'null'", "None"))


def run(pane, names):
    """Run setup and call one after the other in one __main__, as the pane does."""
    sys.path[:0] = [str(BOOK), str(HERE)]
    space = {"__name__": "__main__", **names}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for part in ("setup", "call"):
            file = HERE / f"{pane}.{part}.py"
            exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), space)
        os.chdir(HERE)


def main(arguments):
    """Run what was asked for, or say what there is."""
    known = scenarios()
    if len(arguments) == 2 and arguments[1] in known.get(arguments[0], {}):
        pane, name = arguments
        label, names = known[pane][name]
        print(f"# {pane}: {label}")
        run(pane, names)
        return 0
    for pane, entries in known.items():
        for name, (label, _) in entries.items():
            print(f"{pane:<12}{name:<12}{label}")
    return 2 if arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
