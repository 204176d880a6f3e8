"""CUDA devices, with PyTorch's names."""

from . import _core

__all__ = ["device_count", "get_device_name", "is_available", "memory_allocated", "memory_stats", "synchronize"]


def __dir__():
    return __all__


def _all():
    return [d for d in _core.devices() if d.kind == "cuda"]


def is_available():
    """True if there is a CUDA device."""
    return bool(_all())


def device_count():
    """The number of CUDA devices."""
    return len(_all())


def _device(device):
    return _core.Device("cuda" if device is None else f"cuda:{device}" if isinstance(device, int) else device)


def synchronize(device=None):
    """Waits for all work of the device."""
    _device(device).synchronize()


def memory_stats(device=None):
    """Bytes in use, peak, cached and free, as a dict."""
    return _device(device).memory_stats()


def memory_allocated(device=None):
    """Bytes in use."""
    return memory_stats(device)["allocated"]


def get_device_name(device=None):
    """The device's name as reported by its driver."""
    return _device(device).description
