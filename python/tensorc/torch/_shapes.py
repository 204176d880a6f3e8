"""ATen's functions of shapes and indices."""

import math

from .. import _core, _functions
from ..linalg import diagonal as _diagonal
from .._dtypes import has_derivatives, iinfo, is_complex, result_type
from ._table import Array, Refused, aten, cast, logical, op


@op(aten.view.default, aten.reshape.default, aten._unsafe_view.default)
def view(n, x, size):
    return _core.reshape(x, size)


@op(aten.view.dtype)
def view_dtype(n, x, dtype):
    if n.dtype.itemsize != x.dtype.itemsize or is_complex(n.dtype) != is_complex(x.dtype):
        raise Refused("a view of another width")
    return _core.bitcast(x, n.dtype)


@op(aten.permute.default)
def permute(n, x, axes):
    return _functions.permute_dims(x, [a % x.ndim for a in axes])


@op(aten.transpose.int)
def transpose(n, x, first, second):
    return _functions.swapaxes(x, first, second) if x.ndim else x


@op(aten.t.default)
def t(n, x):
    return _functions.transpose(x)


@op(aten.expand.default)
def expand(n, x, size, implicit=False):
    ahead = len(size) - x.ndim
    return _core.broadcast_to(x, [x.shape[i - ahead] if s == -1 else s for i, s in enumerate(size)])


@op(aten.unsqueeze.default)
def unsqueeze(n, x, axis):
    return _core.expand_dims(x, axis % (x.ndim + 1))


@op(aten.squeeze.default, aten.squeeze.dim, aten.squeeze.dims)
def squeeze(n, x, axes=None):
    axes = range(x.ndim) if axes is None else [axes] if isinstance(axes, int) else axes
    gone = {a % x.ndim for a in axes if x.ndim and x.shape[a] == 1}
    return _core.reshape(x, [s for i, s in enumerate(x.shape) if i not in gone])


def along(x, axis, part):
    return (slice(None),) * (axis % x.ndim) + (part,)


@op(aten.slice.Tensor)
def slice_(n, x, axis=0, start=None, end=None, step=1):
    return x[along(x, axis, slice(*slice(start, end, step).indices(x.shape[axis])))]


@op(aten.select.int)
def select(n, x, axis, index):
    return x[along(x, axis, index)]


@op(aten.slice_scatter.default)
def slice_scatter(n, x, source, axis=0, start=None, end=None, step=1):
    size = x.shape[axis]
    first, last, _ = slice(start, end, step).indices(size)
    if step == 1 and source.shape[axis] == last - first:
        # A concatenation is read in contiguous runs, whereas a window would need a comparison per
        # element.
        at = lambda *bounds: x[along(x, axis, slice(*bounds))]
        parts = [at(0, first)] * (first > 0) + [cast(source, x.dtype)] + [at(last, size)] * (last < size)
        return parts[0] if len(parts) == 1 else _core.concatenate(parts, axis % x.ndim)
    return x.at[along(x, axis, slice(*slice(start, end, step).indices(x.shape[axis])))].set(source)


@op(aten.select_scatter.default)
def select_scatter(n, x, source, axis, index):
    return x.at[along(x, axis, index)].set(source)


@op(aten.cat.default)
def cat(n, arrays, axis=0):
    # An array of shape (0,) is compatible with all others.
    rank = max(a.ndim for a in arrays)
    arrays = [cast(a, n.dtype) for a in arrays if a.ndim == rank]
    return _core.concatenate(arrays, axis % rank)


@op(aten.stack.default)
def stack(n, arrays, axis=0):
    return _core.stack([cast(a, n.dtype) for a in arrays], axis % (arrays[0].ndim + 1))


@op(aten.split.Tensor)
def split(n, x, size, axis=0):
    count = x.shape[axis]
    return [x[along(x, axis, slice(i, min(i + size, count)))] for i in range(0, count, size)] if count else [x]


@op(aten.split_with_sizes.default)
def split_with_sizes(n, x, sizes, axis=0):
    parts, begin = [], 0
    for size in sizes:
        parts.append(x[along(x, axis, slice(begin, begin + size))])
        begin += size
    return parts


@op(aten.unbind.int)
def unbind(n, x, axis=0):
    return [x[along(x, axis, i)] for i in range(x.shape[axis])]


@op(aten.repeat.default)
def repeat(n, x, repetitions):
    x = _core.reshape(x, (1,) * (len(repetitions) - x.ndim) + tuple(x.shape))
    return _core.tile(x, repetitions) if repetitions else x


@op(aten.flip.default)
def flip(n, x, axes):
    return _functions.flip(x, axis=tuple(axes))


@op(aten.roll.default)
def roll(n, x, shifts, axes=()):
    if not axes:
        return _core.reshape(_core.roll(_core.reshape(x, (-1,)), shifts, [0]), x.shape)
    return _core.roll(x, shifts, [a % x.ndim for a in axes])


def _pairs(x, widths):
    """Returns the padding before and after each axis. ATen lists the last axis first."""
    pairs = [(0, 0)] * x.ndim
    for i in range(len(widths) // 2):
        pairs[x.ndim - 1 - i] = (widths[2 * i], widths[2 * i + 1])
    return pairs


@op(aten.constant_pad_nd.default)
def constant_pad(n, x, widths, value=0):
    pairs = _pairs(x, widths)
    x = x[tuple(slice(max(0, -low), s - max(0, -high)) for (low, high), s in zip(pairs, x.shape))]
    return _core.pad(x, [max(0, a) for a, _ in pairs], [max(0, b) for _, b in pairs], None, value)


def _pad_with(mode):
    def call(n, x, widths):
        pairs = _pairs(x, widths)
        if min(map(min, pairs)) < 0:
            raise Refused("a padding below 0")
        return _core.pad_with(x, [a for a, _ in pairs], [b for _, b in pairs], _core.pad_mode["pad_" + mode])

    return call


op(aten.reflection_pad1d.default, aten.reflection_pad2d.default, aten.reflection_pad3d.default)(_pad_with("reflect"))
op(aten.replication_pad1d.default, aten.replication_pad2d.default, aten.replication_pad3d.default)(_pad_with("edge"))


@op(aten.diagonal.default)
def diagonal(n, x, offset=0, first=0, second=1):
    order = [a for a in range(x.ndim) if a not in (first % x.ndim, second % x.ndim)]
    return _diagonal(_functions.permute_dims(x, [*order, first % x.ndim, second % x.ndim]), offset=offset)


@op(aten.tril.default)
def tril(n, x, diagonal=0):
    return _core.tril(x, diagonal)


@op(aten.triu.default)
def triu(n, x, diagonal=0):
    return _core.triu(x, diagonal)


def _places(size, stride, offset):
    """Returns the positions in memory of the elements of a strided view."""
    places = _core.full(_functions._shapes._int64, (1,) * len(size), offset)
    for i, (count, step) in enumerate(zip(size, stride)):
        along = _core.mul(_core.arange(0.0, float(count), 1.0, _functions._shapes._int64), step)
        places = _core.add(places, _core.reshape(along, (1,) * i + (count,) + (1,) * (len(size) - i - 1)))
    return places


@op(aten.as_strided.default, aten.as_strided_copy.default)
def as_strided(n, x, size, stride, offset=None):
    value = n.node.args[0].meta["val"]
    if not value.is_contiguous() or value.storage_offset() != 0:
        raise Refused("a strided view of what is not dense")
    if not math.prod(size):
        return _core.full(n.dtype, size, 0)
    return _core.reshape(_core.take(_core.reshape(x, (-1,)), _places(size, stride, offset or 0), 0), size)


@op(aten.unfold.default)
def unfold(n, x, axis, size, step):
    if not x.ndim:
        return _core.broadcast_to(x, (size,))
    axis %= x.ndim
    starts = _core.arange(0.0, float(x.shape[axis] - size + 1), float(step), _functions._shapes._int64)
    window = _core.arange(0.0, float(size), 1.0, _functions._shapes._int64)
    places = _core.add(_core.reshape(starts, (-1, 1)), _core.reshape(window, (1, -1)))
    return _functions.moveaxis(_core.take(x, places, axis), axis + 1, -1)


# Indices.


def _index(indices):
    if any(isinstance(i, Array) and i.dtype.name in ("bool", "uint8") for i in indices):
        raise Refused("a mask, whose result has a size that depends on values")
    return tuple(slice(None) if i is None else i for i in indices)


@op(aten.index.Tensor, aten._unsafe_index.Tensor)
def index(n, x, indices):
    return x[_index(indices)]


@op(aten.index_put.default, aten._unsafe_index_put.default)
def index_put(n, x, indices, values, accumulate=False):
    if len(indices) == 1 and isinstance(indices[0], Array) and indices[0].dtype.name == "bool" and not accumulate:
        if values.size != 1:
            raise Refused("a mask, with a value for each of its true elements")
        mask = _core.reshape(indices[0], tuple(indices[0].shape) + (1,) * (x.ndim - indices[0].ndim))
        return _core.select(mask, _core.reshape(values, ()), x)
    place = x.at[_index(indices)]
    return place.add(values) if accumulate else place.set(values)


@op(aten.index_select.default)
def index_select(n, x, axis, indices):
    if not x.ndim:
        return x
    return _core.take(x, _core.reshape(indices, (-1,)), axis % x.ndim)


@op(aten.masked_scatter.default)
def masked_scatter(n, x, mask, source):
    mask = _core.broadcast_to(mask, x.shape)
    int64 = _functions._shapes._int64
    places = _core.sub(_core.cumsum(_core.astype(_core.reshape(mask, (-1,)), int64), 0), 1)
    taken = _core.take(_core.reshape(source, (-1,)), _core.maximum(places, 0), 0)
    return _core.select(mask, _core.reshape(taken, x.shape), x)


@op(aten.diagonal_scatter.default)
def diagonal_scatter(n, x, source, offset=0, first=0, second=1):
    places = [slice(None)] * x.ndim
    first, second = first % x.ndim, second % x.ndim
    along = _core.arange(0.0, float(source.shape[-1]), 1.0, _functions._shapes._int64)
    places[first], places[second] = _core.add(along, max(0, -offset)), _core.add(along, max(0, offset))
    if abs(first - second) != 1 or first > second:
        raise Refused("a diagonal of axes that are not beside each other")
    return x.at[tuple(places)].set(_functions.moveaxis(source, -1, first))


@op(aten.embedding.default)
def embedding(n, weight, indices, *args, **kwargs):
    return _core.take(weight, indices, 0)


def _within(x, index, axis):
    """Crops x to the sizes of the index, except along the axis."""
    return x[tuple(slice(None) if d == axis % x.ndim else slice(0, index.shape[d]) for d in range(x.ndim))]


@op(aten.gather.default)
def gather(n, x, axis, index, sparse_grad=False):
    if x.ndim == 0:
        return x
    return _core.take_along_axis(_within(x, index, axis), index, axis % x.ndim)


def _places_along(x, axis, index):
    place, axis = [], axis % x.ndim
    for d in range(x.ndim):
        shape = [1] * x.ndim
        shape[d] = index.shape[d]
        along = _core.arange(0.0, float(index.shape[d]), 1.0, _functions._shapes._int64)
        place.append(index if d == axis else _core.broadcast_to(_core.reshape(along, shape), index.shape))
    return tuple(place)


def _scatter(x, axis, index, source):
    if isinstance(source, Array):
        source = source[tuple(slice(0, s) for s in index.shape)] if source.ndim else source
    else:
        source = _core.full(x.dtype, index.shape, source)
    return x.at[_places_along(x, axis, index)], source


@op(aten.scatter.src, aten.scatter.value)
def scatter(n, x, axis, index, source):
    place, source = _scatter(x, axis, index, source)
    return place.set(source)


@op(aten.scatter_add.default)
def scatter_add(n, x, axis, index, source):
    place, source = _scatter(x, axis, index, source)
    return place.add(source)


@op(aten.scatter_reduce.two)
def scatter_reduce(n, x, axis, index, source, reduce, *, include_self=True):
    if not x.ndim:
        x, index, source = (_core.reshape(v, (1,)) for v in (x, index, source))
        return _core.reshape(scatter_reduce(n, x, 0, index, source, reduce, include_self=include_self), ())
    source = source[tuple(slice(0, s) for s in index.shape)]
    return _reduced_into(x, _places_along(x, axis, index), source, reduce, include_self)


@op(aten.index_reduce.default)
def index_reduce(n, x, axis, index, source, reduce, *, include_self=True):
    if not x.ndim:
        x, source = _core.reshape(x, (1,)), _core.reshape(source, (-1,))
        return _core.reshape(index_reduce(n, x, 0, index, source, reduce, include_self=include_self), ())
    return _reduced_into(x, along(x, axis, _core.reshape(index, (-1,))), source, reduce, include_self)


def _reduced_into(x, places, source, reduce, include_self):
    int64 = _functions._shapes._int64
    counts = _core.full(int64, x.shape, 1)
    if not include_self:
        low, high = _ends(x.dtype)
        neutral = {"sum": 0, "mean": 0, "prod": 1, "amax": low, "amin": high}[reduce]
        x, counts = x.at[places].set(neutral), counts.at[places].set(0)
    place = x.at[places]
    reduce = {"amax": "max", "amin": "min", "prod": "multiply", "sum": "add"}.get(reduce, reduce)
    if reduce != "mean":
        return getattr(place, reduce)(source)
    counts = _core.maximum(counts.at[places].add(1), 1)
    divide = _core.div if has_derivatives(x.dtype) else _core.floor_div
    return divide(place.add(source), cast(counts, x.dtype))


def _ends(dtype):
    """Returns a value below and a value above all numbers of the dtype."""
    if dtype.name == "bool":
        return False, True
    return (-math.inf, math.inf) if has_derivatives(dtype) else (iinfo(dtype).min, iinfo(dtype).max)


@op(aten.searchsorted.Tensor, aten.searchsorted.Scalar, aten.bucketize.Tensor, aten.bucketize.Scalar)
def searchsorted(n, first, second, *, out_int32=False, right=False, side=None, sorter=None):
    is_search = n.node.target in (aten.searchsorted.Tensor, aten.searchsorted.Scalar)
    ordered, x = (first, second) if is_search else (second, first)
    if sorter is not None:
        ordered = _core.take_along_axis(ordered, sorter, -1)
    if not isinstance(x, Array):
        x = _core.full(ordered.dtype, (), x)
    common = result_type(ordered, x)
    return _core.searchsorted(cast(ordered, common), cast(x, common), right or side == "right")


@op(aten.nonzero_static.default)
def nonzero_static(n, x, *, size, fill_value=-1):
    if not x.ndim:
        return _core.full(n.dtype, (size, 0), 0)
    return _core.stack(_core.nonzero(logical(x), size, fill_value), -1)


@op(aten.select_backward.default)
def select_backward(n, gradient, sizes, axis, index):
    return select_scatter(n, _core.full(gradient.dtype, sizes, 0), gradient, axis, index)


@op(aten.slice_backward.default)
def slice_backward(n, gradient, sizes, axis, start, end, step):
    return slice_scatter(n, _core.full(gradient.dtype, sizes, 0), gradient, axis, start, end, step)
