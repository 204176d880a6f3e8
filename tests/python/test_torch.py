"""torch.compile(backend="tensorc") beside eager PyTorch, where that is installed."""

import os
import subprocess
import sys

import numpy as np
import pytest

import tensorc as tc

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import tensorc.torch as backend  # noqa: E402


@pytest.fixture(autouse=True)
def fresh():
    torch.manual_seed(0)
    torch._dynamo.reset()
    backend.reset_report()


def run(function, *args, **kwargs):
    """The compiled function's result, compared with eager's; and the report."""
    made = torch.compile(function, backend="tensorc", **kwargs)(*args)
    expected = function(*args)
    for a, b in zip(made if isinstance(made, tuple) else (made,), expected if isinstance(expected, tuple) else (expected,)):
        assert a.dtype == b.dtype and a.shape == b.shape
        if a.numel():
            assert all(i == j for i, j, size in zip(a.stride(), b.stride(), a.shape) if size > 1)
        torch.testing.assert_close(a, b, rtol=2e-5, atol=2e-5)
    return backend.report()


def gradients(model, call, *args):
    model.zero_grad()
    call(*args).square().mean().backward()
    return [p.grad.clone() for p in model.parameters()]


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.norm, self.conv2 = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.Conv2d(8, 8, 3, groups=2)
        self.out = nn.Linear(8, 4)

    def forward(self, x):
        x = torch.relu(self.norm(self.conv1(x)))
        x = nn.functional.max_pool2d(x, 3, 2, 1)
        x = nn.functional.adaptive_avg_pool2d(self.conv2(x), 1)
        return self.out(x.flatten(1))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.norm = nn.Embedding(50, 16), nn.LayerNorm(16)
        self.layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)

    def forward(self, ids):
        x = self.norm(self.embedding(ids))
        q = k = v = x.unflatten(-1, (2, 8)).transpose(1, 2)
        x = x + nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        return self.layer(x)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 8)

    def forward(self, xs):
        h = xs.new_zeros(xs.shape[1], 8)
        for x in xs:
            h = self.cell(x, h)
        return h


MODELS = [(Convolutions, lambda: torch.randn(2, 3, 16, 16)), (Attention, lambda: torch.randint(0, 50, (2, 7))),
          (Recurrent, lambda: torch.randn(3, 2, 4))]  # fmt: skip


@pytest.mark.parametrize("model, make", MODELS)
def test_inference(model, make):
    model = model().eval()
    torch.backends.mha.set_fastpath_enabled(False)  # which is one operation for a whole layer
    with torch.no_grad():
        report = run(model, make())
    assert report.nodes and not report.fallbacks, report


@pytest.mark.parametrize("model, make", MODELS)
def test_gradients(model, make):
    model, x = model().train(), make()
    made = gradients(model, torch.compile(model, backend="tensorc"), x)
    assert not backend.report().fallbacks, backend.report()
    state = {k: v.clone() for k, v in model.state_dict().items()}
    for a, b in zip(made, gradients(model, model, x)):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)
    if isinstance(model, Convolutions):  # its statistics were changed, by each call
        assert state["norm.num_batches_tracked"] == 1
        assert not torch.equal(state["norm.running_mean"], torch.zeros(8))


def test_statistics_of_batch_norm_are_eagers():
    first, second = nn.BatchNorm1d(3).train(), nn.BatchNorm1d(3).train()
    x = torch.randn(5, 3)
    torch.compile(first, backend="tensorc")(x)
    second(x)
    for a, b in zip(first.state_dict().values(), second.state_dict().values()):
        torch.testing.assert_close(a, b)


def test_an_operation_without_conversion_falls_back():
    def f(x):
        return torch.special.airy_ai(x * 2).abs().sort().values + 1

    report = run(f, torch.eye(3) * torch.tensor([1.0, 2.0, 3.0]))
    assert report.fallbacks and "airy" in str(report)


def test_what_depends_on_values_falls_back():
    report = run(lambda x: (x * 2)[x > 0] + 1, torch.randn(8))
    assert report.nodes


def test_mutation_of_arguments():
    def f(x, y):
        x.add_(y)
        x[0] = 7
        return x * 2

    first, second, y = torch.ones(3), torch.ones(3), torch.arange(3.0)
    a, b = torch.compile(f, backend="tensorc")(first, y), f(second, y)
    assert torch.equal(a, b) and torch.equal(first, second)


def test_results_are_memory_of_their_own():
    compiled = torch.compile(lambda x: (x.clone(), x + 0, x * 1), backend="tensorc")
    x = torch.ones(4)
    for y in compiled(x):
        y.fill_(5)
    assert x.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("has_table", [True, False])
def test_arrays_pass_with_and_without_pytorchs_table_of_functions(monkeypatch, has_table):
    if not has_table:
        monkeypatch.setattr(backend._graph, "_table", None)
    constant = torch.arange(4.0)

    def f(x, i, z, empty):
        y = x.sin()
        return y, y.view(2, 8), constant * 2, x, i + 1, z * 2, empty + 1, torch.ones(3), x.sum()

    z = torch.arange(6).to(torch.complex64).reshape(2, 3).conj()
    x = torch.randn(4, 4, requires_grad=True)
    args = x.detach(), torch.arange(8)[::2], z.imag, torch.empty(0, 3)
    compiled = torch.compile(f, backend="tensorc")
    for _ in range(3):  # what is written to a result changes no later one
        made, expected = compiled(*args), f(*args)
        torch.testing.assert_close(made, expected)
        with torch.no_grad():
            for tensor in (*made[:3], *made[4:]):
                tensor.fill_(7)
        assert (made[1] == 7).all() and not (args[0] == 7).any()
    torch.testing.assert_close(torch.compile(f, backend="tensorc")(x, *args[1:]), f(x, *args[1:]))
    assert not backend.report().fallbacks, backend.report()


@pytest.mark.parametrize("dynamic", [False, True])
def test_results_share_memory_as_eagers_do(dynamic):
    def through_views(x):
        y = x + 1
        z = y.t()
        return y, (z * 2).sum(0), z, y.view(-1)[1:]

    def parts(x):
        y = x + 1
        return y[0], y[1:], y[:1]

    functions = [
        lambda x: (lambda y: (y, y[0]))(x + 1), lambda x: (lambda y: (y, y.view(-1)))(x + 1), lambda x: (lambda y: (y, y.t()))(x + 1),
        parts, lambda x: (x + 1).chunk(2), through_views, lambda x: (x, x[0], x.t()),
        lambda x: (lambda y: (y.t(), y.t()[0], y.sum()))((x * 2).t()), lambda x: (lambda y: (y.split(1)[1], y))(x.sort(0)[0]),
    ]  # fmt: skip
    for function in functions:
        torch._dynamo.reset()
        compiled = torch.compile(function, backend="tensorc", dynamic=dynamic)
        x = torch.arange(4.0).reshape(2, 2)
        for changed in range(len(function(x))):
            expected, made = function(x.clone()), compiled(x.clone())
            assert [m.stride() for m in made] == [e.stride() for e in expected]
            expected[changed].fill_(9)
            made[changed].fill_(9)
            assert all(torch.equal(m, e) for m, e in zip(made, expected)), (made, expected)
    assert backend.report().fallbacks == 0


def test_integer_results_of_training_share_memory_as_eagers_do():
    def f(x):
        y = (x > 0).long()
        return (x * x).sum(), y, y[0], y.t()

    compiled = torch.compile(f, backend="tensorc")
    x = torch.randn(3, 2, requires_grad=True)
    for changed in (1, 2, 3):
        made, expected = compiled(x), f(x)
        made[changed].fill_(9), expected[changed].fill_(9)
        assert all(torch.equal(m, e) for m, e in zip(made[1:], expected[1:])), (made, expected)
        assert torch.equal(torch.autograd.grad(made[0], x)[0], 2 * x)


def test_conversions_to_narrow_integers_wrap_around():
    x = torch.tensor([300.7, -300.2, 70000.0, -5.0, 127.0, 255.0])
    run(lambda x: (x.to(torch.int8), x.to(torch.uint8), x.to(torch.int16), x.double().to(torch.int8)), x)


def test_order_statistics():
    def f(x):
        return (*x.cummax(1), *x.cummin(0), x.median(1)[0], x.nanmedian(1)[0], x.median(), x.nanmedian(), x.kthvalue(2, 0)[0],
                torch.fmin(x, x.flip(0)), torch.fmax(x, x.flip(0)))  # fmt: skip

    x = torch.tensor([[3.0, float("nan"), 1.0, 2.0], [4.0, 0.0, -1.0, 7.0], [float("nan")] * 4])
    for made, expected in zip(torch.compile(f, backend="tensorc")(x), f(x), strict=True):
        torch.testing.assert_close(made, expected, equal_nan=True)
    assert not backend.report().fallbacks, backend.report()


def test_changed_weights_are_seen():
    model = nn.Linear(4, 4).eval()
    compiled = torch.compile(model, backend="tensorc")
    x = torch.randn(2, 4)
    with torch.no_grad():
        compiled(x)
        model.weight.mul_(2)
        torch.testing.assert_close(compiled(x), model(x))
        model.bias.data.fill_(3)  # which PyTorch does not count as a version
        torch.testing.assert_close(compiled(x), model(x))
        model.weight = nn.Parameter(torch.randn(4, 4))
        torch.testing.assert_close(compiled(x), model(x))


def test_sizes_that_change():
    compiled = torch.compile(lambda x: (x.reshape(-1) * x.shape[0]).sum() + x.flip(0).cumsum(1), backend="tensorc", dynamic=True)
    for n in (2, 3, 5, 1, 17):
        x = torch.randn(n, 4)
        torch.testing.assert_close(compiled(x), (x.reshape(-1) * n).sum() + x.flip(0).cumsum(1))


def test_sizes_that_depend_on_values():
    def f(x):
        places = x.nonzero()
        return places.t().reshape(-1) * 2 + places.stride(0), x * 2

    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        compiled = torch.compile(f, backend="tensorc", dynamic=True, fullgraph=True)
        for x in (torch.tensor([1, 0, 2]), torch.zeros(4, dtype=torch.int64), torch.ones(2, dtype=torch.int64)):
            for made, expected in zip(compiled(x), f(x)):
                torch.testing.assert_close(made, expected)
    assert "a size that depends on values" in str(backend.report())


def test_strides_in_a_graph():
    from torch.fx.experimental.proxy_tensor import make_fx

    def f(x):
        return x * 2 * x.stride(0) + x.storage_offset()

    x = torch.randn(6, 8)
    module = make_fx(f, tracing_mode="symbolic")(x)
    assert any(n.target is torch.ops.aten.sym_stride.int for n in module.graph.nodes)
    graph = backend.Graph(module, "inference")
    torch.testing.assert_close(graph([x]), f(x))
    assert not graph.fallbacks, graph.fallbacks
    graph = backend.Graph(make_fx(f, tracing_mode="symbolic")(x[1:, ::2]), "inference")
    torch.testing.assert_close(graph([x[1:, ::2]]), f(x[1:, ::2]))
    assert "not contiguous" in str(graph.fallbacks)


def test_a_size_that_a_conversion_refuses(monkeypatch):
    def sin(n, x):
        if x.shape[0] == 5:
            raise ValueError("of five")
        return tc.sin(x)

    monkeypatch.setitem(backend._graph.table, torch.ops.aten.sin.default, sin)
    compiled = torch.compile(lambda x: (x * 2).sin() + 1, backend="tensorc", dynamic=True)
    for n in (3, 4, 5, 6):
        assert ("of five" in str(backend.report())) == (n > 5)
        x = torch.randn(n)
        torch.testing.assert_close(compiled(x), (x * 2).sin() + 1)


def test_layouts_of_memory():
    x = torch.randn(4, 6)
    run(lambda x: x.t() + 1, x)
    run(lambda x: x[:, ::2] * 2, x)
    run(lambda x: x.expand(3, 4, 6) * 2, x)
    run(lambda x: torch.relu(x), torch.randn(2, 3, 4, 4).to(memory_format=torch.channels_last))


def test_empty_and_scalars():
    run(lambda x: (x.sum(), x * 2, x.mean(0)), torch.zeros(2, 0))
    run(lambda x: x * 2 + 1, torch.tensor(3.0))
    run(lambda x: x + 1, torch.zeros(0, dtype=torch.int64))


def test_dtypes():
    for dtype in (torch.float64, torch.float32, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.int16, torch.uint8):
        run(lambda x: (x * 3 + 1, x / 2, x > 1, -x, x.sum(), x.float().sqrt()), torch.arange(6).to(dtype))
    run(lambda x: (x & ~x, x | True, x.sum(), x.any(), x.long() * 2), torch.tensor([True, False]))
    run(lambda x: (x // -3, x % -3, torch.div(x, 3, rounding_mode="trunc"), torch.fmod(x, 3)), torch.arange(-5, 6))
    run(lambda x: (x // -3, x % -3, torch.div(x, 3, rounding_mode="trunc"), torch.fmod(x, 3)), torch.arange(-5.0, 6.0))


def test_nan_and_infinities():
    x = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0])
    run(lambda x: (x.isnan(), x.isinf(), x == x, torch.where(x > 0, x, 0.0)), x)
    a = torch.compile(lambda x: (torch.relu(x), x.clamp(-1, 1), x.max()), backend="tensorc")(x)
    for made, expected in zip(a, (torch.relu(x), x.clamp(-1, 1), x.max())):
        assert torch.equal(made.nan_to_num(9), expected.nan_to_num(9))


def test_softshrink():
    x = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.5, -0.5, 0.75, -0.75, 0.1, -0.1, 0.0, -0.0])
    for width in 0.5, 0.0, 3.0:
        made = torch.compile(nn.Softshrink(width), backend="tensorc")(x)
        assert torch.equal(made.nan_to_num(9), nn.Softshrink(width)(x).nan_to_num(9))
    a, b = x[3:].clone().requires_grad_(), x[3:].clone().requires_grad_()
    torch.compile(nn.Softshrink(), backend="tensorc")(a).backward(torch.ones(8))
    nn.Softshrink()(b).backward(torch.ones(8))
    assert torch.equal(a.grad, b.grad)


def test_indices():
    x, i = torch.randn(5, 6), torch.tensor([3, -1, 0])
    run(lambda x, i: (x[i], x[:, i], x[i, i], x[1:4:2, None], x[..., -1]), x, i)
    run(lambda x, i: (x.gather(1, i.clamp(0)[None]), x.index_select(0, i.clamp(0)), torch.take_along_dim(x, i.clamp(0)[None], 1)), x, i)
    run(lambda x, i: (x.scatter(1, i.clamp(0)[None], 9.0), x.scatter_add(0, i.clamp(0)[None], x), x.index_add(0, i.clamp(0), x[:3])), x, i)
    run(lambda x: (x.topk(2), x.sort(0, descending=True), x.max(1), x.argmin(0))[0][0], x)
    run(lambda x: (torch.tril(x), x.roll(1, 0), x.unfold(1, 2, 2), x.diagonal(), nn.functional.pad(x, (1, -1), value=2)), x)


@pytest.mark.parametrize("mode", ["circular", "replicate", "reflect"])
def test_paddings_by_what_is_inside(mode):
    x = torch.arange(2 * 3 * 4 * 5 * 6.0).reshape(2, 3, 4, 5, 6)
    for rank, widths in (3, (2, 1)), (4, (1, 2, 3, 0)), (5, (1, 2, 0, 1, 2, 2)):
        inner = x.flatten(0, 5 - rank)
        run(lambda x: nn.functional.pad(x, widths, mode=mode), inner)
        call = lambda x: nn.functional.pad(x, widths, mode=mode).square().sum()
        a, b = inner.clone().requires_grad_(), inner.clone().requires_grad_()
        torch.compile(call, backend="tensorc")(a).backward()
        call(b).backward()
        assert torch.equal(a.grad, b.grad)
    targets = {str(n.target) for n in backend.report().graphs[0].module.graph.nodes}
    if mode != "circular":  # as they are, and not as the indices that PyTorch makes of them
        assert any("pad" in t for t in targets) and not any("index" in t for t in targets)
    else:  # slices of the image beside each other, and nothing that is written into a part
        assert any("cat" in t for t in targets) and not any("scatter" in t or "empty" in t for t in targets)


def test_slices_that_are_written():
    x, narrow = torch.arange(24.0).reshape(4, 6), torch.zeros(4, 6, dtype=torch.int8)
    for start, end, step in (0, 6, 1), (1, 3, 1), (-2, 9, 1), (3, 3, 1), (5, 2, 1), (0, 6, 2), (None, None, 1), (4, None, 1):
        part = x[:, slice(start, end, step)] * -2 if start is None or end is None or start < 0 or end >= start else x[:, :0]
        run(lambda x, y, s=start, e=end, t=step: torch.slice_scatter(x, y, 1, s, e, t), x, part)
        run(lambda x, y, s=start, e=end, t=step: torch.slice_scatter(x, y, 1, s, e, t), narrow, part.to(torch.int8))


def test_slices_that_are_read_after_they_were_written():
    x = torch.arange(24.0).reshape(4, 6)

    def several(x):
        y = torch.zeros(6, 8)
        y[1:5, 1:7] = x  # within two axes
        y[:, :1] = y[:, 6:7]  # of what was written, and of what was not
        y[2:4] = y[3:5] * 2
        y[:, 2:7:2] = 5  # with a step, after which the places are not looked up
        return y[0:3], y[2:6, 1:8], y

    run(several, x)
    run(lambda x: several(x.int())[1], x)

    def twice(x):
        y = x.clone()
        y[:, 1:3] = y[:, 0:2].clone()
        return y, y[:, 1:2] + x[:, :1]

    run(twice, x)


@pytest.mark.parametrize("size, kernel, more", [((5, 7), 3, {}), ((6, 4), (2, 3), {"stride": 2, "padding": 1}), ((4, 4), 1, {}),
                                                ((9, 8), (3, 2), {"dilation": (2, 3), "stride": (3, 2), "padding": (2, 1)})])  # fmt: skip
def test_windows_that_overlap(size, kernel, more):
    columns = nn.functional.unfold(torch.zeros(1, 2, *size), kernel, **more).shape
    fold = lambda x: nn.functional.fold(x, size, kernel, **more)
    for dtype in torch.float32, torch.float64:
        run(fold, torch.randn(3, *columns[1:], dtype=dtype))
        run(fold, torch.randn(columns[1:], dtype=dtype))
    assert not any("index_put" in str(n.target) for n in backend.report().graphs[0].module.graph.nodes)
    a = torch.randn(3, *columns[1:]).requires_grad_()
    b = a.detach().clone().requires_grad_()
    torch.compile(lambda x: fold(x).square().sum(), backend="tensorc")(a).backward()
    fold(b).square().sum().backward()
    torch.testing.assert_close(a.grad, b.grad)


def test_pools():
    x = torch.randn(2, 3, 9, 7)
    run(lambda x: nn.functional.max_pool2d(x, 3, 2, 1, return_indices=True), x)
    run(lambda x: nn.functional.max_pool2d(x, 3, 2, 1, return_indices=True), torch.arange(-8, 8).reshape(1, 1, 4, 4))
    run(lambda x: nn.functional.max_pool2d(x, (2, 3), (2, 1), (1, 0), dilation=2, ceil_mode=True), x)
    run(lambda x: nn.functional.avg_pool2d(x, 3, 2, 1, count_include_pad=False), x)
    run(lambda x: (nn.functional.interpolate(x, scale_factor=2), nn.functional.interpolate(x, (5, 5), mode="bilinear")), x)
    run(lambda x: nn.functional.conv_transpose2d(x, torch.ones(3, 2, 3, 3), stride=2, output_padding=1), x)


@pytest.mark.parametrize("shape, how, nodes", [
    ((2, 3, 9), {"size": 20, "mode": "linear"}, 1),
    ((2, 3, 8, 5), {"scale_factor": 2, "mode": "bilinear"}, 1),
    ((2, 3, 8, 5), {"size": (5, 11), "mode": "bilinear", "align_corners": True}, 1),
    ((2, 3, 8, 5), {"scale_factor": 1.33, "mode": "bilinear", "align_corners": True}, 1),
    ((1, 2, 3, 4, 5), {"scale_factor": 3, "mode": "trilinear"}, 1),
    ((2, 3, 9), {"size": 20, "mode": "nearest"}, 1),
    ((2, 3, 8, 5), {"scale_factor": 2, "mode": "nearest"}, 1),
    ((1, 2, 3, 4, 5), {"scale_factor": 3, "mode": "nearest"}, 1),
    ((2, 3, 8, 5), {"scale_factor": 1.33, "mode": "nearest"}, None),
    ((2, 3, 8, 5), {"scale_factor": 1.33, "mode": "bilinear"}, None),  # a factor that does not divide: PyTorch's gathers
])  # fmt: skip
@pytest.mark.parametrize("dynamic", [False, True])
def test_interpolations_stay_whole(shape, how, nodes, dynamic):
    def eager(x):
        return nn.functional.interpolate(x, **how)

    slopes = []
    for function in eager, torch.compile(eager, backend="tensorc", dynamic=dynamic):
        x = torch.arange(float(np.prod(shape))).reshape(shape).sin().requires_grad_()
        y = function(x)
        y.backward(y.detach().cos())
        slopes.append((y, x.grad))
    for made, expected in zip(*reversed(slopes), strict=True):
        torch.testing.assert_close(made, expected, rtol=1e-5, atol=1e-5)
    assert backend.report().fallbacks == 0
    if nodes and not dynamic:
        assert [g.nodes for g in backend.report().graphs] == [nodes, nodes]


def test_places_of_the_largest_elements():
    inf, nan = float("inf"), float("nan")

    def pool(x, *how, **more):
        return nn.functional.max_pool2d(x, *how, return_indices=True, **more)

    # Padding is never the largest, not even where all the elements of a window are as small; of several NaN the last one is.
    x = torch.full((2, 2, 9, 7), -inf)
    x[1] = torch.where(torch.rand(2, 9, 7) < 0.2, nan, torch.where(torch.rand(2, 9, 7) < 0.3, torch.randn(2, 9, 7), -inf))
    smallest = [torch.full((1, 1, 5, 5), torch.iinfo(d).min, dtype=d) for d in (torch.uint8, torch.int8, torch.int32, torch.int64)]
    for how in ((2, 2, 1), (3, 1, 1), (3, 2, 1, 2), ((5, 3), (2, 1), (2, 1), (1, 3))):
        calls = [lambda x, how=how: pool(x, *how), lambda x, how=how: pool(x, *how, ceil_mode=True)]
        for call, given in [(calls[0], x), (calls[1], x), (calls[0], x.bfloat16()), *((calls[0], least) for least in smallest)]:
            compiled = torch.compile(call, backend="tensorc")
            for made, expected in zip(compiled(given), call(given), strict=True):
                torch.testing.assert_close(made, expected, rtol=0, atol=0, equal_nan=True)
        slopes = []
        for function in (calls[0], torch.compile(calls[0], backend="tensorc")):
            a = x.clone().requires_grad_()
            values = function(a)[0]
            values.backward(torch.arange(1.0, values.numel() + 1).reshape(values.shape))
            slopes.append(a.grad)
        assert torch.equal(*slopes)
    run(lambda x: nn.functional.max_pool1d(x, 3, 2, 1, return_indices=True), torch.full((2, 3, 9), -inf))
    assert not backend.report().fallbacks, backend.report()


def test_random_numbers():
    compiled = torch.compile(lambda x: nn.functional.dropout(x, 0.25), backend="tensorc")
    x = torch.ones(4096)
    torch.manual_seed(1)
    first, second = compiled(x), compiled(x)
    torch.manual_seed(1)
    assert torch.equal(first, compiled(x)) and not torch.equal(first, second)
    assert abs(first.mean().item() - 1) < 0.1 and set(first.unique().tolist()) <= {0.0, 1 / 0.75, float(np.float32(1 / 0.75))}
    assert not backend.report().fallbacks


def test_a_step_of_dropout_has_the_gradient_of_its_mask():
    x = torch.ones(64, requires_grad=True)
    y = torch.compile(lambda x: nn.functional.dropout(x, 0.5) * 3, backend="tensorc")(x)
    y.sum().backward()
    torch.testing.assert_close(x.grad, y.detach())


def test_graph_breaks():
    def f(x):
        y = x * 2
        torch._dynamo.graph_break()
        return y + 1

    run(f, torch.ones(3))
    assert len(backend.report().graphs) == 2


def test_export(tmp_path):
    model, x = Convolutions().eval(), torch.randn(2, 3, 16, 16)
    path = tmp_path / "m.tcpkg"
    backend.export(model, x, path)
    made = tc.load_package(str(path))(x.numpy())
    np.testing.assert_allclose(made.numpy(), model(x).detach().numpy(), rtol=1e-4, atol=1e-5)


def test_export_names_what_has_no_conversion(tmp_path):
    class Airy(nn.Module):
        def forward(self, x):
            return torch.special.airy_ai(x).abs()

    with pytest.raises(NotImplementedError, match="airy"):
        backend.export(Airy(), torch.eye(3), tmp_path / "m.tcpkg")
    assert not (tmp_path / "m.tcpkg").exists()


DDP_RANK = """
import sys, torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel
import tensorc.torch as backend


class Net(nn.Module):  # Dynamo skips frames of PyTorch's own modules
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(m, n) for m, n in [(32, 512), (512, 512), (512, 512), (512, 8)]])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)


path, rank = sys.argv[1], int(sys.argv[2])
torch.distributed.init_process_group("gloo", init_method=f"file://{path}/store", rank=rank, world_size=2)
torch.manual_seed(rank)  # DDP broadcasts the parameters of rank 0
model = Net()
ddp = DistributedDataParallel(model, bucket_cap_mb=1)  # several buckets
step = torch.compile(ddp, backend="tensorc")
sgd = torch.optim.SGD(model.parameters(), 0.1)
begin = [p.detach().clone() for p in model.parameters()]
x = torch.randn(16, 32, generator=torch.Generator().manual_seed(7))
for _ in range(3):
    sgd.zero_grad()
    step(x[8 * rank : 8 * rank + 8]).square().mean().backward()
    sgd.step()
report = backend.report()
graphs = [sum(g.mode == mode for g in report.graphs) for mode in ("forward", "backward")]
torch.save((begin, [p.detach() for p in model.parameters()], x, graphs, report.fallbacks), f"{path}/{rank}.pt")
torch.distributed.destroy_process_group()
"""


@pytest.mark.skipif(not torch.distributed.is_available() or not torch.distributed.is_gloo_available(), reason="PyTorch without gloo")
def test_distributed_data_parallel(tmp_path):
    """DDP sums the gradients of two processes by gloo, in buckets, of which each is a graph of the backend."""
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1", "TENSORC_NUM_THREADS": "1"}
    program = tmp_path / "rank.py"
    program.write_text(DDP_RANK)
    ranks = [subprocess.Popen([sys.executable, program, tmp_path, str(rank)], env=variables, stderr=subprocess.PIPE, text=True)
             for rank in range(2)]  # fmt: skip
    try:
        errors = [rank.communicate(timeout=180)[1] for rank in ranks]
    finally:
        for rank in ranks:
            rank.kill()
    assert [rank.returncode for rank in ranks] == [0, 0], errors
    (begin, made, x, graphs, fallbacks), (_, other, *_) = [torch.load(tmp_path / f"{rank}.pt") for rank in range(2)]
    assert graphs[0] > 1 and graphs[1] > 1 and not fallbacks
    parameters = [p.requires_grad_() for p in begin]
    for _ in range(3):
        y = x
        for w, b in zip(parameters[::2], parameters[1::2]):
            y = nn.functional.linear(y if y is x else y.relu(), w, b)
        gradients = torch.autograd.grad(y.square().mean(), parameters)
        parameters = [(p - 0.1 * g).detach().requires_grad_() for p, g in zip(parameters, gradients)]
    for a, b, expected in zip(made, other, parameters):
        assert torch.equal(a, b)
        torch.testing.assert_close(a, expected.detach(), rtol=1e-5, atol=1e-6)
