"""Learning rates that depend on the number of steps.

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
    """`value` times `factor` after each `steps`."""
    steps = _whole(steps, "step_schedule")
    return lambda step: _core.step_schedule(step, value, steps, factor)


def exponential_schedule(value, factor):
    """`value` times factor^step."""
    return lambda step: _core.exponential_schedule(step, value, factor)


def linear_schedule(begin, end, steps):
    """From `begin` to `end` in `steps`, and then `end`."""
    steps = _whole(steps, "linear_schedule")
    return lambda step: _core.linear_schedule(step, begin, end, steps)


def cosine_schedule(peak, steps, *, warmup=0, end=0.0):
    """From 0 to `peak` in `warmup` steps, and along a cosine to `end` at `steps`."""
    steps, warmup = _whole(steps, "cosine_schedule"), _whole(warmup, "cosine_schedule")
    return lambda step: _core.cosine_schedule(step, peak, steps, warmup, end)
