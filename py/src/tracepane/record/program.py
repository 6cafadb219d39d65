"""Runs the program as `python3 prog.py` would: `__main__`, uncaught exceptions, exit handlers, the last `__del__`."""

from __future__ import annotations

import atexit
import builtins
import gc
import sys
from collections.abc import Callable, Iterable
from importlib.machinery import SourceFileLoader
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tracepane.record.hidden import hidden
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.finality import may_finalize
from tracepane.record.values.atoms import TEXTS
from tracepane.record.values.kinds import mro_of
from tracepane.record.world import limits
from tracepane.record.world.garbage import Collector

globals()["__builtins__"] = BUILTINS

_run_exit_handlers = atexit._run_exitfuncs
_referents = gc.get_referents
# What a namespace is entangled with: through these everything is reached.
_WIDE = frozenset(map(id, (type, FunctionType, ModuleType)))
_OLD = frozenset(map(id, BUILTINS.values()))  # nothing of the program's is reached through these either
_MOST = 100_000  # objects that are looked at for one that has a finalizer
Facts = tuple[type, bool, bool]
"""A type, whether its objects have finalizers, whether everything is reached through them."""


@hidden
def make_main(path: str) -> ModuleType:
    """A fresh `__main__` for the script at `path`, put into `sys.modules`."""
    main = ModuleType("__main__")
    vars(main).update(
        __builtins__=builtins,
        __cached__=None,
        __file__=path,
        __loader__=SourceFileLoader("__main__", path),
        __package__=None,
        __spec__=None,
    )
    sys.modules["__main__"] = main
    return main


@hidden
def execute(
    paths: Iterable[str], main: ModuleType, adopt: Callable[[CodeType], object], room: int
) -> BaseException | None:
    """Compile and run the sources one after the other in `main`; what one raised ends them, and is returned.

    `adopt` is shown each source's code before it runs; whoever traces needs `room` frames above the program's.
    """
    namespace = vars(main)
    limits.install(limits.depth(), room)
    try:
        for path in paths:
            namespace["__file__"] = path
            code = _load(path)
            adopt(code)
            exec(code, namespace)
    except BaseException as error:
        return error
    return None


@hidden
def _load(path: str) -> CodeType:
    with open(path, "rb") as file:
        source = file.read()
    code: CodeType = compile(source, path, "exec", dont_inherit=True)
    return code


@hidden
def report(error: BaseException) -> int:
    """Do what CPython does about an exception that nobody caught; the exit code."""
    if isinstance(error, SystemExit):
        return _exit_code(error)
    sys.last_exc = error
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
    hook = getattr(sys, "excepthook", sys.__excepthook__)
    try:
        hook(type(error), error, error.__traceback__)
    except SystemExit as exit_:
        return _exit_code(exit_)
    except BaseException as second:
        second.__context__ = None
        _say("Error in sys.excepthook:")
        sys.__excepthook__(type(second), second, second.__traceback__)
        _say("\nOriginal exception was:")
        sys.__excepthook__(type(error), error, error.__traceback__)
    return 1


@hidden
def _exit_code(error: SystemExit) -> int:
    code = error.code
    if code is None:
        return 0
    if isinstance(code, int):
        return int(code) & 0xFF
    _say(code)
    return 1


@hidden
def _say(text: Any) -> None:
    try:
        print(text, file=sys.stderr)
    except Exception:
        sys.__stderr__ and sys.__stderr__.write("")


@hidden
def finish(main: ModuleType, own: Iterable[ModuleType], collector: Collector) -> None:
    """What CPython does at exit: threads' and exit handlers, then `__main__` and the job's modules are taken apart."""
    collector.let_go()
    threading = sys.modules.get("threading")
    if threading is not None:
        _attempt(threading._shutdown)
    _run_exit_handlers()
    _flush()
    modules = [main, *own]
    sys.modules.pop("__main__", None)
    for name in ("last_exc", "last_type", "last_value", "last_traceback"):
        setattr(sys, name, None)
    collector.let_go()
    # CPython's collector runs finalizers while the globals are all there; those nearest to a name come first.
    facts: dict[int, Facts] = {}
    final = [(depth, module, name) for module in modules for name, depth in _final_names(vars(module), facts)]
    for _, module, name in sorted(final, key=lambda each: each[0]):
        vars(module)[name] = None
        collector.let_go()
    for module in modules:
        _clear(vars(module), collector)
    collector.collect(counted=False)
    _flush()


@hidden
def _attempt(function: Any) -> None:
    try:
        function()
    except BaseException as error:
        report(error)


@hidden
def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass


@hidden
def _final_names(namespace: dict[str, Any], facts: dict[int, Facts]) -> list[tuple[str, int]]:
    """The names that lead to objects with finalizers, and how far away the nearest of those is."""
    objects = [(name, value) for name, value in namespace.items() if type(name) is str and id(type(value)) not in TEXTS]
    found = [(name, _depth(value, facts)) for name, value in objects]
    return [(name, depth) for name, depth in found if depth is not None]


@hidden
def _depth(value: Any, facts: dict[int, Facts]) -> int | None:
    """How many steps lead from an object to one that has a finalizer; None when there is none."""
    level, seen, depth = [value], {id(value)}, 0
    while level:
        final = len(seen) > _MOST
        wide = set()
        for address, kind in {id(kind): kind for kind in map(type, level)}.items():
            known = facts.get(address)
            if known is None:
                known = facts[address] = _tell(kind)
            final = final or known[1]
            if known[2]:
                wide.add(address)
        if final:
            return depth
        found = _referents(*[each for each in level if id(type(each)) not in wide])
        level = list({id(each): each for each in found if not (id(each) in seen or id(each) in _OLD)}.values())
        seen.update(map(id, level))
        depth += 1
    return None


@hidden
def _tell(kind: type) -> Facts:
    return kind, may_finalize(kind), not _WIDE.isdisjoint(map(id, mro_of(kind)))


@hidden
def _clear(namespace: dict[str, Any], collector: Collector) -> None:
    """Names with one leading underscore first, then the others: CPython's order (`_PyModule_ClearDict`)."""
    names = [name for name in namespace if type(name) is str]
    private = [name for name in names if name[:1] == "_" and name[1:2] != "_"]
    for name in [*private, *[name for name in names if name != "__builtins__" and name not in private]]:
        namespace[name] = None
        collector.let_go()
