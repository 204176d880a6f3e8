"""What PyTorch judges, in f64 on its CPU; the form of the cases is that of cases.py."""

import numpy as np
import torch
import torch.nn.functional as F

from cases import text
from draw import Draw
from windows_binding import conv, pool

OPS = {}


def op(name):
    def register(function):
        OPS[name] = function
        return function

    return register


def wide(x):
    return None if x is None else torch.from_numpy(np.ascontiguousarray(x).astype(np.float64))


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
    x = d.array(dtype, (d.pick([1, 1, 2, 3] if transposed else [0, 1, 1, 2, 3]), channels, *spatial(d, dims)), special=False)
    shape = (groups * each, out) if transposed else (groups * out, each)
    w = d.array(dtype, (*shape, *kernel), special=False)
    bias = d.array(dtype, (groups * out + (1 if d.chance(3) else 0),), special=False) if d.chance(60) else None
    if d.chance(10) and x.shape[0]:
        x = x[0]
    channels_last = d.chance(35)
    more = sizes(d, dims, [0, 0, 0, 1, 2]) if transposed else None
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
        return conv(lib, "conv_transpose" if transposed else "conv", a, k, bias, **fields)

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
        return pool(lib, "max" if largest else "mean", last(x, dims) if channels_last else x, dims=dims,
                    layout=int(channels_last), ceil_mode=int(ceil), exclude_padding=int(not include), size=size,
                    stride=stride, padding_low=padding, dilation=dilation)  # fmt: skip

    eps = np.finfo(x.dtype).eps
    said = text(name, x, size, stride, padding, dilation, ceil, include, channels_last)
    return said, ours, theirs, 0 if largest else lambda y: 8 * eps * np.maximum(4.0, np.abs(y))


for _dims in (1, 2, 3):
    for _largest in (False, True):
        OPS[f"{'max' if _largest else 'avg'}_pool{_dims}d"] = (
            lambda d, lib, dims=_dims, largest=_largest: pool_case(d, lib, dims, largest))  # fmt: skip
