"""Scaling of losses in float16, so that small gradients do not become 0."""

from .. import _core, tree
from ._leaves import _arrays_of, _each, _trained_of, described

_STATE = ("scale", "good")


def _parts(state):
    return [state[name] for name in _STATE]


class LossScaler:
    """Scales a loss, so that small gradients do not become 0 in float16, as PyTorch's GradScaler.

    If a gradient is not finite, the step is skipped and the scale shrinks. The scale grows after `interval` steps
    with finite gradients; 0 means never.

    >>> scaler = tc.optim.LossScaler(initial=8.0)
    >>> scaler.scale(tc.asarray(0.5), scaler.init())
    array(4.0, dtype=float32)
    """

    def __init__(self, *, initial=32768.0, growth=2.0, backoff=0.5, interval=2000):
        self.initial, self.growth, self.backoff, self.interval = initial, growth, backoff, interval

    def __repr__(self):
        return described(self)

    @classmethod
    def fixed(cls, scale):
        """A scaler with a constant scale; steps with non-finite gradients are still skipped."""
        return cls(initial=scale, growth=1.0, backoff=1.0, interval=0)

    def init(self):
        """The state before the first step."""
        return dict(zip(_STATE, _core.loss_scale_init(self.initial)))

    def scale(self, loss, state):
        """The loss times the scale, in float32."""
        return _core.loss_scale(loss, *_parts(state))

    def unscale(self, gradients, state):
        """The gradients of the loss: those of the scaled loss divided by the scale."""
        return _each(lambda given: _core.loss_unscale(given, *_parts(state)), gradients)

    @staticmethod
    def all_finite(gradients):
        """An array that is true if all gradients are finite."""
        return _core.all_finite(_trained_of(tree.leaves(gradients)))

    def update(self, optimizer, parameters, gradients, state, scaling):
        """Performs an optimizer step with gradients of the scaled loss. Returns the parameters, the optimizer's state
        and the scale's state.

        If a gradient is not finite, parameters and optimizer's state are unchanged.
        """
        good = self.all_finite(gradients)
        made = optimizer.update(parameters, self.unscale(gradients, scaling), state)
        leaves, structure = tree.flatten(made)
        before = tree.leaves_like((parameters, state), made, "optim")
        chosen = _core.choose_finite(good, _arrays_of(leaves), _arrays_of(before))
        chosen = [old if new is None else new for new, old in zip(chosen, leaves, strict=True)]
        after = _core.loss_scale_after(good, *_parts(scaling), self.growth, self.backoff, self.interval)
        return *structure.unflatten(chosen), dict(zip(_STATE, after))
