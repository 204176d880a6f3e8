"""Discrete Fourier transforms, with the interface of the array API and NumPy.

For float64 and complex128 the results are complex128 or float64, for all other dtypes complex64 or float32. The
length of a transform must be known when it is compiled.
"""

from . import _core
from ._arguments import _array, _axis
from ._dtypes import as_dtype, default_float

__all__ = ["fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft",
           "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn"]  # fmt: skip


def __dir__():
    return __all__


def _along(function, x, n, axis, norm):
    if n is not None and n < 0:
        raise ValueError(f"{function.__name__}: a transform has at least one element, not {n}")
    return function(_array(x), -1 if n is None else n, axis, norm)


def _over(function, x, s, axes, norm):
    if (axes is not None and len(axes) == 0) or (axes is None and s is not None and len(s) == 0):
        if function in (_core.fftn, _core.ifftn):
            return _array(x)
        raise ValueError(f"{function.__name__}: at least one axis is needed")
    return function(_array(x), s, axes, norm)


def fft(x, /, n=None, axis=-1, norm="backward"):
    """The Fourier transform along an axis. Its elements are cropped, or padded with zeros at the end, to n.

    The norm "backward" divides inverse transforms by n, "forward" divides forward transforms by n, "ortho" divides
    both by the square root of n.

    >>> tc.fft.fft([1.0, 0.0, 0.0]).tolist()
    [(1+0j), (1+0j), (1+0j)]
    """
    return _along(_core.fft, x, n, axis, norm)


def ifft(x, /, n=None, axis=-1, norm="backward"):
    """The inverse of fft."""
    return _along(_core.ifft, x, n, axis, norm)


def rfft(x, /, n=None, axis=-1, norm="backward"):
    """The first n // 2 + 1 elements of the transform of real numbers. The others are the conjugates of these in
    reverse order.

    >>> tc.fft.rfft([1.0, 2.0, 3.0, 4.0]).shape
    (3,)
    """
    return _along(_core.rfft, x, n, axis, norm)


def irfft(x, /, n=None, axis=-1, norm="backward"):
    """The inverse of rfft: n real numbers, by default 2 (m - 1) for m elements.

    >>> tc.fft.irfft(tc.fft.rfft([1.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    return _along(_core.irfft, x, n, axis, norm)


def hfft(x, /, n=None, axis=-1, norm="backward"):
    """The real transform of a signal that is given by its first half; the other half is the mirrored conjugate."""
    return _along(_core.hfft, x, n, axis, norm)


def ihfft(x, /, n=None, axis=-1, norm="backward"):
    """The inverse of hfft."""
    return _along(_core.ihfft, x, n, axis, norm)


def fftn(x, /, s=None, axes=None, norm="backward"):
    """The transform along several axes: by default all axes, or the last ones if sizes `s` are given."""
    return _over(_core.fftn, x, s, axes, norm)


def ifftn(x, /, s=None, axes=None, norm="backward"):
    """The inverse of fftn."""
    return _over(_core.ifftn, x, s, axes, norm)


def rfftn(x, /, s=None, axes=None, norm="backward"):
    """rfft along the last of the axes, fft along the others."""
    return _over(_core.rfftn, x, s, axes, norm)


def irfftn(x, /, s=None, axes=None, norm="backward"):
    """The inverse of rfftn."""
    return _over(_core.irfftn, x, s, axes, norm)


def hfftn(x, /, s=None, axes=None, norm="backward"):
    """hfft along the last of the axes, fft along the others, as in SciPy."""
    return _over(_core.hfftn, x, s, axes, norm)


def ihfftn(x, /, s=None, axes=None, norm="backward"):
    """The inverse of hfftn."""
    return _over(_core.ihfftn, x, s, axes, norm)


def fft2(x, /, s=None, axes=(-2, -1), norm="backward"):
    """fftn along two axes."""
    return _over(_core.fftn, x, s, axes, norm)


def ifft2(x, /, s=None, axes=(-2, -1), norm="backward"):
    """ifftn along two axes."""
    return _over(_core.ifftn, x, s, axes, norm)


def rfft2(x, /, s=None, axes=(-2, -1), norm="backward"):
    """rfftn along two axes."""
    return _over(_core.rfftn, x, s, axes, norm)


def irfft2(x, /, s=None, axes=(-2, -1), norm="backward"):
    """irfftn along two axes."""
    return _over(_core.irfftn, x, s, axes, norm)


def hfft2(x, /, s=None, axes=(-2, -1), norm="backward"):
    """hfftn along two axes."""
    return _over(_core.hfftn, x, s, axes, norm)


def ihfft2(x, /, s=None, axes=(-2, -1), norm="backward"):
    """ihfftn along two axes."""
    return _over(_core.ihfftn, x, s, axes, norm)


def _frequencies(function, n, d, dtype, device):
    from ._arguments import _on

    with _on(device):
        return function(n, float(d), default_float() if dtype is None else as_dtype(dtype))


def fftfreq(n, /, d=1.0, *, dtype=None, device=None):
    """The frequencies of the elements of an fft of n samples at a distance of d.

    >>> tc.fft.fftfreq(4)
    array([0.0, 0.25, -0.5, -0.25], dtype=float32)
    """
    return _frequencies(_core.fftfreq, n, d, dtype, device)


def rfftfreq(n, /, d=1.0, *, dtype=None, device=None):
    """The frequencies of the elements of an rfft of n samples at a distance of d.

    >>> tc.fft.rfftfreq(4)
    array([0.0, 0.25, 0.5], dtype=float32)
    """
    return _frequencies(_core.rfftfreq, n, d, dtype, device)


def _shifted(function, x, axes):
    x = _array(x)
    if axes is None:
        return function(x) if x.ndim else x
    axes = (axes,) if isinstance(axes, int) else tuple(axes)
    return function(x, [_axis(a, x.ndim) for a in axes]) if axes else x


def fftshift(x, /, axes=None):
    """Moves the frequency 0 to the middle of the axes, by default of all axes.

    >>> tc.fft.fftshift(tc.fft.fftfreq(4))
    array([-0.5, -0.25, 0.0, 0.25], dtype=float32)
    """
    return _shifted(_core.fftshift, x, axes)


def ifftshift(x, /, axes=None):
    """The inverse of fftshift."""
    return _shifted(_core.ifftshift, x, axes)
