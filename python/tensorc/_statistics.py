"""Statistics and curves, with NumPy's names. In traced functions, results whose size depends on values need a size as
an argument."""

import builtins
import math
from itertools import pairwise

from . import _core
from ._arguments import Array, _array, _axes, _axis, _floating, _on, _same, _whole
from ._creation import asarray
from ._reductions import max, min

__all__ = [
    "average", "bincount", "convolve", "correlate", "corrcoef", "cov", "digitize", "gradient", "histogram", "interp", "median",
    "percentile", "polyfit", "polyval", "ptp", "quantile", "roots", "segment_max",
    "segment_min", "segment_prod", "segment_sum", "trapezoid", "vander",
]  # fmt: skip


def _shares(q, x):
    """Returns the fractions q as a number or an array."""
    return q if isinstance(q, (int, float, Array)) else asarray(q, dtype="float64", device=x.device)


def quantile(x, q, /, axis=None, *, keepdims=False, method="linear"):
    """The value below which a fraction q of the elements along the axes lies; NaN if an element is NaN.

    The method is one of NumPy's 13: "linear" interpolates between the two nearest elements, "lower", "higher" and
    "nearest" select one of them. If q falls exactly on an element, the result is that element, even if it is
    infinite. Between a finite and an infinite element the result is that of NumPy: infinite in the half that is
    nearer to the finite element, NaN in the other half.

    >>> tc.quantile(tc.asarray([1.0, 2.0, 3.0]), 0.25)
    array(1.5, dtype=float32)
    """
    x = _floating(_array(x))
    return _core.quantile(x, _shares(q, x), _axes(axis, x)[0], keepdims, method)


def percentile(x, q, /, axis=None, *, keepdims=False, method="linear"):
    """The same as quantile, with q from 0 to 100."""
    x = _floating(_array(x))
    return _core.percentile(x, _shares(q, x), _axes(axis, x)[0], keepdims, method)


def median(x, /, axis=None, *, keepdims=False):
    """The middle element in sorted order, or the mean of the two middle ones."""
    x = _floating(_array(x))
    return _core.median(x, _axes(axis, x)[0], keepdims)


def average(x, /, axis=None, weights=None, *, keepdims=False):
    """The weighted mean along the axes. The weights have the shape of x, or are a vector along the only axis.

    >>> tc.average(tc.asarray([1.0, 3.0]), weights=[3.0, 1.0])
    array(1.5, dtype=float32)
    """
    x = _floating(_array(x))
    if weights is not None:
        x, weights = _same([x, _floating(_core.beside(weights, x))])
    return _core.average(x, weights, _axes(axis, x)[0], keepdims)


def ptp(x, /, axis=None, *, keepdims=False):
    """The largest element minus the smallest one, along the axes.

    >>> tc.ptp(tc.asarray([4, 1, 9]))
    array(8, dtype=int64)
    """
    return max(x, axis, keepdims=keepdims) - min(x, axis, keepdims=keepdims)


def bincount(x, /, weights=None, minlength=0, *, length=None):
    """The number of occurrences in x of each integer from 0 on; with weights, the sum of the weights at the
    occurrences. Evaluates x.

    With a `length`, which traced functions need, nothing is evaluated: the result has the counts of 0 to length - 1.

    >>> tc.bincount(tc.asarray([0, 2, 2]))
    array([1, 0, 2], dtype=int64)
    >>> tc.bincount(tc.asarray([0, 2, 2]), length=4)
    array([1, 0, 2, 0], dtype=int64)
    """
    if length is None:
        x = _array(x)
        if x.size and int(min(x)) < 0:
            raise ValueError("bincount: an element is below 0")
        length = builtins.max(minlength, int(max(x)) + 1 if x.size else 0)
    return _core.bincount(_array(x), length, None if weights is None else _array(weights))


def histogram(x, /, bins=10, *, range=None, density=False):
    """The number of elements in each bin, and the edges of the bins. A bin includes its lower edge; the last bin also
    includes its upper edge.

    `bins` is an array of edges, or the number of bins of equal width in the range (low, high), by default from the
    smallest to the largest element. `density`: the fraction of the elements divided by the bin's width, as floats.

    Edges must be ascending, and a range must be finite with low <= high. Numbers, lists and NumPy arrays are checked
    and raise a ValueError. The values of an Array are not checked, because they may not be computed yet: if they are
    not ascending, the counts are meaningless.

    >>> tc.histogram(tc.asarray([1.0, 2.0, 4.0, 5.0]), 2)
    (array([2, 2], dtype=int64), array([1.0, 3.0, 5.0], dtype=float32))
    """
    x = _array(x)
    with _on(x.device):
        edges = _edges(x, bins, range) if isinstance(bins, int) else _core.beside(bins, x)
    if edges.ndim != 1:
        raise ValueError(f"histogram: bins are how many there are, or a vector of edges, not {tuple(edges.shape)}")
    if not isinstance(bins, (int, Array)):
        for before, edge in pairwise(edges.tolist()):
            if before > edge:
                raise ValueError(f"histogram: edges ascend, but {edge} is behind {before}")
    x, compared = _same([x, edges])
    counts = _core.histogram(x, compared)
    if density:
        edges = _floating(edges)
        counts = _core.astype(counts, edges.dtype) / ((edges[1:] - edges[:-1]) * _core.sum(counts, (0,), False))
    return counts, edges


def _edges(x, bins, range):
    if bins < 1:
        raise ValueError(f"histogram: there is at least one bin, not {bins}")
    x = _floating(x)
    if range is not None:
        known = [end for end in range if not isinstance(end, Array)]
        if not all(map(math.isfinite, known)) or known != sorted(known):
            raise ValueError(f"histogram: a range is from a finite number to one that is not below it, not {range}")
        low, high = (_core.astype(_array(end), x.dtype) for end in range)
    elif 0 in x.shape:
        low, high = _core.astype(_array(0.0), x.dtype), _core.astype(_array(1.0), x.dtype)
    else:
        low, high = _core.min(x, None, False), _core.max(x, None, False)
    # An empty range is widened around its number, as in NumPy.
    half = _core.select(low == high, 0.5, 0.0)
    low, high = low - half, high + half
    places = _core.arange(0.0, float(bins + 1), 1.0, x.dtype)
    return _core.select(places == bins, high, low + places * ((high - low) / bins))


def segment_sum(x, segments, count):
    """The sum of the rows of x in each segment. `segments` has the segment of each row; rows with a segment outside
    of [0, count) are dropped.

    >>> tc.segment_sum(tc.asarray([1.0, 2.0, 3.0]), tc.asarray([0, 1, 0]), 2)
    array([4.0, 2.0], dtype=float32)
    """
    return _core.segment_sum(_array(x), _array(segments), count)


def segment_prod(x, segments, count):
    """The product of the rows of x in each segment."""
    return _core.segment_prod(_array(x), _array(segments), count)


def segment_min(x, segments, count):
    """The minimum of the rows of x in each segment; the dtype's largest number for an empty segment."""
    return _core.segment_min(_array(x), _array(segments), count)


def segment_max(x, segments, count):
    """The maximum of the rows of x in each segment; the dtype's smallest number for an empty segment."""
    return _core.segment_max(_array(x), _array(segments), count)


def interp(x, xp, fp, /, left=None, right=None):
    """Piecewise linear interpolation: the values at x of the lines between the points (xp, fp). xp is ascending; fp
    may be complex.

    Before the first point the value is `left`, after the last point `right`; the default is the value of the end
    point.

    As in NumPy, the last of several points with equal xp gives the value there, and on a line with an infinite end
    the value is computed from the end for which it is not NaN.

    >>> tc.interp(tc.asarray(1.5), tc.asarray([1.0, 2.0]), tc.asarray([0.0, 10.0]))
    array(5.0, dtype=float32)
    """
    values = _array(fp)
    if values.dtype.name.startswith("complex"):
        x, xp, fp = *map(_floating, _same([x, xp])), values
    else:
        x, xp, fp = map(_floating, _same([x, xp, fp]))
    value = _core.interp(x, xp, fp)
    if left is not None:
        value = _core.select(_core.lt(x, xp[0]), left, value)
    return value if right is None else _core.select(_core.gt(x, xp[-1]), right, value)


def polyval(p, x, /):
    """The values at x of the polynomial with these coefficients, highest power first.

    >>> tc.polyval(tc.asarray([1.0, 0.0, 1.0]), tc.asarray(3.0))
    array(10.0, dtype=float32)
    """
    return _core.polyval(*_same([p, x]))


def roots(p, /):
    """The roots of the polynomial with these coefficients, highest power first, as complex numbers in no particular
    order.

    There are always len(p) - 1 roots. If the first coefficient is 0, they are NaN (NumPy removes leading zeros).

    >>> tc.roots(tc.asarray([1.0, 0.0])).tolist()
    [0j]
    """
    return _core.roots(_floating(_array(p)))


def polyfit(x, y, deg, /):
    """The coefficients, highest power first, of the polynomial of this degree that fits the points (x, y) best (least
    squares).

    >>> tc.round(tc.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1), 3)
    array([2.0, 1.0], dtype=float32)
    """
    return _core.polyfit(*map(_floating, _same([x, y])), _whole(deg, "polyfit: the degree"))


def vander(x, /, N=None, increasing=False):
    """A matrix whose row i has the powers of x[i] from N - 1 down to 0, or ascending if `increasing`; N is x's size
    by default."""
    x = _array(x)
    return _core.vander(x, x.size if N is None else _whole(N, "vander: N"), increasing)


def gradient(y, /, *spacing, axis=None):
    """The slopes of a curve along the axes: central differences inside, one-sided differences at the ends. A tuple
    for several axes.

    `spacing`: the distance of the points, or their coordinates; one for all axes, or one for each.

    >>> tc.gradient(tc.asarray([1.0, 2.0, 4.0, 7.0]))
    array([1.0, 1.5, 2.5, 3.0], dtype=float32)
    """
    y = _floating(_array(y))
    axes = _axes(axis, y)[0]
    axes = tuple(builtins.range(y.ndim)) if axes is None else axes
    spacing = spacing * len(axes) if len(spacing) == 1 else spacing or (1.0,) * len(axes)
    if len(spacing) != len(axes):
        raise ValueError(f"gradient: {len(spacing)} distances for {len(axes)} axes")

    def along(a, step):
        step = step if isinstance(step, (int, float)) else _core.beside(step, y)
        if isinstance(step, Array) and step.ndim:
            return _core.gradient(y, _core.astype(step, y.dtype) if step.dtype != y.dtype else step, 1.0, a)
        return _core.gradient(y, None, float(step), a)

    slopes = tuple(along(a, step) for a, step in zip(axes, spacing))
    return slopes[0] if len(slopes) == 1 else slopes


def convolve(x1, x2, /, mode="full"):
    """NumPy's convolution of two vectors. For several axes see tc.signal.convolve.

    >>> tc.convolve([1.0, 2.0], [1.0, 1.0])
    array([1.0, 3.0, 2.0], dtype=float32)
    """
    x1, x2 = _same([x1, x2])
    from . import signal

    return signal.convolve(x2, x1, mode=mode) if x2.size > x1.size else signal.convolve(x1, x2, mode=mode)


def correlate(x1, x2, /, mode="valid"):
    """NumPy's correlation of two vectors, by default only where they overlap completely ("valid")."""
    from . import signal

    x1, x2 = _same([x1, x2])
    if mode == "same" and x1.ndim == x2.ndim == 1 and x1.shape[0] < x2.shape[0]:
        # The result is as long as the longer vector. Its middle is relative to that vector.
        return _core.conj(_core.flip(signal.correlate(x2, x1, mode=mode), (0,)))
    return signal.correlate(x1, x2, mode=mode)


def digitize(x, bins, /, right=False):
    """For each element the number of its bin between ascending or descending edges. A bin includes its lower edge, or
    its upper edge if `right`.

    >>> tc.digitize(tc.asarray([0.5, 2.0]), [1.0, 2.0])
    array([0, 2], dtype=int64)
    """
    x, edges = _same([x, bins])
    if edges.ndim != 1:
        raise ValueError(f"digitize: edges are a vector, not {tuple(edges.shape)}")
    size = edges.shape[0]
    ascending = lambda: _core.searchsorted(edges, x, not right)  # noqa: E731
    descending = lambda: size - _core.searchsorted(_core.flip(edges, (0,)), x, not right)  # noqa: E731
    if size < 2:
        return ascending()
    if isinstance(bins, Array):
        return _core.select(_core.gt(edges[0], edges[-1]), descending(), ascending())
    return descending() if bins[0] > bins[-1] else ascending()


def trapezoid(y, x=None, *, dx=1.0, axis=-1):
    """The area under the lines between points that are dx apart, or at the coordinates x."""
    y = _floating(_array(y))
    axis = _axis(axis, y.ndim)
    if x is None:
        return _core.trapezoid(y, float(dx), axis)
    y, x = _same([y, _floating(_core.beside(x, y))])
    if x.ndim == 1:
        x = _core.reshape(x, (*[1] * axis, x.shape[0], *[1] * (y.ndim - axis - 1)))
    before, behind = (slice(None),) * axis, (slice(1, None), slice(None, -1))
    along = x.ndim - y.ndim + axis
    upper, lower = y[(*before, behind[0])], y[(*before, behind[1])]
    step = x[(*(slice(None),) * along, behind[0])] - x[(*(slice(None),) * along, behind[1])]
    return _core.sum((upper + lower) * step * 0.5, (axis,), False)


def cov(x, /, *, rowvar=True, correction=1):
    """The covariances of variables (rows) over n observations (columns): sums of products divided by max(n -
    correction, 0). For one variable (a vector or a row) it is a number. Without `rowvar` the columns are the
    variables.
    """
    return _core.cov(_variables(x, rowvar), float(correction))


def _variables(x, rowvar):
    """Returns the variables as rows, and a single variable as a vector, because its covariance
    is a number in NumPy."""
    x = _floating(_array(x))
    if x.ndim == 2 and not rowvar:
        x = _core.transpose(x, (1, 0))
    return _core.reshape(x, (-1,)) if x.ndim == 2 and x.shape[0] == 1 else x


def corrcoef(x, /, *, rowvar=True):
    """Correlations: each covariance divided by the product of the two standard deviations. For one variable it is a
    number. Without `rowvar` the columns are the variables.

    >>> tc.corrcoef(tc.asarray([[1.0, 2.0], [2.0, 4.0]])).shape
    (2, 2)
    """
    return _core.corrcoef(_variables(x, rowvar))
