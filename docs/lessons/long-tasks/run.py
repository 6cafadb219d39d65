"""Run one scenario of these pages with plain Python, without a browser and without recording.

python3 -I -B docs/lessons/long-tasks/run.py                 lists the panes and their scenarios
python3 -I -B docs/lessons/long-tasks/run.py store full      runs one of them, each in an empty temporary folder
python3 -I -B docs/lessons/long-tasks/run.py store           runs all of a pane; `all` runs all there are
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
    space = {"__name__": "__main__", **names}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tempfile.tempdir = folder  # what a scenario puts away goes with it
        for part in ("setup", "call"):
            file = HERE / f"{pane}.{part}.py"
            exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), space)
        os.chdir(HERE)
    tempfile.tempdir = None  # the folder is gone, and the next scenario needs one of its own


def main(arguments):
    """Run what was asked for, or say what there is."""
    sys.path[:0] = [str(BOOK), str(HERE)]
    sys.stdout.reconfigure(errors="backslashreplace")  # not every terminal shows all that is printed
    pane, name = [*arguments, "all", "all"][:2]
    there = [
        (each, scenario, *entry)
        for each, entries in scenarios().items()
        for scenario, entry in entries.items()
        if pane in (each, "all") and name in (scenario, "all")
    ]
    for each, scenario, label, names in there:
        print(f"{each} {scenario}: {label}", flush=True)
        if arguments:
            run(each, names)
    if not there:
        known = "\n".join(f"  {each} {scenario}" for each, entries in scenarios().items() for scenario in entries)
        print(f"no such scenario: {' '.join(arguments)}\nThere are:\n{known}", file=sys.stderr)
    return 0 if there else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
