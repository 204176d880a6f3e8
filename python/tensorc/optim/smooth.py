"""Minima of functions without noise, by L-BFGS: curves, inverse problems."""

import collections

from .. import _core, tree
from .._arguments import _of_numpy

Minimum = collections.namedtuple("Minimum", "parameters loss iterations evaluations converged")
Minimum.__doc__ = """What lbfgs found. `converged`: it ended by `gradient` or `change`."""


def lbfgs(function, start, *, history=10, most_iterations=200, gradient=1e-5, change=1e-9):
    """A minimum of a function near `start`, a tree whose floats are varied. The function returns one float.

    It ends where the largest element of the gradient is at most `gradient`, or a step lowers the loss by no more than that
    part `change` of it, or by its rounding. `history`: how many steps an estimate of the curvature is made of.

    >>> fit = tc.optim.lbfgs(lambda p: tc.sum(tc.square(p["x"] - 3.0)), {"x": tc.zeros(2)})
    >>> fit.converged, tc.round(fit.parameters["x"], 3).tolist()
    (True, [3.0, 3.0])
    """
    leaves, structure = tree.flatten(start)

    def of(parts):
        loss = function(structure.unflatten(parts))
        if not isinstance(loss, _core.Array):
            raise TypeError(f"lbfgs: the function returns {type(loss).__name__}, not an array")
        return loss

    parts, *found = _core.lbfgs(of, [_core.as_array(_of_numpy(x)) for x in leaves], history, most_iterations, gradient, change)
    return Minimum(structure.unflatten(parts), *found)
