"""Rows: linear layers, matrix products, attention."""

import itertools

from peers.libraries import F, jax, jnp, nn, tc, torch
from peers.row import Row, coins, dims, random


def jax_linear(x, w, b=None):
    y = x @ w.T
    return y if b is None else y + b


def jax_layer_norm(x, scale, bias):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(jnp.square(x - mean).mean(-1, keepdims=True) + 1e-5) * scale + bias


def jax_rms_norm(x, scale):
    return x * jax.lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + 1e-5) * scale


def exact_gelu(x):
    return jax.nn.gelu(x, approximate=False)


def linear():
    for m, k, n in itertools.chain(itertools.product([1, 8, 32, 128], [512, 1024], [512, 2048]),
                                   [(1, 4096, 4096), (8, 4096, 4096), (32, 4096, 4096), (256, 1024, 1024), (64, 25088, 1000)]):  # fmt: skip
        yield Row(f"linear {dims(m, k)} -> {n}", nn.linear, F.linear, jax_linear, [random(m, k)], [random(n, k, seed=1), random(n, seed=2)])
    for m, k, n in [(128, 768, 3072), (32, 1024, 4096), (512, 768, 3072), (1, 768, 3072)]:
        yield Row(f"linear + gelu {dims(m, k)} -> {n}", lambda x, w, b: tc.gelu(nn.linear(x, w, b)), lambda x, w, b: F.gelu(F.linear(x, w, b)),
                  lambda x, w, b: exact_gelu(jax_linear(x, w, b)), [random(m, k)], [random(n, k, seed=1), random(n, seed=2)])  # fmt: skip
    weights = [random(3072, 768, seed=1), random(3072, seed=2), random(768, 3072, seed=3), random(768, seed=4)]
    yield Row("mlp of BERT 128×768", lambda x, w, b, v, c: nn.linear(tc.gelu(nn.linear(x, w, b)), v, c),
              lambda x, w, b, v, c: F.linear(F.gelu(F.linear(x, w, b)), v, c),
              lambda x, w, b, v, c: jax_linear(exact_gelu(jax_linear(x, w, b)), v, c), [random(128, 768)], weights)  # fmt: skip
    for m, k, n in [(128, 3072, 768), (512, 768, 768), (32, 4096, 1024)]:
        yield Row(f"linear + residual + layer_norm {dims(m, k)} -> {n}", lambda x, r, w, b, s, t: nn.layer_norm(nn.linear(x, w, b) + r, s, t),
                  lambda x, r, w, b, s, t: F.layer_norm(F.linear(x, w, b) + r, r.shape[-1:], s, t),
                  lambda x, r, w, b, s, t: jax_layer_norm(jax_linear(x, w, b) + r, s, t),
                  [random(m, k), random(m, n)], [random(n, k, seed=3), *(random(n, seed=s) for s in (4, 5, 6))])  # fmt: skip
    yield Row("linear + residual + rms_norm 128×2048 -> 2048", lambda x, r, w, s: nn.rms_norm(nn.linear(x, w) + r, s),
              lambda x, r, w, s: F.rms_norm(F.linear(x, w) + r, r.shape[-1:], s, 1e-5), lambda x, r, w, s: jax_rms_norm(jax_linear(x, w) + r, s),
              [random(128, 2048), random(128, 2048, seed=1)], [random(2048, 2048, seed=2), random(2048, seed=3)])  # fmt: skip


def matmul():
    product = dict(ours=tc.matmul, torch=torch.matmul, jax=jnp.matmul)
    transposed = dict(ours=lambda x, w: tc.matmul(x, w.T), torch=lambda x, w: x @ w.T, jax=lambda x, w: x @ w.T)
    for n in [64, 128, 256, 512, 1024, 2048, 4096]:
        yield Row(f"matmul {n}³", **product, inputs=[random(n, n), random(n, n, seed=1)])
    # The libraries may round their sums at different points. On processors without f16 products, PyTorch takes 0.1 s
    # for 512³.
    for dtype, tolerance, sizes in [("bfloat16", 1e-2, [64, 128, 256, 512, 1024, 2048, 4096]), ("float16", 2e-3, [64, 128, 256, 512])]:
        for n in sizes:
            yield Row(f"matmul {n}³ {dtype}", **product, inputs=[random(n, n), random(n, n, seed=1)], tolerance=tolerance, dtype=dtype)
    yield Row("matmul 256 of 64³", **product, inputs=[random(256, 64, 64), random(256, 64, 64, seed=1)])
    yield Row("matmul 64×262144×64", **product, inputs=[random(64, 262144), random(262144, 64, seed=1)])
    yield Row("x Wᵀ 1024³", **transposed, inputs=[random(1024, 1024), random(1024, 1024, seed=1)])
    for m in [1, 8, 32]:
        yield Row(f"x W {dims(m, 4096)} · 4096²", **product, inputs=[random(m, 4096)], weights=[random(4096, 4096, seed=1)])
        yield Row(f"x Wᵀ {dims(m, 4096)} · 4096²", **transposed, inputs=[random(m, 4096)], weights=[random(4096, 4096, seed=1)])


def jax_attention(q, k, v, mask=None, causal=False):
    """JAX's own attention for CPUs, with the heads as a leading axis. k and v may have fewer heads."""
    b, h, s, d = q.shape
    q = q.reshape(b, k.shape[1], -1, s, d)
    scores = jnp.einsum("bghsd,bgtd->bghst", q, k) * d**-0.5
    if causal:
        mask = jnp.tril(jnp.ones((s, k.shape[2]), bool))
    elif mask is not None and mask.ndim == 4:
        mask = mask[:, :, None]
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf) if mask.dtype == bool else scores + mask
    return jnp.einsum("bghst,bgtd->bghsd", jax.nn.softmax(scores, -1), v).reshape(b, h, s, d)


def attention():
    def row(name, q, kv, *mask, causal=False):
        grouped = q[1] != kv[1]
        return Row(f"attention {name}", lambda q, k, v, m=None: nn.attention(q, k, v, mask=m, causal=causal),
                   lambda q, k, v, m=None: F.scaled_dot_product_attention(q, k, v, m, is_causal=causal, enable_gqa=grouped),
                   lambda q, k, v, m=None: jax_attention(q, k, v, m, causal), [random(*q), random(*kv, seed=1), random(*kv, seed=2), *mask])  # fmt: skip

    for size, causal in [((1, 12, 128, 64), False), ((8, 12, 128, 64), False), ((1, 12, 512, 64), True), ((1, 16, 2048, 128), True)]:
        yield row(dims(*size) + " causal" * causal, size, size, causal=causal)
    yield row("1×12×512×64, mask of numbers", (1, 12, 512, 64), (1, 12, 512, 64), random(512, 512, seed=3))
    yield row("8×12×128×64, mask of keys", (8, 12, 128, 64), (8, 12, 128, 64), coins(8, 1, 1, 128, seed=3))
    yield row("1×32×512×128 causal, 8 heads of keys", (1, 32, 512, 128), (1, 8, 512, 128), causal=True)
    yield row("of one query, 32 heads on 4096×128", (1, 32, 1, 128), (1, 32, 4096, 128))
    yield row("of one query, 32 heads on 4096×128, 8 heads of keys", (1, 32, 1, 128), (1, 8, 4096, 128))
