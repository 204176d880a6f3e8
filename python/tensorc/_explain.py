"""What explain() returns."""

import html

from . import _core, tree


class Explanation:
    """The kernels of a call, and what was compiled for it: a table in a terminal and in a notebook."""

    def __init__(self, kernels, stats, inputs, outputs):
        self.kernels, self.stats, self.inputs, self.outputs = kernels, stats, inputs, outputs

    @classmethod
    def of(cls, function, arguments):
        """Of function(*arguments), which is computed."""
        given = [x for x in tree.leaves(arguments) if isinstance(x, _core.Array)]
        _core.eval(given)
        before = _core.compile_stats()
        results = [x for x in tree.leaves(function(*arguments)) if isinstance(x, _core.Array)]
        _core.eval(results)
        after = _core.compile_stats()
        stats = {name: after[name] - before[name] for name in ("compilations", "hits", "seconds")}
        return cls(_core.last_kernels().split("\n"), stats, *([_type(x) for x in xs] for xs in (given, results)))

    def _rows(self):
        yield "arguments", ", ".join(self.inputs)
        yield "results", ", ".join(self.outputs)
        for i, kernel in enumerate(k for k in self.kernels if k):
            yield f"kernel {i}", kernel
        yield "compiled", f"{self.stats['compilations']} in {self.stats['seconds'] * 1e3:.1f} ms"

    def __repr__(self):
        return "\n".join(f"{name:12} {text}" for name, text in self._rows())

    def _repr_html_(self):
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(text)}</td></tr>" for name, text in self._rows())
        return f"<table>{rows}</table>"


def _type(x):
    return f"{x.dtype.name}{list(x.shape)}"
