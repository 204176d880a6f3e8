"""Conversions of functions' arguments: arrays to a common dtype, and axes to nonnegative numbers."""

import operator

from . import _core
from ._dtypes import as_dtype, default_float, fits, is_float, result_type

Array = _core.Array

_int64 = as_dtype("int64")
_numbers = (bool, int, float, complex)


class _on:
    """A scope that sets the device given by a function's argument `device`; None changes
    nothing."""

    def __init__(self, device):
        self.device = device

    def __enter__(self):
        if self.device is not None:
            self.former = _core.thread_device()
            _core.set_device(self.device)

    def __exit__(self, *error):
        if self.device is not None:
            _core.set_device(self.former or None)


def _array(x):
    return x if isinstance(x, Array) else _core.as_array(x)


def _of_numpy(x):
    """Converts a NumPy array with a supported dtype to a tensorc array. Returns other values
    unchanged."""
    return _core.as_array(x) if hasattr(x, "__array_interface__") and x.dtype.kind in "biufc" else x


def _whole(value, what):
    """Returns the value of an argument that must be an integer."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be an integer, not {value!r}") from None
    except ValueError:  # an array within a trace has no value
        raise ValueError(f"{what} must be a number, as shapes depend on it, and not an array whose value a trace does not know") from None


def _sizes(shape):
    """Returns a shape as a tuple. A single number is the shape of a vector."""
    is_number = isinstance(shape, int) or not hasattr(shape, "__len__") or isinstance(shape, Array) and not shape.ndim
    return (_whole(shape, "a size"),) if is_number else tuple(shape)


def _each(value):
    """Returns the integers of a list; a single integer counts as a list."""
    try:
        return (operator.index(value),)
    except TypeError:
        if not hasattr(value, "__iter__"):
            raise TypeError(f"an axis is an integer, or a tuple of them, not {type(value).__name__}: {value}") from None
        return tuple(value)


def _axis(axis, ndim):
    """Returns an axis as a nonnegative number."""
    if isinstance(axis, (str, float)):
        raise TypeError(f"an axis is an integer, not {axis!r}")
    if not -ndim <= axis < ndim:
        raise IndexError(f"axis {axis} is out of range for an array of {ndim} axes")
    return axis % ndim if ndim else 0


def _axes(axis, x):
    """Returns the axes in the library's form. None means all axes, while an empty list means no
    axes."""
    if axis is None:
        return None, True
    axes = tuple(_axis(a, x.ndim) for a in _each(axis))
    if len(set(axes)) != len(axes):
        raise ValueError(f"an axis is named twice: {axis}")
    return axes, bool(axes)


def _floating(x):
    x = _array(x)
    return x if is_float(x.dtype) or x.dtype.name.startswith("complex") else _core.astype(x, default_float())


def _matrices(name, x, square=False):
    x = _floating(_core.as_array(x))
    if x.ndim < 2:
        raise ValueError(f"{name}: a matrix is expected, not an array of shape {x.shape}")
    if square and x.shape[-1] != x.shape[-2]:
        raise ValueError(f"{name}: a square matrix is expected, not {x.shape[-2]} x {x.shape[-1]}")
    return x


def _unit(rows, columns, x):
    """Returns a matrix with ones on the diagonal, in the dtype and on the device of x."""
    with _on(x.device):
        return _core.eye(rows, columns, 0, x.dtype)


def _logical(x):
    x = _array(x)
    return x if x.dtype.name == "bool" else _core.ne(x, 0)


def _together(*values):
    """Converts the values to arrays. Numbers and lists get the device and the precision of the
    first array."""
    x = next((v for v in values if isinstance(v, Array)), None)
    return [_array(v) if x is None else _core.beside(v, x) for v in values]


def _same(arrays):
    """Converts arrays to a common dtype. Numbers take the arrays' device, and their dtype if it
    can represent them; lists take the same precision."""
    arrays = list(arrays)
    if not arrays:
        raise ValueError("at least one array is needed")
    ours = _together(*(a for a in arrays if type(a) not in _numbers))
    if not ours:
        return _same([_array(a) for a in arrays])
    made, dtype = iter(ours), result_type(*ours)
    with _on(ours[0].device):
        values = [next(made) if type(a) not in _numbers else a if fits(a, dtype) else _array(a) for a in arrays]
        dtype = result_type(*values)
        values = [v if isinstance(v, Array) else _core.full(dtype, (), v) for v in values]
    return [v if v.dtype == dtype else _core.astype(v, dtype) for v in values]
