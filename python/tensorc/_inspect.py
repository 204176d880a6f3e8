"""The array API's inspection functions, and reports about compilations."""

import os

from . import _core, tree
from . import _dtypes as _d


class __array_namespace_info__:
    """The array API's inspection object."""

    def __repr__(self):
        return "__array_namespace_info__()"

    def capabilities(self):
        """Properties of the library that the standard leaves open."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 16}

    def default_device(self):
        """The default device of new arrays."""
        return _core.current_device()

    def default_dtypes(self, *, device=None):
        """The default dtype of each kind of number."""
        return {"real floating": _d.default_float(), "complex floating": _d.default_complex(), "integral": _d.default_int,
                "indexing": _d.default_int}  # fmt: skip

    def dtypes(self, *, device=None, kind=None):
        """The dtypes of the standard, optionally of one or several kinds."""
        standard = [n for n in ("bool", *_d._kinds["integral"], "float32", "float64", *_d._complex)]
        return {n: _d._all[n] for n in standard if kind is None or _d.isdtype(_d._all[n], kind)}

    def devices(self):
        """All devices."""
        return list(_core.devices())


_edge = 5  # elements that a notebook shows at both ends of an axis


def array_html(x):
    """An array in a notebook: a table of its elements, or for other ranks its text."""
    import html

    title = f"<p>{_type(x)} on {x.device}</p>"
    if x.ndim not in (1, 2) or not 0 < x.nbytes <= 1 << 24 or x.dtype.name.startswith(("bfloat", "float8", "int4", "uint4")):
        return f"{title}<pre>{html.escape(repr(x))}</pre>"
    values = x.numpy().reshape(-1, x.shape[-1])

    def shown(count):
        return range(count) if count <= 2 * _edge + 1 else [*range(_edge), None, *range(count - _edge, count)]

    def row(i):
        cells = ("\u2026" if i is None or j is None else html.escape(f"{values[i, j]:.6g}" if x.dtype.name.startswith("float") else str(values[i, j]))
                 for j in columns)  # fmt: skip
        name = "" if x.ndim == 1 else "\u2026" if i is None else str(i)
        return f"<tr><th>{name}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"

    columns = shown(values.shape[1])
    head = "".join(f"<th>{chr(0x2026) if j is None else j}</th>" for j in columns)
    return f"{title}<table><tr><th></th>{head}</tr>{''.join(row(i) for i in shown(values.shape[0]))}</table>"


def jit_html(function):
    """A function of tc.jit in a notebook: where it is from, and how often it was traced."""
    import html

    inner = function.__wrapped__
    code = getattr(inner, "__code__", None)
    rows = [("function", getattr(inner, "__qualname__", repr(inner)))]
    if code:
        rows.append(("defined at", f"{code.co_filename}:{code.co_firstlineno}"))
    rows.append(("traces", str(function.traces)))
    cells = "".join(f"<tr><th>{name}</th><td>{html.escape(text)}</td></tr>" for name, text in rows)
    return f"<table>{cells}</table>"


class Explanation:
    """The kernels of a call, and the compilations for it, shown as a table in a terminal and in a notebook."""

    def __init__(self, kernels, stats, inputs, outputs):
        self.kernels, self.stats, self.inputs, self.outputs = kernels, stats, inputs, outputs

    @classmethod
    def of(cls, function, arguments):
        """Computes function(*arguments) and reports on it."""
        given = [x for x in tree.leaves(arguments) if isinstance(x, _core.Array)]
        _core.eval(given)
        before = _core.compile_stats()
        results = [x for x in tree.leaves(function(*arguments)) if isinstance(x, _core.Array)]
        _core.eval(results)
        after = _core.compile_stats()
        stats = {name: after[name] - before[name] for name in ("compilations", "hits", "seconds", "kernels", "code_bytes")}
        return cls(_core.last_kernels().split("\n"), stats, *([_type(x) for x in xs] for xs in (given, results)))

    def _rows(self):
        yield "arguments", ", ".join(self.inputs)
        yield "results", ", ".join(self.outputs)
        for i, kernel in enumerate(k for k in self.kernels if k):
            yield f"kernel {i}", kernel
        yield "compiled", f"{self.stats['compilations']} in {self.stats['seconds'] * 1e3:.1f} ms, {self.stats['code_bytes']} bytes of code"

    def __repr__(self):
        return "\n".join(f"{name:12} {text}" for name, text in self._rows())

    def _repr_html_(self):
        import html

        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(text)}</td></tr>" for name, text in self._rows())
        return f"<table>{rows}</table>"


def _type(x):
    return f"{x.dtype.name}{list(x.shape)}"


def explain(function, *arguments):
    """Computes function(*arguments), and returns a report of the kernels that ran and of what was compiled.

    Shown as a table in a terminal and in a notebook.

    >>> len(tc.explain(lambda x: tc.exp(x) * 2, tc.ones(8)).kernels)
    1
    """
    return Explanation.of(function, arguments)


class Report:
    """A page about a function that was compiled: a file for a browser, shown in a notebook."""

    def __init__(self, path):
        self.path = path

    def __repr__(self):
        return f"<report {self.path}>"

    def _repr_html_(self):
        import html

        with open(self.path, encoding="utf-8") as file:
            page = html.escape(file.read())
        return f'<iframe title="report" srcdoc="{page}" style="width: 100%; height: 800px; border: 0"></iframe>'


def report(function, *arguments, path="report.html", target=None):
    """Compiles function(*arguments) and writes one HTML file that shows what became of it; nothing is computed.

    The page needs no network. It has the source beside the graph of kernels; for each kernel its ops, its IR, its assembly, its
    bytes and flops, and why its neighbours are separate; memory over time; the times of the compilation. It contains the source
    files of the function. `arguments` are examples (also NumPy arrays) or `Input`s, whose sizes may have names, which
    the page lets its reader set. `target` is "cpu", "cuda:sm_90", ...; no device is needed.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = tc.report(lambda x: tc.softmax(x * 2), tc.ones((4, 8)), path=folder + "/page.html")
    ...     open(page.path).read(15)
    '<!doctype html>'
    """
    from ._files import Input, record

    leaves, structure = tree.flatten(arguments)
    places = [i for i, x in enumerate(leaves) if isinstance(x, (_core.Array, Input)) or hasattr(x, "__array_interface__")]
    if not arguments:
        raise TypeError("report: an example array or an Input is needed, and the function must take it as an argument")
    if not places:
        raise TypeError("report: no argument is an array or an Input; tc.asarray makes an array of a number")

    def call(*arrays):
        values = list(leaves)
        for place, array in zip(places, arrays):
            values[place] = array
        return function(*structure.unflatten(values))

    path = os.fspath(path)
    record(call, *(leaves[i] for i in places)).save(path, kind="report", target=target)
    return Report(path)


class trace:
    """Writes a trace of compilations and launches for Perfetto, from the start of the process on.

    The library reads TENSORC_TRACE when it is loaded: set it, or call `tensorc.trace.enable(path)` in a process that
    has computed nothing yet.
    """

    def __new__(cls, *arguments, **more):
        raise TypeError("tc.trace writes traces for Perfetto: the sum of a matrix's diagonal is tc.linalg.trace(x), or x.trace()")

    @staticmethod
    def enable(path):
        """Sets the trace file."""
        os.environ["TENSORC_TRACE"] = os.fspath(path)


def tune(function, *arguments, seconds=60.0, path=""):
    """Measures schedules of the kernels that function(*arguments) runs on the cpu; later compilations use the
    fastest.

    The function is not computed. `path` is a tuning file to create or extend. A schedule never changes the results.
    Returns a dict: the number of kernels that were measured, the number of those that have another schedule now, and
    the seconds before and after. Pass the original function, not one that tc.jit made.

    >>> tc.tune(lambda x: x * 2, tc.ones(8), seconds=0.01)["kernels"]
    1
    """
    made = function(*arguments)
    return _core.tune([x for x in tree.leaves(made) if isinstance(x, _core.Array)], seconds, os.fspath(path))


def set_tuning(path):
    """Uses the schedules of a tuning file for later compilations; None means no tuning file."""
    _core.set_tuning("" if path is None else os.fspath(path))


def set_disk_cache(folder, *, read_only_folder="", size_limit=0):
    """Sets the folder in which compilations are cached, also for other processes. None: no folder; "auto": the user's
    cache folder."""
    _core.set_disk_cache("" if folder is None else os.fspath(folder), os.fspath(read_only_folder), size_limit)


def disk_cache_folder():
    """The folder in which compilations are cached; "" if there is none.

    >>> isinstance(tc.disk_cache_folder(), str)
    True
    """
    return _core.disk_cache_folder()


def _follow_progress(write):
    """Passes progress lines to `write` from now on, each over the line before.

    The library writes to a pipe, which never blocks it: it may hold the GIL that the reader needs.
    """
    import threading

    source, sink = os.pipe()
    os.set_blocking(sink, False)

    def read():
        width = 0
        while text := os.read(source, 4096):
            line = text.decode(errors="replace").rpartition("\r\x1b[K")[2]
            write("\r" + line.ljust(width) + ("" if line else "\r"))
            width = len(line)

    threading.Thread(target=read, name="tensorc-progress", daemon=True).start()
    _core.set_progress_file(sink)


def _show_in_notebook():
    """In a notebook, shows progress lines below the cell that runs. Cells do not show the stderr of the process."""
    import sys

    def write(text):
        sys.stderr.write(text)
        sys.stderr.flush()

    if hasattr(sys.modules["IPython"].get_ipython(), "kernel"):
        _follow_progress(write)
