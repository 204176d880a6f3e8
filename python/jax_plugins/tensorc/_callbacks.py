"""Python functions in JAX programs: pure_callback, io_callback, debug.callback and debug.print.

In the program such a function is a custom call with the number of the function. JAX's lowered program keeps the
function alive. The number is valid only in this process, so the plugin refuses to serialize programs with callbacks.
"""

import ctypes
import functools
import itertools
import weakref

import numpy as np

_numbers = itertools.count()
_functions = weakref.WeakValueDictionary()
_paths = []  # paths of the libraries whose runtimes call Python functions
# The keys are values of tensorc_rt_dtype.
_DTYPES = {1: "bool", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 6: "uint8", 7: "uint16", 8: "uint32", 9: "uint64",
           10: "float16", 11: "bfloat16", 12: "float32", 13: "float64", 16: "float8_e4m3fn", 17: "float8_e5m2", 18: "complex64",
           19: "complex128"}  # fmt: skip
_INVALID_ARGUMENT, _CUSTOM_CALL = 1, 8


class _Array(ctypes.Structure):
    """The struct tensorc_rt_array."""

    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int), ("rank", ctypes.c_int32),
                ("dims", ctypes.POINTER(ctypes.c_int64))]  # fmt: skip


class _Call(ctypes.Structure):
    """The struct tensorc_rt_op_call."""

    _fields_ = [("struct_size", ctypes.c_size_t), ("user", ctypes.c_void_p), ("device", ctypes.c_void_p),
                ("input_count", ctypes.c_int32), ("output_count", ctypes.c_int32), ("inputs", ctypes.POINTER(_Array)),
                ("outputs", ctypes.POINTER(_Array)), ("config", ctypes.c_char_p)]  # fmt: skip


_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_Call))


class _Function:
    """A wrapper of a function to which the table can have a weak reference."""

    def __init__(self, call):
        self.call = call


def install(library):
    """Lets JAX lower its callbacks for this platform; programs run in the runtime of this library."""
    from jax._src import callback

    if not _paths:
        original = callback.emit_python_callback

        def lower(ctx, function, token, operands, operand_avals, result_avals, **options):
            if tuple(ctx.module_context.platforms) != ("tensorc",):
                return original(ctx, function, token, operands, operand_avals, result_avals, **options)
            return emit(ctx, function, token, operands, result_avals, **options)

        callback.emit_python_callback = lower
    if library not in _paths:
        _paths.append(library)


@functools.cache
def _register(path):
    library = ctypes.CDLL(path)
    library.tensorc_rt_status_create.restype = ctypes.c_void_p
    library.tensorc_rt_status_message.restype = ctypes.c_char_p

    library.tensorc_rt_register_op.restype = ctypes.c_void_p

    def register(name, function):
        def run(call):
            try:
                function(call.contents)
            except BaseException as error:  # noqa: BLE001
                text = f"{type(error).__name__}: {error}"
                return library.tensorc_rt_status_create(_CUSTOM_CALL, text.encode())

        entry = _FUNCTION(run)
        if status := library.tensorc_rt_register_op(name, entry, None):
            raise RuntimeError(library.tensorc_rt_status_message(ctypes.c_void_p(status)).decode())
        return entry

    entries = [register(b"tensorc.host", _run)]
    if not hasattr(library, "GetPjrtApi"):  # the plugin's client registers it
        entries.append(register(b"tensorc.after", _after))
    return entries


def tensor_type(aval):
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir

    return ir.RankedTensorType.get(aval.shape, mlir.dtype_to_ir_type(aval.dtype))


def emit(ctx, function, token, operands, result_avals, *, has_side_effect, returns_token=True, partitioned=False, sharding=None):
    """Returns the results of a call of the function, the token after the call, and an object
    that keeps the function alive."""
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir.dialects import hlo

    def checked(*arguments):
        results = function(*arguments)
        if len(results) != len(result_avals):
            raise RuntimeError("Mismatched number of outputs from callback. "
                               f"Expected: {len(result_avals)}, Actual: {len(results)}")  # fmt: skip
        return [np.asarray(result) for result in results]

    for path in _paths:
        _register(path)
    kept = _Function(checked)
    number = next(_numbers)
    _functions[number] = kept
    ctx.module_context.add_keepalive(kept)
    types = [tensor_type(aval) for aval in result_avals]
    operands = list(operands)
    config = str(number)
    if token:
        operands, types = [token, *operands], [hlo.TokenType.get(), *types]
        config += " ordered"
    call = mlir.custom_call("tensorc.host", result_types=types, operands=operands, backend_config=config,
                            has_side_effect=has_side_effect)  # fmt: skip
    results = list(call.results)
    return results[1:] if token else results, results[0] if token else None, kept


def _array(described):
    """A NumPy view of memory, valid during the call."""
    dtype = _dtype(described.dtype)
    shape = tuple(described.dims[i] for i in range(described.rank))
    size = int(np.prod(shape)) * dtype.itemsize
    if not size:
        return np.empty(shape, dtype)
    memory = (ctypes.c_char * size).from_address(described.data)
    return np.frombuffer(memory, dtype).reshape(shape)


def _dtype(number):
    name = _DTYPES[number]
    if name.startswith(("bfloat", "float8")):
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))
    return np.dtype(name)


def _after(call):
    """Copies the first operand to the result. The other operands only order the call after them."""
    _array(call.outputs[0])[...] = _array(call.inputs[0])


def _run(call):
    """Runs the function of a call. The config is its number, as in `3`. In `3 1` the first
    operand and the first result are tokens."""
    number, *ordering = call.config.decode().split()
    kept = _functions.get(int(number))
    if kept is None:
        raise RuntimeError("the function is gone: programs with callbacks run in the process that made them")
    inputs = [_array(call.inputs[i]).copy() for i in range(call.input_count)]
    outputs = [_array(call.outputs[i]) for i in range(call.output_count)]
    if ordering:
        inputs = inputs[int(ordering[0]) :]
        outputs.pop(0)[...] = 0
    for output, result in zip(outputs, kept.call(*inputs), strict=True):
        if output.shape != result.shape:
            raise RuntimeError(f"Incorrect output shape for return value: Expected: {output.shape}, Actual: {result.shape}")
        if output.dtype != result.dtype:
            raise RuntimeError(f"Incorrect output dtype for return value: Expected: {output.dtype}, Actual: {result.dtype}")
        output[...] = result
