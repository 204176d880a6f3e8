"""What the array API's inspection asks, and what the compiler did."""

import os

from . import _core
from . import _dtypes as _d


class __array_namespace_info__:
    """The array API's inspection."""

    def capabilities(self):
        """What depends on the library."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 16}

    def default_device(self):
        """Where arrays are made."""
        return _core.current_device()

    def default_dtypes(self, *, device=None):
        """Dtypes of numbers without one."""
        return {"real floating": _d.default_float, "complex floating": _d._all["complex64"], "integral": _d.default_int,
                "indexing": _d.default_int}  # fmt: skip

    def dtypes(self, *, device=None, kind=None):
        """The standard's dtypes, of a kind, or of several."""
        standard = [n for n in ("bool", *_d._kinds["integral"], "float32", "float64", *_d._complex)]
        return {n: _d._all[n] for n in standard if kind is None or _d.isdtype(_d._all[n], kind)}

    def devices(self):
        """All devices."""
        return tuple(_core.devices())


def explain(function, *arguments):
    """What the compiler makes of function(*arguments), which is computed: its kernels, and what was compiled.

    Shown as a table in a terminal and in a notebook.

    >>> len(tc.explain(lambda x: tc.exp(x) * 2, tc.ones(8)).kernels)
    1
    """
    from ._explain import Explanation

    return Explanation.of(function, arguments)


class trace:
    """Traces compilations and launches into a file for Perfetto, from the start of the process on.

    The library reads TENSORC_TRACE when it is loaded: set it, or call `tensorc.trace.enable(path)` in a process that
    has computed nothing yet.
    """

    @staticmethod
    def enable(path):
        """Names the file."""
        os.environ["TENSORC_TRACE"] = os.fspath(path)
