"""The C interface of libtensorc through ctypes, as share/tensorc/api.json describes it."""

import ctypes
import json
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
NONE = -(2**63)
TYPES = {
    "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32, "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t, "double": ctypes.c_double, "const char *": ctypes.c_char_p, "void": None,
    "const int64_t *": ctypes.POINTER(ctypes.c_int64),
}  # fmt: skip


class Refused(Exception):
    """The library did not take the call."""


class Location(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("line", ctypes.c_uint32)]


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
    """Its methods are the functions that api.json describes: a value for each parameter, names for enumerators."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self.lib = ctypes.CDLL(str(folder / "libtensorc.so"))
        api = json.loads((folder.parent / "share/tensorc/api.json").read_text(encoding="utf-8"))
        self.functions, self.structs, self.enums = api["functions"], api["structs"], api["enums"]
        self.operations = {operation["function"]: operation for operation in api["operations"]}
        self.classes = {"tensorc_location": Location}
        for name in ("tensorc_status_message", "tensorc_status_free", "tensorc_tensor_release", "tensorc_tensor_dtype",
                     "tensorc_tensor_rank", "tensorc_tensor_dims", "tensorc_read", "tensorc_eval"):  # fmt: skip
            self.entry(name)

    def __getattr__(self, name):
        if "tensorc_" + name not in self.operations:
            raise AttributeError(name)
        return lambda *values: self.call(name, *values)

    def check(self, status):
        if status:
            message = self.lib.tensorc_status_message(status).decode()
            self.lib.tensorc_status_free(status)
            raise Refused(message)

    def type(self, text):
        if text in self.enums:
            return ctypes.c_int
        if text in self.structs:
            return self.struct(text)
        return TYPES.get(text, ctypes.c_void_p)

    def struct(self, name):
        if name not in self.classes:
            fields = [(field["name"], self.type(field["type"])) for field in self.structs[name]]
            self.classes[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
        return self.classes[name]

    def made(self, name, **values):
        """A struct: lists become arrays, None stays NULL."""
        result = self.struct(name)()
        if hasattr(result, "struct_size"):
            result.struct_size = ctypes.sizeof(result)
        for key, value in values.items():
            if value is not None:
                setattr(result, key, ints(value) if isinstance(value, (list, tuple)) else value)
        return result

    def entry(self, name):
        """The C function, with its types."""
        function = getattr(self.lib, name)
        if function.argtypes is None:
            described = self.functions[name]
            # Arrays pass as any pointer; a status stays an address.
            types = [self.type(text) for text in described["parameters"]]
            function.argtypes = [ctypes.c_void_p if text.endswith("*") and text != "const char *" else kind
                                 for text, kind in zip(described["parameters"], types)]  # fmt: skip
            function.restype = self.type(described["result"])
        return function

    def raw_call(self, name, *raw):
        """tensorc_<name>(raw..., location, &out), for what is not described as an operation."""
        out = ctypes.c_void_p()
        values = [value.handle if isinstance(value, Tensor) else value for value in raw]
        self.check(self.entry("tensorc_" + name)(*values, HERE, ctypes.byref(out)))
        return Tensor(self, out)

    def choice(self, parameter, operation, value):
        """The enumerator whose name is, or ends in, the value."""
        cases, name = self.enums[parameter["enum"]], "TENSORC_" + value.upper()
        constant = operation.get("selects", {}).get(value, name)
        return cases[constant] if constant in cases else next(cases[c] for c in cases if c.endswith("_" + value.upper()))

    def elementwise(self, name, *operands):
        return self.call(name, *operands)

    def convert(self, parameter, operation, value, keep, counts):
        """What C gets for one parameter; `keep` keeps it alive."""
        kind = parameter["kind"]
        length = [len(value)] if "count" in parameter and parameter["count"] not in counts else []
        counts.add(parameter.get("count"))
        if kind in ("tensor", "handle", "optional_tensor", "key"):
            keep.append(None if value is None else self.tensor(value))
            return [keep[-1] and keep[-1].handle]
        if kind in ("number", "bound"):
            return [ctypes.byref(self.argument(value, keep))]
        if kind == "numbers":
            arguments = [self.argument(v, keep) for v in value]
            return [*length, (self.struct("tensorc_arg") * max(1, len(value)))(*arguments)]
        if kind in ("ints", "axes", "per_axis", "optional_per_axis"):
            return [*length, None if value is None else ints(value)]
        if kind == "tensors":
            made = [self.tensor(v) for v in value]
            keep.append(made)
            return [(ctypes.c_void_p * max(1, len(made)))(*[t.handle for t in made]), len(made)]
        if kind == "optional_real":
            return [None if value is None else ctypes.byref(ctypes.c_double(value))]
        if kind in ("choice", "selector"):
            return [self.choice(parameter, operation, value)]
        simple = {"dtype": DTYPES.get, "text": str.encode, "flag": int, "int": int, "real": float,
                  "axis_or_none": lambda v: NONE if v is None else v}
        return [simple[kind](value) if kind in simple else value]

    def call(self, name, *values):
        """tensorc_<name> with a value for each parameter; a tensor, or a tuple of several."""
        operation = self.operations["tensorc_" + name]
        keep, counts, raw = [], set(), []
        for parameter, value in zip(operation["parameters"], values, strict=True):
            raw += self.convert(parameter, operation, value, keep, counts)
        entry = self.entry("tensorc_" + name)
        if operation["length"]:
            count = len(values[0]) if operation["length"] == "count" else len(keep[0].shape)
            out = (ctypes.c_void_p * max(1, count))()
            self.check(entry(*raw, HERE, out))
            return [Tensor(self, ctypes.c_void_p(handle)) for handle in out[:count]]
        outs = [ctypes.c_void_p() for _ in operation["results"]]
        self.check(entry(*raw, HERE, *[ctypes.byref(out) for out in outs]))
        made = tuple(Tensor(self, out) for out in outs)
        return made[0] if len(made) == 1 else made

    def tensor(self, array):
        if isinstance(array, Tensor):
            return array
        array = np.asarray(array)
        dtype = OF_NUMPY[array.dtype]
        if dtype in PACKED:
            data = pack(array)
            return self.raw_call("from_data", DTYPES[dtype], array.ndim, ints(array.shape),
                               ctypes.c_void_p(data.ctypes.data), None)  # fmt: skip
        strides = [s // array.itemsize for s in array.strides]
        return self.raw_call("from_data", DTYPES[dtype], array.ndim, ints(array.shape),
                           ctypes.c_void_p(array.ctypes.data), ints(strides))  # fmt: skip

    def argument(self, value, keep):
        kinds = self.enums["tensorc_arg_kind"]
        if isinstance(value, (bool, np.bool_)):
            return self.made("tensorc_arg", kind=kinds["TENSORC_ARG_BOOL"], integer=int(value))
        if isinstance(value, int):
            return self.made("tensorc_arg", kind=kinds["TENSORC_ARG_INT"], integer=value)
        if isinstance(value, float):
            return self.made("tensorc_arg", kind=kinds["TENSORC_ARG_FLOAT"], real=value)
        keep.append(self.tensor(value))
        return self.made("tensorc_arg", kind=kinds["TENSORC_ARG_TENSOR"], tensor=keep[-1].handle)

    def eval(self, tensors):
        handles = (ctypes.c_void_p * len(tensors))(*[t.handle for t in tensors])
        self.check(self.lib.tensorc_eval(handles, len(tensors)))

    # What api.json only knows as C.

    def slices(self, x, slices):
        parts = [[NONE if v is None else v for v in (s.start, s.stop, s.step or 1)] for s in slices]
        return self.slice(x, *[[p[i] for p in parts] for i in range(3)])

    def items(self, index, keep):
        """What stands in x[...], as NumPy takes it."""
        kinds, item = self.enums["tensorc_index_kind"], self.struct("tensorc_index_item")
        made = []
        for i in index:
            if isinstance(i, slice):
                parts = [n if v is None else v for v, n in zip((i.start, i.stop, i.step), (NONE, NONE, 1))]
                made.append(item(kinds["TENSORC_INDEX_SLICE"], *parts))
            elif i is Ellipsis or i is None:
                made.append(item(kinds["TENSORC_INDEX_ELLIPSIS" if i is Ellipsis else "TENSORC_INDEX_NEW_AXIS"]))
            elif isinstance(i, int):
                made.append(item(kinds["TENSORC_INDEX_INTEGER"], i))
            else:
                keep.append(self.tensor(i))
                made.append(item(kinds["TENSORC_INDEX_TENSOR"], 0, 0, 1, keep[-1].handle))
        return (item * max(1, len(made)))(*made)

    def index(self, x, index):
        keep = []
        return self.raw_call("index", self.tensor(x), len(index), self.items(index, keep))

    def update(self, kind):
        return self.enums["tensorc_update_kind"][f"TENSORC_UPDATE_{kind.upper()}"]

    def index_update(self, kind, x, index, value):
        keep = []
        items = self.items(index, keep)
        return self.raw_call("index_update", self.tensor(x), len(index), items, self.update(kind),
                             ctypes.byref(self.argument(value, keep)))  # fmt: skip

    def numbers(self, window, dropped, mapped, vector_dim):
        return ctypes.byref(self.made(
            "tensorc_gather_numbers", num_window_dims=len(window), window_dims=list(window),
            num_dropped_dims=len(dropped), dropped_dims=list(dropped), num_mapped_dims=len(mapped),
            mapped_dims=list(mapped), index_vector_dim=vector_dim))  # fmt: skip

    def gather(self, x, indices, window, dropped, mapped, vector_dim, sizes):
        numbers = self.numbers(window, dropped, mapped, vector_dim)
        return self.raw_call("gather", self.tensor(x), self.tensor(indices), numbers, ints(sizes))

    def scatter(self, kind, x, indices, updates, window, dropped, mapped, vector_dim):
        numbers = self.numbers(window, dropped, mapped, vector_dim)
        tensors = [self.tensor(v) for v in (x, indices, updates)]
        return self.raw_call("scatter", *tensors, self.update(kind), numbers)

    def conv(self, function, x, kernel, bias, **fields):
        options = ctypes.byref(self.made("tensorc_conv_options", **fields))
        return self.raw_call(function, self.tensor(x), self.tensor(kernel), None if bias is None else self.tensor(bias), options)

    def windowed(self, function, reduction, x, **fields):
        """pool, reduce_window"""
        options = ctypes.byref(self.made("tensorc_window_options", **fields))
        kind = self.enums["tensorc_reduction"][f"TENSORC_{reduction.upper()}"]
        return self.raw_call(function, kind, self.tensor(x), options)
