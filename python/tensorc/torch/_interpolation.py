"""ATen's interpolations, and a scope that prevents AOTAutograd from decomposing them into gathers."""

import contextlib

import torch
from torch._C import DispatchKey

from .. import _core
from .._transforms import vjp
from ._table import Refused, aten, op

_linear = (aten.upsample_linear1d, aten.upsample_bilinear2d, aten.upsample_trilinear3d)
_nearest = (aten.upsample_nearest1d, aten.upsample_nearest2d, aten.upsample_nearest3d)


def _divides(sizes, made, factors):
    """Returns False if ATen computes positions from a factor that does not divide the sizes,
    instead of from the sizes."""
    return all(f is None or m == s * f for m, s, f in zip(made, sizes, factors))


def _sizes(x, sizes, factors):
    if sizes is not None:
        return sizes
    made = [int(s * f) for s, f in zip(x.shape[2:], factors)]
    if not _divides(x.shape[2:], made, factors):
        raise Refused("a factor of an interpolation that does not divide")
    return made


@op(aten.upsample_nearest1d.vec, aten.upsample_nearest2d.vec, aten.upsample_nearest3d.vec)
def upsample_nearest(n, x, sizes, factors):
    return _core.interpolate(x, _sizes(x, sizes, factors), _core.interpolation["nearest"])


@op(*(packet.default for packet in _nearest))
def upsample_nearest_to(n, x, sizes, *factors):
    if not _divides(x.shape[2:], sizes, factors):
        raise Refused("a factor of an interpolation that does not divide")
    return upsample_nearest(n, x, sizes, None)


@op(aten.upsample_nearest1d_backward.default, aten.upsample_nearest2d_backward.default,
    aten.upsample_nearest3d_backward.default)  # fmt: skip
def upsample_nearest_backward(n, gradient, sizes, shape, *factors):
    _, pull = vjp(lambda x: upsample_nearest_to(n, x, sizes, *factors), _core.full(gradient.dtype, shape, 0))
    return pull(gradient)[0]


@op(aten.upsample_linear1d.vec, aten.upsample_bilinear2d.vec, aten.upsample_trilinear3d.vec)
def upsample_linear(n, x, sizes, align_corners, factors):
    return _core.interpolate(x, _sizes(x, sizes, factors), _core.interpolation["linear_corners" if align_corners else "linear"])


@op(*(packet.default for packet in _linear))
def upsample_linear_to(n, x, sizes, align_corners, *factors):
    if not align_corners and not _divides(x.shape[2:], sizes, factors):
        raise Refused("a factor of an interpolation that does not divide")
    return upsample_linear(n, x, sizes, align_corners, None)


@op(aten.upsample_linear1d_backward.default, aten.upsample_bilinear2d_backward.default,
    aten.upsample_trilinear3d_backward.default)  # fmt: skip
def upsample_linear_backward(n, gradient, sizes, shape, align_corners, *factors):
    _, pull = vjp(lambda x: upsample_linear_to(n, x, sizes, align_corners, *factors), _core.full(gradient.dtype, shape, 0))
    return pull(gradient)[0]


def _is_whole(x, sizes, align_corners, factors):
    """Returns True if the conversion computes the same as ATen: for floats and known
    sizes."""
    if x.dtype not in (torch.float32, torch.float64) or not all(type(s) is int for s in (*x.shape, *(sizes or ()))):
        return False
    made = sizes or [int(s * f) for s, f in zip(x.shape[2:], factors)]
    return align_corners or _divides(x.shape[2:], made, factors or ())


def _by_sizes(packet, decompose):
    def upsample(x, sizes, *corners_and_factors):
        *corners, factors = corners_and_factors
        if not _is_whole(x, sizes, any(corners), factors):
            return decompose(x, sizes, *corners, factors)
        return packet.default(x, sizes or [int(s * f) for s, f in zip(x.shape[2:], factors)], *corners)

    return upsample


def decompositions(theirs):
    """Returns PyTorch's decompositions of those interpolations that the conversion does not
    compute."""

    def kept(decompose, corners):
        def upsample(x, sizes, *rest):
            if _is_whole(x, sizes, any(rest[:corners]), rest[corners:]):
                return NotImplemented
            return decompose(x, sizes, *rest)

        return upsample

    return {packet.default: kept(theirs[packet.default], int(packet in _linear)) for packet in (*_linear, *_nearest)}


def _softshrink(x, width=0.5):
    """Needs half as many operations as PyTorch's decomposition."""
    return torch.where(x > width, x - width, torch.where(x < -width, x + width, x * 0))


@contextlib.contextmanager
def whole():
    """A scope in which interpolations are not decomposed. Otherwise PyTorch converts them to
    gathers for every backend, before other decompositions."""
    saved = [(aten.softshrink.default, dict(aten.softshrink.default.py_kernels))]
    aten.softshrink.default.py_kernels[DispatchKey.Autograd] = _softshrink
    aten.softshrink.default._dispatch_cache.clear()
    for packet in (*_linear, *_nearest):
        for overload in packet.vec, packet.default:
            saved.append((overload, dict(overload.py_kernels)))
            for key in DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd:
                former = overload.py_kernels.pop(key, None)
                if former and overload is packet.vec:
                    overload.py_kernels[key] = _by_sizes(packet, former)
            overload._dispatch_cache.clear()
    try:
        yield
    finally:
        for overload, kernels in saved:
            overload.py_kernels.clear()
            overload.py_kernels.update(kernels)
            overload._dispatch_cache.clear()
