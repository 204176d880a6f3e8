"""User-defined kernels as operations."""

from . import _core
from ._dtypes import as_dtype
from ._transforms import custom_vjp


def _values(values):
    """(dtype, dims): dims are a text, or a list of sizes and names."""
    made = []
    for dtype, dims in values:
        dims = (dims,) if isinstance(dims, int) else dims
        made.append((as_dtype(dtype), dims if isinstance(dims, str) else ", ".join(map(str, dims))))
    return made


def _kernel(is_cuda, text, name, inputs, outputs, grid, block, shared, scalars, zeroed, derivative, flags):
    block = [] if block is None else [block] if isinstance(block, int) else list(block)
    grid = grid if isinstance(grid, str) else str(grid) if isinstance(grid, int) else ", ".join(map(str, grid))
    raw = _core.make_kernel(is_cuda, text, name, _values(inputs), _values(outputs), grid, block, shared, scalars, zeroed, list(flags))

    def call(*args):
        results = raw([_core.as_array(a) for a in args])
        return results[0] if len(results) == 1 else tuple(results)

    call.__name__ = name
    if derivative is None:
        return call

    def backward(args, cotangent):
        cotangents = cotangent if isinstance(cotangent, tuple) else (cotangent,)
        gradients = derivative(*args, *cotangents)
        count = len(gradients) if isinstance(gradients, tuple) else 1
        if count != len(args):
            raise ValueError(f"{name}: the derivative returns {count} gradients for {len(args)} arrays")
        return gradients[0] if count == 1 and isinstance(gradients, tuple) else gradients

    return custom_vjp(_with_arguments(call), backward)


def _with_arguments(call):
    """The values for custom_vjp: the result, and what the derivative needs."""

    def forward(*args):
        return call(*args), args

    forward.__name__ = call.__name__
    return forward


def gpu_kernel(text, name, *, inputs, outputs, grid, block=None, scalars=None, zeroed=False, derivative=None):
    """A kernel for any GPU, and the simulated ones, as a function of arrays: the text of a gpu.module with one gpu.func.

    The function takes memref<?xT> of the inputs and the outputs, and then the integers `scalars`. `inputs` and `outputs` are
    pairs of a dtype and dims, "n, 64" or ("n", 64), where names stand for sizes; `grid` is of blocks, "n ceildiv 256". With
    `zeroed` the outputs are 0 before. `derivative(*inputs, *cotangents)` gives the gradient of the input, of several a tuple, by
    any operations, other kernels too; without one a gradient is an error. docs/gpu.md says what the text may use.
    """
    return _kernel(False, text, name, inputs, outputs, grid, block, None, scalars, zeroed, derivative, ())


def cuda_kernel(source, name, *, inputs, outputs, grid, block, shared=None, scalars=None, zeroed=False, derivative=None,
                flags=()):  # fmt: skip
    """A kernel in CUDA C++ as a function of arrays on a cuda device, compiled by NVRTC when a value is first needed.

    `name` is that of a __global__ function, "scale<float>" of a template; it takes the inputs' pointers, the outputs', and
    then the integers `scalars`. `shared`: bytes of dynamic shared memory; `flags`: options of NVRTC. All else as in gpu_kernel.
    """
    return _kernel(True, source, name, inputs, outputs, grid, block, shared, scalars, zeroed, derivative, flags)
