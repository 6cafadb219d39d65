"""What is left out of the library's own objects: attributes that are not the same in every CPython 3.14.

Patch versions word texts anew and keep other caches, and a cached hash has another width in a browser. None of it is
what a lesson is about, yet a trace would differ by it as soon as such an object is in a variable (`from typing import
Optional` is enough).
"""

from __future__ import annotations

from tracepane.record.own import BUILTINS
from tracepane.record.values.kinds import dict_of, mro_of, type_name

globals()["__builtins__"] = BUILTINS

# By module and class; of instances of subclasses as well.
LEFT_OUT: dict[tuple[str, str], frozenset[str]] = {
    ("typing", "_Final"): frozenset({"__doc__"}),
    ("annotationlib", "ForwardRef"): frozenset({"__resolved_str_cache__"}),
    ("argparse", "_ActionsContainer"): frozenset({"_cached_formatter", "_registries"}),
    ("asyncio.tasks", "_AsCompletedIterator"): frozenset({"_cur_task"}),
    ("html.parser", "HTMLParser"): frozenset({"_parse_threshold", "_pending", "_pending_len"}),
    ("pathlib", "PurePath"): frozenset({"_hash"}),
}


def left_out(kind: type) -> frozenset[str]:
    """The names of the attributes that instances of a class do not show."""
    found: frozenset[str] = frozenset()
    for parent in mro_of(kind):
        module = dict_of(parent).get("__module__")
        if type(module) is str:
            found |= LEFT_OUT.get((module, type_name(parent)), found)
    return found
