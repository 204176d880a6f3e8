"""Arrays in files, recorded programs, and packages."""

import os

from . import _core, tree
from ._dtypes import as_dtype
from ._transforms import _arrays


def load(path):
    """The contents of an .npy, .npz or .safetensors file: an array, or a dict of arrays."""
    with open(path, "rb"):  # raises Python's own exceptions for files
        pass
    arrays = _core.load_file(os.fspath(path))
    return arrays[""] if list(arrays) == [""] else arrays


def save(path, value):
    """Writes an array to an .npy file, or a dict of arrays, dicts and lists to an .npz or .safetensors file."""
    path = os.fspath(path)
    if isinstance(value, _core.Array) or not isinstance(value, (dict, list, tuple)):
        return _core.save_file(path, [""], [_core.as_array(value)])
    named = dict(_named(value, ""))
    _core.save_file(path, list(named), list(named.values()))


def _named(value, prefix):
    """Flattens nested values to a dict of arrays with names such as 'layers.0.weight'."""
    if isinstance(value, _core.Array):
        yield prefix, value
    elif isinstance(value, (dict, list, tuple)):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in parts:
            yield from _named(part, f"{prefix}.{key}" if prefix else str(key))
    else:
        yield prefix, _core.as_array(value)


def load_package(path, device=None, *, verify=False):
    """Loads a package (.tcpkg) for a device, as a function of arrays.

    `inputs()` and `outputs()` return names, dtypes and sizes; for a package of several functions pass `entry="name"`.
    The kernels of a package are machine code that this process executes. With `verify` all constants are read and
    compared with their hashes, and an altered constant is an error; without, constants are not checked.
    """
    return _core.load_package(os.fspath(path), None if device is None else str(device), verify)


def _described(package):
    def arguments(all):
        return ", ".join(f"{name}: {dtype.name}{list(sizes)}" for name, dtype, sizes in all)

    entries = [f"{name}({arguments(package.inputs(name))}) -> ({arguments(package.outputs(name))})" for name in package.entries]
    return f"<package for {package.target}: {'; '.join(entries)}>"


_core.Package.__repr__ = _described

__all__ = ["load", "save", "load_package", "tree"]


class Input:
    """An argument's dtype and shape, for functions that are recorded for files or with named sizes.

    >>> tc.Input(tc.float32, ("n", 64))
    Input(float32, ('n', 64))
    """

    def __init__(self, dtype, shape=(), *, name=None, multiple_of=None):
        self.dtype, self.name = as_dtype(dtype), name
        self.shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        self.multiple_of = multiple_of or {}

    def __repr__(self):
        return f"Input({self.dtype.name}, {self.shape})"

    def described(self):
        sizes = [s if isinstance(s, str) else None for s in self.shape]
        dims = [self.multiple_of.get(s, 1) if isinstance(s, str) else int(s) for s in self.shape]
        return self.name, self.dtype, dims, sizes


def _plans(sizes):
    """The text of values of named sizes: 'n=1024,m=64'."""
    return ",".join(f"{name}={int(size)}" for name, size in (sizes or {}).items())


class _Program:
    """A recorded function, or a program that was read."""

    def __init__(self, raw, tree=(None,)):
        self._raw, self._tree, self._called = raw, tree, None

    def __repr__(self):
        header = next((line.strip() for line in self.to_mlir().splitlines() if "func.func @" in line), "")
        return f"<program {header.partition('@')[2].removesuffix('{').strip()}>"

    def __call__(self, *args):
        """Calls function(), which is compiled at the first call."""
        if self._called is None:
            self._called = self.function()
        return self._called(*args)

    def to_mlir(self):
        """The program as a tx module."""
        return self._raw.to_mlir()

    def save(self, path, *, memory_plans=None, **options):
        """Compiles the program and writes it to a file; the suffix determines the kind of file."""
        self._raw.save(os.fspath(path), memory_plans=_plans(memory_plans), **options)

    def function(self, *, memory_plans=None):
        """Compiles the program for calls in this process, for all values of the named sizes. The function of a
        program that was read returns a list. `memory_plans` has the meaning of that of `compile_to`."""
        raw, tree = self._raw.function(_plans(memory_plans)), self._tree

        def call(*args):
            results = raw([_core.as_array(a) for a in args])
            return tree[0].unflatten(results) if tree[0] else results

        return call


def record(function, *inputs):
    """Records a function of arrays: `inputs` are examples, or `Input`s, whose sizes may have names.

    >>> print(tc.record(lambda x: x + 1, tc.Input(tc.float32, ("n",))).to_mlir().split("(")[0].strip())
    module {
      func.func @main
    """
    described = [x.described() if isinstance(x, Input) else Input(x.dtype, x.shape).described()
                 for x in (x if isinstance(x, Input) else _core.as_array(x) for x in inputs)]  # fmt: skip
    tree = [None]

    def call(arguments):
        leaves, tree[0] = _arrays(function(*arguments), "record")
        return leaves

    return _Program(_core.record_program(described, call), tree)


def read_program(program, name="program"):
    """Reads a program of another framework: StableHLO or tx as text, or the bytes of an ONNX model. Its function is
    `main`.

    `name` is used in messages; if it is a path, external data of an ONNX model is read from its folder.

    >>> text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    >>> tc.read_program(text)(tc.ones(2))
    [array([1.0, 1.0], dtype=float32)]
    """
    return _Program(_core.read_program(program.encode() if isinstance(program, str) else bytes(program), name))


def compile_to(function, path, *inputs, target=None, kind=None, input_names=(), output_names=(), constants=None, opt_level=0,
               fast_math=False, memory_plans=None):  # fmt: skip
    """Compiles a function of arrays to a file: a package (.tcpkg), C functions (.o, .so, .h), a WebAssembly module and
    its script (.js), or text (.mlir, .ll, .ptx, ...).

    `inputs` are examples, or `Input`s, whose sizes may have names; `target` is "cpu" (if it is None), "cuda:sm_90",
    "opencl", "vulkan", ..., or for a package several targets separated by commas. `kind="page"` makes a page for a browser
    of an .html file, which is otherwise a report. Arrays that the function captures become constants.
    `memory_plans={"n": 1024}` has values of all named sizes: a package gets plans for them that need less memory, for
    runs under a limit, with any sizes.
    """
    if not inputs:
        raise TypeError("compile_to: an example or an Input for each argument is needed")
    record(function, *inputs).save(path, target=target, kind=kind, input_names=list(input_names),
                                   output_names=list(output_names), constants=constants, opt_level=opt_level,
                                   fast_math=fast_math, memory_plans=memory_plans)  # fmt: skip
