"""Meshes: grids of ranks with named axes, and arrays that are split over them."""

import math

from .. import _core
from .._arguments import _array
from .._dtypes import has_derivatives
from .._transforms import _Transformed


class Mesh:
    """A grid of ranks with named axes, in row-major order: the last axis is that of neighbouring ranks.

    >>> mesh = tc.Mesh({"data": 2, "model": 2})
    >>> mesh.size, mesh.groups("data"), mesh.position("model", 3)
    (4, [[0, 2], [1, 3]], 1)
    """

    def __init__(self, axes):
        axes = list(axes.items() if hasattr(axes, "items") else axes)
        self.axis_names = tuple(name for name, _ in axes)
        self.sizes = tuple(int(size) for _, size in axes)
        if len(set(self.axis_names)) != len(axes) or any(size < 1 for size in self.sizes):
            raise ValueError(f"Mesh: axes have different names and sizes of at least 1, not {axes}")

    @property
    def shape(self):
        """The size of each axis by its name."""
        return dict(zip(self.axis_names, self.sizes))

    @property
    def size(self):
        """The number of ranks."""
        return math.prod(self.sizes)

    def position(self, axis, rank):
        """A rank's position along an axis."""
        i = self._find(axis)
        return rank // math.prod(self.sizes[i + 1 :]) % self.sizes[i]

    def groups(self, axis):
        """The `groups` of a collective along an axis: lists of ranks that differ only there."""
        i = self._find(axis)
        stride = math.prod(self.sizes[i + 1 :])
        firsts = [rank for rank in range(self.size) if self.position(axis, rank) == 0]
        return [[first + k * stride for k in range(self.sizes[i])] for first in firsts]

    def _find(self, name):
        if name not in self.axis_names:
            raise ValueError(f"Mesh: has axes {self.axis_names}, not {name!r}")
        return self.axis_names.index(name)

    def _dims(self, spec, ndim, call):
        """Returns, for each axis of the mesh, the axis of an array that it splits, or -1."""
        if len(spec) > ndim:
            raise ValueError(f"{call}: {spec} is for {len(spec)} axes, the array has {ndim}")
        dims = [-1] * len(self.sizes)
        for dim, names in enumerate(spec):
            axes = [self._find(name) for name in (() if names is None else (names,) if isinstance(names, str) else names)]
            for axis in axes:
                if dims[axis] != -1:
                    raise ValueError(f"{call}: the mesh axis {self.axis_names[axis]!r} splits two axes in {spec}")
                dims[axis] = dim
            if axes != sorted(axes):
                raise ValueError(f"{call}: {names} is not in the order of the mesh's axes, {self.axis_names}")
        return tuple(dims)

    def _unnamed(self, spec, ndim, call):
        """Returns the axes with more than one rank that a spec does not name."""
        dims = self._dims(spec, ndim, call)
        return tuple(name for name, size, dim in zip(self.axis_names, self.sizes, dims) if size > 1 and dim == -1)

    def __eq__(self, other):
        return isinstance(other, Mesh) and (self.axis_names, self.sizes) == (other.axis_names, other.sizes)

    def __hash__(self):
        return hash((self.axis_names, self.sizes))

    def __repr__(self):
        return f"Mesh({self.shape})"


class Sharding:
    """How an array is split: `mesh` are the sizes of a mesh's axes, `dims` has for each the axis of the array that it
    splits, or -1. `spec(mesh)` is the spec of `shard`, with the names of a mesh of these sizes.
    """

    def __init__(self, mesh, dims, ndim):
        self.mesh, self.dims, self._ndim = mesh, dims, ndim

    def spec(self, mesh):
        """For each axis of the array the name of the mesh axis that splits it, a tuple of several, or None."""
        if mesh.sizes != self.mesh:
            raise ValueError(f"spec: the array is split over a mesh of {self.mesh} ranks, not {mesh.sizes}")
        names = [tuple(n for n, d in zip(mesh.axis_names, self.dims) if d == dim) for dim in range(self._ndim)]
        return tuple(None if not axes else axes[0] if len(axes) == 1 else axes for axes in names)

    def __eq__(self, other):
        return isinstance(other, Sharding) and (self.mesh, self.dims) == (other.mesh, other.dims)

    def __hash__(self):
        return hash((self.mesh, self.dims))

    def __repr__(self):
        return f"Sharding(mesh={self.mesh}, dims={self.dims})"


def _sharding(x):
    split = _core.sharding(x)
    return None if split is None else Sharding(*split, x.ndim)


_core.Array.sharding = property(
    _sharding,
    doc="How the array is split over the ranks, which then hold parts of it (docs/distributed.md); None if each has all of it.",
)


def whole(x):
    """x as a whole on each rank; x itself if it is not split."""
    split = _core.sharding(x)
    return x if split is None else _core.shard(x, split[0], (-1,) * len(split[0]))


def _over(function, x, mesh, spec):
    x = _array(x)
    if not isinstance(mesh, Mesh):
        raise TypeError(f"{function.__name__}: mesh is a tc.Mesh, not {type(mesh).__name__}")
    return function(x, mesh.sizes, mesh._dims(spec, x.ndim, function.__name__))


def shard(x, mesh, spec):
    """Splits x over the ranks of the thread's communicator, and returns it as a whole.

    `spec` has for each axis of x the name of the mesh axis that splits it, a tuple of names in the mesh's order, or None;
    axes that are left out are whole. What is computed from the result is split likewise, and collectives are inserted where parts of other
    ranks are needed. Without a communicator the result is x.

    >>> mesh = tc.Mesh({"data": 2, "model": 2})
    >>> def body(rank):
    ...     x = tc.shard(tc.ones((4, 8)), mesh, ("data", None))
    ...     w = tc.shard(tc.ones((8, 6)), mesh, (None, "model"))
    ...     return (x @ w).sum()
    >>> tc.spmd(["cpu"] * 4, body)[0]
    array(192.0, dtype=float32)
    """
    return _over(_core.shard, x, mesh, spec)


def local_part(x, mesh, spec):
    """This rank's part of x, split as by `shard`. It differs between the ranks."""
    return _over(_core.local_part, x, mesh, spec)


def join_parts(x, mesh, spec):
    """The array that consists of the ranks' parts. x is this rank's part. The result stays split: no rank holds all of it."""
    return _over(_core.join_parts, x, mesh, spec)


def _part_of_argument(x, mesh, spec):
    """Like local_part, but its gradient is the sum of the gradients of the ranks that have the
    same part. x is repeated along a new axis, and each of these ranks has one element along
    it."""
    x = _array(x)
    same = mesh._unnamed(spec, x.ndim, "shard_map")
    if not same or not has_derivatives(x.dtype):
        return local_part(x, mesh, spec)
    count = math.prod(mesh.shape[name] for name in same)
    return local_part(_core.broadcast_to(x, (count, *x.shape)), mesh, (same, *spec))[0]


def _join_result(x, mesh, spec):
    """Like join_parts, but its gradient is divided among the ranks that have the same
    part."""
    from .._transforms import custom_vjp

    x = _array(x)
    same = mesh._unnamed(spec, x.ndim, "shard_map")
    if not same or not has_derivatives(x.dtype):
        return join_parts(x, mesh, spec)
    count = math.prod(mesh.shape[name] for name in same)
    joined = custom_vjp(lambda x: (join_parts(x, mesh, spec), ()), lambda _, g: _part_of_argument(g, mesh, spec) / count)
    return joined(x)


def shard_map(function, mesh, in_specs, out_specs):
    """A function of wholes that calls `function` with this rank's parts, and joins its results, which are parts.

    `in_specs` has a spec for each argument, `out_specs` one for the result or a list of them for a tuple of results.
    Within `function`, collectives along an axis take `groups=mesh.groups("model")`. Gradients are those of the function
    of wholes if ranks along an axis that an `out_specs` leaves out have the same result, as after an all_reduce. What
    gradients are taken of is an argument: an array from outside that `function` uses has each rank's own gradient.

    >>> mesh = tc.Mesh({"data": 2})
    >>> total = tc.distributed.shard_map(lambda x: tc.distributed.all_reduce(x.sum()), mesh, [("data",)], ())
    >>> tc.spmd(["cpu", "cpu"], lambda rank: total(tc.arange(4.0)))[1]
    array(6.0, dtype=float32)
    """

    def mapped(*arguments):
        if len(arguments) != len(in_specs):
            raise TypeError(f"shard_map: {len(arguments)} arguments, and specs for {len(in_specs)}")
        results = function(*(_part_of_argument(x, mesh, spec) for x, spec in zip(arguments, in_specs)))
        if not isinstance(out_specs, list):
            return _join_result(results, mesh, out_specs)
        return tuple(_join_result(x, mesh, spec) for x, spec in zip(results, out_specs, strict=True))

    return _Transformed("shard_map", mapped, function)
