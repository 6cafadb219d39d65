"""What a pane's definition says, read without Tracepane, and its scenarios run plainly by `plain_run.py`."""

import ast
import json
import os
import subprocess
from pathlib import Path

from native import python

PLAIN = Path(__file__).resolve().with_name("plain_run.py")


class Shown:
    """What a pane shows of its source: the `first` to the `last` of the file's `lines`, counted from 1."""

    def __init__(self, lesson, pane):
        """Find the function, class or method that the definition names."""
        text = (lesson / pane["source"]).read_text("utf-8")
        node = ast.parse(text)
        for name in pane["show"].split("."):
            node = next(each for each in node.body if getattr(each, "name", "") == name)
        self.lines, self.first, self.last = text.splitlines(), node.lineno, node.end_lineno

    def at(self, anchors):
        """The lines that a node's anchors name; each must be found."""
        for anchor in anchors if isinstance(anchors, list) else [anchors]:
            if isinstance(anchor, dict) and "from" in anchor:
                yield from range(self.find(anchor["from"]), self.find(anchor["to"]) + 1)
            else:
                yield self.find(anchor)

    def find(self, anchor):
        """The one shown line that holds a text, or that one of several that the anchor counts to."""
        text, nth = (anchor["text"], anchor["nth"]) if isinstance(anchor, dict) else (anchor, None)
        found = [number for number in range(self.first, self.last + 1) if text in self.lines[number - 1]]
        assert nth or len(found) == 1, (text, found)
        return found[(nth or 1) - 1]


def missed(lesson, pane, stops):
    """The ids of the flow's nodes at whose lines none of the stops is."""
    shown, visited = Shown(lesson, pane), {line for line, _names in stops}
    return [node["id"] for node in pane["flow"] if not visited & set(shown.at(node["at"]))]


def order(lesson, pane, scenario):
    """Return what is to be run for a scenario: import roots, files, and the names that are set."""
    return {
        "path": [str((lesson / root).resolve()) for root in pane["path"]],
        "main": [str(lesson / pane["setup"]), str(lesson / pane["call"])],
        "set": pane["scenarios"][scenario]["set"],
    }


def run_plainly(lesson, pane, scenario, *, file, folder, env=()):
    """Return what plain_run.py saw of a scenario of the pane's definition.

    `lesson` is the folder of the definition, `file` the end of the shown file's path, `folder` where the program works,
    `env` what is changed in the environment.
    """
    shown = Shown(lesson, pane)
    seen = {"file": file, "lines": [shown.first, shown.last]}
    done = subprocess.run(
        [python(), "-I", "-B", str(PLAIN)],
        cwd=folder,
        env=os.environ | dict(env),
        input=json.dumps(order(lesson, pane, scenario) | seen),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return json.loads(done.stdout)
