"""Random programs: nodes, what each is worth by the judge, and which of them are outputs."""

import random

import numpy as np

import composite  # noqa: F401  adds its kinds to KINDS, as structure does
from kinds import KINDS, Node
from makers import MAKERS
from values import INTEGERS, Value, is_float, is_useful, rounded

SIZES = [1, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 33, 64, 65]
DTYPES = ["f32"] * 8 + ["f64"] * 2 + ["f16", "bf16", "i32", "i32", "i64", "i8", "i16", "ui8", "ui16", "ui32", "ui64", "i1"]
SIGNED = ["i8", "i16", "i32", "i64"]
MOST_ELEMENTS = {False: 6000, True: 90000}  # large ones are split over threads


class Program:
    """Inputs are nodes of the kind "input", whose values come with the program."""

    def __init__(self):
        self.nodes, self.values, self.outputs = [], [], []

    def needed(self):
        """What the outputs depend on, in order."""
        seen, work = set(), list(self.outputs)
        while work:
            i = work.pop()
            if i not in seen:
                seen.add(i)
                work.extend(self.nodes[i].inputs)
        return sorted(seen)

    def inputs(self):
        return [i for i in self.needed() if self.nodes[i].kind == "input"]

    def folded(self):
        """Outputs that depend on a function of constants: the compiler computes it where the text says that they are
        constants (by the C library), and a kernel does where the interface passes them as numbers. Operands that are
        one value make constants too: x >= x, and a select between two constants that are equal. Of what joins values
        an element may be all that is used, so it counts as constant if a part is."""
        constant, tainted = set(), set()
        for i, node in enumerate(self.nodes):
            alike = node.kind == "compare" and len(set(node.inputs)) == 1
            among = node.inputs[1:] if node.kind == "select" else node.inputs
            joins = node.kind in ("pad", "concatenate") and not constant.isdisjoint(node.inputs)
            if node.kind != "input" and (constant.issuperset(among) or alike or joins):
                constant.add(i)
                if not self.values[i].is_exact:
                    tainted.add(i)
            if not tainted.isdisjoint(node.inputs):
                tainted.add(i)
        return tainted.intersection(self.outputs)

    def has_text(self):
        return all(self.nodes[i].kind == "input" or KINDS[self.nodes[i].kind].text for i in self.needed())

    def text(self, name="main"):
        """The function in tx."""
        names, lines = {}, []
        for i in self.needed():
            node = self.nodes[i]
            names[i] = f"%{'x' if node.kind == 'input' else 'v'}{i}"
            if node.kind != "input":
                operands = [(names[j], self.nodes[j].type) for j in node.inputs]
                lines.append(f"  {names[i]} = {KINDS[node.kind].text(node, *operands)}\n")
        arguments = ", ".join(f"{names[i]}: {self.nodes[i].type}" for i in self.inputs())
        results = ", ".join(self.nodes[i].type for i in self.outputs)
        returned = ", ".join(names[i] for i in self.outputs)
        return f"func.func @{name}({arguments}) -> ({results}) {{\n{''.join(lines)}  return {returned} : {results}\n}}\n"

    def with_cuts(self, cuts, outputs):
        """The program whose cut nodes are inputs, with the judge's numbers; None where the rest then makes no sense."""
        made = Program()
        made.outputs = list(outputs)
        for i, (node, value) in enumerate(zip(self.nodes, self.values)):
            if node.kind != "input" and i in cuts:
                node = Node("input", (), node.dtype, node.shape)
                value = Value(node.dtype, rounded(node.dtype, value.data) if is_float(node.dtype) else value.data)
            made.nodes.append(node)
            made.values.append(value)
        for i in made.needed():
            node = made.nodes[i]
            if node.kind != "input":
                made.values[i] = KINDS[node.kind].evaluate(node, *[made.values[j] for j in node.inputs])
                if made.values[i] is None:
                    return None
        return made


class Builder:
    def __init__(self, seed, deep):
        self.random = random.Random(f"{seed} {deep}")
        self.numpy = np.random.default_rng([seed, int(deep)])
        self.program, self.deep = Program(), deep
        self.nodes, self.values = self.program.nodes, self.program.values
        self.unread, self.held = [], []
        self.is_large = self.chance(4)
        self.dims = [self.pick(SIZES) for _ in range(self.integer(2, 4))]
        if self.is_large:
            self.dims[0] = self.pick([250, 512, 1001])

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def pick(self, values):
        return values[self.random.randrange(len(values))]

    def integer(self, low, high):
        return self.random.randint(low, high)

    # Values ------------------------------------------------------------------------------------------------------

    def fits(self, shape):
        return len(shape) <= 5 and np.prod(shape, dtype=np.int64) <= MOST_ELEMENTS[self.is_large]

    def shape(self, most=3):
        while True:
            shape = tuple(self.pick(self.dims) for _ in range(self.integer(0, most)))
            if self.fits(shape):
                return shape

    def dtype(self):
        return self.pick(DTYPES)

    def add(self, kind, inputs, dtype, shape, **attributes):
        """The new node's number, or None where the judge has no use for it."""
        if not self.fits(shape):
            return None
        node = Node(kind, inputs, dtype, shape, **attributes)
        with np.errstate(all="ignore"):
            value = KINDS[kind].evaluate(node, *[self.values[i] for i in inputs])
        if value is None or not is_useful(value):
            return None
        assert value.shape == node.shape, (kind, attributes, value.shape, node.shape)
        self.nodes.append(node)
        self.values.append(value)
        self.unread = [i for i in self.unread if i not in inputs] + [len(self.nodes) - 1]
        return len(self.nodes) - 1

    def input(self, dtype, shape):
        if dtype == "i1":
            data = self.numpy.integers(2, size=shape).astype(bool)
        elif is_float(dtype):
            data = rounded(dtype, self.numpy.uniform(-4, 4, size=shape))
        else:
            data = self.numpy.integers(0 if dtype[0] == "u" else -9, 10, size=shape).astype(INTEGERS[dtype])
        self.nodes.append(Node("input", (), dtype, shape))
        self.values.append(Value(dtype, data))
        return len(self.nodes) - 1

    def any(self):
        """Half of the time what nobody read yet, so that graphs grow deep."""
        if self.unread and self.chance(50):
            return self.pick(self.unread[-8:])
        if self.chance(50):
            return max(0, len(self.nodes) - 1 - self.integer(0, 7))
        return self.integer(0, len(self.nodes) - 1)

    def any_of(self, test):
        for _ in range(12):
            i = self.any()
            if test(self.nodes[i], self.values[i]):
                return i
        return None

    def ranked(self, least=1):
        return self.any_of(lambda node, value: len(node.shape) >= least and value.data.size > 0)

    def number(self):
        return self.any_of(lambda node, value: node.dtype != "i1")

    # Fitting -----------------------------------------------------------------------------------------------------

    def convert(self, i, dtype):
        return i if self.nodes[i].dtype == dtype else self.add("convert", [i], dtype, self.nodes[i].shape)

    def splat(self, value, dtype, shape):
        return self.add("splat", [], dtype, shape, value=value)

    def cut(self, i, shape):
        own = self.nodes[i].shape
        kept = [min(a, b) for a, b in zip(own, shape)]
        if kept == list(own):
            return i
        offsets = [0 if self.chance(60) else self.integer(0, a - b) for a, b in zip(own, kept)]
        return self.add("slice", [i], self.nodes[i].dtype, kept, offsets=offsets, strides=[1] * len(own))

    def grow(self, i, shape):
        """Pads, or puts a part of itself behind it, until it has the shape."""
        while i is not None and self.nodes[i].shape != tuple(shape):
            own, dtype = list(self.nodes[i].shape), self.nodes[i].dtype
            dim = next(d for d, n in enumerate(own) if n != shape[d])
            missing = shape[dim] - own[dim]
            grown = own[:dim] + [shape[dim]] + own[dim + 1 :]
            if missing <= own[dim] and self.chance(60):
                rest = self.cut(i, own[:dim] + [missing] + own[dim + 1 :])
                i = None if rest is None else self.add("concatenate", [i, rest], dtype, grown, dim=dim)
                continue
            fill = self.splat(self.pick([0, 1]), dtype, ())
            low, zeros = [0] * len(own), [0] * len(own)
            low[dim] = 0 if self.chance(60) else self.integer(0, missing)
            high = [missing - low[dim] if d == dim else 0 for d in range(len(own))]
            i = self.add("pad", [i, fill], dtype, grown, low=low, high=high, interior=zeros)
        return i

    def reshaped(self, i, shape):
        """i, or a value made of it, in that shape."""
        own = self.nodes[i].shape
        if own == tuple(shape):
            return i
        if len(own) == len(shape) and 0 not in own and self.chance(75):
            cut = self.cut(i, shape)
            return None if cut is None else self.grow(cut, shape)
        dims, d = [], 0
        for n in own:
            while d < len(shape) and shape[d] != n:
                d += 1
            dims.append(d)
            d += 1
        if not own or dims[-1] < len(shape):
            return self.add("broadcast", [i], self.nodes[i].dtype, shape, dims=dims)
        if self.nodes[i].dtype == "i1" or 0 in own:
            return None
        whole = self.add("reduce", [i], self.nodes[i].dtype, (), name=self.pick(["max", "min"]), dims=list(range(len(own))))
        return whole if whole is None or not shape else self.add("broadcast", [whole], self.nodes[whole].dtype, shape, dims=[])

    def partner(self, i):
        """A value of the same dtype and shape."""
        like = self.nodes[i]
        j = self.any_of(lambda node, _: node.shape == like.shape) if self.chance(60) else None
        j = self.convert(self.any() if j is None else j, like.dtype)
        return None if j is None else self.reshaped(j, like.shape)

    # Programs ----------------------------------------------------------------------------------------------------

    def companion(self, shape, dtype):
        """A value of that shape that a kernel of some kind computes from new inputs."""
        kind, size = self.integer(0, 3 if len(shape) >= 2 else 2), self.integer(1, 6)
        if kind == 0 or dtype == "i1" or (shape and 0 in shape):
            return self.input(dtype, shape)
        if kind == 3:
            x = self.input(dtype, shape[:-1] + (size,))
            y = self.input(dtype, shape[:-2] + (size, shape[-1]))
            return self.add("dot", [x, y], dtype, shape)
        if kind == 2 and shape:
            dim = self.integer(0, len(shape) - 1)
            name = self.pick(["cumsum", "cummax", "cummin"])
            x = self.input(dtype, shape)
            return self.add("scan", [x], dtype, shape, name=name, dim=dim, reverse=self.chance(40), exclusive=False)
        dim = self.integer(0, len(shape))
        longer = shape[:dim] + (size,) + shape[dim:]
        if not self.fits(longer):
            return None
        return self.add("reduce", [self.input(dtype, longer)], dtype, shape, name=self.pick(["sum", "max", "min"]), dims=[dim])

    def grow_program(self, count):
        for _ in range(self.integer(1, 6 if self.deep else 3)):
            self.input(self.dtype(), self.shape())
        tries, end = 0, len(self.nodes) + count
        while len(self.nodes) < end and tries < 20 * count:
            tries += 1
            made = self.pick(MAKERS)(self)
            if made is not None and self.chance(12):
                self.held.append(made)

    def choose_outputs(self):
        sinks = [i for i in self.unread if self.nodes[i].kind != "input"]
        self.random.shuffle(sinks)
        readers = [0] * len(self.nodes)
        for node in self.nodes:
            for i in node.inputs:
                readers[i] += 1
        shared = [i for i, n in enumerate(readers) if n > 1 and self.nodes[i].kind not in ("input", "splat")]
        outputs = sinks[: self.integer(2, 12 if self.deep else 5)] + [i for i in self.held if self.chance(60)]
        outputs += [i for i in shared if self.chance(15 if self.deep else 30)]
        self.program.outputs = sorted(set(outputs))[: 30 if self.deep else 8]


def generate(seed, deep):
    """The same program for the same seed; one in thousands has no outputs."""
    builder = Builder(seed, deep)
    builder.grow_program(builder.integer(50, 400) if deep else builder.integer(3, 14))
    builder.choose_outputs()
    return builder.program
