"""The conversions of ATen's operations: a table of functions, and element-wise operations.

A function gets `n`, a `Known` with properties of the node, and the node's arguments with arrays in place of tensors.
After an exception the node runs in PyTorch, so a function raises `Refused` for cases that it does not support.
"""

import math
import operator

import torch

from .. import _core, _elementwise, _functions
from .._dtypes import as_dtype, has_derivatives, is_complex, is_float

aten = torch.ops.aten
Array = _core.Array
table = {}

DTYPES = {
    torch.bool: as_dtype("bool"), torch.uint8: as_dtype("uint8"), torch.int8: as_dtype("int8"), torch.int16: as_dtype("int16"),
    torch.int32: as_dtype("int32"), torch.int64: as_dtype("int64"), torch.float16: as_dtype("float16"),
    torch.bfloat16: as_dtype("bfloat16"), torch.float32: as_dtype("float32"), torch.float64: as_dtype("float64"),
    torch.complex64: as_dtype("complex64"), torch.complex128: as_dtype("complex128"),
}  # fmt: skip


class Refused(Exception):
    """The reason why a node runs in PyTorch."""


class Known:
    """Properties of a node that the graph knows: the dtype of its result, and the common dtype
    of its operands."""

    def __init__(self, node):
        self.node = node
        value = node.meta.get("val")
        self.values = value if isinstance(value, (tuple, list)) else [value]

    @property
    def dtype(self):
        return DTYPES[self.values[0].dtype]

    @property
    def common(self):
        operands = [a.meta["val"] if isinstance(a, torch.fx.Node) else a for a in self.node.args[:2]]
        return DTYPES[torch.result_type(*operands)]


def op(*targets):
    """Registers a function for these overloads."""

    def enter(function):
        for target in targets:
            table[target] = function
        return function

    return enter


_narrow, _int32 = {as_dtype(name) for name in ("int8", "int16", "uint8", "uint16")}, as_dtype("int32")


def cast(x, dtype):
    if not isinstance(x, Array) or x.dtype == dtype:
        return x
    if dtype in _narrow and is_float(x.dtype):
        # In PyTorch numbers wrap around; a direct conversion would saturate.
        x = _core.astype(x, _int32)
    return _core.astype(x, dtype)


def logical(x):
    return x if x.dtype.name == "bool" else _core.ne(x, 0)


def _unary(function):
    return lambda n, x: function(x if is_complex(x.dtype) else cast(x, n.dtype))


for _name in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "digamma", "erf", "erfc", "erfinv", "exp", "exp2",
              "expm1", "lgamma", "log", "log10", "log1p", "log2", "rsqrt", "sigmoid", "sin", "sinh", "sqrt", "tan", "tanh"):  # fmt: skip
    table[getattr(aten, _name).default] = _unary(getattr(_core, _name))
for _name, _other in (("abs", "abs"), ("neg", "negative")):
    table[getattr(aten, _name).default] = _unary(getattr(_elementwise, _other))
for _name, _function in (("relu", _core.relu), ("silu", _core.silu), ("hardswish", _core.hardswish), ("mish", _core.mish),
                         ("ceil", _elementwise.ceil), ("floor", _elementwise.floor), ("trunc", _elementwise.trunc),
                         ("round", _elementwise.round), ("reciprocal", lambda x: _core.div(1.0, x))):  # fmt: skip
    table[getattr(aten, _name).default] = _unary(_function)
table[torch.ops.prims.round.default] = table[aten.round.default]
for _name in ("is_nan", "is_inf"):
    table[getattr(aten, _name.replace("_", "")).default] = (
        lambda n, x, f=getattr(_core, _name): f(x) if has_derivatives(x.dtype) else _core.full(n.dtype, x.shape, False))  # fmt: skip


@op(aten.sign.default, aten.sgn.default)
def sign(n, x):
    """The sign, which is 0 for NaN and for both zeros; booleans are unchanged."""
    if x.dtype.name == "bool":
        return x
    if not has_derivatives(x.dtype) or is_complex(x.dtype):
        return _elementwise.sign(x)
    return _core.sub(cast(_core.gt(x, 0), n.dtype), cast(_core.lt(x, 0), n.dtype))


@op(aten.logical_not.default)
def logical_not(n, x):
    return _core.bitwise_not(logical(x))


@op(aten.signbit.default, torch.ops.prims.signbit.default)
def signbit(n, x):
    return _core.lt(_core.copysign(1.0, x) if is_float(x.dtype) else x, 0)


@op(aten.bitwise_not.default)
def bitwise_not(n, x):
    return _core.bitwise_not(x)


def _binary(function):
    return lambda n, x, y: function(*arrays(n.dtype, x, y))


def arrays(dtype, *operands):
    """Converts operands to a dtype. If none is an array, all become arrays."""
    operands = [cast(x, dtype) for x in operands]
    if not any(isinstance(x, Array) for x in operands):
        operands = [_core.full(dtype, (), x) for x in operands]
    return operands


for _name, _function in (("i0", "i0"), ("special_i0e", "i0e"), ("special_i1", "i1"), ("special_i1e", "i1e"),
                         ("special_modified_bessel_i0", "i0"), ("special_modified_bessel_i1", "i1")):  # fmt: skip
    table[getattr(aten, _name).default] = _unary(getattr(_core, "bessel_" + _function))
for _name in ("entr", "erfcx", "log_ndtr", "ndtri"):
    table[getattr(aten, "special_" + _name).default] = _unary(getattr(_core, _name))
for _name, _function in (("maximum", _core.maximum), ("minimum", _core.minimum), ("atan2", _core.atan2),
                         ("remainder", _core.mod), ("fmod", _core.rem), ("hypot", _core.hypot), ("copysign", _core.copysign),
                         ("nextafter", _core.nextafter), ("gcd", _core.gcd), ("lcm", _core.lcm),
                         ("bitwise_and", _core.bitwise_and), ("bitwise_or", _core.bitwise_or), ("bitwise_xor", _core.bitwise_xor),
                         ("floor_divide", _core.floor_div),
                         ("igamma", _core.gammainc), ("igammac", _core.gammaincc), ("special_zeta", _core.zeta)):  # fmt: skip
    for _overload in ("default", "Tensor", "Scalar", "Scalar_Tensor"):
        if hasattr(getattr(aten, _name), _overload):
            table[getattr(getattr(aten, _name), _overload)] = _binary(_function)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    for _overload in ("Tensor", "Scalar"):
        table[getattr(getattr(aten, _name), _overload)] = (
            lambda n, x, y, f=getattr(_core, _name): f(*arrays(n.common, x, y)))  # fmt: skip
for _name in ("and", "or", "xor"):
    table[getattr(aten, "logical_" + _name).default] = (
        lambda n, x, y, f=getattr(_core, "bitwise_" + _name): f(logical(x), logical(y)))  # fmt: skip


@op(aten.bitwise_left_shift.Tensor, aten.bitwise_left_shift.Tensor_Scalar, aten.bitwise_left_shift.Scalar_Tensor,
    aten.__lshift__.Tensor, aten.__lshift__.Scalar)  # fmt: skip
def shift_left(n, x, y):
    return _core.shl(*arrays(n.dtype, x, y))


@op(aten.bitwise_right_shift.Tensor, aten.bitwise_right_shift.Tensor_Scalar, aten.bitwise_right_shift.Scalar_Tensor,
    aten.__rshift__.Tensor, aten.__rshift__.Scalar)  # fmt: skip
def shift_right(n, x, y):
    function = _core.shr_logical if n.dtype.name.startswith("u") else _core.shr_arith
    return function(*arrays(n.dtype, x, y))


@op(aten.polygamma.default)
def polygamma(n, order, x):
    if order:
        raise Refused("a derivative of digamma, which ours has for numbers above 0")
    return _core.digamma(cast(x, n.dtype))


@op(aten.add.Tensor, aten.add.Scalar)
def add(n, x, y, alpha=1):
    x, y = arrays(n.dtype, x, y)
    if n.dtype.name == "bool":
        return _core.bitwise_or(x, y)
    return _core.add(x, y if alpha == 1 else _core.mul(y, alpha) if isinstance(y, Array) else y * alpha)


@op(aten.mul.Tensor, aten.mul.Scalar, torch.ops.prims.mul.default)
def mul(n, x, y):
    x, y = arrays(n.dtype, x, y)
    return _core.bitwise_and(x, y) if n.dtype.name == "bool" else _core.mul(x, y)


def _but_nan(extremum):
    """Returns the largest or smallest operand. If one operand is NaN, returns the other
    one."""

    def call(n, x, y):
        x, y = arrays(n.dtype, x, y)
        if not is_float(n.dtype):
            return extremum(x, y)
        return _core.select(_core.is_nan(x), y, _core.select(_core.is_nan(y), x, extremum(x, y)))

    return call


table[aten.fmin.default], table[aten.fmax.default] = _but_nan(_core.minimum), _but_nan(_core.maximum)


@op(aten.sub.Tensor, aten.sub.Scalar)
def sub(n, x, y, alpha=1):
    x, y = arrays(n.dtype, x, y)
    return _core.sub(x, y if alpha == 1 else _core.mul(y, alpha) if isinstance(y, Array) else y * alpha)


@op(aten.rsub.Scalar, aten.rsub.Tensor)
def rsub(n, x, y, alpha=1):
    return sub(n, y, x, alpha)


@op(aten.div.Tensor, aten.true_divide.Tensor, aten.div.Scalar, aten.div.Tensor_mode, aten.div.Scalar_mode,
    torch.ops.prims.div.default)  # fmt: skip
def div(n, x, y, rounding_mode=None):
    x, y = arrays(n.dtype, x, y)
    if rounding_mode is None:
        return _core.div(x, y)
    if rounding_mode == "floor":
        return _core.floor_div(x, y)
    if is_float(n.dtype):
        return _core.trunc(_core.div(x, y))
    # Truncating division: the remainder has the sign of x.
    return _core.floor_div(_core.sub(x, _core.rem(x, y)), y)


@op(aten.pow.Tensor_Scalar, aten.pow.Tensor_Tensor, aten.pow.Scalar)
def power(n, x, y):
    if not isinstance(y, Array) and is_float(n.dtype):
        x = cast(x, n.dtype)
        if y in (1, 2, 3):
            return x if y == 1 else _core.mul(x, x) if y == 2 else _core.mul(_core.mul(x, x), x)
        if y == 0.5:
            return _core.sqrt(x)
        return _core.pow(x, y)
    return _elementwise.pow(*arrays(n.dtype, x, y))


@op(aten.clamp.default, aten.clamp.Tensor, aten.hardtanh.default)
def clamp(n, x, low=None, high=None):
    if n.node.target is aten.hardtanh.default:
        low, high = -1.0 if low is None else low, 1.0 if high is None else high
    x, low, high = cast(x, n.dtype), cast(low, n.dtype), cast(high, n.dtype)
    if low is not None:
        x = _core.maximum(x, low)
    return x if high is None else _core.minimum(x, high)


@op(aten.clamp_min.default, aten.clamp_min.Tensor)
def clamp_min(n, x, low):
    return clamp(n, x, low)


@op(aten.clamp_max.default, aten.clamp_max.Tensor)
def clamp_max(n, x, high):
    return clamp(n, x, None, high)


@op(aten.where.self, aten.where.ScalarOther, aten.where.ScalarSelf, aten.where.Scalar)
def where(n, condition, x, y):
    return _core.select(logical(condition), *arrays(n.dtype, x, y))


@op(aten.masked_fill.Scalar, aten.masked_fill.Tensor)
def masked_fill(n, x, mask, value):
    return _core.select(mask, cast(value, n.dtype), x)


@op(aten.gelu.default)
def gelu(n, x, approximate="none"):
    return _core.gelu(x, approximate == "tanh")


@op(aten.leaky_relu.default)
def leaky_relu(n, x, slope=0.01):
    return _core.leaky_relu(x, slope)


@op(aten.elu.default)
def elu(n, x, alpha=1.0, scale=1.0, input_scale=1.0):
    below = _core.mul(_core.expm1(_core.mul(x, input_scale)), alpha * scale)
    return _core.select(_core.gt(x, 0), _core.mul(x, scale), below)


@op(aten.hardsigmoid.default)
def hardsigmoid(n, x):
    return _core.div(_core.minimum(_core.maximum(_core.add(x, 3.0), 0.0), 6.0), 6.0)


@op(aten.softplus.default)
def softplus(n, x, beta=1.0, threshold=20.0):
    scaled = _core.mul(x, beta)
    return _core.select(_core.gt(scaled, threshold), x, _core.div(_core.log1p(_core.exp(scaled)), beta))


@op(aten._to_copy.default, torch.ops.prims.convert_element_type.default)
def convert(n, x, *args, **kwargs):
    if n.dtype.name == "bool":
        return logical(x)
    if is_complex(x.dtype) and not is_complex(n.dtype):
        x = _core.real(x)  # PyTorch gives a warning
    return cast(x, n.dtype)


@op(aten.clone.default, aten.alias.default, aten.detach.default, aten.contiguous.default, aten.lift_fresh_copy.default,
    aten.lift_fresh.default)  # fmt: skip
def same(n, x, **kwargs):
    return x


@op(aten.copy.default)
def copy(n, x, source, non_blocking=False):
    return _core.broadcast_to(cast(source, n.dtype), x.shape)


# Sizes in graphs with symbols. They are Python numbers, which are part of a trace.


@op(aten.sym_size.int)
def sym_size(n, x, axis):
    return x.shape[axis]


def _of_dense(n):
    """Rejects an operand that is not row-major from the start of its storage, because arrays
    have neither strides nor offsets."""
    value = n.node.args[0].meta["val"]
    if not value.is_contiguous() or value.storage_offset():
        raise Refused("strides of a tensor that is not contiguous")


@op(aten.sym_stride.int)
def sym_stride(n, x, axis):
    _of_dense(n)
    return math.prod(max(size, 1) for size in x.shape[axis % x.ndim + 1 :])


@op(aten.sym_storage_offset.default)
def sym_storage_offset(n, x):
    _of_dense(n)
    return 0


@op(aten.sym_numel.default)
def sym_numel(n, x):
    return x.size


for _function in (operator.add, operator.sub, operator.mul, operator.floordiv, operator.truediv, operator.mod, operator.neg,
                  operator.pow, operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.and_,
                  operator.or_, operator.not_, math.floor, math.ceil, math.trunc, max, min, torch.sym_max, torch.sym_min,
                  torch.sym_int, torch.sym_float, torch.sym_not, torch.sym_sqrt, torch.sym_ite):  # fmt: skip
    table[_function] = lambda n, *args, f=_function: f(*args)


@op(operator.getitem)
def getitem(n, x, index):
    part = x[index]
    return part() if callable(part) and not isinstance(part, Array) else part


def _nothing(n, *args, **kwargs):
    return None


for _name in ("_assert_scalar", "_assert_async", "_assert_tensor_metadata", "sym_constrain_range", "sym_constrain_range_for_size"):
    for _overload in getattr(aten, _name).overloads():
        table[getattr(getattr(aten, _name), _overload)] = _nothing


def axes_of(axes, x):
    """Returns axes counted from the front. An empty list means all axes."""
    if axes is None or axes == [] or not x.ndim:
        return tuple(range(x.ndim))
    return _functions._shapes._axes(axes, x)[0]
