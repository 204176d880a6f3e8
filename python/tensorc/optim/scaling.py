"""Losses in float16: gradients that are too small for it are scaled."""

from .. import _core, tree
from .._creation import full
from .._dtypes import default_float, is_float


def _trained(x):
    return isinstance(x, _core.Array) and is_float(x.dtype)


class LossScaler:
    """Multiplies a loss, so that small gradients do not become 0 in float16. As PyTorch's GradScaler.

    A step is left out where a gradient is not finite, and the scale shrinks. It grows after `interval` steps with finite
    gradients; 0: never.

    >>> scaler = tc.optim.LossScaler(initial=8.0)
    >>> scaler.scale(tc.asarray(0.5), scaler.init())
    array(4.0, dtype=float32)
    """

    def __init__(self, *, initial=32768.0, growth=2.0, backoff=0.5, interval=2000):
        self.initial, self.growth, self.backoff, self.interval = initial, growth, backoff, interval

    @classmethod
    def fixed(cls, scale):
        """Of a scale that does not change; steps are left out nevertheless."""
        return cls(initial=scale, growth=1.0, backoff=1.0, interval=0)

    def init(self):
        """The state before the first step."""
        return {"scale": full((), self.initial), "good": full((), 0, dtype="int32")}

    def scale(self, loss, state):
        """The loss times the scale, as float32."""
        return _core.astype(loss, default_float) * state["scale"]

    def unscale(self, gradients, state):
        """The gradients of the loss itself."""
        return tree.map(lambda g: _core.astype(_core.astype(g, default_float) / state["scale"], g.dtype) if _trained(g) else g, gradients)

    @staticmethod
    def all_finite(gradients):
        """Whether no gradient has an infinity or a NaN: an array."""
        holds = full((), True)
        for g in tree.leaves(gradients):
            if _trained(g):
                holds = holds & _core.all(_core.is_finite(g), None)
        return holds

    def update(self, optimizer, parameters, gradients, state, scaling):
        """The optimizer's step by gradients of the scaled loss: parameters, its state, and the scale's.

        The first two are what they were where the gradients are not finite.
        """
        good = self.all_finite(gradients)
        made = optimizer.update(parameters, self.unscale(gradients, scaling), state)
        leaves, structure = tree.flatten(made)
        chosen = [_core.select(good, new, old) if isinstance(new, _core.Array) else new
                  for new, old in zip(leaves, tree.leaves_like((parameters, state), made, "optim"), strict=True)]  # fmt: skip
        return *structure.unflatten(chosen), self._after(good, scaling)

    def _after(self, good, state):
        count, scale = _core.select(good, state["good"] + 1, 0), state["scale"]
        if self.interval > 0:
            grows = count >= self.interval
            scale = _core.select(good, _core.select(grows, scale * self.growth, scale), scale * self.backoff)
            count = _core.select(grows, 0, count)
        return {"scale": scale, "good": count}
