"""Rows: convolutions, pooling, norms of images."""

import itertools

from peers.libraries import F, jax, jnp, lax, nn, tc
from peers.row import Row, dims, random


def per_channel(v, x):
    return v.reshape(-1, *(1,) * (x.ndim - 2))


def jax_conv(x, w, b=None, stride=1, padding=0, dilation=1, groups=1):
    n = x.ndim - 2
    y = lax.conv_general_dilated(x, w, (stride,) * n, [(padding, padding)] * n, rhs_dilation=(dilation,) * n, feature_group_count=groups)
    return y if b is None else y + per_channel(b, y)


def jax_conv_transpose(x, w, stride=1, padding=0):
    n, pads = x.ndim - 2, [(k - 1 - padding,) * 2 for k in w.shape[2:]]
    return lax.conv_general_dilated(x, jnp.flip(w, range(2, x.ndim)).swapaxes(0, 1), (1,) * n, pads, lhs_dilation=(stride,) * n)


def jax_pool(kind, x, size, stride, padding):
    n = x.ndim - 2
    window, strides, pads = (1, 1) + (size,) * n, (1, 1) + (stride,) * n, [(0, 0)] * 2 + [(padding,) * 2] * n
    if kind == "max":
        return lax.reduce_window(x, -jnp.inf, lax.max, window, strides, pads)
    return lax.reduce_window(x, 0.0, lax.add, window, strides, pads) / size**n


def jax_batch_norm(x, mean, variance, scale, bias):
    factor = scale * lax.rsqrt(variance + 1e-5)
    return x * per_channel(factor, x) + per_channel(bias - mean * factor, x)


def jax_group_norm(x, scale, bias, groups):
    grouped = x.reshape(x.shape[0], groups, -1)
    mean = grouped.mean(-1, keepdims=True)
    y = (grouped - mean) * lax.rsqrt(jnp.square(grouped - mean).mean(-1, keepdims=True) + 1e-5)
    return y.reshape(x.shape) * per_channel(scale, x) + per_channel(bias, x)


def settings_of(settings):
    return "".join(f" {k}={v}" for k, v in settings.items())


def statistics(c, seed=2):
    """Returns mean, variance, scale and bias of a batch norm. The variance is above 0."""
    squares = random(c, seed=seed + 1)
    return [random(c, seed=seed), lambda: abs(squares()) + 0.5, random(c, seed=seed + 2), random(c, seed=seed + 3)]


def conv():
    def row(name, x, w, **settings):
        def peer(x, w, b=None):
            return {3: F.conv1d, 4: F.conv2d, 5: F.conv3d}[x.ndim](x, w, b, **settings)

        return Row(f"{name} {dims(*x)} * {dims(*w)}" + settings_of(settings), lambda x, w, b=None: nn.conv(x, w, b, **settings), peer,
                   lambda x, w, b=None: jax_conv(x, w, b, **settings), [random(*x)], [random(*w, seed=1), random(w[0], seed=2)])  # fmt: skip

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
    yield row("depthwise", (4, 128, 56, 56), (128, 1, 3, 3), groups=128, padding=1)
    yield row("grouped", (1, 128, 56, 56), (128, 4, 3, 3), groups=32, padding=1)
    for x, w, settings in [((1, 16, 8, 32, 32), (32, 16, 3, 3, 3), {"padding": 1}), ((1, 3, 16, 56, 56), (16, 3, 3, 7, 7), {"stride": 2})]:
        yield row("conv3d", x, w, **settings)


def conv_bn_relu():
    """ResNet-50's."""
    for x, w, settings in [
        ((1, 3, 224, 224), (64, 3, 7, 7), {"stride": 2, "padding": 3}), ((1, 64, 56, 56), (64, 64, 3, 3), {"padding": 1}),
        ((1, 128, 28, 28), (128, 128, 3, 3), {"padding": 1}), ((1, 256, 14, 14), (256, 256, 3, 3), {"padding": 1}),
        ((1, 512, 7, 7), (512, 512, 3, 3), {"padding": 1}), ((1, 256, 56, 56), (64, 256, 1, 1), {}), ((1, 128, 28, 28), (512, 128, 1, 1), {}),
        ((8, 64, 56, 56), (64, 64, 3, 3), {"padding": 1}),
    ]:  # fmt: skip
        yield Row(f"conv + bn + relu {dims(*x)} * {dims(*w)}" + settings_of(settings),
                  lambda x, w, *s, k=settings: tc.relu(nn.batch_norm(nn.conv(x, w, **k), *s)),
                  lambda x, w, *s, k=settings: F.relu(F.batch_norm(F.conv2d(x, w, **k), *s)),
                  lambda x, w, *s, k=settings: jax.nn.relu(jax_batch_norm(jax_conv(x, w, **k), *s)),
                  [random(*x)], [random(*w, seed=1), *statistics(w[0])])  # fmt: skip


def conv_transpose():
    peers = {3: F.conv_transpose1d, 4: F.conv_transpose2d, 5: F.conv_transpose3d}
    for x, w, settings in [
        ((1, 64, 250), (64, 32, 4), {"stride": 2, "padding": 1}), ((1, 512, 32), (512, 256, 16), {"stride": 8, "padding": 4}),
        ((1, 128, 28, 28), (128, 64, 2, 2), {"stride": 2}), ((1, 64, 32, 32), (64, 32, 4, 4), {"stride": 2, "padding": 1}),
        ((1, 512, 8, 8), (512, 256, 4, 4), {"stride": 2, "padding": 1}), ((4, 64, 16, 16), (64, 64, 3, 3), {"padding": 1}),
        ((1, 32, 8, 16, 16), (32, 16, 2, 2, 2), {"stride": 2}), ((1, 32, 8, 16, 16), (32, 16, 3, 3, 3), {"stride": 2, "padding": 1}),
    ]:  # fmt: skip
        yield Row(f"conv_transpose {dims(*x)} * {dims(*w)}" + settings_of(settings),
                  lambda x, w, s=settings: nn.conv_transpose(x, w, **s), lambda x, w, s=settings: peers[x.ndim](x, w, **s),
                  lambda x, w, s=settings: jax_conv_transpose(x, w, **s), [random(*x)], [random(*w, seed=1)])  # fmt: skip


def pools():
    peers = {("max", 3): F.max_pool1d, ("max", 4): F.max_pool2d, ("max", 5): F.max_pool3d,
             ("avg", 3): F.avg_pool1d, ("avg", 4): F.avg_pool2d, ("avg", 5): F.avg_pool3d}  # fmt: skip
    for kind, (x, *window) in itertools.product(["max", "avg"], [
        ((8, 64, 1000), 2, 2, 0), ((1, 64, 4096), 5, 1, 2), ((8, 64, 112, 112), 3, 2, 1), ((1, 64, 224, 224), 2, 2, 0),
        ((8, 256, 14, 14), 3, 1, 1), ((1, 512, 13, 13), 13, 13, 0), ((1, 16, 16, 56, 56), 2, 2, 0), ((1, 32, 8, 28, 28), 3, 1, 1),
    ]):  # fmt: skip
        ours = nn.max_pool if kind == "max" else nn.avg_pool
        yield Row(f"{kind}_pool {dims(*x)} {window[0]}/{window[1]}+{window[2]}",
                  lambda x, f=ours, a=window: f(x, a[0], stride=a[1], padding=a[2]), lambda x, k=kind, a=window: peers[k, x.ndim](x, *a),
                  lambda x, k=kind, a=window: jax_pool(k, x, *a), [random(*x)])  # fmt: skip
    yield Row("global mean 8×2048×7×7", lambda x: tc.mean(x, axis=(2, 3)), lambda x: x.mean((2, 3)), lambda x: x.mean((2, 3)), [random(8, 2048, 7, 7)])


def norms():
    for shape, groups in [((1, 64, 56, 56), 32), ((8, 128, 32, 32), 32), ((2, 320, 64, 64), 32), ((16, 32, 16, 16), 8), ((1, 512, 8, 8), 32)]:
        c = shape[1]
        yield Row(f"group_norm {dims(*shape)} / {groups}", lambda x, s, b, g=groups: nn.group_norm(x, g, s, b),
                  lambda x, s, b, g=groups: F.group_norm(x, g, s, b), lambda x, s, b, g=groups: jax_group_norm(x, s, b, g),
                  [random(*shape)], [random(c, seed=1), random(c, seed=2)])  # fmt: skip
    for shape in [(8, 64, 56, 56), (1, 256, 14, 14), (8, 512, 28, 28)]:
        yield Row(f"batch_norm {dims(*shape)}", nn.batch_norm, F.batch_norm, jax_batch_norm, [random(*shape)], statistics(shape[1]))
