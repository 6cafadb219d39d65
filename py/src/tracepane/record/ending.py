"""How a run ended, as the trace's end says it. The program's own `__str__` and `__repr__` are never called."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

from tracepane.record.hidden import hidden
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

_TEXT_LIMIT = 2_000
_FOLD = 3  # how many equal neighbours are kept, as CPython's own tracebacks do
_FRAMES = 200  # what is left of a traceback that does not fold, half at either end

_args: Any = BaseException.__dict__["args"].__get__
_traceback: Any = BaseException.__dict__["__traceback__"].__get__


@hidden
def describe(error: BaseException, name: Callable[[str], tuple[str, bool]]) -> dict[str, Any]:
    """The end's `exception`: type, message, args as text, traceback. `name` turns a file's path into
    what is shown, and says whether it is the job's own: others' lines differ from version to version, and are 0."""
    kind = type(error)
    module = kind.__module__ if type(kind.__module__) is str else ""
    args = _args(error)
    return {
        "type": kind.__qualname__ if module in ("builtins", "__main__") else f"{module}.{kind.__qualname__}",
        "message": _message(error, args),
        "args": _text(args),
        "traceback": folded(_entries(_traceback(error), name)),
    }


@hidden
def folded(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Entries with runs of equal ones cut to three, the last of which says how many more there were (`repeated`)."""
    kept: list[dict[str, Any]] = []
    same = 0
    for at, entry in enumerate(entries):
        same = same + 1 if at and entry == entries[at - 1] else 1
        if same <= _FOLD:
            kept.append(dict(entry))
        else:
            kept[-1]["repeated"] = same - _FOLD
    if len(kept) > _FRAMES:
        cut = len(kept) - _FRAMES
        kept = [*kept[: _FRAMES // 2], {"file": "", "line": 0, "function": "", "repeated": cut}, *kept[-_FRAMES // 2 :]]
    return kept


@hidden
def _entries(traceback: TracebackType | None, name: Callable[[str], tuple[str, bool]]) -> list[dict[str, Any]]:
    entries = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        file, own = name(code.co_filename)
        line = traceback.tb_lineno or 0
        entries.append({"file": file, "line": line if own else 0, "function": code.co_qualname})
        traceback = traceback.tb_next
    return entries


@hidden
def _message(error: BaseException, args: tuple[Any, ...]) -> str:
    if isinstance(error, SyntaxError) and type(error).__module__ == "builtins" and type(error.msg) is str:
        file = f"{error.filename.rpartition('/')[2]}, " if type(error.filename) is str else ""
        return f"{error.msg} ({file}line {error.lineno})" if error.lineno else error.msg
    if type(error).__str__ in (BaseException.__str__, OSError.__str__, KeyError.__str__, ImportError.__str__):
        if isinstance(error, OSError) and len(args) == 2 and type(args[1]) is str:
            return f"[Errno {args[0]}] {args[1]}" + (f": {_text(error.filename)}" if error.filename is not None else "")
        if len(args) == 1:
            return _text(args[0]) if isinstance(error, KeyError) or type(args[0]) is not str else args[0][:_TEXT_LIMIT]
    return "" if not args else _text(args)


@hidden
def _text(value: Any, depth: int = 3) -> str:
    """`repr` of plain values, the type's name of all others."""
    kind = type(value)
    if kind in (str, bytes):
        return repr(value) if len(value) <= _TEXT_LIMIT else repr(value[:_TEXT_LIMIT]) + "…"
    if kind is int:
        return repr(value) if value.bit_length() < 4096 else hex(value)[:_TEXT_LIMIT]
    if value is None or value is Ellipsis or kind in (bool, float, complex):
        return repr(value)
    if kind in (tuple, list) and depth:
        inner = ", ".join([_text(item, depth - 1) for item in value[:20]]) + (", …" if len(value) > 20 else "")
        if kind is list:
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return f"<{kind.__qualname__}>"
