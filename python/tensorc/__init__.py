"""tensorc: NumPy's habits over a tensor compiler.

>>> import tensorc as tc
>>> x = tc.asarray([1.0, 2.0, 3.0])
>>> (x * 2 + 1).sum()
array(15.0, dtype=float32)

Operations record; a value is computed when it is needed. docs/python.md teaches
the rest.
"""

import os as _os

from . import _core

_core.set_package_folder(_os.path.dirname(__file__) + _os.sep)

from ._core import (  # noqa: E402
    Array, DeviceError, DType, Event, Stream, compile_stats, devices, eval, last_kernels, reset_compile_stats,
    set_default_device, set_op_by_op, set_progress, set_store_intermediates,
)  # fmt: skip
from ._dtypes import *  # noqa: E402, F403
from ._device import current_device, device  # noqa: E402
from ._creation import *  # noqa: E402, F403
from ._elementwise import *  # noqa: E402, F403
from ._functions import *  # noqa: E402, F403
from ._statistics import *  # noqa: E402, F403
from . import _array as _array, cuda, fft, linalg, random, signal, tree  # noqa: E402
from ._transforms import (  # noqa: E402
    Tape, checkpoint, cond, custom_vjp, fori_loop, grad, hessian, hvp, jacobian, jit, jvp, map,
    scan, stop_gradient, switch, value_and_grad, vjp, vmap, while_loop,
)  # fmt: skip
from ._kernels import cuda_kernel, gpu_kernel  # noqa: E402
from ._vectorize import vectorize  # noqa: E402
from ._files import Input, compile_to, load, load_package, read_program, record, save  # noqa: E402
from ._inspect import __array_namespace_info__, explain, trace  # noqa: E402

__version__ = _core.version()
__array_api_version__ = "2024.12"

e = 2.718281828459045
pi = 3.141592653589793
inf = float("inf")
nan = float("nan")
newaxis = None


def __getattr__(name):
    # Modules that not every program needs are imported when they are named.
    if name in ("nn", "optim", "special", "torch", "jax"):
        import importlib

        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'tensorc' has no attribute '{name}'")
