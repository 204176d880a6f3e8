"""Rows: element-wise functions, norms and reductions of rows, data movement, sorting, losses, and whole computations of
NumPy users."""

import itertools

import numpy as np

from peers.libraries import F, jax, jnp, lax, nn, tc, torch
from peers.products import exact_gelu, jax_layer_norm, jax_rms_norm
from peers.row import Row, dims, integers, random, uniform


def everywhere(f):
    """Makes a row from a function that is written in the same way for all libraries."""
    return {"ours": f, "torch": f, "jax": f}


def elementwise():
    unary = [
        ("relu", tc.relu, torch.relu, jax.nn.relu), ("leaky_relu", lambda x: tc.leaky_relu(x, 0.01), F.leaky_relu, jax.nn.leaky_relu),
        ("elu", tc.elu, F.elu, jax.nn.elu), ("celu", tc.celu, F.celu, jax.nn.celu), ("gelu", tc.gelu, F.gelu, exact_gelu),
        ("silu", tc.silu, F.silu, jax.nn.silu), ("mish", tc.mish, F.mish, jax.nn.mish), ("sigmoid", tc.sigmoid, torch.sigmoid, jax.nn.sigmoid),
        ("logsigmoid", tc.logsigmoid, F.logsigmoid, jax.nn.log_sigmoid), ("tanh", tc.tanh, torch.tanh, jnp.tanh),
        ("softplus", tc.softplus, F.softplus, jax.nn.softplus), ("softsign", tc.softsign, F.softsign, jax.nn.soft_sign),
        ("hardswish", tc.hardswish, F.hardswish, jax.nn.hard_swish),
        ("clamp", lambda x: tc.clip(x, -1.0, 1.0), lambda x: torch.clamp(x, -1, 1), lambda x: jnp.clip(x, -1, 1)),
        ("exp", tc.exp, torch.exp, jnp.exp), ("sin", tc.sin, torch.sin, jnp.sin), ("erf", tc.erf, torch.erf, lax.erf),
    ]  # fmt: skip
    for (name, *functions), n in itertools.product(unary, [1 << 10, 1 << 16, 1 << 20, 1 << 22]):
        yield Row(f"{name} {n}", *functions, [random(n)])
    for n in [1 << 16, 1 << 22]:
        yield Row(f"a * b + c {n}", **everywhere(lambda a, b, c: a * b + c), inputs=[random(n, seed=s) for s in range(3)])


def norms():
    for shape in [(128, 768), (8, 512, 1024), (4096, 64), (1, 4096), (8192, 4096), (1024, 256)]:
        n = shape[-1]
        yield Row(f"layer_norm {dims(*shape)}", nn.layer_norm, lambda x, s, b: F.layer_norm(x, x.shape[-1:], s, b), jax_layer_norm,
                  [random(*shape)], [random(n, seed=1), random(n, seed=2)])  # fmt: skip
        yield Row(f"rms_norm {dims(*shape)}", nn.rms_norm, lambda x, s: F.rms_norm(x, x.shape[-1:], s, 1e-5), jax_rms_norm,
                  [random(*shape)], [random(n, seed=1)])  # fmt: skip
        yield Row(f"softmax {dims(*shape)}", tc.softmax, lambda x: F.softmax(x, -1), lambda x: jax.nn.softmax(x, -1), [random(*shape)])
        yield Row(f"log_softmax {dims(*shape)}", tc.log_softmax, lambda x: F.log_softmax(x, -1), lambda x: jax.nn.log_softmax(x, -1), [random(*shape)])


def reductions():
    yield Row("sum of 16 M", tc.sum, torch.sum, jnp.sum, [random(1 << 24)])
    yield Row("sum of 64 M", tc.sum, torch.sum, jnp.sum, [random(1 << 26)], tolerance=1e-3)
    for name, shape, axis in [("rows 8192×4096", (8192, 4096), 1), ("columns 4096×4096", (4096, 4096), 0)]:
        yield Row(f"sum along {name}", lambda x, a=axis: tc.sum(x, axis=a), lambda x, a=axis: x.sum(a), lambda x, a=axis: x.sum(a), [random(*shape)])
    yield Row("max along rows 4096×1000", lambda x: tc.max(x, axis=1), lambda x: x.amax(1), lambda x: x.max(1), [random(4096, 1000)])
    yield Row("argmax 4096×1000", lambda x: tc.argmax(x, axis=1), lambda x: x.argmax(1), lambda x: x.argmax(1), [random(4096, 1000)])
    yield Row("cumsum 4096×1000", lambda x: tc.cumsum(x, axis=1), lambda x: x.cumsum(1), lambda x: x.cumsum(1), [random(4096, 1000)])
    yield Row("var 1024×4096", lambda x: tc.var(x, axis=1), lambda x: x.var(1, unbiased=False), lambda x: x.var(1), [random(1024, 4096)])
    yield Row("logsumexp 4096×1000", lambda x: tc.logsumexp(x, axis=1), lambda x: x.logsumexp(1), lambda x: jax.nn.logsumexp(x, 1), [random(4096, 1000)])


def permutations():
    # The results are used, because otherwise JAX would return views with another layout.
    yield Row("transpose 4096²", lambda x: tc.transpose(x), lambda x: x.t().contiguous(), lambda x: x.T, [random(4096, 4096)])
    yield Row("transpose 512²", lambda x: tc.transpose(x), lambda x: x.t().contiguous(), lambda x: x.T, [random(512, 512)])
    for name, shape, order in [
        ("permute", (8, 12, 512, 64), (0, 2, 1, 3)), ("NCHW to NHWC", (8, 64, 56, 56), (0, 2, 3, 1)), ("NHWC to NCHW", (8, 56, 56, 64), (0, 3, 1, 2)),
        ("permute", (32, 48, 24, 64), (3, 1, 2, 0)), ("permute", (256, 128, 96), (2, 1, 0)),
    ]:  # fmt: skip
        title = f"{name} {dims(*shape)}" + f" ({','.join(map(str, order))})" * (name == "permute")
        yield Row(title, lambda x, p=order: tc.permute_dims(x, p), lambda x, p=order: x.permute(p).contiguous(), lambda x, p=order: x.transpose(p),
                  [random(*shape)])  # fmt: skip


def movement():
    for name, axis, shapes in [
        ("4 of 256×1024", 1, [(256, 1024)] * 4), ("2 of 1024×1024 by rows", 0, [(1024, 1024)] * 2), ("8×64×56×56 and 8×32×56×56", 1, [(8, 64, 56, 56), (8, 32, 56, 56)]),
        ("16 of 4096×64", 1, [(4096, 64)] * 16),
    ]:  # fmt: skip
        yield Row(f"concat {name}", lambda *x, a=axis: tc.concat(x, axis=a), lambda *x, a=axis: torch.cat(x, a),
                  lambda *x, a=axis: jnp.concatenate(x, a), [random(*s, seed=i) for i, s in enumerate(shapes)])  # fmt: skip
    around = ((0, 0), (0, 0), (1, 1), (1, 1))
    yield Row("pad 8×64×56×56 by 1", lambda x: tc.pad(x, around), lambda x: F.pad(x, (1, 1, 1, 1)), lambda x: jnp.pad(x, around), [random(8, 64, 56, 56)])
    yield Row("embedding 8×512 of 50,000×768", lambda i, t: tc.take(t, i, axis=0), lambda i, t: F.embedding(i, t), lambda i, t: t[i],
              [integers(50000, 8, 512, seed=1)], [random(50000, 768)])  # fmt: skip
    yield Row("gather 256 of 4096×1000", lambda x, i: tc.take_along_axis(x, i, axis=1), lambda x, i: x.gather(1, i),
              lambda x, i: jnp.take_along_axis(x, i, 1), [random(4096, 1000), integers(1000, 4096, 256, seed=2)])  # fmt: skip
    yield Row("scatter-add 8192 rows of 64 into 50,000", lambda x, i, v: x.at[i].add(v), lambda x, i, v: x.index_add(0, i, v),
              lambda x, i, v: x.at[i].add(v), [random(50000, 64), integers(50000, 8192, seed=3), random(8192, 64, seed=1)])  # fmt: skip
    yield Row("upsample nearest 1×64×64×64", lambda x: nn.interpolate(x, (128, 128)), lambda x: F.interpolate(x, scale_factor=2),
              lambda x: jax.image.resize(x, (1, 64, 128, 128), "nearest"), [random(1, 64, 64, 64)])  # fmt: skip
    yield Row("upsample bilinear 1×64×64×64", lambda x: nn.interpolate(x, (128, 128), "linear"), lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"),
              lambda x: jax.image.resize(x, (1, 64, 128, 128), "bilinear"), [random(1, 64, 64, 64)])  # fmt: skip


def sorting():
    def ordered(name, x, axis=-1):
        return Row(name, lambda x: tc.sort(x, axis=axis), lambda x: torch.sort(x, axis)[0], lambda x: jnp.sort(x, axis), [x], numpy=lambda x: np.sort(x, axis))

    yield ordered("sort 1 M", random(1 << 20))
    yield Row("argsort 1 M, stable", tc.argsort, lambda x: torch.sort(x, stable=True)[1], jnp.argsort, [random(1 << 20)],
              numpy=lambda x: np.argsort(x, kind="stable"))  # fmt: skip
    yield ordered("sort 1000×1000", random(1000, 1000))
    for k, shape in [(10, (1000, 10000)), (50, (8, 50257)), (5, (256, 1000)), (100, (1 << 20,))]:
        yield Row(f"top {k} of {dims(*shape)}", lambda x, k=k: tc.topk(x, k)[0], lambda x, k=k: x.topk(k)[0], lambda x, k=k: lax.top_k(x, k)[0], [random(*shape)])


def losses():
    def jax_cross_entropy(x, labels):
        return -jnp.take_along_axis(jax.nn.log_softmax(x, -1), labels[:, None], 1).mean()

    yield Row("cross_entropy 256×1000", nn.cross_entropy, F.cross_entropy, jax_cross_entropy, [random(256, 1000), integers(1000, 256, seed=1)])
    yield Row("mse_loss 1 M", nn.mse_loss, F.mse_loss, lambda x, y: jnp.square(x - y).mean(), [random(1 << 20), random(1 << 20, seed=1)])
    yield Row("bce with logits 1 M", nn.binary_cross_entropy_with_logits, F.binary_cross_entropy_with_logits,
              lambda x, y: (jnp.maximum(x, 0) - x * y + jnp.log1p(jnp.exp(-jnp.abs(x)))).mean(), [random(1 << 20), uniform(0, 1, 1 << 20)])  # fmt: skip


def programs():
    """Whole computations as NumPy users write them."""

    def stencil(x):
        return 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) - x[1:-1, 1:-1]

    def black_scholes(lib, erf):
        def price(spot, strike, years):
            deviation = 0.2 * lib.sqrt(years)
            d = (lib.log(spot / strike) + 0.07 * years) / deviation
            normal = lambda z: 0.5 + 0.5 * erf(z * 0.5**0.5)  # noqa: E731
            return spot * normal(d) - strike * lib.exp(-0.05 * years) * normal(d - deviation)

        return price

    def forces(lib, axis):
        def step(x, y, z, mass):
            dx, dy, dz = (a[None, :] - a[:, None] for a in (x, y, z))
            square = dx * dx + dy * dy + dz * dz + 0.01
            weight = mass / (square * lib.sqrt(square))
            return tuple(lib.sum(weight * d, **{axis: 1}) for d in (dx, dy, dz))

        return step

    def means(x, centers):
        label = tc.argmin(tc.sum(centers * centers, axis=1) - 2 * (x @ centers.T), axis=1)
        sums, counts = tc.segment_sum(x, label, 64), tc.segment_sum(tc.ones_like(x[:, 0]), label, 64)
        return sums / tc.maximum(counts, 1.0)[:, None]

    def torch_means(x, centers):
        label = torch.addmm((centers * centers).sum(1), x, centers.T, alpha=-2).argmin(1)
        sums, counts = torch.zeros(64, 16).index_add(0, label, x), torch.bincount(label, minlength=64)
        return sums / counts.clamp(min=1)[:, None]

    def jax_means(x, centers):
        label = ((centers * centers).sum(1) - 2 * (x @ centers.T)).argmin(1)
        sums, counts = jax.ops.segment_sum(x, label, 64), jax.ops.segment_sum(jnp.ones_like(x[:, 0]), label, 64)
        return sums / jnp.maximum(counts, 1)[:, None]

    yield Row("5-point stencil 2048²", **everywhere(stencil), inputs=[random(2048, 2048)])
    yield Row("Black-Scholes 4 M", black_scholes(tc, tc.erf), black_scholes(torch, torch.erf), black_scholes(jnp, lax.erf),
              [uniform(0.5, 2, 1 << 22, seed=s) for s in range(3)])  # fmt: skip
    yield Row("forces of 4096 bodies", forces(tc, "axis"), forces(torch, "dim"), forces(jnp, "axis"),
              [random(4096, seed=s) for s in range(3)] + [uniform(0, 2, 4096, seed=3)], tolerance=1e-3)  # fmt: skip
    yield Row("step of k-means, 65,536×16, 64 means", means, torch_means, jax_means, [random(65536, 16), random(64, 16, seed=1)], tolerance=1e-3)
