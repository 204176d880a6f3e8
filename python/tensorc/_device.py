"""Devices on which arrays are created and computed."""

import contextlib
import operator
import threading

from . import _core

_stack = threading.local()
_core.Device.type = property(lambda self: self.kind, doc="The kind, under the name that PyTorch has for this property.")
_core.Stream.__repr__ = lambda self: f"Stream({str(self.device)!r})"
_core.Event.__repr__ = lambda self: "Event()"


class device(_core.Device):
    """A device, given by its name. As a context manager it is the device of new arrays.

    >>> with tc.device("sim:0"):
    ...     x = tc.ones(2)
    >>> x.device
    device('sim:0')
    """

    def __enter__(self):
        if not hasattr(_stack, "former"):
            _stack.former = []
        _stack.former.append(_core.thread_device())
        _core.set_device(self)
        return self

    def __exit__(self, *error):
        _core.set_device(_stack.former.pop() or None)


def current_device():
    """The device on which this thread creates arrays by default."""
    return _core.current_device()


def _named(device):
    return _core.current_device() if device is None else device if isinstance(device, _core.Device) else _core.Device(device)


def set_device(name):
    """Sets the device on which this thread creates arrays; None selects the default device."""
    _core.set_device(name)


def default_device():
    """The device of threads that have not called set_device."""
    return _core.default_device()


def memory_stats(device=None):
    """Statistics of a device's memory, as a dict: bytes in use, peak, cached and free, and numbers of allocations.
    Default: the current device.

    >>> sorted(tc.memory_stats("cpu"))[:3]
    ['allocated', 'allocations', 'cache_hits']
    """
    return _named(device).memory_stats()


def record_memory(blocks, device=None):
    """Records the times of allocations, and keeps the last `blocks` released blocks for memory_snapshot. 0 stops it."""
    _named(device).record_memory(blocks)


def memory_snapshot(device=None):
    """What a device's memory is used for, as a dict: `blocks` in use, with the lines that allocated them, and cached ones;
    `fragmentation`, the part of the cached bytes outside the largest cached block; `rounding`, the bytes in use that
    nobody requested; and `timeline`, the blocks that record_memory recorded, with times in nanoseconds.

    >>> tc.memory_snapshot("cpu")["device"]
    'cpu:0'
    """
    import json  # needed by few programs

    return json.loads(_named(device)._memory_snapshot())


def reset_peak(device=None):
    """Sets the peak to the bytes currently in use."""
    _named(device).reset_peak()


def empty_cache(device=None):
    """Returns cached memory to the system."""
    _named(device).trim()


def set_memory_limit(limit, device=None):
    """Limits the bytes in use: allocations beyond raise a MemoryError. 0 removes the limit."""
    try:
        limit = operator.index(limit)
    except TypeError:
        raise TypeError(f"set_memory_limit: takes a number of bytes, not {limit!r}; 0 removes the limit") from None
    if limit < 0:
        raise ValueError(f"set_memory_limit: {limit} bytes; 0 removes the limit")
    _named(device).set_memory_limit(limit)


def current_stream(device=None):
    """The stream of this thread's evaluations on a device."""
    return _core.current_stream(_named(device))


@contextlib.contextmanager
def stream(stream):
    """A scope in which this thread's evaluations on the stream's device use the stream.

    >>> side = tc.Stream("cpu")
    >>> with tc.stream(side):
    ...     x = (tc.ones(2) * 2).eval()
    """
    if not isinstance(stream, _core.Stream):
        raise TypeError(f"stream: a Stream is expected, not {type(stream).__name__}")
    former = _core.current_stream(stream.device)
    stream.device._set_stream(stream)
    try:
        yield stream
    finally:
        stream.device._set_stream(former)


def synchronize(device=None):
    """Waits for all work of a device, by default the current one."""
    _named(device).synchronize()


def is_available(name):
    """True if the device exists and can compute; False for unknown names.

    >>> tc.is_available("cpu"), tc.is_available("mps")
    (True, False)
    """
    return _core.is_available(name)


def device_count(kind=""):
    """The number of devices of a kind, such as "cuda", or of all kinds."""
    return sum(not kind or d.kind == kind for d in _core.devices())


def residence(x):
    """Computes the array and returns the device that has its value, for example the one that "auto" chose.

    >>> tc.residence(tc.ones(2) + 1)
    device('cpu:0')
    """
    return _core.residence(x)


def explain_placement(x):
    """Returns, as text, the costs by which "auto" chooses a device for an array. The best device
    comes first."""
    return _core.explain_placement(x)


def device_figures(device):
    """The performance figures of a device from which "auto" estimates costs, as text for a TENSORC_FIGURES file;
    measured if necessary."""
    return _core.device_figures(device)
