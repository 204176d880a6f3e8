"""Optimizers: values without state, over parameters of any structure.

>>> sgd = tc.optim.SGD(0.1)
>>> w = {"w": tc.ones(2)}
>>> w, state = sgd.update(w, {"w": tc.ones(2)}, sgd.init(w))
>>> w["w"]
array([0.9, 0.9], dtype=float32)

`update` takes the parameters, their gradients and the state, and returns the next parameters and the next state. It is
made to run inside of tc.jit. A rate is a number, or a function of the number of steps made, an array.
"""

from . import _core, _functions, tree
from ._creation import full, zeros_like
from ._dtypes import default_float
from ._dtypes import is_float

Array = _core.Array


def _trained(x):
    return isinstance(x, Array) and is_float(x.dtype)


class _Optimizer:
    def __init__(self, rate):
        self.rate = rate

    def _slots(self):
        raise NotImplementedError

    def init(self, parameters):
        """The state before the first step."""
        leaves, structure = tree.flatten(parameters)
        zeros = [zeros_like(x) if _trained(x) else None for x in leaves]
        device = next((x.device for x in leaves if _trained(x)), None)
        state = {"step": full((), 0, dtype="int32", device=device)}
        for slot in self._slots():
            state[slot] = list(zeros)
        return state

    def update(self, parameters, gradients, state):
        """The next parameters and the next state."""
        leaves, structure = tree.flatten(parameters)
        given = _leaves_like(gradients, structure, leaves)
        count = _core.astype(state["step"], default_float)
        rate = self.rate(count) if callable(self.rate) else self.rate
        changed, slots = [], {slot: [] for slot in self._slots()}
        for i, (p, g) in enumerate(zip(leaves, given)):
            if g is None or not _trained(p):
                changed.append(p)
                for slot, values in slots.items():
                    values.append(state[slot][i])
                continue
            if g.shape != p.shape:
                raise ValueError(f"optim: a gradient has the shape {g.shape}, its parameter {p.shape}")
            r = _core.astype(rate, p.dtype) if isinstance(rate, Array) else rate
            p, now = self._step(p, g, {slot: state[slot][i] for slot in slots}, count, r)
            changed.append(p)
            for slot, values in slots.items():
                values.append(now[slot])
        return structure.unflatten(changed), {"step": state["step"] + 1, **slots}


def _leaves_like(gradients, structure, leaves):
    """The gradients' leaves; None stands where there is none."""
    flat = tree.leaves(gradients)
    if len(flat) == len(leaves):
        return flat
    # Where a parameter has no gradient stands None, which is not a leaf.
    wanted = [i for i, x in enumerate(leaves) if _trained(x)]
    if len(flat) != len(wanted):
        raise ValueError(f"optim: {len(flat)} gradients for {len(wanted)} parameters")
    given = [None] * len(leaves)
    for i, g in zip(wanted, flat):
        given[i] = g
    return given


class SGD(_Optimizer):
    """Gradient descent, with momentum."""

    def __init__(self, rate, *, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        super().__init__(rate)
        self.momentum, self.dampening, self.weight_decay, self.nesterov = momentum, dampening, weight_decay, nesterov

    def _slots(self):
        return ("velocity",) if self.momentum else ()

    def _step(self, p, g, state, count, rate):
        if self.weight_decay:
            g = g + p * self.weight_decay
        if self.momentum:
            added = g if not self.dampening else _core.select(_core.eq(count, 0), g, g * (1 - self.dampening))
            v = state["velocity"] * self.momentum + added
            state = {"velocity": v}
            g = g + v * self.momentum if self.nesterov else v
        return p - g * rate, state


class Adam(_Optimizer):
    """Adam; its weight decay adds to the gradient."""

    decoupled = False

    def __init__(self, rate, *, beta1=0.9, beta2=0.999, epsilon=1e-8, weight_decay=0.0):
        super().__init__(rate)
        self.beta1, self.beta2, self.epsilon, self.weight_decay = beta1, beta2, epsilon, weight_decay

    def _slots(self):
        return ("first", "second")

    def _step(self, p, g, state, count, rate):
        if self.weight_decay and not self.decoupled:
            g = g + p * self.weight_decay
        m = state["first"] * self.beta1 + g * (1 - self.beta1)
        v = state["second"] * self.beta2 + g * g * (1 - self.beta2)
        first = _core.astype(1 - _core.pow(self.beta1, count + 1), p.dtype)
        second = _core.astype(1 - _core.pow(self.beta2, count + 1), p.dtype)
        move = m / first / (_core.sqrt(v / second) + self.epsilon)
        if self.weight_decay and self.decoupled:
            move = move + p * self.weight_decay
        return p - move * rate, {"first": m, "second": v}


class AdamW(Adam):
    """Adam with decoupled weight decay: it shrinks the parameters."""

    decoupled = True

    def __init__(self, rate, *, weight_decay=0.01, **options):
        super().__init__(rate, weight_decay=weight_decay, **options)


class Lion(_Optimizer):
    """The sign of a mean of gradients: half the state of Adam."""

    def __init__(self, rate, *, beta1=0.9, beta2=0.99, weight_decay=0.0):
        super().__init__(rate)
        self.beta1, self.beta2, self.weight_decay = beta1, beta2, weight_decay

    def _slots(self):
        return ("mean",)

    def _step(self, p, g, state, count, rate):
        m = state["mean"]
        move = _core.sign(m * self.beta1 + g * (1 - self.beta1))
        if self.weight_decay:
            move = move + p * self.weight_decay
        return p - move * rate, {"mean": m * self.beta2 + g * (1 - self.beta2)}


def clip_by_global_norm(gradients, most):
    """Multiplies all gradients by one factor, so that their global norm is at most `most`."""
    leaves, structure = tree.flatten(gradients)
    squares = [_functions.sum(_core.astype(g, default_float) ** 2) for g in leaves if _trained(g)]
    if not squares:
        return gradients
    total = squares[0]
    for one in squares[1:]:
        total = total + one
    factor = _core.minimum(1.0, most / (_core.sqrt(total) + 1e-6))
    return structure.unflatten([g * _core.astype(factor, g.dtype) if _trained(g) else g for g in leaves])


def cosine_schedule(peak, steps, *, warmup=0, end=0.0):
    """From 0 to `peak` in `warmup` steps, and along a cosine to `end` at `steps`."""
    import math

    def rate(step):
        part = _core.clamp(0.0, (step - warmup) / max(1, steps - warmup), 1.0)
        value = end + (peak - end) * 0.5 * (1 + _core.cos(part * math.pi))
        return _core.select(_core.lt(step, warmup), peak * (step + 1) / max(1, warmup), value) if warmup else value

    return rate
