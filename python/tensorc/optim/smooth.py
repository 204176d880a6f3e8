"""Minima of functions without noise, as in curve fitting and inverse problems, by L-BFGS."""

import collections

from .. import _core, tree
from .._arguments import _of_numpy

Minimum = collections.namedtuple("Minimum", "parameters loss iterations evaluations converged")
Minimum.__doc__ = """The result of lbfgs. `converged`: the search ended because of `gradient` or `change`."""


def lbfgs(function, start, *, history=10, most_iterations=200, gradient=1e-5, change=1e-9):
    """Finds a minimum of a function near `start`, a structure whose floats are the variables. The function returns
    one float.

    The search ends if no element of the gradient has a magnitude above `gradient`, or if a step lowers the loss by at
    most the fraction `change` of it, or only by rounding errors. `history`: the number of previous steps from which
    the curvature is estimated.

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
