"""Learning rates as functions of the number of steps.

>>> rate = tc.optim.linear_schedule(1.0, 0.0, 4)
>>> rate(tc.asarray(2.0))
array(0.5, dtype=float32)
"""

from .. import _core


class _Schedule:
    """A function of the step. Its text names the schedule and its numbers."""

    def __init__(self, function, *numbers):
        self._function, self._numbers = function, numbers
        self.__name__ = f"{function.__name__}({', '.join(map(str, numbers))})"

    def __call__(self, step):
        return self._function(step, *self._numbers)

    def __repr__(self):
        return f"<{self.__name__}>"


def _whole(steps, name):
    if steps != int(steps):
        raise ValueError(f"{name}: {steps} steps")
    return int(steps)


def step_schedule(value, steps, factor):
    """`value`, multiplied by `factor` once every `steps` steps."""
    steps = _whole(steps, "step_schedule")
    return _Schedule(_core.step_schedule, value, steps, factor)


def exponential_schedule(value, factor):
    """`value` times factor^step."""
    return _Schedule(_core.exponential_schedule, value, factor)


def linear_schedule(begin, end, steps):
    """Changes linearly from `begin` to `end` in `steps` steps, then stays at `end`."""
    steps = _whole(steps, "linear_schedule")
    return _Schedule(_core.linear_schedule, begin, end, steps)


def cosine_schedule(peak, steps, *, warmup=0, end=0.0):
    """Rises linearly from 0 to `peak` in `warmup` steps, then follows a cosine to `end` at step `steps`."""
    steps, warmup = _whole(steps, "cosine_schedule"), _whole(warmup, "cosine_schedule")
    return _Schedule(_core.cosine_schedule, peak, steps, warmup, end)
