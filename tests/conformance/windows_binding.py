"""Convolution and pooling of the C interface through ctypes (tensorc/windows.h)."""

import ctypes

from binding import REDUCTIONS, ints

NUMBERS = ctypes.POINTER(ctypes.c_int64)
PADDINGS = {"explicit": 0, "same": 1, "valid": 2}


class ConvOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("dims", ctypes.c_int32), ("layout", ctypes.c_int),
                ("padding", ctypes.c_int), ("reserved", ctypes.c_int32), ("groups", ctypes.c_int64),
                ("stride", NUMBERS), ("padding_low", NUMBERS), ("padding_high", NUMBERS), ("dilation", NUMBERS),
                ("input_dilation", NUMBERS), ("output_padding", NUMBERS)]  # fmt: skip


class WindowOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("dims", ctypes.c_int32), ("layout", ctypes.c_int),
                ("ceil_mode", ctypes.c_int32), ("exclude_padding", ctypes.c_int32), ("size", NUMBERS),
                ("stride", NUMBERS), ("padding_low", NUMBERS), ("padding_high", NUMBERS), ("dilation", NUMBERS)]  # fmt: skip


def options(kind, **fields):
    """Lists become arrays, None stays NULL."""
    made = kind(struct_size=ctypes.sizeof(kind))
    for name, value in fields.items():
        if value is not None:
            setattr(made, name, ints(value) if isinstance(value, (list, tuple)) else value)
    return made


def optional(lib, array):
    return None if array is None else lib.tensor(array)


def conv(lib, function, x, kernel, bias, **fields):
    made = options(ConvOptions, **fields)
    return lib.call(function, lib.tensor(x), lib.tensor(kernel), optional(lib, bias), ctypes.byref(made))


def pool(lib, reduction, x, **fields):
    return lib.call("pool", REDUCTIONS[reduction], lib.tensor(x), ctypes.byref(options(WindowOptions, **fields)))


def reduce_window(lib, reduction, x, **fields):
    made = options(WindowOptions, **fields)
    return lib.call("reduce_window", REDUCTIONS[reduction], lib.tensor(x), ctypes.byref(made))
