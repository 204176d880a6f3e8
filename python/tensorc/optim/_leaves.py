"""Conversion of structures to lists for the extension: arrays, and None for other leaves."""

from .. import _core, tree
from .._dtypes import is_float


def _trained(x):
    return isinstance(x, _core.Array) and is_float(x.dtype)


def _trained_of(leaves):
    return [x if _trained(x) else None for x in leaves]


def _arrays_of(leaves):
    return [x if isinstance(x, _core.Array) else None for x in leaves]


def _each(function, value):
    """Replaces the floats of a structure by the results of a function of their list; other leaves are unchanged."""
    leaves, structure = tree.flatten(value)
    made = function(_trained_of(leaves))
    return structure.unflatten([x if new is None else new for x, new in zip(leaves, made, strict=True)])


def described(options):
    """Returns a text such as `Adam(rate=0.001, beta1=0.9)`; functions are given by name."""
    given = (f"{name}={getattr(value, '__name__', repr(value))}" for name, value in vars(options).items())
    return f"{type(options).__name__}({', '.join(given)})"
