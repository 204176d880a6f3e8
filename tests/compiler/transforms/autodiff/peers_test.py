#!/usr/bin/env python3
"""Derivatives of the Python package's functions against PyTorch and JAX, where they are installed.

    peers_test.py [--sets=first|others|all] [NAME...]

A function is written once, over a namespace `xp`: tensorc, PyTorch or jax.numpy. Of each function and each set of shapes are
compared: the gradient, the gradient of a sum of gradients, the tangent of forward mode, forward mode over the gradient, the
gradients of a batch and the tangents of a batch. A case is one such array and one judge. --sets says with which sets of shapes;
the first alone is the default. Arguments are random, so they are at no kink; jax_test.py judges kinks.
"""

import argparse
import math
import sys
import warnings

import numpy as np

try:
    import jax
    import jax.numpy as jnp
    import torch
except ImportError as error:
    print(f"not installed: {error}")
    sys.exit(77)

import tensorc as tc

jax.config.update("jax_enable_x64", True)
warnings.filterwarnings("ignore")
BATCH = 3


class Names:
    """A namespace whose functions have the names of the array API."""

    def __init__(self, module, **others):
        self.module, self.others = module, others

    def __getattr__(self, name):
        return self.others[name] if name in self.others else getattr(self.module, name)


nn = tc.nn.functional
ours = Names(
    tc, constant=tc.asarray, pad=lambda x, low, high, v: tc.pad(x, tuple(zip(low, high)), constant_values=v), set_at=lambda x, i, v: x.at[i].set(v), add_at=lambda x, i, v: x.at[i].add(v),
    max_at=lambda x, i, v: x.at[i].max(v), conv=lambda x, k, stride, pad, groups: nn.conv(
        x, k, stride=stride, padding=pad, groups=groups), layer_norm=lambda x, w, b: nn.layer_norm(x, w, b),
    rms_norm=lambda x, w: nn.rms_norm(x, w), attention=nn.attention, cross_entropy=nn.cross_entropy, huber=nn.huber_loss,
    max_pool=lambda x, k: nn.max_pool(x, k), avg_pool=lambda x, k: nn.avg_pool(x, k), bce=nn.binary_cross_entropy_with_logits,
    group_norm=lambda x, g, w, b: nn.group_norm(x, g, w, b), inv=tc.linalg.inv, solve=tc.linalg.solve, cholesky=tc.linalg.cholesky,
    det=tc.linalg.det, trace=lambda x: tc.linalg.trace(x), norm=lambda x: tc.linalg.vector_norm(x), slogabs=lambda x: tc.linalg.slogdet(x)[1],
    eigvalsh=tc.linalg.eigvalsh, svdvals=tc.linalg.svdvals, cross=tc.linalg.cross, vecdot=tc.linalg.vecdot,
    cumsum=lambda x, axis: tc.cumulative_sum(x, axis=axis), cumprod=lambda x, axis: tc.cumulative_prod(x, axis=axis),
    topk=lambda x, k: tc.topk(x, k)[0])  # fmt: skip


tf = torch.nn.functional
peer_torch = Names(
    torch, constant=torch.as_tensor, max=torch.amax, min=torch.amin, concat=torch.cat, permute_dims=torch.permute,
    silu=tf.silu, gelu=tf.gelu, mish=tf.mish, hardswish=tf.hardswish, softsign=tf.softsign,
    logsigmoid=tf.logsigmoid, softplus=tf.softplus, elu=tf.elu, leaky_relu=tf.leaky_relu, celu=tf.celu,
    cbrt=lambda x: torch.sign(x) * torch.abs(x) ** (1 / 3), expand_dims=torch.unsqueeze,
    flip=lambda x, axis: torch.flip(x, [axis]), roll=lambda x, shift, axis: torch.roll(x, shift, axis), take=lambda x, i, axis: torch.index_select(
        x, axis, torch.as_tensor(i)), take_along_axis=lambda x, i, axis: torch.gather(x, axis, torch.as_tensor(i)),
    sort=lambda x, axis: torch.sort(x, axis)[0], prod=lambda x, axis: torch.prod(x, axis), tile=lambda x, k: torch.tile(x, k),
    logsumexp=lambda x, axis: torch.logsumexp(x, axis), softmax=lambda x, axis: torch.softmax(x, axis), log_softmax=lambda x, axis: torch.log_softmax(x, axis),
    std=lambda x, axis: torch.std(x, axis, correction=0), var=lambda x, axis: torch.var(x, axis, correction=0),
    set_at=lambda x, i, v: torch.index_put(x, (torch.as_tensor(i),), v),
    add_at=lambda x, i, v: torch.index_put(x, (torch.as_tensor(i),), v, accumulate=True),
    max_at=lambda x, i, v: torch.index_reduce(x, 0, torch.as_tensor(i), v, "amax"),
    conv=lambda x, k, stride, pad, groups: (tf.conv1d if x.ndim == 3 else tf.conv2d)(x, k, stride=stride, padding=pad, groups=groups),
    layer_norm=lambda x, w, b: tf.layer_norm(x, w.shape, w, b), rms_norm=lambda x, w: x * torch.rsqrt(torch.mean(x * x, -1, True) + 1e-5) * w,
    attention=lambda q, k, v, mask=0: torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]) + mask, -1) @ v,
    cross_entropy=lambda x, y: tf.cross_entropy(x, torch.as_tensor(y)), huber=tf.huber_loss, bce=tf.binary_cross_entropy_with_logits,
    max_pool=lambda x, k: tf.max_pool2d(x, k), avg_pool=lambda x, k: tf.avg_pool2d(x, k), group_norm=lambda x, g, w, b: tf.group_norm(x, g, w, b),
    inv=torch.linalg.inv, solve=torch.linalg.solve, cholesky=torch.linalg.cholesky, det=torch.linalg.det, norm=torch.linalg.vector_norm,
    slogabs=lambda x: torch.linalg.slogdet(x)[1], eigvalsh=torch.linalg.eigvalsh, svdvals=torch.linalg.svdvals, cross=torch.linalg.cross,
    vecdot=torch.linalg.vecdot, topk=lambda x, k: torch.topk(x, k)[0],
    pad=lambda x, low, high, v: tf.pad(x, [n for pair in zip(low[::-1], high[::-1]) for n in pair], value=v),
    broadcast_to=torch.broadcast_to, matrix_transpose=lambda x: x.mT, diff=lambda x, axis: torch.diff(x, dim=axis),
    repeat=lambda x, n, axis: torch.repeat_interleave(x, n, axis), cumsum=lambda x, axis: torch.cumsum(x, axis),
    stack=lambda xs, axis: torch.stack(xs, axis), squeeze=lambda x, axis: torch.squeeze(x, axis))  # fmt: skip


def jax_conv(x, k, stride, pad, groups):
    n = x.ndim - 2
    return jax.lax.conv_general_dilated(x, k, (stride,) * n, [(pad, pad)] * n, feature_group_count=groups)


def jax_pool(x, k, start, combine):
    return jax.lax.reduce_window(x, start, combine, (1, 1, k, k), (1, 1, k, k), "VALID")


def jax_norm(x, axes, eps=1e-5):
    m = jnp.mean(x, axes, keepdims=True)
    return (x - m) * jax.lax.rsqrt(jnp.mean((x - m) ** 2, axes, keepdims=True) + eps)


def jax_group_norm(x, g, w, b):
    shape = x.shape
    y = jax_norm(x.reshape(shape[0], g, -1), (2,)).reshape(shape)
    side = (1, -1) + (1,) * (len(shape) - 2)
    return y * w.reshape(side) + b.reshape(side)


def jax_huber(x, y):
    d = jnp.abs(x - y)
    return jnp.mean(jnp.where(d < 1, 0.5 * d * d, d - 0.5))


jn = jax.nn
peer_jax = Names(
    jnp, constant=jnp.asarray, relu=jn.relu, silu=jn.silu, gelu=lambda x: jn.gelu(x, approximate=False), mish=jn.mish, hardswish=jn.hard_swish,
    softsign=jn.soft_sign, logsigmoid=jn.log_sigmoid, softplus=jn.softplus, elu=jn.elu, leaky_relu=jn.leaky_relu, celu=jn.celu,
    sigmoid=jn.sigmoid, erf=jax.lax.erf, rsqrt=jax.lax.rsqrt, logsumexp=jn.logsumexp, softmax=jn.softmax, log_softmax=jn.log_softmax,
    asin=jnp.arcsin, acos=jnp.arccos, atan=jnp.arctan, asinh=jnp.arcsinh, acosh=jnp.arccosh, atanh=jnp.arctanh, atan2=jnp.arctan2,
    set_at=lambda x, i, v: x.at[i].set(v), add_at=lambda x, i, v: x.at[i].add(v),
    max_at=lambda x, i, v: x.at[i].max(v), conv=jax_conv, layer_norm=lambda x, w, b: jax_norm(x, (-1,)) * w + b,
    rms_norm=lambda x, w: x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * w,
    attention=lambda q, k, v, mask=0: jn.softmax(q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1]) + mask, -1) @ v,
    cross_entropy=lambda x, y: -jnp.mean(jnp.take_along_axis(jn.log_softmax(x, -1), jnp.asarray(y)[:, None], 1)), huber=jax_huber,
    bce=lambda x, y: jnp.mean(jn.softplus(x) - x * y), max_pool=lambda x, k: jax_pool(x, k, -jnp.inf, jax.lax.max),
    avg_pool=lambda x, k: jax_pool(x, k, 0.0, jax.lax.add) / (k * k), group_norm=jax_group_norm, inv=jnp.linalg.inv, solve=jnp.linalg.solve,
    cholesky=lambda x: jax.lax.linalg.cholesky(x, symmetrize_input=False), det=jnp.linalg.det, norm=lambda x: jnp.sqrt(jnp.sum(x * x)),
    slogabs=lambda x: jnp.linalg.slogdet(x)[1], eigvalsh=jnp.linalg.eigvalsh, svdvals=lambda x: jnp.linalg.svd(x, compute_uv=False),
    cross=jnp.cross, vecdot=jnp.vecdot, topk=lambda x, k: jax.lax.top_k(x, k)[0], pad=lambda x, low, high, v: jnp.pad(
        x, list(zip(low, high)), constant_values=v))  # fmt: skip
PEERS = {"PyTorch": peer_torch, "JAX": peer_jax}

ONE = ("", "5", "3,4")
TWO = (("3,4", "3,4"), ("4", "3,4"), ("3,1", "4"), ("", "2,3"))
DRAW = {
    "n": lambda r, s: r.normal(size=s) * 1.5, "p": lambda r, s: r.uniform(0.3, 3, s), "q": lambda r, s: r.uniform(1.3, 3, s),
    "u": lambda r, s: r.uniform(-0.9, 0.9, s),
}  # fmt: skip


def draw(random, spec, front=()):
    """`spec` is sizes, behind the letter of a domain; `m` are matrices far from singular, `s` symmetric ones."""
    letter, sizes = (spec[0], spec[1:]) if spec[:1].isalpha() else ("n", spec)
    shape = front + tuple(int(n) for n in sizes.split(",") if n)
    if letter in "ms":
        x = random.normal(size=shape)
        return x @ np.swapaxes(x, -1, -2) + 2 * np.eye(shape[-1]) if letter == "s" else x + 4 * np.eye(shape[-1])
    return np.asarray(DRAW[letter](random, shape))


def named(name, count):
    return lambda xp, *x: getattr(xp, name)(*x[:count])


def functions():
    """name -> (function of xp and arrays, sets of arguments)"""
    for word in ("abs exp exp2 expm1 plog plog2 plog10 plog1p psqrt prsqrt pcbrt sin cos utan uasin uacos atan sinh cosh tanh asinh qacosh "
                 "uatanh erf sigmoid floor ceil trunc round sign relu silu gelu mish hardswish softsign logsigmoid softplus elu leaky_relu "
                 "celu square negative reciprocal").split():  # fmt: skip
        letter = word[0] if hasattr(tc, word[1:]) and not hasattr(tc, word) else "n"
        name = word if letter == "n" else word[1:]
        yield name, named(name, 1), [(letter + s,) for s in ONE]
    for word in "add subtract multiply maximum minimum atan2 hypot logaddexp pdivide ppow premainder pfmod ucopysign".split():
        letter = word[0] if hasattr(tc, word[1:]) and not hasattr(tc, word) else "n"
        name = word if letter == "n" else word[1:]
        yield name, named(name, 2), [(letter + a, letter + b) for a, b in TWO]
    yield "where", lambda xp, x, y, z: xp.where(x < y, y, z), [("3,4",) * 3, ("4", "3,4", "3,1")]
    yield "clip", lambda xp, x: xp.clip(x, -0.5, 0.7), [("5",), ("3,4",)]
    yield "polynomial", lambda xp, x: x * x * x - 2 * x / (1 + x * x), [(s,) for s in ONE]
    yield "pow 3", lambda xp, x: x**3, [(s,) for s in ONE]
    for name in ("sum", "mean", "prod", "max", "min", "logsumexp", "std", "var"):
        for axis in (0, 1, -1):
            yield f"{name} {axis}", lambda xp, x, name=name, axis=axis: getattr(xp, name)(x, axis=axis), [("3,4",), ("2,5,3",)]
    for name in ("softmax", "log_softmax", "cumsum", "cumprod", "sort", "flip", "diff"):
        for axis in (0, -1):
            yield f"{name} {axis}", lambda xp, x, name=name, axis=axis: getattr(xp, name)(x, axis=axis), [("5",), ("3,4",), ("2,5,3",)]
    yield "norm", lambda xp, x: xp.norm(x), [("5",), ("12",)]
    yield "topk", lambda xp, x: xp.topk(x, 2), [("5",), ("3,4",)]
    yield "reshape", lambda xp, x: xp.reshape(x, (2, -1)), [("6",), ("3,4",)]
    yield "permute_dims", lambda xp, x: xp.permute_dims(x, (1, 2, 0)), [("2,3,4",)]
    yield "moveaxis", lambda xp, x: xp.moveaxis(x, 0, -1), [("2,3,4",), ("3,4",)]
    yield "matrix_transpose", lambda xp, x: xp.matrix_transpose(x), [("3,4",), ("2,3,4",)]
    yield "expand_dims", lambda xp, x: xp.expand_dims(x, 1), [("5",), ("3,4",)]
    yield "squeeze", lambda xp, x: xp.squeeze(x, 1), [("5,1",), ("3,1,2",)]
    yield "broadcast_to", lambda xp, x: xp.broadcast_to(x, (2, 3, 4)), [("3,4",), ("3,1",), ("",)]
    yield "concat", lambda xp, x, y: xp.concat([x, y, x], axis=0), [("3,4", "2,4"), ("2", "3")]
    yield "stack", lambda xp, x, y: xp.stack([x, y], axis=1), [("3,4", "3,4"), ("2", "2")]
    yield "roll", lambda xp, x: xp.roll(x, 2, axis=0), [("5",), ("3,4",)]
    yield "tile", lambda xp, x: xp.tile(x, (2, 3)), [("5",), ("3,4",)]
    yield "repeat", lambda xp, x: xp.repeat(x, 3, axis=0), [("5",), ("3,4",)]
    yield "tril", lambda xp, x: xp.tril(x), [("4,4",), ("3,5",)]
    yield "triu", lambda xp, x: xp.triu(x), [("4,4",), ("3,5",)]
    yield "pad", lambda xp, x: xp.pad(x, (1, 0), (2, 3), 0.5), [("3,4",), ("2,2",)]
    yield "slice", lambda xp, x: x[1:, ::2], [("3,4",), ("5,3",)]
    yield "index", lambda xp, x: x[1] * x[-1], [("3,4",), ("5",)]
    rows = np.array([2, 0, 2, 1])
    yield "take", lambda xp, x: xp.take(x, xp.constant(rows), axis=0), [("3,4",), ("5",)]
    yield "take_along_axis", lambda xp, x: xp.take_along_axis(x, xp.constant(np.array([[1, 0], [0, 2], [2, 2]])), axis=1), [("3,4",), ("3,3",)]
    apart = np.array([2, 0])
    yield "set_at", lambda xp, x, y: xp.set_at(x, xp.constant(apart), y), [("3,4", "2,4"), ("5", "2")]
    yield "add_at", lambda xp, x, y: xp.add_at(x, xp.constant(rows), y), [("3,4", "4,4"), ("5", "4")]
    yield "max_at", lambda xp, x, y: xp.max_at(x, xp.constant(apart), y), [("3,4", "2,4"), ("5", "2")]
    yield "matmul", lambda xp, x, y: xp.matmul(x, y), [("3,4", "4,2"), ("2,3,4", "4,5"), ("4", "4,2"), ("2,3,4", "2,4,1")]
    yield "einsum", lambda xp, x, y: xp.einsum("bij,bkj->bik", x, y), [("2,3,4", "2,5,4")]
    yield "outer", lambda xp, x, y: xp.outer(x, y), [("3", "4")]
    yield "kron", lambda xp, x, y: xp.kron(x, y), [("2,3", "3,2")]
    yield "vecdot", lambda xp, x, y: xp.vecdot(x, y), [("3,4", "3,4"), ("4", "4")]
    yield "cross", lambda xp, x, y: xp.cross(x, y), [("3", "3"), ("4,3", "4,3")]
    yield "conv1d", lambda xp, x, k: xp.conv(x, k, 2, 1, 1), [("2,4,9", "5,4,3"), ("1,2,6", "3,2,2")]
    yield "conv2d", lambda xp, x, k: xp.conv(x, k, 1, 1, 1), [("2,3,5,4", "2,3,3,3")]
    yield "grouped conv", lambda xp, x, k: xp.conv(x, k, 1, 0, 2), [("2,4,7", "6,2,3"), ("1,4,5,5", "4,2,2,2")]
    yield "depthwise conv", lambda xp, x, k: xp.conv(x, k, 1, 1, 4), [("2,4,7", "4,1,3"), ("1,4,5,5", "4,1,3,3")]
    yield "max_pool", lambda xp, x: xp.max_pool(x, 2), [("2,3,4,6",)]
    yield "avg_pool", lambda xp, x: xp.avg_pool(x, 2), [("2,3,4,6",)]
    yield "layer_norm", lambda xp, x, w, b: xp.layer_norm(x, w, b), [("3,5", "5", "5"), ("2,3,4", "4", "4")]
    yield "rms_norm", lambda xp, x, w: xp.rms_norm(x, w), [("3,5", "5"), ("2,3,4", "4")]
    yield "group_norm", lambda xp, x, w, b: xp.group_norm(x, 2, w, b), [("2,4,3", "4", "4"), ("3,4,2,2", "4", "4")]
    yield "attention", lambda xp, q, k, v: xp.attention(q, k, v), [("2,2,3,4", "2,2,5,4", "2,2,5,4")]
    masked = lambda xp, q, k, v, m: xp.attention(q, k, v, mask=m)
    yield "masked attention", masked, [("2,3,4", "2,5,4", "2,5,6", "3,5"), ("2,2,3,4", "2,2,5,4", "2,2,5,6", "2,1,1,5")]
    labels = np.array([2, 0, 1])
    yield "cross_entropy", lambda xp, x: xp.cross_entropy(x, xp.constant(labels)), [("3,4",), ("3,3",)]
    yield "huber", lambda xp, x, y: xp.huber(x, y), [("3,4", "3,4"), ("5", "5")]
    yield "bce", lambda xp, x: xp.bce(x, xp.constant(np.linspace(0, 1, 5))), [("5",)]
    yield "det", lambda xp, x: xp.det(x), [("m3,3",), ("m5,5",)]
    yield "slogdet", lambda xp, x: xp.slogabs(x), [("m3,3",), ("m5,5",)]
    yield "inv", lambda xp, x: xp.inv(x), [("m3,3",), ("m2,4,4",)]
    yield "solve", lambda xp, x, y: xp.solve(x, y), [("m3,3", "3,2"), ("m4,4", "4,1")]
    yield "trace", lambda xp, x: xp.trace(x), [("4,4",)]
    yield "cholesky", lambda xp, x: xp.cholesky(xp.matmul(x, xp.matrix_transpose(x))), [("m3,3",), ("m4,4",)]
    yield "eigvalsh", lambda xp, x: xp.eigvalsh(x + xp.matrix_transpose(x)), [("3,3",), ("4,4",)]
    yield "svdvals", lambda xp, x: xp.svdvals(x), [("3,3",), ("4,3",)]


def weights(shape):
    return np.cos(np.arange(math.prod(shape), dtype=np.float64)).reshape(shape) + 1.5


def kinds(f, xp, grad, jvp, vmap, count, wrap):
    """kind -> a function of the arrays, tangents, many arrays and many tangents that gives a list."""
    every = tuple(range(count))

    def loss(*x):
        y = f(xp, *x)
        return (y * wrap(weights(tuple(y.shape)))).sum()

    def total(*x):
        return sum((g * wrap(weights(tuple(g.shape)))).sum() for g in grad(loss, every)(*x))

    tangent = lambda x, t: [jvp(lambda *x: f(xp, *x), x, t)]  # noqa: E731
    many = lambda g: lambda x: list(vmap(g)(*x))  # noqa: E731
    return {
        "gradient": lambda x, t, m, n: list(grad(loss, every)(*x)),
        "second": lambda x, t, m, n: list(grad(total, every)(*x)),
        "jvp": lambda x, t, m, n: tangent(x, t),
        "jvp of gradient": lambda x, t, m, n: list(jvp(lambda *x: tuple(grad(loss, every)(*x)), x, t)),
        "vmap of gradient": lambda x, t, m, n: many(lambda *x: tuple(grad(loss, every)(*x)))(m),
        "vmap of jvp": lambda x, t, m, n: [vmap(lambda *both: jvp(lambda *x: f(xp, *x), both[:count], both[count:]))(*m, *n)],
    }


def of_tensorc(f, arguments):
    names = kinds(f, ours, lambda g, n: tc.grad(g, argnums=n), lambda g, x, t: tc.jvp(g, tuple(x), tuple(t))[1], tc.vmap, len(arguments[0]), tc.asarray)
    given = [[tc.asarray(x) for x in part] for part in arguments]
    made = tc.jit(lambda *parts: {kind: make(*parts) for kind, make in names.items()})(*given)
    return {kind: [np.asarray(y) for y in values] for kind, values in made.items()}


def of_judge(judge, f, arguments):
    """None stands for what the judge cannot do."""
    xp = PEERS[judge]
    if judge == "PyTorch":
        wrap, grad = torch.as_tensor, lambda g, n: torch.func.grad(g, n)
        names = kinds(f, xp, grad, lambda g, x, t: torch.func.jvp(g, tuple(x), tuple(t))[1], torch.func.vmap, len(arguments[0]), wrap)
    else:
        wrap = jnp.asarray
        names = kinds(f, xp, lambda g, n: jax.grad(g, n), lambda g, x, t: jax.jvp(g, tuple(x), tuple(t))[1], jax.vmap, len(arguments[0]), wrap)
    given, made = [[wrap(x) for x in part] for part in arguments], {}
    for kind, make in names.items():
        try:
            made[kind] = [np.asarray(y.detach() if judge == "PyTorch" else y) for y in make(*given)]
        except Exception as error:  # the judge's own limits
            made[kind] = f"{type(error).__name__}: {str(error).splitlines()[0][:120]}"
    return made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", choices=("first", "others", "all"), default="first")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    random = np.random.default_rng(7)
    table = {(judge, kind): [0, 0, 0] for judge in PEERS for kind in kinds(None, None, None, None, None, 0, None)}
    wrong, count = 0, 0
    chosen = {"first": slice(0, 1), "others": slice(1, None), "all": slice(None)}[options.sets]
    for name, f, sets in functions():
        if options.names and name not in options.names:
            continue
        count += 1
        for specs in sets[chosen]:
            arguments = [[draw(random, spec, front) for spec in specs] for front in ((), (), (BATCH,), (BATCH,))]
            try:
                made = of_tensorc(f, arguments)
            except (ValueError, TypeError, RuntimeError) as error:
                wrong += 1
                print(f"{name} {specs}: {str(error).splitlines()[0][:300]}")
                continue
            for judge in PEERS:
                for kind, expected in of_judge(judge, f, arguments).items():
                    row = table[judge, kind]
                    if isinstance(expected, str):
                        row[2] += 1
                        if options.names:
                            print(f"{name} {specs}: {judge} has no {kind}: {expected}")
                        continue
                    for x, y in zip(made[kind], expected, strict=True):
                        row[0] += 1
                        if x.shape == y.shape and np.allclose(x, y, 1e-6, 1e-8, equal_nan=True):
                            row[1] += 1
                        else:
                            wrong += 1
                            print(f"{kind} of {name} {specs}: {x.ravel()[:4]}, {judge} {y.ravel()[:4]}")
    print("| | judge | cases | agree | judge cannot |\n|---|---|---|---|---|")
    for (judge, kind), row in table.items():
        print(f"| {kind} | {judge} | " + " | ".join(map(str, row)) + " |")
    cases, agree = (sum(row[i] for row in table.values()) for i in (0, 1))
    print(f"{cases} cases of {count} functions: {agree} agree, {wrong} wrong")
    sys.exit(wrong > 0)


main()
