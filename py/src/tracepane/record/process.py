"""The host's side: runs a job in a fresh native CPython 3.14 and reads its trace back."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import math
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from tracepane.record import job as jobs
from tracepane.record.compiled import FLAGS, compiled
from tracepane.record.format.container import CHUNK, END, HEADER, RECORD, read_json
from tracepane.record.format.outgoing import count_events
from tracepane.record.trace import Trace

_GRACE = 3.0  # seconds that the child has, after its own limit, to end by itself: start and last flush
_PROBE = "import sys; print(*sys.version_info[:2], sys.implementation.name)"
FAULT = 70  # the child's exit code when the runner itself failed
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC0", "PATH": "/usr/bin:/bin"}

Progress = Callable[[int], None]


class PythonMissing(Exception):
    """There is no native CPython 3.14 here; says where it was looked for and how to get one."""


class RunError(Exception):
    """The run could not begin: the job or the machine is at fault, not the program."""


def find_python() -> str:
    """The command of a CPython 3.14, or PythonMissing.

    Looked for in: the environment variable TRACEPANE_PYTHON, beside this Python, on the path, uv's Pythons.
    """
    named = os.environ.get("TRACEPANE_PYTHON")
    if named:
        if not _fits(named):
            raise PythonMissing(f"TRACEPANE_PYTHON is {named!r}, which is no CPython 3.14. Correct it, or unset it.")
        return named
    for candidate in _candidates():
        if _fits(candidate):
            return candidate
    raise PythonMissing(
        "No native CPython 3.14 was found: not in TRACEPANE_PYTHON, not beside "
        f"{sys.executable}, not as python3.14 on the path, not among uv's Pythons. "
        "Install one (`uv python install 3.14`), or name one in TRACEPANE_PYTHON."
    )


def _candidates() -> Iterator[str]:
    yield str(Path(sys.executable).parent / "python3.14")
    on_path = shutil.which("python3.14")
    if on_path:
        yield on_path
    uv = shutil.which("uv")
    if uv:
        found = subprocess.run([uv, "python", "find", "3.14"], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            yield found.stdout.strip()


def _fits(python: str) -> bool:
    command = [python, "-I", "-S", "-c", _PROBE]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.split() == ["3", "14", "cpython"]


def record(
    job: jobs.Job, *, record: bool = True, python: str | None = None, on_progress: Progress | None = None
) -> Trace:
    """Run the job natively. `on_progress` is given the number of steps so far.

    A program that kills its interpreter, or does not end, still gives the trace of what was recorded. Raises JobError
    for a job that cannot be run, PythonMissing, and RunError when the run could not begin.
    """
    jobs.check(job)
    python = python or find_python()
    from tracepane import assets

    recorder = compiled(python, assets.recorder_zip())
    with _alone(job["root"]) as lock:
        return _Child([python, *FLAGS], str(recorder), record, lock).run(job, on_progress)


@contextlib.contextmanager
def interrupts(handle: Callable[[], object]) -> Iterator[None]:
    """Have Ctrl-C call `handle` instead of raising in the midst of what is done meanwhile, of which nothing is lost.

    Only the main thread is ever interrupted; in any other this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: handle())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)


@contextlib.contextmanager
def _alone(root: str) -> Iterator[int]:
    """Hold the lock of the run's directory: a second run of the same job waits. Nothing of either is left behind.

    The child holds it, too: should this process be killed, the next run waits until the child has ended.
    """
    path = root + ".lock"
    lock = _lock(path)
    try:
        yield lock
        shutil.rmtree(root, ignore_errors=True)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        os.close(lock)


def _lock(path: str) -> int:
    while True:
        lock = _open_lock(path)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_same_file(lock, path):
            return lock
        os.close(lock)  # whoever held it has removed it


def _open_lock(path: str) -> int:
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise RunError(f"{path} cannot be opened ({error.strerror}): remove it, the run needs this name") from None
    if os.fstat(lock).st_uid != os.getuid():
        os.close(lock)
        raise RunError(f"{path} belongs to another user: remove it, or run as that user")
    return lock


def _is_same_file(number: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(number), os.stat(path))
    except FileNotFoundError:
        return False


class _Child:
    """The process that runs the job, and what has arrived of its trace."""

    def __init__(self, command: list[str], recorder: str, record: bool, lock: int) -> None:
        self._command = command
        self._recorder = recorder
        self._lock = lock
        self._mode = "record" if record else "silent"
        self.header: dict[str, Any] | None = None
        self.chunks: list[bytes] = []
        self.end: dict[str, Any] | None = None
        self.steps = 0
        self._late = False

    def run(self, job: jobs.Job, on_progress: Progress | None) -> Trace:
        """Run to the end, whatever it is."""
        reading, writing = os.pipe()
        try:
            process = self._start(writing)
        finally:
            os.close(writing)
        seconds = float(job.get("limits", {}).get("seconds", 30))
        _bound(process, seconds)
        timer = threading.Timer(seconds + _GRACE, self._kill, [process])
        with interrupts(_stopper(process)):
            with process, os.fdopen(reading, "rb") as pipe:
                timer.start()
                feeder = threading.Thread(target=_feed, args=(process.stdin, json.dumps(dict(job)).encode()))
                feeder.start()
                try:
                    while self._read(pipe, on_progress):
                        pass
                finally:
                    timer.cancel()
                    feeder.join()
                said = process.stderr.read() if process.stderr else b""
            return self._trace(job, process.returncode, said.decode("utf-8", "replace"))

    def _start(self, writing: int) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [*self._command, "-c", _BOOTSTRAP, self._recorder, self._mode, str(writing), str(self._lock)],
            stdin=pipe, stdout=subprocess.DEVNULL, stderr=pipe, pass_fds=[writing, self._lock],
            env=_ENVIRONMENT, cwd="/", start_new_session=True,
        )  # fmt: skip

    def _read(self, pipe: BinaryIO, on_progress: Progress | None) -> bool:
        head = pipe.read(RECORD.size)
        if len(head) < RECORD.size:
            return False
        kind, _, stored, _, _ = RECORD.unpack(head)
        body = pipe.read(stored)
        if len(body) < stored:
            return False
        if kind == HEADER:
            self.header = read_json(body, "header")
        elif kind == CHUNK:
            self.chunks.append(body)
            self.steps += count_events(body)
            if on_progress:
                on_progress(self.steps)
        elif kind == END:
            self.end = read_json(body, "end")
        return True

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        self._late = True
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)

    def _trace(self, job: jobs.Job, code: int, said: str) -> Trace:
        if self.header is None or code == FAULT:
            raise RunError(f"the run could not begin (exit code {code}):\n{said.strip() or 'no message'}")
        return Trace.from_chunks(self.header, self.chunks, self.end or self._death(code, said))

    def _death(self, code: int, said: str) -> dict[str, Any]:
        """The end of a child that sent none."""
        if self._late:
            return {"status": "limit", "limit": "seconds", "steps": self.steps}
        detail = f"the interpreter was ended by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        words = said.strip().splitlines()
        return {"status": "crashed", "steps": self.steps, "detail": "\n".join([detail, *words[:20]])}


def _stopper(process: subprocess.Popen[bytes]) -> Callable[[], None]:
    """What Ctrl-C does: it asks the child to stop, a second one kills it; nothing, once the child has ended."""
    ways = itertools.chain((signal.SIGINT,), itertools.repeat(signal.SIGKILL))

    def stop() -> None:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(next(ways))

    return stop


def _bound(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Let the kernel end a child that goes on computing when nobody is left to end it."""
    if sys.platform == "linux":
        most = math.ceil(seconds + 2 * _GRACE)
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (most, most))


# Runs before anything of the recorder can be imported.
_BOOTSTRAP = "import sys; sys.path.insert(0, sys.argv.pop(1)); from tracepane.record.__main__ import begin; begin()"


def _feed(stdin: Any, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), stdin:
        stdin.write(data)
