"""Operators and functions of vectorized functions, for arrays and Python numbers."""

import ast
import builtins
import math
import operator

from .. import _core, _elementwise
from .._dtypes import as_dtype, default_float, is_float, result_type

Array = _core.Array
_bool, _int64 = as_dtype("bool"), as_dtype("int64")

_BINARY = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}  # fmt: skip
_COMPARED = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
             ast.GtE: operator.ge}  # fmt: skip


def _logical(x):
    return x if x.dtype == _bool else _core.ne(x, 0)


def _not(x):
    return _core.bitwise_not(_logical(x)) if isinstance(x, Array) else not x


def _and(x, y):
    if isinstance(x, Array) and isinstance(y, Array):
        return _core.bitwise_and(_logical(x), _logical(y))
    array, number = (x, y) if isinstance(x, Array) else (y, x)
    return (array if number else False) if isinstance(array, Array) else x and y


def _or(x, y):
    return _not(_and(_not(x), _not(y)))


def _either(is_and, x, y):
    """Returns `x and y`, or `x or y`. For Python numbers the result is one of them, as in
    Python."""
    if not isinstance(x, Array):
        return y if builtins.bool(x) == is_and else x
    if x.dtype == _bool and (isinstance(y, bool) or isinstance(y, Array) and y.dtype == _bool):
        return _and(x, y) if is_and else _or(x, y)
    return _select(x, y, x) if is_and else _select(x, x, y)


def _select(condition, x, y):
    """Returns x where the condition holds, else y; both may be numbers."""
    if x is y or not isinstance(x, Array) and not isinstance(y, Array) and type(x) is type(y) and x == y:
        return x
    if not isinstance(x, Array) and not isinstance(y, Array):
        x = _core.as_array(x)
    if isinstance(x, Array) and isinstance(y, Array) and x.dtype != y.dtype:
        dtype = result_type(x, y)
        x, y = _core.astype(x, dtype), _core.astype(y, dtype)
    return _core.select(_logical(condition), x, y)


def _number(function, name):
    """Makes a function of arrays or numbers."""
    in_math = getattr(math, name, None)

    def call(*args):
        if in_math and not any(isinstance(a, Array) for a in args):
            return in_math(*args)
        return function(*args)

    return call


def _extremum(function, builtin):
    def call(*args):
        if not any(isinstance(a, Array) for a in args):
            return builtin(*args)
        result = args[0]
        for other in args[1:]:
            result = function(result, other)
        return result

    return call


def _cast(dtype, python):
    return lambda x=0: _core.astype(x, dtype() if callable(dtype) else dtype) if isinstance(x, Array) else python(x)


def _float(x):
    return _core.astype(x, default_float()) if isinstance(x, Array) and not is_float(x.dtype) else x


def _is_integer(x):
    return x.dtype.name.startswith(("int", "uint", "bool")) if isinstance(x, Array) else isinstance(x, int)


def _pow(x, y):
    """Returns x ** y. For integers Python's result is a float if y is negative, which no dtype
    can express."""
    if isinstance(y, Array) and y.dtype.name.startswith("int") and _is_integer(x):
        raise ValueError("an integer to the power of an integer that may be negative: write float(x) ** y")
    return operator.pow(x, y)


_MATH = {name: _number(getattr(_elementwise, other), name) for name, other in (
    ("sqrt", "sqrt"), ("exp", "exp"), ("expm1", "expm1"), ("log", "log"), ("log1p", "log1p"), ("log2", "log2"), ("log10", "log10"),
    ("sin", "sin"), ("cos", "cos"), ("tan", "tan"), ("asin", "asin"), ("acos", "acos"), ("atan", "atan"), ("atan2", "atan2"),
    ("sinh", "sinh"), ("cosh", "cosh"), ("tanh", "tanh"), ("asinh", "asinh"), ("acosh", "acosh"), ("atanh", "atanh"),
    ("hypot", "hypot"), ("copysign", "copysign"), ("fabs", "abs"), ("isnan", "isnan"), ("isinf", "isinf"),
    ("isfinite", "isfinite"))}  # fmt: skip
_MATH |= {name: _number(getattr(_core, name), name) for name in ("erf", "erfc", "lgamma")}
_MATH["pow"] = _number(lambda x, y: _elementwise.pow(_float(x), _float(y)), "pow")
# These functions of math return integers.
_MATH |= {name: _number(lambda x, f=getattr(_core, name): _core.astype(f(x), _int64), name) for name in ("floor", "ceil", "trunc")}
_CALLS = {getattr(math, name): function for name, function in _MATH.items()} | {
    abs: _elementwise.abs, min: _extremum(_core.minimum, min), max: _extremum(_core.maximum, max), pow: _pow,
    bool: _cast(_bool, bool), int: _cast(_int64, int),
    float: lambda x=0.0: (x if is_float(x.dtype) else _core.astype(x, default_float())) if isinstance(x, Array) else float(x),
}  # fmt: skip
_BINARY[ast.Pow] = _pow
_UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}


def _as_number(x):
    """Converts booleans to 0 and 1, as Python's arithmetic does."""
    return _core.astype(x, _int64) if isinstance(x, Array) and x.dtype == _bool else x


def _unary(op, x):
    return _UNARY[type(op)](_as_number(x))


def _binary(op, x, y):
    if not isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
        x, y = _as_number(x), _as_number(y)
    return _BINARY[type(op)](x, y)


_CALLS[abs] = lambda x: _elementwise.abs(_as_number(x)) if isinstance(x, Array) else abs(x)
