"""Rates that depend on how many steps were made.

>>> rate = tc.optim.linear_schedule(1.0, 0.0, 4)
>>> rate(tc.asarray(2.0))
array(0.5, dtype=float32)
"""

import math

from .. import _core


def step_schedule(value, steps, factor):
    """`value` times `factor` after each `steps`."""
    return lambda step: value * _core.exp(_core.floor(step / steps) * math.log(factor))


def exponential_schedule(value, factor):
    """`value` times factor^step."""
    return lambda step: value * _core.exp(step * math.log(factor))


def linear_schedule(begin, end, steps):
    """From `begin` to `end` in `steps`, and then `end`."""
    return lambda step: begin + (end - begin) * _core.minimum(step / steps, 1.0)


def cosine_schedule(peak, steps, *, warmup=0, end=0.0):
    """From 0 to `peak` in `warmup` steps, and along a cosine to `end` at `steps`."""
    def rate(step):
        part = _core.clamp(0.0, (step - warmup) / max(1, steps - warmup), 1.0)
        value = end + (peak - end) * 0.5 * (1 + _core.cos(part * math.pi))
        return _core.select(_core.lt(step, warmup), peak * (step + 1) / max(1, warmup), value) if warmup else value

    return rate
