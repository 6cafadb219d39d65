"""What a pane's definition says, read without Tracepane, and its scenarios run plainly by `plain_run.py`."""

import json
import os
import subprocess
from pathlib import Path

from native import python

PLAIN = Path(__file__).resolve().with_name("plain_run.py")


def order(lesson, pane, scenario):
    """Return what is to be run for a scenario: import roots, files, and the names that are set."""
    return {
        "path": [str((lesson / root).resolve()) for root in pane["path"]],
        "main": [str(lesson / pane["setup"]), str(lesson / pane["call"])],
        "set": pane["scenarios"][scenario]["set"],
    }


def run_plainly(lesson, pane, scenario, *, shown, lines, folder, env=()):
    """Return what plain_run.py saw of a scenario of the pane's definition.

    `lesson` is the folder of the definition, `shown` the end of the shown file's path, `lines` the first and last
    line that is shown, `folder` where the program works, `env` what is changed in the environment.
    """
    done = subprocess.run(
        [python(), "-I", "-B", str(PLAIN)],
        cwd=folder,
        env=os.environ | dict(env),
        input=json.dumps(order(lesson, pane, scenario) | {"file": shown, "lines": lines}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return json.loads(done.stdout)
