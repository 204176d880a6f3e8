"""The rows of compare.py: a function of tensorc and one of a peer, with equal inputs."""

import dataclasses
import functools
import itertools
import typing

import numpy as np
import torch
import torch.nn.functional as F

import tensorc as tc
from tensorc import nn


@dataclasses.dataclass
class Row:
    """Weights are captured by the traced function, as users of `jit` and of modules hold them."""

    name: str
    ours: typing.Callable
    peer: typing.Callable
    inputs: list
    weights: list = dataclasses.field(default_factory=list)
    tolerance: float = 1e-4

    def sides(self):
        """Calls without arguments. The peer gets torch tensors, or arrays where it is NumPy's."""
        numpy = getattr(self.peer, "numpy", False)
        arrays = [tc.asarray(a).eval() for a in self.inputs]
        weights = [tc.asarray(a).eval() for a in self.weights]
        f = tc.jit(lambda *xs: self.ours(*xs, *weights))
        theirs = [a if numpy else torch.as_tensor(a) for a in self.inputs + self.weights]
        return lambda: f(*arrays), lambda: self.peer(*theirs)


@functools.cache
def random(*shape, dtype=np.float32, seed=0):
    values = np.random.default_rng(seed + len(shape)).standard_normal(shape)
    return values.astype(dtype)


def numpy_peer(f):
    f.numpy = True
    return f


def dims(*sizes):
    return "×".join(map(str, sizes))


def elementwise():
    unary = [
        ("relu", tc.relu, torch.relu), ("leaky_relu", lambda x: tc.leaky_relu(x, 0.01), F.leaky_relu), ("elu", tc.elu, F.elu),
        ("celu", tc.celu, F.celu), ("gelu", tc.gelu, F.gelu), ("silu", tc.silu, F.silu), ("mish", tc.mish, F.mish),
        ("sigmoid", tc.sigmoid, torch.sigmoid), ("logsigmoid", tc.logsigmoid, F.logsigmoid), ("tanh", tc.tanh, torch.tanh),
        ("softplus", tc.softplus, F.softplus), ("softsign", tc.softsign, F.softsign), ("hardswish", tc.hardswish, F.hardswish),
        ("clamp", lambda x: tc.clip(x, -1.0, 1.0), lambda x: torch.clamp(x, -1, 1)), ("exp", tc.exp, torch.exp),
        ("sin", tc.sin, torch.sin), ("erf", tc.erf, torch.erf),
    ]  # fmt: skip
    for (name, ours, peer), n in itertools.product(unary, [1 << 10, 1 << 16, 1 << 20, 1 << 22]):
        yield Row(f"{name} {n}", ours, peer, [random(n)])
    for n in [1 << 16, 1 << 22]:
        yield Row(f"a * b + c {n}", lambda a, b, c: a * b + c, lambda a, b, c: a * b + c, [random(n, seed=s) for s in range(3)])


def linear():
    for m, k, n in itertools.chain(itertools.product([1, 8, 32, 128], [512, 1024], [512, 2048]),
                                   [(1, 4096, 4096), (8, 4096, 4096), (32, 4096, 4096), (256, 1024, 1024), (64, 25088, 1000)]):  # fmt: skip
        yield Row(f"linear {dims(m, k)} -> {n}", nn.linear, F.linear, [random(m, k)], [random(n, k, seed=1), random(n, seed=2)])
    yield Row("linear + gelu 128×768 -> 3072", lambda x, w, b: tc.gelu(nn.linear(x, w, b)), lambda x, w, b: F.gelu(F.linear(x, w, b)),
              [random(128, 768)], [random(3072, 768, seed=1), random(3072, seed=2)])  # fmt: skip
    weights = [random(3072, 768, seed=1), random(3072, seed=2), random(768, 3072, seed=3), random(768, seed=4)]
    yield Row("mlp of BERT 128×768", lambda x, w, b, v, c: nn.linear(tc.gelu(nn.linear(x, w, b)), v, c),
              lambda x, w, b, v, c: F.linear(F.gelu(F.linear(x, w, b)), v, c), [random(128, 768)], weights)  # fmt: skip
    yield Row("linear + residual + layer_norm 128×3072 -> 768", lambda x, r, w, b, s, t: nn.layer_norm(nn.linear(x, w, b) + r, s, t),
              lambda x, r, w, b, s, t: F.layer_norm(F.linear(x, w, b) + r, (768,), s, t),
              [random(128, 3072), random(128, 768)], weights[2:] + [random(768, seed=5), random(768, seed=6)])  # fmt: skip
    for n in [64, 128, 256, 512, 1024, 2048, 4096]:
        yield Row(f"matmul {n}³", tc.matmul, torch.matmul, [random(n, n), random(n, n, seed=1)])
    # Both sides may round their sums at different places. Where the processor has no products of f16, PyTorch takes 0.1 s for 512³.
    for dtype, tolerance, sizes in [(torch.bfloat16, 1e-2, [64, 128, 256, 512, 1024, 2048, 4096]), (torch.float16, 2e-3, [64, 128, 256, 512])]:
        for n in sizes:
            yield Row(f"matmul {n}³ {str(dtype)[6:]}", tc.matmul, torch.matmul,
                      [torch.from_numpy(random(n, n, seed=s)).to(dtype) for s in range(2)], tolerance=tolerance)  # fmt: skip
    yield Row("matmul 256 of 64³", tc.matmul, torch.matmul, [random(256, 64, 64), random(256, 64, 64, seed=1)])
    for m in [1, 8, 32]:
        yield Row(f"x W {dims(m, 4096)} · 4096²", tc.matmul, torch.matmul, [random(m, 4096)], [random(4096, 4096, seed=1)])


def conv():
    def row(name, x, w, bias=True, **settings):
        weights = [random(*w, seed=1)] + ([random(w[0], seed=2)] if bias else [])
        peer = {3: F.conv1d, 4: F.conv2d, 5: F.conv3d}[len(x)]
        return Row(f"{name} {dims(*x)} * {dims(*w)}" + "".join(f" {k}={v}" for k, v in settings.items()),
                   lambda x, w, b=None: nn.conv(x, w, b, **settings), lambda x, w, b=None: peer(x, w, b, **settings),
                   [random(*x)], weights)  # fmt: skip

    for x, w, settings in [
        ((1, 16, 1000), (32, 16, 3), {"padding": 1}), ((8, 64, 256), (64, 64, 5), {"padding": 2}),
        ((4, 128, 512), (128, 128, 3), {"padding": 2, "dilation": 2}), ((1, 80, 3000), (384, 80, 3), {"padding": 1}),
        ((1, 1, 16000), (64, 1, 10), {"stride": 5}),
    ]:  # fmt: skip
        yield row("conv1d", x, w, **settings)
    for x, w, settings in [
        ((1, 1, 512, 512), (1, 1, 5, 5), {"padding": 2}), ((1, 3, 224, 224), (64, 3, 7, 7), {"stride": 2, "padding": 3}),
        ((8, 3, 32, 32), (16, 3, 3, 3), {"padding": 1}), ((1, 64, 56, 56), (64, 64, 3, 3), {"padding": 1}),
        ((8, 128, 28, 28), (128, 128, 3, 3), {"padding": 1}), ((1, 256, 14, 14), (256, 256, 3, 3), {"padding": 1}),
        ((1, 512, 7, 7), (512, 512, 3, 3), {"padding": 1}), ((1, 64, 56, 56), (256, 64, 1, 1), {}),
        ((1, 1024, 14, 14), (256, 1024, 1, 1), {}), ((1, 256, 56, 56), (512, 256, 1, 1), {"stride": 2}),
        ((1, 3, 224, 224), (768, 3, 16, 16), {"stride": 16}),
    ]:  # fmt: skip
        yield row("conv2d", x, w, **settings)
    for channels, size, kernel, stride in [(32, 112, 3, 1), (96, 112, 3, 2), (128, 56, 3, 1), (240, 28, 5, 2), (672, 14, 5, 1), (960, 7, 5, 1)]:
        yield row("depthwise", (1, channels, size, size), (channels, 1, kernel, kernel), groups=channels, stride=stride, padding=kernel // 2)
    yield row("grouped", (1, 128, 56, 56), (128, 4, 3, 3), groups=32, padding=1)
    for x, w, settings in [((1, 16, 8, 32, 32), (32, 16, 3, 3, 3), {"padding": 1}), ((1, 3, 16, 56, 56), (16, 3, 3, 7, 7), {"stride": 2})]:
        yield row("conv3d", x, w, **settings)


def conv_transpose():
    peers = {3: F.conv_transpose1d, 4: F.conv_transpose2d, 5: F.conv_transpose3d}
    for x, w, settings in [
        ((1, 64, 250), (64, 32, 4), {"stride": 2, "padding": 1}), ((1, 512, 32), (512, 256, 16), {"stride": 8, "padding": 4}),
        ((1, 128, 28, 28), (128, 64, 2, 2), {"stride": 2}), ((1, 64, 32, 32), (64, 32, 4, 4), {"stride": 2, "padding": 1}),
        ((1, 512, 8, 8), (512, 256, 4, 4), {"stride": 2, "padding": 1}), ((4, 64, 16, 16), (64, 64, 3, 3), {"padding": 1}),
        ((1, 32, 8, 16, 16), (32, 16, 2, 2, 2), {"stride": 2}), ((1, 32, 8, 16, 16), (32, 16, 3, 3, 3), {"stride": 2, "padding": 1}),
    ]:  # fmt: skip
        yield Row(f"conv_transpose {dims(*x)} * {dims(*w)}" + "".join(f" {k}={v}" for k, v in settings.items()),
                  lambda x, w, s=settings: nn.conv_transpose(x, w, **s), lambda x, w, s=settings: peers[x.ndim](x, w, **s),
                  [random(*x)], [random(*w, seed=1)])  # fmt: skip


def pools():
    peers = {("max", 3): F.max_pool1d, ("max", 4): F.max_pool2d, ("max", 5): F.max_pool3d,
             ("avg", 3): F.avg_pool1d, ("avg", 4): F.avg_pool2d, ("avg", 5): F.avg_pool3d}  # fmt: skip
    for kind, (x, size, stride, padding) in itertools.product(["max", "avg"], [
        ((8, 64, 1000), 2, 2, 0), ((1, 64, 4096), 5, 1, 2), ((8, 64, 112, 112), 3, 2, 1), ((1, 64, 224, 224), 2, 2, 0),
        ((8, 256, 14, 14), 3, 1, 1), ((1, 512, 13, 13), 13, 13, 0), ((1, 16, 16, 56, 56), 2, 2, 0), ((1, 32, 8, 28, 28), 3, 1, 1),
    ]):  # fmt: skip
        ours = nn.max_pool if kind == "max" else nn.avg_pool
        yield Row(f"{kind}_pool {dims(*x)} {size}/{stride}+{padding}",
                  lambda x, f=ours, a=(size, stride, padding): f(x, a[0], stride=a[1], padding=a[2]),
                  lambda x, k=kind, a=(size, stride, padding): peers[k, x.ndim](x, a[0], a[1], a[2]), [random(*x)])  # fmt: skip
    yield Row("global mean 8×2048×7×7", lambda x: tc.mean(x, axis=(2, 3)), lambda x: x.mean((2, 3)), [random(8, 2048, 7, 7)])


def norms():
    for shape in [(128, 768), (8, 512, 1024), (4096, 64), (1, 4096), (8192, 4096)]:
        n = shape[-1]
        yield Row(f"layer_norm {dims(*shape)}", nn.layer_norm, lambda x, s, b: F.layer_norm(x, x.shape[-1:], s, b),
                  [random(*shape)], [random(n, seed=1), random(n, seed=2)])  # fmt: skip
        yield Row(f"rms_norm {dims(*shape)}", nn.rms_norm, lambda x, s: F.rms_norm(x, x.shape[-1:], s, 1e-5), [random(*shape)], [random(n, seed=1)])
        yield Row(f"softmax {dims(*shape)}", tc.softmax, lambda x: F.softmax(x, -1), [random(*shape)])
        yield Row(f"log_softmax {dims(*shape)}", tc.log_softmax, lambda x: F.log_softmax(x, -1), [random(*shape)])
    for shape, groups in [((1, 64, 56, 56), 32), ((8, 128, 32, 32), 32), ((2, 320, 64, 64), 32), ((16, 32, 16, 16), 8), ((1, 512, 8, 8), 32)]:
        c = shape[1]
        yield Row(f"group_norm {dims(*shape)} / {groups}", lambda x, s, b, g=groups: nn.group_norm(x, g, s, b),
                  lambda x, s, b, g=groups: F.group_norm(x, g, s, b), [random(*shape)], [random(c, seed=1), random(c, seed=2)])  # fmt: skip


def reductions():
    yield Row("sum of 16 M", tc.sum, torch.sum, [random(1 << 24)])
    yield Row("sum along rows 8192×4096", lambda x: tc.sum(x, axis=1), lambda x: x.sum(1), [random(8192, 4096)])
    yield Row("sum along columns 4096×4096", lambda x: tc.sum(x, axis=0), lambda x: x.sum(0), [random(4096, 4096)])
    yield Row("max along rows 4096×1000", lambda x: tc.max(x, axis=1), lambda x: x.amax(1), [random(4096, 1000)])
    yield Row("argmax 4096×1000", lambda x: tc.argmax(x, axis=1), lambda x: x.argmax(1), [random(4096, 1000)])
    yield Row("cumsum 4096×1000", lambda x: tc.cumsum(x, axis=1), lambda x: x.cumsum(1), [random(4096, 1000)])
    yield Row("var 1024×4096", lambda x: tc.var(x, axis=1), lambda x: x.var(1, unbiased=False), [random(1024, 4096)])
    yield Row("logsumexp 4096×1000", lambda x: tc.logsumexp(x, axis=1), lambda x: x.logsumexp(1), [random(4096, 1000)])


def movement():
    yield Row("transpose 4096²", lambda x: tc.transpose(x), lambda x: x.t().contiguous(), [random(4096, 4096)])
    yield Row("permute 8×12×512×64 (0,2,1,3)", lambda x: tc.permute_dims(x, (0, 2, 1, 3)), lambda x: x.permute(0, 2, 1, 3).contiguous(), [random(8, 12, 512, 64)])
    yield Row("NCHW to NHWC 8×64×56×56", lambda x: tc.permute_dims(x, (0, 2, 3, 1)), lambda x: x.permute(0, 2, 3, 1).contiguous(), [random(8, 64, 56, 56)])
    yield Row("concat 4 of 256×1024", lambda *x: tc.concat(x, axis=1), lambda *x: torch.cat(x, 1), [random(256, 1024, seed=s) for s in range(4)])
    yield Row("pad 8×64×56×56 by 1", lambda x: tc.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), lambda x: F.pad(x, (1, 1, 1, 1)), [random(8, 64, 56, 56)])
    ids = np.random.default_rng(1).integers(0, 50000, (8, 512))
    yield Row("embedding 8×512 of 50,000×768", lambda i, t: tc.take(t, i, axis=0), lambda i, t: F.embedding(i, t), [ids], [random(50000, 768)])
    places = np.random.default_rng(2).integers(0, 1000, (4096, 256))
    yield Row("gather 256 of 4096×1000", lambda x, i: tc.take_along_axis(x, i, axis=1), lambda x, i: x.gather(1, i), [random(4096, 1000), places])
    ids = np.random.default_rng(3).integers(0, 50000, 8192)
    yield Row("scatter-add 8192 rows of 64 into 50,000", lambda x, i, v: x.at[i].add(v), lambda x, i, v: x.index_add(0, i, v),
              [random(50000, 64), ids, random(8192, 64, seed=1)])  # fmt: skip
    yield Row("upsample nearest 1×64×64×64", lambda x: nn.interpolate(x, (128, 128)), lambda x: F.interpolate(x, scale_factor=2), [random(1, 64, 64, 64)])
    yield Row("upsample bilinear 1×64×64×64", lambda x: nn.interpolate(x, (128, 128), "linear"),
              lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), [random(1, 64, 64, 64)])  # fmt: skip


def attention():
    for (b, h, s, d), causal in [((1, 12, 128, 64), False), ((8, 12, 128, 64), False), ((1, 12, 512, 64), True), ((1, 16, 2048, 128), True)]:
        yield Row(f"attention {dims(b, h, s, d)}" + " causal" * causal, lambda q, k, v, c=causal: nn.attention(q, k, v, causal=c),
                  lambda q, k, v, c=causal: F.scaled_dot_product_attention(q, k, v, is_causal=c), [random(b, h, s, d, seed=i) for i in range(3)])  # fmt: skip
    yield Row("attention, one query, 32 heads on 4096×128", nn.attention, F.scaled_dot_product_attention,
              [random(1, 32, 1, 128), random(1, 32, 4096, 128, seed=1), random(1, 32, 4096, 128, seed=2)])  # fmt: skip


def sorting():
    yield Row("sort 1 M", tc.sort, numpy_peer(np.sort), [random(1 << 20)])
    yield Row("argsort 1 M, stable", tc.argsort, numpy_peer(lambda x: np.argsort(x, kind="stable")), [random(1 << 20)])
    yield Row("sort 1000×1000", lambda x: tc.sort(x, axis=1), numpy_peer(lambda x: np.sort(x, axis=1)), [random(1000, 1000)])
    yield Row("top 10 of 1000×10000", lambda x: tc.topk(x, 10)[0], lambda x: x.topk(10)[0], [random(1000, 10000)])


def losses():
    labels = np.random.default_rng(1).integers(0, 1000, 256)
    yield Row("cross_entropy 256×1000", nn.cross_entropy, F.cross_entropy, [random(256, 1000), labels])
    yield Row("mse_loss 1 M", nn.mse_loss, F.mse_loss, [random(1 << 20), random(1 << 20, seed=1)])
    yield Row("bce with logits 1 M", nn.binary_cross_entropy_with_logits, F.binary_cross_entropy_with_logits,
              [random(1 << 20), np.abs(random(1 << 20, seed=1)) % 1])  # fmt: skip


def programs():
    """Whole computations as users of NumPy write them. The peer is eager PyTorch."""

    def stencil(x):
        return 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) - x[1:-1, 1:-1]

    def black_scholes(lib):
        def price(spot, strike, years):
            deviation = 0.2 * lib.sqrt(years)
            d = (lib.log(spot / strike) + 0.07 * years) / deviation
            normal = lambda z: 0.5 + 0.5 * lib.erf(z * 0.5**0.5)  # noqa: E731
            return spot * normal(d) - strike * lib.exp(-0.05 * years) * normal(d - deviation)

        return price

    def forces(lib, axis):
        def step(x, y, z, mass):
            dx, dy, dz = (a[None, :] - a[:, None] for a in (x, y, z))
            square = dx * dx + dy * dy + dz * dz + 0.01
            weight = mass / (square * lib.sqrt(square))
            return tuple(lib.sum(weight * d, **{axis: 1}) for d in (dx, dy, dz))

        return step

    def ours(x, centers):
        label = tc.argmin(tc.sum(centers * centers, axis=1) - 2 * (x @ centers.T), axis=1)
        sums, counts = tc.segment_sum(x, label, 64), tc.segment_sum(tc.ones_like(x[:, 0]), label, 64)
        return sums / tc.maximum(counts, 1.0)[:, None]

    def theirs(x, centers):
        label = torch.addmm((centers * centers).sum(1), x, centers.T, alpha=-2).argmin(1)
        sums, counts = torch.zeros(64, 16).index_add(0, label, x), torch.bincount(label, minlength=64)
        return sums / counts.clamp(min=1)[:, None]

    def positive(seed):
        return np.random.default_rng(seed).uniform(0.5, 2, 1 << 22).astype(np.float32)

    yield Row("5-point stencil 2048²", stencil, stencil, [random(2048, 2048)])
    yield Row("Black-Scholes 4 M", black_scholes(tc), black_scholes(torch), [positive(s) for s in range(3)])
    yield Row("forces of 4096 bodies", forces(tc, "axis"), forces(torch, "dim"),
              [random(4096, seed=s) for s in range(3)] + [np.abs(random(4096, seed=3))], tolerance=1e-3)  # fmt: skip
    yield Row("step of k-means, 65,536×16, 64 means", ours, theirs, [random(65536, 16), random(64, 16, seed=1)], tolerance=1e-3)


def rows():
    """All of them, in the table's order."""
    for family in [linear, conv, conv_transpose, pools, norms, attention, reductions, elementwise, movement, sorting, losses, programs]:
        yield from family()
