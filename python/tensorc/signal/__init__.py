"""Signals: frames and their transforms as in PyTorch, convolution as in SciPy."""

from .. import _core
from .._arguments import _array, _same
from .._dtypes import as_dtype, default_float, is_float

__all__ = ["convolve", "correlate", "fftconvolve", "istft", "stft", "window"]


def __dir__():
    return __all__


def window(name, length, /, *, periodic=True, dtype=None):
    """A window of a signal: 'boxcar', 'hann', 'hamming', 'blackman', 'nuttall', 'blackmanharris' or 'flattop'.

    `periodic`: a window with one more element, without the last one, as transforms need it.

    >>> tc.signal.window("hann", 4)
    array([0.0, 0.5, 1.0, 0.5], dtype=float32)
    """
    return _core.window(name, length, periodic, default_float() if dtype is None else as_dtype(dtype))


def _window(given, length, x):
    """Returns the window as an array. A name gives a window of the frames' length, in the dtype
    of the signal's floats."""
    if not isinstance(given, str):
        return given
    return window(given, length, dtype="float64" if x.dtype.name in ("float64", "complex128") else "float32")


def stft(x, length, /, *, hop=None, window=None, center=True, onesided=True):
    """The Fourier transforms of frames of signals: (..., n) to (..., frequencies, frames).

    Frames have `length` elements, begin every `hop` elements (by default length // 4), and are multiplied by the
    window. `center`: frame i is centered at i * hop, and the signal is mirrored at its ends. `onesided`: only length
    // 2 + 1 frequencies, for real signals. The window is an array, or a name for `window`.

    >>> tc.signal.stft(tc.ones(64), 16).shape
    (9, 17)
    """
    x = _array(x)
    return _core.stft(x, length, hop or 0, _window(window, length, x), center, onesided)


def istft(x, length, /, *, hop=None, window=None, center=True, onesided=True, size=None):
    """The inverse of stft: a signal of `size` elements, by default all that the frames cover.

    >>> x = tc.arange(64.0)
    >>> w = tc.signal.window("hann", 16)
    >>> bool(tc.all(tc.abs(tc.signal.istft(tc.signal.stft(x, 16, window=w), 16, window=w) - x) < 1e-4))
    True
    """
    if size is not None and size < 0:
        raise ValueError(f"istft: the size is {size}")
    x = _array(x)
    return _core.istft(x, length, hop or 0, _window(window, length, x), center, onesided, -1 if size is None else size)


def convolve(x, y, /, *, mode="full", method="auto"):
    """The convolution over all axes; x and y have the same rank.

    The mode 'full' returns all results, 'same' as many as x has from the middle, 'valid' those without zero padding.
    The method is 'direct', 'fft', or 'auto', which selects the one with fewer operations. Integers and booleans keep
    NumPy's common dtype: 'auto' then selects 'direct', which is exact; 'fft' rounds the result in float64, as SciPy.

    >>> tc.signal.convolve([1.0, 2.0], [1.0, 1.0])
    array([1.0, 3.0, 2.0], dtype=float32)
    """
    return _core.convolve(*_same([x, y]), mode, method)


def fftconvolve(x, y, /, *, mode="full"):
    """convolve by Fourier transforms; the result of integers is float64."""
    x, y = _same([x, y])
    if not (is_float(x.dtype) or x.dtype.name.startswith("complex")):
        x, y = (_core.astype(a, as_dtype("float64")) for a in (x, y))
    return _core.convolve(x, y, mode, "fft")


def correlate(x, y, /, *, mode="full", method="auto"):
    """convolve with y mirrored and conjugated."""
    return _core.correlate(*_same([x, y]), mode, method)
