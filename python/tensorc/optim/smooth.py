"""Minima of functions without noise, by L-BFGS: curves, inverse problems.

Nocedal and Wright, Numerical Optimization, algorithm 7.5, and steps that satisfy the weak Wolfe conditions, found by
bisection (Lewis and Overton 2013).
"""

import collections
import math

from .. import _core, tree
from .._dtypes import as_dtype, is_float
from .._shapes import concat
from .._transforms import jit, value_and_grad

Minimum = collections.namedtuple("Minimum", "parameters loss iterations evaluations converged")
Minimum.__doc__ = """What lbfgs found. `converged`: it ended by `gradient` or `change`."""
_Point = collections.namedtuple("_Point", "x gradient loss")


def _dot(a, b):
    wide = as_dtype("float64")
    return _core.sum(_core.astype(a, wide) * _core.astype(b, wide), None).item()


class _Packing:
    """Trees as one vector of their floats, and back."""

    def __init__(self, example):
        self.leaves, self.structure = tree.flatten(example)
        self.leaves = [_core.as_array(x) for x in self.leaves]

    def pack(self, value):
        parts = [_core.reshape(_core.as_array(x), (-1,)) for x in tree.leaves(value)]
        return concat([x for x in parts if is_float(x.dtype)])

    def unpack(self, vector):
        leaves, begin = [], 0
        for x in self.leaves:
            if is_float(x.dtype):
                part = _core.reshape(vector[begin : begin + x.size], x.shape)
                begin += x.size
                x = _core.astype(part, x.dtype)
            leaves.append(x)
        return self.structure.unflatten(leaves)


def _direction(steps, gradient):
    """Downwards, by the curvature along the last steps: (step, change of the gradient, their product)."""
    q, parts = gradient, []
    for step, change, along in reversed(steps):
        parts.append(_dot(step, q) / along)
        q = q - change * parts[-1]
    if steps:
        _, change, along = steps[-1]
        q = q * (along / _dot(change, change))
    for step, change, along in steps:
        q = q + step * (parts.pop() - _dot(change, q) / along)
    return -q


def _search(here, direction, step, evaluate):
    """A point on the line that meets the Wolfe conditions, or None."""
    slope, low, high = _dot(here.gradient, direction), 0.0, math.inf
    if not slope < 0:
        return None
    for _ in range(40):
        point = evaluate(here.x + direction * step)
        if not point.loss <= here.loss + 1e-4 * step * slope:  # of a NaN, too
            high = step
        elif _dot(point.gradient, direction) < 0.9 * slope:
            low = step
        else:
            return point
        step = 2 * step if math.isinf(high) else (low + high) / 2
    # Lower is enough where rounding hides the slope, but not without a bound.
    return point if not math.isinf(high) and point.loss < here.loss else None


def lbfgs(function, start, *, history=10, most_iterations=200, gradient=1e-5, change=1e-9):
    """A minimum of a function near `start`, a tree whose floats are varied. The function returns one float.

    It ends where the largest element of the gradient is at most `gradient`, or a step lowers the loss by no more than that
    part `change` of it, or by its rounding. `history`: how many steps an estimate of the curvature is made of.

    >>> fit = tc.optim.lbfgs(lambda p: tc.sum(tc.square(p["x"] - 3.0)), {"x": tc.zeros(2)})
    >>> fit.converged, tc.round(fit.parameters["x"], 3).tolist()
    (True, [3.0, 3.0])
    """
    if history < 1:
        raise ValueError(f"lbfgs: a history of {history} steps: at least one")
    packing = _Packing(start)

    @jit
    def pulled(x):
        loss, slope = value_and_grad(lambda v: function(packing.unpack(v)))(x)
        return loss, slope

    evaluations = iterations = 0

    def evaluate(x):
        nonlocal evaluations
        evaluations += 1
        loss, slope = pulled(x)
        return _Point(x, slope, loss.item())

    here = evaluate(packing.pack(start))
    change = max(change, 2.0**-52 if here.x.dtype.name == "float64" else 2.0**-23)

    def is_flat(point):
        return _core.max(_core.abs(point.gradient), None).item() <= gradient

    steps, converged = [], is_flat(here)
    while not converged and iterations < most_iterations:
        direction = _direction(steps, here.gradient)
        # The first step has the length of one at most: no scale is known yet.
        length = math.sqrt(_dot(direction, direction))
        step = 1.0 if steps else min(1.0, 1 / length)
        found = _search(here, direction, step, evaluate)
        if found is None:
            if not steps:
                # Or what the slope promises is lost in the loss's rounding.
                converged = step * length * length <= 4 * change * abs(here.loss)
                break
            steps = []
            continue
        iterations += 1
        moved, turned = found.x - here.x, found.gradient - here.gradient
        along = _dot(moved, turned)
        if along > 1e-12 * _dot(turned, turned):
            steps = [*steps, (moved, turned, along)][-history:]
        lower, here = here.loss - found.loss, found
        converged = is_flat(here) or lower <= change * abs(here.loss)
    return Minimum(packing.unpack(here.x), here.loss, iterations, evaluations, converged)
