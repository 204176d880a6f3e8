"""ATen's complex numbers and Fourier transforms."""

from .. import _core, _functions
from .._dtypes import as_dtype, is_complex
from ._table import arrays, aten, cast, op


@op(aten.complex.default)
def complex(n, real, imaginary):
    return _core.complex(real, imaginary)


@op(aten.polar.default)
def polar(n, magnitude, angle):
    return _core.polar(magnitude, angle)


@op(aten._conj.default, aten._conj_physical.default, aten.conj_physical.default)
def conj(n, x):
    (x,) = arrays(n.dtype, x)  # x may be a number instead of an array
    return _core.conj(x) if is_complex(x.dtype) else x


@op(aten._neg_view.default)
def neg_view(n, x):
    return _core.neg(x)


@op(aten.resolve_conj.default, aten.resolve_neg.default)
def resolved(n, x):
    return x


@op(aten.view_as_real.default)
def view_as_real(n, x):
    return _core.stack([_core.real(x), _core.imag(x)], -1)


@op(aten.view_as_complex.default)
def view_as_complex(n, x):
    return _core.complex(x[..., 0], x[..., 1])


@op(aten.real.default)
def real(n, x):
    return _core.real(x) if is_complex(x.dtype) else x


@op(aten.imag.default)
def imag(n, x):
    return _core.imag(x)


@op(aten.angle.default)
def angle(n, x):
    return _core.angle(cast(x, n.dtype) if not is_complex(x.dtype) else x)


# ATen's normalizations: none, by the square root of the size, and by the size.
_FORWARD, _INVERSE = ("backward", "ortho", "forward"), ("forward", "ortho", "backward")


def _axes(x, axes):
    return [a % x.ndim for a in axes]


@op(aten._fft_c2c.default)
def fft_c2c(n, x, axes, normalization, forward):
    if not axes:
        return x
    return (_core.fftn if forward else _core.ifftn)(x, None, _axes(x, axes), (_FORWARD if forward else _INVERSE)[normalization])


@op(aten._fft_r2c.default)
def fft_r2c(n, x, axes, normalization, onesided):
    return (_core.rfftn if onesided else _core.fftn)(x, None, _axes(x, axes), _FORWARD[normalization])


@op(aten._fft_c2r.default)
def fft_c2r(n, x, axes, normalization, size):
    axes = _axes(x, axes)
    return _core.irfftn(x, [*(x.shape[a] for a in axes[:-1]), size], axes, _INVERSE[normalization])
