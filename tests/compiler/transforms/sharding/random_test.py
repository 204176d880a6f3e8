"""Random programs with random annotations: on a mesh of CPU devices they compute what the interpreter computes.

    random_test.py TENSORC [COUNT [SEED]]

Programs of integers must be equal in all bits, those of floats within the tolerance of their ops, as sums that are
split over devices round otherwise.
"""

import itertools
import math
import pathlib
import random
import subprocess
import sys
import tempfile

SIZES = (1, 2, 3, 4, 6, 8)
MAX_ELEMENTS = 4096


class Program:
    """A function that grows op by op."""

    def __init__(self, r):
        self.r, self.lines, self.values, self.numbers = r, [], [], itertools.count()
        self.dtype = r.choice(["f32", "i32"])
        self.mesh = [r.choice([1, 2]) for _ in range(r.randint(1, 3))]
        self.arguments = [self.shape() for _ in range(r.randint(1, 3))]
        self.values = [(f"%a{i}", shape) for i, shape in enumerate(self.arguments)]

    def shape(self, rank=None):
        while True:
            shape = tuple(self.r.choice(SIZES) for _ in range(rank or self.r.randint(1, 3)))
            if math.prod(shape) <= MAX_ELEMENTS:
                return shape

    def type(self, shape, dtype=None):
        return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype or self.dtype}>"

    def add(self, op, shape, dtype=None):
        name = f"%{next(self.numbers)}"
        self.lines.append(f"{name} = {op}")
        if dtype is None and math.prod(shape) <= MAX_ELEMENTS:
            self.values.append((name, tuple(shape)))
        return name

    def some(self, min_rank=0):
        known = [value for value in self.values if len(value[1]) >= min_rank]
        # Later values more often, so that chains grow.
        return self.r.choice(known[-6:]) if known and self.r.random() < 0.8 else self.r.choice(known or self.values)

    def index(self, value):
        return self.add(f"tx.constant dense<{value}> : tensor<i64>", (), "i64")

    def grow(self):
        kinds = [name for name in dir(self) if name.startswith("op_")]
        for _ in range(self.r.randint(5, 14)):
            getattr(self, self.r.choice([*kinds, "op_shard", "op_shard", "op_binary"]))()

    def text(self):
        arguments = ", ".join(f"%a{i}: {self.type(shape)}" for i, shape in enumerate(self.arguments))
        results = self.values[len(self.arguments) :][-3:] or self.values[:1]
        types = ", ".join(self.type(shape) for _, shape in results)
        body = "\n".join("  " + line for line in self.lines)
        names = ", ".join(name for name, _ in results)
        return f"func.func @main({arguments}) -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n"

    # Ops: each takes values and adds one.

    def dims(self, shape):
        dims, parts = [], [1] * len(shape)
        for size in self.mesh:
            fitting = [d for d in range(len(shape)) if shape[d] % (parts[d] * size) == 0]
            dim = self.r.choice([-1, *fitting, *fitting])
            dims.append(dim)
            if dim >= 0:
                parts[dim] *= size
        return dims

    def op_shard(self):
        x, shape = self.some()
        t = self.type(shape)
        self.add(f"tx.shard {x} mesh = {self.mesh} dims = {self.dims(shape)} : ({t}) -> {t}", shape)

    def op_binary(self):
        x, shape = self.some()
        y = self.r.choice([value for value, other in self.values if other == shape])
        self.add(f"tx.{self.r.choice(['add', 'sub', 'max', 'min'])} {x}, {y} : {self.type(shape)}", shape)

    def op_unary(self):
        x, shape = self.some()
        self.add(f"tx.{self.r.choice(['abs', 'neg', 'relu'])} {x} : {self.type(shape)}", shape)

    def op_broadcast(self):
        x, shape = self.some()
        if len(shape) > 2:
            return
        rank = len(shape) + 1
        dims = sorted(self.r.sample(range(rank), len(shape)))
        result = [self.r.choice(SIZES) for _ in range(rank)]
        for size, dim in zip(shape, dims):
            result[dim] = self.r.choice([size, *SIZES]) if size == 1 else size
        self.add(f"tx.broadcast {x} dims = {dims} : {self.type(shape)} -> {self.type(result)}", result)

    def op_transpose(self):
        x, shape = self.some()
        p = self.r.sample(range(len(shape)), len(shape))
        result = [shape[i] for i in p]
        self.add(f"tx.transpose {x} permutation = {p} : {self.type(shape)} -> {self.type(result)}", result)

    def op_reshape(self):
        x, shape = self.some()
        rest, result = math.prod(shape), []
        for _ in range(self.r.randint(0, 2)):
            size = self.r.choice([s for s in SIZES if rest % s == 0])
            result.append(size)
            rest //= size
        result.insert(self.r.randint(0, len(result)), rest)
        self.add(f"tx.reshape {x} : {self.type(shape)} -> {self.type(result)}", result)

    def op_reduce(self):
        x, shape = self.some(1)
        dims = sorted(self.r.sample(range(len(shape)), self.r.randint(0, len(shape))))
        result = [size for i, size in enumerate(shape) if i not in dims]
        op = self.r.choice(["sum", "sum", "reduce_max", "reduce_min"])
        self.add(f"tx.{op} {x} dims = {dims} : {self.type(shape)} -> {self.type(result)}", result)

    def op_dot(self):
        x, shape = self.some(1)
        inner = self.r.randrange(len(shape))
        fitting = [(y, s) for y, s in self.values if shape[inner] in s]
        y, other = self.r.choice(fitting)
        at = self.r.choice([i for i, size in enumerate(other) if size == shape[inner]])
        batch = ([], [])
        pairs = [(i, j) for i in range(len(shape)) for j in range(len(other)) if i != inner and j != at and shape[i] == other[j]]
        if pairs and self.r.random() < 0.4:
            i, j = self.r.choice(pairs)
            batch = ([i], [j])
        result = [shape[i] for i in batch[0]]
        result += [s for i, s in enumerate(shape) if i != inner and i not in batch[0]]
        result += [s for i, s in enumerate(other) if i != at and i not in batch[1]]
        if len(result) > 4 or math.prod(result) > MAX_ELEMENTS:
            return
        self.add(
            f"tx.dot_general {x}, {y} batch = {batch[0]} x {batch[1]} contracting = [{inner}] x [{at}] : "
            f"({self.type(shape)}, {self.type(other)}) -> {self.type(result)}", result
        )  # fmt: skip

    def op_slice(self):
        x, shape = self.some()
        result = [self.r.randint(1, size) if self.r.random() < 0.5 else size for size in shape]
        offsets = [self.r.randint(0, size - part) for size, part in zip(shape, result)]
        strides = [1] * len(shape)
        self.add(f"tx.slice {x} offsets = {offsets} strides = {strides} : {self.type(shape)} -> {self.type(result)}", result)

    def op_pad(self):
        x, shape = self.some()
        low, high, interior = ([self.r.choice([0, 0, 0, 1]) for _ in shape] for _ in range(3))
        result = [l + h + s + (s - 1) * i for s, l, h, i in zip(shape, low, high, interior)]
        zero = self.add(f"tx.constant dense<{'0.0' if self.dtype == 'f32' else '0'}> : {self.type(())}", (), "scalar")
        self.add(f"tx.pad {x}, {zero} low = {low} high = {high} interior = {interior} : {self.type(shape)} -> {self.type(result)}", result)

    def op_concatenate(self):
        x, shape = self.some(1)
        dim = self.r.randrange(len(shape))
        fitting = [(y, s) for y, s in self.values if len(s) == len(shape) and s[:dim] + s[dim + 1 :] == shape[:dim] + shape[dim + 1 :]]
        y, other = self.r.choice(fitting)
        result = [*shape[:dim], shape[dim] + other[dim], *shape[dim + 1 :]]
        self.add(f"tx.concatenate {x}, {y} dim = {dim} : ({self.type(shape)}, {self.type(other)}) -> {self.type(result)}", result)

    def op_gather(self):
        x, shape = self.some(1)
        n = self.r.choice(SIZES)
        start = self.r.randrange(shape[0])
        iota = self.add(f"tx.iota dim = 0 : tensor<{n}xi64>", (n,), "i64")
        first = self.add(f"tx.constant dense<{start}> : tensor<{n}xi64>", (n,), "i64")
        i = self.add(f"tx.add {iota}, {first} : tensor<{n}xi64>", (n,), "i64")
        result = [n, *shape[1:]]
        self.add(
            f"tx.gather {x}, {i} offset_dims = {list(range(1, len(shape)))} collapsed_slice_dims = [0] start_index_map = [0] "
            f"index_vector_dim = 1 slice_sizes = {[1, *shape[1:]]} : ({self.type(shape)}, tensor<{n}xi64>) -> {self.type(result)}", result
        )  # fmt: skip

    def op_dynamic(self):
        x, shape = self.some(1)
        part = [self.r.randint(1, size) if self.r.random() < 0.5 else size for size in shape]
        starts = [self.index(self.r.randint(0, size)) for size in shape]
        types = ", ".join(["tensor<i64>"] * len(shape))
        self.add(
            f"tx.dynamic_slice {x}[{', '.join(starts)}] slice_sizes = {part} : ({self.type(shape)}, {types}) -> {self.type(part)}", part
        )  # fmt: skip

    def op_scatter(self):
        x, shape = self.some(1)
        n = self.r.choice(SIZES)
        fitting = [y for y, s in self.values if s == (n, *shape[1:])]
        if not fitting:
            return
        i = self.add(f"tx.constant dense<{[self.r.randrange(shape[0]) for _ in range(n)]}> : tensor<{n}xi64>", (n,), "i64")
        windows = list(range(1, len(shape)))
        self.add(
            f'tx.scatter "{self.r.choice(["add", "max"])}" {x}, {i}, {self.r.choice(fitting)} update_window_dims = {windows} '
            f"inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1 : "
            f"({self.type(shape)}, tensor<{n}xi64>, {self.type((n, *shape[1:]))}) -> {self.type(shape)}", shape
        )  # fmt: skip

    def op_while(self):
        """Adds another value some times."""
        x, shape = self.some()
        y = self.r.choice([value for value, other in self.values if other == shape])
        t = self.type(shape)
        sharded, lines = self.nested_shard("%a", shape)
        self.add(
            f"tx.while most = {self.r.randint(0, 3)} ({x}, {y}) : ({t}, {t}) -> {t} {{\n  ^bb0(%a: {t}, %b: {t}):\n"
            f"    %p = tx.constant dense<true> : tensor<i1>\n    tx.return %p : tensor<i1>\n  }} do {{\n  ^bb0(%a: {t}, %b: {t}):\n"
            f"{lines}    %r = tx.{self.r.choice(['add', 'max'])} {sharded}, %b : {t}\n    tx.return %r : {t}\n  }}", shape
        )  # fmt: skip

    def op_loop(self):
        """Adds the rows of a value, and stacks the sums."""
        x, shape = self.some(2)
        if len(shape) < 2:
            return
        fitting = [value for value, other in self.values if other == shape[1:]]
        if not fitting:
            return
        row, t = self.type(shape[1:]), self.type(shape)
        sharded, lines = self.nested_shard("%b", shape[1:])
        name = self.add(
            f"tx.scan <[{shape[0]}]> carried = 1 scanned = 1 ({self.r.choice(fitting)}, {x}) : ({row}, {t}) -> ({row}, {t}) {{\n"
            f"  ^bb0(%i: tensor<i64>, %a: {row}, %b: {row}):\n{lines}    %r = tx.add %a, {sharded} : {row}\n"
            f"    tx.return %r, %a : {row}, {row}\n  }}", (), "two"
        )  # fmt: skip
        self.lines[-1] = self.lines[-1].replace(f"{name} =", f"{name}:2 =", 1)
        self.values += [(f"{name}#0", shape[1:]), (f"{name}#1", shape)]

    def op_branch(self):
        x, shape = self.some()
        t = self.type(shape)
        p = self.add(f"tx.constant dense<{self.r.choice(['true', 'false'])}> : tensor<i1>", (), "i1")
        sharded, lines = self.nested_shard("%a", shape)
        self.add(
            f"tx.if {p} ({x}) : tensor<i1>, ({t}) -> {t} {{\n  ^bb0(%a: {t}):\n{lines}    %r = tx.neg {sharded} : {t}\n"
            f"    tx.return %r : {t}\n  }} else {{\n  ^bb0(%a: {t}):\n    tx.return %a : {t}\n  }}", shape
        )  # fmt: skip

    def nested_shard(self, name, shape):
        """A value in a block, annotated or not, and the line for that."""
        if self.r.random() < 0.5:
            return name, ""
        t = self.type(shape)
        return "%s", f"    %s = tx.shard {name} mesh = {self.mesh} dims = {self.dims(shape)} : ({t}) -> {t}\n"

    def op_scan(self):
        x, shape = self.some(1)
        op = self.r.choice(["cumsum", "sort"])
        self.add(f"tx.{op} {x} dim = {self.r.randrange(len(shape))} : {self.type(shape)}", shape)

    def op_softmax(self):
        x, shape = self.some(1)
        if self.dtype == "f32":
            self.add(f"tx.softmax {x} dim = {self.r.randrange(len(shape))} : {self.type(shape)}", shape)

    def op_windows(self):
        x, shape = self.some(1)
        dim = self.r.randrange(len(shape))
        if shape[dim] < 2 or len(shape) > 2:
            return
        result = [*shape, 2]
        result[dim] -= 1
        self.add(
            f"tx.windows {x} dims = [{dim}] sizes = [2] strides = [1] dilations = [1] : {self.type(shape)} -> {self.type(result)}", result
        )  # fmt: skip


def check(tensorc, seed, folder):
    r = random.Random(seed)
    program = Program(r)
    program.op_shard()
    program.grow()
    file = folder / f"sharded{seed}.mlir"
    file.write_text(program.text())
    devices = ",".join(["cpu"] * math.prod(program.mesh))
    command = [tensorc, "run", str(file), f"--devices={devices}", f"--random-inputs={seed}", "--compare=reference"]
    run = subprocess.run(command, capture_output=True, text=True)
    exact = program.dtype == "f32" or "MISMATCH" not in run.stdout
    if run.returncode or not exact:
        return f"seed {seed}: {' '.join(command)}\n{program.text()}{run.stdout[-500:]}{run.stderr[-2000:]}"
    return None


def main():
    tensorc = sys.argv[1]
    count, first = (int(word) for word in [*sys.argv[2:], *["20", "1"][len(sys.argv) - 2 :]])
    with tempfile.TemporaryDirectory() as folder:
        failures = [f for seed in range(first, first + count) if (f := check(tensorc, seed, pathlib.Path(folder)))]
    print("\n".join([*failures[:3], f"{count} programs, {len(failures)} failures"]))
    sys.exit(bool(failures))


main()
