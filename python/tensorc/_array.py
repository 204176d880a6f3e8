"""Methods of arrays that are defined in Python: those of NumPy and of the array API."""

from . import _core, _elementwise, _functions, _numpy
from ._dtypes import _MORE, as_dtype, is_float

Array = _core.Array


def _method(function):
    def method(self, *args, **kwargs):
        return function(self, *args, **kwargs)

    method.__name__ = function.__name__
    method.__doc__ = function.__doc__
    return method


def _write(name, value, out):
    """Writes the value to `out`, an array of tensorc or of NumPy, and returns `out`."""
    if tuple(out.shape) != value.shape:
        raise ValueError(f"{name}: out has the shape {tuple(out.shape)}, and the result {value.shape}")
    out[...] = value if isinstance(out, Array) else value.numpy()
    return out


def _reduction(function):
    """A method for a reduction: the axis may be positional, and other arguments of NumPy's functions are accepted."""

    def method(self, axis=None, dtype=None, out=None, **kwargs):
        if dtype is not None:
            kwargs["dtype"] = dtype
        value = function(self, axis=axis, **kwargs)
        return value if out is None else _write(function.__name__, value, out)

    method.__name__ = function.__name__
    method.__doc__ = function.__doc__
    return method


for _name in ("sum", "prod", "max", "min", "mean", "var", "std", "all", "any", "argmax", "argmin", "logsumexp", "cumsum", "cumprod"):
    setattr(Array, _name, _reduction(getattr(_functions, _name)))
for _name in ("squeeze", "swapaxes", "repeat", "take", "ravel", "dot", "nonzero", "searchsorted"):
    setattr(Array, _name, _method(getattr(_functions, _name)))
for _name in ("abs", "exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "relu", "square", "clip", "round", "conj"):
    setattr(Array, _name, _method(getattr(_elementwise, _name)))
Array.flatten = Array.ravel


def _sizes(arguments):
    return arguments[0] if len(arguments) == 1 and not isinstance(arguments[0], int) else arguments


def reshape(self, *shape):
    """The same elements with other sizes; one of them may be -1."""
    return _functions.reshape(self, _sizes(shape))


def transpose(self, *axes):
    """The array with its axes reversed, or in the given order."""
    return _functions.transpose(self, _sizes(axes) if axes else None)


def astype(self, dtype, copy=True):
    """The array converted to a dtype. Conversion is deferred, so values raise no errors: as an integer NaN is 0, and
    a number out of range becomes the nearest one in range."""
    dtype = as_dtype(dtype)
    return self if dtype == self.dtype else _core.astype(self, dtype)


def view(self, dtype):
    """The bits reinterpreted as another dtype."""
    return _core.bitcast(self, as_dtype(dtype))


def sort(self, axis=-1, descending=False, *, kind=None, stable=True):
    """The array sorted along an axis, as a new array."""
    return _functions.sort(self, axis=axis, kind=kind, descending=descending, stable=stable)


def argsort(self, axis=-1, descending=False, *, kind=None, stable=True):
    """The indices that sort the array along an axis."""
    return _functions.argsort(self, axis=axis, kind=kind, descending=descending, stable=stable)


def to(self, target, dtype=None, /, *, stream=None):
    """The same value on a device, converted to a dtype, or both: x.to(device), x.to(dtype), x.to(device, dtype), x.to(other array)."""
    if isinstance(target, Array):
        target, dtype = target.device, target.dtype
    elif isinstance(target, _core.DType):
        target, dtype = None, target
    moved = self if target is None else _core.to_device(self, target)
    return moved if dtype is None else moved.astype(dtype)


def get_device(self):
    """The device's index among the devices of its kind, or -1 on the CPU, as in PyTorch."""
    return -1 if self.device.kind == "cpu" else self.device.index


def to_device(self, device, /, *, stream=None):
    """The same value on a device."""
    return _core.to_device(self, device)


def copy(self):
    """An array of the same value: later assignments to one do not change the other."""
    return self.__copy__()


def fill(self, value):
    """Sets all elements to the value."""
    self[...] = value


def diagonal(self, offset=0, axis1=0, axis2=1):
    """The diagonals of two axes, along a new last axis."""
    return _numpy.diagonal(self, offset, axis1, axis2)


def trace(self, offset=0):
    """The sums of the diagonals of the last two axes."""
    from . import linalg

    return linalg.trace(self, offset=offset)


def cpu(self):
    """The same value on the CPU."""
    return _core.to_device(self, "cpu")


def cuda(self, index=None):
    """The same value on a CUDA device."""
    return _core.to_device(self, "cuda" if index is None else f"cuda:{index}")


def numpy(self, *, writable=False):
    """The value as a read-only NumPy array. bfloat16 and float8 are dtypes of ml_dtypes.

    With `writable` this array moves to memory of its own on the CPU, which the result shares, so writing to the
    result changes this array. It is for functions that fill a NumPy array. Views, copies, expressions and traced
    functions that already use this array keep the former value. Expressions that are recorded later read the memory
    when they are evaluated, and their results may share it, as x.reshape does: stop writing before you use the array.

    >>> x = tc.zeros(2)
    >>> x.numpy(writable=True)[0] = 5
    >>> x
    array([5.0, 0.0], dtype=float32)
    """
    if not writable:
        return self.__array__()
    if self.device.kind != "cpu":
        raise ValueError(f"numpy: the array is on {self.device}: writable memory is that of x.cpu()")
    if self.dtype.name in _MORE:
        raise TypeError(f"numpy: NumPy has no {self.dtype.name} to write to: convert with astype")
    value = self.__array__(copy=True)
    self._assign(_core.as_array(value, True))
    return value


def __array__(self, dtype=None, copy=None):
    import numpy

    # NumPy tries the buffer protocol first, and discards the exceptions that it raises.
    self._raise_interrupt()
    if self.dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        import ml_dtypes

        bits = numpy.frombuffer(self.tobytes(), dtype=f"u{self.dtype.itemsize}")
        value = bits.view(getattr(ml_dtypes, self.dtype.name)).reshape(self.shape)
    elif self.dtype.name in ("int4", "uint4"):
        value = numpy.asarray(_core.astype(self, as_dtype(self.dtype.name.replace("4", "8"))))
    else:
        value = numpy.asarray(memoryview(self))
    if dtype is not None and value.dtype != dtype:
        return value.astype(dtype)
    return value.copy() if copy else value


def tolist(self):
    """The elements as lists of Python's numbers.

    >>> tc.asarray([[1, 2]]).tolist()
    [[1, 2]]
    """
    if self.size == 0:
        def empty(shape):
            return [empty(shape[1:]) for _ in range(shape[0])] if len(shape) > 1 else []
        return empty(self.shape)
    if self.dtype.name in ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"):
        self = _core.astype(self, as_dtype("float32"))
    elif self.dtype.name in ("int4", "uint4"):
        self = _core.astype(self, as_dtype("int8"))
    elif self.dtype.name.startswith("complex"):
        return self.__array__().tolist()
    return memoryview(self).tolist()


def __iter__(self):
    if self.ndim == 0:
        raise TypeError("iteration over an array of rank 0")
    return (self[i] for i in range(self.shape[0]))


def __contains__(self, value):
    return bool(_functions.any(self == value))


def _from_bytes(dtype, shape, data):
    return _core.from_bytes(dtype, shape, data)


def __reduce__(self):
    return _from_bytes, (self.dtype, self.shape, self.tobytes())


def __format__(self, spec):
    return format(self.item(), spec) if spec else repr(self)


def __array_namespace__(self, /, *, api_version=None):
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
        raise ValueError(f"the array API {api_version} is not known here")
    import tensorc

    return tensorc


def __complex__(self):
    return complex(self.item())


def __round__(self, digits=0):
    return _elementwise.round(self, digits)


def block_until_ready(self):
    """Computes the value and waits until it is complete."""
    self.eval()
    _core.device_of(self).synchronize()
    return self


def _by_numpy(ufunc, method, inputs, out=(), **kwargs):
    """Calls NumPy's function with the values of arrays of tensorc, and copies its `out` arguments back to them."""
    import numpy

    values = [numpy.asarray(x) if isinstance(x, Array) else x for x in inputs]
    if method == "at" and isinstance(inputs[0], Array):
        values[0] = inputs[0].numpy(writable=True)
    if out:
        kwargs["out"] = tuple(x.numpy(writable=True) if isinstance(x, Array) else x for x in out)
    given = {name: numpy.asarray(x) if isinstance(x, Array) else x for name, x in kwargs.items()}
    result = getattr(ufunc, method)(*values, **given)
    if not any(isinstance(x, Array) for x in out):
        return result
    results = tuple(mine if isinstance(mine, Array) else theirs
                    for mine, theirs in zip(out, result if isinstance(result, tuple) else (result,), strict=True))  # fmt: skip
    return results if isinstance(result, tuple) else results[0]


def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
    """Makes NumPy's element-wise functions call tensorc's of the same name. If there is none, or if `out` is a NumPy
    array, NumPy's function is called."""
    import numpy
    import tensorc

    function = getattr(tensorc, ufunc.__name__, None)
    if method != "__call__" or kwargs or function is None:
        return _by_numpy(ufunc, method, inputs, **kwargs)

    ours = next(x for x in inputs if isinstance(x, Array))

    def operand(x):  # a float64 is an instance of Python's float
        return x if isinstance(x, (Array, bool, int)) else x.item() if isinstance(x, (numpy.float64, numpy.complex128)) else \
            x if isinstance(x, (float, complex)) else _core.beside(x, ours)  # fmt: skip

    return function(*map(operand, inputs))


def _repr_html_(self):
    from ._inspect import array_html

    return array_html(self)


for _function in (reshape, transpose, astype, view, sort, argsort, to, to_device, get_device, cpu, copy, fill, diagonal, trace, cuda, numpy, __array__,
                  __array_ufunc__, tolist, __iter__, __contains__, __reduce__, __format__, __array_namespace__, __complex__,
                  __round__, block_until_ready, _repr_html_):  # fmt: skip
    setattr(Array, _function.__name__, _function)

# np.result_type(x, np.float64) reads this attribute of arrays.
Array.__numpy_dtype__ = property(lambda self: self.dtype.__numpy_dtype__)
Array.T = property(lambda self: _functions.transpose(self), doc="With the axes reversed.")
Array.mT = property(_functions.matrix_transpose, doc="With the last two axes exchanged.")
Array.device = property(_core.device_of, doc="Where it is.")
Array.is_cuda = property(lambda self: self.device.kind == "cuda", doc="Whether it is on a CUDA device.")
Array.real = property(_elementwise.real, doc="The real part.")
Array.imag = property(_elementwise.imag, doc="The imaginary part.")
