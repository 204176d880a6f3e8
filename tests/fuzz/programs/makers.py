"""One more node of some kind; None where nothing fits."""

import numpy as np

from kinds import COMPARISONS, EXACT_UNARY, FUNCTIONS, STEPS
from values import INTEGERS, PRECISION, is_float

INT_UNARY = ["neg", "abs", "sign", "not", "popcount", "clz"]
INT_BINARY = ["add", "sub", "mul", "max", "min", "div", "rem", "floor_div", "mod", "and", "or", "xor", "shl",
              "shr_arith", "shr_logical", "gcd", "lcm"]  # fmt: skip
FLOAT_BINARY = ["add", "sub", "mul"] * 4 + ["max", "min"] * 3 + ["div", "hypot", "logaddexp", "atan2", "pow", "copysign"]


def unary(b):
    i = b.any()
    node, value = b.nodes[i], b.values[i]
    if node.dtype == "i1":
        return b.add("unary", [i], "i1", node.shape, name="not")
    if not is_float(node.dtype):
        signed = INT_UNARY if node.dtype[0] == "i" else ["not", "popcount", "clz"]
        return b.add("unary", [i], node.dtype, node.shape, name=b.pick(signed))
    names = list(EXACT_UNARY) * 4 + list(FUNCTIONS) + (list(STEPS) if value.is_exact else [])
    return b.add("unary", [i], node.dtype, node.shape, name=b.pick(names))


def within(b, i, low, high):
    """The value, clamped."""
    node = b.nodes[i]
    ends = [b.splat(v, node.dtype, node.shape) for v in (low, high)]
    return None if None in ends else b.add("clamp", [ends[0], i, ends[1]], node.dtype, node.shape, name="clamp")


def function(b):
    """A function whose argument is made to fit."""
    i = b.any_of(lambda node, _: is_float(node.dtype))
    if i is None:
        return None
    name = b.pick(list(FUNCTIONS))
    _, least, largest, _ = FUNCTIONS[name]
    least, largest = max(least, -4), min(largest, 4)
    if least > -4:
        least = {0.01: 0.25, 1.1: 1.25, -0.9: -0.5, -0.95: -0.5, -1.2: -1}.get(least, least)
    i = within(b, i, least, {0.95: 0.5, 1.2: 1}.get(largest, largest))
    node = None if i is None else b.nodes[i]
    return None if node is None else b.add("unary", [i], node.dtype, node.shape, name=name)


def binary(b):
    i = b.any()
    j = b.partner(i)
    if j is None:
        return None
    node = b.nodes[i]
    names = ["and", "or", "xor"] if node.dtype == "i1" else FLOAT_BINARY if is_float(node.dtype) else INT_BINARY
    return b.add("binary", [i, j], node.dtype, node.shape, name=b.pick(names))


def ternary(b):
    i = b.number()
    if i is None:
        return None
    node = b.nodes[i]
    if b.chance(40):
        return within(b, i, 0 if node.dtype[0] == "u" else -2, 3)
    others = [b.partner(i), b.partner(i)]
    if None in others or not is_float(node.dtype):
        return None
    return b.add("fma", [i, *others], node.dtype, node.shape, name="fma")


def compare(b):
    i = b.number()
    j = None if i is None else b.partner(i)
    if j is None:
        return None
    return b.add("compare", [i, j], "i1", b.nodes[i].shape, name=b.pick(list(COMPARISONS)))


def test(b):
    i = b.any_of(lambda node, _: is_float(node.dtype))
    name = b.pick(["is_nan", "is_inf", "is_finite"])
    return None if i is None else b.add("test", [i], "i1", b.nodes[i].shape, name=name)


def select(b):
    i = b.any()
    p = b.any_of(lambda node, _: node.dtype == "i1")
    p = compare(b) if p is None else p
    p = None if p is None else b.reshaped(p, b.nodes[i].shape)
    j = b.partner(i)
    return None if p is None or j is None else b.add("select", [p, i, j], b.nodes[i].dtype, b.nodes[i].shape)


def convert(b):
    i = b.any()
    dtype = b.dtype()
    return None if dtype == b.nodes[i].dtype else b.convert(i, dtype)


def bitcast(b):
    i = b.number()
    if i is None:
        return None
    size = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8}
    width = lambda d: size.get(d) or np.dtype(INTEGERS[d]).itemsize  # noqa: E731
    dtype = b.nodes[i].dtype
    choices = [d for d in [*PRECISION, *INTEGERS] if d not in ("i1", dtype) and width(d) == width(dtype)]
    return b.add("bitcast", [i], b.pick(choices), b.nodes[i].shape)


def source(b):
    dtype, shape = b.dtype(), b.shape()
    if dtype == "i1" or not shape or b.chance(50):
        value = b.integer(0, 1) if dtype == "i1" else b.integer(0, 5) if dtype[0] == "u" else b.integer(-5, 5)
        return b.splat(value / 4 if is_float(dtype) else value, dtype, shape)
    return b.add("iota", [], dtype, shape, dim=b.integer(0, len(shape) - 1)) if max(shape) < 120 else None


def broadcast(b):
    i = b.any()
    node, shape, dims = b.nodes[i], [], []
    for n in node.shape:
        if b.chance(40):
            shape.append(b.pick(b.dims))
        dims.append(len(shape))
        shape.append(b.pick(b.dims) if n == 1 and b.chance(50) else n)
    if b.chance(40) or not shape:
        shape.append(b.pick(b.dims))
    return b.add("broadcast", [i], node.dtype, shape, dims=dims)


def reshape(b):
    i = b.any()
    node, shape = b.nodes[i], list(b.nodes[i].shape)
    if len(shape) >= 2 and b.chance(60):
        d = b.integer(0, len(shape) - 2)
        shape[d : d + 2] = [shape[d] * shape[d + 1]]
    elif 1 in shape:
        shape.remove(1)
    elif shape and max(shape) % 2 == 0 and b.chance(50):
        d = shape.index(max(shape))
        shape[d : d + 1] = [shape[d] // 2, 2] if shape[d] else [0, 2]
    else:
        shape.insert(b.integer(0, len(shape)), 1)
    return b.add("reshape", [i], node.dtype, shape)


def transpose(b):
    i = b.ranked(2)
    if i is None:
        return None
    node = b.nodes[i]
    order = list(range(len(node.shape)))
    b.random.shuffle(order)
    return b.add("transpose", [i], node.dtype, [node.shape[d] for d in order], permutation=order)


def slice_of(b, i):
    node = b.nodes[i]
    offsets, strides, shape = [], [], []
    for n in node.shape:
        if n == 0 or b.chance(30):
            offset, stride, count = 0, 1, n
        else:
            offset = 0 if b.chance(50) else b.integer(0, n - 1)
            stride = 1 if b.chance(60) else b.integer(1, 3)
            most = (n - offset + stride - 1) // stride
            count = most if b.chance(30) else b.integer(0 if b.chance(2) else 1, most)
            if b.chance(20) and count:
                offset, stride = offset + (count - 1) * stride, -stride
        offsets.append(offset)
        strides.append(stride)
        shape.append(count)
    return b.add("slice", [i], node.dtype, shape, offsets=offsets, strides=strides)


def pad_of(b, i):
    node = b.nodes[i]
    low, high, interior, shape = [], [], [], []
    for n in node.shape:
        edges = [0 if b.chance(50) else b.integer(-1 if n > 3 else 0, 3) for _ in range(2)]
        low.append(edges[0])
        high.append(edges[1])
        interior.append(1 if n and b.chance(15) else 0)
        shape.append(n + max(n - 1, 0) * interior[-1] + sum(edges))
    fill = b.splat(b.integer(0, 1), node.dtype, ())
    return b.add("pad", [i, fill], node.dtype, shape, low=low, high=high, interior=interior)


def concatenation_of(b, i):
    node = b.nodes[i]
    dim = b.integer(0, len(node.shape) - 1)
    parts = [i]
    for _ in range(b.integer(1, 3)):
        like = list(node.shape)
        like[dim] = b.integer(1, 9) if b.chance(50) else like[dim]
        j = b.convert(b.any(), node.dtype)
        j = None if j is None else b.reshaped(j, like)
        if j is not None:
            parts.insert(b.integer(0, len(parts)) if b.chance(50) else len(parts), j)
    shape = list(node.shape)
    shape[dim] = sum(b.nodes[j].shape[dim] for j in parts)
    return b.add("concatenate", parts, node.dtype, shape, dim=dim)


def moving(b):
    i = b.ranked()
    return None if i is None else b.pick([slice_of, slice_of, pad_of, concatenation_of])(b, i)


def meet(b, i):
    """A value and one of another kind of kernel in one node."""
    node = b.nodes[i]
    if node.dtype == "i1":
        return None
    j = b.companion(node.shape, node.dtype)
    return None if j is None else b.add("binary", [i, j], node.dtype, node.shape, name=b.pick(["add", "mul", "max"]))


def sharing(b):
    """A value that is likely an output, and that a kernel of another shape reads too."""
    shared = b.pick([binary, binary, function, reduce])(b)
    if shared is None or not b.nodes[shared].shape or b.values[shared].data.size == 0:
        return None
    b.held.append(shared)
    read = b.pick([slice_of, pad_of, concatenation_of, lambda b, i: i])(b, shared)
    return None if read is None else meet(b, read)


def windows(b):
    i = b.ranked()
    if i is None or len(b.nodes[i].shape) > 4:
        return None
    node = b.nodes[i]
    dim = b.integer(0, len(node.shape) - 1)
    size, stride, dilation = b.integer(1, 4), b.integer(1, 2), b.integer(1, 2)
    count = (node.shape[dim] - (size - 1) * dilation - 1) // stride + 1
    if count < 1:
        return None
    shape = list(node.shape) + [size]
    shape[dim] = count
    made = b.add("windows", [i], node.dtype, shape, dim=dim, size=size, stride=stride, dilation=dilation)
    if made is None or node.dtype == "i1" or b.chance(30):
        return made
    return b.add("reduce", [made], node.dtype, shape[:-1], name=b.pick(["sum", "max", "min"]), dims=[len(shape) - 1])


def reduce(b):
    i = b.ranked()
    if i is None:
        return None
    node = b.nodes[i]
    dims = [d for d in range(len(node.shape)) if b.chance(60)] or [b.integer(0, len(node.shape) - 1)]
    shape = [n for d, n in enumerate(node.shape) if d not in dims]
    names = ["any", "all"] if node.dtype == "i1" else ["sum", "sum", "max", "min", "prod", "argmax", "argmin"]
    name = b.pick(names)
    dtype = "i64" if name.startswith("arg") else node.dtype
    return b.add("reduce", [i], dtype, shape, name=name, dims=dims)


def scan(b):
    i = b.any_of(lambda node, _: node.shape and node.dtype != "i1")
    if i is None:
        return None
    node = b.nodes[i]
    return b.add("scan", [i], node.dtype, node.shape, name=b.pick(["cumsum", "cumprod", "cummax", "cummin"]),
                 dim=b.integer(0, len(node.shape) - 1), reverse=b.chance(40), exclusive=b.chance(30))  # fmt: skip


def sort(b):
    i = b.ranked()
    if i is None:
        return None
    node, dim, descending = b.nodes[i], b.integer(0, len(b.nodes[i].shape) - 1), b.chance(40)
    values = None
    if b.chance(70):
        values = b.add("sort", [i], node.dtype, node.shape, name="sort", dim=dim, descending=descending)
    if b.values[i].is_exact and (values is None or b.chance(40)):
        places = b.add("sort", [i], "i64", node.shape, name="argsort", dim=dim, descending=descending)
        values = places if values is None else values
    return values


def dot(b):
    i = b.ranked(2)
    if i is None or b.nodes[i].dtype == "i1":
        return None
    node = b.nodes[i]
    wanted = node.shape[:-2] + (node.shape[-1], b.pick(b.dims))
    j = b.any_of(lambda other, _: other.shape[:-1] == wanted[:-1] and other.dtype == node.dtype)
    if j is None:
        j = b.input(node.dtype, wanted) if b.chance(50) else b.convert(b.any(), node.dtype)
        j = None if j is None else b.reshaped(j, wanted)
    if j is None:
        return None
    return b.add("dot", [i, j], node.dtype, node.shape[:-1] + b.nodes[j].shape[-1:])


def integers(b, most_rank):
    """Any exact integers, as indices."""
    i = b.any_of(lambda node, value: node.dtype in ("i32", "i64") and len(node.shape) <= most_rank)
    if i is not None:
        return i
    i = b.any_of(lambda node, value: len(node.shape) <= most_rank and node.dtype != "i1" and value.is_exact)
    return None if i is None else b.convert(i, b.pick(["i32", "i64"]))


def gather(b):
    i, indices = b.ranked(), integers(b, 2)
    if i is None or indices is None:
        return None
    node = b.nodes[i]
    shape = b.nodes[indices].shape + node.shape[1:]
    return b.add("gather", [i, indices], node.dtype, shape, x_rank=len(node.shape))


def scatter(b):
    i, indices = b.ranked(), integers(b, 1)
    if i is None or indices is None or len(b.nodes[indices].shape) != 1:
        return None
    node = b.nodes[i]
    updates = b.convert(b.any(), node.dtype)
    updates = None if updates is None else b.reshaped(updates, b.nodes[indices].shape + node.shape[1:])
    if updates is None:
        return None
    names = ["set"] if node.dtype == "i1" else ["set", "max", "min", "add", "add", "mul"]
    return b.add("scatter", [i, indices, updates], node.dtype, node.shape, name=b.pick(names))


def starts(b, rank):
    made = []
    for _ in range(rank):
        i = integers(b, 0)
        if i is None:
            i = b.splat(b.integer(-1, 6), b.pick(["i32", "i64"]), ())
        made.append(i)
    return made


def dynamic_slice(b):
    i = b.ranked()
    if i is None:
        return None
    node = b.nodes[i]
    shape = [b.integer(1, n) if n else 0 for n in node.shape]
    where = starts(b, len(shape))
    if b.chance(50):
        return b.add("dynamic_slice", [i, *where], node.dtype, shape)
    update = b.convert(b.any(), node.dtype)
    update = None if update is None else b.reshaped(update, shape)
    return None if update is None else b.add("dynamic_update_slice", [i, update, *where], node.dtype, node.shape)


def softmax(b):
    i = b.any_of(lambda node, value: node.shape and is_float(node.dtype) and value.data.size)
    return None if i is None else b.add("softmax", [i], b.nodes[i].dtype, b.nodes[i].shape)


def attention(b):
    i = b.any_of(lambda node, value: len(node.shape) >= 2 and node.dtype in ("f32", "f64") and value.data.size)
    if i is None:
        return None
    node, keys = b.nodes[i], b.pick(b.dims)
    k, v = (b.reshaped(b.convert(b.any(), node.dtype) or i, node.shape[:-2] + (keys, n)) for n in (node.shape[-1], b.pick(b.dims)))
    if k is None or v is None or keys == 0:
        return None
    return b.add("attention", [i, k, v], node.dtype, node.shape[:-1] + b.nodes[v].shape[-1:])


def random_bits(b):
    key = b.any_of(lambda node, value: node.dtype == "ui32")
    key = b.input("ui32", (2,)) if key is None else b.reshaped(key, (2,))
    if key is None:
        return None
    return b.add("random_bits", [key], b.pick(["ui32", "ui64"]), b.shape(), algorithm=b.pick(["philox4x32_10", "threefry2x32"]))


# As often as they stand here.
MAKERS = [unary, unary, function, function, function, binary, binary, binary, binary, binary, binary, ternary, ternary,
          compare, test, select, select, convert, bitcast, source, broadcast, broadcast, reshape, transpose, moving,
          moving, moving, sharing, sharing, sharing, lambda b: meet(b, b.any()), windows, reduce, reduce, reduce, scan,
          sort, dot, dot, gather, scatter, dynamic_slice, softmax, attention, random_bits]  # fmt: skip
