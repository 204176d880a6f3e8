"""Fifty small models, with the gradient where a model is trained, whose results are compared bit by bit.

Weights and inputs are drawn by tensorc.random, so nothing depends on another library. Functions that call LAPACK are not
here: their bits are those of the library that is installed.
"""

import tensorc as tc
from tensorc import nn

MODELS = {}


def model(function):
    MODELS[function.__name__] = function
    return function


class Draws:
    """Draws arrays from one stream of keys."""

    def __init__(self, seed):
        self.key = tc.random.key(seed)

    def next_key(self):
        self.key, key = tc.random.split(self.key, 2)
        return key

    def __call__(self, *shape, dtype="float32", scale=1.0):
        return (tc.random.normal(self.next_key(), shape) * scale).astype(dtype)

    def integers(self, low, high, *shape):
        return tc.random.randint(self.next_key(), shape, low, high)


def with_gradient(loss, *arguments):
    """The loss and its gradient by the first argument, as a list of arrays."""
    value, gradient = tc.value_and_grad(loss)(*arguments)
    return [value, *tc.tree.leaves(gradient)]


def mlp(activation, seed, dtype="float32"):
    draw = Draws(seed)
    weights = [draw(n, m, dtype=dtype, scale=n**-0.5) for n, m in ((20, 64), (64, 48), (48, 10))]
    x, target = draw(17, 20, dtype=dtype), draw(17, 10, dtype=dtype)

    def loss(weights, x):
        for w in weights[:-1]:
            x = activation(x @ w)
        return tc.mean(tc.square(x @ weights[-1] - target))

    return with_gradient(loss, weights, x)


@model
def mlp_relu():
    return mlp(nn.relu, 1)


@model
def mlp_gelu():
    return mlp(nn.gelu, 2)


@model
def mlp_silu():
    return mlp(nn.silu, 3)


@model
def mlp_tanh():
    return mlp(tc.tanh, 4)


@model
def mlp_leaky_relu():
    return mlp(nn.leaky_relu, 5)


@model
def mlp_f64():
    return mlp(tc.tanh, 6, "float64")


@model
def mlp_bf16():
    return mlp(nn.relu, 7, "bfloat16")


@model
def mlp_f16():
    return mlp(nn.relu, 8, "float16")


@model
def logistic_regression():
    draw = Draws(9)
    x, y = draw(200, 13), (draw(200) > 0).astype("float32")
    return with_gradient(lambda w: nn.binary_cross_entropy_with_logits(x @ w, y), draw(13))


@model
def softmax_regression():
    draw = Draws(10)
    x, y = draw(100, 30), draw.integers(0, 7, 100)
    return with_gradient(lambda w: nn.cross_entropy(x @ w, y), draw(30, 7))


def conv_net(seed, dims, **options):
    draw = Draws(seed)
    groups = options.get("groups", 1)
    spatial = {1: (67,), 2: (19, 23), 3: (7, 9, 8)}[dims]
    x, w = draw(2, 8, *spatial), draw(16, 8 // groups, *[3] * dims, scale=0.2)
    return with_gradient(lambda w: tc.mean(tc.square(nn.relu(nn.conv(x, w, **options)))), w)


@model
def conv_1d():
    return conv_net(11, 1)


@model
def conv_2d():
    return conv_net(12, 2, padding=1)


@model
def conv_3d():
    return conv_net(13, 3)


@model
def conv_strided():
    return conv_net(14, 2, stride=2, padding=1)


@model
def conv_dilated():
    return conv_net(15, 2, dilation=2)


@model
def conv_grouped():
    return conv_net(16, 2, groups=4)


@model
def conv_depthwise():
    return conv_net(17, 2, groups=8, padding=1)


@model
def conv_transposed():
    draw = Draws(18)
    x, w = draw(2, 8, 9, 11), draw(8, 6, 3, 3, scale=0.2)
    return with_gradient(lambda w: tc.mean(tc.square(nn.conv_transpose(x, w, stride=2))), w)


@model
def residual_block():
    draw = Draws(19)
    x = draw(2, 16, 14, 14)
    weights = [draw(16, 16, 3, 3, scale=0.1), draw(16, 16, 3, 3, scale=0.1)]

    def loss(weights):
        y = nn.relu(nn.group_norm(nn.conv(x, weights[0], padding=1), 4))
        y = nn.group_norm(nn.conv(y, weights[1], padding=1), 4)
        return tc.mean(tc.square(nn.relu(x + y)))

    return with_gradient(loss, weights)


@model
def pooled_classifier():
    draw = Draws(20)
    x, w, v = draw(3, 3, 32, 32), draw(8, 3, 5, 5, scale=0.1), draw(8, 10)
    y = nn.max_pool(nn.relu(nn.conv(x, w, stride=2)), 2)
    return [tc.softmax(tc.mean(y, axis=(2, 3)) @ v, axis=-1), nn.avg_pool(y, 2)]


@model
def squeeze_and_excite():
    draw = Draws(21)
    x, down, up = draw(2, 24, 10, 10), draw(24, 6), draw(6, 24)
    scale = tc.sigmoid(nn.relu(tc.mean(x, axis=(2, 3)) @ down) @ up)
    return [x * scale[:, :, None, None]]


def attention_block(seed, causal, kv_heads=4, dtype="float32"):
    draw = Draws(seed)
    q, k, v = draw(2, 4, 33, 16, dtype=dtype), draw(2, kv_heads, 33, 16, dtype=dtype), draw(2, kv_heads, 33, 16, dtype=dtype)
    return [nn.attention(q, k, v, causal=causal)]


@model
def attention_full():
    return attention_block(22, False)


@model
def attention_causal():
    return attention_block(23, True)


@model
def attention_grouped():
    return attention_block(24, True, kv_heads=2)


@model
def attention_f16():
    return attention_block(25, False, dtype="float16")


@model
def attention_bf16():
    return attention_block(26, True, dtype="bfloat16")


@model
def transformer_block():
    draw = Draws(27)
    d, heads = 32, 4
    x = draw(2, 12, d)
    weights = {"qkv": draw(d, 3 * d, scale=0.2), "out": draw(d, d, scale=0.2), "up": draw(d, 64, scale=0.2), "down": draw(64, d, scale=0.2)}

    def loss(w):
        h = nn.layer_norm(x)
        q, k, v = (tc.transpose(tc.reshape(t, (2, 12, heads, d // heads)), (0, 2, 1, 3)) for t in tc.split(h @ w["qkv"], 3, axis=-1))
        a = tc.reshape(tc.transpose(nn.attention(q, k, v, causal=True), (0, 2, 1, 3)), (2, 12, d))
        y = x + a @ w["out"]
        return tc.mean(tc.square(y + nn.gelu(nn.layer_norm(y) @ w["up"]) @ w["down"]))

    return with_gradient(loss, weights)


@model
def rotary_embedding():
    draw = Draws(28)
    x = draw(2, 3, 17, 16)
    angle = tc.arange(17, dtype="float32")[:, None] / 10000 ** (tc.arange(8, dtype="float32") / 8)
    a, b = x[..., :8], x[..., 8:]
    return [tc.concatenate([a * tc.cos(angle) - b * tc.sin(angle), a * tc.sin(angle) + b * tc.cos(angle)], axis=-1)]


@model
def mixture_of_experts():
    draw = Draws(29)
    x, gate, experts = draw(24, 16), draw(16, 5), draw(5, 16, 16)
    weight, index = tc.topk(tc.softmax(x @ gate, axis=-1), 2)
    every = tc.einsum("bi,eij->bej", x, experts)
    return [tc.sum(tc.take_along_axis(every, index[:, :, None], axis=1) * weight[:, :, None], axis=1)]


@model
def norms():
    draw = Draws(30)
    x = draw(4, 12, 50, scale=3.0)
    return [nn.layer_norm(x), nn.rms_norm(x), nn.group_norm(x, 3), nn.instance_norm(x)]


def recurrent(seed, cell, width):
    draw = Draws(seed)
    xs, w, u = draw(15, 3, 8), draw(8, width, scale=0.3), draw(6, width, scale=0.3)

    def loss(w):
        carry = (tc.zeros((3, 6)), tc.zeros((3, 6)))
        _, ys = tc.scan(lambda c, x: cell(c, x @ w, u), carry, xs)
        return tc.mean(tc.square(ys))

    return with_gradient(loss, w)


@model
def elman_network():
    def cell(carry, x, u):
        h = tc.tanh(x + carry[0] @ u)
        return (h, carry[1]), h

    return recurrent(31, cell, 6)


@model
def lstm():
    def cell(carry, x, u):
        i, f, g, o = tc.split(x + carry[0] @ u, 4, axis=-1)
        c = tc.sigmoid(f) * carry[1] + tc.sigmoid(i) * tc.tanh(g)
        h = tc.sigmoid(o) * tc.tanh(c)
        return (h, c), h

    return recurrent(32, cell, 24)


@model
def embedding_bag():
    draw = Draws(33)
    table, words = draw(50, 12), draw.integers(0, 50, 9, 7)
    return with_gradient(lambda table: tc.mean(tc.square(tc.sum(nn.embedding(words, table), axis=1))), table)


@model
def graph_network():
    draw = Draws(34)
    nodes, source, target, w = draw(40, 8), draw.integers(0, 40, 120), draw.integers(0, 40, 120), draw(8, 8)
    messages = nn.relu(nodes[source] @ w)
    return [tc.zeros((40, 8)).at[target].add(messages)]


@model
def adam_steps():
    draw = Draws(35)
    x, y, w = draw(64, 9), draw(64), draw(9)
    m = v = tc.zeros((9,))
    gradient = tc.grad(lambda w: tc.mean(tc.square(x @ w - y)))
    for step in range(1, 6):
        g = gradient(w)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        w = w - 0.01 * (m / (1 - 0.9**step)) / (tc.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return [w, m, v]


@model
def variational_autoencoder():
    draw = Draws(36)
    x, encode, decode, noise = draw(16, 30), draw(30, 8, scale=0.2), draw(4, 30, scale=0.2), draw(16, 4)

    def loss(weights):
        mean, log_variance = tc.split(x @ weights[0], 2, axis=-1)
        z = mean + tc.exp(0.5 * log_variance) * noise
        divergence = -0.5 * tc.mean(1 + log_variance - mean * mean - tc.exp(log_variance))
        return tc.mean(tc.square(z @ weights[1] - x)) + divergence

    return with_gradient(loss, [encode, decode])


@model
def quantized_linear():
    draw = Draws(37)
    x, w = draw.integers(-128, 128, 17, 64).astype("int8"), draw.integers(-128, 128, 64, 24).astype("int8")
    return [tc.matmul(x.astype("int32"), w.astype("int32")), x.astype("float32") @ w.astype("float32") * 0.02]


@model
def kalman_filter():
    draw = Draws(38)
    a, observations = tc.eye(3) + 0.1 * draw(3, 3), draw(25)

    def step(carry, z):
        x, p = carry
        x, p = a @ x, a @ p @ a.T + 0.1 * tc.eye(3)
        gain = p[:, 0] / (p[0, 0] + 0.5)
        x = x + gain * (z - x[0])
        return (x, p - gain[:, None] * p[0][None, :]), x

    (x, p), track = tc.scan(step, (tc.zeros((3,)), tc.eye(3)), observations)
    return [x, p, track]


@model
def hidden_markov_model():
    draw = Draws(39)
    transition, emission = tc.log_softmax(draw(6, 6), axis=-1), tc.log_softmax(draw(6, 9), axis=-1)
    symbols = draw.integers(0, 9, 30)

    def step(alpha, symbol):
        alpha = tc.logsumexp(alpha[:, None] + transition, axis=0) + emission[:, symbol]
        return alpha, alpha

    return list(tc.scan(step, tc.zeros((6,)), symbols))


@model
def heat_equation():
    draw = Draws(40)
    u = draw(40, 40)
    for _ in range(6):
        inner = u[1:-1, 1:-1]
        laplacian = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * inner
        u = tc.pad(inner + 0.1 * laplacian, ((1, 1), (1, 1)))
    return [u]


@model
def n_body():
    draw = Draws(41)
    x, v, mass = draw(24, 3), draw(24, 3), tc.abs(draw(24))
    for _ in range(3):
        offset = x[None] - x[:, None]
        distance = tc.sum(offset * offset, axis=-1) + 0.1
        v = v + 0.01 * tc.sum(offset * (mass[None] / (distance * tc.sqrt(distance)))[..., None], axis=1)
        x = x + 0.01 * v
    return [x, v]


@model
def lotka_volterra():
    def step(carry, _):
        x, y = carry
        x, y = x + 0.01 * (1.1 * x - 0.4 * x * y), y + 0.01 * (0.1 * x * y - 0.4 * y)
        return (x, y), tc.stack([x, y])

    _, track = tc.scan(step, (tc.array(10.0), tc.array(5.0)), tc.arange(200))
    return [track]


@model
def mandelbrot():
    c = (tc.linspace(-2, 1, 48)[None, :] + 1j * tc.linspace(-1, 1, 32)[:, None]).astype("complex64")
    z, count = c * 0, tc.zeros((32, 48), dtype="int32")
    for _ in range(20):
        inside = tc.abs(z) < 2
        z, count = tc.where(inside, z * z + c, z), count + inside.astype("int32")
    return [count, tc.real(z)]


@model
def k_means():
    draw = Draws(45)
    points, centers = draw(150, 2), draw(4, 2)
    for _ in range(4):
        nearest = tc.argmin(tc.sum(tc.square(points[:, None] - centers[None]), axis=-1), axis=1)
        member = (nearest[:, None] == tc.arange(4)[None]).astype("float32")
        centers = member.T @ points / tc.maximum(tc.sum(member, axis=0), 1.0)[:, None]
    return [centers, nearest]


@model
def power_iteration():
    draw = Draws(46)
    a, v = draw(30, 30), draw(30)
    a = a @ a.T
    for _ in range(8):
        v = a @ v
        v = v / tc.sqrt(tc.sum(v * v))
    return [v, v @ a @ v]


@model
def black_scholes():
    draw = Draws(47)
    spot, strike, years = tc.exp(0.2 * draw(500)), tc.exp(0.2 * draw(500)), tc.abs(draw(500)) + 0.1

    def price(spot):
        d1 = (tc.log(spot / strike) + (0.03 + 0.02) * years) / (0.2 * tc.sqrt(years))
        normal = lambda x: 0.5 * (1 + tc.erf(x / 2**0.5))
        return tc.sum(spot * normal(d1) - strike * tc.exp(-0.03 * years) * normal(d1 - 0.2 * tc.sqrt(years)))

    return with_gradient(price, spot)


@model
def monte_carlo():
    key = tc.random.key(48)
    path = tc.exp(tc.cumsum(0.01 * tc.random.normal(key, (256, 32)), axis=1))
    return [path[:, -1], tc.mean(tc.maximum(path[:, -1] - 1.0, 0.0)), tc.random.uniform(key, (101,)), tc.random.bits(key, (17,))]


@model
def page_rank():
    draw = Draws(49)
    links = (draw(60, 60) > 1).astype("float32")
    links = links / tc.maximum(tc.sum(links, axis=0), 1.0)
    rank = tc.full((60,), 1 / 60)
    for _ in range(10):
        rank = 0.15 / 60 + 0.85 * (links @ rank)
    return [rank, tc.sort(rank), tc.argsort(rank)]


@model
def spectrogram():
    draw = Draws(50)
    signal = draw(8, 64)
    spectrum = tc.fft.rfft(signal * tc.sin(tc.arange(64, dtype="float32")), axis=-1)
    return [tc.real(spectrum), tc.imag(spectrum), tc.log1p(tc.abs(spectrum)), tc.fft.irfft(spectrum, n=64, axis=-1)]


@model
def game_of_life():
    cells = (Draws(51)(32, 40) > 0.5).astype("int32")
    for _ in range(8):
        around = sum(tc.roll(cells, (i, j), axis=(0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - cells
        cells = ((around == 3) | ((around == 2) & (cells == 1))).astype("int32")
    return [cells, tc.sum(cells)]
