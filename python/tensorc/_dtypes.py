"""Dtypes: objects, kinds, ranges and promotion."""

import builtins
import math

from . import _core

_all = {dtype.name: dtype for dtype in _core.dtypes}
globals().update(_all)
__all__ = [*_all, "can_cast", "default_dtype", "finfo", "get_default_dtype", "iinfo", "isdtype", "result_type", "set_default_dtype"]

_integers = {name: dtype for name, dtype in _all.items() if name.startswith(("int", "uint")) and name not in ("int4", "uint4")}
_floats = ("float16", "bfloat16", "float32", "float64")
_complex = tuple(name for name in _all if name.startswith("complex"))
_kinds = {
    "bool": ("bool",),
    "signed integer": tuple(n for n in _integers if n.startswith("int")),
    "unsigned integer": tuple(n for n in _integers if n.startswith("uint")),
    "real floating": _floats,
    "complex floating": _complex,
}
_kinds["integral"] = _kinds["signed integer"] + _kinds["unsigned integer"]
_kinds["numeric"] = _kinds["integral"] + _kinds["real floating"] + _kinds["complex floating"]
default_int = _all["int64"]


def as_dtype(value):
    """Returns the dtype for a name, a Python class or a NumPy dtype."""
    return value if isinstance(value, _core.DType) else _core.dtype_of_name(value)


default_float = _core.default_dtype


def default_complex():
    return _all["complex128" if default_float().name == "float64" else "complex64"]


def set_default_dtype(dtype):
    """Sets the default dtype of floats, float32 (initially) or float64, in all threads outside of `with
    default_dtype(...)`.

    It is used by functions that create arrays, for Python's floats that are not combined with an array of floats, for
    x / y of integers, and for functions of floats with integer arguments. Complex numbers without a dtype are complex64
    or complex128 accordingly.

    >>> tc.set_default_dtype(tc.float64)
    >>> tc.asarray([0.1]), tc.ones(1) / 3
    (array([0.1], dtype=float64), array([0.3333333333333333], dtype=float64))
    >>> tc.set_default_dtype(tc.float32)
    """
    _core.set_default_dtype(as_dtype(dtype))


def get_default_dtype():
    """The default dtype of floats in this thread.

    >>> tc.get_default_dtype()
    tensorc.float32
    """
    return default_float()


class default_dtype:
    """A scope that sets this thread's default dtype of floats, float32 or float64.

    >>> with tc.default_dtype(tc.float64):
    ...     tc.arange(3) / 2
    array([0.0, 0.5, 1.0], dtype=float64)
    """

    def __init__(self, dtype):
        self.dtype = as_dtype(dtype)
        self._former = []

    def __repr__(self):
        return f"default_dtype({self.dtype!r})"

    def __enter__(self):
        former = _core.thread_dtype()
        _core.set_thread_dtype(self.dtype)
        self._former.append(former)
        return self

    def __exit__(self, *error):
        _core.set_thread_dtype(self._former.pop())


def is_float(dtype):
    """True for float dtypes with arithmetic."""
    return dtype.name in _floats


def is_complex(dtype):
    return dtype.name in _complex


def has_derivatives(dtype):
    """True for dtypes with derivatives: floats and complex numbers."""
    return is_float(dtype) or is_complex(dtype)


def is_integer(dtype):
    """True for integer dtypes with arithmetic."""
    return dtype.name in _integers


def isdtype(dtype, kind):
    """True if the dtype is of a kind: a dtype, 'bool', 'integral', 'real floating', 'numeric', ..., or a tuple of
    these.

    >>> tc.isdtype(tc.int8, "signed integer")
    True
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str):
        if kind not in _kinds:
            raise ValueError(f"isdtype: no kind '{kind}': {', '.join(_kinds)}")
        return as_dtype(dtype).name in _kinds[kind]
    return as_dtype(dtype) == kind


def _numpy_dtype(self):
    """Returns the corresponding NumPy dtype. Dtypes that NumPy lacks are those of
    ml_dtypes."""
    import numpy

    if self.name not in _MORE:
        return numpy.dtype(self.name)
    try:
        import ml_dtypes
    except ImportError:
        raise TypeError(f"NumPy has no dtype for {self!r}: install ml_dtypes, which has one, or convert with astype") from None
    return numpy.dtype(getattr(ml_dtypes, self.name))


# These dtypes are defined by ml_dtypes, not by NumPy.
_MORE = ("bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4")
# np.dtype(tc.int32) and np.zeros(3, dtype=x.dtype) need these attributes: NumPy 2.4 reads
# __numpy_dtype__, older versions read dtype.
_core.DType.__numpy_dtype__ = _core.DType.dtype = property(_numpy_dtype)
_core.DType.type = property(lambda self: _numpy_dtype(self).type, doc="The class of NumPy's scalars of this dtype.")
_core.DType.kind = property(lambda self: _numpy_dtype(self).kind, doc="NumPy's letter: b, i, u, f or c.")


class _Info:
    """Read-only properties of a dtype. This is not a dataclass, because dataclasses import
    `inspect`."""

    def __init__(self, **facts):
        vars(self).update(facts)

    def __setattr__(self, name, value):
        raise AttributeError(f"cannot assign to field '{name}'")

    def __delattr__(self, name):
        raise AttributeError(f"cannot delete field '{name}'")

    def __eq__(self, other):
        return vars(self) == vars(other) if type(other) is type(self) else NotImplemented

    def __hash__(self):
        return hash(tuple(vars(self).values()))

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


class finfo(_Info):
    """The properties of a float dtype.

    >>> tc.finfo(tc.float32).bits
    32
    """

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: _core.DType

    def __init__(self, type):
        dtype = type.dtype if isinstance(type, _core.Array) else as_dtype(type)
        real = {"complex64": "float32", "complex128": "float64"}.get(dtype.name, dtype.name)
        if real not in _floats:
            raise TypeError(f"finfo: {dtype.name} is not a float")
        digits, emin, emax = {"float16": (10, -14, 15), "bfloat16": (7, -126, 127), "float32": (23, -126, 127),
                              "float64": (52, -1022, 1023)}[real]  # fmt: skip
        largest = (2.0 - 2.0**-digits) * 2.0**emax
        super().__init__(bits=_all[real].itemsize * 8, eps=2.0**-digits, max=largest, min=-largest, smallest_normal=2.0**emin,
                         dtype=_all[real])  # fmt: skip


class iinfo(_Info):
    """The range of an integer dtype.

    >>> tc.iinfo(tc.uint8).max
    255
    """

    bits: int
    max: int
    min: int
    dtype: _core.DType

    def __init__(self, type):
        dtype = type.dtype if isinstance(type, _core.Array) else as_dtype(type)
        if dtype.name not in _integers:
            raise TypeError(f"iinfo: {dtype.name} is not an integer")
        bits = dtype.itemsize * 8
        low, high = (0, 2**bits - 1) if dtype.name.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        super().__init__(bits=bits, max=high, min=low, dtype=dtype)


def _dtype_of(value):
    return value.dtype if isinstance(value, _core.Array) else as_dtype(value)


def can_cast(from_, to):
    """True if promotion can convert `from_`, an array or a dtype, to `to`.

    >>> tc.can_cast(tc.int8, tc.int16)
    True
    """
    from_, to = _dtype_of(from_), as_dtype(to)
    return from_ == to or _core.promote(from_, to) == to


def result_type(*arrays_and_dtypes):
    """The dtype of an operation on all arguments. Python numbers take the dtype of the others if they are of its
    kind.

    >>> tc.result_type(tc.int8, tc.uint8)
    tensorc.int16
    """
    numbers = [v for v in arrays_and_dtypes if type(v) in (builtins.bool, int, float, builtins.complex)]
    dtypes = [_dtype_of(v) for v in arrays_and_dtypes if type(v) not in (builtins.bool, int, float, builtins.complex)]
    if not dtypes:
        raise ValueError("result_type: at least one array or dtype is needed")
    result = dtypes[0]
    for dtype in dtypes[1:]:
        both = _core.promote(result, dtype)
        if both is None:
            raise TypeError(f"no dtype holds both {result.name} and {dtype.name}")
        result = both
    for number in numbers:
        if type(number) is float and not is_float(result) and result.name not in _complex:
            result = default_float()
        elif type(number) is int and result.name == "bool":
            result = default_int
        elif type(number) is builtins.complex and result.name not in _complex:
            result = default_complex() if not is_float(result) else _all["complex128" if result.name == "float64" else "complex64"]
    return result


def fits(value, dtype):
    """Returns True if the dtype can represent the Python number."""
    if is_integer(dtype):
        info = iinfo(dtype)
        return float(value).is_integer() and info.min <= value <= info.max if math.isfinite(value) else False
    return True
