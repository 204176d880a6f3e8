"""Ten models in Flax, each with the gradients of a loss for all of its parameters."""


def models():
    """By name: a function of arrays, and these."""
    import flax.linen as nn
    import jax
    import jax.numpy as jnp
    import numpy as np

    random = np.random.default_rng(5)
    normal = lambda *shape: random.standard_normal(shape).astype(np.float32)

    class Perceptron(nn.Module):
        @nn.compact
        def __call__(self, x):
            return nn.Dense(3)(nn.relu(nn.Dense(16)(x)))

    class Convolutions(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.max_pool(nn.relu(nn.Conv(8, (3, 3))(x)), (2, 2), strides=(2, 2))
            x = nn.avg_pool(nn.relu(nn.Conv(8, (3, 3), strides=(2, 2))(x)), (2, 2))
            return nn.Dense(3)(x.reshape(x.shape[0], -1))

    class Residual(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.Conv(8, (3, 3))(x)
            y = nn.Conv(8, (3, 3))(nn.relu(nn.GroupNorm(4)(x)))
            return nn.Dense(3)(jnp.mean(x + nn.Conv(8, (1, 1))(y), axis=(1, 2)))

    class Separable(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.Conv(8, (1, 1))(x)
            x = nn.hard_swish(nn.Conv(8, (3, 3), feature_group_count=8, kernel_dilation=2)(x))
            return nn.Dense(3)(jnp.max(x, axis=(1, 2)))

    class Recurrent(nn.Module):
        cell: type

        @nn.compact
        def __call__(self, x):
            return nn.Dense(3)(nn.RNN(self.cell(8))(x)[:, -1])

    class Encoder(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = x + nn.MultiHeadDotProductAttention(2)(nn.LayerNorm()(x))
            return nn.Dense(3)(jnp.mean(x + nn.Dense(8)(nn.gelu(nn.Dense(32)(nn.LayerNorm()(x)))), axis=1))

    class Decoder(nn.Module):
        @nn.compact
        def __call__(self, tokens):
            x = nn.Embed(12, 8)(tokens) + nn.Embed(8, 8)(jnp.arange(tokens.shape[1]))
            mask = nn.make_causal_mask(tokens)
            x = x + nn.MultiHeadDotProductAttention(2)(nn.RMSNorm()(x), mask=mask)
            return nn.Dense(12)(nn.silu(nn.Dense(16)(x)) * nn.Dense(16)(x))

    class Mixer(nn.Module):
        @nn.compact
        def __call__(self, x):
            y = nn.Dense(6)(nn.gelu(nn.Dense(12)(nn.LayerNorm()(x).swapaxes(1, 2)))).swapaxes(1, 2)
            x = x + y
            return nn.Dense(3)(jnp.mean(x + nn.Dense(8)(nn.gelu(nn.Dense(16)(nn.LayerNorm()(x)))), axis=1))

    class Autoencoder(nn.Module):
        @nn.compact
        def __call__(self, x):
            y = nn.softplus(nn.Conv(4, (3, 3), strides=(2, 2))(x))
            return nn.ConvTranspose(3, (3, 3), strides=(2, 2))(y).reshape(x.shape[0], -1)

    images, series = normal(2, 8, 8, 3), normal(2, 6, 8)
    tokens = random.integers(0, 12, (2, 8)).astype(np.int32)
    cases = {
        "perceptron": (Perceptron(), normal(4, 5)), "convolutions": (Convolutions(), images), "residual": (Residual(), images),
        "separable": (Separable(), images), "lstm": (Recurrent(nn.LSTMCell), series), "gru": (Recurrent(nn.GRUCell), series),
        "encoder": (Encoder(), series), "decoder": (Decoder(), tokens), "mixer": (Mixer(), series),
        "autoencoder": (Autoencoder(), images),
    }  # fmt: skip
    found = {}
    for name, (model, x) in cases.items():
        leaves, tree = jax.tree.flatten(model.init(jax.random.key(0), x))
        leaves = [np.asarray(leaf) for leaf in leaves]

        def step(*arrays, model=model, tree=tree):
            def loss(leaves, x):
                scores = model.apply(jax.tree.unflatten(tree, leaves), x)
                return -jnp.mean(jax.nn.log_softmax(scores)[..., 0]) + 0.1 * jnp.mean(scores**2), scores

            return jax.value_and_grad(loss, has_aux=True)(list(arrays[:-1]), arrays[-1])

        found[name] = step, [*leaves, x]
    return found
