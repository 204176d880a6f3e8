"""Values of the judge: f64 numbers with a bound of each one's error, and exact integers.

A float is exact as long as IEEE 754 says what its bits are: correctly rounded operations of exact operands. From the
first one on where the standard leaves room (functions, the order of a sum) it has a bound: what the operands' errors
make of it, and the roundings of the operation itself.
"""

import numpy as np

PRECISION = {"f16": (11, -14), "bf16": (8, -126), "f32": (24, -126), "f64": (53, -1022)}  # bits, least exponent
INTEGERS = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "ui8": np.uint8,
            "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64}  # fmt: skip
# What a value may be off by, relative to the largest of its tensor: beyond that nothing is tested any more.
WORTHLESS = {"f16": 0.05, "bf16": 0.2, "f32": 1e-3, "f64": 1e-9}
LARGEST = 1e4  # far from f16's infinity


class Value:
    """`data`: f64 for floats, else the dtype's own. `error`: None for exact, else per element."""

    def __init__(self, dtype, data, error=None):
        self.dtype, self.data = dtype, np.asarray(data)
        self.error = None if error is None else np.broadcast_to(error, self.data.shape)

    @property
    def shape(self):
        return self.data.shape

    @property
    def is_exact(self):
        return self.error is None

    def errors(self):
        return np.zeros(self.shape) if self.error is None else self.error

    def magnitude(self):
        """No element is larger, whatever its error."""
        return np.abs(self.data).astype(np.float64) + self.errors()

    def moved(self, function):
        """Elements in other places: data and errors alike."""
        return Value(self.dtype, function(self.data), None if self.error is None else function(self.error))


def is_float(dtype):
    return dtype in PRECISION


def unit(dtype):
    """Half the distance of two neighbours above 1."""
    return 2.0 ** -PRECISION[dtype][0]


def rounded(dtype, x):
    """To nearest even; within the range of the dtype."""
    x = np.asarray(x, np.float64)
    if dtype == "f64":
        return x
    bits, least = PRECISION[dtype]
    _, exponent = np.frexp(x)
    step = np.ldexp(1.0, np.maximum(exponent, least + 1) - bits)
    return np.rint(x / step) * step


def least(dtype):
    """The distance of subnormal numbers."""
    bits, exponent = PRECISION[dtype]
    return 2.0 ** (exponent + 1 - bits) if dtype != "f64" else 2.0**-1074


def correctly(dtype, data, propagated=None):
    """The result of a correctly rounded operation; `propagated` is None where all operands are exact."""
    if propagated is None:
        return Value(dtype, rounded(dtype, data))
    return inexact(dtype, data, propagated, 1)


def inexact(dtype, data, propagated, roundings):
    """A result with so many half distances of neighbours on top of what comes from the operands."""
    reach = np.abs(data) + propagated
    own = unit(dtype) * roundings * reach + least(dtype) * roundings + 4 * unit("f64") * reach
    return Value(dtype, np.asarray(data, np.float64), propagated + own)


def combined(*operands):
    """None where all are exact."""
    return None if all(x.is_exact for x in operands) else [x.errors() for x in operands]


def is_useful(value):
    """Far from overflow, and known well enough."""
    if not is_float(value.dtype) or value.data.size == 0:
        return True
    largest = np.max(value.magnitude())
    if not largest < LARGEST:
        return False
    return value.is_exact or np.max(value.error) <= WORTHLESS[value.dtype] * max(np.max(np.abs(value.data)), 0.1)


def to_bytes(value):
    """A dense array as the C interface takes it; floats must be representable."""
    if value.dtype == "bf16":
        bits = np.array(value.data, np.float32, order="C").view(np.uint32)
        return np.array(bits >> 16, np.uint16)
    types = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
    return np.array(value.data, types.get(value.dtype) or INTEGERS[value.dtype], order="C")


def storage(dtype):
    return np.dtype({"bf16": np.uint16, "f16": np.float16, "f32": np.float32, "f64": np.float64}.get(dtype)
                    or INTEGERS[dtype])  # fmt: skip


def from_bytes(dtype, array):
    """What to_bytes made, as numbers."""
    if dtype == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64) if is_float(dtype) else array


def difference(array, value):
    """None, or what is wrong with a result that is stored as `array`."""
    if array.shape != value.shape:
        return f"shape {array.shape}, the judge {value.shape}"
    got = from_bytes(value.dtype, array)
    if is_float(value.dtype):
        with np.errstate(invalid="ignore"):
            wrong = ~(np.abs(got - value.data) <= value.errors())
    else:
        wrong = got != value.data
    if not wrong.any():
        return None
    where = tuple(int(i) for i in np.argwhere(wrong)[0])
    allowed = "" if value.is_exact else f" +- {value.error[where]:.3g}"
    return (f"{np.count_nonzero(wrong)} of {wrong.size} elements differ, the first at {list(where)}: "
            f"{got[where]!r}, the judge {value.data[where]!r}{allowed}")  # fmt: skip
