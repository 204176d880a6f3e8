"""tensorc/arrays.h and tensorc/nn.h through ctypes."""

import ctypes

from binding import ACTIVATIONS, HERE, Tensor, ints

I64, F64 = ctypes.c_int64, ctypes.c_double
LOSSES = {"mean": 0, "sum": 1, "none": 2}
PADS = {"edge": 0, "reflect": 1, "wrap": 2}


def handles(tensors):
    return (ctypes.c_void_p * max(1, len(tensors)))(*[t.handle for t in tensors])


def optional(lib, array):
    return None if array is None else lib.tensor(array)


def einsum(lib, subscripts, arrays):
    tensors = [lib.tensor(a) for a in arrays]
    return lib.call("einsum", subscripts.encode(), handles(tensors), len(tensors))


def tensordot(lib, x, y, x_axes, y_axes):
    return lib.call("tensordot", lib.tensor(x), lib.tensor(y), len(x_axes), ints(x_axes), ints(y_axes))


def kron(lib, x, y):
    return lib.call("kron", lib.tensor(x), lib.tensor(y))


def triangle(lib, x, diagonal, upper):
    return lib.call("triangle", lib.tensor(x), I64(diagonal), int(upper))


def diag(lib, x, diagonal):
    return lib.call("diag", lib.tensor(x), I64(diagonal))


def roll(lib, x, shifts, axes):
    return lib.call("roll", lib.tensor(x), len(shifts), ints(shifts), len(axes), ints(axes))


def tile(lib, x, repetitions):
    return lib.call("tile", lib.tensor(x), len(repetitions), ints(repetitions))


def repeat(lib, x, count, axis):
    return lib.call("repeat", lib.tensor(x), I64(count), I64(axis))


def stack(lib, arrays, axis):
    tensors = [lib.tensor(a) for a in arrays]
    return lib.call("stack", handles(tensors), len(tensors), I64(axis))


def meshgrid(lib, arrays, xy):
    tensors = [lib.tensor(a) for a in arrays]
    out = (ctypes.c_void_p * max(1, len(tensors)))()
    entry = lib.lib.tensorc_meshgrid
    entry.restype = ctypes.c_void_p
    lib.check(entry(handles(tensors), len(tensors), int(xy), HERE, out))
    return [Tensor(lib, ctypes.c_void_p(handle)) for handle in out[: len(tensors)]]


def pad_with(lib, x, low, high, mode):
    return lib.call("pad_with", lib.tensor(x), ints(low), ints(high), PADS[mode])


def activate_with(lib, name, x, parameter):
    return lib.call("activate_with", ACTIVATIONS[name], lib.tensor(x), F64(parameter))


def logsumexp(lib, x, axes, keepdims):
    return lib.call("logsumexp", lib.tensor(x), len(axes), ints(axes), int(keepdims))


def std(lib, x, axes, correction, keepdims):
    return lib.call("std", lib.tensor(x), len(axes), ints(axes), F64(correction), int(keepdims))


def norm(lib, x, order, axes, keepdims):
    return lib.call("norm", lib.tensor(x), F64(order), len(axes), ints(axes), int(keepdims))


def rms_norm(lib, x, scale, epsilon):
    return lib.call("rms_norm", lib.tensor(x), optional(lib, scale), F64(epsilon))


def group_norm(lib, x, groups, scale, bias, epsilon):
    return lib.call("group_norm", lib.tensor(x), I64(groups), optional(lib, scale), optional(lib, bias), F64(epsilon))


def batch_norm(lib, x, mean, variance, scale, bias, epsilon):
    return lib.call("batch_norm", lib.tensor(x), lib.tensor(mean), lib.tensor(variance), optional(lib, scale),
                    optional(lib, bias), F64(epsilon), I64(1))  # fmt: skip


def cross_entropy(lib, logits, labels, weight, reduction, ignore, smoothing):
    return lib.call("cross_entropy", lib.tensor(logits), lib.tensor(labels), optional(lib, weight), LOSSES[reduction],
                    I64(ignore), F64(smoothing))  # fmt: skip


def attention(lib, q, k, v, mask, causal, scale):
    scale = None if scale is None else ctypes.byref(F64(scale))
    return lib.call("attention", lib.tensor(q), lib.tensor(k), lib.tensor(v), optional(lib, mask), int(causal), scale)


def interpolate(lib, x, sizes, mode):
    return lib.call("interpolate", lib.tensor(x), len(sizes), ints(sizes), ["nearest", "linear", "corners"].index(mode))
