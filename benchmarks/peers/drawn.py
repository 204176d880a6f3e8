"""Rows of random_shapes.py: computations with random shapes, by family. A row is determined by its family and
number."""

import math
import zlib

import numpy as np

from peers import row
from peers.libraries import F, nn, tc, torch
from peers.row import Row, dims, random
from peers.windows import settings_of

MAX_BYTES, MAX_OPERATIONS = 1 << 30, 2 * 10**10


def size(rng, low, high):
    """Returns a size whose logarithm is uniformly distributed. Half of the sizes are multiples of 8, as most sizes of
    networks are."""
    drawn = round(math.exp(rng.uniform(math.log(low), math.log(high))))
    return -(-drawn // 8) * 8 if high >= 16 and rng.random() < 0.5 else drawn


def pick(rng, *values):
    return values[rng.integers(len(values))]


# Each function draws a row, the number of its operations, and the number of bytes that it reads and writes. It returns
# None if the drawn sizes are inconsistent.


def window(rng):
    """Returns the number of spatial dims, their sizes, and the sizes of the kernel."""
    space = int(rng.integers(1, 4))
    sizes = [size(rng, *((16, 16384), (4, 256), (4, 48))[space - 1]) for _ in range(space)]
    if rng.random() < 0.7:
        sizes = sizes[:1] * space
    return space, sizes, [pick(rng, 1, 2, 3, 3, 3, 4, 5, 7)] * space


def channels(rng):
    """Returns the number of groups, and the numbers of input and output channels."""
    groups = pick(rng, 1, 1, 1, 1, 2, 8)
    return groups, groups * size(rng, 1, 512 // groups), groups * size(rng, 1, 512 // groups)


def convolution(rng):
    space, sizes, kernel = window(rng)
    groups, given, made = channels(rng)
    if rng.random() < 0.1:
        groups = made = given
    settings = {"stride": pick(rng, 1, 1, 1, 2, 3), "dilation": pick(rng, 1, 1, 1, 2, 3), "padding": pick(rng, 0, kernel[0] // 2, 1), "groups": groups}
    x, w = (pick(rng, 1, 1, 2, 4, 8, 32), given, *sizes), (made, given // groups, *kernel)
    extent = settings["dilation"] * (kernel[0] - 1) + 1
    result = [(n + 2 * settings["padding"] - extent) // settings["stride"] + 1 for n in sizes]
    if min(result) < 1:
        return None
    pixels = x[0] * made * math.prod(result)
    peer = [F.conv1d, F.conv2d, F.conv3d][space - 1]
    return (Row(f"conv{space}d {dims(*x)} * {dims(*w)}" + settings_of(settings), lambda x, w: nn.conv(x, w, **settings),
                lambda x, w: peer(x, w, **settings), None, [random(*x)], [random(*w, seed=1)]),
            2 * pixels * math.prod(w[1:]), 4 * (math.prod(x) + math.prod(w) + pixels))  # fmt: skip


def transposed_convolution(rng):
    space, sizes, kernel = window(rng)
    groups, given, made = channels(rng)
    settings = {"stride": pick(rng, 1, 2, 2, 2, 3, 4), "dilation": pick(rng, 1, 1, 1, 1, 2), "padding": pick(rng, 0, kernel[0] // 2, 1), "groups": groups}
    x, w = (pick(rng, 1, 1, 2, 4, 8), given, *sizes), (given, made // groups, *kernel)
    result = [(n - 1) * settings["stride"] - 2 * settings["padding"] + settings["dilation"] * (kernel[0] - 1) + 1 for n in sizes]
    if min(result) < 1:
        return None
    peer = [F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d][space - 1]
    return (Row(f"conv_transpose{space}d {dims(*x)} * {dims(*w)}" + settings_of(settings), lambda x, w: nn.conv_transpose(x, w, **settings),
                lambda x, w: peer(x, w, **settings), None, [random(*x)], [random(*w, seed=1)]),
            2 * math.prod(x) * math.prod(w[1:]), 4 * (math.prod(x) + math.prod(w) + x[0] * made * math.prod(result)))  # fmt: skip


def product(rng):
    m, k, n = (size(rng, 1, 65536) for _ in range(3))
    batch = (size(rng, 2, 256),) if rng.random() < 0.25 else ()
    if not batch and rng.random() < 0.2:
        m = pick(rng, 1, 2, 3, 4, 8)
    x, y = ((k, m), True) if rng.random() < 0.2 else ((m, k), False), ((n, k), True) if rng.random() < 0.4 else ((k, n), False)
    turned = lambda a, yes: a.swapaxes(-1, -2) if yes else a  # noqa: E731
    name = f"product {'×'.join(map(str, (*batch, '')))}{m}×{k}×{n}" + " xᵀ" * x[1] + " yᵀ" * y[1]
    return (Row(name, lambda a, b: tc.matmul(tc.swapaxes(a, -1, -2) if x[1] else a, tc.swapaxes(b, -1, -2) if y[1] else b),
                lambda a, b: torch.matmul(turned(a, x[1]), turned(b, y[1])), None, [random(*batch, *x[0]), random(*batch, *y[0], seed=1)]),
            2 * math.prod(batch) * m * k * n, 4 * math.prod(batch) * (m * k + k * n + m * n))  # fmt: skip


def shape(rng, rank):
    """Returns a shape with at most 64 Mi elements."""
    most = 2 ** rng.uniform(6, 26)
    shares = rng.dirichlet([1] * rank)
    return tuple(max(1, size(rng, 1, 8) if s < 0.05 else round(most**s)) for s in shares)


def reduction(rng):
    x = shape(rng, int(rng.integers(1, 5)))
    name = pick(rng, "sum", "mean", "max", "var", "argmax", "softmax", "logsumexp", "cumsum")
    several = name in ("sum", "mean", "max", "var", "logsumexp")
    axes = sorted(rng.choice(len(x), rng.integers(1, len(x) + 1) if several else 1, replace=False).tolist())
    axis = tuple(axes) if several else axes[0]
    peers = {
        "sum": torch.sum, "mean": torch.mean, "max": torch.amax, "var": lambda x, a: torch.var(x, a, correction=0), "argmax": torch.argmax,
        "softmax": torch.softmax, "logsumexp": torch.logsumexp, "cumsum": torch.cumsum,
    }  # fmt: skip
    return (Row(f"{name} {dims(*x)} over {','.join(map(str, axes))}", lambda x: getattr(tc, name)(x, axis=axis), lambda x: peers[name](x, axis), None,
                [random(*x)], tolerance=1e-3), 4 * math.prod(x), 8 * math.prod(x))  # fmt: skip


def permutation(rng):
    x = shape(rng, int(rng.integers(2, 6)))
    order = tuple(rng.permutation(len(x)).tolist())
    kept = [d for d in order if x[d] > 1]
    if kept == sorted(kept):
        return None  # nothing moves
    return (Row(f"permute {dims(*x)} ({','.join(map(str, order))})", lambda x: tc.permute_dims(x, order), lambda x: x.permute(order).contiguous(), None,
                [random(*x)]), 0, 8 * math.prod(x))  # fmt: skip


FAMILIES = {f.__name__: f for f in (convolution, transposed_convolution, product, reduction, permutation)}


def drawn(family, number):
    """Returns the row with this number: the first drawn row that is within the limits."""
    rng = np.random.default_rng([zlib.crc32(family.encode()), number])
    while True:
        made = FAMILIES[family](rng)
        if made and made[1] <= MAX_OPERATIONS and made[2] <= MAX_BYTES:
            return made[0]


def prepare(side, family, number):
    return row.prepare(drawn(family, number), side)
