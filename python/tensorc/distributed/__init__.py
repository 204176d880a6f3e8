"""Several devices: ranks, and collectives between them. docs/distributed.md is the guide.

All ranks run the same program, each on its part of the data, and call the same collectives in the same order.

>>> def body(rank):
...     x = tc.ones(2) * (rank.rank + 1)
...     return tc.distributed.all_reduce(x)
>>> tc.spmd(["cpu", "cpu"], body)
[array([3.0, 3.0], dtype=float32), array([3.0, 3.0], dtype=float32)]

Names are those of torch.distributed, except that collectives return their results. JAX's psum is all_reduce,
psum_scatter is reduce_scatter, ppermute is permute, and axis_index is partition_id.
"""

import threading

from .. import _core
from .._arguments import _array, _axis
from .._device import _named
from ._checkpoint import load, save
from ._mesh import Mesh, Sharding, join_parts, local_part, shard, shard_map, whole

__all__ = [
    "Communicator", "Mesh", "Sharding", "all_gather", "all_reduce", "all_to_all", "barrier", "broadcast", "destroy_process_group",
    "get_rank", "get_world_size", "init_process_group", "is_initialized", "join_parts", "load", "local_part",
    "partition_id", "permute", "reduce_scatter", "save", "shard", "shard_map", "spmd", "whole",
]  # fmt: skip


def __dir__():
    return __all__


Communicator = _core.Communicator
_combiners = {"sum": 0, "product": 1, "prod": 1, "min": 2, "max": 3, "and": 4, "or": 5}
_stack = threading.local()


def _local(devices):
    """Returns a list of communicators, one per device. The ranks are in this process."""
    return Communicator._local([_named(device).name for device in devices])


def _mpi(device=None):
    """Returns the communicator of this process, which is one of the ranks that mpirun has
    started."""
    return Communicator._mpi(_named(device).name)


def _nccl(device, file=None, rank=0, size=1):
    """Returns the communicator of this rank, a GPU that the vendor's library (NCCL, RCCL) connects with those of the
    other ranks. The ranks meet by `file`, an absolute path that does not exist yet, or under mpirun by MPI."""
    return Communicator._nccl(_named(device).name, None if file is None else str(file), rank, size)


def _set_timeout(self, seconds):
    """Sets the time that this rank waits for the others in a collective, in seconds; None:
    TENSORC_COMMUNICATOR_TIMEOUT, or 300 s."""
    self._set_timeout(0 if seconds is None else max(round(seconds * 1000), 1))


def _enter(self):
    if not hasattr(_stack, "former"):
        _stack.former = []
    _stack.former.append((_core.thread_communicator(), _core.thread_device()))
    _core.set_communicator(self)
    _core.set_device(self._device)
    return self


def _exit(self, *error):
    communicator, device = _stack.former.pop()
    _core.set_communicator(communicator)
    _core.set_device(device or None)


Communicator.local = staticmethod(_local)
Communicator.mpi = staticmethod(_mpi)
Communicator.nccl = staticmethod(_nccl)
Communicator.device = property(lambda self: _core.Device(self._device), doc="The rank's device.")
Communicator.set_timeout = _set_timeout
Communicator.__enter__ = _enter
Communicator.__exit__ = _exit
Communicator.__repr__ = lambda self: f"Communicator(rank={self.rank}, size={self.size}, device={self._device!r}, backend={self.backend!r})"


def spmd(devices, body):
    """Calls body(rank) for each device, and returns a list of the results; `rank` is a Communicator.

    Each call has its own thread, which creates arrays on its device; the CPU may be listed several times. Arrays in
    the results are computed, and gathered if they are split. The first exception cancels the collectives of the other ranks, and is raised.
    """
    if isinstance(devices, (str, _core.Device)):
        raise TypeError(f"spmd: devices is a list with one device a rank, as [{str(devices)!r}], not one device")
    devices = list(devices)
    if not devices:
        raise ValueError("spmd: the list of devices is empty")
    ranks = Communicator.local(devices)
    names = [rank._device for rank in ranks]
    for name in names:
        if names.count(name) > 1 and not name.startswith("cpu"):
            raise ValueError(f"spmd: {name} is there twice: it does its work in order, so its ranks would wait for each other")
    results, errors = [None] * len(ranks), []

    def run(rank):
        try:
            with rank:
                leaves, tree = _core.tree_flatten(body(rank))
                leaves = [whole(leaf) if isinstance(leaf, _core.Array) else leaf for leaf in leaves]
                result = tree.unflatten(leaves)
                arrays = [leaf for leaf in leaves if isinstance(leaf, _core.Array)]
                if arrays:
                    _core.eval(*arrays)
            results[rank.rank] = result
        except BaseException as error:
            errors.append(error)
            rank.abort(f"{type(error).__name__}: {error}")
        finally:
            rank._end()

    threads = [threading.Thread(target=run, args=(rank,), name=f"rank {rank.rank}") for rank in ranks]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:
        for rank in ranks:
            rank.abort("interrupted")
        raise
    if errors:
        raise errors[0]
    return results


def init_process_group(backend="mpi", device=None, *, init_method=None, rank=0, world_size=1):
    """Makes the calling thread a rank, and returns its Communicator.

    The ranks are the processes that mpirun has started. The backend "nccl" exchanges data between GPUs by the vendor's
    library. With it, the ranks need no mpirun if `init_method` is "file:///PATH", a file that does not exist yet, and
    each process passes its rank and the number of ranks.
    """
    if backend not in ("mpi", "nccl"):
        raise ValueError(f"init_process_group: the backend is 'mpi' or 'nccl', not {backend!r}; tc.spmd connects devices of one process")
    if init_method is not None and (backend != "nccl" or not init_method.startswith("file://")):
        raise ValueError(f"init_process_group: init_method is 'file:///PATH' with the backend 'nccl', not {init_method!r}")
    if is_initialized():
        raise RuntimeError("init_process_group: the thread has a communicator")
    if backend == "mpi":
        made = Communicator.mpi(device)
    else:
        made = Communicator.nccl(device, init_method and init_method.removeprefix("file://"), rank, world_size)
    rank = made
    _core.set_communicator(rank)
    _core.set_device(rank._device)
    return rank


def destroy_process_group():
    """Ends the communicator that init_process_group has made."""
    _core.set_communicator(None)


def is_initialized():
    """True if the calling thread has a communicator."""
    return _core.thread_communicator() is not None


def get_rank():
    """The number of this rank as an int; 0 without a communicator. In programs that are compiled for all ranks use
    partition_id()."""
    rank = _core.thread_communicator()
    return rank.rank if rank else 0


def get_world_size():
    """The number of ranks; 1 without a communicator."""
    rank = _core.thread_communicator()
    return rank.size if rank else 1


def _groups(groups):
    """Returns the ranks of all groups in one list, and the size of each group."""
    if groups is None:
        return (), 0
    groups = [list(group) for group in groups]
    sizes = {len(group) for group in groups}
    if len(sizes) != 1 or 0 in sizes:
        raise ValueError(f"groups are lists of ranks, all of one length, not {groups}")
    return tuple(rank for group in groups for rank in group), sizes.pop()


def _combiner(op, call):
    if op not in _combiners:
        raise ValueError(f"{call}: op is one of {', '.join(map(repr, _combiners))} or 'mean', not {op!r}")
    return _combiners[op]


def _mean(x, size):
    return x / (size or get_world_size())


def all_reduce(x, op="sum", groups=None):
    """Combines the elements of all ranks, in the order of the ranks; each rank gets the result. `op` is 'sum',
    'mean', 'product', 'min', 'max', 'and' or 'or'.

    With `groups`, lists of ranks such as [[0, 1], [2, 3]], each group is combined separately.
    """
    ranks, size = _groups(groups)
    if op == "mean":
        return _mean(_core.all_reduce(_array(x), 0, ranks, size), size)
    return _core.all_reduce(_array(x), _combiner(op, "all_reduce"), ranks, size)


def reduce_scatter(x, op="sum", axis=0, groups=None):
    """Combines like all_reduce, and returns part r along an axis on rank r. The number of ranks must divide the axis."""
    x, (ranks, size) = _array(x), _groups(groups)
    axis = _axis(axis, x.ndim)
    if op == "mean":
        return _mean(_core.reduce_scatter(x, 0, axis, ranks, size), size)
    return _core.reduce_scatter(x, _combiner(op, "reduce_scatter"), axis, ranks, size)


def all_gather(x, axis=0, groups=None):
    """Concatenates the values of all ranks along an axis, on each rank."""
    x = _array(x)
    return _core.all_gather(x, _axis(axis, x.ndim), *_groups(groups))


def all_to_all(x, split_axis=0, concat_axis=0, groups=None):
    """Returns on rank r the parts r along `split_axis` of all ranks' values, concatenated along `concat_axis`."""
    x = _array(x)
    return _core.all_to_all(x, _axis(split_axis, x.ndim), _axis(concat_axis, x.ndim), *_groups(groups))


def broadcast(x, root=0, groups=None):
    """Returns the value of the rank `root` on all ranks. With `groups`, `root` is a position in each group."""
    return _core.collective_broadcast(_array(x), root, *_groups(groups))


def permute(x, pairs):
    """Returns the value of the rank that sends to this rank, given pairs (source, target); zeros on ranks that are no
    target."""
    pairs = [tuple(pair) for pair in pairs]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"permute: pairs are (source, target), not {pairs}")
    return _core.collective_permute(_array(x), tuple(s for s, _ in pairs), tuple(t for _, t in pairs))


def partition_id():
    """The number of this rank as an int64 array of rank 0. Compiled programs compute it at run time, so they are the
    same for all ranks."""
    return _core.partition_id()


def barrier():
    """Waits until all ranks have called it."""
    _core.all_reduce(_core.as_array(0.0), 0, (), 0).eval()
