"""ATen's reductions, and its functions that create arrays."""

import torch

from .. import _core, _functions
from .._dtypes import as_dtype, is_complex, is_float
from ._table import DTYPES, Refused, aten, axes_of, cast, logical, op

_int64 = as_dtype("int64")


def _by(function, name):
    def call(n, x, dim=None, keepdim=False, *, dtype=None):
        return function(cast(x, n.dtype), axis=axes_of(dim, x), keepdims=keepdim)

    call.__name__ = name
    return call


op(aten.sum.default, aten.sum.dim_IntList)(
    lambda n, x, dim=None, keepdim=False, *, dtype=None: _functions.sum(x, axis=axes_of(dim, x), dtype=n.dtype, keepdims=keepdim))
op(aten.mean.default, aten.mean.dim)(_by(_functions.mean, "mean"))
op(aten.amax.default)(_by(_functions.max, "amax"))
op(aten.amin.default)(_by(_functions.min, "amin"))
op(aten.logsumexp.default)(_by(_functions.logsumexp, "logsumexp"))


@op(aten.prod.default, aten.prod.dim_int)
def prod(n, x, dim=None, keepdim=False, *, dtype=None):
    return _functions.prod(x, axis=axes_of(dim, x), dtype=n.dtype, keepdims=keepdim)


@op(aten.any.default, aten.any.dim, aten.any.dims)
def any(n, x, dim=None, keepdim=False):
    return _functions.any(logical(x), axis=axes_of(dim, x), keepdims=keepdim)


@op(aten.all.default, aten.all.dim, aten.all.dims)
def all(n, x, dim=None, keepdim=False):
    return _functions.all(logical(x), axis=axes_of(dim, x), keepdims=keepdim)


@op(aten.max.default)
def max_all(n, x):
    return _functions.max(x)


@op(aten.min.default)
def min_all(n, x):
    return _functions.min(x)


@op(aten.max.dim)
def max_along(n, x, dim, keepdim=False):
    return _functions.max(x, axis=dim, keepdims=keepdim), lambda: _functions.argmax(x, axis=dim, keepdims=keepdim)


@op(aten.min.dim)
def min_along(n, x, dim, keepdim=False):
    return _functions.min(x, axis=dim, keepdims=keepdim), lambda: _functions.argmin(x, axis=dim, keepdims=keepdim)


@op(aten.argmax.default)
def argmax(n, x, dim=None, keepdim=False):
    return _functions.argmax(x, axis=dim, keepdims=keepdim)


@op(aten.argmin.default)
def argmin(n, x, dim=None, keepdim=False):
    return _functions.argmin(x, axis=dim, keepdims=keepdim)


def _correction(correction, unbiased):
    return float((1 if unbiased else 0) if correction is None else correction)


@op(aten.var.correction, aten.var.dim)
def var(n, x, dim=None, unbiased=True, keepdim=False, *, correction=None):
    return _functions.var(x, axis=axes_of(dim, x), correction=_correction(correction, unbiased), keepdims=keepdim)


@op(aten.std.correction)
def std(n, x, dim=None, *, correction=None, keepdim=False):
    return _functions.std(x, axis=axes_of(dim, x), correction=_correction(correction, True), keepdims=keepdim)


@op(aten.var_mean.correction)
def var_mean(n, x, dim=None, *, correction=None, keepdim=False):
    return var(n, x, dim, True, keepdim, correction=correction), _functions.mean(x, axis=axes_of(dim, x), keepdims=keepdim)


@op(aten.linalg_vector_norm.default)
def vector_norm(n, x, ord=2, dim=None, keepdim=False, *, dtype=None):
    x = _core.abs(x) if is_complex(x.dtype) else x
    return _core.norm(cast(x, n.dtype), float(ord), axes_of(dim, x), keepdim)


@op(aten.cumsum.default)
def cumsum(n, x, dim, *, dtype=None):
    return _core.cumsum(cast(x, n.dtype), dim) if x.ndim else cast(x, n.dtype)


@op(aten.cumprod.default)
def cumprod(n, x, dim, *, dtype=None):
    return _core.cumprod(cast(x, n.dtype), dim) if x.ndim else cast(x, n.dtype)


def _running(extremum):
    """Returns the largest or smallest element so far and its last position. After a NaN these
    are the NaN's."""

    def call(n, x, dim):
        if not x.ndim:
            return x, _core.full(_int64, (), 0)
        dim %= x.ndim
        value = extremum(x, dim)

        def places():
            found = _core.eq(x, value)
            if is_float(x.dtype):
                found = _core.bitwise_or(found, _core.is_nan(x))
            shape = [1] * x.ndim
            shape[dim] = x.shape[dim]
            along = _core.reshape(_core.arange(0.0, float(x.shape[dim]), 1.0, _int64), shape)
            return _core.cummax(_core.select(found, _core.broadcast_to(along, x.shape), 0), dim)

        return value, places

    return call


op(aten.cummax.default)(_running(_core.cummax))
op(aten.cummin.default)(_running(_core.cummin))


def _at(x, place, dim, keepdim):
    """Returns the elements of rows at an index, which is one per row or one for all."""
    value = _core.take_along_axis(x, place, dim)
    return value if keepdim else _core.reshape(value, [s for d, s in enumerate(x.shape) if d != dim])


def _of_order(n, x, dim, keepdim, place):
    """Returns the elements at a position in sorted order, which is given or computed, and their
    indices."""
    if not x.ndim:
        return x, _core.full(_int64, (), 0)
    dim %= x.ndim
    order = _functions.argsort(x, axis=dim)
    if isinstance(place, int):
        place = _core.full(_int64, [1 if d == dim else s for d, s in enumerate(x.shape)], place)
    indices = _core.take_along_axis(order, place, dim)
    return _at(x, indices, dim, keepdim), lambda: indices if keepdim else _core.reshape(
        indices, [s for d, s in enumerate(x.shape) if d != dim])  # fmt: skip


@op(aten.kthvalue.default)
def kthvalue(n, x, k, dim=-1, keepdim=False):
    return _of_order(n, x, dim, keepdim, k - 1)


@op(aten.median.dim)
def median(n, x, dim, keepdim=False):
    if not x.ndim:
        return x, _core.full(_int64, (), 0)
    dim %= x.ndim
    if not is_float(x.dtype):
        return _of_order(n, x, dim, keepdim, (x.shape[dim] - 1) // 2)
    # The result is the lower of two middle elements, or a NaN, which comes last in sorted order.
    missing = _functions.any(_core.is_nan(x), axis=dim, keepdims=True)
    place = _core.select(missing, x.shape[dim] - 1, _core.full(_int64, missing.shape, (x.shape[dim] - 1) // 2))
    return _of_order(n, x, dim, keepdim, place)


@op(aten.nanmedian.dim)
def nanmedian(n, x, dim, keepdim=False):
    if not x.ndim or not is_float(x.dtype):
        return median(n, x, dim, keepdim)
    dim %= x.ndim
    present = _functions.sum(cast(_core.bitwise_not(_core.is_nan(x)), _int64), axis=dim, keepdims=True)
    return _of_order(n, x, dim, keepdim, _core.maximum(_core.floor_div(_core.sub(present, 1), 2), 0))


@op(aten.median.default)
def median_of_all(n, x):
    return median(n, _core.reshape(x, (-1,)), 0)[0]


@op(aten.nanmedian.default)
def nanmedian_of_all(n, x):
    return nanmedian(n, _core.reshape(x, (-1,)), 0)[0]


@op(aten.logcumsumexp.default)
def logcumsumexp(n, x, dim):
    return _core.logcumsumexp(x, dim % x.ndim) if x.ndim else x


@op(aten.topk.default)
def topk(n, x, k, dim=-1, largest=True, sorted=True):
    return _core.top_k(x, k, dim % x.ndim, largest)


@op(aten.sort.default)
def sort(n, x, dim=-1, descending=False):
    indices = _functions.argsort(x, axis=dim, descending=descending)
    return _core.take_along_axis(x, indices, dim % x.ndim), indices


@op(aten.sort.stable)
def sort_stable(n, x, *, stable=None, dim=-1, descending=False):
    return sort(n, x, dim, descending)


# Creation.


def _full(n, shape, value):
    """In PyTorch a nonzero number is True."""
    return _core.full(n.dtype, shape, bool(value) if n.dtype.name == "bool" else value)


@op(aten.full.default, aten.new_full.default)
def full(n, *args, **kwargs):
    size, value = args if n.node.target is aten.full.default else args[1:]
    return _full(n, size, value)


@op(aten.full_like.default)
def full_like(n, x, value, **kwargs):
    return _full(n, x.shape, value)


@op(aten.zeros.default, aten.empty.memory_format, aten.empty_strided.default, aten.empty_permuted.default)
def zeros(n, size, *args, **kwargs):
    return _core.full(n.dtype, size, 0)


@op(aten.ones.default)
def ones(n, size, **kwargs):
    return _core.full(n.dtype, size, 1)


@op(aten.zeros_like.default, aten.empty_like.default)
def zeros_like(n, x, **kwargs):
    return _core.full(n.dtype, x.shape, 0)


@op(aten.ones_like.default)
def ones_like(n, x, **kwargs):
    return _core.full(n.dtype, x.shape, 1)


@op(aten.new_zeros.default, aten.new_empty.default, aten.new_empty_strided.default)
def new_zeros(n, x, size, *args, **kwargs):
    return _core.full(n.dtype, size, 0)


@op(aten.new_ones.default)
def new_ones(n, x, size, **kwargs):
    return _core.full(n.dtype, size, 1)


@op(aten.scalar_tensor.default)
def scalar_tensor(n, value, **kwargs):
    return _full(n, (), value)


@op(aten.arange.default, aten.arange.start, aten.arange.start_step)
def arange(n, *args, **kwargs):
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
    # Numbers that a narrow dtype cannot represent wrap around.
    dtype = n.dtype if is_float(n.dtype) else _int64
    return cast(_core.arange(float(start), float(stop), float(step), dtype), n.dtype)


@op(aten.eye.default, aten.eye.m)
def eye(n, rows, columns=-1, **kwargs):
    return _core.eye(rows, columns, 0, n.dtype)


@op(torch.ops.prims.iota.default)
def iota(n, length, *, start, step, dtype, device, requires_grad):
    return _core.arange(float(start), float(start + step * length), float(step), DTYPES[dtype])


# Random numbers. PyTorch's generator draws the key of each call.


def _key(n):
    if n.key is None:
        raise Refused("random numbers without a key")
    n.count += 1
    return _core.fold_in(_core.random_key(n.key), n.count)


def _uniform(n, size):
    if is_complex(n.dtype):
        raise Refused("random complex numbers")
    dtype = n.dtype if n.dtype.name in ("float32", "float64") else as_dtype("float32")
    return cast(_core.uniform(_key(n), size, 0.0, 1.0, dtype), n.dtype)


def _normal(n, size):
    if is_complex(n.dtype):
        raise Refused("random complex numbers")
    dtype = n.dtype if n.dtype.name in ("float32", "float64") else as_dtype("float32")
    return cast(_core.randn(_key(n), size, dtype), n.dtype)


@op(aten.rand.default)
def rand(n, size, **kwargs):
    return _uniform(n, size)


@op(aten.rand_like.default)
def rand_like(n, x, **kwargs):
    return _uniform(n, x.shape)


@op(aten.randn.default)
def randn(n, size, **kwargs):
    return _normal(n, size)


@op(aten.randn_like.default)
def randn_like(n, x, **kwargs):
    return _normal(n, x.shape)


@op(aten.randint.low)
def randint(n, low, high, size, **kwargs):
    return cast(_core.random_integers(_key(n), _int64, size, low, high), n.dtype)


@op(aten.randint.default)
def randint_below(n, high, size, **kwargs):
    return randint(n, 0, high, size)


@op(aten.bernoulli.p)
def bernoulli(n, x, p=0.5):
    return cast(_core.bernoulli(_key(n), x.shape, p), n.dtype)


@op(aten.native_dropout.default)
def native_dropout(n, x, p, train):
    if train is False or p == 0:
        return x, _core.full(as_dtype("bool"), x.shape, True)
    if p == 1:
        return _core.mul(x, 0.0), _core.full(as_dtype("bool"), x.shape, False)
    mask = _core.bernoulli(_key(n), x.shape, 1 - p)
    return _core.mul(_core.mul(x, cast(mask, x.dtype)), 1 / (1 - p)), mask


RANDOM = {aten.rand.default, aten.rand_like.default, aten.randn.default, aten.randn_like.default, aten.randint.low,
          aten.randint.default, aten.bernoulli.p, aten.native_dropout.default}  # fmt: skip
