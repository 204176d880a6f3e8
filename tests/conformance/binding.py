"""The C interface of libtensorc through ctypes: as much of it as the judges need."""

import ctypes
import pathlib

import numpy as np

DTYPES = {  # the numbers of tensorc_dtype
    "i1": 1, "i8": 2, "i16": 3, "i32": 4, "i64": 5, "ui8": 6, "ui16": 7, "ui32": 8, "ui64": 9,
    "f16": 10, "bf16": 11, "f32": 12, "f64": 13, "i4": 14, "ui4": 15, "f8E4M3FN": 16, "f8E5M2": 17,
}
PACKED = ("i4", "ui4")  # two to a byte, the low nibble first
NAMES = {number: name for name, number in DTYPES.items()}
NUMPY = {
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "ui8": np.uint8,
    "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64,
}
OF_NUMPY = {np.dtype(t): name for name, t in NUMPY.items()}

REDUCTIONS = {name: i for i, name in enumerate(["sum", "prod", "max", "min", "any", "all", "argmax", "mean", "argmin"])}
SCANS = {name: i for i, name in enumerate(["cumsum", "cumprod", "cummax", "cummin"])}
ACTIVATIONS = {name: i for i, name in enumerate(["relu", "sigmoid", "silu", "gelu", "gelu_tanh", "elu", "leaky_relu",
                                                  "softplus", "mish", "hardswish"])}
NONE = -(2**63)
UPDATES = {name: i for i, name in enumerate(["set", "add", "mul", "min", "max"])}


class Refused(Exception):
    """The library did not take the call."""


class Location(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("line", ctypes.c_uint32)]


class Arg(ctypes.Structure):
    # The union's three members as their bits: ctypes passes no unions by value.
    _fields_ = [("kind", ctypes.c_int), ("bits", ctypes.c_int64)]


class IndexItem(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("start", ctypes.c_int64), ("stop", ctypes.c_int64), ("step", ctypes.c_int64),
                ("tensor", ctypes.c_void_p)]


class GatherNumbers(ctypes.Structure):
    _fields_ = [("num_window", ctypes.c_int32), ("window", ctypes.POINTER(ctypes.c_int64)),
                ("num_dropped", ctypes.c_int32), ("dropped", ctypes.POINTER(ctypes.c_int64)),
                ("num_mapped", ctypes.c_int32), ("mapped", ctypes.POINTER(ctypes.c_int64)),
                ("vector_dim", ctypes.c_int64)]


HERE = Location(b"conformance.py", 1)


class Tensor:
    """A handle; arrays become one on their way into a call."""

    def __init__(self, library, handle):
        self.library, self.handle = library, handle

    def __del__(self):
        self.library.lib.tensorc_tensor_release(self.handle)

    @property
    def dtype(self):
        return NAMES[self.library.lib.tensorc_tensor_dtype(self.handle)]

    @property
    def shape(self):
        dims = self.library.lib.tensorc_tensor_dims(self.handle)
        return tuple(dims[i] for i in range(self.library.lib.tensorc_tensor_rank(self.handle)))

    def numpy(self):
        if self.dtype in PACKED:
            return self.unpacked()
        out = np.empty(self.shape, NUMPY[self.dtype])
        self.library.check(self.library.lib.tensorc_read(self.handle, out.ctypes.data_as(ctypes.c_void_p), out.nbytes))
        return out

    def unpacked(self):
        count = int(np.prod(self.shape, dtype=np.int64))
        out = np.empty((count + 1) // 2, np.uint8)
        self.library.check(self.library.lib.tensorc_read(self.handle, out.ctypes.data_as(ctypes.c_void_p), out.nbytes))
        nibbles = np.stack([out & 15, out >> 4], axis=-1).reshape(-1)[:count].astype(np.int8)
        if self.dtype == "i4":
            nibbles = np.where(nibbles > 7, nibbles - 16, nibbles).astype(np.int8)
        return nibbles.reshape(self.shape).astype(NUMPY[self.dtype])


def pack(array):
    """The bytes of 4-bit elements."""
    nibbles = np.append(array.astype(np.int8).reshape(-1).view(np.uint8) & 15, np.uint8(0))
    nibbles = nibbles[: 2 * (len(nibbles) // 2)].reshape(-1, 2)
    return np.ascontiguousarray(nibbles[:, 0] | nibbles[:, 1] << 4)


def ints(values):
    return (ctypes.c_int64 * max(1, len(values)))(*values)


class Library:
    def __init__(self, folder):
        self.lib = ctypes.CDLL(str(pathlib.Path(folder) / "libtensorc.so"))
        self.lib.tensorc_status_message.restype = ctypes.c_char_p
        self.lib.tensorc_tensor_dims.restype = ctypes.POINTER(ctypes.c_int64)
        self.lib.tensorc_read.restype = ctypes.c_void_p
        for name in ("tensorc_status_message", "tensorc_status_free", "tensorc_tensor_release",
                     "tensorc_tensor_dtype", "tensorc_tensor_rank", "tensorc_tensor_dims"):
            getattr(self.lib, name).argtypes = [ctypes.c_void_p]

    def check(self, status):
        if status:
            message = self.lib.tensorc_status_message(status).decode()
            self.lib.tensorc_status_free(status)
            raise Refused(message)

    def call(self, function, *args):
        """tensorc_<function>(args..., location, &out); `args` keeps the tensors alive."""
        entry = getattr(self.lib, "tensorc_" + function)
        entry.restype = ctypes.c_void_p
        out = ctypes.c_void_p()
        raw = [a.handle if isinstance(a, Tensor) else a for a in args]
        self.check(entry(*raw, HERE, ctypes.byref(out)))
        return Tensor(self, out)

    def tensor(self, array):
        if isinstance(array, Tensor):
            return array
        array = np.asarray(array)
        dtype = OF_NUMPY[array.dtype]
        if dtype in PACKED:
            data = pack(array)
            return self.call("from_data", DTYPES[dtype], array.ndim, ints(array.shape),
                             ctypes.c_void_p(data.ctypes.data), None)  # fmt: skip
        strides = [s // array.itemsize for s in array.strides]
        return self.call("from_data", DTYPES[dtype], array.ndim, ints(array.shape),
                         ctypes.c_void_p(array.ctypes.data), ints(strides))

    def argument(self, value, keep):
        if isinstance(value, (bool, np.bool_)):
            return Arg(1, int(value))
        if isinstance(value, int):
            return Arg(2, value)
        if isinstance(value, float):
            return Arg(3, np.float64(value).view(np.int64).item())
        keep.append(self.tensor(value))
        return Arg(0, keep[-1].handle.value)

    def elementwise(self, name, *operands):
        keep = []
        return self.call(name, *[self.argument(o, keep) for o in operands])

    def astype(self, x, dtype):
        return self.call("astype", self.tensor(x), DTYPES[dtype])

    def bitcast(self, x, dtype):
        return self.call("bitcast", self.tensor(x), DTYPES[dtype])

    def reduce(self, kind, x, axes, keepdims):
        return self.call("reduce", REDUCTIONS[kind], self.tensor(x), len(axes), ints(axes), int(keepdims))

    def cumulate(self, kind, x, axis, reverse, exclusive):
        return self.call("cumulate", SCANS[kind], self.tensor(x), ctypes.c_int64(axis), int(reverse), int(exclusive))

    def sort(self, name, x, axis, descending):
        """sort, argsort."""
        return self.call(name, self.tensor(x), ctypes.c_int64(axis), int(descending))

    def top_k(self, x, k, axis, largest):
        """(values, indices)"""
        tensor, values, indices = self.tensor(x), ctypes.c_void_p(), ctypes.c_void_p()
        self.lib.tensorc_top_k.restype = ctypes.c_void_p
        self.check(self.lib.tensorc_top_k(tensor.handle, ctypes.c_int64(k), ctypes.c_int64(axis), int(largest), HERE,
                                          ctypes.byref(values), ctypes.byref(indices)))  # fmt: skip
        return Tensor(self, values), Tensor(self, indices)

    def var(self, x, axes, correction, keepdims):
        return self.call("var", self.tensor(x), len(axes), ints(axes), ctypes.c_double(correction), int(keepdims))

    def shaped(self, name, x, numbers):
        """broadcast_to, reshape, transpose, squeeze."""
        return self.call(name, self.tensor(x), len(numbers), ints(numbers))

    def expand_dims(self, x, axis):
        return self.call("expand_dims", self.tensor(x), ctypes.c_int64(axis))

    def slice(self, x, slices):
        parts = [[NONE if v is None else v for v in (s.start, s.stop, s.step or 1)] for s in slices]
        columns = [ints([p[i] for p in parts]) for i in range(3)]
        return self.call("slice", self.tensor(x), len(parts), *columns)

    def items(self, index, keep):
        """What stands in x[...], as NumPy takes it."""
        made = []
        for i in index:
            if isinstance(i, slice):
                made.append(IndexItem(1, *[n if v is None else v for v, n in zip((i.start, i.stop, i.step), (NONE, NONE, 1))]))
            elif i is Ellipsis or i is None:
                made.append(IndexItem(2 if i is Ellipsis else 3))
            elif isinstance(i, int):
                made.append(IndexItem(0, i))
            else:
                keep.append(self.tensor(i))
                made.append(IndexItem(4, 0, 0, 1, keep[-1].handle))
        return (IndexItem * max(1, len(made)))(*made)

    def index(self, x, index):
        keep = []
        return self.call("index", self.tensor(x), len(index), self.items(index, keep))

    def index_update(self, kind, x, index, value):
        keep = []
        items = self.items(index, keep)
        return self.call("index_update", self.tensor(x), len(index), items, UPDATES[kind], self.argument(value, keep))

    def nonzero(self, x, size, fill):
        tensor = self.tensor(x)
        out = (ctypes.c_void_p * max(1, len(tensor.shape)))()
        self.lib.tensorc_nonzero.restype = ctypes.c_void_p
        self.check(self.lib.tensorc_nonzero(tensor.handle, ctypes.c_int64(size), ctypes.c_int64(fill), HERE, out))
        return [Tensor(self, ctypes.c_void_p(handle)) for handle in out[: len(tensor.shape)]]

    def masked_select(self, x, mask, size, fill):
        keep = []
        return self.call("masked_select", self.tensor(x), self.tensor(mask), ctypes.c_int64(size), self.argument(fill, keep))

    def starts(self, starts, keep):
        return (Arg * max(1, len(starts)))(*[self.argument(s, keep) for s in starts])

    def dynamic_slice(self, x, starts, sizes):
        keep = []
        return self.call("dynamic_slice", self.tensor(x), len(starts), self.starts(starts, keep), ints(sizes))

    def dynamic_update_slice(self, x, update, starts):
        keep = []
        return self.call("dynamic_update_slice", self.tensor(x), self.tensor(update), len(starts), self.starts(starts, keep))

    def take(self, name, x, indices, axis):
        """take, take_along_axis."""
        return self.call(name, self.tensor(x), self.tensor(indices), ctypes.c_int64(NONE if axis is None else axis))

    def one_hot(self, indices, size, dtype):
        return self.call("one_hot", self.tensor(indices), ctypes.c_int64(size), DTYPES[dtype])

    def numbers(self, window, dropped, mapped, vector_dim):
        lists = [v for dims in (window, dropped, mapped) for v in (len(dims), ints(dims))]
        return ctypes.byref(GatherNumbers(*lists, vector_dim))

    def gather(self, x, indices, window, dropped, mapped, vector_dim, sizes):
        numbers = self.numbers(window, dropped, mapped, vector_dim)
        return self.call("gather", self.tensor(x), self.tensor(indices), numbers, ints(sizes))

    def scatter(self, kind, x, indices, updates, window, dropped, mapped, vector_dim):
        numbers = self.numbers(window, dropped, mapped, vector_dim)
        tensors = [self.tensor(v) for v in (x, indices, updates)]
        return self.call("scatter", *tensors, UPDATES[kind], numbers)

    def pad(self, x, low, high, value):
        keep = []
        return self.call("pad", self.tensor(x), ints(low), ints(high), None, self.argument(value, keep))

    def concatenate(self, arrays, axis):
        tensors = [self.tensor(a) for a in arrays]
        handles = (ctypes.c_void_p * max(1, len(tensors)))(*[t.handle for t in tensors])
        return self.call("concatenate", handles, len(tensors), ctypes.c_int64(axis))

    def matmul(self, x, y):
        return self.call("matmul", self.tensor(x), self.tensor(y))

    def activate(self, name, x):
        return self.call("activate", ACTIVATIONS[name], self.tensor(x))

    def along(self, name, x, axis):
        """softmax, log_softmax."""
        return self.call(name, self.tensor(x), ctypes.c_int64(axis))

    def layer_norm(self, x, scale, bias, epsilon):
        tensors = [self.tensor(v) for v in (x, scale, bias)]
        return self.call("layer_norm", *tensors, ctypes.c_double(epsilon))

    def arange(self, dtype, start, stop, step):
        return self.call("arange", DTYPES[dtype], *[ctypes.c_double(v) for v in (start, stop, step)])

    def linspace(self, dtype, start, stop, count):
        return self.call("linspace", DTYPES[dtype], ctypes.c_double(start), ctypes.c_double(stop), ctypes.c_int64(count))

    def eye(self, dtype, rows, columns, diagonal):
        return self.call("eye", DTYPES[dtype], *[ctypes.c_int64(v) for v in (rows, columns, diagonal)])

    def full(self, dtype, shape, value):
        keep = []
        return self.call("full", DTYPES[dtype], len(shape), ints(shape), self.argument(value, keep))

    def eval(self, tensors):
        handles = (ctypes.c_void_p * len(tensors))(*[t.handle for t in tensors])
        self.lib.tensorc_eval.restype = ctypes.c_void_p
        self.check(self.lib.tensorc_eval(handles, len(tensors)))
