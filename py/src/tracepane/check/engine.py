"""The places where a job can run, under one form: a function from a job to its trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from tracepane.assets import AssetsError
from tracepane.check.browser import ENGINES, Browser, BrowserError
from tracepane.check.verify import Record, RunError
from tracepane.record import process
from tracepane.record.job import JobError
from tracepane.record.trace import TraceError

__all__ = ["ENGINES", "NATIVE", "recorder"]

NATIVE = "native"
Given = TypeVar("Given")
REFUSALS = (JobError, process.RunError, process.PythonMissing, BrowserError, AssetsError, TraceError)


@contextmanager
def recorder(runtime: str) -> Iterator[Record]:
    """Open `native` or one of ENGINES; what cannot run there raises RunError, in words for people."""
    if runtime == NATIVE:
        python = _said(process.find_python)
        yield lambda job: _said(partial(process.record, job, python=python))
        return
    browser = Browser(runtime)
    _said(browser.__enter__)
    try:
        yield lambda job: _said(partial(browser.record, job))
    finally:
        browser.__exit__(None, None, None)


def _said(act: Callable[[], Given]) -> Given:
    try:
        return act()
    except REFUSALS as error:
        raise RunError(str(error)) from error
