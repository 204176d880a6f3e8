"""Arrays in files, and packages."""

import os

from . import _core, tree


def load(path):
    """The arrays of an .npy, .npz or .safetensors: one, or a dict of them."""
    with open(path, "rb"):  # raises what Python raises for files
        pass
    arrays = _core.load_file(os.fspath(path))
    return arrays[""] if list(arrays) == [""] else arrays


def save(path, value):
    """Writes an array to an .npy, or a dict of arrays, which may hold dicts and lists, to an .npz or .safetensors."""
    path = os.fspath(path)
    if isinstance(value, _core.Array) or not isinstance(value, (dict, list, tuple)):
        return _core.save_file(path, [""], [_core.as_array(value)])
    named = dict(_named(value, ""))
    _core.save_file(path, list(named), list(named.values()))


def _named(value, prefix):
    """Arrays by their names in nested values: 'layers.0.weight'."""
    if isinstance(value, _core.Array):
        yield prefix, value
    elif isinstance(value, (dict, list, tuple)):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in parts:
            yield from _named(part, f"{prefix}.{key}" if prefix else str(key))
    else:
        yield prefix, _core.as_array(value)


def load_package(path, device=None):
    """A package (.tcpkg) for a device: a function of arrays.

    `inputs()` and `outputs()` tell names, dtypes and sizes; a package of several functions takes `entry="name"`. Its
    kernels are code that this process runs.
    """
    return _core.load_package(os.fspath(path), None if device is None else str(device))


__all__ = ["load", "save", "load_package", "tree"]
