"""What PyTorch judges, in f64 on its CPU; the form of the cases is that of cases.py."""

import numpy as np
import torch
import torch.nn.functional as F

from cases import registry, text
from draw import Draw

OPS, op = registry()


def wide(x):
    return None if x is None else torch.from_numpy(np.array(x, np.float64, order="C"))


def rounded(y, dtype):
    return y.numpy().astype(dtype)


def last(x, dims):
    """N, C, spatial to N, spatial, C; kernels O, C, spatial to spatial, C, O."""
    return np.moveaxis(x, -1 - dims, -1)


def sizes(d: Draw, dims, values):
    return [d.pick(values) for _ in range(dims)]


# Convolution -----------------------------------------------------------------------------------------------------


def spatial(d, dims):
    return sizes(d, dims, {1: [1, 5, 8, 17, 33, 50], 2: [1, 3, 6, 9, 13], 3: [1, 3, 4, 6]}[dims])


def dot_bound(dtype, magnitudes, count, added=0.0):
    """Of sums of products whose magnitudes add up to this. Halves accumulate in f32, round, and add the bias."""
    eps = np.finfo(np.float32 if dtype == np.float16 else dtype).eps
    rounding = 2 * np.finfo(dtype).eps
    return lambda y: eps * (4 + count**0.5) * magnitudes + rounding * (np.abs(y).astype(np.float64) + added)


def conv_case(d, lib, dims, transposed):
    dtype = d.pick(["f32", "f32", "f64", "f16"])
    groups, each, out = d.pick([1, 1, 1, 2, 3]), d.pick([1, 2, 3, 8]), d.pick([1, 2, 5, 16])
    if d.chance(15):  # depthwise
        groups, each, out = d.pick([2, 5, 8]), 1, d.pick([1, 2])
    kernel = sizes(d, dims, [1, 2, 3, 3, 5])
    stride, dilation, padding = (sizes(d, dims, v) for v in ([1, 1, 2, 3], [1, 1, 2], [0, 0, 1, 2]))
    channels = groups * each + (1 if d.chance(4) else 0)
    extents = spatial(d, dims)
    if not transposed and d.chance(93):  # else many a kernel would not fit
        extents = [max(n, e * (k - 1) + 1 - 2 * p) for n, e, k, p in zip(extents, dilation, kernel, padding)]
    x = d.array(dtype, (d.pick([1, 1, 2, 3] if transposed else [0, 1, 1, 2, 3]), channels, *extents), special=False)
    shape = (groups * each, out) if transposed else (groups * out, each)
    w = d.array(dtype, (*shape, *kernel), special=False)
    bias = d.array(dtype, (groups * out + (1 if d.chance(3) else 0),), special=False) if d.chance(60) else None
    if d.chance(10) and x.shape[0]:
        x = x[0]
    channels_last = d.chance(35)
    more = sizes(d, dims, [0, 0, 0, 1, 2]) if transposed else None
    if transposed and d.chance(90):
        more = [min(m, max(a, b) - 1) for m, a, b in zip(more, stride, dilation)]
    mode = d.pick(["explicit", "explicit", "explicit", "same", "valid"]) if not transposed else "explicit"
    name = f"conv{'_transpose' if transposed else ''}{dims}d"
    fields = dict(dims=dims, layout=int(channels_last), groups=groups, stride=stride, dilation=dilation,
                  padding={"explicit": 0, "same": 1, "valid": 2}[mode], padding_low=padding, output_padding=more)  # fmt: skip
    function = getattr(F, name)

    def theirs(x=x, w=w, bias=bias):
        if transposed:
            y = function(wide(x), wide(w), wide(bias), stride, padding, more, groups, dilation)
        else:
            y = function(wide(x), wide(w), wide(bias), stride, padding if mode == "explicit" else mode, dilation, groups)
        y = y.numpy()
        return last(y, dims) if channels_last else y

    def ours():
        a, k = (last(x, dims), np.moveaxis(w, (0, 1), (-2, -1) if transposed else (-1, -2))) if channels_last else (x, w)
        return lib.conv("conv_transpose" if transposed else "conv", a, k, bias, **fields)

    def bound(y):
        magnitudes = theirs(np.abs(x), np.abs(w), None if bias is None else np.abs(bias))
        return dot_bound(x.dtype, magnitudes, each * np.prod(kernel), 0 if bias is None else np.abs(bias).max())(y)

    said = text(name, x, w, stride, padding, dilation, groups, mode, more, channels_last)
    return said, ours, lambda: theirs().astype(x.dtype), bound


for _dims in (1, 2, 3):
    for _transposed in (False, True):
        OPS[f"conv{'_transpose' if _transposed else ''}{_dims}d"] = (
            lambda d, lib, dims=_dims, transposed=_transposed: conv_case(d, lib, dims, transposed))  # fmt: skip


# Pooling ---------------------------------------------------------------------------------------------------------


def pool_case(d, lib, dims, largest):
    dtype = d.pick(["f32", "f64", "f16"])
    size = sizes(d, dims, [1, 2, 3, 5])
    stride = d.pick([None, sizes(d, dims, [1, 2, 3])])
    padding = [d.integer(0, s // 2 + (1 if d.chance(4) else 0)) for s in size]
    dilation = sizes(d, dims, [1, 1, 2]) if largest else [1] * dims
    extents = spatial(d, dims)
    if d.chance(90):
        extents = [max(n, e * (k - 1) + 1 - 2 * p) for n, e, k, p in zip(extents, dilation, size, padding)]
    if dims == 3 and not largest:  # avg_pool3d wants x to hold a window without its padding
        extents = [max(n, s) for n, s in zip(extents, size)]
    x = d.array(dtype, (d.pick([1, 2, 3]), d.pick([1, 3, 8]), *extents), special=largest)
    if d.chance(10):
        x = x[0]
    ceil, include, channels_last = d.chance(30), d.chance(50), d.chance(30)
    name = f"{'max' if largest else 'avg'}_pool{dims}d"

    def theirs():
        if largest:
            y = getattr(F, name)(wide(x), size, stride, padding, dilation, ceil)
        else:
            y = getattr(F, name)(wide(x), size, stride, padding, ceil, include)
        y = rounded(y, x.dtype)
        return last(y, dims) if channels_last else y

    def ours():
        return lib.windowed("pool", "max" if largest else "mean", last(x, dims) if channels_last else x, dims=dims,
                    layout=int(channels_last), ceil_mode=int(ceil), exclude_padding=int(not include), size=size,
                    stride=stride, padding_low=padding, dilation=dilation)  # fmt: skip

    eps = np.finfo(x.dtype).eps
    said = text(name, x, size, stride, padding, dilation, ceil, include, channels_last)
    return said, ours, theirs, 0 if largest else lambda y: 8 * eps * np.maximum(4.0, np.abs(y))


for _dims in (1, 2, 3):
    for _largest in (False, True):
        OPS[f"{'max' if _largest else 'avg'}_pool{_dims}d"] = (
            lambda d, lib, dims=_dims, largest=_largest: pool_case(d, lib, dims, largest))  # fmt: skip


# Activations -----------------------------------------------------------------------------------------------------


def activation(name, function, parameters):
    def draw(d, lib):
        x = d.array(d.pick(["f32", "f64", "f16"]), d.shape(), low=-30, high=30)
        parameter = d.pick(parameters)
        extra = () if parameter is None else (parameter,)
        ours = (lambda: lib.activate(name, x)) if parameter is None else (lambda: lib.activate_with(name, x, parameter))
        eps = np.finfo(x.dtype).eps
        return (text(name, x, parameter), ours, lambda: rounded(function(wide(x), *extra), x.dtype),
                lambda y: 16 * eps * np.maximum(1, np.abs(y).astype(np.float64)))  # fmt: skip

    OPS[name] = draw


activation("relu", F.relu, [None])
activation("sigmoid", torch.sigmoid, [None])
activation("silu", F.silu, [None])
activation("gelu", F.gelu, [None])
activation("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), [None])
activation("elu", F.elu, [None, 0.5, 2.0])
activation("leaky_relu", F.leaky_relu, [None, 0.2])
# PyTorch turns to x itself at 20, which is off by 2e-9.
activation("softplus", lambda x, beta=1.0: F.softplus(x, beta, threshold=500), [None, 0.5, 3.0])
activation("mish", F.mish, [None])
activation("hardswish", F.hardswish, [None])


# Normalizations --------------------------------------------------------------------------------------------------


def norm_bound(dtype):
    """A row of one element is its own mean: what rounding leaves is divided by sqrt(epsilon)."""
    return lambda y: 4000 * np.finfo(np.float32 if dtype == np.float16 else dtype).eps * np.maximum(
        1, np.abs(y).astype(np.float64)) + 4 * np.finfo(dtype).eps * np.abs(y).astype(np.float64)  # fmt: skip


def statistics(d, x, count, how_many, positive=()):
    """So many arrays of one number per channel; the first may be absent."""
    made = []
    for i in range(how_many):
        low = 0.1 if i in positive else -2.0
        size = count + 1 if d.chance(2) else count
        made.append(d.array(FLOAT_NAMES[x.dtype], (size,), low=low, high=3.0, special=False))
    return made


FLOAT_NAMES = {np.dtype(np.float16): "f16", np.dtype(np.float32): "f32", np.dtype(np.float64): "f64"}


@op("layer_norm")
def _layer_norm(d, lib):
    x = d.array(d.pick(["f32", "f64", "f16"]), d.some(d.shape(least=1)), special=False)
    scale, bias = statistics(d, x, x.shape[-1], 2)
    return (text("layer_norm", x), lambda: lib.layer_norm(x, scale, bias, 1e-5),
            lambda: rounded(F.layer_norm(wide(x), x.shape[-1:], wide(scale), wide(bias), 1e-5), x.dtype),
            norm_bound(x.dtype))  # fmt: skip


@op("rms_norm")
def _rms_norm(d, lib):
    x = d.array(d.pick(["f32", "f64", "f16"]), d.some(d.shape(least=1)), special=False)
    (scale,) = statistics(d, x, x.shape[-1], 1) if d.chance(70) else (None,)
    return (text("rms_norm", x, scale), lambda: lib.rms_norm(x, scale, 1e-5),
            lambda: rounded(F.rms_norm(wide(x), x.shape[-1:], wide(scale), 1e-5), x.dtype), norm_bound(x.dtype))  # fmt: skip


@op("group_norm")
def _group_norm(d, lib):
    groups, each = d.pick([1, 2, 3, 4]), d.pick([1, 2, 3])
    shape = (d.pick([1, 2, 3]), groups * each, *[d.pick([2, 3, 5, 8]) for _ in range(d.integer(1, 3))])
    x = d.array(d.pick(["f32", "f64", "f16"]), shape, special=False)
    scale, bias = statistics(d, x, groups * each, 2) if d.chance(70) else (None, None)
    if d.chance(5):
        groups += 1
    return (text("group_norm", x, groups, scale), lambda: lib.group_norm(x, groups, scale, bias, 1e-5),
            lambda: rounded(F.group_norm(wide(x), groups, wide(scale), wide(bias), 1e-5), x.dtype),
            norm_bound(x.dtype))  # fmt: skip


@op("batch_norm")
def _batch_norm(d, lib):
    x = d.array(d.pick(["f32", "f64", "f16"]), d.some(d.shape(least=2)), special=False)
    mean, variance, scale, bias = statistics(d, x, x.shape[1], 4, positive=(1,))
    if d.chance(30):
        scale = bias = None
    return (text("batch_norm", x, mean, scale), lambda: lib.batch_norm(x, mean, variance, scale, bias, 1e-5, 1),
            lambda: rounded(F.batch_norm(wide(x), wide(mean), wide(variance), wide(scale), wide(bias)), x.dtype),
            norm_bound(x.dtype))  # fmt: skip


def along(name, function):
    def draw(d, lib):
        x = d.array(d.pick(["f32", "f64", "f16"]), d.some(d.shape(least=1)), special=False, low=-50, high=50)
        axis = d.integer(-x.ndim, x.ndim - 1) if d.chance(96) else x.ndim
        return (text(name, x, axis), lambda: lib.call(name, x, axis), lambda: rounded(function(wide(x), axis), x.dtype),
                lambda y: 64 * np.finfo(y.dtype).eps * np.maximum(1, np.abs(y).astype(np.float64)))  # fmt: skip

    OPS[name] = draw


along("softmax", F.softmax)
along("log_softmax", F.log_softmax)


# Losses and attention --------------------------------------------------------------------------------------------


@op("cross_entropy")
def _cross_entropy(d, lib):
    classes = d.pick([1, 2, 3, 10, 33])
    shape = d.pick([(classes,), (1, classes), (7, classes), (4, classes, 5), (2, classes, 3, 4)])
    logits = d.array(d.pick(["f32", "f64"]), shape, special=False, low=-20, high=20)
    own = shape[:0] if len(shape) == 1 else (shape[0], *shape[2:])
    labels = np.asarray(d.rng.integers(classes, size=own), np.int64)
    ignore = d.pick([-100, 0, 1])
    if ignore == -100 and d.chance(30):
        labels = np.where(d.rng.integers(3, size=own) == 0, -100, labels)
    weight = statistics(d, logits, classes, 1, positive=(0,))[0] if d.chance(40) else None
    if d.chance(3):
        labels = labels[None]
    reduction, smoothing = d.pick(["mean", "sum", "none"]), d.pick([0.0, 0.0, 0.1])
    # PyTorch wants i64; any integer will do here.
    given = labels.astype(d.pick([np.int32, np.int64, np.int16]))

    def theirs():
        y = F.cross_entropy(wide(logits), torch.from_numpy(np.array(labels)), wide(weight), ignore_index=ignore,
                            reduction=reduction, label_smoothing=smoothing)  # fmt: skip
        return rounded(y, logits.dtype)

    return (text("cross_entropy", logits, labels, weight, reduction, ignore, smoothing),
            lambda: lib.cross_entropy(logits, given, weight, reduction, ignore, smoothing), theirs,
            lambda y: 256 * np.finfo(y.dtype).eps * np.maximum(8, np.abs(y)))  # fmt: skip


@op("attention")
def _attention(d, lib):
    dtype = d.pick(["f32", "f32", "f64", "f16"])
    batch, heads, shared = d.pick([[], [1], [2]]), d.pick([1, 2, 4]), d.pick([1, 1, 2])
    length, keys = d.pick([1, 3, 8, 17]), d.pick([1, 3, 8, 33])
    size, out = d.pick([1, 4, 8, 16]), d.pick([1, 4, 8])
    q = d.array(dtype, (*batch, heads * shared, length, size), special=False)
    k = d.array(dtype, (*batch, heads, keys, size + (1 if d.chance(3) else 0)), special=False)
    v = d.array(dtype, (*batch, heads, keys + (1 if d.chance(3) else 0), out), special=False)
    scale = d.pick([None, None, 0.3])
    mask, causal = None, False
    kind = d.integer(0, 3)
    shape = d.pick([(length, keys), (1, keys), (heads * shared, length, keys)])
    if kind == 1:
        mask = d.array("i1", shape)
    elif kind == 2:
        mask = d.array(dtype, shape, special=False)
    causal = kind == 3

    def theirs():
        m = torch.from_numpy(np.array(mask, order="C")) if kind == 1 else wide(mask)
        y = F.scaled_dot_product_attention(wide(q), wide(k), wide(v), m, is_causal=causal, scale=scale,
                                           enable_gqa=shared > 1)  # fmt: skip
        return rounded(y, q.dtype)

    # Weights that add up to 1, of values below 4; f16 rounds the scores.
    scores = np.abs(q).max() * np.abs(k).max() * size * (scale or size**-0.5)
    return (text("attention", q, k, v, mask, causal, scale), lambda: lib.attention(q, k, v, mask, causal, scale),
            theirs, lambda y: np.finfo(y.dtype).eps * 32 * (1 + float(scores)))  # fmt: skip


@op("interpolate")
def _interpolate(d, lib):
    dims, dtype = d.integer(1, 3), d.pick(["f32", "f32", "f64"])
    x = d.array(dtype, (d.pick([1, 2]), d.pick([1, 3]), *spatial(d, dims)), special=False)
    size = sizes(d, dims, [1, 2, 3, 5, 8, 12])
    if d.chance(3):
        size[0] = 0
    mode = d.pick(["nearest", "linear", "corners"])
    names = {1: "linear", 2: "bilinear", 3: "trilinear"}

    def theirs():
        given = torch.from_numpy(np.array(x, order="C"))  # nearest: ties fall as the dtype rounds
        if mode == "nearest":
            return F.interpolate(given, size, mode="nearest").numpy()
        return rounded(F.interpolate(wide(x), size, mode=names[dims], align_corners=mode == "corners"), x.dtype)

    # Positions are rounded too.
    bound = lambda y: 512 * np.finfo(y.dtype).eps  # noqa: E731
    return (text("interpolate", x, size, mode), lambda: lib.interpolate(x, size, mode), theirs,
            0 if mode == "nearest" else bound)  # fmt: skip
