"""Layers, losses and optimizers."""

import numpy as np
import pytest

import tensorc as tc
from tensorc import nn, optim


class Net(nn.Module):
    def __init__(self, key):
        a, b = tc.random.split(key)
        self.conv = nn.Conv2d(1, 4, 3, key=a, padding=1)
        self.norm = nn.LayerNorm(4 * 16)
        self.head = nn.Linear(4 * 16, 3, key=b)
        self.scale = 2.0

    def __call__(self, x):
        x = nn.relu(self.conv(x))
        return self.head(self.norm(x.reshape(x.shape[0], -1))) * self.scale


def test_a_module_is_a_tree(tmp_path):
    net = Net(tc.random.key(0))
    names = ["conv.weight", "conv.bias", "norm.weight", "norm.bias", "head.weight", "head.bias"]
    assert list(net.parameters()) == names and len(tc.tree.leaves(net)) == 6 and "float32[3, 64]" in repr(net)
    twice = tc.tree.map(lambda x: x * 2, net)
    assert isinstance(twice, Net) and twice.scale == 2.0 and twice.conv.padding == 1
    tc.save(tmp_path / "net.safetensors", net.parameters())
    other = Net(tc.random.key(1)).update(tc.load(tmp_path / "net.safetensors"))
    x = tc.random.normal(tc.random.key(2), (2, 1, 4, 4))
    assert other(x).tolist() == net(x).tolist() == tc.jit(lambda n, x: n(x))(net, x).tolist()
    with pytest.raises(ValueError):
        net.update({})
    with pytest.raises(AttributeError):
        net.nothing


@pytest.mark.parametrize("optimizer", [optim.SGD(0.1), optim.SGD(0.02, momentum=0.9, nesterov=True), optim.Adam(0.05),
                                       optim.AdamW(optim.cosine_schedule(0.05, 100, warmup=5)), optim.Lion(0.01)])  # fmt: skip
def test_training(optimizer):
    x = tc.random.normal(tc.random.key(1), (64, 2))
    labels = (x[:, 0] * x[:, 1] > 0).astype(tc.int64)
    model = nn.Sequential(nn.Linear(2, 16, key=tc.random.key(2)), nn.ReLU(), nn.Linear(16, 2, key=tc.random.key(3)))
    loss = tc.value_and_grad(lambda m: nn.cross_entropy(m(x), labels))

    @tc.jit
    def step(model, state):
        value, gradient = loss(model)
        model, state = optimizer.update(model, optim.clip_by_global_norm(gradient, 5.0), state)
        return model, state, value

    state = optimizer.init(model)
    for i in range(60):
        model, state, value = step(model, state)
        first = value.item() if i == 0 else first
    assert step.traces == 1 and state["step"].item() == 60 and value.item() < 0.75 * first


def test_layers():
    key = tc.random.key(0)
    x = tc.random.normal(key, (2, 6, 8))
    a = nn.MultiHeadAttention(8, 2, key=key)
    assert a(x, causal=True).shape == x.shape
    np.testing.assert_allclose(nn.LayerNorm(8)(x).mean(-1).numpy(), 0, atol=1e-5)
    assert nn.RMSNorm(8)(x).shape == nn.GroupNorm(3, 6)(x).shape == x.shape
    y, norm = nn.BatchNorm(6).train(x)
    assert abs(y.mean().item()) < 1e-5 and norm.mean.shape == (6,) and norm(x).shape == x.shape
    assert nn.Embedding(5, 3, key=key)(tc.asarray([0, 4])).shape == (2, 3)
    assert nn.MaxPool2d(2)(tc.ones((1, 1, 4, 6))).shape == nn.AvgPool2d(2)(tc.ones((1, 1, 4, 6))).shape == (1, 1, 2, 3)
    assert nn.Dropout(0.5)(x) is x and nn.Dropout(0.5)(x, key).shape == x.shape
    assert nn.Conv1d(6, 4, 3, key=key, stride=2)(x).shape == (2, 4, 3)
    assert nn.conv_transpose(tc.ones((1, 2, 3, 3)), tc.ones((2, 1, 2, 2)), stride=2).shape == (1, 1, 6, 6)
    for loss in (nn.mse_loss, nn.l1_loss, nn.huber_loss, nn.binary_cross_entropy_with_logits):
        assert loss(tc.ones(3), tc.zeros(3), reduction="none").shape == (3,) and loss(tc.ones(3), tc.zeros(3)).shape == ()
    with pytest.raises(ValueError):
        nn.mse_loss(x, x, reduction="nothing")


def scattered(x, w, stride, padding, output_padding, groups, dilation):
    """conv_transpose by its definition: each element adds the kernel, times itself, where it stands."""
    d, channels = len(stride), w.shape[1]
    k = w.shape[2:]
    size = [(n - 1) * s + m * (e - 1) + 1 + o for n, s, m, e, o in zip(x.shape[2:], stride, dilation, k, output_padding)]
    y = np.zeros((x.shape[0], groups * channels, *size))
    per = x.shape[1] // groups
    for c in range(x.shape[1]):
        out = slice(c // per * channels, (c // per + 1) * channels)
        for at in np.ndindex(*x.shape[2:]):
            place = tuple(slice(i * s, i * s + m * (e - 1) + 1, m) for i, s, m, e in zip(at, stride, dilation, k))
            y[(slice(None), out, *place)] += x[(slice(None), c, *at)].reshape(-1, *[1] * (d + 1)) * w[c]
    return y[(slice(None), slice(None), *[slice(p, n - p) for p, n in zip(padding, size)])]


def test_conv_transpose():
    rng = np.random.default_rng(0)
    for sizes, k, stride, padding, more, groups, dilation in [
        ((5,), (4,), (2,), (1,), (0,), 1, (1,)), ((4,), (3,), (2,), (2,), (1,), 2, (1,)), ((3,), (2,), (5,), (0,), (4,), 1, (1,)),
        ((1,), (1,), (3,), (0,), (2,), 1, (1,)), ((6,), (7,), (3,), (3,), (0,), 1, (1,)), ((4,), (3,), (2,), (0,), (1,), 1, (2,)),
        ((3, 4), (3, 2), (2, 3), (1, 0), (1, 2), 2, (1, 1)), ((2, 3), (4, 4), (2, 2), (1, 1), (0, 0), 1, (1, 1)),
        ((3, 2), (3, 1), (2, 1), (2, 0), (0, 0), 1, (1, 1)), ((2, 3, 2), (2, 3, 1), (2, 2, 2), (0, 1, 0), (0, 1, 1), 1, (1, 1, 1)),
    ]:  # fmt: skip
        x, w = rng.standard_normal((2, 2 * groups, *sizes)), rng.standard_normal((2 * groups, 3, *k))
        x[0, 0].flat[0] = np.inf  # reaches what it is multiplied with, and no more
        settings = {"stride": stride, "padding": padding, "output_padding": more, "groups": groups, "dilation": dilation}
        y = nn.conv_transpose(tc.asarray(x), tc.asarray(w), **settings).numpy()
        np.testing.assert_allclose(y, scattered(x, w, stride, padding, more, groups, dilation), atol=1e-12)
        last = nn.conv_transpose(tc.asarray(np.moveaxis(x, 1, -1)), tc.asarray(np.moveaxis(w, (0, 1), (-2, -1))), layout="channels_last", **settings)
        np.testing.assert_allclose(np.moveaxis(last.numpy(), -1, 1), y, atol=1e-12)


def test_vmap():
    f = tc.vmap(lambda x, w: w @ x, (1, None), out_axes=1)
    x, w = tc.arange(6, dtype=tc.float32).reshape(2, 3), tc.ones((4, 2))
    np.testing.assert_allclose(f(x, w).numpy(), (w @ x).numpy())
    grads = tc.vmap(tc.grad(lambda x: (x * x).sum()))(x)
    np.testing.assert_allclose(grads.numpy(), 2 * x.numpy())


@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("times, batch", [(5, 2), (1, 1), (0, 3)])
def test_lstm(times, batch, batch_first):
    lstm = nn.LSTM(3, 4, key=tc.random.key(0), batch_first=batch_first)
    xs = np.random.default_rng(0).normal(size=(times, batch, 3)).astype(np.float32)

    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    h = c = np.zeros((batch, 4))
    expected = []
    for x in xs:
        gates = x @ lstm.weight_ih.numpy().T + lstm.bias_ih.numpy() + h @ lstm.weight_hh.numpy().T + lstm.bias_hh.numpy()
        i, f, g, o = np.split(gates, 4, axis=-1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        expected.append(h)
    outputs, (last, cell) = lstm(tc.asarray(xs.swapaxes(0, 1) if batch_first else xs))
    made = outputs.numpy().swapaxes(0, 1) if batch_first else outputs.numpy()
    np.testing.assert_allclose(made, np.array(expected).reshape(times, batch, 4), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(last.numpy(), h, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(cell.numpy(), c, rtol=1e-5, atol=1e-6)


def test_lstm_learns():
    lstm = nn.LSTM(2, 3, key=tc.random.key(1))
    gradient = tc.grad(lambda m: tc.mean(tc.square(m(tc.ones((4, 2, 2)))[0])))(lstm)
    assert gradient.weight_hh.shape == (12, 3) and float(tc.max(tc.abs(gradient.weight_ih))) > 0
    with pytest.raises(ValueError, match="3 axes"):
        lstm(tc.ones((4, 2)))


def test_attention_of_a_query_that_sees_nothing_has_a_gradient():
    rng = np.random.default_rng(0)
    q, k, v = (tc.asarray(rng.standard_normal((1, 1, 3, 4))) for _ in range(3))
    blind = np.zeros((3, 3))
    blind[1] = -np.inf

    def loss(q, k, v):
        return tc.sum(nn.functional.attention(q, k, v, mask=tc.asarray(blind)) ** 2)

    gradients = [np.asarray(g) for g in tc.grad(loss, (0, 1, 2))(q, k, v)]
    assert all(np.isfinite(g).all() for g in gradients)
    assert not gradients[0][0, 0, 1].any() and gradients[0][0, 0, 0].any()


def test_losses_by_their_formulas():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(4, 3)).astype("f"), rng.normal(size=(4, 3)).astype("f")
    p, q = (np.exp(v) / np.exp(v).sum(1, keepdims=True) for v in (a, b))
    x, y, s, t = map(tc.asarray, (a, b, p, q))
    d = np.abs(a - b)
    bits = (b > 0).astype("f")
    cosine = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    labels = np.array([1, -1, 1, -1])
    for made, expected in (
        (nn.mse_loss(x, y, reduction="none"), d * d), (nn.l1_loss(x, y, reduction="sum"), d.sum()), (nn.l1_loss(x, 0.5), np.abs(a - 0.5).mean()),
        (nn.huber_loss(x, y, delta=0.5, reduction="none"), np.where(d <= 0.5, d * d / 2, 0.5 * (d - 0.25))),
        (nn.smooth_l1_loss(x, y, beta=0.5, reduction="none"), np.where(d <= 0.5, d * d, d - 0.25)),
        (nn.smooth_l1_loss(x, y, beta=0.0), d.mean()),
        (nn.kl_div(tc.log(s), t), (q * (np.log(q) - np.log(p))).sum() / 4), (nn.kl_div(tc.log(s), tc.log(t), log_target=True, reduction="sum"), (q * (np.log(q) - np.log(p))).sum()),
        (nn.nll_loss(tc.log(s), tc.asarray([0, 2, -100, 1])), -np.mean([np.log(p[0, 0]), np.log(p[1, 2]), np.log(p[3, 1])])),
        (nn.binary_cross_entropy(s, tc.asarray(bits)), -(bits * np.log(p) + (1 - bits) * np.log(1 - p)).mean()),
        (nn.binary_cross_entropy_with_logits(x, tc.asarray(bits), pos_weight=tc.asarray(2.0)), (2 * bits * np.log1p(np.exp(-a)) + (1 - bits) * np.log1p(np.exp(a))).mean()),
        (nn.cosine_similarity(x, y), cosine),
        (nn.cosine_embedding_loss(x, y, tc.asarray(labels), margin=0.1), np.where(labels > 0, 1 - cosine, np.maximum(cosine - 0.1, 0)).mean()),
        (nn.triplet_margin_loss(x, y, s), np.maximum(np.linalg.norm(a - b + 1e-6, axis=1) - np.linalg.norm(a - p + 1e-6, axis=1) + 1, 0).mean()),
    ):  # fmt: skip
        np.testing.assert_allclose(made.numpy(), expected, rtol=2e-5, atol=1e-6)
    with pytest.raises(ValueError, match="no reduction 'most': mean, sum, none"):
        nn.mse_loss(x, y, reduction="most")
    with pytest.raises(ValueError, match="no reduction 'most': batchmean, mean, sum, none"):
        nn.kl_div(x, y, reduction="most")
    with pytest.raises(ValueError, match=r"huber_loss: delta is -1.*  at .*test_nn.py"):
        nn.huber_loss(x, y, delta=-1.0)
    with pytest.raises(ValueError, match=r"\[4,3\].*\[2\].*test_nn.py"):
        nn.mse_loss(x, tc.ones(2))
    assert tc.grad(lambda v: nn.huber_loss(v, y))(x).shape == (4, 3) and tc.jit(nn.mse_loss)(x, y).shape == ()


def test_windows_and_norms():
    a = np.arange(32, dtype="f").reshape(1, 2, 4, 4)
    x = tc.asarray(a)
    np.testing.assert_array_equal(nn.adaptive_avg_pool(x, 2).numpy(), a.reshape(1, 2, 2, 2, 2, 2).mean((3, 5)))
    np.testing.assert_array_equal(nn.adaptive_max_pool(x, (1, 4)).numpy(), a.max(2, keepdims=True))
    assert "gather" not in repr(tc.explain(lambda x: (nn.adaptive_avg_pool(x, 2), nn.adaptive_max_pool(x, 2)), x))
    with pytest.raises(ValueError, match="3 sizes for 2 spatial dimensions"):
        nn.adaptive_avg_pool(x, (1, 2, 3))
    columns = nn.unfold(x, 2, stride=2).numpy()
    np.testing.assert_array_equal(columns[0, :, 0], a[0, :, :2, :2].reshape(-1))
    np.testing.assert_array_equal(nn.reduce_window(x, "max", (1, 1, 4, 1)).numpy(), a.max(2, keepdims=True))
    for wrong in (lambda: nn.reduce_window(x, "most", 2), lambda: nn.unfold(x, 2, padding="same")):
        with pytest.raises(ValueError):
            wrong()
    np.testing.assert_array_equal(nn.avg_pool(x, 2, divisor_override=1.0).numpy(), 4 * nn.avg_pool(x, 2).numpy())
    wide = nn.layer_norm(x, axes=3).numpy()
    assert abs(wide.mean()) < 1e-6 and abs(wide.std() - 1) < 1e-4
    np.testing.assert_allclose(nn.instance_norm(x).numpy().mean((2, 3)), 0, atol=1e-6)
    np.testing.assert_allclose(nn.batch_norm(x, tc.zeros(2), tc.ones(2), epsilon=0.0).numpy(), a)
    assert nn.embedding(tc.asarray([1, 0]), tc.asarray([[1.0], [2.0]])).tolist() == [[2], [1]] and nn.relu6(tc.asarray([-1, 9])).tolist() == [0, 6]


@pytest.mark.parametrize("name, width", [("xavier_uniform", (2 / 48) ** 0.5), ("xavier_normal", (2 / 48) ** 0.5),
                                         ("kaiming_uniform", (2 / 32) ** 0.5), ("kaiming_normal", (2 / 32) ** 0.5)])  # fmt: skip
def test_initial_values(name, width):
    draw = getattr(nn.init, name)
    x = draw(tc.random.key(0), (16, 32), dtype=tc.float64)
    assert x.dtype == tc.float64 and abs(x.std().item() / width - 1) < 0.1
    assert abs(draw(tc.random.key(0), (16, 8, 2, 2)).std().item() / (width if "kaiming" in name else (2 / 96) ** 0.5) - 1) < 0.1
    with pytest.raises(ValueError, match=f"{name}: weights have at least two dimensions"):
        draw(tc.random.key(0), (3,))


def test_adafactor_and_schedules():
    optimizer = optim.Adafactor(optim.linear_schedule(0.5, 0.1, 100))
    w = {"w": tc.ones((4, 6)), "b": tc.ones(3)}
    state = optimizer.init(w)
    assert state["rows"][1 if state["rows"][0].ndim == 1 else 0].shape == (4, 1)
    loss = tc.value_and_grad(lambda p: tc.sum(tc.square(p["w"] - 3.0)) + tc.sum(tc.square(p["b"])))
    step = tc.jit(lambda w, s: optimizer.update(w, loss(w)[1], s))
    for _ in range(200):
        w, state = step(w, state)
    assert loss(w)[0].item() < 1 and optim.step_schedule(1.0, 10, 0.5)(tc.asarray(25.0)).item() == 0.25
    a, g = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.5, -1.0], [2.0, 0.25]])
    rows, columns = (g * g).mean(1, keepdims=True), (g * g).mean(0, keepdims=True)
    move = g / np.sqrt(rows * columns / rows.mean())
    move /= max(np.sqrt((move * move).mean()), 1)
    made, _ = optim.Adafactor(0.1).update(tc.asarray(a), tc.asarray(g), optim.Adafactor(0.1).init(tc.asarray(a)))
    np.testing.assert_allclose(made.numpy(), a - 0.1 * np.sqrt((a * a).mean()) * move, rtol=1e-5)
    np.testing.assert_allclose(optim.exponential_schedule(2.0, 0.5)(tc.asarray(2.0)).item(), 0.5, rtol=1e-6)


def test_a_scaled_loss_leaves_out_infinite_steps():
    scaler, sgd = optim.LossScaler(initial=4.0, interval=2), optim.SGD(0.5)
    w = {"w": tc.ones(2)}
    state, scaling = sgd.init(w), scaler.init()
    w, state, scaling = scaler.update(sgd, w, {"w": tc.asarray([4.0, tc.inf])}, state, scaling)
    assert w["w"].tolist() == [1, 1] and state["step"].item() == 0 and scaling["scale"].item() == 2
    for _ in range(2):
        w, state, scaling = scaler.update(sgd, w, {"w": tc.ones(2)}, state, scaling)
    assert w["w"].tolist() == [0.5, 0.5] and scaling["scale"].item() == 4


def test_lbfgs_finds_the_valley():
    def rosenbrock(p):
        return tc.square(1 - p["x"]) + 100 * tc.square(p["y"] - tc.square(p["x"]))

    fit = optim.lbfgs(rosenbrock, {"x": tc.asarray(-1.2, dtype=tc.float64), "y": tc.asarray(1.0, dtype=tc.float64)})
    assert fit.converged and abs(fit.parameters["x"].item() - 1) < 1e-4 and fit.loss < 1e-8 and fit.iterations < 60
    with pytest.raises(ValueError, match="a history of 0 steps"):
        optim.lbfgs(rosenbrock, {}, history=0)


@pytest.mark.parametrize("function", [tc.elu, tc.celu])
def test_gradients_where_an_exponential_overflows(function):
    x = tc.asarray([-1000.0, -1.0, 0.0, 88.0, 89.0, np.inf])
    found = tc.grad(lambda v: function(v).sum())(x).numpy()
    np.testing.assert_allclose(found, np.exp(np.minimum(x.numpy(), 0)), rtol=1e-6)


def test_slopes_at_kinks():
    """PyTorch's."""
    for function, points, slopes in ((nn.relu6, [-1, 0, 3, 6, 7], [0, 0, 1, 0, 0]), (nn.hardtanh, [-2, -1, 0.5, 1, 2], [0, 0, 1, 0, 0]),
                                     (tc.hardswish, [-4, -3, 0, 3, 4], [0, 0, 0.5, 1, 1])):  # fmt: skip
        x = tc.asarray(points, dtype=tc.float32)
        assert tc.grad(lambda v: function(v).sum())(x).tolist() == slopes
        assert tc.jvp(function, (x,), (tc.ones(5),))[1].tolist() == slopes
    assert nn.relu6(tc.asarray([tc.nan, -1.0, 7.0])).tolist()[1:] == [0, 6] and np.isnan(nn.hardtanh(tc.asarray(tc.nan)).item())
    assert nn.relu6(tc.asarray([-1, 3, 9])).dtype == tc.asarray([1]).dtype


def test_gradients_of_logaddexp_beside_infinities():
    """1 for the infinite operand, as PyTorch and JAX; of two, each, as JAX."""
    inf = tc.inf
    x, y = tc.asarray([2.0, inf, inf, inf, -inf, -inf]), tc.asarray([inf, 2.0, -inf, inf, 2.0, -inf])
    for function in (tc.logaddexp, tc.logaddexp2):
        first, second = tc.vjp(function, x, y)[1](tc.ones(6))
        assert first.tolist() == [0, 1, 1, 1, 0, 1] and second.tolist() == [1, 0, 0, 1, 1, 1]
        bent = tc.grad(lambda v: tc.grad(lambda w: function(w, y).sum())(v).sum())(x)
        assert not np.isnan(bent.numpy()).any()
    slopes = tc.grad(lambda v: tc.logcumsumexp(v, axis=0).sum())
    assert slopes(tc.asarray([-inf, inf, 1.0, -inf])).tolist() == [0, 3, 0, 0] and slopes(tc.asarray([inf, inf])).tolist() == [2, 1]


def test_cross_entropy_with_probabilities():
    rng = np.random.default_rng(3)
    for shape in ((4, 3), (2, 3, 5), (3,)):
        x, p = rng.normal(size=shape), rng.uniform(size=shape)
        axis = 0 if len(shape) == 1 else 1
        w = np.array([1.0, 2.0, 0.5])
        logs = x - np.log(np.exp(x).sum(axis, keepdims=True))
        along = w.reshape([3 if a == axis else 1 for a in range(len(shape))])
        for smoothing in (0.0, 0.1):
            each = -((p * (1 - smoothing) + smoothing / 3) * logs * along).sum(axis)
            for reduction, expected in (("none", each), ("mean", each.mean()), ("sum", each.sum())):
                made = nn.cross_entropy(tc.asarray(x), tc.asarray(p), weight=tc.asarray(w), reduction=reduction, label_smoothing=smoothing)
                np.testing.assert_allclose(made.numpy(), expected, rtol=1e-12)
    slopes = tc.grad(lambda v: nn.cross_entropy(v, tc.asarray([[0.25, 0.75]])))(tc.zeros((1, 2)))
    np.testing.assert_allclose(slopes.numpy(), [[0.25, -0.25]], rtol=1e-6)
    with pytest.raises(ValueError, match="one number for each of the logits"):
        nn.cross_entropy(tc.zeros((2, 3)), tc.zeros(2))
    with pytest.raises(ValueError, match="label smoothing"):
        nn.cross_entropy(tc.zeros((2, 3)), tc.zeros((2, 3)), label_smoothing=2.0)


def test_flatten():
    x = tc.reshape(tc.arange(24), (2, 3, 4))
    assert nn.Flatten()(x).tolist() == x.reshape(2, 12).tolist()
    assert nn.Flatten(0)(x).shape == (24,) and nn.Flatten(0, 1)(x).shape == (6, 4) and nn.Flatten(-2, -1)(x).shape == (2, 12)
    assert nn.Flatten()(tc.ones((2, 0, 4))).shape == (2, 0) and nn.Flatten(1, 1)(x).shape == (2, 3, 4)
    model = nn.Sequential(nn.Flatten(), nn.Linear(12, 2, key=tc.random.key(0)))
    assert model(tc.ones((5, 3, 4))).shape == (5, 2)
    with pytest.raises(ValueError, match="axis 2 is behind axis 1"):
        nn.Flatten(2, 1)(x)
    with pytest.raises(IndexError, match="axis 3 is out of range for an array of 3 axes"):
        nn.Flatten(3)(x)
