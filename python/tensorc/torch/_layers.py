"""ATen's products, convolutions, pools, norms and attention."""

import math

import numpy as np

from .. import _core, _functions
from .._dtypes import as_dtype, has_derivatives, iinfo, is_float
from .._transforms import vjp
from ._shapes import along
from ._table import Refused, aten, cast, op

_float32 = as_dtype("float32")


@op(aten.mm.default, aten.bmm.default, aten.mv.default, aten.dot.default)
def matmul(n, x, y):
    return _core.matmul(x, y)


@op(aten.addmm.default, aten.baddbmm.default)
def addmm(n, bias, x, y, *, beta=1, alpha=1):
    if not has_derivatives(n.dtype):
        beta, alpha = int(beta), int(alpha)
    product = _core.matmul(x, y)
    if alpha != 1:
        product = _core.mul(product, alpha)
    if beta == 0:
        return product
    return _core.add(bias if beta == 1 else _core.mul(bias, beta), product)


@op(aten.addmv.default)
def addmv(n, bias, x, y, *, beta=1, alpha=1):
    return addmm(n, bias, x, y, beta=beta, alpha=alpha)


@op(aten.addbmm.default)
def addbmm(n, bias, x, y, *, beta=1, alpha=1):
    # A sum of products over a batch is computed as one product.
    x = _core.reshape(_functions.permute_dims(x, (1, 0, 2)), (x.shape[1], -1))
    return addmm(n, bias, x, _core.reshape(y, (-1, y.shape[2])), beta=beta, alpha=alpha)


def _each(values, dims):
    values = [values] if isinstance(values, int) else list(values)
    return values * dims if len(values) == 1 else values


@op(aten.convolution.default)
def convolution(n, x, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    dims = weight.ndim - 2
    stride, padding, dilation, extra = (_each(v, dims) for v in (stride, padding, dilation, output_padding))
    if x.ndim != weight.ndim:
        raise Refused("a convolution of one image without a batch")
    if transposed:
        return _core.conv_transpose(x, weight, bias, dims, 0, 0, padding, padding, stride, dilation, extra, groups)
    return _core.conv(x, weight, bias, dims, 0, 0, padding, padding, stride, dilation, 1, groups)


@op(aten.convolution_backward.default)
def convolution_backward(n, gradient, x, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, mask):
    def forward(x, weight):
        return convolution(n, x, weight, None, stride, padding, dilation, transposed, output_padding, groups)

    _, pull = vjp(forward, x, weight)
    to_x, to_weight = pull(gradient)
    others = [a for a in range(gradient.ndim) if a != 1]
    return (to_x if mask[0] else None, to_weight if mask[1] else None,
            _functions.sum(gradient, axis=tuple(others)) if mask[2] else None)  # fmt: skip


def _channels(x, v):
    return _core.reshape(v, (1, -1) + (1,) * (x.ndim - 2))


@op(aten._native_batch_norm_legit_no_training.default)
def batch_norm_inference(n, x, weight, bias, mean, variance, momentum, epsilon):
    nothing = _core.full(_float32, (0,), 0)
    wide = [None if v is None else cast(v, x.dtype) for v in (mean, variance, weight, bias)]
    return _core.batch_norm(x, *wide, epsilon, 1), nothing, nothing


def _batch_norm_training(x, weight, bias, mean, variance, momentum, epsilon):
    axes = tuple(a for a in range(x.ndim) if a != 1)
    wide = cast(x, _float32) if x.dtype.name in ("float16", "bfloat16") else x
    m, v = _functions.mean(wide, axis=axes), _functions.var(wide, axis=axes)
    inverse = _core.rsqrt(_core.add(v, epsilon))
    y = _core.mul(_core.sub(wide, _channels(x, m)), _channels(x, inverse))
    if weight is not None:
        y = _core.mul(y, _channels(x, cast(weight, y.dtype)))
    if bias is not None:
        y = _core.add(y, _channels(x, cast(bias, y.dtype)))
    count = x.size // x.shape[1]
    running = None
    if mean is not None:
        unbiased = _core.mul(v, count / max(count - 1, 1))
        running = (_core.add(_core.mul(mean, 1 - momentum), cast(_core.mul(m, momentum), mean.dtype)),
                   _core.add(_core.mul(variance, 1 - momentum), cast(_core.mul(unbiased, momentum), variance.dtype)))  # fmt: skip
    return cast(y, x.dtype), m, inverse, running


@op(aten._native_batch_norm_legit_functional.default)
def batch_norm_functional(n, x, weight, bias, mean, variance, training, momentum, epsilon):
    if not training:
        y, nothing, _ = batch_norm_inference(n, x, weight, bias, mean, variance, momentum, epsilon)
        return y, nothing, nothing, mean, variance
    y, m, inverse, running = _batch_norm_training(x, weight, bias, mean, variance, momentum, epsilon)
    return y, m, inverse, *running


@op(aten._native_batch_norm_legit.no_stats)
def batch_norm_no_stats(n, x, weight, bias, training, momentum, epsilon):
    return _batch_norm_training(x, weight, bias, None, None, momentum, epsilon)[:3]


@op(aten._batch_norm_with_update_functional.default)
def batch_norm_with_update(n, x, weight, bias, mean, variance, momentum, epsilon):
    y, m, inverse, running = _batch_norm_training(x, weight, bias, mean, variance, momentum, epsilon)
    return y, m, inverse, _core.full(as_dtype("uint8"), (0,), 0), *running


@op(aten.native_layer_norm.default)
def layer_norm(n, x, sizes, weight, bias, epsilon):
    axes = tuple(range(x.ndim - len(sizes), x.ndim))
    wide = cast(x, _float32) if x.dtype.name in ("float16", "bfloat16") else x
    return (_core.layer_norm_over(x, len(sizes), weight, bias, epsilon),
            lambda: _functions.mean(wide, axis=axes, keepdims=True),
            lambda: _core.rsqrt(_core.add(_functions.var(wide, axis=axes, keepdims=True), epsilon)))  # fmt: skip


@op(aten.native_group_norm.default)
def group_norm(n, x, weight, bias, count, channels, pixels, groups, epsilon):
    rows = _core.reshape(x, (count, groups, -1))
    wide = cast(rows, _float32) if x.dtype.name in ("float16", "bfloat16") else rows
    return (_core.group_norm(x, groups, weight, bias, epsilon),
            lambda: _functions.mean(wide, axis=-1),
            lambda: _core.rsqrt(_core.add(_functions.var(wide, axis=-1), epsilon)))  # fmt: skip


@op(aten._softmax.default)
def softmax(n, x, axis, half_to_float):
    return _core.softmax(cast(x, n.dtype), axis) if x.ndim else _core.full(n.dtype, (), 1.0)


@op(aten._log_softmax.default)
def log_softmax(n, x, axis, half_to_float):
    return _core.log_softmax(cast(x, n.dtype), axis) if x.ndim else _core.full(n.dtype, (), 0.0)


def _attention(q, k, v, mask, causal, scale):
    if mask is not None and mask.dtype.name != "bool":
        mask = cast(mask, q.dtype)
    return _core.attention(q, k, v, mask, causal, scale)


@op(aten._scaled_dot_product_flash_attention_for_cpu.default)
def flash_attention(n, q, k, v, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None):
    if dropout_p:
        raise Refused("attention with dropout")

    def logsumexp():
        wide = [cast(x, _float32) if x.dtype.name in ("float16", "bfloat16") else x for x in (q, k)]
        scores = _core.mul(_core.matmul(wide[0], _functions.swapaxes(wide[1], -1, -2)), q.shape[-1] ** -0.5 if scale is None else scale)
        if attn_mask is not None and attn_mask.dtype.name == "bool":
            scores = _core.select(attn_mask, scores, float("-inf"))
        elif attn_mask is not None:
            scores = _core.add(scores, cast(attn_mask, scores.dtype))
        if is_causal:
            part = _core.tril(_core.full(as_dtype("bool"), scores.shape[-2:], True))
            scores = _core.select(part, scores, float("-inf"))
        return _functions.logsumexp(scores, axis=-1)

    return _attention(q, k, v, attn_mask, is_causal, scale), logsumexp


@op(aten._scaled_dot_product_flash_attention_for_cpu_backward.default)
def flash_attention_backward(n, gradient, q, k, v, out, logsumexp, dropout_p, is_causal, *, attn_mask=None, scale=None):
    if dropout_p:
        raise Refused("attention with dropout")
    _, pull = vjp(lambda q, k, v: _attention(q, k, v, attn_mask, is_causal, scale), q, k, v)
    return pull(gradient)


# Pools.


def _pool(reduction, x, size, stride, padding, dilation, ceil_mode, exclude, divisor=0.0):
    dims = len(size)
    if x.ndim == dims + 1:
        batch = _core.expand_dims(x, 0)
        return _core.squeeze(_pool(reduction, batch, size, stride, padding, dilation, ceil_mode, exclude, divisor), 0)
    stride = _each(stride, dims) if stride else size
    padding = _each(padding, dims)
    return _core.pool(_core.reduction[reduction], x, dims, 0, size, stride, padding, padding, _each(dilation, dims), ceil_mode,
                      exclude, divisor)  # fmt: skip


@op(aten.max_pool2d_with_indices.default)
def max_pool(n, x, size, stride=(), padding=0, dilation=1, ceil_mode=False):
    size = _each(size, 2)
    value = _pool("max", x, size, stride, padding, dilation, ceil_mode, False)
    if x.ndim == 3:
        return value, _unknown_places
    return value, lambda: _max_places(x, value, size, _each(stride or size, 2), _each(padding, 2), _each(dilation, 2))


@op(aten.max_pool3d_with_indices.default)
def max_pool_of_volumes(n, x, size, stride=(), padding=0, dilation=1, ceil_mode=False):
    return _pool("max", x, _each(size, 3), stride, padding, dilation, ceil_mode, False), _unknown_places


@op(aten.adaptive_max_pool2d.default, aten.adaptive_max_pool3d.default)
def adaptive_max_pool(n, x, size):
    if x.ndim == len(size) + 1:
        return _core.squeeze(adaptive_max_pool(n, _core.expand_dims(x, 0), size)[0], 0), _unknown_places
    return _core.adaptive_pool(_core.reduction["max"], x, len(size), 0, size), _unknown_places


def _unknown_places():
    raise Refused("the indices of a max pool or an embedding bag")


def _max_places(x, value, size, stride, padding, dilation):
    """Returns the position in the image of each window's largest element, or of its last NaN if
    it has one. Searches the elements of the window. As in ATen, the search starts with the smallest
    value at the first position inside the image. Only a larger element or NaN replaces it, so
    padding, which has the smallest value, never replaces it."""
    height, width = value.shape[2:]
    int64 = as_dtype("int64")
    need = [(o - 1) * s + (k - 1) * d + 1 for o, s, k, d in zip((height, width), stride, size, dilation)]
    high = [max(0, m - p - e) for m, p, e in zip(need, padding, x.shape[2:])]
    least = float("-inf") if is_float(x.dtype) else iinfo(x.dtype).min
    padded = _core.pad(x, [0, 0, *padding], [0, 0, *high], None, least)
    rows = _core.sub(_core.mul(_core.reshape(_core.arange(0.0, float(height), 1.0, int64), (-1, 1)), stride[0]), padding[0])
    columns = _core.sub(_core.mul(_core.arange(0.0, float(width), 1.0, int64), stride[1]), padding[1])

    def place(row, column):
        return _core.add(_core.mul(row, x.shape[3]), column)

    first = place(*(_core.select(_core.lt(v, 0), _core.mod(v, d), v) for v, d in zip((rows, columns), dilation)))
    best, chosen = _core.full(x.dtype, value.shape, least), _core.broadcast_to(first, value.shape)
    for i in range(size[0]):
        for j in range(size[1]):
            a, b = i * dilation[0], j * dilation[1]
            tap = padded[:, :, a:a + (height - 1) * stride[0] + 1:stride[0], b:b + (width - 1) * stride[1] + 1:stride[1]]
            is_better = _core.gt(tap, best)
            if is_float(x.dtype):
                is_better = _core.logical_or(is_better, _core.is_nan(tap))
            best = _core.select(is_better, tap, best)
            chosen = _core.select(is_better, place(_core.add(rows, a), _core.add(columns, b)), chosen)
    return chosen


@op(aten.max_pool2d_with_indices_backward.default)
def max_pool_backward(n, gradient, x, size, stride, padding, dilation, ceil_mode, indices):
    images = gradient.shape[0] * gradient.shape[1]
    flat = _core.full(gradient.dtype, (images, x.shape[2] * x.shape[3]), 0)
    places = _core.reshape(indices, (images, -1))
    image = _core.reshape(_core.arange(0.0, float(images), 1.0, as_dtype("int64")), (-1, 1))
    image = _core.broadcast_to(image, places.shape)
    return _core.reshape(flat.at[image, places].add(_core.reshape(gradient, places.shape)), x.shape)


@op(aten.avg_pool2d.default, aten.avg_pool1d.default, aten.avg_pool3d.default)
def avg_pool(n, x, size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    size = _each(size, x.ndim - 2)
    if divisor_override is not None:
        if ceil_mode:
            raise Refused("an average pool with a divisor and cut windows")
        mean = _pool("mean", x, size, stride, padding, 1, ceil_mode, False)
        return _core.mul(mean, math.prod(size) / divisor_override)
    return _pool("mean", x, size, stride, padding, 1, ceil_mode, not count_include_pad)


@op(aten.avg_pool2d_backward.default)
def avg_pool_backward(n, gradient, x, size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    _, pull = vjp(lambda x: avg_pool(n, x, size, stride, padding, ceil_mode, count_include_pad, divisor_override), x)
    return pull(gradient)[0]


@op(aten._adaptive_avg_pool2d.default, aten.adaptive_avg_pool2d.default, aten._adaptive_avg_pool3d.default)
def adaptive_avg_pool(n, x, size):
    return _core.adaptive_pool(_core.reduction["mean"], x, len(size), 0, size)


@op(aten._adaptive_avg_pool2d_backward.default)
def adaptive_avg_pool_backward(n, gradient, x):
    _, pull = vjp(lambda x: adaptive_avg_pool(n, x, gradient.shape[2:]), x)
    return pull(gradient)[0]


@op(aten.col2im.default)
def col2im(n, x, size, kernel, dilation, padding, stride):
    """Adds overlapping windows along one axis after another. The elements at one position in the
    window are a strided slice of the image."""
    counts = [(s + 2 * p - d * (k - 1) - 1) // t + 1 for s, k, d, p, t in zip(size, kernel, dilation, padding, stride)]
    made = _core.reshape(x, (-1, *kernel, *counts))
    for axis in 1, 0:
        extent = size[axis] + 2 * padding[axis]
        step, rank = stride[axis], made.ndim - 1
        place = rank - 2 + axis
        total = None
        for i in range(kernel[axis]):
            part = made[along(made, 1 + axis, i)]
            low, high, gaps = ([0] * rank for _ in range(3))
            low[place], gaps[place] = i * dilation[axis], step - 1
            high[place] = extent - low[place] - (counts[axis] - 1) * step - 1
            part = _core.pad(part, low, high, gaps, 0)
            total = part if total is None else _core.add(total, part)
        made = total[along(total, place, slice(padding[axis], padding[axis] + size[axis]))]
    lead = x.shape[:-2] if x.ndim == 3 else []
    return _core.reshape(made, (*lead, x.shape[-2] // math.prod(kernel), *size))


# Distances and bags.


@op(aten._cdist_forward.default)
def cdist(n, x, y, p, mode=None):
    return _core.norm(_core.sub(_core.expand_dims(x, -2), _core.expand_dims(y, -3)), float(p), (-1,), False)


@op(aten._pdist_forward.default)
def pdist(n, x, p=2.0):
    first, second = (_core.as_array(part) for part in np.triu_indices(x.shape[0], 1))
    return _core.norm(_core.sub(_core.take(x, first, 0), _core.take(x, second, 0)), float(p), (-1,), False)


@op(aten._trilinear.default)
def trilinear(n, x, y, z, expand_x, expand_y, expand_z, sums, unroll=1):
    def expanded(v, axes):
        for axis in sorted(axes):
            v = _core.expand_dims(v, axis)
        return v

    product = _core.mul(_core.mul(expanded(x, expand_x), expanded(y, expand_y)), expanded(z, expand_z))
    return _functions.sum(product, axis=tuple(sums))


def _size_of_bags(offsets, count):
    """Returns the size of the bags if all have the same size, as with a 2-D input; 0 if the size
    is unknown."""
    if getattr(offsets, "target", None) is not aten.arange.start_step or len(offsets.args) != 3:
        return 0
    start, end, step = offsets.args
    return step if start == 0 and isinstance(step, int) and step > 0 and end == count and count % step == 0 else 0


@op(aten._embedding_bag_forward_only.default, aten._embedding_bag.default)
def embedding_bag(n, weight, indices, offsets, scale=False, mode=0, sparse=False, weights=None, last=False, padding=-1):
    if padding != -1:
        raise Refused("bags with a row that does not count")
    rows = _core.take(weight, indices, 0)
    rows = cast(rows, _float32) if n.dtype.name in ("float16", "bfloat16") else rows
    if weights is not None:
        rows = _core.mul(rows, _core.expand_dims(cast(weights, rows.dtype), -1))
    size = 0 if last else _size_of_bags(n.node.args[2], indices.shape[0])
    made = _equal_bags(rows, size, mode) if size else _unequal_bags(rows, offsets[:-1] if last else offsets, mode)
    return made, _unknown_places, _unknown_places, _unknown_places


def _equal_bags(rows, size, mode):
    bags = _core.reshape(rows, (rows.shape[0] // size, size, rows.shape[1]))
    return (_functions.sum, _functions.mean, _functions.max)[mode](bags, axis=1)


def _unequal_bags(rows, starts, mode):
    int64 = as_dtype("int64")
    places = _core.arange(0.0, float(rows.shape[0]), 1.0, int64)
    bags = _core.sub(_core.searchsorted(cast(starts, int64), places, True), 1)
    sizes = _core.segment_sum(_core.full(int64, places.shape, 1), bags, starts.shape[0])
    if mode == 2:
        made = _core.segment_max(rows, bags, starts.shape[0])
        return _core.select(_core.gt(_core.expand_dims(sizes, -1), 0), made, 0)
    made = _core.segment_sum(rows, bags, starts.shape[0])
    if mode == 1:
        made = _core.div(made, cast(_core.expand_dims(_core.maximum(sizes, 1), -1), made.dtype))
    return made


