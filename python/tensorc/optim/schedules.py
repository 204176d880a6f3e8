"""Learning rates as functions of the number of steps.

>>> rate = tc.optim.linear_schedule(1.0, 0.0, 4)
>>> rate(tc.asarray(2.0))
array(0.5, dtype=float32)
"""

from .. import _core


def _whole(steps, name):
    if steps != int(steps):
        raise ValueError(f"{name}: {steps} steps")
    return int(steps)


def step_schedule(value, steps, factor):
    """`value`, multiplied by `factor` once every `steps` steps."""
    steps = _whole(steps, "step_schedule")
    return lambda step: _core.step_schedule(step, value, steps, factor)


def exponential_schedule(value, factor):
    """`value` times factor^step."""
    return lambda step: _core.exponential_schedule(step, value, factor)


def linear_schedule(begin, end, steps):
    """Changes linearly from `begin` to `end` in `steps` steps, then stays at `end`."""
    steps = _whole(steps, "linear_schedule")
    return lambda step: _core.linear_schedule(step, begin, end, steps)


def cosine_schedule(peak, steps, *, warmup=0, end=0.0):
    """Rises linearly from 0 to `peak` in `warmup` steps, then follows a cosine to `end` at step `steps`."""
    steps, warmup = _whole(steps, "cosine_schedule"), _whole(warmup, "cosine_schedule")
    return lambda step: _core.cosine_schedule(step, peak, steps, warmup, end)
