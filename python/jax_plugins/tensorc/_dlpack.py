"""Lends arrays of this platform to other libraries by DLPack. JAX itself refuses platforms that it does not know."""

import numpy as np


class _Memory:
    """The memory of an array, in which other libraries may write, as they may in arrays of JAX's CPU backend."""

    def __init__(self, array):
        self.array = array
        interface = array.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], False)}


def _is_lent(array):
    """True if the array is on this platform, in memory of the host."""
    devices = array.devices()
    device = next(iter(devices))
    on_host = device.device_kind == "cpu" or array.sharding.memory_kind.endswith("host")
    return len(devices) == 1 and device.platform == "tensorc" and on_host


def install():
    from jax._src.array import ArrayImpl
    from jax._src.dlpack import DLDeviceType

    export, device_of = ArrayImpl.__dlpack__, ArrayImpl.__dlpack_device__

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if not _is_lent(self):
            return export(self, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
        memory = np.array(self) if copy else np.asarray(_Memory(np.asarray(self)))
        # NumPy knows these keywords since 2.1.
        options = {"max_version": max_version, "dl_device": dl_device}
        return memory.__dlpack__(**{name: value for name, value in options.items() if value is not None})

    def __dlpack_device__(self):
        return (DLDeviceType.kDLCPU, 0) if _is_lent(self) else device_of(self)

    ArrayImpl.__dlpack__, ArrayImpl.__dlpack_device__ = __dlpack__, __dlpack_device__
