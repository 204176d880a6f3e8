"""Products of vectors, matrices and tensors."""

import builtins
import contextlib

from . import _core
from ._arguments import _array, _axis, _same, _together
from ._shapes import broadcast_shapes, moveaxis

__all__ = ["diag", "dot", "einsum", "inner", "kron", "matmul", "matmul_precision", "outer", "tensordot", "vdot", "vecdot"]


def matmul(x1, x2, /):
    """The product of matrices, or of stacks of them.

    >>> tc.matmul(tc.ones((2, 3)), tc.ones(3))
    array([3.0, 3.0], dtype=float32)
    """
    if isinstance(x1, (list, tuple)) or isinstance(x2, (list, tuple)):
        x1, x2 = _together(x1, x2)
    return _core.matmul(x1, x2)


@contextlib.contextmanager
def matmul_precision(name):
    """A scope that sets how the calling thread's products of float32 matrices round their operands: to "bf16", "tf32"
    or, with "highest", not at all.

    Products of the rounded operands are exact, and sums are float32; the products of gradients round their operands,
    too. It affects matmul, dot, tensordot, vecdot and einsum, but not layers such as nn.conv. Other names are a
    ValueError.

    >>> with tc.matmul_precision("bf16"):
    ...     tc.asarray([1.001]) @ tc.asarray([2.0])
    array(2.0, dtype=float32)
    """
    former = _core.current_matmul_precision()
    _core.set_matmul_precision(name)
    try:
        yield
    finally:
        _core.set_matmul_precision(former)


def _factors(x1, x2):
    """The operands of a product, in one dtype, or in two formats of float8."""
    names = [getattr(getattr(x, "dtype", None), "name", "") for x in (x1, x2)]
    if all(name.startswith("float8") for name in names):
        return _array(x1), _array(x2)
    return _same([x1, x2])


def tensordot(x1, x2, /, axes=2):
    """Sums of products over axes: over the last `axes` axes of the first array and the first ones of the second, or
    over the axes in two lists."""
    x1, x2 = _factors(x1, x2)
    if isinstance(axes, int):
        first, second = range(x1.ndim - axes, x1.ndim), range(axes)
    else:
        try:
            first, second = axes
        except (TypeError, ValueError):
            raise TypeError(f"tensordot: axes are a number, or two lists of axes, not {axes!r}") from None
    first = [_axis(a, x1.ndim) for a in first]
    second = [_axis(a, x2.ndim) for a in second]
    if len(first) != len(second):
        raise ValueError("tensordot: as many axes of one as of the other are expected")
    return _core.tensordot(x1, x2, first, second)


def vecdot(x1, x2, /, *, axis=-1):
    """Sums of products along an axis."""
    x1, x2 = _same([x1, x2])
    rank = builtins.min(x1.ndim, x2.ndim)
    if not -rank <= axis < 0 and x1.ndim != x2.ndim or not -rank <= axis < rank:
        raise ValueError(f"vecdot: axis {axis}")
    axis = axis - builtins.max(x1.ndim, x2.ndim) if axis >= 0 else axis
    x1, x2 = moveaxis(x1, axis, -1), moveaxis(x2, axis, -1)
    if x1.shape[-1] != x2.shape[-1]:
        raise ValueError(f"vecdot: {x1.shape[-1]} x {x2.shape[-1]} elements")
    if x1.dtype.name.startswith("complex"):
        x1 = _core.conj(x1)
    return _core.reshape(_core.matmul(_core.expand_dims(x1, -2), _core.expand_dims(x2, -1)),
                         broadcast_shapes(x1.shape[:-1], x2.shape[:-1]))  # fmt: skip


def dot(x1, x2, /):
    """NumPy's dot: the inner product of vectors; otherwise the sum over the last axis of x1 and the second to last
    axis of x2."""
    x1, x2 = _together(x1, x2)
    if x1.ndim == 0 or x2.ndim == 0:
        return x1 * x2
    return tensordot(x1, x2, axes=([-1], [-2 if x2.ndim > 1 else -1]))


def inner(x1, x2, /):
    """Sums of products over the last axes, for each row of x1 with each row of x2.

    >>> tc.inner(tc.ones((2, 3)), tc.ones(3))
    array([3.0, 3.0], dtype=float32)
    """
    x1, x2 = _together(x1, x2)
    return tensordot(x1, x2, axes=([-1], [-1])) if x1.ndim and x2.ndim else x1 * x2


def vdot(x1, x2, /):
    """The sum of the products of all elements, with the elements of a complex x1 conjugated."""
    x1, x2 = _together(x1, x2)
    return vecdot(_core.reshape(x1, (-1,)), _core.reshape(x2, (-1,)))


def outer(x1, x2, /):
    """The matrix of all products of elements of two vectors."""
    x1, x2 = _same([x1, x2])
    return _core.mul(_core.reshape(x1, (-1, 1)), _core.reshape(x2, (1, -1)))


def kron(x1, x2, /):
    """The Kronecker product."""
    return _core.kron(*_same([x1, x2]))


def einsum(subscripts, *arrays):
    """Einstein summation with NumPy's complete syntax.

    >>> tc.einsum("ij,j->i", tc.ones((2, 3)), tc.ones(3))
    array([3.0, 3.0], dtype=float32)
    """
    return _core.einsum(subscripts, _same(arrays))


def diag(x, k=0):
    """The diagonal of a matrix, or the matrix with this diagonal."""
    return _core.diag(_array(x), k)
