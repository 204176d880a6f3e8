#!/usr/bin/env python3
"""Graphs drawn from a seed, judged by ONNX Runtime.

    drawn.py TENSORC-TEST-SERVER [--count=2000] [--first=0] [--keep=FOLDER] [--verbose]

Skipped where onnx or onnxruntime is not installed. Graph number i depends on i alone. Floats must be the same within
1e-4 of the largest element, integers exactly. A graph that ONNX Runtime itself does not run is not counted. A graph
that tensorc refuses counts as refused, with its reason; no refusal may be longer than a line for each fault.
"""

import argparse
import collections
import os
import random
import re
import sys
import warnings

import numpy as np
import server

warnings.filterwarnings("ignore")
OPSETS = (11, 13, 17, 18, 20, 21)

# Ops whose result IEEE fixes, or that move elements: what follows may look at single bits.
EXACT_UNARY = ("Abs", "Neg", "Relu", "Ceil", "Floor", "Round", "Sign", "Identity")
UNARY = ("Sigmoid", "Tanh", "Erf", "Softplus", "Softsign", "Sin", "Cos", "Atan", "Elu", "Selu", "LeakyRelu", "HardSigmoid",
         "ThresholdedRelu", "Celu", "HardSwish", "Mish", "Gelu", "Shrink", "Sinh", "Asinh")
EXACT_BINARY = ("Add", "Sub", "Mul", "Max", "Min")
SINCE = {"HardSwish": 14, "Mish": 18, "Gelu": 20, "Celu": 12, "GreaterOrEqual": 12, "LessOrEqual": 12, "Trilu": 14,
         "LayerNormalization": 17, "GroupNormalization": 18, "Einsum": 12, "GridSample": 16, "Einsum2": 12}


class Value:
    def __init__(self, name, dtype, shape, exact):
        self.name, self.dtype, self.shape, self.exact = name, np.dtype(dtype), tuple(shape), exact

    @property
    def rank(self):
        return len(self.shape)

    @property
    def is_float(self):
        return self.dtype.kind == "f"


class Draw:
    """A graph that grows node by node; each node's shapes are onnx's own inference."""

    def __init__(self, number, onnx):
        self.r = random.Random(number)
        self.onnx, self.helper = onnx, onnx.helper
        self.data = np.random.default_rng(number)
        self.opset = self.r.choice(OPSETS)
        self.values, self.nodes, self.constants, self.inputs, self.feeds = [], [], [], [], {}
        self.counter = 0
        self.microsoft = self.r.random() < 0.25

    def name(self, word="v"):
        self.counter += 1
        return f"{word}{self.counter}"

    def numbers(self, dtype, shape):
        dtype = np.dtype(dtype)
        if dtype.kind == "f":
            return np.asarray(self.data.standard_normal(shape)).astype(dtype)
        if dtype.kind == "b":
            return np.asarray(self.data.integers(0, 2, shape)).astype(dtype)
        return np.asarray(self.data.integers(0 if dtype.kind == "u" else -9, 10, shape)).astype(dtype)

    def input(self, dtype, shape):
        name = self.name("x")
        array = self.numbers(dtype, shape)
        dims = list(shape)
        if dims and self.r.random() < 0.3:
            dims[0] = f"n{shape[0]}"
        kind = self.helper.np_dtype_to_tensor_dtype(array.dtype)
        self.inputs.append(self.helper.make_tensor_value_info(name, kind, dims))
        self.feeds[name] = array
        self.values.append(Value(name, array.dtype, shape, True))
        return self.values[-1]

    def constant(self, array):
        name = self.name("c")
        self.constants.append(self.onnx.numpy_helper.from_array(np.asarray(array), name))
        return name

    def ints(self, values):
        return self.constant(np.array(values, np.int64))

    def model(self, nodes, outputs, constants=None):
        graph = self.helper.make_graph(nodes, "g", self.inputs, outputs, self.constants if constants is None else constants)
        sets = [self.helper.make_opsetid("", self.opset), self.helper.make_opsetid("com.microsoft", 1)]
        return self.helper.make_model(graph, opset_imports=sets, ir_version=8 if self.opset < 21 else 10)

    def add(self, op, inputs, exact, outputs=1, domain="", shapes=None, **attributes):
        """Appends a node unless onnx refuses it. `shapes`: of another domain's op, which onnx does not know."""
        if SINCE.get(op, 0) > self.opset:
            return
        names = [self.name() for _ in range(outputs)]
        node = self.helper.make_node(op, inputs, names, name="/" + op + names[0], domain=domain, **attributes)
        if shapes:
            found = shapes
        else:
            small = [each for each in self.constants if each.name in inputs]
            known = {value.name: value for value in self.values}
            types = [self.helper.make_tensor_value_info(name, self.helper.np_dtype_to_tensor_dtype(known[name].dtype), known[name].shape)
                     for name in dict.fromkeys(inputs) if name in known]
            graph = self.helper.make_graph([node], "g", types, [self.onnx.ValueInfoProto(name=name) for name in names], small)
            model = self.helper.make_model(graph, opset_imports=[self.helper.make_opsetid("", self.opset)])
            try:
                inferred = self.onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
            except Exception:
                return
            found = []
            for output in inferred.graph.output:
                type = output.type.tensor_type
                if not type.HasField("shape") or any(not dim.HasField("dim_value") for dim in type.shape.dim):
                    return
                found.append((self.helper.tensor_dtype_to_np_dtype(type.elem_type), [dim.dim_value for dim in type.shape.dim]))
        if any(np.prod(shape, dtype=float) > 20000 or 0 in shape for _, shape in found):
            return
        self.nodes.append(node)
        for name, (dtype, shape) in zip(names, found):
            self.values.append(Value(name, dtype, shape, exact))

    # What the ops take.

    def pick(self, test=lambda value: True):
        some = [value for value in self.values if test(value)]
        return self.r.choice(some) if some else None

    def floats(self, least=0, most=9):
        return self.pick(lambda v: v.dtype == np.float32 and least <= v.rank <= most)

    def axis(self, value):
        return self.r.randrange(-value.rank, value.rank)

    def axes(self, value):
        return sorted(self.r.sample(range(value.rank), self.r.randint(1, value.rank)))

    def with_axes(self, op, x, axes, exact, since, **attributes):
        """Axes were an attribute once."""
        if self.opset >= since:
            self.add(op, [x.name, self.ints(axes)], exact, **attributes)
        else:
            self.add(op, [x.name], exact, axes=axes, **attributes)

    # A function for each kind of op.

    def draw_unary(self):
        if x := self.floats():
            self.add(self.r.choice(UNARY), [x.name], False)

    def draw_exact_unary(self):
        if x := self.pick(lambda v: v.dtype == np.float32 and v.exact):
            self.add(self.r.choice(EXACT_UNARY), [x.name], True)

    def draw_safe(self):
        """Functions that are not of all numbers."""
        if not (x := self.floats()):
            return
        op = self.r.choice(("Sqrt", "Log", "Reciprocal", "Exp", "Asin", "Acosh", "Pow"))
        if op in ("Exp", "Asin"):
            self.add("Tanh", [x.name], False)
        else:
            self.add("Abs", [x.name], x.exact)
            self.add("Add", [self.values[-1].name, self.constant(np.float32(1.25))], x.exact)
        y = self.values[-1]
        self.add(op, [y.name] + ([self.constant(np.float32(self.r.choice((0.5, 2, 3, -1))))] if op == "Pow" else []), False)

    def draw_binary(self):
        x = self.pick(lambda v: v.dtype in (np.float32, np.float64, np.int64, np.int32))
        if not x:
            return
        other = self.pick(lambda v: v.dtype == x.dtype and broadcasts(v.shape, x.shape))
        if self.r.random() < 0.3:
            shape = [size if self.r.random() < 0.6 else 1 for size in x.shape][self.r.randint(0, x.rank):]
            other = Value(self.constant(self.numbers(x.dtype, shape)), x.dtype, shape, True)
        exact = x.exact and other.exact
        self.add(self.r.choice(EXACT_BINARY), self.r.sample([x.name, other.name], 2), exact)

    def draw_integers(self):
        x = self.pick(lambda v: v.dtype in (np.int64, np.int32))
        if not x:
            return
        op = self.r.choice(("Div", "Mod", "BitShift", "Sign", "Abs", "Cast"))
        if op in ("Div", "Mod"):
            self.add(op, [x.name, self.constant(np.asarray(self.r.choice((2, 3, -4, 7)), x.dtype))], True)
        elif op == "Cast":
            self.add(op, [x.name], True, to=self.helper.np_dtype_to_tensor_dtype(np.dtype(self.r.choice(("float32", "int32", "int64", "bool", "double")))))
        elif op != "BitShift":
            self.add(op, [x.name], True)

    def draw_cast(self):
        if x := self.pick(lambda v: v.exact and v.dtype in (np.float32, np.bool_, np.float64)):
            to = self.r.choice(("int32", "int64", "float32", "double", "bool", "int8", "uint8") if x.dtype != np.float64 else ("float32", "int64"))
            if to == "uint8" and x.is_float:
                return
            self.add("Cast", [x.name], True, to=self.helper.np_dtype_to_tensor_dtype(np.dtype(to)))

    def draw_comparison(self):
        x = self.pick(lambda v: v.exact and v.dtype in (np.float32, np.int64))
        if x and (y := self.pick(lambda v: v.exact and v.dtype == x.dtype and broadcasts(v.shape, x.shape))):
            self.add(self.r.choice(("Less", "Greater", "Equal", "LessOrEqual", "GreaterOrEqual")), [x.name, y.name], True)

    def draw_logic(self):
        x = self.pick(lambda v: v.dtype == np.bool_)
        if x and (y := self.pick(lambda v: v.dtype == np.bool_ and broadcasts(v.shape, x.shape))):
            op = self.r.choice(("And", "Or", "Xor", "Not"))
            self.add(op, [x.name] + ([] if op == "Not" else [y.name]), True)

    def draw_where(self):
        condition = self.pick(lambda v: v.dtype == np.bool_)
        x = self.floats()
        if condition and x:
            if y := self.pick(lambda v: v.dtype == x.dtype and broadcasts(v.shape, x.shape) and broadcasts(condition.shape, v.shape)):
                if broadcasts(condition.shape, x.shape):
                    self.add("Where", [condition.name, x.name, y.name], x.exact and y.exact)

    def draw_reduction(self):
        if x := self.floats(1):
            op = self.r.choice(("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceSumSquare",
                                "ReduceLogSumExp", "ReduceProd"))
            axes = [axis - x.rank if self.r.random() < 0.3 else axis for axis in self.axes(x)]
            self.with_axes(op, x, axes, x.exact and op in ("ReduceMax", "ReduceMin"), 13 if op == "ReduceSum" else 18,
                           keepdims=self.r.randint(0, 1))

    def draw_arg(self):
        if x := self.pick(lambda v: v.rank > 0 and v.exact and v.dtype in (np.float32, np.int32)):
            attributes = {"select_last_index": self.r.randint(0, 1)} if self.opset >= 12 else {}
            self.add(self.r.choice(("ArgMax", "ArgMin")), [x.name], True, axis=self.axis(x), keepdims=self.r.randint(0, 1), **attributes)

    def draw_top(self):
        if x := self.pick(lambda v: v.rank > 0 and v.exact and v.dtype == np.float32):
            axis = self.axis(x)
            self.add("TopK", [x.name, self.ints([self.r.randint(1, x.shape[axis])])], True, outputs=2, axis=axis, largest=self.r.randint(0, 1))

    def draw_softmax(self):
        if x := self.floats(1):
            self.add(self.r.choice(("Softmax", "LogSoftmax", "Hardmax") if x.exact else ("Softmax", "LogSoftmax")), [x.name], False, axis=self.axis(x))

    def draw_move(self):
        x = self.pick(lambda v: v.rank > 0)
        if not x:
            return
        kind = self.r.choice(("Transpose", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Slice", "Concat", "Split", "Tile", "Expand", "Pad", "Gather"))
        getattr(self, "move_" + kind.lower())(x)

    def move_transpose(self, x):
        self.add("Transpose", [x.name], x.exact, perm=self.r.sample(range(x.rank), x.rank))

    def move_reshape(self, x):
        at = self.r.randrange(x.rank + 1)
        shape = list(x.shape[:at]) + [-1] if self.r.random() < 0.5 else [-1] + list(x.shape[at:])
        self.add("Reshape", [x.name, self.ints([0 if i < at and size == x.shape[i] and shape[0] != -1 and self.r.random() < 0.3 else size
                                                for i, size in enumerate(shape)])], x.exact)

    def move_flatten(self, x):
        self.add("Flatten", [x.name], x.exact, axis=self.axis(x))

    def move_squeeze(self, x):
        if axes := [i for i, size in enumerate(x.shape) if size == 1]:
            self.with_axes("Squeeze", x, axes, x.exact, 13)

    def move_unsqueeze(self, x):
        if x.rank < 5:
            self.with_axes("Unsqueeze", x, [self.r.randrange(x.rank + 1)], x.exact, 13)

    def move_slice(self, x):
        axes = self.axes(x)
        starts = [self.r.randint(-size - 1, size) for size in (x.shape[a] for a in axes)]
        ends = [self.r.choice((self.r.randint(-20, 20), 2**31 - 1, -(2**31))) for _ in axes]
        steps = [self.r.choice((1, 1, 2, -1, -2, 3)) for _ in axes]
        self.add("Slice", [x.name, *(self.ints(each) for each in (starts, ends, axes, steps))], x.exact)

    def move_concat(self, x):
        axis = self.axis(x)
        same = lambda v: v.dtype == x.dtype and v.rank == x.rank and all(a == b for i, (a, b) in enumerate(zip(v.shape, x.shape)) if i != axis % x.rank)
        parts = [self.pick(same) for _ in range(self.r.randint(1, 2))] + [x]
        self.add("Concat", [part.name for part in parts], all(part.exact for part in parts), axis=axis)

    def move_split(self, x):
        axis = self.axis(x)
        size = x.shape[axis]
        if size > 1:
            first = self.r.randint(1, size - 1)
            if self.opset >= 13:
                self.add("Split", [x.name, self.ints([first, size - first])], x.exact, outputs=2, axis=axis)
            else:
                self.add("Split", [x.name], x.exact, outputs=2, axis=axis, split=[first, size - first])

    def move_tile(self, x):
        self.add("Tile", [x.name, self.ints([self.r.randint(1, 3) for _ in x.shape])], x.exact)

    def move_expand(self, x):
        self.add("Expand", [x.name, self.ints([self.r.randint(1, 3)] + [size if size > 1 else self.r.randint(1, 4) for size in x.shape])], x.exact)

    def move_pad(self, x):
        if x.dtype != np.float32:
            return
        mode = self.r.choice(("constant", "reflect", "edge"))
        most = [size - 1 if mode == "reflect" else 2 for size in x.shape]
        low = -1 if mode == "constant" and min(x.shape) > 2 else 0
        pads = [self.r.randint(low, max(low, min(most[i % x.rank], 2))) for i in range(2 * x.rank)]
        value = [self.constant(np.float32(0.5))] if mode == "constant" and self.r.random() < 0.5 else []
        self.add("Pad", [x.name, self.ints(pads), *value], x.exact, mode=mode)

    def move_gather(self, x):
        axis = self.axis(x)
        indices = self.data.integers(-x.shape[axis], x.shape[axis], self.r.choice(((), (3,), (2, 2))))
        self.add("Gather", [x.name, self.constant(np.asarray(indices, self.r.choice((np.int64, np.int32))))], x.exact, axis=axis)

    def draw_elements(self):
        x = self.pick(lambda v: v.rank > 0 and v.dtype in (np.float32, np.int64))
        if not x:
            return
        axis = self.axis(x)
        shape = [self.r.randint(1, size) for size in x.shape]
        if self.r.random() < 0.5:
            self.add("GatherElements", [x.name, self.constant(self.data.integers(-x.shape[axis], x.shape[axis], shape))], x.exact, axis=axis)
        else:
            rows = np.stack([self.data.permutation(x.shape[axis])[: shape[axis]] for _ in range(int(np.prod(shape)) // shape[axis])])
            indices = np.moveaxis(rows.reshape([s for i, s in enumerate(shape) if i != axis % x.rank] + [shape[axis]]), -1, axis % x.rank)
            updates = self.constant(self.numbers(x.dtype, shape))
            attributes = {"reduction": self.r.choice(("none", "add", "mul"))} if self.opset >= 16 else {}
            self.add("ScatterElements", [x.name, self.constant(indices.astype(np.int64)), updates], x.exact, axis=axis, **attributes)

    def draw_cumsum(self):
        if x := self.floats(1):
            self.add("CumSum", [x.name, self.constant(np.int64(self.axis(x)))], False, exclusive=self.r.randint(0, 1), reverse=self.r.randint(0, 1))

    def draw_trilu(self):
        if x := self.pick(lambda v: v.rank >= 2 and v.dtype in (np.float32, np.int64)):
            self.add("Trilu", [x.name, self.ints(self.r.randint(-2, 2)) if self.r.random() < 0.7 else ""], x.exact, upper=self.r.randint(0, 1))

    def draw_clip(self):
        if x := self.floats():
            low, high = sorted((self.r.uniform(-1, 1), self.r.uniform(-1, 1)))
            ends = [self.constant(np.float32(low)), self.constant(np.float32(high))]
            self.add("Clip", [x.name] + self.r.choice((ends, ends[:1], ["", ends[1]])), x.exact)

    def draw_matmul(self):
        if x := self.floats(1, 4):
            columns = self.r.randint(1, 9)
            kind = self.r.choice(("MatMul", "Gemm", "Einsum"))
            if kind == "Gemm" and x.rank == 2:
                flip = self.r.randint(0, 1)
                w = self.numbers("float32", (columns, x.shape[1]) if flip else (x.shape[1], columns))
                self.add("Gemm", [x.name, self.constant(w), self.constant(self.numbers("float32", (columns,)))], False, transB=flip,
                         alpha=self.r.choice((1.0, 0.5)), beta=self.r.choice((1.0, 2.0)))
            elif kind == "Einsum" and x.rank == 2:
                self.add("Einsum", [x.name, self.constant(self.numbers("float32", (columns, x.shape[1])))], False,
                         equation=self.r.choice(("ij,kj->ik", "ij,kj->ki", "ij,kj->k")))
            else:
                self.add("MatMul", [x.name, self.constant(self.numbers("float32", (x.shape[-1], columns)))], False)

    def image(self):
        x = self.pick(lambda v: v.dtype == np.float32 and v.rank == 4 and min(v.shape[2:]) > 3)
        return x or self.input("float32", (self.r.randint(1, 2), self.r.choice((1, 3, 4)), self.r.randint(5, 11), self.r.randint(5, 11)))

    def window(self):
        kernel = [self.r.randint(1, 3), self.r.randint(1, 3)]
        attributes = {"kernel_shape": kernel, "strides": [self.r.randint(1, 2) for _ in kernel]}
        padding = self.r.random()
        if padding < 0.5:
            attributes["pads"] = [self.r.randint(0, kernel[i % 2] - 1) for i in range(4)]
        elif padding < 0.7:
            attributes["auto_pad"] = self.r.choice(("SAME_UPPER", "SAME_LOWER", "VALID"))
        return attributes

    def draw_conv(self):
        x, attributes = self.image(), self.window()
        channels = x.shape[1]
        groups = self.r.choice([g for g in (1, 2, 3, 4) if channels % g == 0])
        if self.r.random() < 0.5 and "auto_pad" not in attributes:
            attributes["dilations"] = [self.r.randint(1, 2), 1]
        outputs = groups * self.r.randint(1, 3)
        if self.r.random() < 0.7:
            w = self.numbers("float32", (outputs, channels // groups, *attributes["kernel_shape"]))
            self.add("Conv", [x.name, self.constant(w)] + ([self.constant(self.numbers("float32", (outputs,)))] if self.r.random() < 0.5 else []), False,
                     group=groups, **attributes)
        else:
            if attributes.get("auto_pad", "").startswith("SAME"):
                attributes["strides"] = [1, 1]  # ONNX Runtime's size is not that of the text where a kernel is less than its stride
            w = self.numbers("float32", (channels, outputs // groups, *attributes["kernel_shape"]))
            self.add("ConvTranspose", [x.name, self.constant(w)], False, group=groups, **attributes)

    def draw_pool(self):
        x, attributes = self.image(), self.window()
        kind = self.r.choice(("MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool", "LpPool", "Indices"))
        if kind.startswith("Global"):
            return self.add(kind, [x.name], False)
        attributes["ceil_mode"] = self.r.randint(0, 1) if "auto_pad" not in attributes and (kind != "LpPool" or self.opset >= 18) else 0
        if kind == "LpPool" and self.opset < 18:
            attributes.pop("ceil_mode")
        if kind == "AveragePool":
            attributes["count_include_pad"] = self.r.randint(0, 1)
        if kind == "Indices":
            return x.exact and self.add("MaxPool", [x.name], True, outputs=2, storage_order=self.r.randint(0, 1), **attributes)
        self.add(kind, [x.name], x.exact and kind == "MaxPool", **attributes)

    def draw_normalization(self):
        x = self.image()
        channels = x.shape[1]
        scale, bias = (self.constant(self.numbers("float32", (channels,))) for _ in range(2))
        kind = self.r.choice(("BatchNormalization", "InstanceNormalization", "LayerNormalization", "LRN", "LpNormalization"))
        if kind == "BatchNormalization":
            self.add(kind, [x.name, scale, bias, self.constant(self.numbers("float32", (channels,))),
                            self.constant(np.abs(self.numbers("float32", (channels,))) + np.float32(0.1))], False)
        elif kind == "InstanceNormalization":
            self.add(kind, [x.name, scale, bias], False)
        elif kind == "LayerNormalization":
            axis = self.axis(x)
            self.add(kind, [x.name, self.constant(self.numbers("float32", x.shape[axis:])), self.constant(self.numbers("float32", x.shape[axis:]))], False, axis=axis)
        elif kind == "LRN":
            self.add(kind, [x.name], False, size=self.r.choice((1, 3)))
        else:
            self.add(kind, [x.name], False, axis=self.axis(x), p=self.r.randint(1, 2))

    def draw_image(self):
        x = self.image()
        kind = self.r.choice(("Resize", "DepthToSpace", "SpaceToDepth", "GridSample"))
        if kind == "Resize" and self.opset < 13 or kind == "SpaceToDepth" and any(size % 2 for size in x.shape[2:]) or kind == "DepthToSpace" and x.shape[1] % 4:
            return
        if kind == "Resize":
            mode = self.r.choice(("nearest", "linear", "cubic"))
            coordinates = self.r.choice(("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel"))
            # ONNX Runtime takes the corners of the rounded size, ONNX's text of the exact one; and where a nearest
            # element is a tie except for rounding, either is right.
            factors = (1, 2, 3) if coordinates == "align_corners" else (0.5, 1, 2) if mode == "nearest" else (0.5, 0.6, 1, 1.5, 2)
            scales = self.constant(np.array([1, 1, self.r.choice(factors), self.r.choice(factors)], np.float32))
            attributes = {"nearest_mode": self.r.choice(("floor", "ceil", "round_prefer_floor", "round_prefer_ceil"))} if mode == "nearest" else {}
            self.add(kind, [x.name, "", scales], False, mode=mode, coordinate_transformation_mode=coordinates, **attributes)
        elif kind == "GridSample":
            grid = self.constant(self.data.uniform(-1.1, 1.1, (x.shape[0], 3, 4, 2)).astype(np.float32))
            self.add(kind, [x.name, grid], False, mode="bilinear" if self.opset < 20 else "linear", align_corners=self.r.randint(0, 1),
                     padding_mode=self.r.choice(("zeros", "border", "reflection")))
        elif kind == "DepthToSpace":
            self.add(kind, [x.name], x.exact, blocksize=2, mode=self.r.choice(("DCR", "CRD")))
        else:
            self.add(kind, [x.name], x.exact, blocksize=2)

    def draw_recurrent(self):
        length, batch, size, hidden = self.r.randint(1, 4), self.r.randint(1, 3), self.r.randint(1, 4), self.r.randint(1, 4)
        x = self.input("float32", (length, batch, size))
        kind = self.r.choice(("LSTM", "GRU", "RNN"))
        gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[kind]
        direction = self.r.choice(("forward", "reverse", "bidirectional"))
        d = 2 if direction == "bidirectional" else 1
        inputs = [x.name, self.constant(self.numbers("float32", (d, gates * hidden, size))), self.constant(self.numbers("float32", (d, gates * hidden, hidden)))]
        if self.r.random() < 0.5:
            inputs.append(self.constant(self.numbers("float32", (d, 2 * gates * hidden))))
        attributes = {"linear_before_reset": self.r.randint(0, 1)} if kind == "GRU" else {}
        self.add(kind, inputs, False, outputs=2, hidden_size=hidden, direction=direction, **attributes)

    def draw_quantized(self):
        x = self.pick(lambda v: v.dtype == np.float32 and v.exact)
        if not x:
            return
        zero = self.constant(np.array(self.r.randint(0, 9), self.r.choice((np.uint8, np.int8))))
        scale = self.constant(np.float32(0.0625))
        self.add("QuantizeLinear", [x.name, scale, zero], True)
        y = self.values[-1]
        if y.dtype in (np.uint8, np.int8):
            if self.r.random() < 0.5 and y.rank >= 1:
                w = self.constant(self.numbers(np.int8, (y.shape[-1], 5)))
                self.add("MatMulInteger", [y.name, w, zero], True)
            else:
                self.add("DequantizeLinear", [y.name, scale, zero], True)

    def draw_shape(self):
        """A shape that the graph computes."""
        x = self.pick(lambda v: v.rank >= 2 and v.dtype == np.float32)
        if not x:
            return
        shape, flat, first = self.name(), self.name(), self.name()
        nodes = [self.helper.make_node("Shape", [x.name], [shape]),
                 self.helper.make_node("Gather", [shape, self.ints([0])], [first]),
                 self.helper.make_node("Concat", [first, self.ints([-1])], [self.name("s")], axis=0)]
        self.nodes += nodes
        self.nodes.append(self.helper.make_node("Reshape", [x.name, nodes[-1].output[0]], [flat], name="/Reshape" + flat))
        self.values.append(Value(flat, x.dtype, (x.shape[0], int(np.prod(x.shape[1:]))), x.exact))

    def draw_microsoft(self):
        if not self.microsoft:
            return
        kind = self.r.choice(("Gelu", "FastGelu", "QuickGelu", "BiasGelu", "FusedMatMul", "SkipLayerNormalization", "SkipSimplifiedLayerNormalization",
                              "Attention", "MultiHeadAttention", "RotaryEmbedding", "MatMulNBits", "GroupQueryAttention"))
        draw_microsoft(self, kind)

    def draw(self):
        for _ in range(self.r.randint(1, 3)):
            rank = self.r.randint(1, 4)
            self.input(self.r.choice(("float32", "float32", "float32", "float32", "int64", "int32", "bool", "double")), [self.r.choice((1, 2, 3, 4, 5, 7, 8)) for _ in range(rank)])
        makers = [getattr(self, name) for name in dir(self) if name.startswith("draw_")]
        for _ in range(self.r.randint(4, 14)):
            self.r.choice(makers)()
        used = {name for node in self.nodes for name in node.input}
        made = [value for value in self.values if not value.name.startswith("x")]
        outputs = [value for value in made if value.name not in used] or made[-1:]
        infos = [self.helper.make_tensor_value_info(v.name, self.helper.np_dtype_to_tensor_dtype(v.dtype), None) for v in outputs]
        return self.model(self.nodes, infos), self.feeds


def broadcasts(a, b):
    return all(x == y or x == 1 or y == 1 for x, y in zip(reversed(a), reversed(b)))


def draw_microsoft(g, kind):
    """Nodes of com.microsoft, whose shapes onnx does not infer."""
    f32 = np.dtype("float32")
    constant = lambda *shape: g.constant(g.numbers(f32, shape) * np.float32(0.5))
    add = lambda inputs, shapes, **attributes: g.add(kind, inputs, False, outputs=len(shapes), domain="com.microsoft",
                                                     shapes=[(f32, list(shape)) for shape in shapes], **attributes)
    batch, length, heads, size = g.r.randint(1, 2), g.r.randint(1, 5), g.r.choice((1, 2, 4)), g.r.choice((4, 8))
    width = heads * size
    if kind in ("Gelu", "FastGelu", "QuickGelu"):
        if x := g.floats(1):
            add([x.name], [x.shape])
    elif kind == "BiasGelu":
        if x := g.floats(1):
            add([x.name, constant(x.shape[-1])], [x.shape])
    elif kind == "FusedMatMul":
        if x := g.floats(2, 3):
            flip = g.r.randint(0, 1)
            add([x.name, constant(5, x.shape[-1]) if flip else constant(x.shape[-1], 5)], [(*x.shape[:-1], 5)], transB=flip, alpha=0.5)
    elif kind.startswith("Skip"):
        x, skip = g.input("float32", (batch, length, width)), g.input("float32", (batch, length, width))
        add([x.name, skip.name, constant(width)] + ([constant(width)] if kind == "SkipLayerNormalization" else []), [x.shape], epsilon=1e-5)
    elif kind == "Attention":
        x = g.input("float32", (batch, length, 6))
        add([x.name, constant(6, 3 * width), constant(3 * width)], [(batch, length, width)], num_heads=heads, unidirectional=g.r.randint(0, 1))
    elif kind == "MultiHeadAttention":
        other = g.r.randint(1, 5)
        q, k, v = (g.input("float32", (batch, n, width)) for n in (length, other, other))
        add([q.name, k.name, v.name], [(batch, length, width)], num_heads=heads)
    elif kind == "RotaryEmbedding":
        x = g.input("float32", (batch, length, width))
        angles = np.outer(np.arange(8), np.arange(1, size // 2 + 1)).astype(np.float32)
        positions = g.constant(np.tile(np.arange(length), (batch, 1)).astype(np.int64))
        add([x.name, positions, g.constant(np.cos(angles)), g.constant(np.sin(angles))], [x.shape], interleaved=g.r.randint(0, 1))
    elif kind == "MatMulNBits":
        rows, columns, block = 32, g.r.choice((4, 7)), 16
        x = g.input("float32", (batch, length, rows))
        weights = g.constant(g.data.integers(0, 256, (columns, rows // block, block // 2)).astype(np.uint8))
        scales = g.constant(np.abs(g.numbers(f32, (columns * rows // block,))))
        add([x.name, weights, scales], [(batch, length, columns)], K=rows, N=columns, bits=4, block_size=block)
    elif kind == "GroupQueryAttention":
        groups = g.r.choice([n for n in (1, 2, 4) if heads % n == 0])
        q = g.input("float32", (batch, length, heads * 8))
        k, v = (g.input("float32", (batch, length, groups * 8)) for _ in range(2))
        lengths = g.constant(np.full((batch,), length - 1, np.int32))
        cache = (batch, groups, length, 8)
        add([q.name, k.name, v.name, "", "", lengths, g.constant(np.array(length, np.int32))], [(batch, length, heads * 8), cache, cache],
            num_heads=heads, kv_num_heads=groups)


def run(tool, path, feeds):
    """With named sizes; where they would have to be equal to others, with numbers, as the refusal says."""
    status, text = run_with(tool, path, feeds, [])
    if status == 1 and "--shape" in text:
        status, text = run_with(tool, path, feeds, [f"--shape={name}:{','.join(map(str, x.shape))}" for name, x in feeds.items() if x.ndim])
    return status, text


def run_with(tool, path, feeds, shapes):
    out = tool.path("out.d")
    os.makedirs(out, exist_ok=True)
    for old in os.listdir(out):
        os.remove(os.path.join(out, old))
    words = ["run", path, f"--output-dir={out}", *shapes]
    for name, array in feeds.items():
        np.save(tool.path(name + ".npy"), array)
        words.append(f"--input={name}={tool.path(name + '.npy')}")
    return tool.run(words)


def compare(tool, names, expected):
    for name, want in zip(names, expected):
        got, want = np.load(tool.path(os.path.join("out.d", name + ".npy"))), np.asarray(want)
        if got.shape != want.shape or got.dtype != want.dtype:
            return f"{name}: {got.dtype}{got.shape}, not {want.dtype}{want.shape}"
        if want.dtype.kind != "f":
            if not np.array_equal(got, want):
                return f"{name}: {got.ravel()[:8]}, not {want.ravel()[:8]}"
            continue
        finite = np.isfinite(want)
        scale = max(1e-6, np.abs(want[finite]).max(initial=0))
        if not np.array_equal(np.isnan(got), np.isnan(want)) or not np.array_equal(got[~finite], want[~finite], equal_nan=True):
            return f"{name}: other NaNs or infinities"
        error = np.abs(got[finite].astype(float) - want[finite]).max(initial=0)
        # Differences of numbers that are almost equal, and ONNX Runtime's tanh of tiny ones, are off by more of themselves.
        if error > 1e-4 * scale and error > 2e-6:
            return f"{name}: differs by {error / scale:.3g} of the largest element"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    try:
        import onnx
        import onnxruntime
    except ImportError as error:
        print(f"drawn: skipped, {error}")
        return 77
    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    # Its optimizer moves a quantization across a pooling, which then has other ties.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    tool, counts, ops, why = server.Server(arguments.server), collections.Counter(), collections.Counter(), collections.Counter()
    for number in range(arguments.first, arguments.first + arguments.count):
        model, feeds = Draw(number, onnx).draw()
        feeds = {value.name: feeds[value.name] for value in model.graph.input}
        path = os.path.join(arguments.keep, f"{number}.onnx") if arguments.keep else tool.path("model.onnx")
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        try:
            expected = onnxruntime.InferenceSession(path, options).run(None, feeds)
        except Exception as error:
            counts["not run by ONNX Runtime"] += 1
            if arguments.verbose:
                print(f"{number}: ONNX Runtime: {str(error)[:300]}", flush=True)
            continue
        ops.update({(node.domain and node.domain + ".") + node.op_type for node in model.graph.node})
        status, text = run(tool, path, feeds)
        if status == 0:
            text = compare(tool, [each.name for each in model.graph.output], expected)
            verdict = "differ" if text else "agree"
        else:
            verdict = "crashed" if status is None else "refused"
        counts[verdict] += 1
        if verdict == "refused":
            why[re.sub(r"\d+", "N", text.strip().split("\n")[0].split("): ")[-1])] += 1
        if verdict != "agree" and (verdict != "refused" or arguments.verbose):
            print(f"{number}: {verdict}: {' '.join(text.split())[-400:]}", flush=True)
    print("drawn: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())) + f"; {len(ops)} ops")
    for reason, count in why.most_common():
        print(f"  {count:4} refused: {reason[:200]}")
    return counts["differ"] + counts["crashed"] > 0


if __name__ == "__main__":
    sys.exit(main())
