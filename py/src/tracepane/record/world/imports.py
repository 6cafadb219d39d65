"""What happens when the program imports.

It finds the modules that a bare CPython has at its start, and none of those that the runner or Pyodide loaded: what it
imports is loaded anew. Some modules are adjusted once they are loaded, some are not there, and what the program writes
can be imported at once, however coarse the file system's clock is.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Mapping
from importlib.machinery import BuiltinImporter, FrozenImporter, PathFinder
from types import ModuleType
from typing import Any

from tracepane.record.hidden import conceal
from tracepane.record.own import BUILTINS
from tracepane.record.world import library
from tracepane.record.world.withheld import HIDDEN

globals()["__builtins__"] = BUILTINS

Adjust = Callable[[Any], None]

# What CPython has loaded before the first line of a program (started without `site`).
_FIRST = frozenset(
    "sys builtins _frozen_importlib _frozen_importlib_external _imp _thread _warnings _weakref _io marshal posix time "
    "zipimport _codecs codecs encodings encodings.aliases encodings.utf_8 _signal _abc abc io __main__ _stat stat "
    "_collections_abc genericpath posixpath os.path os".split()
)
_kept: list[ModuleType] = []


def install(root: str, adjusted: Mapping[str, Adjust]) -> None:
    """Take out of sight what was loaded so far, and stand where the program's imports are looked up.

    `adjusted` maps a module's name to what is done with it once it is loaded.
    """
    _name_site_builtins()
    for name, module in list(sys.modules.items()):
        if name not in _FIRST:
            _kept.append(module)  # or its finalizers would run
            del sys.modules[name]
    sys.meta_path[:] = [Finder(root, adjusted)]
    sys.path[1:] = library.PATH
    sys.prefix = sys.exec_prefix = sys.base_prefix = sys.base_exec_prefix = library.PREFIX
    sys._stdlib_dir = library.SHOWN[:-1]  # type: ignore[attr-defined]
    sys.path_hooks[:] = [hook for hook in sys.path_hooks if "pyodide" not in getattr(hook, "__module__", "")]
    sys.path_importer_cache.clear()
    sys.builtin_module_names = tuple(n for n in sys.builtin_module_names if n not in HIDDEN)
    # An adjusted module that every interpreter has built in was loaded before: adjust it as it lies there.
    for name in _FIRST & sys.modules.keys():
        library.show(sys.modules[name])
        if name in adjusted:
            adjusted[name](sys.modules[name])


def _name_site_builtins() -> None:
    """`exit`, `quit`, `help` and the like, which `site` gives."""
    if not hasattr(builtins, "exit"):
        import site

        site.setquit()
        site.sethelper()
        site.setcopyright()


@conceal
class Finder:
    """The one finder: builtin, frozen, then path; without what is hidden, and with what is adjusted."""

    _finders = (BuiltinImporter, FrozenImporter, PathFinder)

    def __init__(self, root: str, adjusted: Mapping[str, Adjust]) -> None:
        """`root` is the run's directory."""
        self._root = root
        self._adjusted = adjusted

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """The module's spec, or None."""
        if name.partition(".")[0] in HIDDEN or name in HIDDEN:
            return None
        self._refresh()
        places = library.real(sys.path if path is None else path)
        for finder in self._finders:
            spec: Any = finder.find_spec(name, path if finder is not PathFinder else places, target)
            if spec is not None:
                if spec.loader is not None and (name in self._adjusted or library.holds(str(spec.origin))):
                    spec.loader = Loader(spec.loader, self._adjusted.get(name))
                return spec
        return None

    def invalidate_caches(self) -> None:
        """As `importlib.invalidate_caches` asks."""
        PathFinder.invalidate_caches()

    def find_distributions(self, *args: Any, **kwargs: Any) -> Any:
        """Installed packages, for `importlib.metadata`."""
        return PathFinder.find_distributions(*args, **kwargs)

    def _refresh(self) -> None:
        """Forget what the program's own directories held: they may have changed within one tick of the file clock."""
        finder: Any
        for path, finder in list(sys.path_importer_cache.items()):
            if path.startswith(self._root) and hasattr(finder, "invalidate_caches"):
                finder.invalidate_caches()


@conceal
class Loader:
    """Loads a module of the library as its own loader does, then adjusts it and steps back."""

    def __init__(self, real: Any, adjust: Adjust | None) -> None:
        """`real` is the module's own loader."""
        self._real = real
        self._adjust = adjust

    def create_module(self, spec: Any) -> Any:
        """As the real loader."""
        return self._real.create_module(spec) if hasattr(self._real, "create_module") else None

    def exec_module(self, module: Any) -> None:
        """As the real loader; then adjust."""
        module.__loader__ = module.__spec__.loader = self._real
        code = library.code_of(self._real, module.__name__) if library.holds(str(module.__spec__.origin)) else None
        if code is None:
            self._real.exec_module(module)
        else:
            exec(code, module.__dict__)
        library.show(module)
        if self._adjust is not None:
            self._adjust(module)

    def __getattr__(self, name: str) -> Any:
        """Whatever else is asked of a loader."""
        return getattr(self._real, name)
