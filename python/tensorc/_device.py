"""Devices: where arrays are made and computed."""

import threading

from . import _core

_stack = threading.local()


class device(_core.Device):
    """A device by its name, and a scope in which arrays are made there.

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
    """The device of arrays that are made without one."""
    return _core.current_device()
