"""A program on its own: any `prog.py`, traced whole, with the modules that lie beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tracepane.lesson.job import build_job
from tracepane.lesson.mistake import LessonError, LessonErrors
from tracepane.lesson.module import imported
from tracepane.lesson.scenario import LIMITS, Scenario
from tracepane.lesson.source import Source
from tracepane.lesson.text import Text


def job(
    path: Path | str,
    *,
    stdin: str = "",
    closed: bool = True,
    argv: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    limits: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """The job of a program; its folder is the import root. The pane's name is the file's, so that it moves freely.

    A program that does not compile is still a job: its run ends with that exception. Raises LessonErrors where there is
    no such file.
    """
    path = Path(path).absolute()
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise LessonErrors(
            [LessonError(str(path), 0, f"this program cannot be read: {reason}", "Name a Python file.")]
        ) from None
    whole = Source(path.name, "shown", data, path)
    shown = Source(path.name, "shown", data, path, ((1, len(whole.lines)),))
    scenario = Scenario(
        id="",
        label=Text({"": path.name}),
        stdin={"text": stdin, "closed": closed},
        argv=tuple(argv),
        env=dict(env or {}),
        limits={**LIMITS, **(limits or {})},
    )
    return build_job(path.name, [shown, *imported([shown], [path.parent])], [path.name], scenario)
