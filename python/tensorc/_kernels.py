"""User-defined kernels as operations."""

from . import _core
from ._dtypes import as_dtype
from ._transforms import custom_vjp


def _values(values):
    """Converts pairs of a dtype and dims. Dims are a text, or a list of sizes and names."""
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
    """Makes the `forward` of custom_vjp, which returns the result and the arguments that the
    derivative needs."""

    def forward(*args):
        return call(*args), args

    forward.__name__ = call.__name__
    return forward


def gpu_kernel(text, name, *, inputs, outputs, grid, block=None, scalars=None, zeroed=False, derivative=None):
    """A kernel for any GPU and for the simulator, as a function of arrays. `text` is a gpu.module with one gpu.func.

    The gpu.func takes a memref<?xT> per input and output, and then the integers `scalars`. `inputs` and `outputs` are
    pairs of a dtype and dims, "n, 64" or ("n", 64), where names are sizes. `grid` is the number of blocks, "n ceildiv
    256". With `zeroed` the outputs are set to 0 before the launch. `derivative(*inputs, *cotangents)` returns the
    gradient of the input, or a tuple for several inputs, computed by any operations including kernels; without it a
    gradient is an error. docs/gpu.md describes what the text may contain.
    """
    return _kernel(False, text, name, inputs, outputs, grid, block, None, scalars, zeroed, derivative, ())


def cuda_kernel(source, name, *, inputs, outputs, grid, block, shared=None, scalars=None, zeroed=False, derivative=None,
                flags=()):  # fmt: skip
    """A kernel in CUDA C++ as a function of arrays on a cuda device, compiled by NVRTC when a value is first needed.

    `name` is the name of a __global__ function, or an instance of a template, "scale<float>". The function takes the
    inputs' pointers, the outputs' pointers, and then the integers `scalars`. `shared`: bytes of dynamic shared
    memory. `flags`: options of NVRTC. The other parameters are those of gpu_kernel.
    """
    return _kernel(True, source, name, inputs, outputs, grid, block, shared, scalars, zeroed, derivative, flags)
