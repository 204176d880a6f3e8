"""tensorc: a tensor compiler with NumPy's interface.

>>> import tensorc as tc
>>> x = tc.asarray([1.0, 2.0, 3.0])
>>> (x * 2 + 1).sum()
array(15.0, dtype=float32)

Operations are recorded; a value is computed when it is needed. docs/python.md is an introduction.
"""

import os as _os
import sys as _sys

from . import _interface


def _load():
    """Loads the extension. Raises an error if the extension belongs to another version of
    Python, another build or another library than these files."""
    folder = _os.path.dirname(__file__)
    if "t" in getattr(_sys, "abiflags", ""):
        raise ImportError("tensorc: the extension needs Python's global lock, and this Python is a free-threaded one")
    try:
        from . import _core
    except ImportError as error:
        if not error.msg.startswith("cannot import"):
            raise  # the error is about another library, which the loader's message names
        found = ", ".join(sorted(n for n in _os.listdir(folder) if n.startswith("_core.") and n.endswith(".so"))) or "none"
        raise ImportError(f"tensorc: no extension for {_sys.implementation.cache_tag} is in {folder}, which has {found}: "
                          "install tensorc for this Python") from None  # fmt: skip
    made = getattr(_core, "interface", "an older build")
    if made != _interface.name:
        raise ImportError(f"tensorc: the Python files in {folder} are of {_interface.name}, and the extension {_core.__file__} "
                          f"is of {made}: install tensorc again")  # fmt: skip
    if _core.version() != made.partition("-")[0]:
        raise ImportError(f"tensorc: the extension {_core.__file__} is of {made}, and libtensorc {_core.version()} was loaded: "
                          "is another one in LD_LIBRARY_PATH?")  # fmt: skip
    _core.set_package_folder(folder + _os.sep)
    return _core


_core = _load()

from ._core import (  # noqa: E402
    Array, DeviceError, DType, Event, Stream, compile_stats, devices, eval, last_kernels, reset_compile_stats,
    set_default_device, set_op_by_op, set_progress, set_store_intermediates,
)  # fmt: skip
from ._dtypes import *  # noqa: E402, F403
from ._device import (  # noqa: E402
    current_device, current_stream, default_device, device, device_count, device_figures, empty_cache, explain_placement, is_available, memory_snapshot,
    memory_stats, record_memory, reset_peak, residence, set_device, set_memory_limit, stream, synchronize,
)  # fmt: skip
from ._creation import *  # noqa: E402, F403
from ._elementwise import *  # noqa: E402, F403
from ._functions import *  # noqa: E402, F403
from ._statistics import *  # noqa: E402, F403
from ._numpy import *  # noqa: E402, F403
from . import _array as _array  # noqa: E402
from . import _einops as _einops  # noqa: E402

_einops.register()
if "IPython" in _sys.modules:
    from ._inspect import _show_in_notebook

    _show_in_notebook()

__version__ = _core.version()
__array_api_version__ = "2025.12"

e = 2.718281828459045
pi = 3.141592653589793
inf = float("inf")
nan = float("nan")
newaxis = None


# Modules and functions that only some programs need are imported at their first use. The lines
# under TYPE_CHECKING list the same names for tools that read this file (tests/python/test_import.py
# compares them).
_modules = ("cuda", "distributed", "fft", "jax", "linalg", "nn", "optim", "quantization", "random", "signal", "special", "torch", "tree")
_later = {
    name: module
    for module, names in {
        "_control": "cond fori_loop map scan switch while_loop",
        "_files": "Input compile_to load load_package read_program record save",
        "_inspect": "__array_namespace_info__ disk_cache_folder explain report set_disk_cache set_tuning trace tune",
        "_kernels": "cuda_kernel gpu_kernel",
        "_transforms": "Tape checkpoint constant custom_vjp grad hessian hvp jacobian jit jvp stop_gradient value_and_grad vjp vmap",
        "_vectorize": "vectorize",
        "distributed": "Communicator Mesh shard shard_map spmd",
        "linalg": "cross",
    }.items()
    for name in names.split()
}
TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import cuda, distributed, fft, jax, linalg, nn, optim, quantization, random, signal, special, torch, tree
    from ._control import cond, fori_loop, map, scan, switch, while_loop
    from ._files import Input, compile_to, load, load_package, read_program, record, save
    from ._inspect import __array_namespace_info__, disk_cache_folder, explain, report, set_disk_cache, set_tuning, trace, tune
    from ._kernels import cuda_kernel, gpu_kernel
    from ._transforms import (
        Tape, checkpoint, constant, custom_vjp, grad, hessian, hvp, jacobian, jit, jvp, stop_gradient,
        value_and_grad, vjp, vmap,
    )  # fmt: skip
    from ._vectorize import vectorize
    from .distributed import Communicator, Mesh, shard, shard_map, spmd
    from .linalg import cross
del TYPE_CHECKING
# Modules that `from tensorc import *` excludes, because they need other packages or are meant to be
# used under their own names.
_apart = ("jax", "nn", "optim", "quantization", "special", "torch")
__all__ = sorted({*(n for n in globals() if not n.startswith("_")), *_later, *_modules} - {"__array_namespace_info__", *_apart})


def __dir__():
    return sorted({*globals(), *_modules, *_later})


def __getattr__(name):
    if name not in _modules and name not in _later:
        raise AttributeError(f"module 'tensorc' has no attribute '{name}'")
    import importlib

    module = importlib.import_module("." + _later.get(name, name), __name__)
    if name in _modules:
        return module
    # The next access is an ordinary attribute lookup.
    value = globals()[name] = getattr(module, name)
    return value
