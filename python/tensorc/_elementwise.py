"""Element-wise functions, by the names of the array API and NumPy."""

import builtins
import math
import operator

from . import _core
from ._dtypes import as_dtype, default_float, is_float, is_integer

Array = _core.Array
_floating = ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "cbrt", "sin", "cos", "tan", "asin",
             "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sigmoid", "erf")  # fmt: skip


def _is_whole(x):
    return is_integer(x.dtype) or x.dtype.name == "bool"


def _floats(name):
    """Makes an element-wise function of floats. Integers are converted to the default dtype of
    floats."""
    function = getattr(_core, name)

    def call(x, /):
        if not isinstance(x, Array):
            x = _core.as_array(x)
        return function(_core.astype(x, default_float()) if _is_whole(x) else x)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = function.__doc__
    return call


globals().update({name: _floats(name) for name in _floating})


_OPERANDS = (Array, bool, int, float, complex)


def _operands(x1, x2):
    """Converts two operands, one of which is an array. Python numbers take the array's
    dtype."""
    if not isinstance(x1, _OPERANDS):
        x1 = _core.beside(x1, x2) if isinstance(x2, Array) else _core.as_array(x1)
    elif not isinstance(x2, Array):
        x1 = _core.as_array(x1)
    return x1, x2 if isinstance(x2, _OPERANDS) else _core.beside(x2, x1)


def _as_floats(x1, x2):
    """Converts one of two operands to the default dtype of floats if both are integers or booleans."""
    for x in (x1, x2):
        if not (_is_whole(x) if isinstance(x, Array) else isinstance(x, int)):
            return x1, x2
    return (_core.astype(_core.as_array(x1), default_float()), x2)


def _named(name, of, doc, example):
    """Makes a function of the library available under another name, with a docstring."""
    function = _of_booleans.get(of) or getattr(_core, of)
    if of in _of_floats:
        binary = function

        def function(x1, x2):
            return binary(*_as_floats(x1, x2))

    if of in _unary:

        def call(x, /):
            return function(x if isinstance(x, Array) else _core.as_array(x))
    else:

        def call(x1, x2, /):
            if not isinstance(x1, Array):
                x1, x2 = _operands(x1, x2)
            elif not isinstance(x2, _OPERANDS):
                x2 = _core.beside(x2, x1)
            return function(x1, x2)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"{doc}\n\n{example}" if example else doc
    return call


_unary = ("neg", "abs", "bitwise_not", "is_nan", "is_inf", "is_finite", "floor", "ceil", "trunc", "round_even", "sign", "popcount", "clz")
_of_floats = ("logaddexp", "atan2", "hypot", "copysign", "nextafter")
# These operators also handle booleans.
_of_booleans = {name: getattr(operator, name) for name in ("add", "sub", "mul", "neg", "eq", "ne", "lt", "le", "gt", "ge")}
# Maps a name to (the library's name, docstring, example).
_names = {
    "add": ("add", "The sum.", ">>> tc.add(tc.ones(2), 1)\narray([2.0, 2.0], dtype=float32)"),
    "subtract": ("sub", "The difference.", ""),
    "multiply": ("mul", "The product.", ""),
    "floor_divide": ("floor_div", "The quotient, rounded down.", ">>> tc.floor_divide(tc.asarray(-7), 2)\narray(-4, dtype=int64)"),
    "remainder": ("mod", "The remainder of floor_divide, with the sign of x2.", ""),
    "fmod": ("rem", "The remainder of division rounded toward 0, with the sign of x1.", ""),
    "maximum": ("maximum", "The larger element; NaN if one is NaN.", ""),
    "minimum": ("minimum", "The smaller element; NaN if one is NaN.", ""),
    "gcd": ("gcd", "The greatest common divisor of integers.", ">>> tc.gcd(tc.asarray([12, -18]), 8)\narray([4, 2], dtype=int64)"),
    "lcm": ("lcm", "The least common multiple of integers.", ">>> tc.lcm(tc.asarray([4, 6]), 10)\narray([20, 30], dtype=int64)"),
    "equal": ("eq", "x1 == x2", ""),
    "not_equal": ("ne", "x1 != x2", ""),
    "less": ("lt", "x1 < x2", ""),
    "less_equal": ("le", "x1 <= x2", ""),
    "greater": ("gt", "x1 > x2", ""),
    "greater_equal": ("ge", "x1 >= x2", ""),
    "bitwise_and": ("bitwise_and", "The bits that are set in both.", ""),
    "bitwise_or": ("bitwise_or", "The bits that are set in at least one.", ""),
    "bitwise_xor": ("bitwise_xor", "The bits that are set in exactly one.", ""),
    "bitwise_invert": ("bitwise_not", "All bits inverted.", ""),
    "bitwise_left_shift": ("shl", "x1 shifted by x2 bits to the left.", ""),
    "logaddexp": ("logaddexp", "log(exp(x1) + exp(x2)), without overflow.", ""),
    "atan2": ("atan2", "The angle of the point (x2, x1).", ""),
    "hypot": ("hypot", "sqrt(x1^2 + x2^2), without overflow.", ""),
    "copysign": ("copysign", "x1 with the sign of x2.", ""),
    "nextafter": ("nextafter", "The next float after x1 in the direction of x2.", ">>> tc.nextafter(tc.asarray(0.0), 1) > 0\narray(true, dtype=bool)"),
    "negative": ("neg", "-x", ""),
    "isnan": ("is_nan", "True where x is NaN.", ">>> tc.isnan(tc.asarray([1.0, tc.nan]))\narray([false, true], dtype=bool)"),
    "isinf": ("is_inf", "True where x is infinite.", ""),
    "isfinite": ("is_finite", "True where x is neither NaN nor infinite.", ""),
    "popcount": ("popcount", "The number of bits that are set.", ""),
}
globals().update({name: _named(name, *row) for name, row in _names.items()})
bitwise_not = invert = bitwise_invert  # noqa: F821
mod = remainder  # noqa: F821
true_divide = None  # set below


def abs(x, /):
    """The absolute value.

    >>> tc.abs(tc.asarray([-1, 2]))
    array([1, 2], dtype=int64)
    """
    x = _core.as_array(x)
    return x if x.dtype.name.startswith(("uint", "bool")) else _core.abs(x)


def divide(x1, x2, /):
    """The quotient as a float.

    >>> tc.divide(tc.asarray(1), 4)
    array(0.25, dtype=float32)
    """
    return (x1 if isinstance(x1, Array) or isinstance(x2, Array) else _core.as_array(x1)) / x2


true_divide = divide


def pow(x1, x2, /):
    """x1 to the power x2. Integers have an integer result. For negative exponents in an array the result is rounded
    toward 0 (1 for 1, 1 or -1 for -1, else 0), as in PyTorch; a negative Python number as the exponent is a
    ValueError, as in NumPy.

    >>> tc.pow(tc.asarray([2.0, 3.0]), 2)
    array([4.0, 9.0], dtype=float32)
    """
    return (x1 if isinstance(x1, Array) or isinstance(x2, Array) else _core.as_array(x1)) ** x2


power = pow


def bitwise_right_shift(x1, x2, /):
    """x1 shifted right by x2 bits; the sign bit of signed integers is replicated."""
    return (x1 if isinstance(x1, Array) or isinstance(x2, Array) else _core.as_array(x1)) >> x2


def _rounding(name, doc):
    function = getattr(_core, name)

    def call(x, /):
        x = _core.as_array(x)
        if name == "round_even" and x.dtype.name.startswith("complex"):
            return _core.complex(function(_core.real(x)), function(_core.imag(x)))
        return x if _is_whole(x) else function(x)

    short = "round" if name == "round_even" else name
    call.__name__ = call.__qualname__ = short
    call.__doc__ = doc
    return call


floor = _rounding("floor", "Rounded down.")
ceil = _rounding("ceil", "Rounded up.")
trunc = _rounding("trunc", "Rounded to 0.")
rint = _rounding("round_even", "Rounded to the nearest integer, of two to the even one.")
fix = trunc


def round(x, /, decimals=0):
    """x rounded to this number of decimals, with halves to even. Like NumPy, it multiplies, rounds and divides.

    >>> tc.round(tc.asarray([0.5, 1.5]))
    array([0.0, 2.0], dtype=float32)
    >>> tc.round(tc.asarray(1.26), 1)
    array(1.3, dtype=float32)
    """
    x = _core.as_array(x)
    if not decimals or _is_whole(x) and decimals > 0:
        return rint(x)
    scale = 10.0 ** builtins.abs(decimals)
    if _is_whole(x):
        return _core.astype(rint(x / scale) * scale, x.dtype)
    return rint(x * scale) / scale if decimals > 0 else rint(x / scale) * scale


around = round


def sign(x, /):
    """-1, 0 or 1; NaN for NaN."""
    return _core.sign(_core.as_array(x))


def signbit(x, /):
    """True where the sign bit is set, also for -0.0."""
    x = _core.as_array(x)
    if not is_float(x.dtype):
        return x < 0
    bits = _core.bitcast(x, as_dtype(f"int{8 * x.dtype.itemsize}"))
    return bits < 0


def positive(x, /):
    """x"""
    return _core.as_array(x)


def square(x, /):
    """x * x"""
    x = _core.as_array(x)
    return x * x


def reciprocal(x, /):
    """1 / x"""
    return divide(1, _core.as_array(x))


def _truth(x):
    if isinstance(x, Array) and x.dtype.name == "bool":
        return x
    if isinstance(x, bool):
        return x
    return _core.ne(_core.as_array(x), 0)


def logical_and(x1, x2, /):
    """True where both are nonzero."""
    return _core.bitwise_and(_truth(x1), _truth(x2))


def logical_or(x1, x2, /):
    """True where at least one is nonzero."""
    return _core.bitwise_or(_truth(x1), _truth(x2))


def logical_xor(x1, x2, /):
    """True where exactly one is nonzero."""
    return _core.bitwise_xor(_truth(x1), _truth(x2))


def logical_not(x, /):
    """True where x is 0."""
    return _core.bitwise_not(_truth(x))


def isclose(x1, x2, /, rtol=1e-5, atol=1e-8, *, equal_nan=False):
    """True where |x1 - x2| <= atol + rtol |x2|, computed in float32 or wider, and in float64 for integers.

    >>> tc.isclose(tc.asarray([1.0, 2.0]), tc.asarray([1.000001, 2.1]))
    array([true, false], dtype=bool)
    """
    if not isinstance(x2, (bool, int, float, complex)):
        x1, x2 = _operands(x1, x2)
    return _core.isclose(_core.as_array(x1), x2, rtol, atol, equal_nan)


def allclose(x1, x2, /, rtol=1e-5, atol=1e-8, *, equal_nan=False):
    """True if all elements are close (isclose), as a Python bool. In traced functions use all(isclose(x1, x2)).

    >>> tc.allclose(tc.ones(3), 1)
    True
    """
    return bool(_core.all(isclose(x1, x2, rtol, atol, equal_nan=equal_nan)))


def clip(x, /, min=None, max=None):
    """x clamped to [min, max], in x's dtype.

    >>> tc.clip(tc.arange(4), 1, 2)
    array([1, 1, 2, 2], dtype=int64)
    """
    x = _core.as_array(x)

    def bound(value, function, of):
        if value is None:
            return of
        if isinstance(value, Array):
            both = function(of, value)
        elif is_integer(x.dtype) and isinstance(value, (int, float)):
            from ._dtypes import iinfo

            info = iinfo(x.dtype)
            low, high = info.min, info.max
            if value != value:
                raise ValueError("clip: a bound of integers is NaN")
            both = function(of, int(value if low <= value <= high else low if value < low else high))
        else:
            both = function(of, value)
        return both if both.dtype == x.dtype else _core.astype(both, x.dtype)

    return bound(max, _core.minimum, bound(min, _core.maximum, x))


def select(condition, x1, x2=0, /):
    """x1 where the condition is true, x2 elsewhere. Like NumPy's select, it also takes a list of conditions and a
    list of values: then each element is the value of the first true condition, or x2 if none is true.

    >>> tc.select([tc.arange(3) < 1, tc.arange(3) < 2], [10, 20], 30)
    array([10, 20, 30], dtype=int64)
    """
    if not isinstance(condition, (list, tuple)) or not isinstance(x1, (list, tuple)):
        return _core.select(condition, x1, x2)
    if len(condition) != len(x1) or not x1:
        raise ValueError(f"select: {len(condition)} conditions for {len(x1)} values")
    made = x2
    for is_met, value in reversed(list(zip(condition, x1))):
        if not isinstance(value, Array) and not isinstance(made, Array):
            value = _core.as_array(value)
        made = _core.select(_truth(is_met), value, made)
    return made


def deg2rad(x, /):
    """Degrees converted to radians."""
    return _core.as_array(x) * (math.pi / 180)


def rad2deg(x, /):
    """Radians converted to degrees.

    >>> tc.rad2deg(tc.asarray(tc.pi))
    array(180.0, dtype=float32)
    """
    return _core.as_array(x) * (180 / math.pi)


radians, degrees = deg2rad, rad2deg


def heaviside(x, at_zero, /):
    """0 where x < 0, 1 where x > 0, `at_zero` where x is 0, and NaN for NaN."""
    x, at_zero = _core.as_array(x) + 0.0, _core.as_array(at_zero)
    return _core.select(_core.eq(x, 0), at_zero, _core.select(_core.gt(x, 0), 1.0, _core.select(_core.lt(x, 0), 0.0, x)))


def isposinf(x, /):
    """True where x is positive infinity."""
    return _core.eq(_core.as_array(x), math.inf)


def isneginf(x, /):
    """True where x is negative infinity."""
    return _core.eq(_core.as_array(x), -math.inf)


def modf(x, /):
    """The fractional and the integer part, both with the sign of x."""
    x = _core.as_array(x) + 0.0
    whole = _core.trunc(x)
    return _core.copysign(_core.select(_core.is_inf(x), 0.0, x - whole), x), whole


def divmod(x1, x2, /):
    """(floor_divide(x1, x2), remainder(x1, x2))."""
    return floor_divide(x1, x2), remainder(x1, x2)  # noqa: F821


def logaddexp2(x1, x2, /):
    """log2(2^x1 + 2^x2), without overflow."""
    x1, x2 = _core.as_array(x1) * math.log(2), _core.as_array(x2) * math.log(2)
    return _core.logaddexp(x1, x2) / math.log(2)


def real(x, /):
    """The real part; x if it is real.

    >>> tc.real(tc.asarray([1 + 2j]))
    array([1.0], dtype=float32)
    """
    return _core.real(x)


def imag(x, /):
    """The imaginary part; zeros if x is real."""
    return _core.imag(x)


def conj(x, /):
    """The complex conjugate; a real x is unchanged."""
    return _core.conj(x)


def angle(x, /):
    """The angle in radians, from -pi to pi; 0 or pi for real numbers.

    >>> tc.angle(tc.asarray(-1.0))
    array(3.14159, dtype=float32)
    """
    return _core.angle(x)


# Other names of NumPy.
absolute = fabs = abs
conjugate = conj
arcsin, arccos, arctan, arcsinh, arccosh, arctanh, arctan2 = asin, acos, atan, asinh, acosh, atanh, atan2  # noqa: F821
left_shift, right_shift = bitwise_left_shift, bitwise_right_shift  # noqa: F821

# Activations, under the library's names.
for _name in ("relu", "silu", "mish", "hardswish", "gelu", "elu", "celu", "leaky_relu", "softplus", "softsign", "logsigmoid",
              "softmax", "log_softmax"):  # fmt: skip
    globals()[_name] = getattr(_core, _name)

__all__ = [name for name in globals() if not name.startswith("_") and name not in (
    "Array", "builtins", "math", "as_dtype", "default_float", "is_float", "is_integer")]  # fmt: skip
