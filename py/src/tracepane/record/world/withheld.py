"""What a browser cannot give is withheld natively too, with the same errors in both.

Threads fail as they do in Pyodide. Processes and the network, where Pyodide's own errors carry its own `errno` numbers
or where it only pretends, fail with an `OSError` that says why. Names that Pyodide's modules lack are taken away.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # it has no stub
import _thread
import os
import posix
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

from tracepane.record.hidden import builtin, conceal, hidden
from tracepane.record.own import BUILTINS
from tracepane.record.world.clock import Clock

globals()["__builtins__"] = BUILTINS

THREADS = "can't start new thread"
PROCESSES = "a lesson cannot start or signal other processes: it runs in a browser too"
NETWORK = "a lesson cannot open network connections: it runs in the reader's browser, alone"
WAITING = "a lesson cannot wait for a signal: none will ever come"

PID = 42  # what Pyodide says
IDENT = 1  # of the one thread: a real one is an address

# Modules that Pyodide has not, or has without its data (zoneinfo), or that open a way around the simulated machine
# (C functions, the test suite's doors).
HIDDEN = frozenset(
    "_aix_support _android_support _apple_support _curses _curses_panel _datetime _dbm _gdbm _hashlib "
    "_interpchannels _interpqueues _interpreters _ios_support _multiprocessing _osx_support _posixshmem "
    "_pydecimal _remote_debugging _testbuffer _testcapi _testclinic _testclinic_limited _testexternalinspection "
    "_testimportmultiple _testinternalcapi _testlimitedcapi _testmultiphase _testsinglephase _tkinter _uuid "
    "_xxtestfuzz _zoneinfo _ctypes _ctypes_test _queue crypt curses dbm ensurepip grp idlelib js lib2to3 micropip "
    "nis ossaudiodev pip pwd pydoc_data pyodide pyodide_js _pyodide _pyodide_core readline resource spwd syslog "
    "test tkinter turtle turtledemo tracepane venv xxlimited xxlimited_35 xxsubtype zoneinfo".split()
)

_OS_MISSING = (
    "copy_file_range eventfd eventfd_read eventfd_write forkpty getegid geteuid getgrouplist getgroups "
    "getrandom getresgid getresuid getxattr initgroups lchown link listxattr memfd_create mkfifo mknod nice "
    "openpty pidfd_open pipe2 posix_fallocate posix_openpt grantpt unlockpt ptsname login_tty posix_spawn "
    "posix_spawnp preadv pwritev removexattr sched_get_priority_max sched_get_priority_min sched_getaffinity "
    "sched_getparam sched_getscheduler sched_param sched_rr_get_interval sched_setaffinity sched_setparam "
    "sched_setscheduler sched_yield sendfile setegid seteuid setgroups setns setpriority getpriority setresgid "
    "setresuid setxattr splice timerfd_create timerfd_gettime timerfd_gettime_ns timerfd_settime "
    "timerfd_settime_ns unshare fchdir posix_fadvise"
).split()
_OS_PROCESSES = (
    "fork system execv execve execl execle execlp execlpe execvp execvpe spawnv spawnve spawnl spawnle spawnlp "
    "spawnlpe spawnvp spawnvpe popen wait waitpid waitid wait3 wait4 killpg setsid setpgid tcsetpgrp chroot "
    "setuid setgid setreuid setregid"
).split()
_SIGNAL_MISSING = (
    "alarm setitimer getitimer pthread_kill sigwait sigwaitinfo sigtimedwait sigpending pidfd_send_signal "
    "SIGCLD".split()
)

Leave = Callable[[int], NoReturn]


def install(clock: Clock, leave: Leave) -> None:
    """Change `os`, `_thread` and `_signal`. `leave(code)` ends the run as `os._exit(code)` asks."""
    _withhold_threads()
    for module in (os, posix):
        for name in _OS_MISSING:
            if hasattr(module, name):
                delattr(module, name)
    signals = Signals(leave)
    refusals = {name: _refusal(PROCESSES) for name in _OS_PROCESSES}
    for name, function in (refusals | _os_facts(clock, leave) | {"kill": signals.kill}).items():
        if hasattr(os, name):
            replace(name, function)
    _withhold_signals(signals)
    _withhold_interpreter()


def replace(name: str, function: Callable[..., Any]) -> None:
    """Put a function in the place of one of `os`, and of the same one in `posix`, from which `os` has it."""
    replaced = builtin(function, getattr(os, name))
    for module in (os, posix):
        if hasattr(module, name):
            setattr(module, name, replaced)


def _refusal(reason: str, kind: type[BaseException] = OSError) -> Callable[..., NoReturn]:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise kind(reason)

    return hidden(refuse)


def _withhold_threads() -> None:
    for name in ("get_native_id", "set_name", "_get_name", "_NAME_MAXLEN"):
        if hasattr(_thread, name):
            delattr(_thread, name)
    for name in ("start_new_thread", "start_new", "start_joinable_thread"):
        setattr(_thread, name, builtin(_refusal(THREADS, RuntimeError), getattr(_thread, name)))
    for name in ("get_ident", "_get_main_thread_ident"):
        setattr(_thread, name, builtin(lambda: IDENT, getattr(_thread, name)))
    _number_threads("_current_frames", sys._current_frames)
    _number_threads("_current_exceptions", sys._current_exceptions)


def _number_threads(name: str, by_thread: Callable[[], dict[int, Any]]) -> None:
    setattr(sys, name, builtin(lambda: {IDENT: next(iter(by_thread().values()))}, by_thread))


def _withhold_interpreter() -> None:
    """Doors of `sys` into this very interpreter, or onto the machine; what one runtime alone has."""
    for name in ("__interactivehook__", "_emscripten_info", "_home"):
        if hasattr(sys, name):
            delattr(sys, name)
    for name in ("remote_exec", "activate_stack_trampoline", "_debugmallocstats"):
        if hasattr(sys, name):
            setattr(sys, name, builtin(_refusal(PROCESSES), getattr(sys, name)))


def _os_facts(clock: Clock, leave: Leave) -> dict[str, Callable[..., Any]]:
    def _exit(status: int) -> NoReturn:
        leave(status.__index__() & 0xFF)

    def abort() -> NoReturn:
        leave(134)  # 128 and SIGABRT, as a shell says it

    def uname() -> Any:
        names = _uname()
        return type(names)((names.sysname, "lesson", *names[2:]))

    times = getattr(os, "times_result", None)

    def process_times() -> Any:
        return times((0.0, 0.0, 0.0, 0.0, (clock.read()) / 1e9)) if times else None

    _uname = os.uname
    isatty = os.isatty
    return {
        "_exit": _exit,
        "abort": abort,
        "cpu_count": lambda: 1,
        "process_cpu_count": lambda: 1,
        "getloadavg": lambda: (0.0, 0.0, 0.0),
        "getlogin": lambda: "reader",
        "getpid": lambda: PID,
        "getppid": lambda: 1,
        "getuid": lambda: 1000,
        "getgid": lambda: 1000,
        "isatty": lambda fd: False if fd in (0, 1, 2) else isatty(fd),
        "times": process_times,
        "uname": uname,
    }


@conceal
class Signals:
    """Signals that the program sends to itself; no others arrive."""

    def __init__(self, leave: Leave) -> None:
        """`leave` ends the run when a signal's default action would."""
        self._leave = leave
        self._ignored = {_signal.SIGCHLD, _signal.SIGCONT, _signal.SIGURG, _signal.SIGWINCH, _signal.SIGPIPE}
        self._ignored |= {getattr(_signal, "SIGXFSZ", _signal.SIGPIPE)}
        self._handlers: dict[int, Any] = {_signal.SIGINT: _signal.default_int_handler}

    def signal(self, signalnum: int, handler: Any, /) -> Any:
        """Set a handler; the former one."""
        number = self._number(signalnum)
        if not (callable(handler) or handler in (_signal.SIG_DFL, _signal.SIG_IGN)):
            raise TypeError("signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object")
        if number in (_signal.SIGKILL, _signal.SIGSTOP):
            raise OSError(22, "Invalid argument")
        former = self.getsignal(number)
        self._handlers[number] = handler
        return former

    def getsignal(self, signalnum: int, /) -> Any:
        """The handler in force."""
        return self._handlers.get(self._number(signalnum), _signal.SIG_DFL)

    def raise_signal(self, signalnum: int, /) -> None:
        """Send a signal to this program: its handler runs here and now."""
        number = self._number(signalnum)
        handler = self._handlers.get(number, _signal.SIG_DFL)
        if callable(handler):
            handler(number, sys._getframe(1))  # the program's: frames of ours do not count
        elif handler == _signal.SIG_DFL and number not in self._ignored:
            self._leave(128 + number)

    def kill(self, pid: int, signalnum: int, /) -> None:
        """`os.kill`: only to this program itself."""
        if pid not in (PID, 0, -1):
            raise OSError(PROCESSES)
        if signalnum:
            self.raise_signal(signalnum)

    def _number(self, signalnum: int) -> int:
        if not 1 <= signalnum.__index__() < _signal.NSIG:
            raise ValueError("signal number out of range")
        return int(signalnum)


def _withhold_signals(signals: Signals) -> None:
    for name in _SIGNAL_MISSING:
        if hasattr(_signal, name):
            delattr(_signal, name)
    for name in ("signal", "getsignal", "raise_signal"):
        setattr(_signal, name, builtin(getattr(signals, name), getattr(_signal, name)))
    if hasattr(_signal, "pause"):
        _signal.pause = builtin(_refusal(WAITING, RuntimeError), _signal.pause)


def adjust_socket_core(module: Any) -> None:
    """`_socket`: connections and names are refused, whether the platform knows them or pretends to."""
    refuse = _refusal(NETWORK)
    module.socket = module.SocketType = type(
        "socket", (module.socket,), {"__init__": refuse, "__module__": "_socket", "__slots__": ()}
    )
    for name in (
        "getaddrinfo gethostbyname gethostbyname_ex gethostbyaddr getnameinfo getprotobyname getservbyname "
        "getservbyport socketpair sethostname if_nameindex if_nametoindex if_indextoname dup"
    ).split():
        if hasattr(module, name):
            setattr(module, name, builtin(refuse, getattr(module, name)))
    module.gethostname = builtin(lambda: "lesson", module.gethostname)


def adjust_subprocess(module: Any) -> None:
    """`subprocess`: nothing can be started."""
    module.Popen.__init__ = _refusal(PROCESSES)


def adjust_posixsubprocess(module: Any) -> None:
    """`_posixsubprocess`: nothing can be started here either."""
    module.fork_exec = builtin(_refusal(PROCESSES), module.fork_exec)


def adjust_select(clock: Clock, module: Any) -> None:
    """`select`: what only Linux has goes; waiting for nothing moves the clock."""
    select = module.select

    def wait(rlist: Any, wlist: Any, xlist: Any, timeout: float | None = None, /) -> Any:
        if not rlist and not wlist and not xlist and timeout is not None:
            clock.advance(int(timeout * 1_000_000_000))
        return select(rlist, wlist, xlist, 0)

    module.select = builtin(wait, select)
    for name in [name for name in vars(module) if name.startswith(("epoll", "EPOLL", "kqueue", "kevent", "KQ_"))]:
        delattr(module, name)


def adjust_profile(module: Any) -> None:
    """`cProfile`: its own timer is the machine's clock."""
    initialise = module.Profile.__init__

    def __init__(self: Any, timer: Any = None, *rest: Any, **options: Any) -> None:
        initialise(self, timer or time.perf_counter, *rest, **options)

    module.Profile.__init__ = hidden(__init__)


def adjust_webbrowser(module: Any) -> None:
    """`webbrowser`: there is none to open, which it says by returning False."""

    def open(url: str, new: int = 0, autoraise: bool = True) -> bool:
        return False

    module.open = hidden(open)
    module._tryorder, module._browsers = [], {}


def adjust_faulthandler(module: Any) -> None:
    """`faulthandler`: its timer is a thread in C."""
    if hasattr(module, "dump_traceback_later"):
        module.dump_traceback_later = builtin(_refusal(THREADS, RuntimeError), module.dump_traceback_later)


def adjust_multiprocessing(module: Any) -> None:
    """`multiprocessing.process`: a process that is started fails here, in the parent."""
    module.BaseProcess.start = _refusal(PROCESSES)


def adjust_getpass(module: Any) -> None:
    """`getpass`: no terminal to hide the echo on; it reads standard input, as it does natively without a terminal."""
    module.getpass = module.fallback_getpass


ADJUSTED: dict[str, Callable[[Any], None]] = {
    "_posixsubprocess": adjust_posixsubprocess,
    "_socket": adjust_socket_core,
    "cProfile": adjust_profile,
    "faulthandler": adjust_faulthandler,
    "getpass": adjust_getpass,
    "multiprocessing.process": adjust_multiprocessing,
    "subprocess": adjust_subprocess,
    "webbrowser": adjust_webbrowser,
}
