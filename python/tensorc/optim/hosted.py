"""Optimizer state in the memory of the host."""

from .. import _core, tree
from .._device import device, stream
from ._leaves import _trained, described


class OnHost:
    """An optimizer whose state is kept in the memory of the host.

    >>> adam = tc.optim.OnHost(tc.optim.Adam(0.1))
    >>> w = [tc.ones(2), tc.zeros(3)]
    >>> w, state = adam.update(w, [tc.ones(2), tc.ones(3)], adam.init(w))
    >>> w[1], state["first"][0].device
    (array([-0.1, -0.1, -0.1], dtype=float32), device('cpu:0'))

    The results have the bits of the optimizer alone. `update` updates one parameter after the other: a second stream of the
    device copies the state of the next `ahead` parameters while the device computes gradients and earlier updates, and the
    next states go back to the host while it computes later ones. So only `ahead` + 2 states are on the device. `update` is
    not for functions of tc.jit, as it evaluates; the gradients may come from one.
    """

    def __init__(self, optimizer, ahead=1):
        self.optimizer, self.ahead = optimizer, ahead

    def __repr__(self):
        return described(self)

    def _slots(self, state):
        return [name for name in state if name != "step"]

    def init(self, parameters):
        """The state before the first step, which takes the device's memory for one parameter at a time."""
        state = None
        for leaf in tree.leaves(parameters):
            own = self.optimizer.init([leaf])
            moved = {name: [_moved(x, "cpu") for x in own[name]] for name in self._slots(own)}
            if state is None:
                state = {"step": own["step"], **{name: [] for name in moved}}
            for name, values in moved.items():
                state[name] += values
        return self.optimizer.init(parameters) if state is None else state

    def update(self, parameters, gradients, state):
        """The next parameters and the next state."""
        leaves, structure = tree.flatten(parameters)
        given = tree.leaves_like(gradients, parameters, "optim", _trained)
        trained = [i for i, leaf in enumerate(leaves) if _trained(leaf)]
        slots = self._slots(state)
        made, step = list(leaves), state["step"]
        next_state = {"step": step, **{name: list(state[name]) for name in slots}}
        if not trained:
            return parameters, next_state
        copies = _core.Stream(leaves[trained[0]].device)
        # Starts the computation of the gradients.
        _core.eval([given[i] for i in trained])
        loaded, computed = {}, None

        def load(i):
            with stream(copies):
                loaded[i] = {name: [_moved(state[name][i], leaves[i].device)] for name in slots}

        def store(i, own):
            with stream(copies):
                for name in slots:
                    next_state[name][i] = _moved(own[name][0], "cpu")
            # The device has the next update to do meanwhile. Without waiting, all states would be on it.
            copies.synchronize()

        for position, i in enumerate(trained):
            for later in trained[position : position + self.ahead + 1]:
                if later not in loaded:
                    load(later)
            (made[i],), own = self.optimizer.update([leaves[i]], [given[i]], {"step": step, **loaded[i]})
            loaded[i] = None
            # A slot is None if the parameter does not need it, such as Adafactor's columns of a vector.
            _core.eval([made[i], own["step"], *(own[name][0] for name in slots if own[name][0] is not None)])
            next_state["step"] = own["step"]
            if computed is not None:
                store(*computed)
            computed = i, own
        store(*computed)
        return structure.unflatten(made), next_state


def _moved(x, to):
    """The value on a device. Copies to a device with streams of its own return before they are done."""
    if x is None:
        return None
    moved = _core.to_device(x, device(to) if isinstance(to, str) else to)
    _core.eval([moved])
    return moved
