"""Signals: frames and their transforms as PyTorch has them, convolution as SciPy has it."""

from .. import _core
from .._arguments import _array, _same
from .._dtypes import as_dtype, default_float, is_float

__all__ = ["convolve", "correlate", "fftconvolve", "istft", "stft", "window"]


def __dir__():
    return __all__


def window(name, length, /, *, periodic=True, dtype=None):
    """A window of a signal: 'boxcar', 'hann', 'hamming', 'blackman', 'nuttall', 'blackmanharris' or 'flattop'.

    `periodic`: as one of an element more, without its last, for transforms.

    >>> tc.signal.window("hann", 4)
    array([0.0, 0.5, 1.0, 0.5], dtype=float32)
    """
    return _core.window(name, length, periodic, default_float() if dtype is None else as_dtype(dtype))


def _window(given, length, x):
    """A window by its name is one of the frames' length and of the signal's floats."""
    if not isinstance(given, str):
        return given
    return window(given, length, dtype="float64" if x.dtype.name in ("float64", "complex128") else "float32")


def stft(x, length, /, *, hop=None, window=None, center=True, onesided=True):
    """The transforms of frames of signals, (..., n) to (..., frequencies, frames).

    Frames have `length` elements, are a `hop` apart (length // 4), and are multiplied with the window. `center`: frame i
    is around i hop, and the signal is mirrored at its ends. `onesided`: length // 2 + 1 frequencies, of real signals. The
    window is an array, or a name that `window` knows.

    >>> tc.signal.stft(tc.ones(64), 16).shape
    (9, 17)
    """
    x = _array(x)
    return _core.stft(x, length, hop or 0, _window(window, length, x), center, onesided)


def istft(x, length, /, *, hop=None, window=None, center=True, onesided=True, size=None):
    """The signal of such frames, of `size` elements, by default those that the frames reach.

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
    """The convolution over all axes, of as many in both.

    The mode 'full' has all results, 'same' as many as x from the middle, 'valid' those that need no zeros around. The
    method is 'direct', 'fft', or 'auto', which takes the one of fewer steps. Integers and bools keep
    NumPy's common dtype: 'auto' takes 'direct', which is exact; 'fft' rounds what float64 has, as SciPy.

    >>> tc.signal.convolve([1.0, 2.0], [1.0, 1.0])
    array([1.0, 3.0, 2.0], dtype=float32)
    """
    return _core.convolve(*_same([x, y]), mode, method)


def fftconvolve(x, y, /, *, mode="full"):
    """convolve by Fourier transforms; of integers float64."""
    x, y = _same([x, y])
    if not (is_float(x.dtype) or x.dtype.name.startswith("complex")):
        x, y = (_core.astype(a, as_dtype("float64")) for a in (x, y))
    return _core.convolve(x, y, mode, "fft")


def correlate(x, y, /, *, mode="full", method="auto"):
    """convolve with y mirrored and conjugate."""
    return _core.correlate(*_same([x, y]), mode, method)
