"""The places where a job can run, under one form: a function from a job to its trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from typing import TypeVar

from tracepane.assets import AssetsError
from tracepane.check.browser import ENGINES, Browser, BrowserError
from tracepane.check.verify import Record, RunError
from tracepane.record import process
from tracepane.record.job import JobError
from tracepane.record.trace import TraceError

__all__ = ["ENGINES", "NATIVE", "EngineError", "recorder"]

NATIVE = "native"
Given = TypeVar("Given")
REFUSALS = (JobError, process.RunError, process.PythonMissing, BrowserError, AssetsError, TraceError)


class EngineError(Exception):
    """A runtime that is not there or does not start; nothing can be run in it."""


@contextmanager
def recorder(runtime: str) -> Iterator[Record]:
    """Open `native` or one of ENGINES; what cannot run there raises RunError, in words for people.

    A browser starts with the first job, so that a call that runs nothing needs none. Raises EngineError.
    """
    with ExitStack() as stack:
        if runtime == NATIVE:
            python = _said(process.find_python, EngineError)
            yield lambda job: _said(partial(process.record, job, python=python), RunError)
            return

        @cache
        def engine() -> Browser:
            return _said(partial(stack.enter_context, Browser(runtime)), EngineError)

        yield lambda job: _said(partial(engine().record, job), RunError)


def _said(act: Callable[[], Given], refusal: type[Exception]) -> Given:
    try:
        return act()
    except REFUSALS as error:
        raise refusal(str(error)) from error
