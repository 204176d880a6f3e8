"""The networks of networks.py as functions of jax.numpy. JAX computes the graph of core operations that PyTorch
exports, in one jit."""

import operator

import torch

from peers.libraries import jax, jnp, lax


def convolution(x, w, b, stride, padding, dilation, transposed, output_padding, groups):
    pads = [(p, p) for p in padding]
    if transposed:  # the transposed convolutions of the U-Net have no padding and one group
        w = jnp.flip(w, (2, 3)).swapaxes(0, 1)
        pads, dilated, stride = [(k - 1, k - 1) for k in w.shape[2:]], stride, [1] * len(stride)
    else:
        dilated = [1] * len(stride)
    y = lax.conv_general_dilated(x, w, stride, pads, dilated, dilation, feature_group_count=groups)
    return y if b is None else y + b.reshape(1, -1, *[1] * len(stride))


def batch_norm(x, scale, bias, mean, variance, _, epsilon):
    shape = (1, -1, *[1] * (x.ndim - 2))
    factor = scale / jnp.sqrt(variance + epsilon)
    return (x * factor.reshape(shape) + (bias - mean * factor).reshape(shape),)


def layer_norm(x, shape, scale, bias, epsilon):
    axes = tuple(range(x.ndim - len(shape), x.ndim))
    mean = x.mean(axes, keepdims=True)
    return ((x - mean) * lax.rsqrt(jnp.square(x - mean).mean(axes, keepdims=True) + epsilon) * scale + bias,)


def max_pool(x, size, stride=None, padding=(0, 0)):
    pads = [(0, 0), (0, 0), *((p, p) for p in padding)]
    return (lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, *size), (1, 1, *(stride or size)), pads),)


def adaptive_mean(x, size):
    assert tuple(x.shape[2:]) == tuple(size)  # as VGG's at 224 x 224
    return x


def split(x, sizes, dim=0):
    return jnp.split(x, [sum(sizes[: i + 1]) for i in range(len(sizes) - 1)], dim)


def cat(xs, dim=0):
    return jnp.concatenate([x for x in xs if x.shape != (0,)], dim)  # PyTorch skips the first, empty keys of the cache


def mean(x, dims, keepdim=False):
    return x.mean(tuple(dims), keepdims=keepdim)


def gelu(x, approximate="none"):
    return jax.nn.gelu(x, approximate=approximate == "tanh")


def sliced(x, dim=0, start=None, end=None, step=1):
    return x[(slice(None),) * dim + (slice(start, end, step),)]


def index(x, places):
    return x[tuple(slice(None) if p is None else p for p in places)]


def dtype(settings):
    return jnp.dtype(str(settings.get("dtype") or torch.float32)[6:])


def same(x, *_, **__):
    return x


OPS = {
    "_adaptive_avg_pool2d.default": adaptive_mean, "_native_batch_norm_legit_no_training.default": batch_norm, "alias.default": same,
    "_softmax.default": lambda x, dim, _: jax.nn.softmax(x, dim), "_to_copy.default": lambda x, **k: x.astype(dtype(k)), "clone.default": same,
    "add.Tensor": operator.add, "addmm.default": lambda b, x, y: x @ y + b, "any.dim": lambda x, dim, keepdim=False: jnp.any(x, dim, keepdims=keepdim),
    "arange.start_step": lambda begin, end, step=1, **_: jnp.arange(begin, end, step), "bitwise_and.Tensor": operator.and_,
    "bmm.default": operator.matmul, "cat.default": cat, "clamp.default": jnp.clip, "convolution.default": convolution,
    "div.Tensor": operator.truediv, "embedding.default": lambda table, ids, *_: table[ids], "eq.Scalar": operator.eq,
    "expand.default": lambda x, shape: jnp.broadcast_to(x, [o if n < 0 else n for n, o in zip(shape, (1,) * (len(shape) - x.ndim) + x.shape)]),
    "full.default": lambda shape, value, **k: jnp.full(shape, value, dtype(k)), "full_like.default": lambda x, value, **_: jnp.full_like(x, value),
    "gather.default": lambda x, dim, places: jnp.take_along_axis(x, places, dim), "ge.Scalar": operator.ge, "gelu.default": gelu,
    "index.Tensor": index, "le.Tensor": operator.le, "logical_not.default": jnp.logical_not, "max_pool2d_with_indices.default": max_pool,
    "mean.dim": mean, "mm.default": operator.matmul, "mul.Scalar": operator.mul, "mul.Tensor": operator.mul, "native_layer_norm.default": layer_norm,
    "permute.default": jnp.transpose, "pow.Tensor_Scalar": operator.pow, "relu.default": jax.nn.relu,
    "scalar_tensor.default": lambda value, **k: jnp.asarray(value, dtype(k)), "select.int": lambda x, dim, place: jnp.take(x, place, dim),
    "sigmoid.default": jax.nn.sigmoid, "slice.Tensor": sliced, "split_with_sizes.default": split, "squeeze.dims": lambda x, dims: jnp.squeeze(x, tuple(dims)),
    "tanh.default": jnp.tanh, "unsqueeze.default": jnp.expand_dims, "view.default": jnp.reshape, "where.self": jnp.where,
}  # fmt: skip


def exported(model, inputs):
    """Returns the function of weights and arguments that PyTorch's exported graph describes, and the weights."""
    program = torch.export.export(model, inputs).run_decompositions()
    kept = {**dict(program.named_parameters()), **dict(program.named_buffers()), **program.constants}
    names = {s.arg.name: s.target for s in program.graph_signature.input_specs if s.target is not None}
    weights = {name: jnp.asarray(kept[target].detach().numpy()) for name, target in names.items()}

    def run(weights, *arguments):
        values, rest = {}, iter(arguments)
        look = lambda a: torch.fx.node.map_arg(a, lambda node: values[node])
        for node in program.graph.nodes:
            if node.op == "placeholder":
                values[node] = weights[node.name] if node.name in weights else next(rest)
            elif node.op == "output":
                return look(node.args[0])[0]
            elif node.target is operator.getitem:
                values[node] = look(node.args[0])[node.args[1]]
            elif "_assert" not in str(node.target):
                values[node] = OPS[str(node.target).removeprefix("aten.")](*look(node.args), **look(dict(node.kwargs)))

    return run, weights


def lstm(inner):
    """Computes the LSTM with one scan per layer, as usual in JAX. The exported graph would contain every step."""
    weights = [[jnp.asarray(getattr(inner, f"{name}_l{layer}").detach().numpy()) for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
               for layer in range(inner.num_layers)]  # fmt: skip

    def run(weights, x):
        for w, v, b, c in weights:
            begin = jnp.zeros((x.shape[0], v.shape[1]), x.dtype)

            def step(state, gates, v=v):
                h, cell = state
                i, f, g, o = jnp.split(gates + h @ v.T, 4, 1)
                cell = jax.nn.sigmoid(f) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
                h = jax.nn.sigmoid(o) * jnp.tanh(cell)
                return (h, cell), h

            x = lax.scan(step, (begin, begin), (x @ w.T + b + c).swapaxes(0, 1))[1].swapaxes(0, 1)
        return x

    return run, weights


def jax_call(model, inputs):
    run, weights = lstm(model.inner) if isinstance(getattr(model, "inner", None), torch.nn.LSTM) else exported(model, inputs)
    compiled, arguments = jax.jit(run), [jnp.asarray(x.numpy()) for x in inputs]
    return lambda: compiled(weights, *arguments).block_until_ready()
