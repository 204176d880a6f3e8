"""Functions that make arrays."""

import builtins
import math
import operator

from . import _core
from ._arguments import _on, _sizes
from ._dtypes import as_dtype, default_complex, default_float, default_int, iinfo, is_float, is_integer

__all__ = [
    "arange", "array", "asarray", "empty", "empty_like", "eye", "from_dlpack", "full", "full_like", "linspace",
    "meshgrid", "ones", "ones_like", "tril", "triu", "zeros", "zeros_like",
]  # fmt: skip

Array = _core.Array
_DOUBLES = (builtins.float, builtins.complex, list, tuple)


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """An array made of a number, of lists, of another library's array (buffer protocol, DLPack), or of an array.

    Arrays of other libraries are copied, because values are read later. `copy=False` shares their memory, which then
    must not be changed, and raises a ValueError if sharing is impossible.

    >>> tc.asarray([[1, 2], [3, 4]])
    array([[1, 2], [3, 4]], dtype=int64)
    """
    if dtype is not None:
        dtype = as_dtype(dtype)
    if isinstance(obj, Array):
        if copy is False and ((dtype is not None and dtype != obj.dtype) or (device is not None and obj.device != device)):
            raise ValueError("asarray: copy=False, but another dtype or device needs a copy")
        result = obj if copy is not True else obj.__copy__()
    else:
        with _on(device):
            if dtype is not None and dtype.name in ("float64", "complex128") and isinstance(obj, _DOUBLES):
                result = _core.doubles(obj)
            else:
                try:
                    result = _core.as_array(obj, copy is False)
                except OverflowError:  # float32 can represent integers that are too large for int64
                    if dtype is None or is_integer(dtype) or dtype.name == "bool" or not isinstance(obj, (int, list, tuple)):
                        raise
                    result = _core.doubles(obj)
                if dtype is not None and is_integer(dtype) and is_float(result.dtype):
                    result = _whole(_core.doubles(obj) if isinstance(obj, _DOUBLES) else result)
    if dtype is not None and result.dtype != dtype:
        if copy is False:
            raise ValueError("asarray: copy=False, but another dtype needs a copy")
        if isinstance(obj, int) and is_integer(dtype):
            with _on(device):
                return full((), obj, dtype=dtype)
        if isinstance(obj, (list, tuple)) and is_integer(dtype) and is_integer(result.dtype):
            _check_range(result, dtype)
        result = _core.astype(result, dtype)
    return result if device is None else _core.to_device(result, device)


def _check_range(numbers, dtype):
    """Raises for Python integers in the list that the dtype cannot represent, as for a single
    number."""
    low, high = iinfo(dtype).min, iinfo(dtype).max
    for number in numbers.reshape(-1).tolist():
        if not low <= number <= high:
            raise OverflowError(f"asarray: the number {number} is outside {dtype.name}")


def _whole(numbers):
    """Returns the floats. Raises if one of them cannot be converted to an integer."""
    if not _core.all(_core.is_finite(numbers), None, False).item():
        if _core.any(_core.is_nan(numbers), None, False).item():
            raise ValueError("asarray: NaN is not an integer")
        raise OverflowError("asarray: an infinity is not an integer")
    return numbers


def array(obj, dtype=None, *, copy=True, device=None):
    """NumPy's name of asarray, except that it copies.

    >>> tc.array([True, False])
    array([true, false], dtype=bool)
    """
    return asarray(obj, dtype=dtype, device=device, copy=None if not copy else copy if isinstance(obj, Array) else None)


def from_dlpack(x, /, *, device=None, copy=None):
    """The value of another library's array, which shares the memory unless `copy` is set. The memory must not be
    changed.

    >>> import numpy as np
    >>> tc.from_dlpack(np.arange(3))
    array([0, 1, 2], dtype=int64)
    """
    if isinstance(x, Array):
        result = x
    else:
        result = _core.as_array(x) if copy else _core.from_dlpack(x)
    if device is not None and result.device != device:
        if copy is False:
            raise ValueError("from_dlpack: copy=False, but another device needs a copy")
        result = _core.to_device(result, device)
    return result


def full(shape, fill_value, dtype=None, *, device=None):
    """An array with all elements equal to one number.

    >>> tc.full((2,), 7)
    array([7, 7], dtype=int64)
    """
    if dtype is None:
        if isinstance(fill_value, Array):
            dtype = fill_value.dtype
        else:
            kinds = {builtins.bool: "bool", int: default_int, builtins.float: default_float(), builtins.complex: default_complex()}
            dtype = kinds.get(type(fill_value), None)
            if dtype is None:
                fill_value = _core.as_array(fill_value)
                dtype = fill_value.dtype
    dtype = as_dtype(dtype)
    with _on(device):
        if isinstance(fill_value, Array):
            return _core.broadcast_to(_core.astype(fill_value, dtype), _sizes(shape))
        if isinstance(fill_value, builtins.complex):
            return _core.broadcast_to(asarray(fill_value, dtype=dtype), _sizes(shape))
        if dtype.name == "bool":
            fill_value = builtins.bool(fill_value)
        elif is_integer(dtype) and isinstance(fill_value, builtins.float) and fill_value.is_integer():
            fill_value = int(fill_value)
        return _core.full(dtype, _sizes(shape), fill_value)


def zeros(shape, dtype=None, *, device=None):
    """Zeros.

    >>> tc.zeros((1, 2))
    array([[0.0, 0.0]], dtype=float32)
    """
    return full(shape, 0, dtype=default_float() if dtype is None else dtype, device=device)


def ones(shape, dtype=None, *, device=None):
    """Ones.

    >>> tc.ones(2, dtype=tc.int8)
    array([1, 1], dtype=int8)
    """
    return full(shape, 1, dtype=default_float() if dtype is None else dtype, device=device)


def empty(shape, dtype=None, *, device=None):
    """The same as zeros: elements are never undefined."""
    return zeros(shape, dtype=dtype, device=device)


def _number(value):
    """Converts an integer of another library to Python's."""
    try:
        return operator.index(value)
    except TypeError:
        return value


def full_like(x, /, fill_value, dtype=None, *, device=None):
    """An array with all elements equal to one number, with the shape of x, and by default with x's dtype and device.

    >>> tc.full_like(tc.ones(2), 3)
    array([3.0, 3.0], dtype=float32)
    """
    x = _core.as_array(x)
    return full(x.shape, fill_value, dtype=x.dtype if dtype is None else dtype, device=x.device if device is None else device)


def zeros_like(x, /, dtype=None, *, device=None):
    """Zeros with the shape, dtype and device of x."""
    return full_like(x, 0, dtype=dtype, device=device)


def ones_like(x, /, dtype=None, *, device=None):
    """Ones with the shape, dtype and device of x."""
    return full_like(x, 1, dtype=dtype, device=device)


def empty_like(x, /, dtype=None, *, device=None):
    """The same as zeros_like: elements are never undefined."""
    return zeros_like(x, dtype=dtype, device=device)


def arange(start, /, stop=None, step=1, dtype=None, *, device=None):
    """start, start + step, ..., up to but excluding stop.

    >>> tc.arange(2, 8, 3)
    array([2, 5], dtype=int64)
    """
    if stop is None:
        start, stop = 0, start
    start, stop, step = _number(start), _number(stop), _number(step)
    if dtype is None:
        dtype = default_int if all(isinstance(v, int) for v in (start, stop, step)) else default_float()
    dtype = as_dtype(dtype)
    if step == 0:
        raise ValueError("arange: the step is 0")
    with _on(device):
        count = builtins.max(0, math.ceil((stop - start) / step))
        if all(isinstance(v, int) for v in (start, stop, step)):
            count = len(range(start, stop, step))
            # float64 represents integers exactly only up to 2^53.
            if builtins.max(abs(start), abs(stop), abs(step)) > 2**53:
                steps = _core.arange(0.0, float(count), 1.0, default_int)
                return _core.astype(_core.add(_core.mul(steps, step), start), dtype)
        if count == 0:
            return zeros((0,), dtype=dtype)
        if is_float(dtype):
            # The number of elements is that of the array API, even if the last element is rounded.
            numbers = _core.arange(0.0, float(count), 1.0, as_dtype("float64"))
            return _core.astype(_core.add(_core.mul(numbers, float(step)), float(start)), dtype)
        return _core.arange(float(start), float(start) + count * float(step), float(step), dtype)


def linspace(start, stop, /, num=50, *, dtype=None, device=None, endpoint=True):
    """`num` evenly spaced numbers from start to stop; stop is included if `endpoint`.

    >>> tc.linspace(0, 1, 3)
    array([0.0, 0.5, 1.0], dtype=float32)
    """
    if num < 0:
        raise ValueError("linspace: num is below 0")
    if isinstance(start, complex) or isinstance(stop, complex):
        wide = dtype is not None and as_dtype(dtype).name == "complex128"
        parts = [linspace(a, b, num, dtype="float64" if wide else "float32", device=device, endpoint=endpoint)
                 for a, b in ((complex(start).real, complex(stop).real), (complex(start).imag, complex(stop).imag))]  # fmt: skip
        return _core.complex(*parts)
    dtype = default_float() if dtype is None else as_dtype(dtype)
    with _on(device):
        wide = as_dtype("float64")
        if not endpoint:
            stop = start + (stop - start) * (num - 1) / num if num else stop
        if num == 0:
            return zeros((0,), dtype=dtype)
        if num == 1:
            return full((1,), start, dtype=dtype)
        return _core.astype(_core.linspace(float(start), float(stop), num, wide), dtype)


def eye(n_rows, n_cols=None, /, k=0, dtype=None, *, device=None):
    """Ones where the column is the row plus k, zeros elsewhere.

    >>> tc.eye(2)
    array([[1.0, 0.0], [0.0, 1.0]], dtype=float32)
    """
    with _on(device):
        columns = n_rows if n_cols is None else n_cols
        k = builtins.max(-n_rows - 1, builtins.min(k, columns + 1))
        return _core.eye(n_rows, columns, k, default_float() if dtype is None else as_dtype(dtype))


def meshgrid(*arrays, indexing="xy"):
    """A tuple of arrays with the coordinates of the grid of the vectors.

    >>> [a.shape for a in tc.meshgrid(tc.arange(2), tc.arange(3))]
    [(3, 2), (3, 2)]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("meshgrid: indexing is 'xy' or 'ij'")
    arrays = [_core.as_array(a) for a in arrays]
    return tuple(_core.meshgrid(arrays, indexing == "xy")) if arrays else ()


def _triangle(x, k):
    x = _core.as_array(x)
    rows, columns = x.shape[-2:]
    return x, builtins.max(-rows - 1, builtins.min(k, columns + 1))


def tril(x, /, k=0):
    """x with zeros above the diagonal k of the last two axes.

    >>> tc.tril(tc.ones((2, 2)))
    array([[1.0, 0.0], [1.0, 1.0]], dtype=float32)
    """
    return _core.tril(*_triangle(x, k))


def triu(x, /, k=0):
    """x with zeros below the diagonal k of the last two axes."""
    return _core.triu(*_triangle(x, k))
