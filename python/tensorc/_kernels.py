"""Kernels that a program brings, as operations."""

from . import _core
from ._dtypes import as_dtype


def _values(values):
    """(dtype, dims): dims are a text, or a list of sizes and names."""
    made = []
    for dtype, dims in values:
        dims = (dims,) if isinstance(dims, int) else dims
        made.append((as_dtype(dtype), dims if isinstance(dims, str) else ", ".join(map(str, dims))))
    return made


def _kernel(is_cuda, text, name, inputs, outputs, grid, block, shared, scalars, zeroed, flags):
    block = [] if block is None else [block] if isinstance(block, int) else list(block)
    grid = grid if isinstance(grid, str) else str(grid) if isinstance(grid, int) else ", ".join(map(str, grid))
    raw = _core.make_kernel(is_cuda, text, name, _values(inputs), _values(outputs), grid, block, shared, scalars, zeroed, list(flags))

    def call(*args):
        results = raw([_core.as_array(a) for a in args])
        return results[0] if len(results) == 1 else tuple(results)

    call.__name__ = name
    return call


def gpu_kernel(text, name, *, inputs, outputs, grid, block=None, scalars=None, zeroed=False):
    """A kernel for any GPU, and the simulated ones, as a function of arrays: the text of a gpu.module with one gpu.func.

    The function takes memref<?xT> of the inputs and the outputs, and then the integers `scalars`. `inputs` and `outputs` are
    pairs of a dtype and dims, "n, 64" or ("n", 64), where names stand for sizes; `grid` is of blocks, "n ceildiv 256". With
    `zeroed` the outputs are 0 before. A kernel has no derivative. docs/gpu.md says what the text may use.
    """
    return _kernel(False, text, name, inputs, outputs, grid, block, None, scalars, zeroed, ())


def cuda_kernel(source, name, *, inputs, outputs, grid, block, shared=None, scalars=None, zeroed=False, flags=()):
    """A kernel in CUDA C++ as a function of arrays on a cuda device, compiled by NVRTC when a value is first needed.

    `name` is that of a __global__ function, "scale<float>" of a template; it takes the inputs' pointers, the outputs', and
    then the integers `scalars`. `shared`: bytes of dynamic shared memory; `flags`: options of NVRTC. All else as in gpu_kernel.
    """
    return _kernel(True, source, name, inputs, outputs, grid, block, shared, scalars, zeroed, flags)
