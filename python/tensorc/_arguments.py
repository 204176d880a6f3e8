"""What functions take of their arguments: arrays in one dtype, and axes from the front."""

import operator

from . import _core
from ._dtypes import as_dtype, default_float, fits, is_float, result_type

Array = _core.Array

_int64 = as_dtype("int64")
_numbers = (bool, int, float, complex)


class _on:
    """A scope for the `device` of a function: none changes nothing."""

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
    """An array of NumPy that has a dtype of ours as our own; all else as it is."""
    return _core.as_array(x) if hasattr(x, "__array_interface__") and x.dtype.kind in "biufc" else x


def _whole(value, what):
    """The number of what must be an integer."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be an integer, not {value!r}") from None
    except ValueError:  # an array within a trace
        raise ValueError(f"{what} must be a number, as shapes depend on it, and not an array whose value a trace does not know") from None


def _sizes(shape):
    """A shape; one number is that of a row."""
    is_number = isinstance(shape, int) or not hasattr(shape, "__len__") or isinstance(shape, Array) and not shape.ndim
    return (_whole(shape, "a size"),) if is_number else tuple(shape)


def _each(value):
    """The integers of a list of them, or of one."""
    try:
        return (operator.index(value),)
    except TypeError:
        if not hasattr(value, "__iter__"):
            raise TypeError(f"an axis is an integer, or a tuple of them, not {type(value).__name__}: {value}") from None
        return tuple(value)


def _axis(axis, ndim):
    """An axis from the front."""
    if not -ndim <= axis < ndim:
        raise IndexError(f"axis {axis} of an array of {ndim} axes")
    return axis % ndim if ndim else 0


def _axes(axis, x):
    """What the library is given: none are all, and no axes at all is another matter."""
    if axis is None:
        return None, True
    axes = tuple(_axis(a, x.ndim) for a in _each(axis))
    if len(set(axes)) != len(axes):
        raise ValueError(f"an axis is named twice: {axis}")
    return axes, bool(axes)


def _floating(x):
    x = _array(x)
    return x if is_float(x.dtype) or x.dtype.name.startswith("complex") else _core.astype(x, default_float)


def _logical(x):
    x = _array(x)
    return x if x.dtype.name == "bool" else _core.ne(x, 0)


def _both(x1, x2):
    """Two arrays: what is no array has the other one's device, and its digits."""
    if isinstance(x1, Array):
        return x1, _core.beside(x2, x1)
    if isinstance(x2, Array):
        return _core.beside(x1, x2), x2
    return _array(x1), _array(x2)


def _all(arrays):
    """The same of several."""
    arrays = list(arrays)
    x = next((a for a in arrays if isinstance(a, Array)), None)
    return [_array(a) if x is None else _core.beside(a, x) for a in arrays]


def _same(arrays):
    """Arrays in one dtype. Numbers take the arrays' device, and their dtype where it has them; lists have as many digits."""
    values = list(arrays)
    ours = [v for v in values if isinstance(v, Array)]
    if ours:
        values = [v if type(v) in (*_numbers, list, tuple) else _core.beside(v, ours[0]) for v in values]
    else:
        values = [v if type(v) in _numbers else _array(v) for v in values]
    if not values:
        raise ValueError("at least one array is needed")
    ours = [v for v in values if isinstance(v, Array)]
    if not ours:
        return _same([_array(v) for v in values])
    dtype = result_type(*ours)
    with _on(ours[0].device):
        values = [_core.beside(v, ours[0]) if isinstance(v, (list, tuple)) else v for v in values]
        values = [v if isinstance(v, Array) or fits(v, dtype) else _array(v) for v in values]
        dtype = result_type(*values)
        values = [v if isinstance(v, Array) else _core.full(dtype, (), v) for v in values]
    return [v if v.dtype == dtype else _core.astype(v, dtype) for v in values]
