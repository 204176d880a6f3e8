"""Optimizers: objects without state, for parameters of any structure.

>>> sgd = tc.optim.SGD(0.1)
>>> w = {"w": tc.ones(2)}
>>> w, state = sgd.update(w, {"w": tc.ones(2)}, sgd.init(w))
>>> w["w"]
array([0.9, 0.9], dtype=float32)

`update` takes the parameters, their gradients and the state, and returns the next parameters and the next state. Use
it in functions for tc.jit. A rate is a number, or a function of the number of steps so far, which is an array. The
formulas are those of the C++ interface, tensorc/optim.hpp.
"""

from .. import _core, tree
from .._dtypes import as_dtype
from ._leaves import _each, _trained, _trained_of, described
from .hosted import OnHost  # noqa: F401
from .scaling import LossScaler  # noqa: F401
from .schedules import cosine_schedule, exponential_schedule, linear_schedule, step_schedule  # noqa: F401
from .smooth import lbfgs  # noqa: F401

__all__ = [
    "Adafactor", "Adam", "AdamW", "Lion", "LossScaler", "OnHost", "SGD", "clip_by_global_norm", "clip_by_value", "cosine_schedule",
    "exponential_schedule", "global_norm", "lbfgs", "linear_schedule", "step_schedule",
]  # fmt: skip


def __dir__():
    return __all__


class _Optimizer:
    """An optimizer of the C++ interface: its functions, the names of the lists in its state, and the options of both
    functions in order."""

    _name, _slots, _options = "", (), ()

    def __init__(self, rate):
        self.rate = rate

    def __repr__(self):
        return described(self)

    def _given(self):
        return [getattr(self, name) for name in self._options]

    def init(self, parameters):
        """The state before the first step."""
        leaves = _trained_of(tree.leaves(parameters))
        step, *slots = getattr(_core, f"{self._name}_init")(leaves, *self._given())
        return {"step": step, **dict(zip(self._slots, slots))}

    def update(self, parameters, gradients, state):
        """The next parameters and the next state."""
        leaves, structure = tree.flatten(parameters)
        given = tree.leaves_like(gradients, parameters, "optim", _trained)
        given = [g if _trained(p) else None for p, g in zip(leaves, given)]
        rate = self.rate(_core.astype(state["step"], as_dtype("float32"))) if callable(self.rate) else self.rate
        parts = (state["step"], *(state.get(slot, [None] * len(leaves)) for slot in self._slots))
        made, (step, *slots) = getattr(_core, f"{self._name}_update")(_trained_of(leaves), given, parts, rate, *self._given())
        changed = [p if new is None else new for p, new in zip(leaves, made, strict=True)]
        return structure.unflatten(changed), {"step": step, **{k: v for k, v in zip(self._slots, slots) if k in state}}


class SGD(_Optimizer):
    """Gradient descent with optional momentum."""

    _name, _slots, _options = "sgd", ("velocity",), ("momentum", "dampening", "weight_decay", "nesterov")

    def __init__(self, rate, *, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        super().__init__(rate)
        self.momentum, self.dampening, self.weight_decay, self.nesterov = momentum, dampening, weight_decay, nesterov

    def init(self, parameters):
        """The state before the first step."""
        state = super().init(parameters)
        return state if self.momentum else {"step": state["step"]}


class Adam(_Optimizer):
    """Adam. Its weight decay is added to the gradient."""

    _name, _slots, _options = "adam", ("first", "second"), ("beta1", "beta2", "epsilon", "weight_decay")

    def __init__(self, rate, *, beta1=0.9, beta2=0.999, epsilon=1e-8, weight_decay=0.0):
        super().__init__(rate)
        self.beta1, self.beta2, self.epsilon, self.weight_decay = beta1, beta2, epsilon, weight_decay


class AdamW(Adam):
    """Adam with decoupled weight decay, which shrinks the parameters directly."""

    _name = "adamw"

    def __init__(self, rate, *, weight_decay=0.01, **options):
        super().__init__(rate, weight_decay=weight_decay, **options)


class Lion(_Optimizer):
    """Steps by the sign of a running mean of gradients. Its state is half as large as Adam's."""

    _name, _slots, _options = "lion", ("mean",), ("beta1", "beta2", "weight_decay")

    def __init__(self, rate, *, beta1=0.9, beta2=0.99, weight_decay=0.0):
        super().__init__(rate)
        self.beta1, self.beta2, self.weight_decay = beta1, beta2, weight_decay


class Adafactor(_Optimizer):
    """Adafactor (Shazeer and Stern 2018): like Adam, but a matrix has a state of only one row and one column.

    The rate bounds a step relative to the parameter's root mean square. Step t moves the running means of squares by
    a fraction t^decay. An epsilon of 0 stands for the squared machine epsilon of the parameter's dtype.
    """

    _name, _slots, _options = "adafactor", ("rows", "columns"), ("decay", "epsilon", "scale", "clip", "weight_decay")

    def __init__(self, rate=1e-2, *, decay=-0.8, epsilon=0.0, scale=1e-3, clip=1.0, weight_decay=0.0):
        super().__init__(rate)
        self.decay, self.epsilon, self.scale, self.clip, self.weight_decay = decay, epsilon, scale, clip, weight_decay


def global_norm(gradients):
    """The norm of all gradients as one vector, in float32; 0 without gradients.

    >>> tc.optim.global_norm([tc.asarray([3.0]), tc.asarray([4.0])])
    array(5.0, dtype=float32)
    """
    return _core.global_norm(_trained_of(tree.leaves(gradients)))


def clip_by_global_norm(gradients, most):
    """Multiplies all gradients by the same factor, so that their global norm is at most `most`."""
    return _each(lambda given: _core.clip_by_norm(given, most), gradients)


def clip_by_value(gradients, most):
    """Clamps each element of all gradients to [-most, most].

    >>> tc.optim.clip_by_value([tc.asarray([-3.0, 0.5])], 1.0)[0]
    array([-1.0, 0.5], dtype=float32)
    """
    return _each(lambda given: _core.clip_by_value(given, most), gradients)
