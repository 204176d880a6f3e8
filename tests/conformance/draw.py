"""Random operands: shapes with their edges, dtypes, memory that is not contiguous, special values."""

import numpy as np

from binding import NUMPY

FLOATS = ["f32", "f32", "f64", "f16"]
SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["ui8", "ui16", "ui32", "ui64"]
INTS = SIGNED + UNSIGNED
NUMBERS = FLOATS + INTS
BITS = INTS + ["i1"]
ALL = NUMBERS + ["i1"]
SIZES = [0, 1, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 33, 64, 97]


class Draw:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def chance(self, percent):
        return bool(self.rng.integers(100) < percent)

    def pick(self, values):
        return values[self.rng.integers(len(values))]

    def integer(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def shape(self, least=0, most=4, elements=6000):
        while True:
            shape = tuple(self.pick(SIZES) for _ in range(self.integer(least, most)))
            if np.prod(shape, dtype=np.int64) <= elements:
                return shape

    def some(self, shape):
        """The shape without zeros, for what needs an element."""
        return tuple(max(1, s) for s in shape)

    def values(self, shape, dtype, low=-4.0, high=4.0, special=True):
        t = np.dtype(NUMPY[dtype])
        if t.kind == "b":
            return self.rng.integers(2, size=shape).astype(t)
        if t.kind in "iu":
            info = np.iinfo(t)
            x = self.rng.integers(max(info.min, -9), min(info.max, 9) + 1, size=shape).astype(t)
            if special and x.size and self.chance(40):
                places = self.rng.integers(2, size=shape) == 0
                x = np.where(places, self.rng.integers(info.min, info.max, size=shape, dtype=t, endpoint=True), x)
            return np.asarray(x, t)
        x = np.asarray(self.rng.uniform(low, high, size=shape), t)
        if special and x.size and self.chance(30):
            edges = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0], t)
            x = np.where(self.rng.integers(8, size=shape) == 0, edges[self.rng.integers(len(edges), size=shape)], x)
        return np.asarray(x, t)

    def strided(self, shape, make):
        """An array whose memory is dense, transposed, reversed or with gaps."""
        kind = self.integer(0, 5)
        if kind == 0 and len(shape) > 1:
            order = list(self.rng.permutation(len(shape)))
            x = make(tuple(shape[i] for i in order))
            return np.transpose(x, np.argsort(order))
        if kind == 1 and shape:
            return make(shape)[::-1]
        if kind == 2 and shape:
            return make(shape[:-1] + (2 * shape[-1],))[..., ::2]
        return make(shape)

    def array(self, dtype, shape, **limits):
        return self.strided(shape, lambda s: self.values(s, dtype, **limits))

    def broadcastable(self, shape):
        """A shape that broadcasts with it, most of the time."""
        if self.chance(50):
            return shape
        out = [1 if self.chance(40) else s for s in shape]
        if self.chance(30):
            out = out[self.integer(0, len(out)) :]
        if out and self.chance(6):
            out[self.integer(0, len(out) - 1)] += 2
        return tuple(out)

    def axes(self, rank, wrong=True):
        """None or a tuple, negative ones too, rarely one that is not there."""
        if rank == 0 or self.chance(25):
            return ()
        count = self.integer(1, rank)
        axes = [int(a) for a in self.rng.permutation(rank)[:count]]
        axes = [a - rank if self.chance(30) else a for a in axes]
        if wrong and self.chance(5):
            axes[0] = rank + 1 if self.chance(50) else -rank - 1
        if wrong and self.chance(3):
            axes.append(axes[0])
        return tuple(axes)
