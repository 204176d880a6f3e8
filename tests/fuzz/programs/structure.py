"""The kinds of nodes that move, reduce or combine elements; kinds.py says what a kind is."""

import numpy as np

from kinds import kind, numbers, with_signs
from values import Value, combined, inexact, is_float, least, rounded, unit


# Moving ----------------------------------------------------------------------------------------------------------


class Moving:
    """Each element is one of the operand's."""

    @classmethod
    def evaluate(cls, node, x):
        return x.moved(lambda data: cls.move(node, data))


@kind("broadcast")
class Broadcast(Moving):
    """`dims`: where the operand's are among the result's."""

    @staticmethod
    def aligned(node, shape):
        aligned = [1] * len(node.shape)
        for d, n in zip(node.dims, shape):
            aligned[d] = n
        return aligned

    @classmethod
    def move(cls, node, data):
        return np.broadcast_to(data.reshape(cls.aligned(node, data.shape)), node.shape)

    @classmethod
    def record(cls, lib, node, x):
        return lib.broadcast_to(lib.reshape(x, cls.aligned(node, x.shape)), node.shape)

    @staticmethod
    def text(node, x):
        return f"tx.broadcast {x[0]} dims = {numbers(node.dims)} : {x[1]} -> {node.type}"


@kind("reshape")
class Reshape(Moving):
    @staticmethod
    def move(node, data):
        return data.reshape(node.shape)

    @staticmethod
    def record(lib, node, x):
        return lib.reshape(x, node.shape)

    @staticmethod
    def text(node, x):
        return f"tx.reshape {x[0]} : {x[1]} -> {node.type}"


@kind("transpose")
class Transpose(Moving):
    @staticmethod
    def move(node, data):
        return np.transpose(data, node.permutation)

    @staticmethod
    def record(lib, node, x):
        return lib.transpose(x, node.permutation)

    @staticmethod
    def text(node, x):
        return f"tx.transpose {x[0]} permutation = {numbers(node.permutation)} : {x[1]} -> {node.type}"


@kind("slice")
class Slice(Moving):
    """`offsets` and `strides`; the shape says how many. A stride may be negative."""

    @staticmethod
    def slices(node):
        parts = []
        for offset, stride, count in zip(node.offsets, node.strides, node.shape):
            end = offset + stride * count
            parts.append(slice(offset, None if end < 0 else end, stride))
        return parts

    @classmethod
    def move(cls, node, data):
        return data[tuple(cls.slices(node))]

    @classmethod
    def record(cls, lib, node, x):
        return lib.slices(x, cls.slices(node))

    @staticmethod
    def text(node, x):
        return f"tx.slice {x[0]} offsets = {numbers(node.offsets)} strides = {numbers(node.strides)} : {x[1]} -> {node.type}"


@kind("windows")
class Windows(Moving):
    """Along one dim, whose windows' elements are the last dim."""

    @staticmethod
    def move(node, data):
        count = node.shape[node.dim]
        places = np.arange(count)[:, None] * node.stride + np.arange(node.size) * node.dilation
        return np.moveaxis(np.take(data, places, axis=node.dim), node.dim + 1, -1)

    @classmethod
    def record(cls, lib, node, x):
        # The interface has poolings and convolutions only: the same windows as slices side by side.
        parts = []
        for i in range(node.size):
            first = i * node.dilation
            slices = [slice(None)] * node.dim
            slices.append(slice(first, first + (node.shape[node.dim] - 1) * node.stride + 1, node.stride))
            parts.append(lib.expand_dims(lib.slices(x, slices), len(x.shape)))
        return lib.concatenate(parts, len(x.shape))

    @staticmethod
    def text(node, x):
        return (f"tx.windows {x[0]} dims = [{node.dim}] sizes = [{node.size}] strides = [{node.stride}] "
                f"dilations = [{node.dilation}] : {x[1]} -> {node.type}")  # fmt: skip


@kind("pad")
class Pad:
    """x and a value; negative edges remove elements."""

    @staticmethod
    def spread(node, data, fill):
        shape = [n + max(n - 1, 0) * i for n, i in zip(data.shape, node.interior)]
        out = np.full(shape, fill, data.dtype)
        out[tuple(slice(None, None, i + 1) for i in node.interior)] = data
        edges = [(max(low, 0), max(high, 0)) for low, high in zip(node.low, node.high)]
        out = np.pad(out, edges, constant_values=fill)
        cut = [slice(max(-low, 0), n - max(-high, 0)) for low, high, n in zip(node.low, node.high, out.shape)]
        return out[tuple(cut)]

    @classmethod
    def evaluate(cls, node, x, value):
        data = cls.spread(node, x.data, value.data[()])
        errors = combined(x, value)
        return Value(x.dtype, data, None if errors is None else cls.spread(node, errors[0], errors[1][()]))

    @staticmethod
    def record(lib, node, x, value):
        return lib.pad(x, node.low, node.high, node.interior, value)

    @staticmethod
    def text(node, x, value):
        return (f"tx.pad {x[0]}, {value[0]} low = {numbers(node.low)} high = {numbers(node.high)} "
                f"interior = {numbers(node.interior)} : {x[1]} -> {node.type}")  # fmt: skip


@kind("concatenate")
class Concatenate:
    @staticmethod
    def evaluate(node, *parts):
        errors = combined(*parts)
        return Value(node.dtype, np.concatenate([p.data for p in parts], node.dim),
                     None if errors is None else np.concatenate(errors, node.dim))  # fmt: skip

    @staticmethod
    def record(lib, node, *parts):
        return lib.concatenate(list(parts), node.dim)

    @staticmethod
    def text(node, *parts):
        names, types = ", ".join(name for name, _ in parts), ", ".join(type for _, type in parts)
        return f"tx.concatenate {names} dim = {node.dim} : ({types}) -> {node.type}"


# Reducing --------------------------------------------------------------------------------------------------------


def accumulator(dtype):
    """Sums of f16 and bf16 are those of f32, rounded once."""
    return "f32" if dtype in ("f16", "bf16") else dtype


def summed(dtype, data, propagated, terms, reach):
    """A sum in an order that nobody knows: each term passes through as many additions as there are at most."""
    inner = accumulator(dtype)
    # The judge's own sum is one of f64.
    error = propagated + (unit(inner) + unit("f64")) * max(terms, 1) * reach
    return inexact(dtype, data, error, 2)


@kind("reduce")
class Reduce:
    """sum, prod, max, min, any, all, argmax, argmin over `dims`."""

    @staticmethod
    def evaluate(node, x):
        name, axes = node.name, tuple(node.dims)
        terms = int(np.prod([x.shape[d] for d in axes]))
        if name in ("any", "all"):
            return Value("i1", np.any(x.data, axes) if name == "any" else np.all(x.data, axes))
        if name in ("argmax", "argmin"):
            return Reduce.place(node, x, axes, terms)
        if name in ("max", "min"):
            if terms == 0:
                return None
            function = np.max if name == "max" else np.min
            data = with_signs(function(x.data, axis=axes), x.data, name == "max", lambda d: np.any(d, axis=axes))
            return Value(x.dtype, data, None if x.is_exact else np.max(x.error, axis=axes))
        if not is_float(x.dtype):
            with np.errstate(over="ignore"):
                function = np.sum if name == "sum" else np.prod
                return Value(x.dtype, function(x.data, axis=axes, dtype=x.data.dtype))
        if name == "sum":
            return summed(x.dtype, np.sum(x.data, axis=axes), np.sum(x.errors(), axis=axes), terms,
                          np.sum(np.abs(x.data) + x.errors(), axis=axes))  # fmt: skip
        if may_overflow(x, axes):
            return None
        product = np.prod(x.data, axis=axes)
        reach = np.prod(np.abs(x.data) + x.errors(), axis=axes)
        below = np.prod(np.maximum(np.abs(x.data) - x.errors(), 0), axis=axes)
        return summed(x.dtype, product, reach - below, terms, reach)

    @staticmethod
    def place(node, x, axes, terms):
        if terms == 0:
            return None
        kept = [d for d in range(x.data.ndim) if d not in axes]
        flat = np.transpose(x.data, kept + list(axes)).reshape([x.shape[d] for d in kept] + [-1])
        place = np.argmax(flat, -1) if node.name == "argmax" else np.argmin(flat, -1)
        if not x.is_exact:
            gaps = np.abs(flat - np.take_along_axis(flat, place[..., None], -1))
            np.put_along_axis(gaps, place[..., None], np.inf, -1)
            if np.any(gaps <= 2 * np.max(x.error, initial=0)):
                return None
        return Value("i64", place)

    @staticmethod
    def record(lib, node, x):
        return lib.reduce(node.name, x, node.dims, False)

    @staticmethod
    def text(node, x):
        name = f"reduce_{node.name}" if node.name in ("max", "min") else node.name
        return f"tx.{name} {x[0]} dims = {numbers(node.dims)} : {x[1]} -> {node.type}"


def may_overflow(x, axes):
    """Whether a product in some order is infinite: 0 times it is NaN, though the product in another order is 0."""
    widest = np.finfo(np.float64 if x.dtype == "f64" else np.float32).max
    with np.errstate(over="ignore"):
        return bool(np.any(np.prod(np.maximum(np.abs(x.data) + x.errors(), 1), axis=axes) > widest / 2))


@kind("scan")
class Scan:
    """cumsum, cumprod, cummax, cummin along `dim`; reverse, exclusive."""

    FUNCTIONS = {"cumsum": np.cumsum, "cumprod": np.cumprod, "cummax": np.maximum.accumulate,
                 "cummin": np.minimum.accumulate}  # fmt: skip

    @staticmethod
    def directed(node, function, data, first):
        data = np.flip(data, node.dim) if node.reverse else data
        out = np.array(function(data))
        if node.exclusive and data.shape[node.dim]:
            out = np.roll(out, 1, node.dim)
            out[tuple([slice(None)] * node.dim + [0])] = first
        return np.flip(out, node.dim) if node.reverse else out

    @classmethod
    def evaluate(cls, node, x):
        name, function, count = node.name, cls.FUNCTIONS[node.name], x.shape[node.dim]
        first = 1 if name == "cumprod" else 0
        if name in ("cummax", "cummin"):
            if node.exclusive:
                return None  # it begins with infinity

            def running(d):
                met = lambda e: np.logical_or.accumulate(e, axis=node.dim)  # noqa: E731
                return with_signs(function(d, axis=node.dim), d, name == "cummax", met)

            data = cls.directed(node, running, x.data, first)
            error = None
            if not x.is_exact:
                error = cls.directed(node, lambda d: np.maximum.accumulate(d, axis=node.dim), x.error, 0)
            return Value(x.dtype, data, error)
        if not is_float(x.dtype):
            with np.errstate(over="ignore"):
                data = cls.directed(node, lambda d: function(d, axis=node.dim, dtype=d.dtype), x.data, first)
            return Value(x.dtype, data)
        along = lambda d: cls.directed(node, lambda e: function(e, axis=node.dim), d, first)  # noqa: E731
        reach = along(np.abs(x.data) + x.errors())
        if name == "cumsum":
            return summed(x.dtype, along(x.data), along(x.errors()), count, reach)
        if may_overflow(x, node.dim):
            return None
        below = along(np.maximum(np.abs(x.data) - x.errors(), 0))
        return summed(x.dtype, along(x.data), reach - below, count, reach)

    @staticmethod
    def record(lib, node, x):
        return lib.cumulate(node.name, x, node.dim, node.reverse, node.exclusive)

    @staticmethod
    def text(node, x):
        words = (" reverse" if node.reverse else "") + (" exclusive" if node.exclusive else "")
        return f"tx.{node.name} {x[0]} dim = {node.dim}{words} : {x[1]}"


@kind("sort")
class Sort:
    """sort, argsort along `dim`."""

    @staticmethod
    def order(node, x):
        if node.descending:
            # Stable, and of equal elements the first one first.
            backwards = np.argsort(np.flip(x.data, node.dim), axis=node.dim, kind="stable")
            return np.flip(x.shape[node.dim] - 1 - backwards, node.dim)
        return np.argsort(x.data, axis=node.dim, kind="stable")

    @classmethod
    def evaluate(cls, node, x):
        order = cls.order(node, x)
        if node.name == "sort":
            # Values that are off by little are in order off by no more.
            error = None if x.is_exact else np.broadcast_to(np.max(x.error, axis=node.dim, keepdims=True, initial=0), x.shape)
            return Value(x.dtype, np.take_along_axis(x.data, order, node.dim), error)
        return Value("i64", order) if x.is_exact else None

    @staticmethod
    def record(lib, node, x):
        return lib.call(node.name, x, node.dim, node.descending)

    @staticmethod
    def text(node, x):
        return f"tx.{node.name} {x[0]} dim = {node.dim}{' descending' if node.descending else ''} : {x[1]}"


# Combining -------------------------------------------------------------------------------------------------------


@kind("dot")
class Dot:
    """[..., m, k] by [..., k, n]."""

    @staticmethod
    def evaluate(node, x, y):
        if not is_float(x.dtype):
            with np.errstate(over="ignore"):
                return Value(x.dtype, np.matmul(x.data, y.data).astype(x.data.dtype))
        ax, ay, ex, ey = np.abs(x.data), np.abs(y.data), x.errors(), y.errors()
        propagated = np.matmul(ax, ey) + np.matmul(ex, ay) + np.matmul(ex, ey)
        # Each product may round to a subnormal number; their sums are exact.
        propagated = propagated + x.shape[-1] * least(accumulator(x.dtype)) / 2
        return summed(x.dtype, np.matmul(x.data, y.data), propagated, x.shape[-1] + 1, np.matmul(ax + ex, ay + ey))

    @staticmethod
    def record(lib, node, x, y):
        return lib.matmul(x, y)

    @staticmethod
    def text(node, x, y):
        batch = numbers(range(len(node.shape) - 2))
        last = len(node.shape) - 1
        return (f"tx.dot_general {x[0]}, {y[0]} batch = {batch} x {batch} contracting = [{last}] x [{last - 1}] "
                f": ({x[1]}, {y[1]}) -> {node.type}")  # fmt: skip


@kind("gather")
class Gather:
    """Rows of x; indices are clamped."""

    @staticmethod
    def evaluate(node, x, indices):
        places = np.clip(indices.data.astype(np.int64), 0, x.shape[0] - 1)
        return x.moved(lambda data: data[places])

    @staticmethod
    def forms(node, x_rank):
        batch = len(node.shape) - (x_rank - 1)
        return list(range(batch, len(node.shape))), [0], [0], batch

    @classmethod
    def record(cls, lib, node, x, indices):
        return lib.gather(x, indices, *cls.forms(node, len(x.shape)), [1] + list(x.shape[1:]))

    @classmethod
    def text(cls, node, x, indices):
        window, dropped, mapped, vector_dim = cls.forms(node, node.x_rank)
        sizes = [1] + [node.shape[d] for d in window]
        return (f"tx.gather {x[0]}, {indices[0]} offset_dims = {numbers(window)} collapsed_slice_dims = "
                f"{numbers(dropped)} start_index_map = {numbers(mapped)} index_vector_dim = {vector_dim} "
                f"slice_sizes = {numbers(sizes)} : ({x[1]}, {indices[1]}) -> {node.type}")  # fmt: skip


@kind("scatter")
class Scatter:
    """Rows of x, one after the other; what lies outside is dropped."""

    @staticmethod
    def evaluate(node, x, indices, updates):
        adds = node.name in ("add", "mul")
        errors = combined(x, updates)
        if adds and is_float(x.dtype) and errors is not None:
            return None
        data = np.array(x.data)
        error = None if errors is None else np.array(errors[0])
        function = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}.get(node.name)
        for at, update, e in zip(indices.data, updates.data, updates.errors()):
            if not 0 <= int(at) < len(data):
                continue
            with np.errstate(over="ignore"):
                data[at] = update if function is None else function(data[at], update)
            if is_float(x.dtype):
                data[at] = rounded(x.dtype, data[at])
            if error is not None:
                error[at] = e if function is None else np.maximum(error[at], e)
        return Value(x.dtype, data, error)

    @staticmethod
    def forms(node):
        return list(range(1, len(node.shape))), [0], [0], 1

    @classmethod
    def record(cls, lib, node, x, indices, updates):
        return lib.scatter(node.name, x, indices, updates, *cls.forms(node))

    @classmethod
    def text(cls, node, x, indices, updates):
        window, dropped, mapped, vector_dim = cls.forms(node)
        return (f'tx.scatter "{node.name}" {x[0]}, {indices[0]}, {updates[0]} update_window_dims = {numbers(window)} '
                f"inserted_window_dims = {numbers(dropped)} scatter_dims_to_operand_dims = {numbers(mapped)} "
                f"index_vector_dim = {vector_dim} : ({x[1]}, {indices[1]}, {updates[1]}) -> {node.type}")  # fmt: skip


def clamped(starts, sizes, shape):
    return [min(max(int(s.data), 0), n - size) for s, size, n in zip(starts, sizes, shape)]


@kind("dynamic_slice")
class DynamicSlice:
    @staticmethod
    def evaluate(node, x, *starts):
        first = clamped(starts, node.shape, x.shape)
        return x.moved(lambda data: data[tuple(slice(s, s + n) for s, n in zip(first, node.shape))])

    @staticmethod
    def record(lib, node, x, *starts):
        return lib.dynamic_slice(x, list(starts), node.shape)

    @staticmethod
    def text(node, x, *starts):
        names, types = ", ".join(s for s, _ in starts), ", ".join(t for _, t in [x, *starts])
        return f"tx.dynamic_slice {x[0]}[{names}] slice_sizes = {numbers(node.shape)} : ({types}) -> {node.type}"


@kind("dynamic_update_slice")
class DynamicUpdateSlice:
    @staticmethod
    def evaluate(node, x, update, *starts):
        first = clamped(starts, update.shape, x.shape)
        where = tuple(slice(s, s + n) for s, n in zip(first, update.shape))

        def put(old, new):
            out = np.array(old)
            out[where] = new
            return out

        errors = combined(x, update)
        return Value(x.dtype, put(x.data, update.data), None if errors is None else put(*errors))

    @staticmethod
    def record(lib, node, x, update, *starts):
        return lib.dynamic_update_slice(x, update, list(starts))

    @staticmethod
    def text(node, x, update, *starts):
        names, types = ", ".join(s for s, _ in starts), ", ".join(t for _, t in [x, update, *starts])
        return f"tx.dynamic_update_slice {x[0]}, {update[0]}[{names}] : ({types}) -> {node.type}"
