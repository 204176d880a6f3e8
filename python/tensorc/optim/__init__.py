"""Optimizers: values without state, over parameters of any structure.

>>> sgd = tc.optim.SGD(0.1)
>>> w = {"w": tc.ones(2)}
>>> w, state = sgd.update(w, {"w": tc.ones(2)}, sgd.init(w))
>>> w["w"]
array([0.9, 0.9], dtype=float32)

`update` takes the parameters, their gradients and the state, and returns the next parameters and the next state. It is
made to run inside of tc.jit. A rate is a number, or a function of the number of steps made, an array.
"""

from .. import _core, _functions, tree
from .._creation import full, zeros_like
from .._dtypes import default_float
from .._dtypes import finfo, is_float
from .schedules import cosine_schedule, exponential_schedule, linear_schedule, step_schedule  # noqa: F401

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
        given = tree.leaves_like(gradients, parameters, "optim", _trained)
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
            g = _core.astype(g, p.dtype)
            r = _core.astype(rate, p.dtype) if isinstance(rate, Array) else rate
            p, now = self._step(p, g, {slot: state[slot][i] for slot in slots}, count, r)
            changed.append(p)
            for slot, values in slots.items():
                values.append(now[slot])
        return structure.unflatten(changed), {"step": state["step"] + 1, **slots}


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


class Adafactor(_Optimizer):
    """Adam with a state of a row and a column per matrix (Shazeer and Stern 2018).

    The rate bounds a step relative to the parameter's root mean square. Step t changes the means of squares by the share
    t^decay. An epsilon of 0 is the machine epsilon of the parameter's dtype, squared.
    """

    def __init__(self, rate=1e-2, *, decay=-0.8, epsilon=0.0, scale=1e-3, clip=1.0, weight_decay=0.0):
        super().__init__(rate)
        self.decay, self.epsilon, self.scale, self.clip, self.weight_decay = decay, epsilon, scale, clip, weight_decay

    def _slots(self):
        return ("rows", "columns")

    def init(self, parameters):
        """The state before the first step."""
        state = super().init(parameters)
        for slot, axis in (("rows", -1), ("columns", -2)):
            state[slot] = [x if x is None or x.ndim < 2 else _core.sum(x, axis, True) for x in state[slot]]
        return state

    def _step(self, p, g, state, count, rate):
        count, wide, move = count + 1, _core.astype(p, default_float), _core.astype(g, default_float)
        fresh = _core.exp(_core.log(count) * self.decay)
        epsilon = self.epsilon or float(finfo(p.dtype).eps) ** 2

        def follow(mean, now):
            before = _core.astype(mean, default_float)
            return before + (now - before) * fresh

        squares = move * move
        if p.ndim < 2:
            rows = follow(state["rows"], squares)
            now = {"rows": _core.astype(rows, p.dtype), "columns": state["columns"]}
            move = move * _core.rsqrt(_core.maximum(rows, epsilon))
        else:
            rows = follow(state["rows"], _core.mean(squares, -1, True))
            columns = follow(state["columns"], _core.mean(squares, -2, True))
            now = {"rows": _core.astype(rows, p.dtype), "columns": _core.astype(columns, p.dtype)}
            mean = _core.maximum(_core.mean(rows, -2, True), epsilon**0.5)
            move = move * _core.rsqrt(_core.maximum(rows * columns / mean, epsilon))
        move = move / _core.maximum(_root_mean_square(move) / self.clip, 1.0)
        rate = _core.astype(rate, default_float) if isinstance(rate, Array) else rate
        length = _core.maximum(_root_mean_square(wide), self.scale) * _core.minimum(_core.rsqrt(count), rate)
        if self.weight_decay:
            wide = wide - wide * self.weight_decay * rate
        return _core.astype(wide - length * move, p.dtype), now


def _root_mean_square(x):
    return _core.sqrt(_core.mean(x * x, None))


def global_norm(gradients):
    """The norm of all gradients as one vector, as float32; 0 of none.

    >>> tc.optim.global_norm([tc.asarray([3.0]), tc.asarray([4.0])])
    array(5.0, dtype=float32)
    """
    squares = [_functions.sum(_core.astype(g, default_float) ** 2) for g in tree.leaves(gradients) if _trained(g)]
    total = squares[0] if squares else full((), 0.0)
    for one in squares[1:]:
        total = total + one
    return _core.sqrt(total)


def clip_by_global_norm(gradients, most):
    """Multiplies all gradients by one factor, so that their global norm is at most `most`."""
    factor = _core.minimum(1.0, most / (global_norm(gradients) + 1e-6))
    return tree.map(lambda g: g * _core.astype(factor, g.dtype) if _trained(g) else g, gradients)


def clip_by_value(gradients, most):
    """Each element of all gradients between -most and most.

    >>> tc.optim.clip_by_value([tc.asarray([-3.0, 0.5])], 1.0)[0]
    array([-1.0, 0.5], dtype=float32)
    """
    return tree.map(lambda g: _core.clamp(-most, g, most) if _trained(g) else g, gradients)


from .scaling import LossScaler  # noqa: E402, F401
from .smooth import lbfgs  # noqa: E402, F401
