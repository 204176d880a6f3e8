"""A program's results by three ways: recorded and evaluated, traced once and called, compiled to a package and loaded."""

import ctypes
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "conformance"))

from binding import DTYPES, HERE, Library, Refused, Tensor, ints  # noqa: E402

from kinds import KINDS  # noqa: E402
from values import storage, to_bytes  # noqa: E402


class Entry:
    """One function of a loaded package."""

    def __init__(self, lib, module, name):
        self.lib, self.entry = lib, ctypes.c_void_p()
        find = lib.runtime.tensorc_rt_module_find
        find.restype = ctypes.c_void_p
        lib.check(find(module, name.encode(), ctypes.byref(self.entry)))

    def __call__(self, tensors, count):
        keep = []
        arguments = (self.lib.argument_type * max(1, len(tensors)))(*[self.lib.argument(t, keep) for t in tensors])
        results = (ctypes.c_void_p * max(1, count))()
        self.lib.lib.tensorc_call.restype = ctypes.c_void_p
        self.lib.check(self.lib.lib.tensorc_call(self.entry, arguments, len(tensors), HERE, results, count))
        return [Tensor(self.lib, ctypes.c_void_p(handle)) for handle in results]


class Session(Library):
    def __init__(self, folder, tool=None):
        super().__init__(folder)
        self.runtime = self.lib  # a symbol is looked for in what it links, too
        self.argument_type = type(self.argument(0, []))
        self.tool = tool
        self.lib.tensorc_set_progress(0)

    def threads(self, count):
        self.runtime.tensorc_rt_set_num_threads(count)

    def leaf(self, value):
        data = to_bytes(value)
        return self.raw_call("from_data", DTYPES[value.dtype], data.ndim, ints(data.shape), ctypes.c_void_p(data.ctypes.data), None)

    def leaves(self, program):
        return [self.leaf(program.values[i]) for i in program.inputs()]

    def record(self, program, leaves):
        made = dict(zip(program.inputs(), leaves))
        for i in program.needed():
            node = program.nodes[i]
            if node.kind != "input":
                made[i] = KINDS[node.kind].record(self, node, *[made[j] for j in node.inputs])
                if (made[i].dtype, made[i].shape) != (node.dtype, node.shape):
                    raise Refused(f"v{i} is {made[i].dtype}{made[i].shape}, the judge {node.type}")
        return [made[i] for i in program.outputs]

    def download(self, tensors):
        arrays = []
        for tensor in tensors:
            out = np.empty(tensor.shape, storage(tensor.dtype))
            self.check(self.lib.tensorc_read(tensor.handle, out.ctypes.data_as(ctypes.c_void_p), out.nbytes))
            arrays.append(out)
        return arrays

    def lazy(self, program):
        results = self.record(program, self.leaves(program))
        self.eval(results)
        return self.download(results)

    def traced(self, program, threads):
        """The results with each number of threads."""
        leaves, arguments = self.leaves(program), []
        for leaf in leaves:
            arguments.append(self.raw_call("trace_argument", DTYPES[leaf.dtype], len(leaf.shape), ints(leaf.shape)))
        results = self.record(program, arguments)
        function = ctypes.c_void_p()
        self.lib.tensorc_function_create.restype = ctypes.c_void_p
        self.check(self.lib.tensorc_function_create(self.handles(arguments), len(arguments), self.handles(results),
                                                    len(results), ctypes.byref(function)))  # fmt: skip
        try:
            return [self.call_function(function, leaves, len(results), n) for n in threads]
        finally:
            self.threads(0)
            self.lib.tensorc_function_release(function)

    def call_function(self, function, leaves, count, threads):
        self.threads(threads)
        out = (ctypes.c_void_p * max(1, count))()
        self.lib.tensorc_function_call.restype = ctypes.c_void_p
        self.check(self.lib.tensorc_function_call(function, self.handles(leaves), out))
        return self.download([Tensor(self, ctypes.c_void_p(handle)) for handle in out[:count]])

    @staticmethod
    def handles(tensors):
        return (ctypes.c_void_p * max(1, len(tensors)))(*[t.handle for t in tensors])

    def compile(self, programs, folder):
        """An entry for each program, all in one package."""
        text, package = folder / "programs.mlir", folder / "programs.tcpkg"
        text.write_text("".join(p.text(f"p{i}") for i, p in enumerate(programs)))
        command = [self.tool, "compile", text, "-o", package]
        done = subprocess.run(command, capture_output=True, text=True, timeout=3600)
        if done.returncode:
            raise Refused(f"tensorc compile: status {done.returncode}: {done.stderr[:2000]}")
        module = ctypes.c_void_p()
        self.runtime.tensorc_rt_load.restype = ctypes.c_void_p
        self.check(self.runtime.tensorc_rt_load(None, str(package).encode(), ctypes.byref(module)))
        return module, [Entry(self, module, f"p{i}") for i in range(len(programs))]

    def release(self, module):
        self.runtime.tensorc_rt_module_release(module)
